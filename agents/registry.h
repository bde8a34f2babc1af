// All agents by the word that names their kind, and the spec strings that order one.
#pragma once

#include "agents/agent.h"

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

// Static data: one line in registry.cpp.
struct AgentKind {
    std::string_view kind;
    std::string_view doc; // a line for people, arguments included
    struct Made {
        std::unique_ptr<Agent> agent;
        std::string error; // why not
    };
    Made (*make)(const AgentSpec& spec);
};
std::span<const AgentKind> agent_kinds();

// An agent of the kind that the spec names, or why there is none.
AgentKind::Made make_agent(const AgentSpec& spec);

} // namespace croupier::agents
