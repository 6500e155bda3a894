#include "props/programs/measure.h"

#include <algorithm>
#include <cmath>

#include "interp/stablehlo/operations.h"
#include "interp/stablehlo/transfer.h"
#include "props/programs/point.h"

namespace shardlaw::programs {
namespace {

using stablehlo::Cells;
using stablehlo::Function;
using stablehlo::Module;

/// Which numbers a point is made of.
enum class Kind { positive, signedData, allSigned, large, scaled };

/// Scalar operations of an evaluation, roughly.
double workOf(const Function& function) {
  double work = 0;
  const auto cells = [&](stablehlo::ValueId id) { return static_cast<double>(function.type(id).shape.cells()); };
  for (const stablehlo::Operation& operation : function.body.operations) {
    double most = 0;
    for (const stablehlo::ValueId id : operation.operands) most = std::max(most, cells(id));
    for (const stablehlo::ValueId id : operation.results) most = std::max(most, cells(id));
    if (operation.info->degrees == stablehlo::Degrees::products)
      most = std::sqrt(cells(operation.operands[0]) * cells(operation.operands[1]) * cells(operation.results[0])) * 3;
    work += most;
  }
  return work;
}

double valueOf(const WideScalar& x) { return x.toDouble(); }
double valueOf(double x) { return x; }

/// The largest difference over the largest value of a result, as far as both are numbers. Beside `floor` smaller values
/// count as that: a zero that is computed is noise in every cell.
class Relative {
 public:
  explicit Relative(double floor) : largest_(floor) {}
  template <class Scalar>
  void add(const Scalar& found, const Scalar& expected) {
    const double size = std::abs(valueOf(found - expected));
    if (!std::isfinite(size)) return;
    any_ = true;
    most_ = std::max(most_, size);
    largest_ = std::max(largest_, std::abs(valueOf(expected)));
  }
  void add(bool same) {
    any_ = true;
    largest_ = std::max(largest_, 1.0);
    most_ = std::max(most_, same ? 0.0 : 1.0);
  }
  std::optional<double> value() const {
    if (!any_) return std::nullopt;
    return most_ == 0 ? 0 : most_ / std::max(most_, largest_);
  }

 private:
  bool any_ = false;
  double most_ = 0, largest_;
};

template <class D>
std::optional<double> relativeOf(const Pair& pair, const stablehlo::Evaluation<D>& many,
                                 const stablehlo::Evaluation<D>& one) {
  Relative relative(std::is_same_v<D, Wide> ? 0x1p-64 : 0x1p-30);
  const auto count = static_cast<std::int64_t>(many.results.size());
  for (std::int64_t r = 0; r < count; ++r)
    many.results[static_cast<std::size_t>(r)][pair.replica].visit([&](const auto& found) {
      using T = std::decay_t<decltype(found)>;
      const auto expected =
          stablehlo::shardOf(std::get<T>(one.results[0][pair.global].variant()), pair.sharding, r, count);
      for (std::int64_t i = 0; i < found.cells(); ++i) {
        if constexpr (std::is_same_v<T, Tensor<std::int64_t>>) relative.add(found[i] == expected[i]);
        else if constexpr (std::is_same_v<T, Tensor<stablehlo::Bit<D>>>)
          relative.add(found[i].truth == expected[i].truth);
        else relative.add(found[i], expected[i]);
      }
    });
  return relative.value();
}

/// Draws the floats of an argument: mostly of a size that no exponential overflows at.
template <class D>
auto numberOf(const D& domain, Kind kind, const Pair& pair, std::uint64_t seed) {
  const bool ofData = kind == Kind::signedData || kind == Kind::large;
  const bool both = kind == Kind::allSigned || (ofData && !pair.sharding.isReplicated());
  constexpr std::uint64_t exponents = 33;
  const int exponent = kind == Kind::scaled  ? static_cast<int>(mix64(~seed, pair.global + 1) % exponents)
                       : kind == Kind::large ? -6
                                             : 0;
  return [&domain, both, exponent](std::uint64_t bits) {
    const double size = std::ldexp(static_cast<double>(bits % 3072 + 1024) / 65536, -exponent);
    return stablehlo::scalarOf(domain, both && (bits >> 32 & 1) != 0 ? -size : size);
  };
}

template <class D>
void measureIn(const D& domain, const Module& replica, const Module& global, const JudgeOptions& options,
               Judgement& judgement) {
  const Pairing& pairing = judgement.pairing;
  for (const Kind kind : {Kind::positive, Kind::signedData, Kind::allSigned, Kind::large, Kind::scaled}) {
    const std::uint64_t seed = mix64(options.seed, static_cast<std::uint64_t>(kind));
    Point<D> point = pointOf<D>(replica.entry(), global.entry(), pairing, options.pairing.replicas, seed,
                                [&](const Pair& pair) { return numberOf(domain, kind, pair, seed); });
    const auto one = stablehlo::evaluate(domain, global, std::move(point.global));
    const auto many = stablehlo::evaluate(domain, replica, std::move(point.replicas));
    bool large = false;
    for (Difference& difference : judgement.differences) {
      const auto isIt = [&](const Pair& pair) { return pair.name == difference.name; };
      const auto seen = relativeOf(*std::find_if(pairing.results.begin(), pairing.results.end(), isIt), many, one);
      if (seen) difference.relative = std::max(*seen, difference.relative.value_or(0));
      large = large || (seen && *seen > literalRounding);
    }
    if (large) return;
  }
}

}  // namespace

void measure(const Module& replica, const Module& global, const JudgeOptions& options, Judgement& judgement) {
  constexpr double affordable = 1e7;
  const double work = workOf(replica.entry()) * static_cast<double>(options.pairing.replicas) + workOf(global.entry());
  if (options.progress) options.progress("looking at the differences on random numbers");
  judgement.numbers = work <= affordable ? "wide" : "f64";
  if (work <= affordable) measureIn(Wide(options.bits), replica, global, options, judgement);
  else measureIn(F64(), replica, global, options, judgement);
}

}  // namespace shardlaw::programs
