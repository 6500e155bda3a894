#include "interp/stablehlo/attributes.h"

#include <algorithm>
#include <stdexcept>

namespace shardlaw::stablehlo {
namespace {

template <class T>
const T& as(std::string_view name, const Attribute& attribute) {
  const T* value = std::get_if<T>(&attribute);
  if (value == nullptr) throw std::logic_error("the attribute " + std::string(name) + " is of another type");
  return *value;
}

template <class T>
const T& required(const Attributes& attributes, std::string_view name) {
  const Attribute* found = attributes.find(name);
  if (found == nullptr) throw std::logic_error("the required attribute " + std::string(name) + " is left out");
  return as<T>(name, *found);
}

template <class T>
T optional(const Attributes& attributes, std::string_view name, T otherwise) {
  const Attribute* found = attributes.find(name);
  return found == nullptr ? std::move(otherwise) : as<T>(name, *found);
}

}  // namespace

const Attribute* Attributes::find(std::string_view name) const {
  for (const auto& [key, value] : entries_)
    if (key == name) return &value;
  return nullptr;
}

void Attributes::set(std::string_view name, Attribute value) {
  const auto at = std::lower_bound(entries_.begin(), entries_.end(), name,
                                   [](const auto& entry, std::string_view key) { return entry.first < key; });
  if (at != entries_.end() && at->first == name) at->second = std::move(value);
  else entries_.emplace(at, std::string(name), std::move(value));
}

std::int64_t Attributes::integer(std::string_view name, std::int64_t otherwise) const {
  return optional<std::int64_t>(*this, name, otherwise);
}

std::string Attributes::keyword(std::string_view name, std::string_view otherwise) const {
  return optional<std::string>(*this, name, std::string(otherwise));
}

std::vector<std::int64_t> Attributes::integers(std::string_view name, std::vector<std::int64_t> otherwise) const {
  return optional<std::vector<std::int64_t>>(*this, name, std::move(otherwise));
}

Matrix Attributes::matrix(std::string_view name, Matrix otherwise) const {
  return optional<Matrix>(*this, name, std::move(otherwise));
}

std::int64_t Attributes::integer(std::string_view name) const { return required<std::int64_t>(*this, name); }

const Rational& Attributes::rational(std::string_view name) const { return required<Rational>(*this, name); }

const Literal& Attributes::literal(std::string_view name) const { return required<Literal>(*this, name); }

}  // namespace shardlaw::stablehlo
