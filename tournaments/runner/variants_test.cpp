// Variants on the same deals: whose games are handed over, and that threads do not show.
#include "engine/api/program.h"
#include "engine/api/ruleset.h"
#include "tournaments/runner/variants.h"

#include "agents/rules/rule_agent.h"
#include "agents/rules/rule_program.h"
#include "games/files.h"
#include "games/testing/testing.h"
#include "tournaments/runner/testing.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace croupier::tournaments {
namespace {

class Variants : public RandomBelote {
  protected:
    struct Played {
        std::vector<std::uint64_t> lines;
        std::vector<double> seconds;
        std::vector<results::TimeTable> times;
    };
    Played play(std::span<const Variant> variants, std::size_t threads,
                std::function<double()> clock = {}, const agents::Clock* decisions = nullptr) {
        const VariantWorkers workers(variants, 3, facts_.seed, threads, std::move(clock),
                                     {.clock = decisions});
        Played played;
        VariantSink sink([&](std::span<const results::GameRecord> games) {
            EXPECT_EQ(games.size(), variants.size() * schedule_->games_per_block());
            for (const results::GameRecord& game : games) {
                played.lines.push_back(game.line);
                EXPECT_GE(game.choices, game.plies) << "who compares wants to know";
            }
            return true;
        });
        EXPECT_EQ(play_blocks(*schedule_, workers.all(), {}, sink), 40U);
        played.seconds = workers.seconds_per_game();
        played.times = workers.decision_times();
        return played;
    }

    std::shared_ptr<const agents::RuleProgram> table(const agents::RuleAt* without = nullptr) {
        auto opened =
            agents::open_rule_agent(agents::parse_agent_spec("rules:table"),
                                    {*game_, games::read_file, games::kAgentsFolder}, without);
        EXPECT_NE(opened.rules.program, nullptr);
        return opened.rules.program;
    }
};

TEST_F(Variants, two_that_are_one_play_the_same_games_on_any_number_of_threads) {
    const std::array variants{Variant{game_.get(), maker_}, Variant{game_.get(), maker_}};
    const std::vector<std::uint64_t> one = play(variants, 1).lines;
    const std::size_t each = schedule_->games_per_block();
    ASSERT_EQ(one.size(), 40 * 2 * each);
    for (std::size_t block = 0; block < one.size(); block += 2 * each) {
        for (std::size_t game = 0; game < each; ++game)
            EXPECT_EQ(one[block + game], one[block + each + game]);
    }
    for (const std::size_t threads : {2, 5})
        EXPECT_EQ(play(variants, threads).lines, one);
}

TEST_F(Variants, each_has_its_own_time) {
    const std::array variants{Variant{game_.get(), maker_}, Variant{game_.get(), maker_}};
    EXPECT_EQ(play(variants, 1).seconds, (std::vector<double>{0, 0}));
    // The runner does not ask this clock: twice a variant, so that all take one tick a block.
    int ticks = 0;
    const auto seconds = play(variants, 1, [&] { return ++ticks; }).seconds;
    const double games = schedule_->games_per_block();
    EXPECT_EQ(seconds, (std::vector<double>{1 / games, 1 / games}));
    // What has to be compiled first is no part of it.
    int calls = 0;
    const auto warm = play(variants, 1, [&] { return ticks += ++calls <= 4 ? 100 : 1; }).seconds;
    EXPECT_EQ(warm, (std::vector<double>{1 / games, 1 / games}));
}

TEST_F(Variants, each_has_the_decisions_of_its_own_agents) {
    Ticking clock;
    const AgentMaker slow = [&](std::uint32_t) { return std::make_unique<SlowAgent>(clock); };
    const std::array variants{Variant{game_.get(), maker_}, Variant{game_.get(), slow}};
    for (const results::TimeTable& none : play(variants, 1).times)
        EXPECT_TRUE(none.empty());
    const Played played = play(variants, 1, {}, &clock);
    EXPECT_EQ(played.lines, play(variants, 1).lines);
    ASSERT_EQ(played.times.size(), 2U);
    for (std::size_t agent = 0; agent < 3; ++agent) {
        EXPECT_GT(played.times[0].of(agent).decisions(), 0U);
        EXPECT_DOUBLE_EQ(*played.times[0].of(agent).mean(), 0);
        EXPECT_DOUBLE_EQ(*played.times[1].of(agent).mean(), 1e6);
    }
}

TEST_F(Variants, a_rule_that_is_switched_off_is_not_there_and_the_others_are) {
    const auto whole = table();
    const engine::Group* all = whole->ruleset().group("choose");
    ASSERT_NE(all, nullptr);
    const agents::RuleAt first{"choose", all->rules[0].name};
    const auto part = table(&first);
    const engine::Group* rest = part->ruleset().group("choose");
    ASSERT_EQ(rest->rules.size(), all->rules.size() - 1);
    for (std::size_t i = 0; i < rest->rules.size(); ++i)
        EXPECT_EQ(rest->rules[i].name, all->rules[i + 1].name);
    EXPECT_EQ(part->program().rule_id(first.name), engine::kNone);
    const agents::RuleAt nobody{"choose", "no such rule"};
    EXPECT_EQ(table(&nobody)->ruleset().group("choose")->rules.size(), all->rules.size());
}

} // namespace
} // namespace croupier::tournaments
