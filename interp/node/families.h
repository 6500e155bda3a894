// The definitions of all nodes; only the table and the per-domain instantiations need them.
#pragma once

#include "interp/node/batchnorm.h"
#include "interp/node/bf16.h"
#include "interp/node/collective.h"
#include "interp/node/convolution.h"
#include "interp/node/dense.h"
#include "interp/node/depthwise.h"
#include "interp/node/loss.h"
#include "interp/node/optimizer.h"
#include "interp/node/pointwise.h"
#include "interp/node/pool.h"
#include "interp/node/syncbn.h"
