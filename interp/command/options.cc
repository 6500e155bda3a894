#include "interp/command/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "interp/names.h"

namespace shardlaw::command {

Options::Options(const About& about) : about_(about), app_(about.summary, about.name) {
  app_.footer(about.examples);
  app_.allow_extras();
  app_.set_version_flag("--version", version, "Print the version and exit");
}

void Options::text(const std::string& option, const std::string& meaning, const std::string& type) {
  app_.add_option(option, texts_[option], meaning)
      ->type_name(type)
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false);
}

void Options::argument(const std::string& name, const std::string& meaning) {
  app_.add_option(name, texts_[name], meaning)->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void Options::flag(const std::string& option, bool& value, const std::string& meaning) {
  app_.add_flag(option, value, meaning);
}

std::optional<std::string> Options::parse(int argc, const char* const* argv, const std::string& hint) {
  const std::string help = fmt::format("({} --help shows the options)", about_.name);
  app_.add_flag("--man", man_, "Print the manual page and exit");
  try {
    app_.parse(argc, argv);
  } catch (const CLI::CallForVersion&) {
    return fmt::format("{} (shardlaw) {}\n", about_.name, version);
  } catch (const CLI::CallForHelp&) {
    return app_.help();
  } catch (const CLI::ArgumentMismatch& error) {
    const std::string message = error.what();
    throw Error(message.substr(0, message.find(':')) + ": expected a value " + help);
  } catch (const CLI::ParseError& error) {
    throw Error(fmt::format("{} {}", error.what(), help));
  }
  if (man_) return manualPage();
  if (!app_.remaining().empty()) refuseArgument(hint);
  return std::nullopt;
}

std::optional<std::string> Options::only(const std::string& option) const {
  const auto& texts = texts_.at(option);
  for (const std::string& text : texts) {
    if (text.empty()) throw Error(option + ": expected a value, found ''");
    if (text != texts.front())
      throw Error(fmt::format("{} is given twice, as '{}' and '{}'", option, excerpt(texts.front()), excerpt(text)));
  }
  if (texts.empty()) return std::nullopt;
  return texts.front();
}

std::string Options::required(const std::string& option, const std::string& what) const {
  if (const auto found = only(option)) return *found;
  throw Error(fmt::format("{}? give {} ({} --help shows the options)", what, option, about_.name));
}

std::vector<std::string> Options::each(const std::string& option, bool commas) const {
  std::vector<std::string> values;
  for (const std::string& text : texts_.at(option)) {
    std::string_view rest = text;
    for (bool more = true; more;) {
      const auto comma = commas ? rest.find(',') : std::string_view::npos;
      more = comma != std::string_view::npos;
      const std::string value(rest.substr(0, comma));
      if (value.empty()) throw Error(fmt::format("{}: expected a name, found '{}'", option, excerpt(text)));
      if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
      if (more) rest.remove_prefix(comma + 1);
    }
  }
  return values;
}

std::vector<std::string> Options::list(const std::string& option) const {
  std::vector<std::string> parts;
  const auto found = only(option);
  if (!found) return parts;
  std::size_t first = 0;
  for (std::size_t comma = 0; comma != std::string::npos; first = comma + 1) {
    comma = found->find(',', first);
    parts.push_back(found->substr(first, comma == std::string::npos ? comma : comma - first));
  }
  return parts;
}

double Options::decimal(const std::string& option, double low, double high, double otherwise) const {
  const auto found = only(option);
  if (!found) return otherwise;
  double value{};
  const auto [end, status] = std::from_chars(found->data(), found->data() + found->size(), value);
  const bool number = status == std::errc() && end == found->data() + found->size() && std::isfinite(value);
  if (!number || value < low || value > high)
    throw Error(fmt::format("{}: expected a number from {} to {}, found '{}'", option, low, high, excerpt(*found)));
  return value;
}

void Options::requireNone(const std::string& with, const std::string& why,
                          const std::vector<std::string>& options) const {
  for (const std::string& option : options)
    if (has(option)) throw Error(fmt::format("{}: {}; {} has no place beside it", with, why, option));
}

/// For the first argument that is no option and no option's value.
void Options::refuseArgument(const std::string& hint) const {
  const std::vector<std::string> arguments = app_.remaining();
  const auto looksLikeOption = [](const std::string& text) { return text.starts_with('-'); };
  const auto option = std::find_if(arguments.begin(), arguments.end(), looksLikeOption);
  if (option == arguments.end())
    throw Error(fmt::format("unexpected argument '{}'; {} ({} --help shows the options)", excerpt(arguments.front()),
                            hint, about_.name));
  std::string nearest;
  for (const CLI::Option* known : app_.get_options()) {
    const std::string name = known->get_name(false, false);
    if (nearest.empty() || editDistance(*option, name) < editDistance(*option, nearest)) nearest = name;
  }
  throw Error(fmt::format("no option is named '{}'; did you mean {}? ({} --help shows the options)", excerpt(*option),
                          nearest, about_.name));
}

namespace {

/// In roff a hyphen may be broken at and a leading dot is a command.
std::string roff(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '-') escaped += "\\-";
    else if (c == '\\') escaped += "\\e";
    else escaped += c;
  }
  return escaped;
}

}  // namespace

/// The manual page, from the same declarations as --help.
std::string Options::manualPage() const {
  std::string page = about_.name;
  std::replace(page.begin(), page.end(), ' ', '-');
  std::string upper = page;
  for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  std::string text = fmt::format(".TH {} 1 \"\" \"shardlaw {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n", roff(upper),
                                 version, roff(page), roff(about_.title));
  text += fmt::format(".SH SYNOPSIS\n.B {}\n{}\n.SH DESCRIPTION\n", roff(about_.name), roff(about_.synopsis)) +
          roff(about_.summary) + "\n.SH OPTIONS\n";
  for (const CLI::Option* option : app_.get_options()) {
    text += ".TP\n.B " + roff(option->get_name(false, true));
    if (option->get_items_expected() > 0) text += " " + roff(option->get_type_name());
    text += "\n" + roff(option->get_description()) + "\n";
  }
  return text + ".SH EXAMPLES\n.nf\n" + roff(about_.examples) + "\n.fi\n";
}

}  // namespace shardlaw::command
