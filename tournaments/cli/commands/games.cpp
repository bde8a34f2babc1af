// croupier games: lists the games.
#include "engine/api/text.h"
#include "results/report/numbers.h"
#include "tournaments/cli/command.h"
#include "tournaments/cli/common_options.h"
#include "tournaments/cli/options.h"
#include "tournaments/run/files.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <vector>

namespace croupier::cli {
namespace {

using nlohmann::ordered_json;

std::string setting(const games::GameOption& option) {
    return fmt::format("{}={}", option.name, engine::scalar_json(option.value));
}

// All options of a game; for a revision only those that are new or have another value.
std::vector<games::GameOption> own_options(const games::Facts& facts, const games::Facts& game) {
    std::vector<games::GameOption> own = facts.options;
    if (&facts == &game) return own;
    std::erase_if(own, [&](const games::GameOption& option) {
        return std::any_of(game.options.begin(), game.options.end(),
                           [&](const games::GameOption& each) {
                               return each.name == option.name && each.value == option.value;
                           });
    });
    return own;
}

std::string may_be(const games::Facts& facts, const games::GameOption& option) {
    const engine::Member* values = facts.option_values.find(option.name);
    if (values == nullptr) return "anything";
    if (values->value.is_string()) return values->value.text();
    std::string all;
    for (const engine::Member& each : values->value.members)
        all += (all.empty() ? "" : ", ") + engine::write_json(each.value, -1);
    return all;
}

// A row for each option: its value, and its other possible values.
TextTable table_of(const games::Facts& facts) {
    TextTable table{{{"option"}, {"value"}, {"may be"}}, {}, 4};
    for (const games::GameOption& option : facts.options)
        table.rows.push_back(
            {option.name, engine::scalar_json(option.value), may_be(facts, option)});
    return table;
}

void explain(const std::vector<games::GameOption>& options, const games::Facts& facts,
             Context& context) {
    for (const games::GameOption& option : options) {
        context.out().line({"    " + option.name});
        if (!option.doc.empty()) context.out().paragraph(option.doc, 8);
        context.out().paragraph(fmt::format("default {}, may be {}",
                                            engine::scalar_json(option.value),
                                            may_be(facts, option)),
                                8);
    }
}

ordered_json to_json(const games::Facts& facts) {
    ordered_json options = ordered_json::object();
    ordered_json docs = ordered_json::object();
    for (const games::GameOption& option : facts.options) {
        options[option.name] = ordered_json::parse(engine::scalar_json(option.value));
        if (!option.doc.empty()) docs[option.name] = option.doc;
    }
    ordered_json teams = ordered_json::object();
    for (const games::Team& team : facts.teams)
        teams[team.name] = facts.names_of(team.seats);
    return {{"game", facts.name},
            {"revision", facts.revision},
            {"doc", facts.doc},
            {"players", facts.players},
            {"teams", teams},
            {"options", options},
            {"option_values", ordered_json::parse(engine::write_json(facts.option_values, -1))},
            {"option_docs", docs},
            {"hides", facts.hides},
            {"ruleset", facts.ruleset}};
}

class Games : public Command {
  public:
    [[nodiscard]] Description describe() const override {
        return {"games", "Which games there are",
                "Lists the games and their revisions, with players and options; of a revision only "
                "the options that differ from its game's. With a game's name or the path of a "
                "ruleset, shows that game and the values that its options may have; with --options "
                "also what they change. A game is a folder with rules.json in it, a revision "
                "another file beside it; --games-folder names a folder of games other than the "
                "shipped one.",
                "croupier games\n"
                "croupier games belote --options\n"
                "croupier games --json"};
    }

    void declare(Options& options) override {
        add_game(options, game_);
        options.add_flag("--options", options_, "Show of each option what it changes");
        add_games_folder(options, folder_);
        options.add_json_flag(json_);
    }

    int run(Context& context) override {
        const games::Registry registry = open_registry(folder_, context);
        if (!game_.empty()) return show_one(registry, context);
        std::string none;
        if (registry.entries().empty() && registry.find({}, none).empty()) throw UserError(none);
        ordered_json all = ordered_json::array();
        std::shared_ptr<const games::Game> base;
        std::size_t broken = 0;
        for (const games::GameEntry& entry : registry.entries()) {
            const games::OpenedGame opened = registry.open({entry.name, entry.revision});
            context.diagnose(opened.diagnostics, opened.sources);
            if (opened.game == nullptr && !opened.error.empty()) // CLIPS programs may not be games
                context.warn(opened.error);
            if (opened.game == nullptr && opened.error.empty()) ++broken;
            if (opened.game == nullptr) continue;
            const std::shared_ptr<const games::Game>& game = opened.game;
            const games::Facts& facts = game->facts();
            if (entry.revision.empty()) base = game;
            if (json_) {
                all.push_back(to_json(facts));
                continue;
            }
            head(facts, entry.title(), context);
            const bool revision = base != nullptr && base->facts().name == facts.name;
            const auto own = own_options(facts, revision ? base->facts() : facts);
            std::string options;
            for (const games::GameOption& option : own)
                options += (options.empty() ? "options " : ", ") + setting(option);
            if (options_)
                explain(own, facts, context);
            else if (!options.empty())
                context.out().paragraph(options, 4);
        }
        if (json_) context.out().raw(all.dump(2) + "\n");
        if (broken > 0)
            throw UserError(results::counted(broken, "file") +
                            " of rules with errors, shown above");
        return kGood;
    }

  private:
    int show_one(const games::Registry& registry, Context& context) {
        const auto game = open_game(registry, games::parse_game_name(game_), {}, context);
        const games::Facts& facts = game->facts();
        if (json_) {
            context.out().raw(to_json(facts).dump(2) + "\n");
            return kGood;
        }
        head(facts, facts.title(), context);
        if (options_)
            explain(facts.options, facts, context);
        else if (!facts.options.empty())
            context.out().table(table_of(facts));
        return kGood;
    }

    static void head(const games::Facts& facts, std::string_view title, Context& context) {
        context.out().heading(title);
        if (!facts.doc.empty()) context.out().paragraph(facts.doc, 4);
        context.out().line({fmt::format("    players {}", fmt::join(facts.players, " "))});
    }

    std::string game_;
    std::string folder_;
    bool options_ = false;
    bool json_ = false;
};

} // namespace

std::unique_ptr<Command> make_games() {
    return std::make_unique<Games>();
}

} // namespace croupier::cli
