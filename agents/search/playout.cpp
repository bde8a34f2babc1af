// Makes agents that stand in for everybody, and lets them play.
#include "agents/search/playout.h"

#include <fmt/format.h>

namespace croupier::agents {

using games::Ending;

void Playout::reset(const Game& game) {
    for (Seat seat = 0; seat < policies_.size(); ++seat)
        policies_[seat]->reset(game, seat);
    const bool needs_view = game.facts().hides && !policies_.empty();
    view_ = needs_view ? game.new_position() : nullptr;
}

void Playout::play(Position& position, Random& choices, Random& chance) {
    if (policies_.empty()) {
        if (position.ending() == Ending::None) position.play_randomly(choices, chance);
        return;
    }
    while (position.ending() == Ending::None) {
        const Seat turn = position.turn();
        if (view_ != nullptr) view_->view_from(position, turn);
        const std::size_t chosen =
            policies_[turn]->choose(view_ == nullptr ? position : *view_, choices);
        // A policy that cannot go on, or resigns, leaves the rest to chance.
        if (chosen >= kResigns) return position.play_randomly(choices, chance);
        position.play(position.move(chosen), chance);
    }
}

Playout make_playout(const std::string& spec, std::string_view kind,
                     const Surroundings& surroundings, MadeAgent& made) {
    std::vector<std::unique_ptr<Agent>> policies;
    if (spec.empty() || spec == "random") return {};
    for (Seat seat = 0; seat < surroundings.game.facts().seats(); ++seat) {
        MadeAgent policy = make_agent(parse_agent_spec(spec), surroundings);
        if (policy.agent == nullptr) {
            if (!policy.error.empty())
                policy.error = fmt::format("{}: policy: {}", kind, policy.error);
            made = std::move(policy);
            return {};
        }
        if (policy.agent->observes() || !policy.agent->is_reproducible()) {
            made.error = fmt::format("{}: {} cannot be a policy: it must choose by what it sees "
                                     "alone",
                                     kind, spec);
            return {};
        }
        policies.push_back(std::move(policy.agent));
    }
    return Playout(std::move(policies));
}

} // namespace croupier::agents
