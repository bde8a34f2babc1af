// Plays the repository's games at random: rules as written and as compiled must do the same.
#include "engine/language/testing.h"
#include "engine/run/executor.h"
#include "engine/run/machine.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace croupier::engine {
namespace {

constexpr int kPlies = 40;

FileText file_at(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return in ? FileText{text.str(), {}} : FileText{{}, "no such file"};
}

// A state with the draws and firings that led to it.
class Side {
  public:
    Side(const Program& program, std::uint64_t seed)
        : state(program.catalogue().initial_state()), program_(program), random_(seed) {}

    State state;

    // The result of the run, in one line.
    template <typename Runner>
    std::string run(Runner& runner, const char* group) {
        const GroupId id = program_.catalogue().group_id(group);
        if (id == kNone) return "";
        const RunResult result = runner.run(id, state, random_);
        return (result.error ? result.error->rule + ": " + result.error->detail + ' ' : "") +
               std::to_string(result.matches) + " matches, " + std::to_string(result.firings) +
               " firings, " + std::to_string(random_.counter()) +
               " draws: " + write_json(state.export_document(), -1);
    }
    void set_move(const std::string& key) {
        state.set_child(state.root(), state.symbols().intern("move"),
                        Value::key(state.symbols().intern(key)));
    }
    void end_move() {
        for (const char* name : {"move", "moves"}) {
            const NodeRef node = state.child(state.root(), state.symbols().intern(name));
            if (node) state.remove(node);
        }
    }
    [[nodiscard]] std::vector<std::string> moves() {
        std::vector<std::string> keys;
        const NodeRef all = state.child(state.root(), state.symbols().intern("moves"));
        for (NodeRef each = all ? state.first_child(all) : all; each;
             each = state.next_sibling(each))
            keys.push_back(to_text(state.key(each), state.symbols()));
        return keys;
    }

  private:
    const Program& program_;
    Random random_;
};

// Plays the game; returns the number of plies, 0 if there are no moves.
int play(const Loaded& loaded, std::uint64_t seed) {
    if (!loaded.ruleset) return 0;
    const Program program(*loaded.ruleset);
    Machine machine(program);
    Executor executor(program.watched());
    Side shipped(program, seed);
    Side written(program, seed);
    Random choices(seed);
    const auto agree = [&](const char* group) {
        const std::string one = shipped.run(machine, group);
        const std::string other = written.run(executor, group);
        EXPECT_EQ(one, other) << group;
        return one == other;
    };
    if (!agree("setup")) return 0;
    int plies = 0;
    while (plies < kPlies && agree("moves")) {
        const std::vector<std::string> moves = shipped.moves();
        if (moves.empty()) break;
        const std::string& move = moves[choices.below(moves.size())];
        shipped.set_move(move);
        written.set_move(move);
        if (!agree("play")) break;
        shipped.end_move();
        written.end_move();
        ++plies;
    }
    agree("score");
    return plies;
}

TEST(executor_games, play_as_their_rules_are_written) {
    int games = 0;
    int plies = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator("games")) {
        if (entry.path().filename() == "rules.json") {
            SCOPED_TRACE(entry.path().string());
            const int played = play(load_ruleset(std::vector{entry.path().string()}, file_at), 1);
            games += played > 0 ? 1 : 0;
            plies += played;
        }
    }
    EXPECT_GE(games, 8) << "is the working directory the project's?";
    EXPECT_GE(plies, 200);
}

// The table of all moves and ways is too large, so the piece is found by the code of the move.
TEST(executor_games, moves_that_name_two_cells) {
    EXPECT_EQ(play(load_ruleset_text("cells.json", R"J({
        "types": {"Cell": {"grid": [8, 8], "step": "rook"}, "Player": {"members": ["A", "B"], "order": "cyclic"},
                  "Move": {"union": ["{Cell}-{Cell}"]}},
        "shape": {"board": {"$:Cell": "Player"}, "turn": "Player", "moves": {"$:Move": true}, "move": "Move"},
        "state": {"turn": "A", "board": {"a1": "A", "h1": "A", "d4": "A", "e5": "B", "a8": "B", "h8": "B"}},
        "moves": [{"condition": {"turn": "$P", "board": {"$C": "$P"}, "step": {"$W": {"$C": "$D"}},
                                 "@not": {"board": {"$D": "$P"}}},
                   "action": {"moves": {"{$C}-{$D}": true}}}],
        "play": [{"condition": {"turn": "$P", "next": {"$P": "$Q"}, "board": {"$C": "$P"},
                                "step": {"$W": {"$C": "$D"}}, "move": "= $C + '-' + $D"},
                  "action": {"board": {"$C": "@remove", "$D": "$P"}, "turn": "$Q"}}]})J"),
                   1),
              kPlies);
}

} // namespace
} // namespace croupier::engine
