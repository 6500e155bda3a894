// Products cut into tiles: against plain loops, at every size of a tail, on every instruction set.
#include "interp/kernel/contraction.h"

#include <catch2/catch.hpp>

#include "tests/interp/kernel/kernels.h"

namespace shardlaw::test {
namespace {

using kernel::Contraction;
using kernel::Isa;

TEST_CASE("the instruction set can be limited, and never exceeds the CPU's") {
  const Machine restore;
  for (const Isa isa : kernel::allIsas) {
    kernel::limitIsa(isa);
    CHECK(kernel::isa() == std::min(isa, kernel::bestIsa()));
  }
}

/// out[m, l] = start + Σ_k a[m, k]·b[k, l], k ascending.
template <class S>
S plain(const std::vector<S>& a, const std::vector<S>& b, S start, std::size_t terms, std::size_t room, std::size_t m,
        std::size_t l) {
  for (std::size_t k = 0; k < terms; ++k) {
    if constexpr (std::is_floating_point_v<S>) start = start + b[k * room + l] * a[m * terms + k];
    else
      start =
          (Field::fromUnsigned(start) + Field::fromUnsigned(a[m * terms + k]) * Field::fromUnsigned(b[k * room + l]))
              .residue();
  }
  return start;
}

template <class S>
S draw(Random& random) {
  if constexpr (std::is_floating_point_v<S>) return static_cast<S>(random.real());
  else return random.field().residue();
}

template <class S>
std::string wrongCell(Random& random, std::size_t rows, std::size_t terms, std::size_t lanes) {
  const auto room = static_cast<std::size_t>(kernel::roundedUp<S>(static_cast<std::int64_t>(lanes)));
  std::vector<S> a(rows * terms), b(terms * room), out(rows * room);
  std::vector<std::int64_t> row, step, read;
  for (S& cell : a) cell = draw<S>(random);
  for (S& cell : b) cell = draw<S>(random);
  for (S& cell : out) cell = draw<S>(random);
  for (std::size_t m = 0; m < rows; ++m) row.push_back(static_cast<std::int64_t>(m * terms));
  for (std::size_t k = 0; k < terms; ++k) {
    step.push_back(static_cast<std::int64_t>(k));
    read.push_back(static_cast<std::int64_t>(k * room));
  }
  const std::vector<S> start = out;
  kernel::contract(Contraction<S>{a.data(), row, step, b.data(), read, static_cast<std::int64_t>(lanes), out.data(),
                                  static_cast<std::int64_t>(room)});
  for (std::size_t m = 0; m < rows; ++m)
    for (std::size_t l = 0; l < lanes; ++l)
      if (out[m * room + l] != plain(a, b, start[m * room + l], terms, room, m, l))
        return std::to_string(m) + ", " + std::to_string(l) + " of " + std::to_string(rows) + " × " +
               std::to_string(terms) + " × " + std::to_string(lanes);
  return "";
}

TEST_CASE("every number of rows, terms and lanes, on every instruction set") {
  const Machine restore;
  Random random(911);
  for (const Isa isa : isasHere()) {
    kernel::limitIsa(isa);
    INFO("set " << static_cast<int>(isa));
    for (std::size_t rows = 0; rows <= 17; ++rows)
      for (const std::size_t lanes : {1U, 2U, 3U, 4U, 7U, 8U, 9U, 15U, 16U, 17U, 24U, 25U, 33U, 48U, 49U, 65U}) {
        const std::size_t terms = rows == 5 && lanes == 9 ? 4200 : rows == 11 ? 513 : lanes % 7;
        REQUIRE(wrongCell<double>(random, rows, terms, lanes) == "");
        REQUIRE(wrongCell<float>(random, rows, terms, lanes) == "");
        REQUIRE(wrongCell<std::uint64_t>(random, rows, terms, lanes) == "");
      }
  }
}

TEST_CASE("sums over rows of field elements, and their combinations, at every tail") {
  const Machine restore;
  Random random(912);
  for (const Isa isa : isasHere()) {
    kernel::limitIsa(isa);
    for (const std::int64_t count : {0, 1, 7, 8, 9, 31, 4095, 4096, 32760, 32761, 40000}) {
      INFO("set " << static_cast<int>(isa) << ", count " << count);
      std::vector<std::uint64_t> x(static_cast<std::size_t>(count)), y(x.size()), out(x.size());
      FieldSum xs, ys, xx, xy;
      const Field start = random.field();
      std::uint64_t sums[4] = {start.residue(), start.residue(), start.residue(), start.residue()};
      for (FieldSum* sum : {&xs, &ys, &xx, &xy}) sum->add(start);
      const Field a = random.field(), b = random.field(), c = random.field();
      std::vector<std::uint64_t> expected;
      for (std::size_t i = 0; i < x.size(); ++i) {
        const Field u = random.chance(10) ? Field::fromSigned(-1) : random.field(), v = random.field();
        x[i] = u.residue();
        y[i] = v.residue();
        xs.add(u);
        ys.add(v);
        xx.addProduct(u, u);
        xy.addProduct(u, v);
        expected.push_back((a * u + b * v + c).residue());
      }
      CHECK(kernel::fieldRows().addSums(x.data(), y.data(), count, sums) >> 52 == 0);
      CHECK(sums[0] == xs.total().residue());
      CHECK(sums[1] == ys.total().residue());
      CHECK(sums[2] == xx.total().residue());
      CHECK(sums[3] == xy.total().residue());
      kernel::fieldRows().combine(a.residue(), x.data(), b.residue(), y.data(), c.residue(), count, out.data());
      CHECK(out == expected);
      if (count == 0) continue;
      // Wherever it stands, lowest() is seen.
      y[static_cast<std::size_t>(random.between(0, count - 1))] = Field::lowest().residue();
      CHECK(kernel::fieldRows().addSums(x.data(), y.data(), count, sums) >> 52 != 0);
    }
  }
}

}  // namespace
}  // namespace shardlaw::test
