// Draw a deal, select, expand, play out, learn.
#include "agents/ismcts/ismcts_agent.h"

#include "agents/mix/mix_agent.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace croupier::agents {

using games::Ending;

IsmctsAgent::IsmctsAgent(const IsmctsLimits& limits, Playout playout, Worlds worlds)
    : limits_(limits), playout_(std::move(playout)), worlds_(std::move(worlds)) {}

void IsmctsAgent::reset(const Game& game, Seat me) {
    playout_.reset(game);
    worlds_.reset(game, me);
    limits_.resignation.reset();
    if (game_ == &game) return;
    game_ = &game;
    sides_ = Sides(game.facts());
    position_ = game.new_position();
    child_of_.assign(game.facts().moves.size(), kNoNode);
}

std::size_t IsmctsAgent::choose(const Position& view, Random& random) {
    if (view.move_count() == 1) return 0;
    nodes_.assign(1, {});
    least_ = 0;
    most_ = 0;
    if (worlds_.look(view)) {
        const auto until = limits_.time.from_now();
        for (std::uint64_t done = 0; limits_.time.goes_on(done, limits_.playouts, until); ++done) {
            if (!worlds_.draw(*position_, random)) break;
            Random chance = random.stream(random.next());
            descend(random, chance);
            playout_.play(*position_, random, chance);
            learn();
            ++playouts_;
        }
    }
    const Node* const best = most_visited();
    if (best == nullptr) return random.below(view.move_count());
    if (limits_.resignation.comes(best->won / best->visits)) return kResigns;
    std::size_t index = 0;
    while (view.move(index) != best->move)
        ++index;
    return index;
}

// Descends the tree along moves that the deal allows, to an untried one.
void IsmctsAgent::descend(Random& random, Random& chance) {
    path_.assign(1, 0);
    while (position_->ending() == Ending::None) {
        const NodeId id = select(path_.back(), random);
        if (id == kNoNode) return;
        path_.push_back(id);
        position_->play(nodes_[id].move, chance);
        if (nodes_[id].visits == 0) return;
    }
}

// A random untried move, else the most promising one; none if the tree is full there.
IsmctsAgent::NodeId IsmctsAgent::select(NodeId above, Random& random) {
    for (NodeId id = nodes_[above].first_child; id != kNoNode; id = nodes_[id].next)
        child_of_[nodes_[id].move] = id;
    untried_.clear();
    NodeId best = kNoNode;
    double most = -1;
    const double range = std::max(most_ - least_, 1e-9);
    position_->list_moves(moves_);
    for (const Move move : moves_) {
        const NodeId id = child_of_[move];
        if (id == kNoNode) {
            untried_.push_back(move);
            continue;
        }
        Node& node = nodes_[id];
        ++node.available;
        const auto visits = static_cast<double>(node.visits);
        const double value =
            (node.ahead / visits - least_) / range +
            limits_.exploration * std::sqrt(std::log(static_cast<double>(node.available)) / visits);
        if (value <= most) continue;
        most = value;
        best = id;
    }
    for (NodeId id = nodes_[above].first_child; id != kNoNode; id = nodes_[id].next)
        child_of_[nodes_[id].move] = kNoNode;
    if (untried_.empty() || nodes_.size() >= limits_.most_nodes) return best;
    return add(above, untried_[random.below(untried_.size())]);
}

IsmctsAgent::NodeId IsmctsAgent::add(NodeId above, Move move) {
    const auto id = static_cast<NodeId>(nodes_.size());
    nodes_.push_back({.next = nodes_[above].first_child,
                      .move = move,
                      .mover = position_->turn(),
                      .available = 1});
    nodes_[above].first_child = id;
    return id;
}

// Credits each move on the path with the playout's result for its player.
void IsmctsAgent::learn() {
    for (const NodeId id : path_) {
        Node& node = nodes_[id];
        ++node.visits;
        if (id == 0) continue;
        const double ahead = sides_.ahead(*position_, node.mover);
        node.ahead += ahead;
        node.won += won_share(ahead);
        least_ = std::min(least_, ahead);
        most_ = std::max(most_, ahead);
    }
}

// Among equals the one with the better results; null if nothing could be drawn.
const IsmctsAgent::Node* IsmctsAgent::most_visited() const {
    const Node* best = nullptr;
    for (NodeId id = nodes_[0].first_child; id != kNoNode; id = nodes_[id].next) {
        const Node& node = nodes_[id];
        if (best == nullptr || node.visits > best->visits ||
            (node.visits == best->visits && node.ahead > best->ahead))
            best = &node;
    }
    return best;
}

MadeAgent make_ismcts_agent(const AgentSpec& spec, const AgentServices& services) {
    MadeAgent made;
    Arguments arguments(spec);
    IsmctsLimits limits;
    std::uint64_t percent = 70;
    std::string policy;
    std::string bids;
    std::string belief;
    Worlds worlds;
    arguments.text("policy", policy);
    arguments.text("bids", bids);
    arguments.text("belief", belief);
    arguments.number_or_time("playouts", limits.playouts, 100'000'000, services, limits.time);
    arguments.number("nodes", limits.most_nodes, 2, std::uint64_t{1} << 31);
    arguments.number("explore", percent, 0, 10'000);
    arguments.percentage_to_resign(limits.resignation);
    made.error = arguments.error();
    const games::Facts& facts = services.game.facts();
    if (made.error.empty() && facts.moves.empty()) {
        made.error = fmt::format("ismcts knows moves by their number, and {} does not list its "
                                 "moves: declare them in the shape of `moves`",
                                 facts.title());
    }
    if (made.error.empty()) made.error = read_belief(belief, worlds);
    if (made.error.empty()) made.error = cannot_draw(services.game, "ismcts");
    if (!made.error.empty()) return made;
    limits.exploration = static_cast<double>(percent) / 100;
    const std::string bidder = bidder_of(bids, services);
    Playout playout = make_playout(policy, bidder, "ismcts", services, made);
    if (made.error.empty() && !made.diagnostics.has_errors())
        made.agent = std::make_unique<IsmctsAgent>(limits, std::move(playout), std::move(worlds));
    return leave_auction(std::move(made), bidder, "ismcts", services);
}

} // namespace croupier::agents
