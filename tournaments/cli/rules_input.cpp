// Reads rulesets, conditions and states that the user named, and tells how they differ.
#include "tournaments/cli/rules_input.h"

#include "engine/api/explain.h"
#include "results/report/numbers.h"
#include "tournaments/cli/options.h"
#include "tournaments/run/files.h"
#include "tournaments/run/named_game.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string_view>
#include <utility>

namespace croupier::cli {

using engine::Diagnostics;
using engine::Document;
using engine::Loaded;
using engine::Sources;

namespace {

std::string display_name(const std::string& path) {
    return path == "-" ? "<stdin>" : path;
}

std::unique_ptr<Loaded> accept(Loaded loaded, Context& context) {
    context.diagnose(loaded.diagnostics, loaded.sources);
    if (!loaded.ruleset)
        throw Mistake(tournaments::errors_in(loaded.diagnostics) + " in the rules");
    return std::make_unique<Loaded>(std::move(loaded));
}

} // namespace

std::unique_ptr<Loaded> load_rules(const std::string& word, const std::string& games_folder,
                                   Context& context) {
    const std::string path = rules_file(word, games_folder, context);
    const engine::FileOpener open = file_opener(context);
    context.include_roots->name(path == "-" ? "./-" : path);
    return accept(engine::load_ruleset_text(display_name(path),
                                            tournaments::read_input(path, context.in), open),
                  context);
}

std::unique_ptr<Loaded> load_condition(const std::string& path, Context& context) {
    return accept(
        engine::load_pattern_text(display_name(path), tournaments::read_input(path, context.in)),
        context);
}

void load_state(const std::string& path, const engine::Program& program, engine::State& state,
                Context& context) {
    Sources sources;
    Diagnostics diagnostics;
    tournaments::NamedText named = read_state(path, context);
    const std::uint32_t file = sources.add(std::move(named.name), std::move(named.text));
    const auto document = engine::read_json(sources, file, diagnostics);
    if (document) program.import(state, *document, diagnostics);
    context.diagnose(diagnostics, sources);
    if (diagnostics.has_errors()) throw Mistake("the state cannot be used");
}

void need_machine_code() {
    if (!engine::runs_machine_code())
        throw Mistake("there is no machine code here: rules are interpreted");
}

Document to_document(const engine::Value& value, const engine::Symbols& symbols) {
    Document document;
    document.scalar = engine::to_scalar(value, symbols);
    return document;
}

// Lines and JSON of a difference.

namespace {

using engine::Difference;
using nlohmann::ordered_json;

constexpr std::size_t kShownText = 60;

std::string_view name_of(Difference kind) {
    switch (kind) {
    case Difference::Added:
        return "added";
    case Difference::Removed:
        return "removed";
    case Difference::Changed:
        return "changed";
    case Difference::Moved:
        break;
    }
    return "moved";
}

std::string shortened(const std::string& text) {
    if (text.size() <= kShownText) return text;
    std::size_t end = kShownText;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0u) == 0x80u)
        --end; // never half a character
    return text.substr(0, end) + "...";
}

std::string entry_line(const engine::EntryDifference& entry, std::string_view name) {
    switch (entry.kind) {
    case Difference::Added:
        return fmt::format("+ {}: {}", name, shortened(entry.after));
    case Difference::Removed:
        return fmt::format("- {}: {}", name, shortened(entry.before));
    case Difference::Changed:
        return fmt::format("~ {}: {} -> {}", name, shortened(entry.before), shortened(entry.after));
    case Difference::Moved:
        break;
    }
    return fmt::format("> {}: stands at another place", name);
}

ordered_json to_json(const engine::EntryDifference& entry) {
    ordered_json made = {{"kind", name_of(entry.kind)}, {"path", entry.path}};
    if (!entry.before.empty()) made["before"] = entry.before;
    if (!entry.after.empty()) made["after"] = entry.after;
    return made;
}

} // namespace

std::vector<std::string> difference_lines(const engine::RulesetDifference& found) {
    std::vector<std::string> lines;
    for (const engine::PartDifference& part : found.parts) {
        std::string name = part.part;
        for (const std::string& step : part.entry.path)
            name += '.' + step;
        lines.push_back(entry_line(part.entry, name));
    }
    for (const engine::RuleDifference& rule : found.rules) {
        lines.push_back(fmt::format("{} rule {} in {}", name_of(rule.kind), rule.name, rule.group));
        for (const engine::EntryDifference& entry : rule.entries)
            lines.push_back("    " +
                            entry_line(entry, fmt::format("{}", fmt::join(entry.path, "."))));
    }
    if (found.empty()) lines.emplace_back("no difference");
    return lines;
}

ordered_json difference_json(const engine::RulesetDifference& found) {
    ordered_json rules = ordered_json::array();
    for (const engine::RuleDifference& rule : found.rules) {
        ordered_json entries = ordered_json::array();
        for (const engine::EntryDifference& entry : rule.entries)
            entries.push_back(to_json(entry));
        rules.push_back({{"kind", name_of(rule.kind)},
                         {"group", rule.group},
                         {"rule", rule.name},
                         {"entries", std::move(entries)}});
    }
    ordered_json parts = ordered_json::array();
    for (const engine::PartDifference& part : found.parts) {
        ordered_json json = to_json(part.entry);
        json["part"] = part.part;
        parts.push_back(std::move(json));
    }
    return {{"rules", std::move(rules)}, {"parts", std::move(parts)}};
}

} // namespace croupier::cli
