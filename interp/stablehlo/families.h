// The definitions of all operations; only the table and the per-domain instantiations need them.
#pragma once

#include "interp/stablehlo/operation/arithmetic.h"
#include "interp/stablehlo/operation/collective.h"
#include "interp/stablehlo/operation/comparison.h"
#include "interp/stablehlo/operation/contraction.h"
#include "interp/stablehlo/operation/control.h"
#include "interp/stablehlo/operation/conversion.h"
#include "interp/stablehlo/operation/convolution.h"
#include "interp/stablehlo/operation/creation.h"
#include "interp/stablehlo/operation/logic.h"
#include "interp/stablehlo/operation/movement.h"
#include "interp/stablehlo/operation/reduction.h"
#include "interp/stablehlo/operation/slicing.h"
#include "interp/stablehlo/operation/unary.h"
#include "interp/stablehlo/operation/window.h"
