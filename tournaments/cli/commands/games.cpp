// croupier games: which games there are.
#include "tournaments/cli/command.h"
#include "tournaments/cli/game_input.h"
#include "tournaments/cli/options.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace croupier::cli {
namespace {

using nlohmann::ordered_json;

std::string options_of(const games::Facts& facts) {
    std::string text;
    for (const games::GameOption& option : facts.options) {
        if (!text.empty()) text += ", ";
        text += fmt::format("{}={}", option.name, engine::scalar_json(option.value));
    }
    return text;
}

ordered_json to_json(const games::Facts& facts) {
    ordered_json options = ordered_json::object();
    for (const games::GameOption& option : facts.options)
        options[option.name] = ordered_json::parse(engine::scalar_json(option.value));
    ordered_json teams = ordered_json::object();
    for (const games::Team& team : facts.teams) {
        for (const games::Seat seat : team.seats)
            teams[team.name].push_back(facts.players[seat]);
    }
    return {{"game", facts.name},   {"revision", facts.revision},
            {"doc", facts.doc},     {"players", facts.players},
            {"teams", teams},       {"options", options},
            {"hides", facts.hides}, {"ruleset", facts.ruleset}};
}

class Games : public Command {
  public:
    [[nodiscard]] Description describe() const override {
        return {"games", "Which games there are",
                "Lists the games and their revisions, with players and options. A game is a "
                "folder with rules.json in it, a revision another file beside it; --games names "
                "a folder of games other than the shipped one. Any ruleset can be played by its "
                "path as well.",
                "croupier games\n"
                "croupier games --json"};
    }

    void declare(Options& options) override {
        add_games_folder(options, folder_);
        options.add_json_flag(json_);
    }

    int run(Context& context) override {
        const games::Registry registry = open_registry(folder_);
        if (registry.entries().empty())
            throw Mistake(fmt::format("there are no games in '{}'", registry.folder()));
        ordered_json all = ordered_json::array();
        for (const games::GameEntry& entry : registry.entries()) {
            const auto game = open_game(registry, {entry.name, entry.revision}, {}, context);
            const games::Facts& facts = game->facts();
            if (json_) {
                all.push_back(to_json(facts));
                continue;
            }
            context.out().heading(entry.title());
            if (!facts.doc.empty()) context.out().paragraph(facts.doc, 4);
            context.out().line({fmt::format("    players {}", fmt::join(facts.players, " "))});
            if (!facts.options.empty())
                context.out().line({fmt::format("    options {}", options_of(facts))});
        }
        if (json_) context.out().raw(all.dump(2) + "\n");
        return kGood;
    }

  private:
    std::string folder_;
    bool json_ = false;
};

} // namespace

std::unique_ptr<Command> make_games() {
    return std::make_unique<Games>();
}

} // namespace croupier::cli
