// The table of agents and the reading of spec strings.
#include "agents/registry.h"

#include "agents/random/random_agent.h"
#include "engine/engine.h"

#include <fmt/format.h>

#include <algorithm>

namespace croupier::agents {
namespace {

AgentKind::Made make_random(const AgentSpec& spec) {
    if (!spec.arguments.empty())
        return {nullptr, fmt::format("random takes no arguments, found '{}'", spec.arguments)};
    return {std::make_unique<RandomAgent>(), {}};
}

constexpr AgentKind kKinds[] = {
    {"random", "any legal move, each as likely", make_random},
};

} // namespace

AgentSpec parse_agent_spec(std::string_view text) {
    AgentSpec spec;
    spec.name = text;
    const std::size_t equals = text.find('=');
    if (equals < text.find(':')) {
        spec.name = text.substr(0, equals);
        text.remove_prefix(equals + 1);
    }
    const std::size_t colon = text.find(':');
    spec.kind = text.substr(0, colon);
    if (colon != std::string_view::npos) spec.arguments = text.substr(colon + 1);
    return spec;
}

std::span<const AgentKind> agent_kinds() {
    return kKinds;
}

AgentKind::Made make_agent(const AgentSpec& spec) {
    std::vector<std::string> known;
    for (const AgentKind& kind : kKinds) {
        if (kind.kind == spec.kind) return kind.make(spec);
        known.emplace_back(kind.kind);
    }
    const auto meant = engine::nearest(spec.kind, known);
    return {nullptr, fmt::format("there is no agent '{}'{}; there are {}", spec.kind,
                                 meant ? fmt::format(" (did you mean '{}'?)", *meant) : "",
                                 fmt::join(known, ", "))};
}

} // namespace croupier::agents
