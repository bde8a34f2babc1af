// Implements Option and Options with CLI11.
#include "tournaments/cli/options.h"

#include "results/report/report.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <system_error>
#include <utility>

namespace croupier::cli {

Option Option::required() const {
    option_->required();
    return *this;
}

Option Option::type_name(const std::string& name) const {
    option_->type_name(name);
    return *this;
}

Option Option::default_text(const std::string& text) const {
    option_->default_str(text);
    return *this;
}

Option Option::shows_default() const {
    option_->capture_default_str();
    return *this;
}

// CLI11's own checks would add their types to the help.
Option Option::one_of(std::vector<std::string> known) const {
    facts_->words = known;
    const auto check = [known = std::move(known)](std::string& word) {
        if (std::find(known.begin(), known.end(), word) != known.end()) return std::string();
        return fmt::format("'{}' is none of {}{}", word, fmt::join(known, ", "),
                           did_you_mean(word, known));
    };
    option_->check(CLI::Validator(check, ""));
    return *this;
}

Option Option::range(std::uint64_t from, std::uint64_t to) const {
    const auto check = [from, to](std::string& word) {
        std::uint64_t number = 0;
        const char* const end = word.data() + word.size();
        const auto [stop, error] = std::from_chars(word.data(), end, number);
        if (error == std::errc() && stop == end && number >= from && number <= to)
            return std::string();
        return fmt::format("'{}' is not a whole number from {} to {}", word, from, to);
    };
    option_->check(CLI::Validator(check, ""));
    return *this;
}

Option Option::needs(Option other) const {
    option_->needs(other.option_);
    return *this;
}

Option Option::excludes(Option other) const {
    option_->excludes(other.option_);
    return *this;
}

Option Option::separated_by(char separator) const {
    option_->delimiter(separator);
    facts_->separator = separator;
    return *this;
}

Option Option::one_value_each() const {
    option_->allow_extra_args(false);
    facts_->repeats = true;
    return *this;
}

Option Option::offers(Offers what) const {
    facts_->offers = what;
    return *this;
}

namespace {

// Replaces CLI11's UINT and FLOAT.
template <typename Value>
constexpr const char* kTypeName = "TEXT";
template <>
constexpr const char* kTypeName<std::int64_t> = "N";
template <>
constexpr const char* kTypeName<std::uint64_t> = "N";
template <>
constexpr const char* kTypeName<std::optional<std::uint32_t>> = "N";
template <>
constexpr const char* kTypeName<std::optional<std::uint64_t>> = "N";
template <>
constexpr const char* kTypeName<double> = "NUMBER";
template <>
constexpr const char* kTypeName<std::optional<double>> = "NUMBER";

} // namespace

template <typename Value>
Option Options::add(const std::string& name, Value& value, const std::string& text) {
    CLI::Option* const option = app_.add_option(name, value, text);
    OptionFacts& facts = facts_[option];
    facts.repeats = option->get_items_expected_max() > 1;
    return Option(option, facts).type_name(kTypeName<Value>);
}

template Option Options::add(const std::string&, std::string&, const std::string&);
template Option Options::add(const std::string&, std::vector<std::string>&, const std::string&);
template Option Options::add(const std::string&, std::int64_t&, const std::string&);
template Option Options::add(const std::string&, std::uint64_t&, const std::string&);
template Option Options::add(const std::string&, double&, const std::string&);
template Option Options::add(const std::string&, std::optional<std::string>&, const std::string&);
template Option Options::add(const std::string&, std::optional<std::uint32_t>&, const std::string&);
template Option Options::add(const std::string&, std::optional<std::uint64_t>&, const std::string&);
template Option Options::add(const std::string&, std::optional<double>&, const std::string&);

Option Options::add_flag(const std::string& name, bool& value, const std::string& text) {
    CLI::Option* const option = app_.add_flag(name, value, text);
    return {option, facts_[option]};
}

Option Options::add_json_flag(bool& json) {
    return add_flag("--json", json, "Print JSON for programs instead of text for people");
}

void add_form(Options& options, Form& form, std::vector<std::string> names) {
    const Option format = options.add("--format", form.format, "Form of the answer")
                              .one_of(std::move(names))
                              .type_name("FORM")
                              .shows_default();
    options.add_json_flag(form.json).excludes(format);
}

void add_report_form(Options& options, Form& form) {
    std::vector<std::string> names = results::format_names();
    std::erase(names, "json");
    add_form(options, form, std::move(names));
    const Option full = options.add_flag("--full", form.full, "Print every table");
    options.add_flag("--brief", form.brief, "Print only who won, and what it took").excludes(full);
}

} // namespace croupier::cli
