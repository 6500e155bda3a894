// The definitions of all operations; only the table and the per-domain instantiations need them.
#pragma once

#include "interp/stablehlo/operation/arithmetic.h"
#include "interp/stablehlo/operation/collective.h"
#include "interp/stablehlo/operation/control.h"
#include "interp/stablehlo/operation/movement.h"
#include "interp/stablehlo/operation/reduction.h"
