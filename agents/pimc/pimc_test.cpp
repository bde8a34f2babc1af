// Draws and solves: wins won positions, sees nothing hidden.
#include "agents/game_runner.h"
#include "agents/pimc/pimc_agent.h"
#include "agents/random/random_agent.h"
#include "agents/testing/testing.h"
#include "games/testing/testing.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>

namespace croupier::agents {
namespace {

using games::open_for_test;

// If nothing is hidden, one deal solved to the end is exact.
TEST(pimc_agent, never_errs_in_nim) {
    const auto nim = open_for_test("nim");
    GameRunner table(*nim);
    PimcAgent pimc({.deals = 1, .plies = 100}, {});
    RandomAgent random;
    int won = 0;
    for (std::uint64_t deal = 0; deal < 20; ++deal)
        won += table.play(std::array<Agent*, 2>{&pimc, &random}, {1, deal, 0}).place(0) == 1;
    EXPECT_GE(won, 19);
    EXPECT_EQ(pimc.solved(), pimc.deals());
}

TEST(pimc_agent, beats_random_in_belote) {
    const auto belote = open_for_test("belote");
    const testing::Match match = testing::match(*belote, "pimc:deals=4,dd=8", "random", 25);
    EXPECT_GT(match.mean, 3 * match.error);
}

// Hidden parts are drawn by the rules of each game: the auction, the dog, the discarded cards.
TEST(pimc_agent, plays_coinche_tarot_and_whist) {
    for (const char* const title : {"coinche", "tarot", "tarot:three", "whist"}) {
        const auto game = open_for_test(title);
        GameRunner table(*game);
        PimcAgent pimc({.deals = 1, .plies = 8}, {});
        RandomAgent random;
        std::vector<Agent*> seated(game->facts().seats(), &random);
        seated[0] = &pimc;
        for (std::uint64_t deal = 0; deal < 3; ++deal) {
            (void)table.play(seated, {3, deal, 0});
            ASSERT_FALSE(table.fault()) << title << ": " << table.fault()->fault.what;
        }
        EXPECT_GT(pimc.solved(), 0U) << title;
        for (const Note& note : pimc.notes())
            EXPECT_TRUE(note.what.starts_with("positions ")) << title << note.what;
    }
}

TEST(pimc_agent, solves_near_the_end_and_plays_out_before) {
    const auto belote = open_for_test("belote");
    GameRunner table(*belote);
    RandomAgent random;
    const auto share = [&](std::uint64_t plies, std::uint64_t nodes) {
        PimcAgent pimc({.deals = 2, .plies = plies, .nodes = nodes}, {});
        (void)table.play(std::array<Agent*, 4>{&pimc, &random, &random, &random}, {3, 2, 0});
        EXPECT_GT(pimc.deals(), 0U);
        return static_cast<double>(pimc.solved()) / static_cast<double>(pimc.deals());
    };
    EXPECT_EQ(share(0, 1000), 0);
    EXPECT_EQ(share(100, 1), 0) << "no nodes";
    const double some = share(12, 100'000);
    EXPECT_GT(some, 0);
    EXPECT_LT(some, 1);
}

TEST(pimc_agent, solves_no_more_in_a_decision_after_a_deal_that_was_too_much) {
    const auto belote = open_for_test("belote");
    const auto ending = testing::random_ending(*belote, 3, 12);
    ASSERT_NE(ending, nullptr);
    const auto view = ending->clone();
    view->view_from(*ending, ending->turn());
    for (const bool enough : {true, false}) {
        PimcAgent pimc({.deals = 30, .nodes = enough ? 1'000'000U : 5U}, {});
        pimc.reset(*belote, ending->turn());
        Random random(1);
        EXPECT_LT(pimc.choose(*view, random), view->move_count());
        EXPECT_EQ(pimc.deals(), 30U);
        EXPECT_EQ(pimc.solved(), enough ? 30U : 0U);
        EXPECT_EQ(pimc.nodes() == 6, !enough);
    }
}

// A clock that advances by a millisecond whenever it is read.
class WatchedClock final : public Clock {
  public:
    [[nodiscard]] std::chrono::nanoseconds now() const override {
        return std::chrono::milliseconds(++looks_);
    }

  private:
    mutable std::int64_t looks_ = 0;
};

// Solving deals of 52 cards takes days.
TEST(pimc_agent, ends_when_its_time_is_over_and_when_nobody_waits) {
    const auto whist = open_for_test("whist");
    const std::atomic<bool> abandon = true;
    const WatchedClock clock;
    const auto deal = whist->new_position();
    Random chance = games::stream(1, 0, games::Purpose::Deal);
    deal->start(chance);
    const auto view = deal->clone();
    view->view_from(*deal, deal->turn());
    for (const std::string spec :
         {"pimc:dd=1000,nodes=1000000000000", "oracle:policy=random,dd=1000,nodes=1000000000000"}) {
        for (const bool timed : {true, false}) {
            const MadeAgent made = make_agent(parse_agent_spec(spec + (timed ? ",ms=5" : "")),
                                              {.game = *whist,
                                               .clock = &clock,
                                               .abandon = timed ? nullptr : &abandon,
                                               .oracles = true});
            ASSERT_NE(made.agent, nullptr) << made.error;
            EXPECT_EQ(made.agent->is_reproducible(), !timed);
            made.agent->reset(*whist, deal->turn());
            Oracle* const oracle = made.agent->oracle();
            Random random(1);
            EXPECT_LT(oracle != nullptr ? oracle->choose_knowing(*deal, random)
                                        : made.agent->choose(*view, random),
                      deal->move_count());
        }
    }
}

TEST(pimc_agent, chooses_by_view_memory_and_stream_alone) {
    const auto belote = open_for_test("belote");
    for (const char* const spec : {"pimc:deals=2,dd=8", "pimc:policy=rules:table,deals=1,dd=4"}) {
        testing::expect_function_of_view(*belote, spec, 40);
        testing::expect_blind_to_other_hands(*belote, spec);
    }
    testing::expect_function_of_view(*open_for_test("oldmaid:three"), "pimc:deals=1,dd=0", 5);
    testing::expect_function_of_view(*open_for_test("life"), "pimc:deals=2", 4);
}

// One card each for two players; the observer's rules are wrong about it.
constexpr const char* kWrong = R"({
    "game": {"name": "wrong", "players": ["A", "B"]},
    "types": {"Seat": ["A", "B"], "Card": ["x", "y"]},
    "shape": {"turn": "Seat", "hands": {"$:Seat": {"$:Card": true}}, "moves": {"$:Card": true},
              "move": "Card", "over": "bool"},
    "state": {"turn": "A", "hands": {"A": {"x": true}, "B": {"y": true}}},
    "hidden": {"hands": {"$P": "only $P"}},
    "unseen": [{"action": {"observer": {"unseen": {"y": true}, "room": {"B": 2}}}}],
    "restore": [], "play": [{"action": {"over": true}}], "score": [],
    "moves": [{"action": {"moves": {"x": true, "y": true}}}]})";

TEST(pimc_agent, notes_where_nothing_agrees_with_the_view) {
    const games::OpenedGame wrong = games::open_text(kWrong);
    ASSERT_NE(wrong.game, nullptr);
    for (const char* const spec : {"pimc", "ismcts:playouts=10"}) {
        const MadeAgent made = make_agent(parse_agent_spec(spec), {*wrong.game});
        ASSERT_NE(made.agent, nullptr) << made.error;
        RandomAgent random;
        GameRunner table(*wrong.game);
        const std::array<Agent*, 2> seated = {made.agent.get(), &random};
        EXPECT_EQ(table.play(seated, {}).ending(), games::Ending::Over);
        ASSERT_EQ(made.agent->notes().size(), 1U) << spec;
        EXPECT_EQ(made.agent->notes()[0].what, "no position was found that fits the view: 1 unseen "
                                               "for a room of 2: not all can be filled");
        EXPECT_EQ(made.agent->notes()[0].times, 1U);
    }
}

// The observer believes that B has y with a probability of one quarter.
TEST(pimc_agent, counts_what_the_game_believes_unless_told_not_to) {
    std::string text = kWrong;
    text.replace(text.find("\"B\": 2"), 6, "\"B\": 1");
    text.replace(text.find("\"restore\""), 0,
                 R"("belief": [{"action": {"observer": {"weight": 25}}}], )");
    const games::OpenedGame believing = games::open_text(text);
    ASSERT_NE(believing.game, nullptr);
    for (const std::string spec : {"pimc:deals=200", "ismcts:playouts=200"}) {
        for (const bool doubts : {false, true}) {
            const MadeAgent made = make_agent(parse_agent_spec(spec + (doubts ? ",belief=no" : "")),
                                              {*believing.game});
            ASSERT_NE(made.agent, nullptr) << made.error;
            RandomAgent random;
            GameRunner table(*believing.game);
            const std::array<Agent*, 2> seated = {made.agent.get(), &random};
            EXPECT_EQ(table.play(seated, {}).ending(), games::Ending::Over);
            const std::vector<Note> notes = made.agent->notes();
            ASSERT_EQ(notes.size(), doubts ? 0U : 2U) << spec;
            if (doubts) continue;
            EXPECT_EQ(notes[0].what, "positions drawn and believed");
            EXPECT_EQ(notes[0].times, 200U);
            EXPECT_EQ(notes[1].what, "positions drawn and not believed");
            EXPECT_NEAR(static_cast<double>(notes[1].times), 600, 150);
        }
        EXPECT_EQ(make_agent(parse_agent_spec(spec + ",belief=some"), {*believing.game}).error,
                  "belief is yes or no, not \"some\"");
    }
}

} // namespace
} // namespace croupier::agents
