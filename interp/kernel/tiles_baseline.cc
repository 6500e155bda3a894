// Floats, for every CPU: 128-bit vectors, sixteen registers.
#define SHARDLAW_TILES baseline
#define SHARDLAW_VECTOR_BYTES 16
#define SHARDLAW_SUMS 12
#include "interp/kernel/tiles_float.h"
