// Solves the position that it is shown.
#include "agents/oracle/oracle_agent.h"

#include <fmt/format.h>

namespace croupier::agents {

void OracleAgent::reset(const Game& game, Seat me) {
    me_ = me;
    policy_->reset(game, me);
    dummy_.reset(game);
    if (game_ == &game) return;
    game_ = &game;
    view_ = game.new_position();
}

std::size_t OracleAgent::choose_knowing(const Position& truth, Random& random) {
    if (truth.move_count() == 1) return 0;
    const Random course = random.stream(random.next());
    if (!truth.is_auction() && dummy_.moves_to_come(truth, course) <= limits_.plies) {
        const SolveLimits most{limits_.nodes, limits_.plies, limits_.time, limits_.time.from_now()};
        if (const auto loss = dummy_.loss(truth, 0, most, course)) {
            ++solved_;
            return loss->best;
        }
    }
    ++left_;
    view_->view_from(truth, me_);
    return choose(*view_, random);
}

std::size_t OracleAgent::choose(const Position& view, Random& random) {
    return policy_->needs_view() ? policy_->choose(view, random)
                                 : policy_->choose_by_count(view.move_count(), random);
}

MadeAgent make_oracle_agent(const AgentSpec& spec, const AgentServices& services) {
    MadeAgent made;
    Arguments arguments(spec);
    OracleLimits limits;
    std::string policy;
    arguments.text("policy", policy);
    arguments.number("dd", limits.plies, 0, 1'000);
    arguments.number("nodes", limits.nodes, 1, std::uint64_t{1} << 40);
    arguments.time(services, limits.time);
    made.error = arguments.error();
    if (made.error.empty() && !services.oracles)
        made.error =
            "oracle sees all cards, which are not shown here: it cannot be part of another agent";
    if (!made.error.empty()) return made;
    const AgentServices around = as_part(services);
    if (policy.empty()) {
        MadeAgent table = make_agent(parse_agent_spec("rules:table"), around);
        policy = table.agent != nullptr ? "rules:table" : "random";
    }
    MadeAgent part = make_agent(parse_agent_spec(policy), around);
    if (part.agent != nullptr) part.agent->reset(services.game, 0); // now `observes` can be called
    if (part.agent != nullptr && part.agent->observes())
        part.error = fmt::format("{} watches the game, and a policy chooses by its view", policy);
    if (!part.error.empty()) part.error = fmt::format("oracle: {}", part.error);
    if (!part.error.empty()) part.agent = nullptr;
    if (part.agent != nullptr)
        part.agent = std::make_unique<OracleAgent>(limits, std::move(part.agent));
    return part;
}

} // namespace croupier::agents
