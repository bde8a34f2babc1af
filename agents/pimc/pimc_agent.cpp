// Draws, solves or plays out, sums up.
#include "agents/pimc/pimc_agent.h"

#include "agents/mix/mix_agent.h"

#include <algorithm>
#include <limits>

namespace croupier::agents {
namespace {

// From that many deals on, playouts judge a bid better than bidding rules do: measured in
// agents/measured.csv.
constexpr std::uint64_t kDealsForBids = 100;

} // namespace

PimcAgent::PimcAgent(const PimcLimits& limits, Playout playout, Worlds worlds)
    : limits_(limits), playout_(std::move(playout)), worlds_(std::move(worlds)) {}

void PimcAgent::reset(const Game& game, Seat me) {
    me_ = me;
    playout_.reset(game);
    worlds_.reset(game, me);
    limits_.resignation.reset();
    dummy_.reset(game);
    if (game_ == &game) return;
    game_ = &game;
    sides_ = Sides(game.facts());
    deal_ = game.new_position();
    line_ = game.new_position();
}

std::size_t PimcAgent::choose(const Position& view, Random& random) {
    if (view.move_count() == 1) return 0;
    sum_.assign(view.move_count(), 0);
    won_.assign(view.move_count(), 0);
    std::uint64_t drawn = 0;
    if (worlds_.look(view)) {
        until_ = limits_.time.from_now();
        solves_ = limits_.plies > 0 && !view.is_auction();
        while (limits_.time.goes_on(drawn, limits_.deals, until_)) {
            if (!worlds_.draw(*deal_, random)) break;
            if (!look_at(*deal_, drawn == 0, random)) break;
            ++drawn;
            for (std::size_t i = 0; i < sum_.size(); ++i) {
                sum_[i] += worth_[i];
                won_[i] += won_share(worth_[i]);
            }
        }
    }
    deals_ += drawn;
    // A random one of the best; of all if nothing could be drawn.
    const double most = *std::ranges::max_element(sum_);
    auto nth = random.below(static_cast<std::uint64_t>(std::ranges::count(sum_, most)));
    std::size_t chosen = 0;
    while (sum_[chosen] != most || nth-- > 0)
        ++chosen;
    if (drawn == 0) return chosen;
    const double expected = won_[chosen] / static_cast<double>(drawn);
    return limits_.resignation.comes(expected) ? kResigns : chosen;
}

// The value of each move in that deal. Plays out all moves with the same chance. False if time is
// over. In the first deal at least one move is evaluated, so that there is a move to play.
bool PimcAgent::look_at(const Position& deal, bool first, Random& random) {
    const Random course = random.stream(random.next());
    if (solve(deal, course, random)) {
        ++solved_;
        return true;
    }
    const Random choices = random.stream(random.next());
    worth_.assign(deal.move_count(), -std::numeric_limits<double>::infinity());
    for (std::size_t i = 0; i < worth_.size(); ++i) {
        if (first ? i > 0 && limits_.time.hurries() : limits_.time.is_over(until_)) return first;
        Random its_course = course;
        Random its_choices = choices;
        line_->copy_from(deal);
        line_->play(deal.move(i), its_course);
        playout_.play(*line_, its_choices, its_course);
        worth_[i] = sides_.ahead(*line_, me_);
    }
    return true;
}

// False if the end is too far away, as a random game estimates, exactly in trick games. False in
// auctions as well: if all pass, no cards are played. And after a deal that exceeded the limit,
// since the others of this decision are similar.
bool PimcAgent::solve(const Position& deal, const Random& course, Random& random) {
    if (!solves_) return false;
    Random its_course = course;
    line_->copy_from(deal);
    line_->play_randomly(random, its_course);
    if (line_->plies() - deal.plies() > limits_.plies) return false;
    solves_ = dummy_.solve(deal, me_, {limits_.nodes, limits_.plies, limits_.time, until_}, course,
                           worth_);
    return solves_;
}

MadeAgent make_pimc_agent(const AgentSpec& spec, const AgentServices& services) {
    MadeAgent made;
    Arguments arguments(spec);
    PimcLimits limits;
    std::string policy;
    std::string bids;
    std::string belief;
    Worlds worlds;
    arguments.text("policy", policy);
    arguments.text("bids", bids);
    arguments.text("belief", belief);
    arguments.number_or_time("deals", limits.deals, 1'000'000, services, limits.time);
    arguments.number("dd", limits.plies, 0, 1'000);
    arguments.number("nodes", limits.nodes, 1, std::uint64_t{1} << 40);
    arguments.percentage_to_resign(limits.resignation);
    made.error = arguments.error();
    if (made.error.empty()) made.error = read_belief(belief, worlds);
    if (made.error.empty()) made.error = cannot_draw(services.game, "pimc");
    if (!made.error.empty()) return made;
    std::string bidder = bidder_of(bids, services);
    if (bids.empty() && policy == bidder && limits.deals >= kDealsForBids) bidder.clear();
    Playout playout = make_playout(policy, bidder, "pimc", services, made);
    if (made.error.empty() && !made.diagnostics.has_errors())
        made.agent = std::make_unique<PimcAgent>(limits, std::move(playout), std::move(worlds));
    return leave_auction(std::move(made), bidder, "pimc", services);
}

} // namespace croupier::agents
