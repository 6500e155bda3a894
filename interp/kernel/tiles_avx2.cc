// Floats, for CPUs with AVX2: 256-bit vectors, sixteen registers. Compiled with -mavx2.
#define SHARDLAW_TILES avx2
#define SHARDLAW_VECTOR_BYTES 32
#define SHARDLAW_SUMS 12
#include "interp/kernel/tiles_float.h"
