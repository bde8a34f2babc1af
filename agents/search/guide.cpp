// Selection by what was tried and what a net expects.
#include "agents/search/guide.h"

#include <algorithm>
#include <cmath>

namespace croupier::agents {
namespace {

// A move that is worth so much of the usual result less is made 1 / e times as often.
constexpr double kTemperature = 0.1;

double by_visits(const Tried& tried, double exploration, double weight) {
    return tried.mean + exploration * std::sqrt(weight / tried.visits);
}

double by_prior(const Tried& tried, double exploration, double weight) {
    return tried.mean + exploration * weight * tried.prior / (1 + tried.visits);
}

} // namespace

const Selection kByVisits{[](double times) { return std::log(times); }, by_visits};
const Selection kByPrior{[](double times) { return std::sqrt(times); }, by_prior};

void Guide::reset(const Game& game) {
    game_moves_.clear();
    if (view_ != nullptr && &view_->game() == &game) return;
    view_ = game.facts().hides ? game.new_position() : nullptr;
    sides_ = Sides(game.facts());
}

void Guide::observe(const Position& view, const ObservedMove& seen) {
    if (!seen.move.empty()) game_moves_.note({seen.player, seen.number, seen.secret}, view);
}

void Guide::look(const Position& position, std::span<const Move> moves) {
    mover_ = position.turn();
    if (view_ != nullptr) view_->view_from(position, mover_);
    net_->look(view_ != nullptr ? *view_ : position, moves_, mover_, moves, work_, worths_);
    leads_.clear();
    for (const std::int64_t worth : worths_)
        leads_.push_back(net_->points(worth));
    const auto best = std::ranges::max_element(leads_);
    best_ = static_cast<std::size_t>(best - leads_.begin());
    priors_.clear();
    double sum = 0;
    for (const double lead : leads_)
        sum += priors_.emplace_back(std::exp((lead - *best) / (kTemperature * net_->unit())));
    for (double& prior : priors_)
        prior /= sum;
}

double Guide::lead(const Position& position, Seat seat) const {
    if (position.ending() != games::Ending::None)
        return net_->wants_wins() ? 2 * sides_.reward(position, seat) - 1
                                  : sides_.ahead(position, seat);
    const double expected = leads_[best_];
    if (sides_.are_partners(seat, mover_)) return expected;
    return -expected / static_cast<double>(sides_.count() - 1);
}

} // namespace croupier::agents
