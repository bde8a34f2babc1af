// Boards of any size: rules that change all cells at once do the same before and after all passes,
// and as machine code with all kinds of registers and with only the oldest ones.
#include "engine/api/program.h"
#include "engine/api/ruleset.h"
#include "engine/api/run.h"
#include "engine/api/state.h"
#include "engine/api/text.h"
#include "engine/form/build.h"
#include "engine/form/passes.h"
#include "engine/language/reader.h"
#include "engine/run/executor.h"
#include "engine/x86/code.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <ostream>
#include <string>

namespace croupier::engine {

// The result of a run, which must be the same in all ways to run rules.

struct Made {
    std::string state;
    std::string error; // its kind and its rule
    std::uint64_t matches = 0;
    std::uint64_t firings = 0;

    void add(const RunResult& result) {
        matches += result.matches;
        firings += result.firings;
        if (result.error)
            error = std::string(name_of(result.error->kind)) + " in " + result.error->rule;
    }
    friend bool operator==(const Made&, const Made&) = default;
};

inline void PrintTo(const Made& made, std::ostream* out) {
    *out << made.state.substr(0, 2000) << " " << made.error << ", " << made.matches << " matches, "
         << made.firings << " firings";
}

namespace {

// Stones of two colours with a tick, whose last rule is a loop, and rules that look at all cells.
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

// The same for cells without neighbours.
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
          catalogue_(*loaded_.ruleset), written_(form::build(catalogue_)),
          form_(form::build(catalogue_)) {
        for (const form::Pass& pass : form::passes())
            for (form::Function& function : form_->functions)
                pass.run(*form_, function);
        all_ = x86::emit(*form_);
        oldest_ = x86::emit(*form_, x86::Registers::Oldest);
    }

    // Runs the rules in each way, `rounds` times in a row.
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

    // Stones on some cells, which the seed chooses.
    [[nodiscard]] std::string stones(std::uint64_t seed, int percent) const {
        std::string board;
        std::string mined;
        const Layout& layout = *catalogue_.layout;
        for (const Symbol cell : layout.domain(layout.domain_id("Cell")).members) {
            const std::string name = '"' + std::string(catalogue_.symbols.text(cell)) + "\": ";
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            if (seed >> 33 & 1) mined += (mined.empty() ? "" : ", ") + name + "true";
            if (static_cast<int>((seed >> 40) % 100) < percent) {
                board +=
                    (board.empty() ? "" : ", ") + name + (seed >> 34 & 1 ? R"("B")" : R"("W")");
            }
        }
        return R"({"turn": "B", "board": {)" + board + R"(}, "mined": {)" + mined + "}}";
    }

  private:
    Made run_by(const form::Module& module, const x86::Code* code, const std::string& from,
                int rounds, const Budgets& budgets) {
        Sources sources;
        Diagnostics diagnostics;
        const auto document = read_json(sources, sources.add("state", from), diagnostics);
        State state = catalogue_.initial_state();
        EXPECT_TRUE(document && catalogue_.import(state, *document, diagnostics)) << from;
        Executor executor(module, budgets, code);
        Random random(1);
        Made made;
        for (int i = 0; i < rounds; ++i)
            made.add(executor.run(catalogue_.group_id("play"), state, random));
        made.state = write_json(state.export_document(), -1);
        return made;
    }

    Loaded loaded_;
    Catalogue catalogue_;
    std::unique_ptr<form::Module> written_;
    std::unique_ptr<form::Module> form_;
    std::shared_ptr<const x86::Code> all_;
    std::shared_ptr<const x86::Code> oldest_;
};

std::string grid(int columns, int rows, const std::string& more = "") {
    return R"("Cell": {"grid": [)" + std::to_string(columns) + ", " + std::to_string(rows) +
           R"(], "near": "king")" + more + "}";
}

void plays_alike(const std::string& types, int rounds = 4, const std::string& rules = kRules) {
    Board board(types, rules);
    for (const int percent : {0, 3, 30, 60, 100})
        board.run(board.stones(static_cast<std::uint64_t>(percent) + 7, percent), rounds);
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

// Two hundred cells with names, whose neighbours are in a table.
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
// Rows in an order of their own, more than a word has bits, some of which the rule leaves out.
TEST(orders, of_a_constants_keys_are_kept) {
    constexpr int kCards = 150;
    std::string members;
    std::string keys;
    std::string held;
    std::string left;
    for (int i = 0; i < kCards; ++i) {
        members += (i == 0 ? "\"c" : ", \"c") + std::to_string(i) + '"';
        const std::string key = "\"c" + std::to_string((140 + i * 53) % kCards) + '"';
        if (i % 7 == 0) continue;
        keys += (keys.empty() ? "" : ", ") + key + ": true";
        std::string& some = i % 3 == 0 ? held : left;
        some += (some.empty() ? "" : ",") + key + (i % 3 == 0 ? ":true" : ":1");
    }
    Board board("\"Card\": [" + members + "], \"Suit\": [\"red\", \"blue\", \"none\"]",
                R"("constants": {"tops": {"red": {"c61": true, "c9": true}, "blue": {)" + keys +
                    R"(}}}, "shape": {"led": "Suit", "hand": {"$:Card": true}},
                    "play": [{"condition": {"led": "$S", "tops": {"$S": {"$C": true}}, "hand": {"$C": "@absent"}},
                              "action": {"out": {"$C": 1}}}])");
    const auto out = [&](const std::string& suit) {
        const std::string state =
            board.run(R"({"led": ")" + suit + R"(", "hand": {)" + held + "}}", 1).state;
        const std::size_t at = state.find("\"out\"");
        return at == std::string::npos ? "" : state.substr(at);
    };
    EXPECT_EQ(out("blue"), "\"out\":{" + left + "}}");
    EXPECT_EQ(out("red"), R"("out":{"c61":1,"c9":1}})");
    EXPECT_EQ(out("none"), "");
}

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

// Rules that put what they find into a set, all at once by machine code and one by one without it.

namespace {

// Seventy cards, which are two words of rows; as moves they come after two others.
std::string names(const std::string& first) {
    std::string all = first;
    for (int i = 0; i < 70; ++i)
        all += (all.empty() ? "\"c" : ", \"c") + std::to_string(i) + "\"";
    return "[" + all + "]";
}

constexpr const char* kFollowSuit = R"({
    "name": "follow", "condition": {"moves": "@absent", "led": "$L", "hand": {"$C": true},
                                    "red": {"$C": "$L"}},
    "action": {"moves": {"$C": true}}
})";
constexpr const char* kAnyCard = R"({
    "name": "any", "condition": {"moves": "@absent", "hand": {"$C": true}},
    "action": {"moves": {"$C": true}}
})";
constexpr const char* kOnceMore = R"({
    "name": "once-more", "condition": {"moves": "@absent", "hand": {"$C": true}},
    "action": {"moves": {"$C": true}}
})";

class Play {
  public:
    explicit Play(const std::string& rules)
        : loaded_(load_ruleset_text("play", R"({"types": {"Card": )" + names("") + R"(, "Move": )" +
                                                names(R"("pass", "show")") +
                                                R"(}, "constants": {"red": {"c1": true,
                "c63": true, "c64": true}}, "shape": {"hand": {"$:Card": true},
                "moves": {"$:Move": true}, "led": "bool", "n": "int"}, "moves": [)" +
                                                rules + "]}")),
          catalogue_(*loaded_.ruleset), module_(form::build(catalogue_)) {
        for (const form::Pass& pass : form::passes())
            for (form::Function& function : module_->functions)
                pass.run(*module_, function);
        code_ = x86::emit(*module_);
    }

    Made run(const std::string& from, const Budgets& budgets = {}) {
        Made walked = run_by(nullptr, from, budgets);
        if (code_ != nullptr) {
            EXPECT_EQ(run_by(code_.get(), from, budgets), walked) << "by machine code";
        }
        return walked;
    }

  private:
    Made run_by(const x86::Code* code, const std::string& from, const Budgets& budgets) {
        Sources sources;
        Diagnostics diagnostics;
        const auto document = read_json(sources, sources.add("state", from), diagnostics);
        State state = catalogue_.initial_state();
        EXPECT_TRUE(document && catalogue_.import(state, *document, diagnostics)) << from;
        Executor executor(*module_, budgets, code);
        Random random(1);
        const RunResult result = executor.run(catalogue_.group_id("moves"), state, random);
        Made made;
        made.state = write_json(state.export_document(), -1);
        made.add(result);
        return made;
    }

    Loaded loaded_;
    Catalogue catalogue_;
    std::unique_ptr<form::Module> module_;
    std::shared_ptr<const x86::Code> code_;
};

TEST(images, rows_of_all_words_come_to_be) {
    Play play(kAnyCard);
    const Made made = play.run(
        R"({"hand": {"c0": true, "c61": true, "c62": true, "c63": true, "c64": true, "c69": true}})");
    EXPECT_EQ(made.state,
              R"({"hand":{"c0":true,"c61":true,"c62":true,"c63":true,"c64":true,"c69":true},)"
              R"("moves":{"c0":true,"c61":true,"c62":true,"c63":true,"c64":true,"c69":true}})");
    EXPECT_EQ(made.matches, 6u);
    EXPECT_EQ(made.firings, 6u);
}

TEST(images, nothing_found_makes_nothing) {
    Play play(kAnyCard);
    EXPECT_EQ(play.run(R"({"hand": {}})").state, R"({"hand":{}})");
    EXPECT_EQ(play.run("{}").state, "{}");
    Play otherwise(R"({"condition": {"hand": {"$C": true}}, "action": {"moves": {"$C": true}},
                       "else": {"moves": {"pass": true}}})");
    EXPECT_EQ(otherwise.run(R"({"hand": {}})").state, R"({"hand":{},"moves":{"pass":true}})");
    EXPECT_EQ(otherwise.run(R"({"hand": {"c3": true}})").state,
              R"({"hand":{"c3":true},"moves":{"c3":true}})");
}

TEST(images, rows_are_added_to_those_that_are_there) {
    Play play(R"({"condition": {"hand": {"$C": true}}, "action": {"moves": {"$C": true}}})");
    EXPECT_EQ(
        play.run(R"({"n": 1, "moves": {"show": true, "c4": true}, "hand": {"c3": true}})").state,
        R"({"n":1,"moves":{"show":true,"c3":true,"c4":true},"hand":{"c3":true}})");
}

// A rule that has matched skips the rules that need `moves` to be absent, and no others.
TEST(images, rules_behind_a_match_are_left_out_if_they_cannot_match) {
    const std::string count =
        R"({"name": "count", "condition": {"moves": {"$M": true}}, "action": {"n": "$this + 1"}})";
    const std::string otherwise =
        R"({"name": "other", "condition": {"moves": "@absent"}, "action": {"n": 7}, "else": {"n": 3}})";
    Play play(std::string(kFollowSuit) + "," + kAnyCard + "," + otherwise + "," + kOnceMore + "," +
              count);
    EXPECT_EQ(play.run(R"({"led": true, "hand": {"c1": true, "c2": true, "c64": true}})").state,
              R"({"led":true,"hand":{"c1":true,"c2":true,"c64":true},)"
              R"("moves":{"c1":true,"c64":true},"n":5})");
    EXPECT_EQ(play.run(R"({"led": true, "hand": {"c2": true}})").state,
              R"({"led":true,"hand":{"c2":true},"moves":{"c2":true},"n":4})");
    EXPECT_EQ(play.run(R"({"hand": {}})").state, R"({"hand":{},"n":7})");
}

TEST(images, bounds_end_a_run_in_the_middle) {
    Play play(kAnyCard);
    const std::string from = R"({"hand": {"c0": true, "c1": true, "c69": true}})";
    Budgets budgets;
    budgets.firings = 2;
    const Made fired = play.run(from, budgets);
    EXPECT_EQ(fired.error, "budget: firings in any");
    EXPECT_EQ(fired.state,
              R"({"hand":{"c0":true,"c1":true,"c69":true},"moves":{"c0":true,"c1":true}})");
    budgets = {};
    budgets.matches_per_rule = 2;
    const Made matched = play.run(from, budgets);
    EXPECT_EQ(matched.error, "budget: matches in any");
    EXPECT_EQ(matched.state, R"({"hand":{"c0":true,"c1":true,"c69":true}})");
    budgets.matches_per_rule = 3;
    budgets.firings = 3;
    EXPECT_EQ(play.run(from, budgets).error, "");
}

// Three rules test `led` before anything else: if none of them takes its value, they are skipped
// together, but not the rules around them.
TEST(guards, rules_that_all_fail_are_left_out_together) {
    const auto rule = [](const std::string& name, const std::string& condition,
                         const std::string& action) {
        return R"({"name": ")" + name + R"(", "condition": {)" + condition + R"(}, "action": {)" +
               action + "}}";
    };
    const std::string first = rule("first", R"("led": "@absent")", R"("n": "$this + 1")");
    const std::string a = rule("a", R"("led": true, "hand": {"c1": true})", R"("n": "$this + 10")");
    const std::string b = rule("b", R"("led": true)", R"("n": "$this + 100", "led": false)");
    const std::string c = rule("c", R"("led": false)", R"("n": "$this + 1000")");
    const std::string last = rule("last", R"("hand": {"c2": true})", R"("n": "$this + 10000")");
    Play play(first + "," + a + "," + b + "," + c + "," + last);
    EXPECT_EQ(play.run(R"({"n": 0, "hand": {"c1": true, "c2": true}})").state,
              R"({"n":10001,"hand":{"c1":true,"c2":true}})");
    EXPECT_EQ(play.run(R"({"n": 0, "led": true, "hand": {"c1": true}})").state,
              R"({"n":1110,"led":false,"hand":{"c1":true}})");
    EXPECT_EQ(play.run(R"({"n": 0, "led": false, "hand": {"c2": true}})").state,
              R"({"n":11000,"led":false,"hand":{"c2":true}})");
}

// The second rule acts if it does not match.
TEST(guards, rules_with_something_else_to_do_are_not_left_out) {
    Play play(R"({"condition": {"led": true}, "action": {"n": 1}},
                 {"condition": {"led": true}, "action": {"n": 2}, "else": {"n": 3}},
                 {"condition": {"led": true}, "action": {"n": "$this + 4"}},
                 {"condition": {"led": true}, "action": {"n": "$this + 8"}},
                 {"condition": {"led": true}, "action": {"n": "$this + 16"}})");
    EXPECT_EQ(play.run(R"({"n": 0, "led": false})").state, R"({"n":3,"led":false})");
    EXPECT_EQ(play.run(R"({"n": 0, "led": true})").state, R"({"n":30,"led":true})");
    EXPECT_EQ(play.run(R"({"n": 0})").state, R"({"n":3})");
}

} // namespace

// Actions that remove several fields of the root, by machine code and without it.

namespace {

constexpr const char* kErasing = R"({
    "types": {"Card": 40},
    "shape": {"a": "0..9", "b": "0..9", "c": "int", "d": {"$:Card": true}, "e": "bool",
              "f": {"x": "0..9", "y": "0..9"}, "g": "0..9", "h": "0..9", "i": "0..9", "j": "0..9"},
    "play": [
        {"name": "end", "condition": {"a": {}},
         "action": {"a": "@remove", "c": "@remove", "d": "@remove", "f": "@remove", "j": "@remove"}},
        {"name": "again", "condition": {"g": {}, "h": "@absent"},
         "action": {"g": "@remove", "b": "@remove", "a": 3, "e": "@remove", "h": 1}}
    ]
})";

// The state after the rules.
std::string played(const Program& program, const std::string& from, bool by_code) {
    Sources sources;
    Diagnostics diagnostics;
    const auto document = read_json(sources, sources.add("state", from), diagnostics);
    State state = program.catalogue().initial_state();
    EXPECT_TRUE(document && state.import(*document, diagnostics)) << from;
    Machine machine(program);
    machine.use_code(by_code);
    Random random(1);
    EXPECT_EQ(machine.run(program.catalogue().group_id("play"), state, random).error, nullptr);
    return write_json(state.export_document(), -1);
}

TEST(erasures, of_several_fields_leave_the_others_in_their_order) {
    const Loaded loaded = load_ruleset_text("test", kErasing);
    ASSERT_TRUE(loaded.ruleset);
    const Program program(*loaded.ruleset);
    const auto expect = [&](const std::string& from, const std::string& left) {
        EXPECT_EQ(played(program, from, true), left) << from;
        EXPECT_EQ(played(program, from, false), left) << from;
    };
    expect(R"({"a": 1})", "{}");
    expect(R"({"b": 1, "a": 1, "i": 2})", R"({"b":1,"i":2})");
    expect(R"({"j": 1, "i": 2, "f": {"y": 1}, "h": 3, "d": {"7": true, "39": true}, "e": true,
               "c": -5, "b": 4, "a": 0})",
           R"({"i":2,"h":3,"e":true,"b":4})");
    expect(R"({"a": 1, "c": 1, "d": {}, "f": {}, "j": 1, "b": 1, "e": false, "i": 1, "h": 1})",
           R"({"b":1,"e":false,"i":1,"h":1})");
    expect(R"({"e": true, "g": 1, "i": 2, "b": 3})", R"({"i":2,"a":3,"h":1})");
    expect(R"({"i": 2, "b": 3})", R"({"i":2,"b":3})");
}

// Maps of bytes are counted sixteen at a time; bytes next to them are not counted.
TEST(sizes, of_maps_of_any_number_of_rows) {
    for (const int rows : {1, 2, 15, 16, 17, 31, 32, 33, 53, 64, 65, 100}) {
        const Loaded loaded =
            load_ruleset_text("test", R"x({"types": {"Slot": )x" + std::to_string(rows) +
                                          R"x(, "Card": 3, "Seat": ["A", "B", "C"]},
            "shape": {"before": {"$:Slot": "Card"}, "row": {"$:Slot": "Card"}, "after": {"$:Slot": "Card"},
                "rows": {"$:Seat": {"$:Slot": "Card"}}, "n": {"$:Seat": "int"}, "all": "int", "none": "int"},
            "play": [{"action": {"all": "= size(row)"}}, {"action": {"none": "= size(after)"}},
                     {"condition": {"rows": {"$P": {}}}, "action": {"n": {"$P": "= size(rows.$P)"}}}]})x");
        ASSERT_TRUE(loaded.ruleset) << rows;
        const Program program(*loaded.ruleset);
        for (const bool sparse : {false, true}) {
            std::string row;
            int count = 0;
            for (int i = 0; i < rows; ++i) {
                if (!sparse || i == 0 || i + 1 == rows || i % 7 == 3) {
                    row += (row.empty() ? "\"" : ",\"") + std::to_string(i) + "\":2";
                    ++count;
                }
            }
            const std::string from = R"({"before":{"0":1},"row":{)" + row +
                                     R"(},"rows":{"A":{"0":1},"B":{)" + row + "}}";
            const std::string n = std::to_string(count);
            const std::string left =
                from + R"(,"all":)" + n + R"(,"none":0,"n":{"A":1,"B":)" + n + "}}";
            EXPECT_EQ(played(program, from + "}", true), left) << rows;
            EXPECT_EQ(played(program, from + "}", false), left) << rows;
        }
    }
}

} // namespace

} // namespace croupier::engine
