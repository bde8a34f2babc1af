// Lists of agents: splitting what the command line gives, company for one alone, distinct names.
#include "tournaments/spec/specification.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace croupier::tournaments {
namespace {

bool begins_with_kind(std::string_view text) {
    const std::string_view word = text.substr(0, text.find_first_of(":,"));
    const auto kinds = agents::agent_kinds();
    return std::any_of(kinds.begin(), kinds.end(),
                       [&](const agents::AgentKind& kind) { return kind.kind == word; });
}

// Whether the piece of a list is an argument of the agent before it.
bool is_argument(std::string_view piece) {
    const std::size_t equals = piece.find('=');
    return equals < piece.find(':') && !begins_with_kind(piece.substr(equals + 1));
}

} // namespace

std::vector<std::string_view> split_agents(std::string_view text) {
    std::vector<std::string_view> agents;
    while (true) {
        const std::string_view piece = text.substr(0, text.find(','));
        const bool takes_arguments =
            !agents.empty() && agents.back().find(':') != std::string_view::npos;
        if (takes_arguments && is_argument(piece)) {
            const char* begin = agents.back().data();
            agents.back() = {begin, static_cast<std::size_t>(piece.data() + piece.size() - begin)};
        } else {
            agents.push_back(piece);
        }
        if (piece.size() == text.size()) return agents;
        text.remove_prefix(piece.size() + 1);
    }
}

void complete_agents(Specification& specification, std::size_t sides) {
    if (specification.agents.size() == 1) {
        const AgentEntry alone = specification.agents.front();
        specification.agents.resize(std::max<std::size_t>(sides, 2), alone);
    }
    std::set<std::string> taken;
    for (AgentEntry& agent : specification.agents) {
        const std::string name = agent.spec.name;
        for (int number = 2; !taken.insert(agent.spec.name).second; ++number)
            agent.spec.name = fmt::format("{}#{}", name, number);
    }
}

} // namespace croupier::tournaments
