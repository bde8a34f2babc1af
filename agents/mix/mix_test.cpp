// Which agent decides in which phase, and that search agents leave bids to rules.
#include "agents/mix/mix_agent.h"
#include "agents/pimc/pimc_agent.h"
#include "agents/random/random_agent.h"
#include "agents/search/playout.h"
#include "agents/testing/testing.h"
#include "games/files.h"
#include "games/testing/testing.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>

namespace croupier::agents {
namespace {

using games::Ending;
using games::open_for_test;

MadeAgent made_here(const Game& game, const std::string& spec) {
    return make_agent(parse_agent_spec(spec),
                      {.game = game, .open = games::read_file, .folder = games::kAgentsFolder});
}

std::string error_of(const Game& game, const std::string& spec) {
    return made_here(game, spec).error;
}

// Views of the player to move, in random games.
void each_view(const Game& game, std::uint64_t deals,
               const std::function<void(const Position&)>& see) {
    const auto position = game.new_position();
    const auto view = game.new_position();
    for (std::uint64_t deal = 0; deal < deals; ++deal) {
        Random chance = games::stream(5, deal, games::Purpose::Deal);
        Random choices(deal);
        position->start(chance);
        while (position->ending() == Ending::None) {
            view->view_from(*position, position->turn());
            see(*view);
            position->play(position->move(choices.below(position->move_count())), chance);
        }
    }
}

// The agent's choice for the player to move, without having seen the game before.
std::size_t choice(Agent& agent, const Position& view) {
    agent.reset(view.game(), view.turn());
    Random random(view.hash());
    return agent.choose(view, random);
}

TEST(mix_agent, asks_the_one_whose_phase_it_is) {
    const auto belote = open_for_test("belote");
    const auto mix = made_here(*belote, "mix:bid=rules:table,play=random");
    const auto table = made_here(*belote, "rules:table");
    ASSERT_NE(mix.agent, nullptr) << mix.error;
    RandomAgent random;
    std::set<std::string> seen;
    std::size_t differ = 0;
    each_view(*belote, 40, [&](const Position& view) {
        const std::string& phase = belote->facts().phases[view.phase()].name;
        seen.insert(phase);
        Agent& expected = phase == "play" ? static_cast<Agent&>(random) : *table.agent;
        EXPECT_EQ(choice(*mix.agent, view), choice(expected, view)) << phase;
        differ += choice(*table.agent, view) != choice(random, view) ? 1 : 0;
    });
    EXPECT_EQ(seen, (std::set<std::string>{"bid", "bid2", "play"}));
    EXPECT_GT(differ, 100U) << "or the two cannot be told apart";
}

TEST(mix_agent, phases_of_the_auction_are_named_together_or_one_by_one) {
    const auto belote = open_for_test("belote");
    const auto mix = made_here(*belote, "mix:auction=random,bid2=rules:table");
    const auto table = made_here(*belote, "rules:table");
    ASSERT_NE(mix.agent, nullptr) << mix.error;
    RandomAgent random;
    each_view(*belote, 20, [&](const Position& view) {
        const bool bid = belote->facts().phases[view.phase()].name == "bid";
        Agent& expected = bid ? static_cast<Agent&>(random) : *table.agent;
        EXPECT_EQ(choice(*mix.agent, view), choice(expected, view));
    });
}

TEST(mix_agent, says_what_is_wrong) {
    const auto belote = open_for_test("belote");
    const auto krk = open_for_test("krk");
    EXPECT_EQ(error_of(*krk, "mix:bid=random"),
              "mix: krk names no phases, which are what the type of a leaf `phase` at the root "
              "of its shape lists");
    EXPECT_EQ(error_of(*belote, "mix:bid3=random"),
              "mix has no option 'bid3' (did you mean 'bid'?); it has bid, bid2, deal, start, "
              "play, score, next, auction");
    EXPECT_EQ(error_of(*belote, "mix:"),
              "mix takes an agent for some of the phases, as in mix:bid=random");
    EXPECT_EQ(error_of(*belote, "mix:play=ismcts:playouts=0"),
              "mix: ismcts: playouts is a number from 1 to 100000000, found '0'");
    EXPECT_EQ(error_of(*belote, "ismcts:bids=nobody").substr(0, 43),
              "ismcts: bids: there is no agent 'nobody'; t");
}

TEST(mix_agent, stands_in_a_list_of_agents) {
    using Specs = std::vector<std::string_view>;
    EXPECT_EQ(split_agent_specs("mix:bid=rules:table,play=ismcts:playouts=4,random"),
              (Specs{"mix:bid=rules:table,play=ismcts:playouts=4", "random"}));
    EXPECT_EQ(split_agent_specs("M=mix:bid=random,play=(ismcts:playouts=4,nodes=9),eval"),
              (Specs{"M=mix:bid=random,play=(ismcts:playouts=4,nodes=9)", "eval"}));
}

TEST(mix_agent, keeps_the_contract) {
    const auto coinche = open_for_test("coinche");
    testing::expect_function_of_view(*coinche, "mix:bid=rules:counting,play=ismcts:playouts=4", 20);
    testing::expect_blind_to_other_hands(*coinche, "mix:bid=rules:counting,play=ismcts:playouts=4");
}

// Searches cards, and bids by the rules that come with the game.
TEST(bids, of_agents_that_search_are_those_of_rules) {
    for (const char* const title : {"belote", "coinche", "tarot"}) {
        const auto game = open_for_test(title);
        const auto table = made_here(*game, "rules:table");
        for (const char* const spec : {"ismcts:playouts=3", "pimc:deals=2,dd=0"}) {
            const auto search = made_here(*game, spec);
            ASSERT_NE(search.agent, nullptr) << search.error;
            std::size_t bids = 0;
            each_view(*game, 6, [&](const Position& view) {
                if (!view.is_auction()) return;
                ++bids;
                EXPECT_EQ(choice(*search.agent, view), choice(*table.agent, view)) << title;
            });
            EXPECT_GT(bids, 5U) << title;
        }
    }
}

TEST(bids, are_searched_if_that_is_asked_for) {
    const auto coinche = open_for_test("coinche");
    const auto search = made_here(*coinche, "ismcts:bids=search,playouts=30");
    const auto table = made_here(*coinche, "rules:table");
    std::size_t differ = 0;
    each_view(*coinche, 3, [&](const Position& view) {
        if (view.is_auction())
            differ += choice(*search.agent, view) != choice(*table.agent, view) ? 1 : 0;
    });
    EXPECT_GT(differ, 0U);
}

// A player who takes is ahead if the other one answers x, and behind after y.
constexpr const char* kWager = R"({
    "game": {"name": "wager", "players": ["A", "B"], "auction": "bid"},
    "types": {"Seat": ["A", "B"], "Move": ["take", "pass", "x", "y"]},
    "shape": {"turn": "Seat", "phase": ["bid", "play"], "moves": {"$:Move": true}, "move": "Move",
              "won": "int", "over": "bool"},
    "state": {"turn": "A", "phase": "bid"},
    "moves": [
        {"condition": {"phase": "bid"}, "action": {"moves": {"take": true, "pass": true}}},
        {"condition": {"phase": "play"}, "action": {"moves": {"x": true, "y": true}}}],
    "play": [
        {"condition": {"move": "take"}, "action": {"phase": "play", "turn": "B"}},
        {"condition": {"move": "pass"}, "action": {"over": true}},
        {"condition": {"move": "x"}, "action": {"won": 1, "over": true}},
        {"condition": {"move": "y"}, "action": {"won": -1, "over": true}}],
    "score": [{"condition": {"won": "$N"}, "action": {"score": {"A": "$N"}}}]})";

// Rules that bid wrongly, as their own play afterwards shows.
TEST(bids, of_pimc_are_searched_in_many_deals_if_who_would_bid_plays_them_out) {
    const games::OpenedGame wager = games::open_text(kWager);
    ASSERT_NE(wager.game, nullptr);
    const auto position = wager.game->new_position();
    Random chance(1);
    position->start(chance);
    for (const bool takes : {true, false}) {
        const std::string weights = takes ? R"({"take": 1, "y": 1})" : R"({"pass": 1, "x": 1})";
        const std::string rules =
            R"({"game": "wager", "choose": [{"action": {"prefer": )" + weights + "}}]}";
        const auto open = [&](const std::string& path) {
            const bool asked = path.starts_with(games::kAgentsFolder + "/rules/wager/");
            return asked ? engine::FileText{rules, {}} : games::test_opener()(path);
        };
        const auto bid = [&](const std::string& spec) -> std::string {
            const MadeAgent made =
                make_agent(parse_agent_spec(spec), {*wager.game, open, games::kAgentsFolder});
            if (made.agent == nullptr) return made.error;
            return std::string(position->text(position->move(choice(*made.agent, *position))));
        };
        const std::string by_rules = takes ? "take" : "pass";
        const std::string by_search = takes ? "pass" : "take";
        EXPECT_EQ(bid("rules:table"), by_rules);
        EXPECT_EQ(bid("pimc:policy=rules:table,deals=100"), by_search);
        EXPECT_EQ(bid("pimc:policy=rules:table,deals=1,bids=search"), by_search);
        EXPECT_EQ(bid("pimc:policy=rules:table,deals=99"), by_rules);
        EXPECT_EQ(bid("pimc:policy=rules:table,deals=100,bids=rules:table"), by_rules);
        EXPECT_EQ(bid("pimc:policy=rules:others,deals=100"), by_rules);
        EXPECT_EQ(bid("pimc:policy=random,deals=100"), by_rules);
        EXPECT_EQ(bid("ismcts:policy=rules:table,playouts=100"), by_rules);
    }
}

// If all pass, the deal is short; it must not be solved for that reason.
TEST(bids, are_never_solved) {
    const auto coinche = open_for_test("coinche");
    PimcAgent pimc({.deals = 2, .plies = 1000, .nodes = 50}, {});
    std::size_t bids = 0;
    each_view(*coinche, 3, [&](const Position& view) {
        if (!view.is_auction()) return;
        (void)choice(pimc, view);
        ++bids;
    });
    EXPECT_GT(bids, 10U);
    EXPECT_EQ(pimc.solved(), 0U);
    EXPECT_GT(pimc.deals(), 0U);
}

// A policy that counts its calls by phase.
class Asked : public Agent {
  public:
    Asked(std::size_t& in_auction, std::size_t& elsewhere)
        : in_auction_(in_auction), elsewhere_(elsewhere) {}
    void reset(const Game&, Seat) override {}
    std::size_t choose(const Position& view, Random& random) override {
        ++(view.is_auction() ? in_auction_ : elsewhere_);
        return random.below(view.move_count());
    }

  private:
    std::size_t& in_auction_;
    std::size_t& elsewhere_;
};

TEST(bids, of_playouts_are_those_of_bidders) {
    const auto game = open_for_test("belote");
    std::size_t asked[4] = {};
    Playout::Policies policies, bidders;
    for (int seat = 0; seat < 4; ++seat) {
        policies.push_back(std::make_unique<Asked>(asked[0], asked[1]));
        bidders.push_back(std::make_unique<Asked>(asked[2], asked[3]));
    }
    const auto play = [&](Playout playout) {
        playout.reset(*game);
        const auto position = game->new_position();
        for (std::uint64_t deal = 0; deal < 5; ++deal) {
            Random chance(deal), choices(deal);
            position->start(chance);
            playout.play(*position, choices, chance);
            EXPECT_EQ(position->ending(), Ending::Over);
        }
    };
    play(Playout(std::move(policies), std::move(bidders)));
    EXPECT_EQ(asked[0], 0U);
    EXPECT_GT(asked[1], 20U);
    EXPECT_GT(asked[2], 5U);
    EXPECT_EQ(asked[3], 0U);

    // Without a policy, cards are random.
    Playout::Policies only_bidders;
    std::fill(std::begin(asked), std::end(asked), 0);
    for (int seat = 0; seat < 4; ++seat)
        only_bidders.push_back(std::make_unique<Asked>(asked[2], asked[3]));
    play(Playout({}, std::move(only_bidders)));
    EXPECT_GT(asked[2], 5U);
    EXPECT_EQ(asked[3], 0U);
}

} // namespace
} // namespace croupier::agents
