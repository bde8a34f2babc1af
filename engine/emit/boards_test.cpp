// Boards of any size: rules that change all cells at once do the same as they are written, behind
// all passes, and as machine code with all kinds of registers and with the oldest ones.
#include "engine/emit/code.h"
#include "engine/emit/testing.h"
#include "engine/ir/build.h"
#include "engine/ir/pass.h"
#include "engine/lang/reader.h"
#include "engine/run/interpreter.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>

namespace croupier::engine {
namespace {

// Stones of two colours with a tick, whose last rule is a loop, and rules that look at all of it.
constexpr const char* kRules = R"~(
    "shape": {"board": {"$:Cell": "Player"}, "mined": {"$:Cell": true}, "turn": "Player",
              "moves": {"$:Move": true}, "gone": {"$:Player": true}, "n": {"$:Player": "int"}},
    "patterns": {"around": {"near": {"$C": {
        "@count@b": {"of": {"$D": true, "@root": {"board": {"$D": "B"}}}, "into": "$BLACK"},
        "@count@w": {"of": {"$D": true, "@root": {"board": {"$D": "W"}}}, "into": "$WHITE"}}},
        "_@n": "$N = $BLACK + $WHITE"}},
    "play": [
        {"name": "tick", "action": {"@rules": {"at_once": true, "rules": [
            {"name": "birth", "condition": {"@use": "around", "board": {"$C": "@absent"}, "_": "$N == 3"},
             "action": {"board": {"$C": "$BLACK > $WHITE ? 'B' : 'W'"}}},
            {"name": "conversion",
             "condition": {"board": {"$C": {}}, "@use": "around", "_": "$BLACK != $WHITE"},
             "action": {"board": {"$C": "$BLACK > $WHITE ? 'B' : 'W'"}}},
            {"name": "death", "condition": {"board": {"$C": {}}, "@use": "around", "_": "$N < 2 || $N > 3"},
             "action": {"board": {"$C": "@remove"}}},
            {"name": "blast", "condition": {"board": {"$C": "B"}, "mined": {"$C": true}, "near": {"$C": {"$D": true}}},
             "action": {"board": {"$D": "@remove"}, "mined": {"$C": "@remove"}}}]}}},
        {"name": "may-drop", "condition": {"near": {"$C": {"@exists": {"$D": true, "@root": {"board": {"$D": {}}}}}},
                                           "board": {"$C": "@absent"}},
         "action": {"moves": {"$C": true}}},
        {"name": "turns", "condition": {"turn": "$P", "board": {"$C": "$P"}, "mined": {"$C": "@absent"}},
         "action": {"mined": {"$C": true}}},
        {"name": "gone", "condition": {"next": {"$P:Player": {}}, "board": {"@not": {"$_": "$P"}}},
         "action": {"gone": {"$P": true}}},
        {"name": "count", "condition": {"next": {"$P:Player": {}},
                                        "board": {"@count": {"of": {"$_": "$P"}, "into": "$N"}}},
         "action": {"n": {"$P": "$N"}}}]
)~";

// The same without a cell beside another.
constexpr const char* kAlone = R"~(
    "shape": {"board": {"$:Cell": "Player"}, "mined": {"$:Cell": true}, "turn": "Player",
              "moves": {"$:Move": true}, "n": "int"},
    "play": [
        {"name": "tick", "action": {"@rules": {"at_once": true, "rules": [
            {"name": "turn", "condition": {"board": {"$C": "$P"}, "mined": {"$C": "@absent"}},
             "action": {"board": {"$C": "$P == 'B' ? 'W' : 'B'"}}},
            {"name": "sink", "condition": {"turn": "$P", "board": {"$C": "$P"}, "mined": {"$C": true}},
             "action": {"board": {"$C": "@remove"}, "moves": {"$C": true}}}]}}},
        {"name": "count", "condition": {"board": {"@count": {"of": {"$_": "B"}, "into": "$N"}}},
         "action": {"n": "$N"}}]
)~";

class Board {
  public:
    explicit Board(const std::string& types, const std::string& rules = kRules)
        : loaded_(load_ruleset_text("board", R"({"types": {"Player": {"members": ["B", "W"],
              "order": "cyclic"}, "Move": {"union": ["Player", "Cell"]}, )" +
                                                 types + "}, " + rules + "}")),
          catalogue_(*loaded_.ruleset), written_(ir::build(catalogue_)),
          form_(ir::build(catalogue_)) {
        for (const ir::Pass& pass : ir::passes()) {
            for (ir::Function& function : form_->functions) {
                pass.run(*form_, function);
            }
        }
        all_ = emit::emit(*form_);
        oldest_ = emit::emit(*form_, emit::Registers::Oldest);
    }

    // Each way, so many times one after the other.
    Made run(const std::string& from, int rounds, const Budgets& budgets = {}) {
        Made written = run_by(*written_, nullptr, from, rounds, budgets);
        EXPECT_EQ(run_by(*form_, nullptr, from, rounds, budgets), written) << "behind all passes";
        if (all_ != nullptr) {
            EXPECT_EQ(run_by(*form_, all_.get(), from, rounds, budgets), written)
                << "by machine code";
            EXPECT_EQ(run_by(*form_, oldest_.get(), from, rounds, budgets), written)
                << "by machine code with the oldest registers";
        }
        return written;
    }

    // Stones on some cells, by a number that says which.
    [[nodiscard]] std::string stones(std::uint64_t seed, int percent) const {
        std::string board;
        std::string mined;
        const Layout& layout = *catalogue_.layout;
        for (const Symbol cell : layout.domain(layout.domain_id("Cell")).members) {
            const std::string name = '"' + std::string(catalogue_.symbols.text(cell)) + "\": ";
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            if (seed >> 33 & 1) {
                mined += (mined.empty() ? "" : ", ") + name + "true";
            }
            if (static_cast<int>((seed >> 40) % 100) < percent) {
                board +=
                    (board.empty() ? "" : ", ") + name + (seed >> 34 & 1 ? R"("B")" : R"("W")");
            }
        }
        return R"({"turn": "B", "board": {)" + board + R"(}, "mined": {)" + mined + "}}";
    }

  private:
    Made run_by(const ir::Module& module, const emit::Code* code, const std::string& from,
                int rounds, const Budgets& budgets) {
        Sources sources;
        Diagnostics diagnostics;
        const auto document = read_json(sources, sources.add("state", from), diagnostics);
        State state = catalogue_.initial_state();
        EXPECT_TRUE(document && catalogue_.import(state, *document, diagnostics)) << from;
        Interpreter interpreter(module, budgets, code);
        Random random(1);
        Made made;
        for (int i = 0; i < rounds; ++i) {
            made.add(interpreter.run(catalogue_.group_id("play"), state, random));
        }
        made.state = write_json(state.export_document(), -1);
        return made;
    }

    Loaded loaded_;
    Catalogue catalogue_;
    std::unique_ptr<ir::Module> written_;
    std::unique_ptr<ir::Module> form_;
    std::shared_ptr<const emit::Code> all_;
    std::shared_ptr<const emit::Code> oldest_;
};

std::string grid(int columns, int rows, const std::string& more = "") {
    return R"("Cell": {"grid": [)" + std::to_string(columns) + ", " + std::to_string(rows) +
           R"(], "near": "king")" + more + "}";
}

void plays_alike(const std::string& types, int rounds = 4, const std::string& rules = kRules) {
    Board board(types, rules);
    for (const int percent : {0, 3, 30, 60, 100}) {
        board.run(board.stones(static_cast<std::uint64_t>(percent) + 7, percent), rounds);
    }
    EXPECT_EQ(board.run("{}", 1).error, "");
}

// Sizes around those of words, pairs of them and registers.
TEST(boards, of_all_sizes_play_alike) {
    plays_alike(grid(1, 1));
    plays_alike(grid(2, 1));
    plays_alike(grid(3, 3));
    plays_alike(grid(8, 8));
    plays_alike(grid(9, 9));
    plays_alike(grid(16, 8));
    plays_alike(grid(13, 11));
    plays_alike(grid(19, 19));
    plays_alike(grid(16, 16));
    plays_alike(grid(20, 25));
    plays_alike(grid(23, 23), 2);
}

TEST(boards, whose_ends_meet_play_alike) {
    plays_alike(grid(5, 5, R"(, "wrap": true)"));
    plays_alike(grid(19, 19, R"(, "wrap": true)"));
    plays_alike(grid(2, 70, R"(, "wrap": true)"));
}

TEST(boards, that_are_long_or_large_play_alike) {
    plays_alike(grid(1, 1000), 2);
    Board large(grid(64, 63));
    large.run(large.stones(5, 35), 1);
}

// Cells of two hundred names, and what is next to them is a table.
TEST(boards, without_rows_and_columns_play_alike) {
    std::string names;
    std::string next;
    for (int i = 0; i < 200; ++i) {
        const auto name = [](int number) { return "\"n" + std::to_string(number) + '"'; };
        names += (i == 0 ? "" : ", ") + name(i);
        next += (i == 0 ? "" : ", ") + name(i) + ": {";
        bool first = true;
        for (int k = 0; k < 200; ++k) { // in no order that shifts could follow
            if (k != i && (k * i + k + i) % 67 == 1) {
                next += (first ? "" : ", ") + name(k) + ": true";
                first = false;
            }
        }
        next += "}";
    }
    names = "\"Cell\": [" + names + "]";
    plays_alike(names, 2, kAlone);
    plays_alike(names, 2, R"("constants": {"near": {)" + next + "}}, " + kRules);
}

// The first rows that may fire do so before the run ends.
TEST(boards, bounds_end_a_run_in_the_middle) {
    for (const int size : {5, 9, 19, 23}) {
        Board board(grid(size, size));
        const std::string from = board.stones(11, 40);
        const std::uint64_t all = board.run(from, 1).firings;
        for (const std::uint64_t bound :
             {std::uint64_t{0}, std::uint64_t{1}, all / 3, all / 2, all - 1}) {
            Budgets budgets;
            budgets.firings = bound;
            EXPECT_NE(board.run(from, 1, budgets).error, "") << bound;
        }
        Budgets budgets;
        budgets.firings = all;
        EXPECT_EQ(board.run(from, 1, budgets).error, "");
        budgets.matches_per_rule = 3;
        EXPECT_NE(board.run(from, 1, budgets).error, "");
    }
}

} // namespace
} // namespace croupier::engine
