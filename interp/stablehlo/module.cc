#include "interp/stablehlo/module.h"

#include "interp/error.h"

namespace shardlaw::stablehlo {
namespace {

bool sameTypes(const Function& f, const std::vector<ValueId>& a, const Function& g, const std::vector<ValueId>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (f.type(a[i]) != g.type(b[i])) return false;
  return true;
}

bool sameRegion(const Function& f, const Region& a, const Function& g, const Region& b) {
  if (a.arguments != b.arguments || a.results != b.results || a.operations.size() != b.operations.size()) return false;
  if (!sameTypes(f, a.arguments, g, b.arguments)) return false;
  for (std::size_t i = 0; i < a.operations.size(); ++i) {
    const Operation &p = a.operations[i], &q = b.operations[i];
    if (p.info != q.info || p.operands != q.operands || p.results != q.results || p.attributes != q.attributes ||
        p.regions.size() != q.regions.size() || !sameTypes(f, p.results, g, q.results))
      return false;
    for (std::size_t k = 0; k < p.regions.size(); ++k)
      if (!sameRegion(f, p.regions[k], g, q.regions[k])) return false;
  }
  return true;
}

}  // namespace

const Function* Module::find(std::string_view function) const {
  for (const Function& f : functions)
    if (f.name == function) return &f;
  return nullptr;
}

const Function& Module::entry() const {
  if (const Function* main = find("main")) return *main;
  const Function* only = nullptr;
  for (const Function& f : functions) {
    if (!f.isPublic) continue;
    if (only != nullptr)
      throw Error(Location{file, 0, 0, {}}, "expected a function @main, or one public function, found '@" +
                                                excerpt(only->name) + "' and '@" + excerpt(f.name) + "'");
    only = &f;
  }
  if (only == nullptr) throw Error(Location{file, 0, 0, {}}, "expected a function @main, found no public function");
  return *only;
}

bool sameProgram(const Module& a, const Module& b) {
  if (a.replicas != b.replicas || a.partitions != b.partitions || a.functions.size() != b.functions.size())
    return false;
  for (std::size_t i = 0; i < a.functions.size(); ++i) {
    const Function &f = a.functions[i], &g = b.functions[i];
    if (f.name != g.name || f.isPublic != g.isPublic || f.resultNames != g.resultNames ||
        !sameRegion(f, f.body, g, g.body))
      return false;
  }
  return true;
}

}  // namespace shardlaw::stablehlo
