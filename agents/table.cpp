// Plays games: view to the agent, its choice to the position, news to whoever wants them.
#include "agents/table.h"

#include <algorithm>
#include <cassert>

namespace croupier::agents {

using games::Ending;
using games::Purpose;
using games::stream;

Table::Table(const Game& game)
    : game_(game), position_(game.new_position()),
      view_(game.facts().hides ? game.new_position() : nullptr),
      looks_(game.facts().players.size()), observes_(game.facts().players.size()) {
    choices_.reserve(game.facts().players.size());
}

// Where nothing is hidden, the position itself will do: it brings no chance, so that to know it is
// not to know what comes.
const Position& Table::seen_by(Seat seat) {
    if (view_ == nullptr) return *position_;
    view_->view_from(*position_, seat);
    return *view_;
}

std::size_t Table::choice_of(Agent& agent, Seat seat) {
    return looks_[seat] ? agent.choose(seen_by(seat), choices_[seat])
                        : agent.choose_unseen(position_->move_count(), choices_[seat]);
}

void Table::tell(std::span<Agent* const> agents, Seat player, bool secret) {
    for (Seat seat = 0; seat < agents.size(); ++seat) {
        if (!observes_[seat]) continue;
        const bool told = !secret || seat == player;
        agents[seat]->observe(seen_by(seat), {player, told ? move_ : std::string_view()});
    }
}

void Table::watch(std::span<Agent* const> agents, games::RuleWatch* watch) {
    position_->set_watch(watch);
    for (Agent* agent : agents)
        agent->set_watch(watch);
}

// A step that was watched is over; which is next.
std::uint32_t Table::watched(std::span<Agent* const> agents, std::uint32_t step) {
    watch(agents, nullptr);
    return watch_->after(step);
}

const Position& Table::play(std::span<Agent* const> agents, const GameKey& key,
                            Listener* listener) {
    const Seat seats = game_.facts().seats();
    assert(agents.size() == seats);
    Random deal = stream(key.seed, key.deal, Purpose::Deal);
    Random chance = stream(key.seed, key.deal, Purpose::Play, key.round);
    fault_.reset();
    choices_.clear();
    for (Seat seat = 0; seat < seats; ++seat) {
        choices_.push_back(stream(key.seed, key.deal, Purpose::Choice, key.round, seat));
        agents[seat]->reset(game_, seat);
        looks_[seat] = agents[seat]->looks();
        observes_[seat] = agents[seat]->observes();
    }
    anybody_observes_ = std::find(observes_.begin(), observes_.end(), true) != observes_.end();
    std::uint32_t step = 0;
    std::uint32_t next = watch_ != nullptr ? watch_->first(key) : StepWatch::kNever;
    if (step == next) watch(agents, watch_);
    position_->start(deal);
    if (step == next) next = watched(agents, step);
    if (listener != nullptr) listener->begins(*position_);
    while (position_->ending() == Ending::None) {
        if (++step == next) watch(agents, watch_);
        const Seat player = position_->turn();
        const std::size_t chosen = choice_of(*agents[player], player);
        if (chosen == kNoChoice) {
            fail(*agents[player], player, listener);
            break;
        }
        assert(chosen < position_->move_count());
        const Move move = position_->move(chosen);
        if (listener != nullptr) listener->moves(*position_, move);
        const bool secret = anybody_observes_ && position_->is_secret();
        if (anybody_observes_) move_ = position_->text(move);
        position_->play(move, chance);
        if (listener != nullptr) listener->moved(*position_);
        if (anybody_observes_) tell(agents, player, secret);
        if (step == next) next = watched(agents, step);
    }
    if (fault_ && step == next) watch(agents, nullptr);
    for (Seat seat = 0; seat < seats; ++seat) {
        const bool gone = fault_ && fault_->seat == seat;
        if (observes_[seat] && !gone) agents[seat]->ends(seen_by(seat));
    }
    if (listener != nullptr) listener->ends(*position_);
    return *position_;
}

void Table::fail(const Agent& agent, Seat seat, Listener* listener) {
    assert(agent.fault() != nullptr);
    fault_ = {seat, *agent.fault()};
    if (listener != nullptr) listener->faults(*position_, fault_->fault);
}

} // namespace croupier::agents
