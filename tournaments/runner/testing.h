// A run for tests: belote, three random agents, forty blocks.
#pragma once

#include "agents/random/random_agent.h"
#include "games/files.h"
#include "games/registry.h"
#include "games/testing/testing.h"
#include "results/record.h"
#include "tournaments/runner/player.h"
#include "tournaments/schedule/schedule.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>

namespace croupier::tournaments {

// A clock that advances only during decisions, a millisecond each, and half of it on a processor.
class Ticking : public agents::Clock {
  public:
    [[nodiscard]] std::chrono::nanoseconds now() const override {
        return std::chrono::milliseconds(decisions_);
    }
    [[nodiscard]] Time processor() const override {
        return std::chrono::microseconds(500 * decisions_);
    }
    void decide() { ++decisions_; }

  private:
    std::atomic<int> decisions_ = 0;
};

class SlowAgent : public agents::RandomAgent {
  public:
    explicit SlowAgent(Ticking& clock) : clock_(clock) {}
    std::size_t choose_by_count(std::size_t moves, agents::Random& random) override {
        clock_.decide();
        return RandomAgent::choose_by_count(moves, random);
    }

  private:
    Ticking& clock_;
};

class RandomBelote : public testing::Test {
  protected:
    void SetUp() override {
        const games::Registry registry(games::kGamesFolder, games::read_file);
        game_ = registry.open({"belote", ""}).game;
        ASSERT_NE(game_, nullptr);
        facts_.players = game_->facts().players;
        facts_.agents = {"one", "two", "three"};
        facts_.seed = 11;
        ScheduleRequest request;
        for (const games::Team& team : game_->facts().teams)
            request.sides.push_back(team.seats);
        request.agents = 3;
        request.seed = facts_.seed;
        request.blocks = 40;
        schedule_ = make_schedule(request).schedule;
        ASSERT_NE(schedule_, nullptr);
    }

    std::shared_ptr<const games::Game> game_;
    results::RunFacts facts_;
    std::unique_ptr<Schedule> schedule_;
    AgentMaker maker_ = [](std::uint32_t) { return std::make_unique<agents::RandomAgent>(); };
};

} // namespace croupier::tournaments
