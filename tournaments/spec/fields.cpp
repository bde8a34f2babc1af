// Wording of what does not fit.
#include "tournaments/spec/fields.h"

#include "games/registry.h"
#include "tournaments/spec/codes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace croupier::tournaments {
namespace {

using engine::Document;

std::optional<double> as_number(const Document& value) {
    if (value.kind != engine::DocumentKind::Scalar) return std::nullopt;
    if (const auto* whole = std::get_if<std::int64_t>(&value.scalar))
        return static_cast<double>(*whole);
    if (const auto* real = std::get_if<double>(&value.scalar)) return *real;
    return std::nullopt;
}

std::string hint_for(std::string_view word, const std::vector<std::string>& known) {
    if (const auto meant = engine::nearest(word, known))
        return fmt::format("did you mean '{}'?", *meant);
    return fmt::format("there are {}", fmt::join(known, ", "));
}

} // namespace

void Fields::only_keys(const Document& object, const std::vector<std::string>& known) {
    for (const engine::Member& member : object.members) {
        if (std::find(known.begin(), known.end(), member.key) != known.end()) continue;
        error(code::kUnknownKey, member.key_span, fmt::format("there is no key '{}'", member.key),
              hint_for(member.key, known));
    }
}

std::optional<std::string> Fields::text(const Document& value) {
    if (value.is_string()) return value.text();
    error(code::kForm, value.span, "a text was expected");
    return std::nullopt;
}

std::optional<std::size_t> Fields::word(const Document& value,
                                        const std::vector<std::string>& words) {
    const auto found = text(value);
    if (!found) return std::nullopt;
    const auto at = std::find(words.begin(), words.end(), *found);
    if (at != words.end()) return static_cast<std::size_t>(at - words.begin());
    error(code::kUnknownWord, value.span,
          fmt::format("'{}' is none of {}", *found, fmt::join(words, ", ")),
          engine::nearest(*found, words) ? hint_for(*found, words) : std::string());
    return std::nullopt;
}

std::optional<std::uint64_t> Fields::whole(const Document& value) {
    constexpr double kExact = 9007199254740992.0; // beyond, doubles leave numbers out
    if (value.kind == engine::DocumentKind::Scalar) {
        const auto* whole = std::get_if<std::int64_t>(&value.scalar);
        if (whole != nullptr && *whole >= 0) return static_cast<std::uint64_t>(*whole);
        const auto* real = std::get_if<double>(&value.scalar);
        if (real != nullptr && *real >= 0 && *real <= kExact && std::floor(*real) == *real)
            return static_cast<std::uint64_t>(*real);
    }
    error(code::kNumber, value.span, "a whole number was expected, 0 or more");
    return std::nullopt;
}

std::optional<std::uint64_t> Fields::count(const Document& value, std::uint64_t most) {
    const auto number = whole(value);
    if (!number || (*number >= 1 && *number <= most)) return number;
    error(code::kNumber, value.span, fmt::format("{} is not between 1 and {}", *number, most));
    return std::nullopt;
}

std::optional<double> Fields::number(const Document& value, double low, double high,
                                     std::string_view what) {
    const auto number = as_number(value);
    if (number && *number > low && *number < high) return number;
    error(code::kNumber, value.span, fmt::format("{} was expected", what));
    return std::nullopt;
}

void SprtFields::read(std::string_view name, const Document& value) {
    if (name == "model") {
        const auto word = fields_.word(value, {"normalized", "logistic"});
        good_ = good_ && word;
        if (word)
            bounds_.model =
                *word == 0 ? results::EloModel::Normalized : results::EloModel::Logistic;
        return;
    }
    const bool elo = name == "elo0" || name == "elo1";
    const auto number =
        elo ? fields_.number(value, -10000, 10000, fmt::format("a number of Elo points ({})", name))
            : fields_.number(value, 0, 0.5,
                             fmt::format("an error rate between 0 and 0.5 ({})", name));
    good_ = good_ && number;
    if (!number) return;
    if (name == "elo0") {
        bounds_.elo0 = *number;
        has_elo0_ = true;
    } else if (name == "elo1") {
        bounds_.elo1 = *number;
        has_elo1_ = true;
    } else {
        (name == "alpha" ? bounds_.alpha : bounds_.beta) = *number;
    }
}

void SprtFields::read_list(const Document& text, std::span<const std::string_view> names) {
    std::string_view rest = text.text();
    for (std::size_t part = 0;; ++part) {
        const std::string_view word = rest.substr(0, rest.find(','));
        if (part == names.size()) {
            fields_.error(code::kStopRule, text.span,
                          fmt::format("'{}' is one too many: {}", word, fmt::join(names, ",")));
            good_ = false;
            return;
        }
        Document value;
        value.span = text.span;
        value.scalar = games::parse_option_value(word);
        read(names[part], value);
        if (word.size() == rest.size()) return;
        rest.remove_prefix(word.size() + 1);
    }
}

std::optional<results::SprtBounds> SprtFields::finish(engine::Span place) {
    if (!good_) return std::nullopt;
    if (!has_elo0_ || !has_elo1_ || bounds_.elo0 >= bounds_.elo1) {
        fields_.error(code::kStopRule, place,
                      "a sequential test takes two hypotheses, elo0 below elo1",
                      "as in 0,5: is it no better, or is it better by 5 Elo?");
        return std::nullopt;
    }
    return bounds_;
}

} // namespace croupier::tournaments
