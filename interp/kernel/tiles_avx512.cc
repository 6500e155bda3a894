// Floats, for CPUs with AVX-512: 512-bit vectors, thirty-two registers. Compiled with -mavx512f.
#define SHARDLAW_TILES avx512
#define SHARDLAW_VECTOR_BYTES 64
#define SHARDLAW_SUMS 24
#include "interp/kernel/tiles_float.h"
