// All agent kinds, and the specs that select them.
#pragma once

#include "agents/agent.h"
#include "engine/api/ruleset.h"
#include "engine/api/text.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::agents {

// "random", "eval:depth=2", "Good=eval:depth=2".
struct AgentSpec {
    std::string name;      // in results; by default the whole spec
    std::string kind;      // "eval"
    std::string arguments; // "depth=2"; read by the kind
};
AgentSpec parse_agent_spec(std::string_view text);
// Without its name: "eval:depth=2".
std::string text_of(const AgentSpec& spec);

// Splits a list of specs, as "random,Good=eval:depth=2,nodes=500" into two. A comma ends a spec
// unless an option name=value follows, where value does not name an agent or the kind has an option
// of that name; after "mix:" any name=value is an option. Commas inside a value's parentheses do
// not separate: "process:bot,else=(eval:depth=2,nodes=500)".
std::vector<std::string_view> split_agent_specs(std::string_view text);

// The length of the first piece of a list: up to a comma outside parentheses. Only parentheses that
// begin a value, after "=", count.
std::size_t first_piece(std::string_view text);
// A value without the parentheses around it.
std::string_view without_parentheses(std::string_view value);

// Time since an arbitrary moment, for agents with time limits.
class Clock {
  public:
    Clock() = default;
    Clock(const Clock&) = delete;
    Clock& operator=(const Clock&) = delete;
    virtual ~Clock() = default;
    [[nodiscard]] virtual std::chrono::nanoseconds now() const = 0;
    // Processor time used by the calling thread, or by another process; nothing if unknown.
    using Time = std::optional<std::chrono::nanoseconds>;
    [[nodiscard]] virtual Time processor() const { return {}; }
    [[nodiscard]] virtual Time processor_of(std::int64_t /*process*/) const { return {}; }
};

class RulePrograms;

// Makes an agent that the calling program has of its own, a function of Python, by its name; null
// if there is none of that name.
using HostedAgents = std::function<std::unique_ptr<Agent>(const std::string& name)>;

// The services for making agents. Libraries open no files and read no clocks; the caller lends
// both.
struct AgentServices {
    const Game& game;             // that they will play; outlives the agents
    engine::FileOpener open = {}; // if null, agents cannot be read from files
    std::string folder = {};      // of agents that come as files
    const Clock* clock = nullptr; // outlives the agents; if null, agents cannot use the time
    // Once it is set, agents stop waiting for programs, and searches return what they have found;
    // outlives the agents, may be null.
    const std::atomic<bool>* abandon = nullptr;
    // Compiled rule files, shared by the agents of all seats and threads; outlives the call, may be
    // null.
    RulePrograms* programs = nullptr;
    // Whether an oracle will be shown positions; false for agents that are part of another agent.
    bool oracles = false;
    // If false, no agent may start a program, nor may its parts.
    bool starts_programs = true;
    HostedAgents hosted = {}; // null if the program has none
};

// The services for an agent that is part of another one.
inline AgentServices as_part(AgentServices services) {
    services.oracles = false;
    return services;
}

// An agent, or errors: `error` for its spec, `diagnostics` for its file.
struct MadeAgent {
    std::unique_ptr<Agent> agent = {};
    std::string error = {};
    engine::Sources sources = {};
    engine::Diagnostics diagnostics = {};
};

// Agents without their own header.
MadeAgent make_ifs_agent(const AgentSpec& spec, const AgentServices& services);
MadeAgent make_process_agent(const AgentSpec& spec, const AgentServices& services);

// Static data: one line each in registry.cpp.
struct AgentKind {
    std::string_view kind;
    std::string_view doc; // one line for people, with the arguments
    MadeAgent (*make)(const AgentSpec& spec, const AgentServices& services);
    bool needs_word = false; // a file, name or command follows the kind
    bool copies = false;     // it searches on copies of positions
    bool ships = false;      // files of it come with games, in a folder of its name
};
std::span<const AgentKind> agent_kinds();
// Whether files of that kind come with games.
bool ships(std::string_view kind);
// The file that a word names: that path, or a file of that kind that comes with the game.
std::string agent_file(std::string_view kind, const std::string& word,
                       const AgentServices& services);

// The kind of agent that is shown positions.
inline constexpr std::string_view kOracle = "oracle";

// The kind of an agent that a program of Python has: python:NAME.
inline constexpr std::string_view kHosted = "python";

// The kind of a seat for a person; not an agent.
inline constexpr std::string_view kPerson = "human";
inline bool is_person(std::string_view spec) {
    return parse_agent_spec(spec).kind == kPerson;
}

// The error if the kind is unknown in any game: "there is no agent 'randm' ..".
std::optional<std::string> unknown_kind(const AgentSpec& spec);

// An agent of the kind that the spec names.
MadeAgent make_agent(const AgentSpec& spec, const AgentServices& services);

} // namespace croupier::agents
