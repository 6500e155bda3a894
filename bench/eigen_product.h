// The peer of the kernels: Eigen's matrix product.
//
// Only here: its order of summation depends on the CPU, and it contracts products into sums, so nothing of shardlaw's
// may be computed with it. It lives in shared libraries, one per instruction set, so that no inline function of a
// header that was compiled for another CPU gets into the program.
#pragma once

#include <cstdint>

namespace shardlaw::bench {

/// c [rows, columns] = a [rows, terms] · b [terms, columns], all row-major, on this thread.
template <class S>
using ProductFunction = void (*)(const S* a, const S* b, S* c, std::int64_t rows, std::int64_t terms,
                                 std::int64_t columns);

struct EigenProducts {
  ProductFunction<double> f64;
  ProductFunction<float> f32;
};

extern const EigenProducts eigenBaseline, eigenAvx2, eigenAvx512;

}  // namespace shardlaw::bench
