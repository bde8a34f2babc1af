// The order of strength: the table of agents/README.md, from fixed seeds.
#include "agents/testing/testing.h"
#include "games/testing/testing.h"
#include "results/report/numbers.h"
#include "results/statistics/stop.h"
#include "tournaments/machine/machine.h"
#include "tournaments/tournament.h"
#include "tournaments/tuning/plan.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <iterator>

namespace croupier::tournaments {
namespace {

struct Pair {
    const char* game;
    const char* one;
    const char* other;
    std::uint64_t deals;
    double gain = 20; // in normalized Elo, which the test should notice
};

// Claims that the first is stronger.
constexpr Pair kPairs[] = {
    {"belote", "rules:naive", "random", 2000},
    {"belote", "rules:table", "rules:naive", 2000},
    {"belote", "rules:counting", "rules:table", 4000},
    {"belote", "ifs", "random", 2000},
    {"belote", "rules:counting", "ifs", 4000, 10},
    {"belote", "net:learnt", "rules:counting", 4000},
    {"belote", "ismcts:net=learnt,bids=net:learnt,playouts=100", "rules:counting", 400},
    {"coinche", "rules:naive", "random", 1000},
    {"coinche", "rules:table", "rules:naive", 2000},
    {"coinche", "rules:counting", "rules:table", 4000},
    {"coinche", "mix:auction=net:learnt,play=rules:counting", "rules:counting", 4000},
    {"coinche", "mix:auction=net:learnt,play=rules:counting", "ismcts:playouts=400", 400},
    {"coinche", "ismcts:bids=net:learnt,playouts=400", "rules:counting", 400},
    {"tarot", "rules:naive", "random", 500},
    {"tarot", "rules:table", "rules:naive", 2000},
    {"tarot", "rules:counting", "rules:table", 6000, 10},
    {"belote", "pimc:policy=rules:table,deals=20,dd=12", "rules:counting", 400},
    {"belote", "ismcts:policy=rules:table,playouts=200", "rules:counting", 400},
    {"coinche", "pimc:policy=rules:table,deals=20,dd=12", "rules:counting", 800},
    {"coinche", "ismcts:playouts=400", "rules:counting", 800},
    {"whist", "rules:table", "random", 2000},
    {"life", "eval", "random", 500},
    {"life", "eval:depth=2", "eval", 50},
    {"life", "eval:growth", "eval", 50},
    {"life", "mcts:playouts=200", "random", 50},
    // Plain tree search, with random playouts for bids and cards and the same time.
    {"coinche", "ismcts:playouts=100", "ismcts:bids=search,belief=no,playouts=500", 100},
    {"life", "eval:growth", "mcts:playouts=30", 50},
    {"life", "mcts:net=learnt,playouts=100", "eval", 50},
    {"games/examples/connect_four.json", "net:learnt", "mcts:playouts=400", 500},
    {"games/examples/connect_four.json", "mcts:net=learnt,playouts=100", "mcts:playouts=1000", 100},
};

// For claims, leads in a game are capped at that many points, so that extreme luck does not decide.
double enough_in(std::string_view game) {
    if (game == "belote" || game == "tarot") return 100;
    return game == "coinche" ? 300 : game == "whist" ? 4 : 1; // others are won or lost
}

constexpr double kEver = 1e6; // above any lead

struct Measured {
    std::string row;   // of the table, without times
    std::string times; // the other columns
    results::StopStatus claim;
};

// Plays all deals, so that the mean is unbiased; the claim is decided as soon as possible.
Measured measure(const Pair& pair) {
    const auto game = games::open_for_test(pair.game);
    const agents::AgentServices around{*game, games::test_opener(), games::kAgentsFolder};
    const MadeEntrant one = make_entrant(pair.one, around);
    const MadeEntrant other = make_entrant(pair.other, around);
    if (!one.entrant || !other.entrant) {
        ADD_FAILURE() << one.error << other.error;
        return {};
    }
    // If both are equally strong, the first is called stronger in 5 % of cases.
    results::Sprt sprt({.elo0 = 0, .elo1 = pair.gain}, 2);
    results::BlockMean ahead;
    std::uint64_t won = 0;
    std::uint64_t lost = 0;
    std::uint64_t drawn = 0;
    TournamentSettings settings{.blocks = pair.deals, .seed = 7, .threads = 2};
    const SteadyClock clock;
    settings.clock = &clock;
    settings.listener = [&](std::span<const results::GameRecord> games) {
        for (std::size_t i = 0; i < games.size(); ++i) {
            const double score = point_score(games.subspan(i, 1), kEver).value_or(0.5);
            ++(score > 0.5 ? won : score < 0.5 ? lost : drawn);
        }
        ahead.add((2 * point_score(games, kEver).value_or(0.5) - 1) * kEver);
        const double score = point_score(games, enough_in(pair.game)).value_or(0.5);
        sprt.feed({score, 1 - score});
        return true;
    };
    const Tournament played = play_tournament(*game, {*one.entrant, *other.entrant}, settings);
    EXPECT_EQ(played.error, "");
    // Wall time includes waiting for others; processor time includes reading it.
    const auto took = [&](std::size_t agent) {
        const results::DecisionTimes times = played.times.of(agent);
        return results::short_time(std::min(times.mean().value_or(0), times.cpu().value_or(0)));
    };
    return {fmt::format("| {} | `{}` | `{}` | {} | {} | {} | {:.2f} ± {:.2f} | {} |", pair.game,
                        pair.one, pair.other, won, lost, drawn, ahead.mean().value_or(0),
                        1.96 * ahead.standard_error().value_or(0), sprt.status().blocks),
            fmt::format(" {}, {} |", took(0), took(1)), sprt.status()};
}

TEST(strength, is_as_the_readme_says) {
    std::ifstream in("agents/README.md", std::ios::binary);
    const std::string readme{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    for (const Pair& pair : kPairs) {
        const Measured measured = measure(pair);
        EXPECT_EQ(measured.claim.verdict, "H1 accepted") << pair.one << " - " << pair.other;
        std::cout << measured.row << measured.times << std::endl;
        EXPECT_NE(readme.find(measured.row), std::string::npos) << "write it into agents/README.md";
    }
}

TEST(strength, claimed_of_the_weaker_is_refuted) {
    EXPECT_EQ(measure({"belote", "rules:table", "rules:counting", 2000}).claim.verdict,
              "H0 accepted");
}

TEST(strength, of_two_who_play_at_random_in_life_the_first_wins_as_often_and_nobody_draws) {
    const auto life = games::open_for_test("life");
    const agents::testing::Match match =
        agents::testing::match(*life, "random", "random", 1000, 11);
    EXPECT_NEAR(match.mean, 0, 4 * match.error);
    EXPECT_LE(match.drawn, 2U);
}

} // namespace
} // namespace croupier::tournaments
