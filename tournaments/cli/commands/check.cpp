// croupier check: what is wrong with rulesets, and with agents that are files of rules.
#include "agents/rules/rule_program.h"
#include "engine/api/ruleset.h"
#include "engine/api/text.h"
#include "games/ruleset/codes.h"
#include "games/ruleset/ruleset_game.h"
#include "games/ruleset/trial.h"
#include "results/report/numbers.h"
#include "tournaments/cli/command.h"
#include "tournaments/cli/common_options.h"
#include "tournaments/cli/options.h"
#include "tournaments/cli/rules_input.h"
#include "tournaments/run/files.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <nlohmann/json_fwd.hpp>

#include <algorithm>

namespace croupier::cli {

// Diagnostics as programs read them.

// Code, severity, place, rule, message and hint.
nlohmann::ordered_json diagnostic_json(const engine::Diagnostic& diagnostic,
                                       const engine::Sources& sources);

// Lays a diagnostic out for --json.

nlohmann::ordered_json diagnostic_json(const engine::Diagnostic& diagnostic,
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

namespace {

using nlohmann::ordered_json;
using results::counted;

const std::string kStandardInput = "<stdin>"; // its name in messages

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

class Check : public Command {
  public:
    [[nodiscard]] Description describe() const override {
        return {"check", "What is wrong with rulesets, and where",
                "Reads each FILE as a ruleset by itself; with --together "
                "they are laid one over the other, as a revision lies over its ruleset; with "
                "--agent-of they are agents for that game. Of a game it plays some random games, "
                "and warns of what is odd in them: a player who never moves, a game that is "
                "aborted, does not end, or leaves no choice. Mistakes and warnings go to "
                "standard error with the line they are in. Exit code 2 if there is a mistake. With "
                "--strict also warns of rules without a name, of nodes that are written under a "
                "name that is nearly a declared one, and of a game without a score; any warning "
                "is exit code 1. "
                "'-' is standard input.",
                "croupier check rules.json\n"
                "croupier check belote:contest\n"
                "croupier check --strict --no-play my/rules.json\n"
                "croupier check --together rules.json revision.json\n"
                "croupier check --agent-of belote my-agent.json\n"
                "croupier check --json - < rules.json"};
    }

    void declare(Options& options) override {
        options
            .add("FILE", files_,
                 "Files with rulesets, rules or lists of rules, or games by name or folder")
            .required()
            .offers(Offers::Rules);
        options.add_flag("--together", together_, "Lay the files one over the other");
        options.add_flag("--strict", strict_,
                         "Warn also of rules without a name and of names that are nearly others; "
                         "exit code 1 if there are warnings");
        options.add_flag("--no-play", no_play_, "Do not play random games of a game");
        options.add("--agent-of", agent_of_, "The files are agents for that game")
            .type_name("GAME")
            .offers(Offers::Games);
        options.add("--evaluator-of", evaluator_of_, "The files are evaluators for that game")
            .type_name("GAME")
            .offers(Offers::Games);
        add_games_folder(options, folder_);
        options.add_json_flag(json_);
    }

    int run(Context& context) override {
        ordered_json all = ordered_json::array();
        std::size_t errors = 0;
        std::size_t found = 0;
        const std::shared_ptr<const games::Game> game = game_of_agents(context);
        for (const std::vector<std::string>& files : batches(context)) {
            const Checked checked =
                game == nullptr ? check(files, context) : check_agent(files[0], *game, context);
            errors += tournaments::count_errors(checked.diagnostics);
            found += checked.diagnostics.count();
            if (json_) {
                for (const auto& diagnostic : checked.diagnostics.sorted())
                    all.push_back(diagnostic_json(diagnostic, checked.sources));
                continue;
            }
            context.diagnose(checked.diagnostics, checked.sources);
            if (!checked.holds.empty())
                context.out().line({fmt::format("{}: {}", fmt::join(files, " + "), checked.holds)});
        }
        if (json_) context.out().raw(all.dump(2) + "\n");
        if (errors > 0) throw Mistake(counted(errors, "error"));
        return strict_ && found > 0 ? kFailed : kGood;
    }

  private:
    struct Checked {
        engine::Sources sources;
        engine::Diagnostics diagnostics;
        std::string holds; // what there is, if it can be read
    };

    [[nodiscard]] Checked check(const std::vector<std::string>& files, Context& context) const {
        engine::LoadSettings settings;
        settings.strict = strict_;
        engine::Loaded loaded = engine::load_ruleset(files, opener(context), settings);
        Checked checked{std::move(loaded.sources), std::move(loaded.diagnostics),
                        loaded.ruleset ? contents(*loaded.ruleset) : std::string()};
        if (loaded.ruleset && is_game(*loaded.ruleset)) check_game(files, checked, context);
        if (!together_) tell_kind(files[0], checked);
        return checked;
    }

    // Rules of agents and tables of advice use names that their game declares, so each by itself
    // has errors: report only what kind of file it is.
    static void tell_kind(const std::string& file, Checked& checked) {
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
            command = fmt::format("croupier check --{}-of {} {}", agent ? "agent" : "evaluator",
                                  game, file);
        } else {
            return;
        }
        if (!checked.diagnostics.has_errors()) {
            checked.holds += fmt::format(": {}; {} says more", kind, command);
            return;
        }
        checked.diagnostics = {};
        checked.diagnostics.error(
            games::code::kNoGame,
            {document->span.file, document->span.begin, document->span.begin + 1},
            fmt::format("this is {}, not a game", kind), fmt::format("check it with: {}", command));
    }

    // A part of a game, or what several have in common, cannot be played. A game may lack one of
    // its groups by mistake.
    static bool is_game(const engine::Ruleset& ruleset) {
        const auto has = [&](const char* group) { return ruleset.group(group) != nullptr ? 1 : 0; };
        return (ruleset.game.is_object() || ruleset.game.is_string()) &&
               has("moves") + has("play") + has("score") >= 2;
    }

    void check_game(const std::vector<std::string>& files, Checked& checked,
                    Context& context) const {
        if (std::find(files.begin(), files.end(), kStandardInput) != files.end()) return;
        games::RulesetSettings settings;
        settings.budgets = games::trial_budgets();
        settings.strict = strict_;
        games::OpenedRuleset opened = games::open_ruleset(files, opener(context), settings);
        if (opened.game != nullptr && !no_play_)
            games::try_random_games(*opened.game, opened.diagnostics);
        checked.sources = std::move(opened.sources);
        checked.diagnostics = std::move(opened.diagnostics);
    }

    [[nodiscard]] Checked check_agent(const std::string& file, const games::Game& game,
                                      Context& context) const {
        const agents::RuleRequest request{.path = file,
                                          .role = agent_of_.empty() ? agents::RuleRole::Evaluator
                                                                    : agents::RuleRole::Agent,
                                          .strict = strict_};
        agents::OpenedRules opened =
            agents::open_rules(request, opener(context), *game.ruleset_game());
        return {std::move(opened.sources), std::move(opened.diagnostics),
                opened.program != nullptr ? "for " + game.facts().title() : std::string()};
    }

    [[nodiscard]] std::shared_ptr<const games::Game> game_of_agents(Context& context) const {
        if (agent_of_.empty() && evaluator_of_.empty()) return nullptr;
        if (together_ || (!agent_of_.empty() && !evaluator_of_.empty()))
            throw Mistake("--agent-of, --evaluator-of and --together exclude each other");
        auto game = open_game(
            {.game = agent_of_.empty() ? evaluator_of_ : agent_of_, .set = {}, .folder = folder_},
            context);
        if (game->ruleset_game() == nullptr)
            throw Mistake(game->facts().title() + " has no ruleset that an agent could be about");
        return game;
    }

    // Which files make a ruleset together.
    [[nodiscard]] std::vector<std::vector<std::string>> batches(const Context& context) const {
        std::vector<std::vector<std::string>> result;
        for (const std::string& file : files_) {
            if (result.empty() || !together_) result.emplace_back();
            result.back().push_back(file == "-" ? kStandardInput
                                                : rules_file(file, folder_, context));
            context.include_roots->name(file == "-" ? "./-" : result.back().back());
        }
        return result;
    }

    [[nodiscard]] engine::FileOpener opener(Context& context) const {
        return [&context, open = file_opener(context)](const std::string& path) {
            return path == kStandardInput
                       ? engine::FileText{tournaments::read_input("-", context.in), {}}
                       : open(path);
        };
    }

    std::vector<std::string> files_;
    std::string agent_of_;
    std::string evaluator_of_;
    bool strict_ = false;
    std::string folder_;
    bool no_play_ = false;
    bool together_ = false;
    bool json_ = false;
};

} // namespace

std::unique_ptr<Command> make_check() {
    return std::make_unique<Check>();
}

} // namespace croupier::cli
