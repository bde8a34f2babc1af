// Makes agents that play for all seats in playouts.
#include "agents/search/playout.h"

#include <fmt/format.h>

namespace croupier::agents {

using games::Ending;

void Playout::reset(const Game& game) {
    for (const Policies* all : {&policies_, &bidders_})
        for (Seat seat = 0; seat < all->size(); ++seat)
            (*all)[seat]->reset(game, seat);
    const bool needs_view = game.facts().hides && !(policies_.empty() && bidders_.empty());
    view_ = needs_view ? game.new_position() : nullptr;
}

// The agent that chooses now; null for a random move.
Agent* Playout::policy_at(const Position& position) const {
    const Policies& all = !bidders_.empty() && position.is_auction() ? bidders_ : policies_;
    return all.empty() ? nullptr : all[position.turn()].get();
}

void Playout::play(Position& position, Random& choices, Random& chance) {
    if (policies_.empty() && bidders_.empty()) {
        if (position.ending() == Ending::None) position.play_randomly(choices, chance);
        return;
    }
    while (position.ending() == Ending::None) {
        Agent* const policy = policy_at(position);
        if (policy == nullptr) {
            position.play(position.move(choices.below(position.move_count())), chance);
            continue;
        }
        if (view_ != nullptr) view_->view_from(position, position.turn());
        const std::size_t chosen = policy->choose(view_ == nullptr ? position : *view_, choices);
        // If a policy cannot continue, or resigns, the rest is random.
        if (chosen >= kResigns) return position.play_randomly(choices, chance);
        position.play(position.move(chosen), chance);
    }
}

namespace {

// Whether it chooses only by its view, and reproducibly.
bool can_stand_in(const Agent& agent) {
    return !agent.observes() && agent.is_reproducible();
}

} // namespace

Playout make_playout(const std::string& spec, const std::string& bidder, std::string_view kind,
                     const AgentServices& services, MadeAgent& made) {
    const Seat seats = services.game.facts().seats();
    Playout::Policies policies;
    for (Seat seat = 0; seat < seats && !spec.empty() && spec != "random"; ++seat) {
        MadeAgent policy = make_agent(parse_agent_spec(spec), as_part(services));
        if (policy.agent == nullptr) {
            if (!policy.error.empty())
                policy.error = fmt::format("{}: policy: {}", kind, policy.error);
            made = std::move(policy);
            return {};
        }
        if (!can_stand_in(*policy.agent)) {
            made.error = fmt::format("{}: {} cannot be a policy: it must choose by what it sees "
                                     "alone",
                                     kind, spec);
            return {};
        }
        policies.push_back(std::move(policy.agent));
    }
    Playout::Policies bidders;
    for (Seat seat = 0; seat < seats && !bidder.empty(); ++seat) {
        MadeAgent made_bidder = make_agent(parse_agent_spec(bidder), as_part(services));
        if (made_bidder.agent == nullptr || !can_stand_in(*made_bidder.agent)) {
            bidders.clear();
            break;
        }
        bidders.push_back(std::move(made_bidder.agent));
    }
    return Playout(std::move(policies), std::move(bidders));
}

} // namespace croupier::agents
