// Specs, the random agent, and what a game runner shows to agents.
#include "agents/game_runner.h"
#include "agents/random/random_agent.h"
#include "agents/registry.h"
#include "engine/api/text.h"
#include "games/testing/testing.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cmath>
#include <map>

namespace croupier::agents {
namespace {

using games::open_for_test;

TEST(agents, spec_strings) {
    const auto parts = [](std::string_view text) {
        const AgentSpec spec = parse_agent_spec(text);
        return spec.name + "|" + spec.kind + "|" + spec.arguments;
    };
    EXPECT_EQ(parts("random"), "random|random|");
    EXPECT_EQ(parts("eval:depth=2"), "eval:depth=2|eval|depth=2");
    EXPECT_EQ(parts("Good=eval:depth=2"), "Good|eval|depth=2");
    EXPECT_EQ(parts("Good=random"), "Good|random|");
    EXPECT_EQ(parts("rules:a=b:c"), "rules:a=b:c|rules|a=b:c");
}

TEST(agents, a_comma_ends_a_spec_unless_an_option_follows) {
    const auto split = [](std::string_view text) {
        std::string joined;
        for (const std::string_view each : split_agent_specs(text))
            joined.append(each).append(";");
        return joined;
    };
    EXPECT_EQ(split("random"), "random;");
    EXPECT_EQ(split("random,random"), "random;random;");
    EXPECT_EQ(split("eval:depth=2,nodes=500,random"), "eval:depth=2,nodes=500;random;");
    EXPECT_EQ(split("A=eval:depth=1,B=mcts:playouts=9,explore=70,C=random"),
              "A=eval:depth=1;B=mcts:playouts=9,explore=70;C=random;");
    EXPECT_EQ(split("mcts:policy=random,playouts=5,Good=random"),
              "mcts:policy=random,playouts=5;Good=random;");
    EXPECT_EQ(split("advice:fixed,else=random,random"), "advice:fixed,else=random;random;");
    EXPECT_EQ(split("ismcts:playouts=9,bids=rules:table,eval,bids=rules:table"),
              "ismcts:playouts=9,bids=rules:table;eval;bids=rules:table;");
    EXPECT_EQ(split("ismcts:playouts=9,s=random"), "ismcts:playouts=9;s=random;");
    EXPECT_EQ(split("process:bot,else=(eval:depth=2,nodes=500),random"),
              "process:bot,else=(eval:depth=2,nodes=500);random;");
    EXPECT_EQ(split("process:a,else=(process:b,else=(eval:depth=1,nodes=2),move_ms=5),eval"),
              "process:a,else=(process:b,else=(eval:depth=1,nodes=2),move_ms=5);eval;");
    // Elsewhere, or unclosed, it is an ordinary character.
    EXPECT_EQ(split("process:f(a,random"), "process:f(a;random;");
    EXPECT_EQ(split("process:a,else=(eval,random"), "process:a,else=(eval;random;");
    EXPECT_EQ(split("random,,random"), "random;;random;"); // the empty one is a mistake later
}

TEST(agents, what_cannot_be_made_says_why) {
    const auto life = open_for_test("life");
    const auto exchange = open_for_test("exchange");
    const auto nim = open_for_test("nim");
    const auto made = [](const std::shared_ptr<const Game>& game, std::string_view spec) {
        return make_agent(parse_agent_spec(spec), {*game});
    };
    EXPECT_NE(made(life, "random").agent, nullptr);
    EXPECT_NE(made(life, "eval").agent, nullptr);
    EXPECT_NE(made(life, "mcts:playouts=3,nodes=10,explore=50").agent, nullptr);
    const auto error = [&](const std::shared_ptr<const Game>& game, std::string_view spec) {
        const MadeAgent agent = made(game, spec);
        EXPECT_EQ(agent.agent, nullptr) << spec;
        return agent.error;
    };
    EXPECT_EQ(error(life, "randm").find("there is no agent 'randm' (did you mean 'random'?)"), 0U);
    EXPECT_EQ(error(life, "random:3"), "random takes no arguments, found '3'");
    EXPECT_EQ(error(life, "eval:dept=3"),
              "eval has no option 'dept' (did you mean 'depth'?); it has depth, nodes, ms, resign");
    EXPECT_EQ(error(life, "eval:depth=0"), "eval: depth is a number from 1 to 64, found '0'");
    EXPECT_EQ(error(life, "eval:depth=2x"), "eval: depth is a number from 1 to 64, found '2x'");
    EXPECT_EQ(error(life, "eval:depth=1,depth=2").find("eval has no option 'depth'"), 0U);
    EXPECT_EQ(error(life, "eval:ms=5"), "eval: ms needs a clock, and there is none here");
    EXPECT_EQ(error(life, "mcts:playouts=5,ms=5"), "mcts: playouts or ms is the limit, not both");
    EXPECT_EQ(error(life, "mcts:policy=randm").find("mcts: policy: there is no agent 'randm'"), 0U);
    EXPECT_EQ(error(exchange, "eval").find("eval looks ahead, and exchange hides things"), 0U);
    EXPECT_EQ(error(exchange, "mcts").find("mcts plays the view to its end, and exchange hides"),
              0U);
    EXPECT_EQ(error(life, "pimc:ms=5"), "pimc: ms needs a clock, and there is none here");
    EXPECT_EQ(error(life, "pimc:policy=randm").find("pimc: policy: there is no agent 'randm'"), 0U);
    EXPECT_EQ(error(exchange, "pimc"),
              "pimc draws what is hidden, and exchange does not say how: its ruleset needs the "
              "groups unseen and restore");
    EXPECT_EQ(error(exchange, "ismcts").find("ismcts draws what is hidden, and exchange"), 0U);
    EXPECT_EQ(error(nim, "ismcts").find("ismcts knows moves by their number, and nim does not"),
              0U);
    EXPECT_EQ(error(nim, "eval"), "nim has no evaluation of its own, and none can be learnt from "
                                  "random games: name a file, as in eval:FILE");
}

// Two hundred choices per legal move; chi-square within five of its standard deviations.
TEST(random_agent, chooses_every_legal_move_as_often) {
    const auto game = open_for_test("life:torus");
    const auto position = game->new_position();
    Random deal(1);
    position->start(deal);
    RandomAgent agent;
    agent.reset(*game, 0);
    Random random(4);
    const std::size_t legal = position->move_count();
    const std::size_t rounds = 200;
    std::vector<int> count(legal);
    for (std::size_t i = 0; i < rounds * legal; ++i)
        ++count.at(agent.choose(*position, random));
    double chi_square = 0;
    for (const int each : count)
        chi_square += (each - 200.0) * (each - 200.0) / 200.0;
    const double freedom = static_cast<double>(legal) - 1;
    EXPECT_GT(legal, 50U);
    EXPECT_NEAR(chi_square, freedom, 5 * std::sqrt(2 * freedom));
}

// Chooses the first move, and records all that it is shown.
class Witness : public Agent {
  public:
    std::string seen;
    bool curious = true;

    void reset(const Game& game, Seat me) override {
        seen = "reset " + game.facts().players[me] + "\n";
    }
    std::size_t choose(const Position& view, Random&) override {
        seen += "choose " + games::json(view) + " of " + std::to_string(view.move_count()) + "\n";
        return 0;
    }
    [[nodiscard]] bool observes() const override { return curious; }
    void observe(const Position& view, const ObservedMove& move) override {
        seen += fmt::format("seat {} plays '{}' ({}){}: {}\n", move.player, move.move, move.number,
                            move.secret ? " in secret" : "", games::json(view));
    }
    void ends(const Position& view) override { seen += "end " + games::json(view) + "\n"; }
};

TEST(table, agents_see_their_views_and_no_secret_move) {
    const auto game =
        open_for_test("exchange", {{"deck", std::string("c9,c1,c8,c2,c7,c3,c6,c4,c5")}});
    GameRunner table(*game);
    std::array<Witness, 4> witnesses;
    witnesses[3].curious = false;
    const std::array<Agent*, 4> seated = {&witnesses[0], &witnesses[1], &witnesses[2],
                                          &witnesses[3]};
    const Position& end = table.play(seated, {.seed = 1});
    EXPECT_EQ(end.ending(), games::Ending::Over);
    EXPECT_EQ(end.score(0), 9);
    const std::string& b = witnesses[1].seen;
    EXPECT_TRUE(b.starts_with(
        "reset B\nseat 0 plays '' (0) in secret: "
        R"({"turn":"B","phase":"aside","hands":{"B":{"c2":true,"c8":true}},"secret":true,"aside":{}})"
        "\nchoose "))
        << b;
    EXPECT_NE(b.find("seat 1 plays 'c2' (1) in secret"), std::string::npos) << "it knows its own";
    EXPECT_NE(witnesses[0].seen.find("seat 1 plays '' (0) in secret"), std::string::npos);
    EXPECT_NE(b.find("seat 0 plays 'c9' (8):"), std::string::npos) << "what is played is open";
    EXPECT_EQ(b.find("c1\""), std::string::npos) << "what A put aside is never seen";
    EXPECT_EQ(b.find("c5"), std::string::npos) << "nor is the stock";
    const std::string last = witnesses[1].seen.substr(b.find("\nend "));
    EXPECT_NE(last.find("\"over\":true"), std::string::npos) << last;
    EXPECT_EQ(witnesses[3].seen.find("plays"), std::string::npos);
    EXPECT_EQ(witnesses[3].seen.find("end "), std::string::npos) << "who does not ask is not told";
}

// Picks the last move; fails if it is shown a view.
class Blind : public Agent {
  public:
    std::vector<std::size_t> counts;

    void reset(const Game&, Seat) override {}
    std::size_t choose(const Position&, Random&) override {
        ADD_FAILURE() << "a view was made for who does not look";
        return 0;
    }
    [[nodiscard]] bool needs_view() const override { return false; }
    std::size_t choose_by_count(std::size_t moves, Random&) override {
        counts.push_back(moves);
        return moves - 1;
    }
};

TEST(table, who_does_not_look_is_told_how_many_moves_there_are) {
    struct Hear : Listener {
        std::vector<std::size_t> counts;
        void moves(const Position& before, Move move) override {
            counts.push_back(before.move_count());
            EXPECT_EQ(move, before.move(before.move_count() - 1));
        }
    } hear;
    const auto game = open_for_test("exchange");
    GameRunner table(*game);
    Blind blind;
    const std::array<Agent*, 4> seated = {&blind, &blind, &blind, &blind};
    EXPECT_EQ(table.play(seated, {.seed = 1}, &hear).ending(), games::Ending::Over);
    EXPECT_EQ(blind.counts, hear.counts);
    EXPECT_GT(blind.counts.size(), 4U);
}

TEST(random_agent, chooses_the_same_without_a_view) {
    const auto game = open_for_test("life:torus");
    const auto position = game->new_position();
    Random deal(1);
    position->start(deal);
    RandomAgent agent;
    Random choosing(4);
    Random unseen(4);
    const std::size_t moves = position->move_count();
    for (int i = 0; i < 100; ++i)
        ASSERT_EQ(agent.choose(*position, choosing), agent.choose_by_count(moves, unseen));
}

TEST(table, the_key_decides_the_game) {
    const auto game = open_for_test("exchange");
    GameRunner table(*game);
    RandomAgent agent;
    const std::array<Agent*, 4> seated = {&agent, &agent, &agent, &agent};
    const auto play = [&](const GameKey& key) { return games::json(table.play(seated, key)); };
    const std::string first = play({1, 0, 0});
    EXPECT_EQ(play({1, 0, 0}), first);
    std::map<std::string, int> seen;
    for (std::uint64_t i = 0; i < 10; ++i) {
        ++seen[play({2, i, 0})];
        ++seen[play({3, 0, i})];
    }
    EXPECT_GT(seen.size(), 12U);
    // The rounds of a deal have the same stock.
    const auto stock = [&](const GameKey& key) {
        return engine::write_json(table.play(seated, key).state().find("stock")->value, -1);
    };
    EXPECT_EQ(stock({1, 5, 0}), stock({1, 5, 1}));
    EXPECT_EQ(stock({1, 5, 0}), stock({1, 5, 2}));
}

// Resigns at its second move.
class Quitter : public Agent {
  public:
    AgentFault why{FaultKind::Crash, "gone"};
    int moves = 0;
    int ended = 0;

    void reset(const Game&, Seat) override { moves = 0; }
    std::size_t choose(const Position&, Random&) override { return moves++ == 0 ? 0 : kNoChoice; }
    [[nodiscard]] bool observes() const override { return true; }
    void ends(const Position&) override { ++ended; }
    [[nodiscard]] const AgentFault* fault() const override { return &why; }
};

TEST(table, a_fault_ends_the_game_and_nothing_else) {
    struct Hear : Listener {
        std::string heard;
        void faults(const Position& at, const AgentFault& fault) override {
            heard += std::to_string(at.plies()) + std::string(name_of(fault.kind)) + fault.what;
        }
        void ends(const Position&) override { heard += " end"; }
    } hear;
    const auto game = open_for_test("exchange");
    GameRunner table(*game);
    RandomAgent agent;
    Quitter quitter;
    std::array<Agent*, 4> seated = {&agent, &agent, &quitter, &agent};
    const Position& end = table.play(seated, {.seed = 1}, &hear);
    EXPECT_EQ(end.ending(), games::Ending::None);
    ASSERT_TRUE(table.fault());
    EXPECT_EQ(table.fault()->seat, 2U);
    EXPECT_EQ(table.fault()->fault.what, "gone");
    EXPECT_EQ(hear.heard, std::to_string(end.plies()) + "crashgone end");
    EXPECT_EQ(quitter.ended, 0) << "it is not there any more";
    // The next game is not affected.
    seated[2] = &agent;
    EXPECT_EQ(table.play(seated, {.seed = 1}).ending(), games::Ending::Over);
    EXPECT_FALSE(table.fault());
}

// Makes the first move; from its n-th move on it resigns, or offers a draw with it.
class Negotiator : public Agent {
  public:
    int resigns_at = 1000;
    int offers_from = 1000;
    int offers_until = 1000;
    int moves = 0;
    std::string heard;

    void reset(const Game&, Seat) override {
        moves = 0;
        heard.clear();
    }
    std::size_t choose(const Position&, Random&) override {
        return ++moves >= resigns_at ? kResigns : 0;
    }
    [[nodiscard]] bool offers_draw() const override {
        return moves >= offers_from && moves < offers_until;
    }
    [[nodiscard]] bool observes() const override { return true; }
    void observe(const Position&, const ObservedMove& seen) override {
        heard += seen.draw ? "!" : ".";
    }
    void judged(const Verdict& verdict) override { heard += name_of(verdict.kind); }
    void ends(const Position&) override { heard += " end"; }
};

TEST(table, who_resigns_comes_last_and_its_partner_too) {
    const auto game = open_for_test("exchange"); // A and C against B and D, two moves each
    GameRunner table(*game);
    RandomAgent agent;
    Negotiator quits;
    quits.resigns_at = 2;
    const std::array<Agent*, 4> seated = {&agent, &agent, &quits, &agent};
    const Position& end = table.play(seated, {.seed = 1});
    EXPECT_EQ(end.ending(), games::Ending::None);
    EXPECT_FALSE(table.fault());
    ASSERT_TRUE(table.verdict());
    EXPECT_EQ(table.verdict()->kind, Verdict::Kind::Resigned);
    EXPECT_EQ(table.verdict()->seat, 2U);
    EXPECT_EQ(quits.heard.substr(quits.heard.size() - 12), "resigned end");
    games::Facts facts = game->facts();
    facts.teams.clear();
    std::string alone;
    for (Seat seat = 0; seat < 4; ++seat)
        alone += std::to_string(place_after(*table.verdict(), facts, seat));
    EXPECT_EQ(alone, "1141");
    facts.teams = {{"one", {0, 2}}, {"other", {1, 3}}};
    std::string partners;
    for (Seat seat = 0; seat < 4; ++seat)
        partners += std::to_string(place_after(*table.verdict(), facts, seat));
    EXPECT_EQ(partners, "2121");
}

TEST(table, a_draw_takes_an_offer_of_every_side_that_still_stands) {
    const auto game = open_for_test("life");
    GameRunner table(*game);
    Negotiator black;
    Negotiator white;
    const std::array<Agent*, 2> seated = {&black, &white};
    black.offers_from = 3;
    white.offers_from = 5;
    // Black's fifth move has its offer, which white's fifth move answers.
    const Position& end = table.play(seated, {.seed = 1});
    ASSERT_TRUE(table.verdict());
    EXPECT_EQ(table.verdict()->kind, Verdict::Kind::Agreed);
    EXPECT_EQ(end.plies(), 9U) << "the move with the last offer is not made";
    EXPECT_EQ(white.heard, "....!.!.!agreed end");
    EXPECT_EQ(place_after(*table.verdict(), game->facts(), 0), 1U);
    EXPECT_EQ(place_after(*table.verdict(), game->facts(), 1), 1U);
    // An offer that its side does not repeat is void.
    black.offers_until = 5;
    table.set_cut(30);
    EXPECT_EQ(table.play(seated, {.seed = 1}).plies(), 30U);
    EXPECT_EQ(table.verdict()->kind, Verdict::Kind::Cut);
}

TEST(table, a_game_can_be_cut_and_broken_off) {
    const auto game = open_for_test("life", {{"max_plies", std::int64_t{6}}});
    GameRunner table(*game);
    RandomAgent agent;
    const std::array<Agent*, 2> seated = {&agent, &agent};
    table.set_cut(6);
    EXPECT_EQ(table.play(seated, {}).ending(), games::Ending::Unfinished) << "the game's own limit";
    EXPECT_FALSE(table.verdict());
    table.set_cut(5);
    EXPECT_EQ(table.play(seated, {}).plies(), 5U);
    ASSERT_TRUE(table.verdict());
    EXPECT_EQ(table.verdict()->kind, Verdict::Kind::Cut);
    EXPECT_FALSE(table.abandoned());
    std::atomic<bool> abandon = true;
    table.set_abandon(&abandon);
    EXPECT_EQ(table.play(seated, {}).plies(), 0U);
    EXPECT_TRUE(table.abandoned());
    abandon = false;
    table.set_cut(0);
    table.play(seated, {});
    EXPECT_FALSE(table.abandoned());
    EXPECT_FALSE(table.verdict());
}

TEST(table, a_listener_hears_of_every_move) {
    struct Count : Listener {
        int begun = 0;
        int before = 0;
        int after = 0;
        int ended = 0;
        void begins(const Position&) override { ++begun; }
        void moves(const Position&, Move) override { ++before; }
        void moved(const Position&) override { ++after; }
        void ends(const Position&) override { ++ended; }
    } count;
    const auto game = open_for_test("exchange");
    GameRunner table(*game);
    RandomAgent agent;
    const std::array<Agent*, 4> seated = {&agent, &agent, &agent, &agent};
    (void)table.play(seated, {}, &count);
    EXPECT_EQ(count.begun, 1);
    EXPECT_EQ(count.before, 8);
    EXPECT_EQ(count.after, 8);
    EXPECT_EQ(count.ended, 1);
}

TEST(table, moves_of_an_opening_are_made_before_anybody_chooses_and_told_to_all) {
    const auto game = open_for_test("life", {{"max_plies", std::int64_t{4}}});
    GameRunner table(*game);
    std::array<Witness, 2> witnesses;
    const std::array<Agent*, 2> seated = {&witnesses[0], &witnesses[1]};
    const std::vector<std::string> moves{"l10", "k12", "b3"};
    const Opening opening{nullptr, 0, moves};
    EXPECT_EQ(table.play(seated, {.seed = 1}, nullptr, &opening).plies(), 4U);
    ASSERT_EQ(table.made().size(), 4U);
    EXPECT_EQ(table.made().back(), 0U) << "the first move, as it always chooses";
    const std::string& white = witnesses[1].seen;
    EXPECT_LT(white.find("seat 0 plays 'l10'"), white.find("seat 1 plays 'k12'"));
    EXPECT_LT(white.find("seat 0 plays 'b3'"), white.find("choose "));
    EXPECT_EQ(white.find("choose "), white.rfind("choose "));
    EXPECT_EQ(witnesses[0].seen.find("choose "), std::string::npos);

    // From a position; the opening ends at a move that is illegal there.
    const auto begun = game->new_position();
    games::Random chance(1);
    begun->start(chance);
    begun->play(*begun->find_move("l10"), chance);
    const std::vector<std::string> more{"k12", "nowhere", "b3"};
    const Opening late{begun.get(), 0, more};
    (void)table.play(seated, {.seed = 1}, nullptr, &late);
    EXPECT_EQ(witnesses[1].seen.find("l10'"), std::string::npos) << "it was made before";
    EXPECT_EQ(witnesses[1].seen.find("reset W\nseat 1 plays 'k12'"), 0U) << witnesses[1].seen;
    EXPECT_NE(witnesses[0].seen.find("choose "), std::string::npos);
}

// The deal and the chance of an opening depend on its own number: they are the same in every block.
TEST(table, an_opening_has_a_deal_of_its_own) {
    struct First : Listener {
        std::string state;
        void begins(const Position& position) override { state = games::json(position); }
    } first;
    const auto game = open_for_test("belote");
    GameRunner table(*game);
    RandomAgent agent;
    const std::array<Agent*, 4> seated = {&agent, &agent, &agent, &agent};
    const auto dealt = [&](std::uint64_t deal, const Opening* opening) {
        (void)table.play(seated, {.seed = 1, .deal = deal}, &first, opening);
        return first.state;
    };
    const Opening third{nullptr, 3, {}};
    EXPECT_EQ(dealt(7, &third), dealt(3, nullptr));
    EXPECT_EQ(dealt(8, &third), dealt(3, nullptr));
    EXPECT_NE(dealt(7, nullptr), dealt(3, nullptr));
}

} // namespace
} // namespace croupier::agents
