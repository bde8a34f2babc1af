// What the rules of an agent take of each of its decisions, by watching some games of it.
#pragma once

#include "agents/rules/rule_program.h"
#include "engine/explain/profile.h"
#include "tournaments/runner/player.h"
#include "tournaments/schedule/schedule.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace croupier::tournaments {

struct CostWatch {
    const games::Game& game;
    std::shared_ptr<const agents::RuleProgram> program; // of agent 0
    const AgentMaker& others;
    std::uint32_t agents = 0;
    const Schedule& schedule;
    std::uint64_t seed = 0;
    std::uint64_t blocks = 0; // how many of the first ones are watched
    engine::Profiler::Clock clock = nullptr;
};

// By rule, nanoseconds a decision, what it costs to observe the moves of others included. Absent
// where the agent never came to decide. No function of the seed.
std::vector<std::optional<double>> rule_costs(const CostWatch& watch,
                                              std::span<const agents::RuleAt> rules);

} // namespace croupier::tournaments
