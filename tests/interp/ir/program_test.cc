// Program: look-up, liveness, size and text; Attributes.
#include "interp/ir/program.h"

#include <catch2/catch.hpp>
#include <limits>

#include "tests/interp/support.h"

namespace shardlaw::test {
namespace {

using Catch::Contains;

/// a → r = relu(a); s = add(r, r); d = sub(s, a); only s is a result. `unused` feeds nothing.
struct Chain {
  ValueId a, unused, r, s, d;
  Program program;
};
Chain chain() {
  Builder builder;
  Chain c;
  c.a = builder.batchedInput("a", {2, 3});
  c.unused = builder.sharedInput("unused", {4});
  c.r = builder.apply(nodes::relu, {c.a});
  c.s = builder.apply(nodes::add, {c.r, c.r});
  c.d = builder.apply(nodes::sub, {c.s, c.a});
  builder.result("total", c.s);
  c.program = std::move(builder).finish();
  return c;
}

TEST_CASE("a value lives to its last use, a result to the end") {
  const Chain c = chain();
  const auto last = c.program.lastUses();
  REQUIRE(last.size() == 5);
  const auto of = [&](ValueId id) { return last[static_cast<std::size_t>(id)]; };
  CHECK(of(c.a) == c.d);
  CHECK(of(c.unused) == -1);
  CHECK(of(c.r) == c.s);
  CHECK(of(c.s) == 5);
  CHECK(of(c.d) == -1);
}

TEST_CASE("find looks among results, then among values") {
  const Chain c = chain();
  CHECK(c.program.find("total") == c.s);
  CHECK(c.program.find("a") == c.a);
  CHECK(c.program.find(c.program.value(c.d).name) == c.d);
  CHECK_THAT(refusal([&] { c.program.find("absent"); }), Contains("no value named 'absent'"));
}

TEST_CASE("cells are counted over all values, without wrapping around") {
  CHECK(chain().program.cells() == 4 * 6 + 4);
  Builder builder;
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  for (const char* name : {"a", "b", "c"}) builder.sharedInput(name, {most});
  CHECK(builder.program().cells() == most);
}

TEST_CASE("text has a line per value and per result") {
  Builder builder;
  const ValueId x = builder.batchedInput("x", {2, 3});
  builder.result("y", builder.apply(nodes::scale, {x}, {number("by", "0.25")}));
  CHECK(builder.program().text() ==
        "x = input : [2,3] batched\nv0 = scale(x) by=0.25 : [2,3] batched\nresult y = v0\n");
}

TEST_CASE("attributes are found, replaced and typed") {
  Attributes attributes{integer("n", 3), number("q", "1/3"), word("w", "even")};
  CHECK(attributes.integer("n") == 3);
  CHECK(attributes.rational("q") == ratio(1, 3));
  CHECK(attributes.keyword("w") == "even");
  CHECK(attributes.find("absent") == nullptr);
  attributes.set("n", Attribute{std::int64_t{5}});
  CHECK(attributes.integer("n") == 5);
  CHECK(std::distance(attributes.begin(), attributes.end()) == 3);
  CHECK_THROWS_AS(attributes.integer("q"), std::logic_error);
  CHECK_THROWS_AS(attributes.keyword("absent"), std::logic_error);
  CHECK(toString(*attributes.find("q")) == "1/3");
  CHECK(toString(*attributes.find("w")) == "even");
}

}  // namespace
}  // namespace shardlaw::test
