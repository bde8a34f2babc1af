// croupier check: reports errors in rulesets, and in agents that are rule files.
#include "agents/rules/rule_program.h"
#include "games/ruleset/ruleset_game.h"
#include "results/report/numbers.h"
#include "tournaments/cli/command.h"
#include "tournaments/cli/common_options.h"
#include "tournaments/cli/options.h"
#include "tournaments/run/checked_rules.h"
#include "tournaments/run/files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace croupier::cli {

namespace {

using nlohmann::ordered_json;
using results::counted;

class Check : public Command {
  public:
    [[nodiscard]] Description describe() const override {
        return {"check", "What is wrong with rulesets, and where",
                "Reads each FILE as a ruleset by itself; with --together "
                "they are merged in order, as a revision is merged into its ruleset; with "
                "--agent-of they are agents for that game. Of a game it plays some random games, "
                "and warns of what is odd in them: a player who never moves, a game that is "
                "aborted, does not end, or leaves no choice. Mistakes and warnings go to "
                "standard error with the line they are in. Exit code 2 if there is a mistake. With "
                "--strict also warns of rules without a name, of nodes that are written under a "
                "name that is nearly a declared one, of a game without a score, and of options "
                "without a doc; any warning is exit code 1. '-' is standard input.",
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
        const auto role = agent_of_.empty() ? agents::RuleRole::Evaluator : agents::RuleRole::Agent;
        const tournaments::CheckSettings settings{strict_, !no_play_, together_};
        for (const std::vector<std::string>& files : batches(context)) {
            const tournaments::CheckedFiles checked =
                game == nullptr
                    ? tournaments::check_rules(files, settings, opener(context))
                    : tournaments::check_agent(files[0], *game, role, strict_, opener(context));
            errors += tournaments::count_errors(checked.diagnostics);
            found += checked.diagnostics.count();
            if (json_) {
                for (const auto& diagnostic : checked.diagnostics.sorted())
                    all.push_back(tournaments::to_json(diagnostic, checked.sources));
                continue;
            }
            context.diagnose(checked.diagnostics, checked.sources);
            if (!checked.holds.empty())
                context.out().line({fmt::format("{}: {}", fmt::join(files, " + "), checked.holds)});
        }
        if (json_) context.out().raw(all.dump(2) + "\n");
        if (errors > 0) throw UserError(counted(errors, "error"));
        return strict_ && found > 0 ? kFailed : kGood;
    }

  private:
    [[nodiscard]] std::shared_ptr<const games::Game> game_of_agents(Context& context) const {
        if (agent_of_.empty() && evaluator_of_.empty()) return nullptr;
        if (together_ || (!agent_of_.empty() && !evaluator_of_.empty()))
            throw UserError("--agent-of, --evaluator-of and --together exclude each other");
        auto game = open_game(
            {.game = agent_of_.empty() ? evaluator_of_ : agent_of_, .set = {}, .folder = folder_},
            context);
        if (game->ruleset_game() == nullptr)
            throw UserError(game->facts().title() + " has no ruleset that an agent could be about");
        return game;
    }

    // Groups the files that make a ruleset together.
    [[nodiscard]] std::vector<std::vector<std::string>> batches(const Context& context) const {
        std::vector<std::vector<std::string>> result;
        for (const std::string& file : files_) {
            if (result.empty() || !together_) result.emplace_back();
            result.back().push_back(file == "-" ? tournaments::kStandardInput
                                                : rules_file(file, folder_, context));
            context.include_roots->name(file == "-" ? "./-" : result.back().back());
        }
        return result;
    }

    [[nodiscard]] engine::FileOpener opener(Context& context) const {
        return [&context, open = file_opener(context)](const std::string& path) {
            return path == tournaments::kStandardInput
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
