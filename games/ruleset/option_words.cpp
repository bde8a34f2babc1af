// Reads words by the defaults of the options and by `option_values`.
#include "games/ruleset/option_words.h"

#include "games/registry.h"
#include "games/ruleset/codes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

namespace croupier::games {
namespace {

using engine::Document;
using engine::Member;
using engine::Scalar;

std::string_view kind_of(const Scalar& scalar) {
    constexpr std::array<std::string_view, 5> kNames = {"null", "true or false", "an integer",
                                                        "a number", "a text"};
    return kNames[scalar.index()];
}

// What `option_values` says of the option; null: nothing.
const Document* declared_values(const engine::Ruleset& ruleset, const std::string& option) {
    for (const Member& member : ruleset.rest) {
        if (member.key != "option_values" || !member.value.is_object()) continue;
        const Member* values = member.value.find(option);
        if (values != nullptr) return &values->value;
    }
    return nullptr;
}

// The value as the option takes it, by what it may be and by its default, or nothing if it does
// not: the words of the command line do not tell a number from a text.
std::optional<Scalar> fitted(const Scalar& value, const Scalar& known, const Document* declared) {
    if (declared != nullptr && declared->is_array()) {
        for (const Member& element : declared->members) {
            if (element.value.kind == engine::DocumentKind::Scalar &&
                text_of(element.value.scalar) == text_of(value))
                return element.value.scalar;
        }
    }
    if (std::holds_alternative<std::string>(known)) return text_of(value);
    const bool any = std::holds_alternative<std::monostate>(known);
    if (any || value.index() == known.index()) return value;
    Scalar read = value;
    if (const auto* word = std::get_if<std::string>(&value)) read = parse_option_value(*word);
    if (read.index() == known.index()) return read;
    const auto* integer = std::get_if<std::int64_t>(&read);
    if (std::holds_alternative<double>(known) && integer != nullptr)
        return static_cast<double>(*integer);
    return std::nullopt;
}

struct Misfit {
    std::size_t option; // of the settings
    std::string problem;
};

// What does not fit gets the default instead: one mistake is said once.
std::vector<Misfit> fit_options(engine::LoadSettings& settings, const engine::Ruleset& defaults) {
    std::vector<Misfit> misfits;
    for (std::size_t i = 0; i < settings.options.size(); ++i) {
        auto& [name, value] = settings.options[i];
        settings.words.push_back(name + "=" + text_of(value));
        for (const engine::Option& option : defaults.options) {
            if (option.name != name) continue;
            const Scalar& known = option.value.scalar;
            auto taken = fitted(value, known, declared_values(defaults, name));
            if (!taken) {
                misfits.push_back({i, fmt::format("the option {} holds {}, not {}", name,
                                                  kind_of(known), engine::scalar_json(value))});
            }
            value = taken ? *taken : known;
        }
    }
    return misfits;
}

// Whether the words stand there already: they come after all files.
bool are_shown(const engine::LoadSettings& settings, const engine::Sources& sources) {
    return sources.size() > 0 &&
           sources.name(static_cast<std::uint32_t>(sources.size()) - 1) == settings.words_from;
}

} // namespace

std::string text_of(const Scalar& value) {
    const auto* text = std::get_if<std::string>(&value);
    return text != nullptr ? *text : engine::scalar_json(value);
}

engine::Loaded load_with_options(std::span<const std::string> paths, const engine::FileOpener& open,
                                 engine::LoadSettings& settings) {
    const auto options = std::move(settings.options);
    settings.options.clear();
    engine::Loaded loaded = engine::load_ruleset(paths, open, settings);
    if (!loaded.ruleset || options.empty()) return loaded;
    settings.options = options;
    const std::vector<Misfit> misfits = fit_options(settings, *loaded.ruleset);
    loaded = engine::load_ruleset(paths, open, settings);
    const auto files = static_cast<std::uint32_t>(loaded.sources.size());
    const std::uint32_t source = are_shown(settings, loaded.sources) ? files - 1 : files;
    for (const Misfit& misfit : misfits)
        loaded.diagnostics.error(code::kOptionType,
                                 engine::setting_span(settings, misfit.option, source),
                                 misfit.problem);
    return loaded;
}

void show_settings(const engine::LoadSettings& settings, engine::Sources& sources,
                   const engine::Diagnostics& diagnostics) {
    if (settings.options.empty() || are_shown(settings, sources)) return;
    const auto found = diagnostics.sorted();
    if (std::any_of(found.begin(), found.end(), [&](const engine::Diagnostic& each) {
            return each.span.file == sources.size();
        }))
        engine::add_settings(sources, settings);
}

} // namespace croupier::games
