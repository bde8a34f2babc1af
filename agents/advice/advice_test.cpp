// Tables of advice: how they are read, what is wrong with them, and single positions of the king
// and rook endgame.
#include "agents/advice/advice_agent.h"
#include "agents/advice/search.h"
#include "agents/game_runner.h"
#include "agents/registry.h"
#include "engine/api/ruleset.h"
#include "engine/api/run.h"
#include "engine/api/text.h"
#include "games/testing/testing.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

namespace croupier::agents::advice {
namespace {

using games::open_for_test;

// ---- formulas ----------------------------------------------------------------------------------

std::string shown(const Formula& formula) {
    constexpr std::array<const char*, 6> kWords = {"", "", "not", "and", "or", "then"};
    if (formula.op == Formula::Op::Name) return formula.name;
    if (formula.op == Formula::Op::Depth) return "d" + std::to_string(formula.depth);
    std::string text = std::string("(") + kWords[static_cast<std::size_t>(formula.op)];
    for (const Formula& part : formula.parts)
        text += " " + shown(part);
    return text + ")";
}

std::string parsed(const std::string& text) {
    engine::Sources sources;
    engine::Diagnostics diagnostics;
    sources.add("formula", '"' + text + '"');
    const auto span = engine::Span{0, 0, static_cast<std::uint32_t>(text.size() + 2)};
    const auto formula = parse_formula({sources, text, span}, diagnostics);
    if (formula) return shown(*formula);
    const engine::Diagnostic first = diagnostics.sorted().at(0);
    return sources.place(first.span) + " " + first.message;
}

TEST(formula, not_binds_tightest_then_and_then_or_then_then) {
    EXPECT_EQ(parsed("not a and b or c then d"), "(then (or (and (not a) b) c) d)");
    EXPECT_EQ(parsed("a and (b or not c)"), "(and a (or b (not c)))");
    EXPECT_EQ(parsed("depth = 0 and legal then depth <= 2 and check-move"),
              "(then (and d0 legal) (and d2 check-move))");
}

TEST(formula, connectives_may_be_russian) {
    EXPECT_EQ(parsed("не a и b или c затем d"), "(then (or (and (not a) b) c) d)");
    EXPECT_EQ(parsed("мат и не пат"), "(and мат (not пат))");
    EXPECT_EQ(parsed("a и"), "formula:1:1 expected a name, found the end");
}

TEST(formula, mistakes_have_their_place) {
    EXPECT_EQ(parsed("a and"), "formula:1:1 expected a name, found the end");
    EXPECT_EQ(parsed("a b"), "formula:1:4 expected and, or, then, or the end, found 'b'");
    EXPECT_EQ(parsed("(a or b"), "formula:1:1 expected ), found the end");
    EXPECT_EQ(parsed("depth 3"), "formula:1:8 expected =, <, <=, > or >= after depth, found '3'");
    EXPECT_EQ(parsed(std::string(100, '(') + "a"),
              "formula:1:66 this is nested too deep, found '('");
}

TEST(forcing_tree, is_written_as_moves_and_replies_and_cut_where_it_fails) {
    using Kind = ForcingTree::Kind;
    ForcingTree tree;
    const auto root = tree.add(ForcingTree::kNone, 0, Kind::Ours);
    const auto reply = tree.add(root, 1, Kind::Theirs);
    tree.add(reply, 2, Kind::Leaf);
    const std::size_t size = tree.size();
    const auto bad = tree.add(reply, 3, Kind::Ours);
    tree.add(bad, 4, Kind::Leaf);
    tree.cut(size, reply);
    tree.add(reply, 5, Kind::Leaf);
    const auto name = [](games::Move move) {
        return std::string(1, static_cast<char>('a' + move));
    };
    EXPECT_EQ(tree.text(name), "b {c *; f *}");
    EXPECT_EQ(tree.after(reply, 3), ForcingTree::kNone);
    EXPECT_EQ(tree.move(tree.after(reply, 5)), 5U);
}

// ---- reading -----------------------------------------------------------------------------------

// A table for krk, or what is wrong with it: "E0713 nothing is defined as .."
std::string reading(const std::string& table, const std::string& game = "krk") {
    const auto played = open_for_test(game);
    const engine::FileOpener files = games::test_opener();
    const auto open = [&](const std::string& path) {
        return path == "table.json" ? engine::FileText{table, {}} : files(path);
    };
    const OpenedTable opened = open_table("table.json", open, *played->ruleset_game());
    EXPECT_EQ(opened.table == nullptr, opened.diagnostics.has_errors());
    std::string text;
    for (const engine::Diagnostic& each : opened.diagnostics.sorted())
        text +=
            each.code + " " + each.message + (each.hint.empty() ? "" : " - " + each.hint) + "\n";
    return text;
}

std::string table_of(const std::string& parts) {
    return R"({"game": "krk", "define": {"mate": {"end": "mate"}, "lost": {"wr": "@absent"}},
               "rules": [{"name": "all", "if": "true", "try": ["win"]}], )" +
           parts + "}";
}

TEST(table, a_good_one_has_nothing_to_say) {
    EXPECT_EQ(reading(table_of(
                  R"("advice": {"win": {"goal": "mate", "hold": "not lost", "us": "depth < 1"}})")),
              "");
}

TEST(table, unknown_names_come_with_the_nearest) {
    EXPECT_EQ(reading(table_of(R"("advice": {"win": {"goal": "mat", "us": "depth < 1"}})")),
              "E0713 nothing is defined as \"mat\" - did you mean \"mate\"?\n");
    EXPECT_EQ(
        reading(table_of(R"("advice": {"win": {"goal": "mate", "us": "depth < 1 and legl"}})")),
        "E0713 nothing is defined as \"legl\" - did you mean \"legal\"?\n");
    EXPECT_EQ(reading(table_of(R"("advice": {"wim": {"goal": "mate", "us": "depth < 1"}})")),
              "E0713 there is no advice \"win\" - did you mean \"wim\"?\n"
              "W0712 no rule tries the advice wim\n");
    EXPECT_EQ(reading(table_of(R"("advice": {"win": {"gaol": "mate"}})")),
              "E0712 advice has no key \"gaol\" - did you mean \"goal\"?\n");
}

TEST(table, an_included_table_keeps_its_moves) {
    const auto played = open_for_test("krk");
    const engine::FileOpener files = games::test_opener();
    const std::string below = table_of(R"("moves": {"ours": "legal", "both": "legal"},
        "advice": {"win": {"goal": "mate", "us": "depth < 1 and ours and both and more"}})");
    const engine::FileOpener open = [&](const std::string& path) {
        return path == "below.json" ? engine::FileText{below, {}}
               : path == "table.json"
                   ? engine::FileText{R"({"@include": "below.json", "game": "krk",
                        "define": {"never": "not mate and mate"},
                        "moves": {"more": "legal", "both": "never"}})",
                                      {}}
                   : files(path);
    };
    const OpenedTable opened = open_table("table.json", open, *played->ruleset_game());
    std::string said;
    for (const engine::Diagnostic& each : opened.diagnostics.sorted())
        said += each.code + " " + each.message + "\n";
    EXPECT_NE(opened.table, nullptr) << said;
    EXPECT_EQ(said, "");
}

TEST(table, names_may_be_in_any_script) {
    const std::string cyrillic = "\xD0\xBC\xD0\xB0\xD1\x82"; // mat, in three letters
    EXPECT_EQ(reading(table_of(R"("patterns": {}, "moves": {"все-ходы": "legal"},
                                  "advice": {"win": {"goal": "mate", "us": "depth < 1 and все-ходы"}})")),
              "");
    EXPECT_EQ(reading(table_of(R"("advice": {"win": {"goal": ")" + cyrillic +
                               R"(", "us": "depth < 1"}})")),
              "E0713 nothing is defined as \"" + cyrillic + "\" - known are mate, lost, true\n");
    EXPECT_EQ(reading(table_of("\"advice\": {\"win\": {\"goal\": \"mate\xD0\"}}")).substr(0, 6),
              "E0006 ");
}

TEST(table, what_is_missing_or_odd_is_said) {
    EXPECT_EQ(reading(R"({"game": "belote"})"),
              "E0701 this is for belote, and krk is played - take a file that was written for the "
              "game\n");
    EXPECT_EQ(reading(table_of(R"("advice": {"win": {"us": "depth < 1"}})")),
              "E0712 the advice win has no goal\n");
    EXPECT_EQ(reading(table_of(R"("moves": {"a": "b", "b": "a"},
                                  "advice": {"win": {"goal": "mate", "us": "depth < 1 and a"}})")),
              "E0714 these names mean each other in a circle: a -> b -> a\n");
    EXPECT_EQ(reading(table_of(R"("advice": {"win": {"goal": "mate then lost", "us": "none"}})")),
              "E0715 a goal holds or not: then orders moves - join goals by and, or, not\n");
    EXPECT_EQ(reading(table_of(R"("shape": {"wk": "int"},
                                  "advice": {"win": {"goal": "mate", "us": "none"}})")),
              "E0716 the game has a node \"wk\" already\n");
    EXPECT_EQ(
        reading(table_of(R"("side": "X", "advice": {"win": {"goal": "mate", "us": "none"}})")),
        "E0712 there is no player \"X\" - the players are W, B\n");
}

TEST(table, an_advice_without_a_bound_is_warned_about) {
    EXPECT_EQ(
        reading(table_of(R"("advice": {"win": {"goal": "mate", "hold": "not lost"}})")),
        "W0711 nothing bounds the advice win; it looks 64 plies ahead and no further - say how "
        "far it looks: \"depth < 3 and ..\" in us or them, or \"plies\": 12\n");
    EXPECT_EQ(reading(table_of(R"("advice": {"win": {"goal": "mate", "plies": 5}})")), "");
    EXPECT_EQ(reading(table_of(R"("advice": {"win": {"goal": "mate", "them": "none"}})")), "");
}

TEST(table, a_game_must_list_its_moves_and_hide_nothing) {
    EXPECT_EQ(reading("{}", "belote"),
              "E0715 advice looks ahead, and belote hides things from its players\n");
}

// ---- single positions --------------------------------------------------------------------------

class Krk : public ::testing::Test {
  protected:
    const std::shared_ptr<const games::Game> game_ = open_for_test("krk");

    std::shared_ptr<const AdviceTable> table(const std::string& path) const {
        const OpenedTable opened = open_table(path, games::test_opener(), *game_->ruleset_game());
        for (const engine::Diagnostic& each : opened.diagnostics.sorted())
            ADD_FAILURE() << engine::format(each, opened.sources);
        return opened.table;
    }

    // "advice: tree" for White to move.
    std::string says(const std::string& name, const std::string& wk, const std::string& wr,
                     const std::string& bk, std::vector<std::string>* explained = nullptr) const {
        Strategy strategy(table("games/krk/advice/" + name + ".json"), {.explain = true});
        const auto position = open_for_test("krk", {{"wk", wk}, {"wr", wr}, {"bk", bk}});
        const auto start = position->new_position();
        games::Random chance;
        start->start(chance);
        EXPECT_EQ(start->ending(), games::Ending::None) << start->fault().what;
        strategy.look(*start);
        const Decision& decision = strategy.decide(0);
        if (explained != nullptr) *explained = strategy.explain();
        if (!decision.found()) return "none";
        return strategy.table().advice()[decision.advice].name + ": " + strategy.tree_text();
    }
};

TEST_F(Krk, kings_moves_come_first_so_a_mate_in_one_may_take_two) {
    EXPECT_EQ(says("fixed", "f6", "a7", "h8"), "mate_in_2: Kf6g6 {kh8g8 Ra7a8 *}");
    // Ra8 mates at once.
    EXPECT_EQ(says("fixed", "g6", "a1", "h8"), "mate_in_2: Kg6f7 {kh8h7 Ra1h1 *}");
}

TEST_F(Krk, the_published_table_stalemates_a_king_in_the_corner) {
    EXPECT_EQ(says("published", "a3", "b2", "a1"), "keeproom: Ka3b3 *");
    EXPECT_NE(says("fixed", "a3", "b2", "a1"), "keeproom: Ka3b3 *");
}

TEST_F(Krk, three_moves_to_divide_are_needed_in_the_longest_root) {
    std::vector<std::string> lines;
    EXPECT_EQ(says("fixed", "a1", "d4", "c3", &lines).substr(0, 13), "divide_in_3: ");
    ASSERT_EQ(lines.size(), 7U);
    EXPECT_EQ(lines[0], "rule else_rule");
    EXPECT_EQ(lines[1].substr(0, 12), "not squeeze ");
    EXPECT_EQ(lines[5].substr(0, 20), "advice divide_in_3 (");
    EXPECT_EQ(lines[6].substr(0, 5), "tree ");
}

TEST_F(Krk, why_advice_cannot_be_followed_is_told_by_what_does_not_hold) {
    std::vector<std::string> lines;
    says("fixed", "a1", "d4", "c3", &lines);
    EXPECT_NE(lines[1].find("at depth 1"), std::string::npos) << lines[1];
    EXPECT_NE(lines[1].find("hold"), std::string::npos) << lines[1];
}

// ---- the agent ---------------------------------------------------------------------------------

class AdvicePlays : public Krk {
  protected:
    std::unique_ptr<Agent> make(const std::string& spec) const {
        MadeAgent made = make_agent(parse_agent_spec(spec), {*game_, games::test_opener()});
        EXPECT_NE(made.agent, nullptr) << made.error;
        return std::move(made.agent);
    }
};

class Lines : public engine::Log {
  public:
    void line(const std::string& text) override { all.push_back(text); }
    std::vector<std::string> all;
};

TEST_F(AdvicePlays, a_random_defender_is_always_mated) {
    const auto white = make("advice:fixed");
    const auto black = make("random");
    const std::array<Agent*, 2> agents{white.get(), black.get()};
    GameRunner table(*game_);
    std::uint64_t moves = 0;
    constexpr std::uint64_t kGames = 60;
    for (std::uint64_t deal = 0; deal < kGames; ++deal) {
        const games::Position& end = table.play(agents, {.seed = 3, .deal = deal});
        ASSERT_FALSE(table.fault()) << table.fault()->fault.what;
        EXPECT_EQ(end.score(0), 1) << "deal " << deal;
        moves += (end.plies() + 1) / 2;
    }
    // 12.36 on average over all positions, with a deviation of 4.08: five errors of the mean.
    EXPECT_NEAR(static_cast<double>(moves) / kGames, 12.36, 5 * 4.08 / 7.7);
}

// A table that leaves decisions to others is followed like these: those for the other side, and
// those without advice, are passed over.
TEST_F(AdvicePlays, a_table_may_name_others_as_experts) {
    const engine::FileOpener files = games::test_opener();
    const std::string folder = "games/krk/advice/";
    std::map<std::string, std::string> written = {
        {"net", R"({"game": "krk", "shape": {"seen": "int"}, "derive": [{"action": {"seen": 1}}],
            "rules": [{"name": "all", "if": "true", "try": ["theirs", "mate", "rest"]}],
            "advice": {"theirs": {"table": "black"}, "mate": {"table": "mate.json"}, "rest": {"table": "fixed"}}})"},
        {"mate", R"({"@include": "fixed.json", "game": "krk",
            "rules": [{"name": "edge_rule", "if": "their_king_edge", "try": ["mate_in_2"]},
                      {"name": "else_rule", "@remove": true}]})"},
        {"black", R"({"@include": "fixed.json", "game": "krk", "side": "B",
            "rules": [{"name": "all", "if": "true", "try": ["mate_in_2"]}]})"}};
    const engine::FileOpener open = [&](const std::string& path) {
        const std::string name = path.substr(path.rfind('/') + 1);
        const auto own = written.find(name.substr(0, name.find('.')));
        return path.starts_with(folder) && own != written.end() ? engine::FileText{own->second, {}}
                                                                : files(path);
    };
    const auto strategy = [&](const std::string& name) {
        OpenedTable opened = open_table(folder + name + ".json", open, *game_->ruleset_game());
        for (const engine::Diagnostic& each : opened.diagnostics.sorted())
            if (each.severity == engine::Severity::Error)
                ADD_FAILURE() << engine::format(each, opened.sources);
        return std::make_unique<Strategy>(opened.table);
    };
    const auto net = strategy("net");
    const auto mate = strategy("mate");
    const auto rest = strategy("fixed");
    const auto position = game_->new_position();
    std::map<std::string, int> asked;
    for (std::uint64_t deal = 0; deal < 200; ++deal) {
        games::Random random = games::stream(1, deal, games::Purpose::Deal);
        position->start(random);
        for (const auto& each : {net.get(), mate.get(), rest.get()})
            each->look(*position);
        const bool mates = mate->decide(0).found();
        const Strategy& wanted = mates ? *mate : *rest;
        const Decision& of_rest = rest->decide(0);
        const Decision& found = net->decide(0);
        EXPECT_EQ(found.by, mates ? "mate/mate_in_2" : "rest/" + of_rest.by);
        EXPECT_EQ(net->tree_text(), wanted.tree_text()) << "deal " << deal;
        ++asked[found.by.substr(0, found.by.find('/'))];
    }
    EXPECT_GT(asked["mate"], 0);
    EXPECT_GT(asked["rest"], 100);

    const auto wrong = [&](const std::string& name) {
        const OpenedTable opened =
            open_table(folder + name + ".json", open, *game_->ruleset_game());
        return opened.diagnostics.sorted().front().code + " " +
               opened.diagnostics.sorted().front().message;
    };
    written["black"] = R"({"game": "krk", "rules": [{"name": "all", "if": "true", "try": ["back"]}],
        "advice": {"back": {"table": "net"}}})";
    EXPECT_EQ(wrong("black"),
              "E0712 the table games/krk/advice/net.json cannot be used: these tables "
              "name each other in a circle: games/krk/advice/black.json -> "
              "games/krk/advice/net.json -> games/krk/advice/black.json");
    written["black"] =
        R"({"game": "krk", "rules": [{"name": "all", "if": "true", "try": ["a", "b"]}],
        "advice": {"a": {"table": 3}, "b": {"table": "net", "goal": "true"}}})";
    EXPECT_EQ(wrong("black"), "E0712 expected the name of a table of advice");
    written["black"] = "{";
    EXPECT_TRUE(
        wrong("net").starts_with("E0712 the table games/krk/advice/black.json cannot be used: "));
}

TEST_F(AdvicePlays, it_asks_the_table_less_than_once_a_move) {
    const OpenedTable opened =
        open_table("games/krk/advice/fixed.json", games::test_opener(), *game_->ruleset_game());
    AdviceAgent white(opened.table, Otherwise::Fault, {}, true);
    Lines log;
    white.set_log(&log);
    const auto black = make("random");
    const std::array<Agent*, 2> agents{&white, black.get()};
    GameRunner table(*game_);
    std::uint64_t moves = 0;
    for (std::uint64_t deal = 0; deal < 20; ++deal)
        moves += (table.play(agents, {.seed = 4, .deal = deal}).plies() + 1) / 2;
    EXPECT_LT(white.decisions(), moves) << "the forcing tree is its memory";
    std::set<std::string> said;
    for (const std::string& line : log.all)
        said.insert(line.substr(0, line.find_last_of(' ')));
    EXPECT_TRUE(said.contains("W to move: the tree goes")) << log.all[0];
    EXPECT_TRUE(said.contains("W to move: asks the"));
}

TEST_F(AdvicePlays, at_a_loss_it_gives_up_or_does_as_it_was_told) {
    const std::string poor = table_of(R"("advice": {"win": {"goal": "mate", "us": "depth < 1"}})");
    const engine::FileOpener files = games::test_opener();
    const auto open = [&](const std::string& path) {
        return path == "poor.json" ? engine::FileText{poor, {}} : files(path);
    };
    const auto random = make("random");
    for (const bool goes_on : {false, true}) {
        MadeAgent made = make_agent(
            parse_agent_spec(goes_on ? "advice:poor.json,else=random" : "advice:poor.json"),
            {*game_, open});
        ASSERT_NE(made.agent, nullptr) << made.error;
        const std::array<Agent*, 2> agents{made.agent.get(), random.get()};
        GameRunner table(*game_);
        table.play(agents, {.seed = 1});
        EXPECT_EQ(table.fault().has_value(), !goes_on);
        EXPECT_EQ(made.agent->notes().empty(), !goes_on);
        const std::string what = goes_on ? "" : table.fault()->fault.what;
        EXPECT_EQ(what, goes_on ? "" : "none of the rule's advice can be followed");
    }
    MadeAgent made = make_agent(parse_agent_spec("advice:poor.json,else=resign"), {*game_, open});
    EXPECT_EQ(made.error, "advice: else is random, first or fault, found 'resign'");
}

} // namespace
} // namespace croupier::agents::advice
