// All agents by the word that names their kind, and the spec strings that order one.
#pragma once

#include "agents/agent.h"
#include "engine/api/ruleset.h"
#include "engine/api/text.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::agents {

// "random", "eval:depth=2", "Good=eval:depth=2".
struct AgentSpec {
    std::string name;      // what results call it; by default the whole text
    std::string kind;      // "eval"
    std::string arguments; // "depth=2"; read by the kind
};
AgentSpec parse_agent_spec(std::string_view text);

// "random,Good=eval:depth=2,nodes=500" as two: a comma ends a spec unless what follows is
// name=value of an option, that is, value names no agent; behind "mix:", any name=value is one of
// its options. Commas of a value in parentheses, as in
// "process:bot,else=(eval:depth=2,nodes=500)", separate nothing here.
std::vector<std::string_view> split_agent_specs(std::string_view text);

// The length of the first piece of a list: up to a comma that stands in no parentheses. These count
// where they begin a value: behind "=".
std::size_t first_piece(std::string_view text);
// A value without the parentheses around it.
std::string_view without_parentheses(std::string_view value);

// The time, from some moment on that does not matter. For agents that must not wait forever.
class Clock {
  public:
    Clock() = default;
    Clock(const Clock&) = delete;
    Clock& operator=(const Clock&) = delete;
    virtual ~Clock() = default;
    [[nodiscard]] virtual std::chrono::nanoseconds now() const = 0;
    // What the thread that asks, or another process, has used of a processor; nothing where that
    // cannot be told.
    using Time = std::optional<std::chrono::nanoseconds>;
    [[nodiscard]] virtual Time processor() const { return {}; }
    [[nodiscard]] virtual Time processor_of(std::int64_t /*process*/) const { return {}; }
};

class RulePrograms;

// What agents are made with. Libraries open no files and read no clocks: who has them lends them.
struct AgentServices {
    const Game& game;             // that they will play; outlives them
    engine::FileOpener open = {}; // null: no agent that is a file
    std::string folder = {};      // where the agents are that come as files
    const Clock* clock = nullptr; // outlives them; null: none that looks at the time
    // Once it is set, nobody waits for programs any more, and searches end with what they have
    // found; outlives them, null: never.
    const std::atomic<bool>* abandon = nullptr;
    // Files of rules that were compiled before, for agents that are made again for every seat and
    // thread; outlives the making, null: none.
    RulePrograms* programs = nullptr;
    // Whether the agent will be shown positions, where it is an oracle; nobody is who is a part of
    // another agent.
    bool oracles = false;
    // False: no agent starts a program, nor does one that it is made of.
    bool starts_programs = true;
};

// The same for an agent that another one is made of.
inline AgentServices as_part(AgentServices services) {
    services.oracles = false;
    return services;
}

// An agent, or why not: `error` for what the spec says, `diagnostics` for what its file says.
struct MadeAgent {
    std::unique_ptr<Agent> agent = {};
    std::string error = {};
    engine::Sources sources = {};
    engine::Diagnostics diagnostics = {};
};

// Those without a header of their own.
MadeAgent make_ifs_agent(const AgentSpec& spec, const AgentServices& services);
MadeAgent make_process_agent(const AgentSpec& spec, const AgentServices& services);

// Static data: one line in registry.cpp.
struct AgentKind {
    std::string_view kind;
    std::string_view doc; // a line for people, arguments included
    MadeAgent (*make)(const AgentSpec& spec, const AgentServices& services);
    bool needs_word = false; // a file, a name or a command behind the kind
    bool copies = false;     // it looks ahead on copies of positions
};
std::span<const AgentKind> agent_kinds();

// The kind of agents that are shown positions.
inline constexpr std::string_view kOracle = "oracle";

// The kind of a seat that a person takes: no agent has it.
inline constexpr std::string_view kPerson = "human";
inline bool is_person(std::string_view spec) {
    return parse_agent_spec(spec).kind == kPerson;
}

// What is wrong with the kind alone, whatever the game: "there is no agent 'randm' ..".
std::optional<std::string> unknown_kind(const AgentSpec& spec);

// An agent of the kind that the spec names.
MadeAgent make_agent(const AgentSpec& spec, const AgentServices& services);

} // namespace croupier::agents
