#include "bench/eigen_product.h"

#define EIGEN_DONT_PARALLELIZE
#include <Eigen/Core>

namespace shardlaw::bench {
namespace {

template <class S>
void product(const S* a, const S* b, S* c, std::int64_t rows, std::int64_t terms, std::int64_t columns) {
  using Matrix = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Eigen::Map<Matrix>(c, rows, columns).noalias() =
      Eigen::Map<const Matrix>(a, rows, terms) * Eigen::Map<const Matrix>(b, terms, columns);
}

}  // namespace

// NOLINTNEXTLINE: the name is the build's, one per instruction set.
__attribute__((visibility("default"))) extern const EigenProducts SHARDLAW_EIGEN_PRODUCTS{product<double>,
                                                                                          product<float>};

}  // namespace shardlaw::bench
