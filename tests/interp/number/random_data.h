// Input data for random programs, at the scales where floats go wrong.
#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "tests/interp/number/random_program.h"

namespace shardlaw::test {

/// The values of one input; every one is exact in F, so that all domains start from the same numbers.
template <class F>
class DataDraw {
 public:
  explicit DataDraw(Draw& draw) : draw_(draw) {
    kind_ = draw_.below(7);
    exponent_ = draw_.oneIn(2) ? 0 : draw_.between(-20, 20);
  }

  double operator()(Content content, std::int64_t cell) {
    switch (content) {
      // One-hot over up to four classes, near enough: 0 and 1.
      case Content::label: return cell % 3 == 0 ? 1 : 0;
      case Content::positive: return std::abs(any());
      case Content::data: return any();
    }
    return 0;
  }

 private:
  double any() { return static_cast<double>(static_cast<F>(scaled())); }
  double scaled() {
    const double scale = std::pow(10.0, static_cast<double>(exponent_));
    switch (kind_) {
      case 0: return draw_.unit() * scale;
      // A large offset and a spread of a few units in its last place.
      case 1:
        return (1 +
                static_cast<double>(draw_.between(-9, 9)) * static_cast<double>(std::numeric_limits<F>::epsilon())) *
               scale;
      case 2: return (1 + 1e-3 * draw_.unit()) * scale;
      // Ties, and the kinks of relu and relu6.
      case 3: return static_cast<double>(draw_.of({-6, -2, -1, 0, 1, 2, 6, 7}));
      case 4: return draw_.oneIn(4) ? draw_.unit() * scale : 0;
      case 5:
        return static_cast<double>(draw_.between(-40, 40)) * static_cast<double>(std::numeric_limits<F>::denorm_min());
      // Ten orders of magnitude in one tensor.
      default: return draw_.unit() * std::pow(10.0, static_cast<double>(draw_.between(-5, 5)));
    }
  }

  Draw& draw_;
  std::int64_t kind_, exponent_;
};

/// [replica][input]; an input that all examples share is the same on every replica.
template <class F>
std::vector<std::vector<Tensor<double>>> randomInputs(const RandomProgram& random, Draw& draw) {
  std::vector<std::vector<Tensor<double>>> inputs(static_cast<std::size_t>(random.replicas));
  for (std::size_t i = 0; i < random.contents.size(); ++i) {
    const Type& type = random.program.value(random.program.inputs()[i]).type;
    // Most programs keep to ordinary numbers in most places, or everything would overflow.
    DataDraw<F> data(draw);
    for (std::size_t r = 0; r < inputs.size(); ++r) {
      Tensor<double> tensor(type.shape);
      for (std::int64_t k = 0; k < tensor.cells(); ++k) tensor[k] = data(random.contents[i], k);
      inputs[r].push_back(r > 0 && !type.batched ? inputs[0][i] : std::move(tensor));
    }
  }
  return inputs;
}

/// The same inputs as another domain's scalars.
template <class S, class F>
std::vector<std::vector<Tensor<S>>> inputsAs(const std::vector<std::vector<Tensor<double>>>& inputs, const F& f) {
  std::vector<std::vector<Tensor<S>>> converted(inputs.size());
  for (std::size_t r = 0; r < inputs.size(); ++r)
    for (const Tensor<double>& tensor : inputs[r]) {
      Tensor<S> cells(tensor.shape());
      for (std::int64_t k = 0; k < tensor.cells(); ++k) cells[k] = f(tensor[k]);
      converted[r].push_back(std::move(cells));
    }
  return converted;
}

}  // namespace shardlaw::test
