// Programs with their results, as data: tests/interp/stablehlo/cases/*.mlir.
//
// A file holds cases, parted by lines "// -----". Each is a program behind lines that say what it should do:
//   // RUN native exact    the domains to evaluate it in; "all" is every one
//   // IN 0 [[1, 2]]       argument 0, as it stands between the brackets of dense<…>; of all replicas
//   // IN 0@1 [[1, 2]]     argument 0 of replica 1
//   // OUT 0 [3]           result 0, of all replicas; "OUT 0@1" of replica 1. "OUT 0 ~ [3]": near it, where rounded
//   // ERROR text          it is refused in every domain, and the text is part of what is said
// In bounded domains a result has to lie within its bound of what is expected; in "shared degree" it has to be
// evaluated.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "interp/stablehlo/evaluate.h"
#include "interp/stablehlo/operation/truth.h"
#include "interp/stablehlo/reader.h"

namespace shardlaw::stablehlo {
namespace {

struct Given {
  bool near = false;
  std::string value;
};

struct Case {
  std::string name, domains, error, text;
  std::map<std::pair<std::size_t, int>, Given> in, out;  ///< by number and replica; −1 for all
  int replicas = 1;
};

/// "0@1 ~ [3]" → number, replica, near, value.
void addGiven(Case& test, std::map<std::pair<std::size_t, int>, Given>& to, std::istringstream& line) {
  std::string place, value;
  line >> place;
  std::getline(line, value);
  const std::size_t at = place.find('@');
  const int replica = at == std::string::npos ? -1 : std::stoi(place.substr(at + 1));
  test.replicas = std::max(test.replicas, replica + 1);
  const std::size_t mark = value.find('~');
  to[{std::stoul(place), replica}] = {mark != std::string::npos,
                                      mark == std::string::npos ? value : value.substr(mark + 1)};
}

std::vector<Case> casesOf(const std::filesystem::path& path) {
  std::vector<Case> cases(1);
  std::ifstream file(path);
  for (std::string text; std::getline(file, text);) {
    Case& test = cases.back();
    test.name = path.stem().string() + " " + std::to_string(cases.size());
    if (text.starts_with("// -----")) {
      cases.emplace_back();
      continue;
    }
    std::istringstream line(text);
    std::string slashes, word;
    line >> slashes >> word;
    if (slashes != "//") word.clear();
    if (word == "RUN") std::getline(line >> std::ws, test.domains);
    else if (word == "ERROR") std::getline(line >> std::ws, test.error);
    else if (word == "IN") addGiven(test, test.in, line);
    else if (word == "OUT") addGiven(test, test.out, line);
    test.text += text + "\n";
  }
  return cases;
}

const Given* find(const std::map<std::pair<std::size_t, int>, Given>& all, std::size_t i, int replica) {
  const auto own = all.find({i, replica}), common = all.find({i, -1});
  return own != all.end() ? &own->second : common != all.end() ? &common->second : nullptr;
}

/// The cells that "dense<value>" means.
template <class D>
Cells<D> cellsOf(const D& domain, const std::string& value, const TensorType& type) {
  const std::string text = "func.func @main() -> " + toString(type) + " {\n  %0 = stablehlo.constant dense<" + value +
                           "> : " + toString(type) + "\n  func.return %0 : " + toString(type) + "\n}\n";
  return evaluate<D>(domain, parseModule(text, "value"), {{}}).results[0][0];
}

template <class D>
bool agrees(const typename D::Scalar& found, const typename D::Scalar& expected, bool near) {
  const auto close = [](double a, double b) {
    return a == b || (std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= 1e-5 * std::max(1.0, std::abs(b));
  };
  if constexpr (isDegree<D>) return true;
  else if constexpr (isIeee<D>) {
    if (near) return close(static_cast<double>(found), static_cast<double>(expected));
    return (found == expected && std::signbit(found) == std::signbit(expected)) ||
           (found != found && expected != expected);
  } else if constexpr (isBounded<D>) {
    if (std::isnan(found.value) || std::isinf(found.value))
      return close(static_cast<double>(found.value), static_cast<double>(expected.value));
    const double error = std::abs(static_cast<double>(found.value) - static_cast<double>(expected.value));
    return error <= found.bound + expected.bound ||
           (near && close(static_cast<double>(found.value), static_cast<double>(expected.value)));
  } else if constexpr (isWide<D>) {
    return found == expected || (found.isNaN() && expected.isNaN()) ||
           (near && close(found.toDouble(), expected.toDouble()));
  } else {
    return found == expected;
  }
}

/// The positions where results differ from what is expected.
template <class D>
std::vector<std::int64_t> differences(const Cells<D>& found, const Cells<D>& expected, bool near) {
  std::vector<std::int64_t> at;
  found.visit([&](const auto& cells) {
    using T = std::decay_t<decltype(cells)>;
    const T& others = std::get<T>(expected.variant());
    for (std::int64_t i = 0; i < cells.cells(); ++i) {
      bool same = false;
      if constexpr (std::is_same_v<T, Tensor<std::int64_t>>) same = cells[i] == others[i];
      else if constexpr (std::is_same_v<T, Tensor<Bit<D>>>)
        same = isDegree<D> || certainly<D>(cells[i].truth, "a result") == certainly<D>(others[i].truth, "a result");
      else same = agrees<D>(cells[i], others[i], near);
      if (!same) at.push_back(i);
    }
  });
  return at;
}

template <class D>
void run(const D& domain, const Case& test) {
  const Module module = parseModule(test.text, test.name);
  const Function& entry = module.entry();
  std::vector<std::vector<Cells<D>>> arguments(static_cast<std::size_t>(test.replicas));
  for (int replica = 0; replica < test.replicas; ++replica)
    for (std::size_t i = 0; i < entry.body.arguments.size(); ++i) {
      const Given* given = find(test.in, i, replica);
      if (given == nullptr) throw std::logic_error("no argument " + std::to_string(i));
      arguments[static_cast<std::size_t>(replica)].push_back(
          cellsOf(domain, given->value, entry.type(entry.body.arguments[i])));
    }
  const Evaluation<D> evaluation = evaluate<D>(domain, module, std::move(arguments));
  for (int replica = 0; replica < test.replicas; ++replica)
    for (std::size_t i = 0; i < entry.body.results.size(); ++i) {
      const Given* given = find(test.out, i, replica);
      INFO("result " << i << " of replica " << replica << " in " << D::name);
      REQUIRE(given != nullptr);
      const auto& found = evaluation.results[static_cast<std::size_t>(replica)][i];
      const auto expected = cellsOf(domain, given->value, entry.type(entry.body.results[i]));
      CHECK(differences<D>(found, expected, given->near) == std::vector<std::int64_t>{});
    }
}

template <class D>
void runOrRefuse(const D& domain, const Case& test) {
  if (test.error.empty()) {
    CHECK_NOTHROW(run(domain, test));
    return;
  }
  INFO("in " << D::name);
  try {
    run(domain, test);
    FAIL_CHECK("expected a refusal");
  } catch (const Error& error) {
    CHECK_THAT(error.what(), Catch::Contains(test.error));
  }
}

bool isNamed(const std::string& domains, const std::string& name) {
  std::istringstream words(domains);
  for (std::string word; words >> word;)
    if (word == name || word == "all") return true;
  return false;
}

TEST_CASE("StableHLO programs give the results beside them") {
  const std::filesystem::path folder = std::filesystem::path(__FILE__).parent_path() / "cases";
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  REQUIRE_FALSE(paths.empty());
  for (const auto& path : paths)
    for (const Case& test : casesOf(path)) DYNAMIC_SECTION(test.name) {
        REQUIRE_FALSE(test.domains.empty());
        if (isNamed(test.domains, "native")) runOrRefuse(Native(), test);
        if (isNamed(test.domains, "f64")) runOrRefuse(F64(), test);
        if (isNamed(test.domains, "f32")) runOrRefuse(F32(), test);
        if (isNamed(test.domains, "wide")) runOrRefuse(Wide(), test);
        if (isNamed(test.domains, "exact")) runOrRefuse(Exact(7), test);
        if (isNamed(test.domains, "bounded")) runOrRefuse(Bounded64(), test);
        if (isNamed(test.domains, "bounded")) runOrRefuse(Bounded32(), test);
        if (isNamed(test.domains, "degree")) runOrRefuse(SharedDegree(), test);
      }
}

}  // namespace
}  // namespace shardlaw::stablehlo
