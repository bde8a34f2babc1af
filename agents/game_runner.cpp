// Plays games: gives views to agents, their choices to the position, and news to observers.
#include "agents/game_runner.h"

#include "games/contract/doing.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace croupier::agents {

using games::Doing;
using games::Ending;
using games::now;
using games::Purpose;
using games::stream;
using Area = Whereabouts::Area;
using Stay = Whereabouts::Stay;

std::string_view name_of(Verdict::Kind kind) {
    constexpr auto kNames =
        std::to_array<std::string_view>({"fault", "resigned", "agreed", "cut", "left"});
    static_assert(kNames.size() == static_cast<std::size_t>(Verdict::Kind::Left) + 1);
    return kNames[static_cast<std::size_t>(kind)];
}

std::uint32_t place_after(const Verdict& verdict, const games::Facts& facts, Seat seat) {
    if (verdict.kind != Verdict::Kind::Fault && verdict.kind != Verdict::Kind::Resigned) return 1;
    if (facts.partners(seat).front() != facts.partners(verdict.seat).front()) return 1;
    return facts.teams.empty() ? facts.seats() : static_cast<std::uint32_t>(facts.teams.size());
}

GameRunner::GameRunner(const Game& game)
    : game_(game), position_(game.new_position()),
      view_(game.facts().hides ? game.new_position() : nullptr),
      looks_(game.facts().players.size()), observes_(game.facts().players.size()) {
    choices_.reserve(game.facts().players.size());
    for (Seat seat = 0; seat < game.facts().seats(); ++seat)
        sides_[seat] = game.facts().partners(seat).front();
}

// If nothing is hidden, agents see the position itself: it holds no random stream, so it does not
// reveal what will come.
const Position& GameRunner::seen_by(Seat seat) {
    if (view_ == nullptr) return *position_;
    now(Doing::View);
    view_->view_from(*position_, seat);
    return *view_;
}

std::size_t GameRunner::choice_of(Agent& agent, Seat seat) {
    if (!looks_[seat]) {
        const std::size_t moves = position_->move_count();
        const Stay here(whereabouts_, Area::Agent, seat);
        return agent.choose_by_count(moves, choices_[seat]);
    }
    if (oracles_[seat] != nullptr) {
        const Stay here(whereabouts_, Area::Agent, seat);
        return oracles_[seat]->choose_knowing(*position_, choices_[seat]);
    }
    const Position& view = seen_by(seat);
    const Stay here(whereabouts_, Area::Agent, seat);
    return agent.choose(view, choices_[seat]);
}

// Measures only the agent: its view is made before.
std::size_t GameRunner::measured_choice_of(Agent& agent, Seat seat) {
    const bool looks = looks_[seat];
    Oracle* const oracle = oracles_[seat];
    const Position& view = looks && oracle == nullptr ? seen_by(seat) : *position_;
    const std::size_t moves = view.move_count();
    const Stay here(whereabouts_, Area::Agent, seat);
    meter_->decides(seat, agent);
    const std::size_t chosen = !looks              ? agent.choose_by_count(moves, choices_[seat])
                               : oracle != nullptr ? oracle->choose_knowing(view, choices_[seat])
                                                   : agent.choose(view, choices_[seat]);
    meter_->decided(seat, agent);
    return chosen;
}

std::size_t GameRunner::sampled_choice_of(Agent& agent, Seat seat, std::uint32_t step,
                                          bool watched) {
    if (step == measured_step_) measured_step_ = meter_->after(step);
    return watched && agent.rules() != nullptr ? choice_of(agent, seat)
                                               : measured_choice_of(agent, seat);
}

// Its index among the legal moves, or kNoChoice.
std::size_t GameRunner::find(std::string_view move) const {
    for (std::size_t i = 0; i < position_->move_count(); ++i)
        if (position_->text(position_->move(i)) == move) return i;
    return kNoChoice;
}

void GameRunner::tell(std::span<Agent* const> agents, Seat player, Move move, bool secret) {
    const ObservedMove made{player, move_, offers_[sides_[player]], secret, move};
    for (Seat seat = 0; seat < agents.size(); ++seat) {
        if (!observes_[seat]) continue;
        const Position& view = seen_by(seat);
        const Stay here(whereabouts_, Area::Agent, seat);
        agents[seat]->observe(view, made.told_to(seat));
    }
}

void GameRunner::watch(std::span<Agent* const> agents, games::RuleWatch* watch) {
    position_->set_watch(watch);
    for (Agent* agent : agents)
        agent->set_watch(watch);
}

// A watched step has ended; returns the next one.
std::uint32_t GameRunner::watched(std::span<Agent* const> agents, std::uint32_t step) {
    watch(agents, nullptr);
    return watch_->after(step);
}

void GameRunner::sit_down(std::span<Agent* const> agents, const GameKey& key,
                          const games::DealStreams& streams) {
    fault_.reset();
    verdict_.reset();
    abandoned_ = false;
    made_.clear();
    substitutions_.clear();
    choices_.clear();
    offers_.fill(false);
    for (Seat seat = 0; seat < agents.size(); ++seat) {
        choices_.push_back(streams.of(Purpose::Choice, key.round, seat));
        const Stay here(whereabouts_, Area::Agent, seat);
        agents[seat]->reset(game_, seat);
        looks_[seat] = agents[seat]->needs_view();
        oracles_[seat] = agents[seat]->oracle();
        observes_[seat] = agents[seat]->observes();
    }
    anybody_observes_ = std::ranges::find(observes_, true) != observes_.end();
    if (meter_ == nullptr) return;
    decisions_.fill(0);
    for (Seat seat = 0; seat < agents.size(); ++seat)
        measures_all_[seat] = meter_->measures_all(seat, *agents[seat]);
    measured_step_ = meter_->first(key);
}

// Whether the agent now offers a draw and all other sides' offers stand.
bool GameRunner::is_agreed(const Agent& agent, Seat seat) {
    offers_[sides_[seat]] = agent.offers_draw();
    for (Seat each = 0; each < looks_.size(); ++each)
        if (!offers_[sides_[each]]) return false;
    return true;
}

const Position& GameRunner::play(std::span<Agent* const> agents, const GameKey& key,
                                 Listener* listener, const Opening* opening) {
    assert(agents.size() == game_.facts().seats());
    const Stay here(whereabouts_, Area::Game);
    const std::uint64_t dealt = opening != nullptr ? opening->deal : key.deal;
    const games::DealStreams streams(key.seed, key.deal);
    const games::DealStreams of_dealt(key.seed, dealt);
    Random deal = of_dealt.of(Purpose::Deal);
    Random given = of_dealt.of(Purpose::Play); // for the opening's moves
    Random chance = streams.of(Purpose::Play, key.round);
    sit_down(agents, key, streams);
    std::uint32_t step = 0;
    std::uint32_t next = watch_ != nullptr ? watch_->first(key) : StepWatch::kNever;
    if (step == next) watch(agents, watch_);
    if (opening != nullptr && opening->position != nullptr)
        position_->copy_from(*opening->position);
    else
        position_->start(deal);
    std::size_t opens = opening != nullptr ? opening->moves.size() : 0; // moves left of the opening
    if (step == next) next = watched(agents, step);
    if (listener != nullptr) listener->begins(*position_);
    while (position_->ending() == Ending::None) {
        now(Doing::Table);
        if (breaks_off()) break;
        if (cut_ != 0 && position_->plies() >= cut_) {
            judge({Verdict::Kind::Cut, 0}, listener);
            break;
        }
        if (++step == next) watch(agents, watch_);
        const Seat player = position_->turn();
        Agent& agent = *agents[player];
        std::size_t chosen = kNoChoice;
        if (opens > 0) chosen = find(opening->moves[opening->moves.size() - opens]);
        const bool opened = chosen != kNoChoice;
        opens = opened ? opens - 1 : 0;
        if (!opened) {
            ++decisions_[player];
            chosen = step == measured_step_ || measures_all_[player]
                         ? sampled_choice_of(agent, player, step, step == next)
                         : choice_of(agent, player);
        }
        if (chosen >= kResigns) {
            give_up(agent, player, chosen == kResigns, listener);
            break;
        }
        if (opened || !looks_[player]) {
            offers_[sides_[player]] = false;
        } else if (is_agreed(agent, player)) {
            judge({Verdict::Kind::Agreed, player}, listener);
            break;
        }
        assert(chosen < position_->move_count());
        const Move move = position_->move(chosen);
        now(Doing::Line);
        if (listener != nullptr) listener->moves(*position_, move);
        now(Doing::Table);
        const bool secret = anybody_observes_ && position_->is_secret();
        if (anybody_observes_) move_ = position_->text(move);
        made_.push_back(static_cast<std::uint32_t>(chosen));
        position_->play(move, opened ? given : chance);
        if (listener != nullptr) listener->moved(*position_);
        if (anybody_observes_) tell(agents, player, move, secret);
        if (step == next) next = watched(agents, step);
    }
    if (step == next) watch(agents, nullptr);
    abandoned_ = position_->ending() == Ending::None && breaks_off();
    if (!abandoned_) say_goodbye(agents, listener);
    return *position_;
}

void GameRunner::say_goodbye(std::span<Agent* const> agents, Listener* listener) {
    now(Doing::Table);
    for (Seat seat = 0; seat < agents.size(); ++seat) {
        const bool gone = fault_ && fault_->seat == seat;
        if (!observes_[seat] || gone) continue;
        const Position& view = seen_by(seat);
        const Stay here(whereabouts_, Area::Agent, seat);
        if (verdict_) agents[seat]->judged(*verdict_);
        agents[seat]->ends(view);
    }
    if (meter_ != nullptr) meter_->ends(std::span(decisions_).first(agents.size()));
    for (Seat seat = 0; seat < agents.size(); ++seat)
        if (const Substitution* other = agents[seat]->substitution())
            substitutions_.emplace_back(seat, *other);
    if (listener == nullptr) return;
    for (const auto& [seat, other] : substitutions_)
        listener->substituted(*position_, seat, other);
    listener->ends(*position_);
}

void GameRunner::give_up(const Agent& agent, Seat seat, bool resigns, Listener* listener) {
    if (resigns) return judge({Verdict::Kind::Resigned, seat}, listener);
    if (breaks_off()) return; // the game was abandoned
    assert(agent.fault() != nullptr);
    fault_ = {seat, *agent.fault()};
    verdict_ = {Verdict::Kind::Fault, seat};
    if (listener != nullptr) listener->faults(*position_, fault_->fault);
}

void GameRunner::judge(const Verdict& verdict, Listener* listener) {
    verdict_ = verdict;
    if (listener != nullptr) listener->judged(*position_, verdict);
}

} // namespace croupier::agents
