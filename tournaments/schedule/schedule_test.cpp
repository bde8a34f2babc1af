// Pairings, seatings, and access to any block by itself.
#include "tournaments/schedule/schedule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace croupier::tournaments {
namespace {

using Seating = std::vector<std::uint32_t>;
using Seatings2 = std::vector<Seating>;

const Sides kTwo = {{0}, {1}};
const Sides kThree = {{0}, {1}, {2}};
const Sides kPartners = {{0, 2}, {1, 3}}; // Belote's

ScheduleRequest request(ScheduleKind kind, std::uint32_t agents, Sides sides) {
    ScheduleRequest request;
    request.kind = kind;
    request.agents = agents;
    request.sides = std::move(sides);
    request.seed = 5;
    request.blocks = 60;
    return request;
}

std::unique_ptr<Schedule> schedule(const ScheduleRequest& request) {
    MadeSchedule made = make_schedule(request);
    EXPECT_EQ(made.error, "");
    return std::move(made.schedule);
}

Seatings2 seatings(const Schedule& schedule, std::uint64_t index) {
    Block block;
    schedule.get(index, block);
    EXPECT_EQ(block.index, index);
    Seatings2 all;
    for (std::uint32_t game = 0; game < block.games(); ++game) {
        const auto seating = block.seating(game);
        all.emplace_back(seating.begin(), seating.end());
    }
    return all;
}

TEST(schedule, two_players_sit_on_both_sides) {
    const auto pair = schedule(request(ScheduleKind::RoundRobin, 2, kTwo));
    EXPECT_EQ(seatings(*pair, 0), (Seatings2{{0, 1}, {1, 0}}));
    EXPECT_EQ(seatings(*pair, 7), seatings(*pair, 0));
    EXPECT_EQ(pair->blocks(), 60U);
    EXPECT_EQ(pair->games_per_block(), 2U);
}

TEST(schedule, partners_move_together) {
    const auto belote = schedule(request(ScheduleKind::RoundRobin, 2, kPartners));
    EXPECT_EQ(seatings(*belote, 0), (Seatings2{{0, 1, 0, 1}, {1, 0, 1, 0}}));
}

TEST(schedule, blocks_of_all_orders_and_of_one_game) {
    ScheduleRequest all = request(ScheduleKind::RoundRobin, 3, kThree);
    all.rotation = Rotation::All;
    const Seatings2 orders = seatings(*schedule(all), 0);
    EXPECT_EQ(orders.size(), 6U);
    EXPECT_EQ(std::set<Seating>(orders.begin(), orders.end()).size(), 6U);

    ScheduleRequest rotate = request(ScheduleKind::RoundRobin, 3, kThree);
    EXPECT_EQ(seatings(*schedule(rotate), 0), (Seatings2{{0, 1, 2}, {2, 0, 1}, {1, 2, 0}}));

    // One game per block: the sides rotate from block to block.
    ScheduleRequest none = request(ScheduleKind::RoundRobin, 2, kTwo);
    none.rotation = Rotation::None;
    const auto single = schedule(none);
    EXPECT_EQ(seatings(*single, 0), (Seatings2{{0, 1}}));
    EXPECT_EQ(seatings(*single, 1), (Seatings2{{1, 0}}));
    EXPECT_EQ(seatings(*single, 2), (Seatings2{{0, 1}}));
}

// A game with two agents, as seen by others who cannot tell the two apart.
struct Met {
    Seating others; // the two are one
    std::size_t first = 0;
    std::size_t second = 0;

    friend auto operator<=>(const Met&, const Met&) = default;
};

// Whether any two agents sat equally often in each other's places, with all others unchanged.
bool is_balanced(const Schedule& schedule, std::uint32_t agents) {
    for (std::uint32_t one = 0; one < agents; ++one) {
        for (std::uint32_t other = one + 1; other < agents; ++other) {
            std::map<Met, int> more;
            for (std::uint64_t index = 0; index < schedule.blocks(); ++index) {
                for (const Seating& table : seatings(schedule, index)) {
                    Seating others = table;
                    std::replace(others.begin(), others.end(), other, one);
                    for (std::size_t i = 0; i < table.size(); ++i)
                        for (std::size_t j = 0; j < table.size(); ++j) {
                            if (table[i] != one || table[j] != other) continue;
                            ++more[{others, i, j}];
                            --more[{others, j, i}];
                        }
                }
            }
            for (const auto& [met, times] : more)
                if (times != 0) return false;
        }
    }
    return true;
}

TEST(schedule, knows_whether_any_two_change_places) {
    const Sides four = {{0}, {1}, {2}, {3}};
    for (const ScheduleKind kind : {ScheduleKind::RoundRobin, ScheduleKind::Gauntlet}) {
        for (const Sides& sides : {kTwo, kPartners, kThree, four}) {
            for (const Rotation rotation : {Rotation::Rotate, Rotation::All, Rotation::None}) {
                for (std::uint32_t agents = 2; agents <= 5; ++agents) {
                    ScheduleRequest wanted = request(kind, agents, sides);
                    wanted.rotation = rotation;
                    wanted.blocks.reset();
                    wanted.games = 1; // one round
                    const auto made = schedule(wanted);
                    EXPECT_EQ(made->balances_couples(), is_balanced(*made, agents))
                        << name_of(kind) << ", " << name_of(rotation) << ", " << agents << " on "
                        << sides.size();
                }
            }
        }
    }
    EXPECT_TRUE(schedule(request(ScheduleKind::FreeForAll, 4, four))->balances_couples());
    EXPECT_FALSE(schedule(request(ScheduleKind::FreeForAll, 3, four))->balances_couples());
}

TEST(schedule, round_robin_meets_everyone_equally) {
    const auto robin = schedule(request(ScheduleKind::RoundRobin, 5, kTwo));
    std::map<Seating, int> met;
    for (std::uint64_t index = 0; index < 60; ++index) {
        Seating pair = seatings(*robin, index).front();
        std::sort(pair.begin(), pair.end());
        ++met[pair];
    }
    ASSERT_EQ(met.size(), 10U);
    for (const auto& [pair, times] : met)
        EXPECT_EQ(times, 6);
}

TEST(schedule, gauntlet_has_the_first_at_every_table) {
    const auto gauntlet = schedule(request(ScheduleKind::Gauntlet, 4, kTwo));
    EXPECT_EQ(seatings(*gauntlet, 0), (Seatings2{{0, 1}, {1, 0}}));
    EXPECT_EQ(seatings(*gauntlet, 2), (Seatings2{{0, 3}, {3, 0}}));
    EXPECT_EQ(seatings(*gauntlet, 3), seatings(*gauntlet, 0));
    // Against a field of one agent on three seats: the hero sits once.
    const auto field = schedule(request(ScheduleKind::Gauntlet, 2, kThree));
    EXPECT_EQ(seatings(*field, 0), (Seatings2{{0, 1, 1}, {1, 0, 1}, {1, 1, 0}}));
    EXPECT_EQ(make_schedule(request(ScheduleKind::Gauntlet, 1, kTwo)).error,
              "a gauntlet takes at least two agents");
}

TEST(schedule, too_few_agents_sit_down_again_and_equal_seatings_come_once) {
    const auto two = schedule(request(ScheduleKind::RoundRobin, 2, {{0}, {1}, {2}, {3}}));
    EXPECT_EQ(seatings(*two, 0), (Seatings2{{0, 1, 0, 1}, {1, 0, 1, 0}}));
}

TEST(schedule, free_for_all_is_fair_and_never_seats_anybody_twice) {
    const auto tables = schedule(request(ScheduleKind::FreeForAll, 7, kThree));
    std::map<std::uint32_t, int> played;
    std::set<Seating> different;
    for (std::uint64_t index = 0; index < 60; ++index) { // 20 rounds of 3 tables
        const Seating table = seatings(*tables, index).front();
        EXPECT_EQ(std::set(table.begin(), table.end()).size(), 3U);
        different.insert(table);
        for (const std::uint32_t agent : table)
            ++played[agent];
    }
    EXPECT_GT(different.size(), 40U);
    for (const auto& [agent, times] : played) // 9 seats for 7 agents: at least once per round
        EXPECT_GE(times, 20) << agent;
    EXPECT_EQ(seatings(*schedule(request(ScheduleKind::FreeForAll, 7, kThree)), 31),
              seatings(*tables, 31));
}

TEST(schedule, games_are_rounded_up_to_whole_rounds) {
    ScheduleRequest games = request(ScheduleKind::RoundRobin, 3, kTwo);
    games.blocks.reset();
    games.games = 13; // rounds of 3 blocks of 2 games
    EXPECT_EQ(schedule(games)->blocks(), 9U);
    games.games = 12;
    EXPECT_EQ(schedule(games)->blocks(), 6U);
    games.games.reset(); // there is a stop rule
    EXPECT_EQ(schedule(games)->blocks(), 500'001U);
}

TEST(schedule, too_many_tables_are_refused) {
    EXPECT_EQ(
        make_schedule(request(ScheduleKind::RoundRobin, 40, {{0}, {1}, {2}, {3}, {4}, {5}})).error,
        "40 agents can sit together in more than 100000 ways; the schedule free-for-all "
        "takes any number of agents");
}

// Plays all known blocks; the agent with the higher number in `strength` wins every block.
std::vector<Seatings2> play_rounds(Schedule& schedule, const std::vector<int>& strength) {
    std::vector<Seatings2> rounds;
    for (std::uint64_t index = 0; index < schedule.blocks();) {
        rounds.emplace_back();
        for (; index < schedule.known(); ++index) {
            const Seating pair = seatings(schedule, index).front();
            std::vector<std::optional<double>> scores(strength.size());
            const int lead = strength[pair[0]] - strength[pair[1]];
            scores[pair[0]] = lead == 0 ? 0.5 : lead > 0 ? 1 : 0;
            scores[pair[1]] = 1 - *scores[pair[0]];
            schedule.feed(scores);
            rounds.back().push_back(pair);
        }
        schedule.advance();
    }
    return rounds;
}

TEST(schedule, knockout_lets_winners_meet) {
    ScheduleRequest knockout = request(ScheduleKind::Knockout, 6, kTwo);
    knockout.blocks = 5; // one block per match
    const auto six = schedule(knockout);
    EXPECT_TRUE(six->depends_on_results());
    EXPECT_EQ(six->known(), 2U); // the first two skip the first round
    // 3 and 4 win their matches, then 4 all others; 2 and 5 tie, so 2 advances.
    const auto rounds = play_rounds(*six, {0, 1, 3, 3, 9, 3});
    EXPECT_EQ(rounds, (std::vector<Seatings2>{{{2, 5}, {3, 4}}, {{0, 4}, {1, 2}}, {{2, 4}}}));
    knockout.blocks = 11; // 5 matches of 3 blocks
    EXPECT_EQ(schedule(knockout)->blocks(), 15U);
    EXPECT_EQ(schedule(knockout)->known(), 6U);
}

TEST(schedule, swiss_pairs_those_who_stand_alike_and_nobody_twice) {
    ScheduleRequest swiss = request(ScheduleKind::Swiss, 5, kTwo);
    swiss.rounds = 4;
    swiss.blocks = 8;
    const auto rounds = play_rounds(*schedule(swiss), {5, 4, 3, 2, 1});
    ASSERT_EQ(rounds.size(), 4U);
    // 4 has the first bye; then 0 and 2 have won, 1 and 3 have lost, and 4 has a point as well.
    EXPECT_EQ(rounds[0], (Seatings2{{0, 1}, {2, 3}}));
    EXPECT_EQ(rounds[1], (Seatings2{{0, 2}, {4, 1}})); // 3 is last and has the bye
    std::set<Seating> met;
    for (const Seatings2& round : rounds) {
        EXPECT_EQ(round.size(), 2U);
        for (Seating pair : round) {
            std::sort(pair.begin(), pair.end());
            EXPECT_TRUE(met.insert(pair).second) << pair[0] << ' ' << pair[1];
        }
    }
    swiss.rounds = 0; // as many as a knockout
    EXPECT_EQ(play_rounds(*schedule(swiss), {5, 4, 3, 2, 1}).size(), 3U);
    swiss.rounds = 7; // more rounds than opponents: pairs repeat
    EXPECT_EQ(play_rounds(*schedule(swiss), {5, 4, 3, 2, 1}).size(), 7U);
}

} // namespace
} // namespace croupier::tournaments
