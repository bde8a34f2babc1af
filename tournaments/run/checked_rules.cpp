// Reads rules, plays some random games, and finds out the kind of file.
#include "tournaments/run/checked_rules.h"

#include "games/ruleset/codes.h"
#include "games/ruleset/ruleset_game.h"
#include "games/ruleset/trial.h"
#include "results/report/numbers.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <string_view>
#include <utility>

namespace croupier::tournaments {

namespace {

using results::counted;

// "3 groups, 41 rules, 5 types".
std::string contents(const engine::Ruleset& ruleset) {
    std::size_t rules = 0;
    for (const engine::Group& group : ruleset.groups)
        rules += group.rules.size();
    std::string text = counted(ruleset.groups.size(), "group") + ", " + counted(rules, "rule");
    const auto types = std::count_if(ruleset.types.begin(), ruleset.types.end(),
                                     [](const engine::Domain& type) { return !type.anonymous; });
    if (types > 0) text += ", " + counted(static_cast<std::size_t>(types), "type");
    if (!ruleset.options.empty()) text += ", " + counted(ruleset.options.size(), "option");
    return text;
}

// Rules of agents and tables of advice use names that their game declares, so each by itself has
// errors: report only the kind of file.
void tell_kind(const std::string& file, CheckedFiles& checked) {
    engine::Diagnostics ignored;
    if (checked.sources.size() == 0) return;
    const auto document = engine::read_json(checked.sources, 0, ignored);
    if (!document || !document->is_object()) return;
    const auto has = [&](std::string_view key) {
        return std::any_of(document->members.begin(), document->members.end(),
                           [&](const engine::Member& each) {
                               return each.key.substr(0, each.key.find('@')) == key;
                           });
    };
    const engine::Member* of = document->find("game");
    const std::string game = of != nullptr && of->value.is_string() ? of->value.text() : "GAME";
    std::string kind;
    std::string command;
    if (has("advice")) {
        kind = "a table of advice";
        command = fmt::format("croupier advice {} --game {}", file, game);
    } else if (has("choose") || has("evaluator")) {
        const bool agent = has("choose");
        kind = agent ? "the rules of an agent" : "an evaluator";
        command =
            fmt::format("croupier check --{}-of {} {}", agent ? "agent" : "evaluator", game, file);
    } else {
        return;
    }
    if (!checked.diagnostics.has_errors()) {
        checked.holds += fmt::format(": {}; {} says more", kind, command);
        return;
    }
    checked.diagnostics = {};
    checked.diagnostics.error(
        games::code::kNoGame, {document->span.file, document->span.begin, document->span.begin + 1},
        fmt::format("this is {}, not a game", kind), fmt::format("check it with: {}", command));
}

// Parts of a game, and files shared by several, cannot be played. A game may lack one of its groups
// by mistake.
bool is_game(const engine::Ruleset& ruleset) {
    const auto has = [&](const char* group) { return ruleset.group(group) != nullptr ? 1 : 0; };
    return (ruleset.game.is_object() || ruleset.game.is_string()) &&
           has("moves") + has("play") + has("score") >= 2;
}

} // namespace

CheckedFiles check_rules(const std::vector<std::string>& files, const CheckSettings& settings,
                         const engine::FileOpener& open) {
    engine::LoadSettings load;
    load.strict = settings.strict;
    engine::Loaded loaded = engine::load_ruleset(files, open, load);
    CheckedFiles checked{std::move(loaded.sources), std::move(loaded.diagnostics),
                         loaded.ruleset ? contents(*loaded.ruleset) : std::string()};
    const bool named = std::find(files.begin(), files.end(), kStandardInput) == files.end();
    if (loaded.ruleset && is_game(*loaded.ruleset) && named) {
        games::RulesetSettings trial;
        trial.budgets = games::trial_budgets();
        trial.strict = settings.strict;
        games::OpenedRuleset opened = games::open_ruleset(files, open, trial);
        if (opened.game != nullptr && settings.plays)
            games::try_random_games(*opened.game, opened.diagnostics);
        checked.sources = std::move(opened.sources);
        checked.diagnostics = std::move(opened.diagnostics);
    }
    if (!settings.together) tell_kind(files[0], checked);
    return checked;
}

CheckedFiles check_agent(const std::string& file, const games::Game& game, agents::RuleRole role,
                         bool strict, const engine::FileOpener& open) {
    const agents::RuleRequest request{.path = file, .role = role, .strict = strict};
    agents::OpenedRules opened = agents::open_rules(request, open, *game.ruleset_game());
    return {std::move(opened.sources), std::move(opened.diagnostics),
            opened.program != nullptr ? "for " + game.facts().title() : std::string()};
}

nlohmann::ordered_json to_json(const engine::Diagnostic& diagnostic,
                               const engine::Sources& sources) {
    const auto at = sources.line_column(diagnostic.span.file, diagnostic.span.begin);
    return {{"code", diagnostic.code},
            {"severity", diagnostic.severity == engine::Severity::Error ? "error" : "warning"},
            {"file", sources.name(diagnostic.span.file)},
            {"line", at.line},
            {"column", at.column},
            {"rule", diagnostic.rule},
            {"message", diagnostic.message},
            {"hint", diagnostic.hint}};
}

} // namespace croupier::tournaments
