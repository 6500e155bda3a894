#include "interp/ir/attributes.h"

#include <stdexcept>

namespace shardlaw {
namespace {

template <class T>
const T& require(const Attributes& attributes, std::string_view name) {
  const Attribute* found = attributes.find(name);
  const T* value = found == nullptr ? nullptr : std::get_if<T>(found);
  if (value == nullptr) throw std::logic_error("no attribute '" + std::string(name) + "' of the type asked for");
  return *value;
}

}  // namespace

std::string toString(const Attribute& attribute) {
  if (const auto* n = std::get_if<std::int64_t>(&attribute)) return std::to_string(*n);
  if (const auto* q = std::get_if<Rational>(&attribute)) return toString(*q);
  return std::get<std::string>(attribute);
}

const Attribute* Attributes::find(std::string_view name) const {
  for (const auto& [key, value] : entries_)
    if (key == name) return &value;
  return nullptr;
}

void Attributes::set(std::string_view name, Attribute value) {
  for (auto& [key, old] : entries_) {
    if (key == name) {
      old = std::move(value);
      return;
    }
  }
  entries_.emplace_back(std::string(name), std::move(value));
}

std::int64_t Attributes::integer(std::string_view name) const { return require<std::int64_t>(*this, name); }
const Rational& Attributes::rational(std::string_view name) const { return require<Rational>(*this, name); }
const std::string& Attributes::keyword(std::string_view name) const { return require<std::string>(*this, name); }

}  // namespace shardlaw
