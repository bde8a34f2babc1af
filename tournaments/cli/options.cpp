// Option and Options over CLI11; see options.h.
#include "tournaments/cli/options.h"

#include "engine/text/nearest.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace croupier::cli {

std::string did_you_mean(std::string_view word, std::span<const std::string> known) {
    const auto suggestion = engine::nearest(word, known);
    return suggestion ? fmt::format(" (did you mean '{}'?)", *suggestion) : std::string();
}

Option Option::required() const {
    return Option(option_->required());
}

Option Option::type_name(const std::string& name) const {
    return Option(option_->type_name(name));
}

Option Option::default_text(const std::string& text) const {
    return Option(option_->default_str(text));
}

Option Option::shows_default() const {
    return Option(option_->capture_default_str());
}

Option Option::one_of(std::vector<std::string> known) const {
    const auto check = [known = std::move(known)](std::string& word) {
        if (std::find(known.begin(), known.end(), word) != known.end()) return std::string();
        return fmt::format("'{}' is none of {}{}", word, fmt::join(known, ", "),
                           did_you_mean(word, known));
    };
    return Option(option_->check(CLI::Validator(check, "")));
}

Option Option::range(std::uint64_t from, std::uint64_t to) const {
    return Option(option_->check(CLI::Range(from, to)));
}

Option Option::needs(Option other) const {
    return Option(option_->needs(other.option_));
}

Option Option::excludes(Option other) const {
    return Option(option_->excludes(other.option_));
}

Option Option::separated_by(char separator) const {
    return Option(option_->delimiter(separator));
}

Option Option::one_value_each() const {
    return Option(option_->allow_extra_args(false));
}

template <typename Value>
Option Options::add(const std::string& name, Value& value, const std::string& text) {
    return Option(app_.add_option(name, value, text));
}

template Option Options::add(const std::string&, std::string&, const std::string&);
template Option Options::add(const std::string&, std::vector<std::string>&, const std::string&);
template Option Options::add(const std::string&, std::int64_t&, const std::string&);
template Option Options::add(const std::string&, std::uint64_t&, const std::string&);
template Option Options::add(const std::string&, double&, const std::string&);
template Option Options::add(const std::string&, std::optional<std::string>&, const std::string&);
template Option Options::add(const std::string&, std::optional<std::uint32_t>&, const std::string&);
template Option Options::add(const std::string&, std::optional<double>&, const std::string&);

Option Options::add_flag(const std::string& name, bool& value, const std::string& text) {
    return Option(app_.add_flag(name, value, text));
}

Option Options::add_json_flag(bool& json) {
    return add_flag("--json", json, "Print JSON for programs instead of text for people");
}

} // namespace croupier::cli
