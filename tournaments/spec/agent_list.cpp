// Lists of agents: company for one alone, distinct names.
#include "tournaments/spec/specification.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace croupier::tournaments {

void complete_agents(Specification& specification, std::size_t sides) {
    if (specification.agents.size() == 1) {
        const AgentEntry alone = specification.agents.front();
        specification.agents.resize(std::max<std::size_t>(sides, 2), alone);
    }
    std::set<std::string> taken;
    for (AgentEntry& agent : specification.agents) {
        // In every table its name says that it is not like the others.
        const bool marked = agent.spec.name.find('*') != std::string::npos; // in run.json
        if (agent.spec.kind == agents::kOracle && !marked) agent.spec.name += "*";
        const std::string name = agent.spec.name;
        for (int number = 2; !taken.insert(agent.spec.name).second; ++number)
            agent.spec.name = fmt::format("{}#{}", name, number);
    }
}

} // namespace croupier::tournaments
