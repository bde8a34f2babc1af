// Select, expand, play out, learn.
#include "agents/mcts/mcts_agent.h"

#include "agents/net/net_agent.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

namespace croupier::agents {

using games::Ending;

namespace {

constexpr std::uint64_t kMaxPlayouts = 100'000'000;

} // namespace

MctsAgent::MctsAgent(const MctsLimits& limits, Playout playout, std::optional<Guide> guide)
    : limits_(limits), playout_(std::move(playout)), guide_(std::move(guide)),
      selection_(guide_ ? kByPrior : kByVisits) {}

void MctsAgent::reset(const Game& game, Seat) {
    rewards_.assign(game.facts().seats(), 0);
    limits_.resignation.reset();
    playout_.reset(game);
    if (guide_) guide_->reset(game);
    if (game_ == &game) return;
    game_ = &game;
    position_ = game.new_position();
    sides_ = Sides(game.facts());
}

std::size_t MctsAgent::choose(const Position& view, Random& random) {
    if (view.move_count() == 1) return 0;
    nodes_.clear();
    nodes_.emplace_back();
    position_->copy_from(view);
    if (guide_) least_ = most_ = 0;
    open(0, random);
    const Random course = random.stream(random.next());
    const auto until = limits_.time.from_now();
    for (std::uint64_t done = 0; limits_.time.goes_on(done, limits_.playouts, until); ++done) {
        position_->copy_from(view);
        chance_ = course;
        descend(random);
        if (!guide_) playout_.play(*position_, random, chance_);
        learn();
        ++playouts_;
    }
    // The most visited move; among equals the one with the better rewards.
    NodeId best = nodes_[0].first_child;
    for (NodeId id = best; id != kNoNode; id = nodes_[id].next) {
        const Node& node = nodes_[id];
        const Node& than = nodes_[best];
        if (node.visits > than.visits || (node.visits == than.visits && node.reward > than.reward))
            best = id;
    }
    const Node& chosen = nodes_[best];
    return limits_.resignation.comes(chosen.reward / chosen.visits) ? kResigns : chosen.move;
}

// The position is the node's: sets the number of moves and the order in which to try them.
void MctsAgent::open(NodeId id, Random& random) {
    Node& node = nodes_[id];
    node.count = static_cast<std::uint32_t>(position_->move_count());
    if (node.count == 0) return;
    node.turn = position_->turn();
    if (guide_) return expand(id);
    node.begin = static_cast<std::uint32_t>(random.below(node.count));
    do {
        node.stride = 1 + static_cast<std::uint32_t>(random.below(node.count));
    } while (std::gcd(node.stride, node.count) != 1);
}

// All moves become nodes, with what the guide thinks of them.
void MctsAgent::expand(NodeId id) {
    position_->list_moves(moves_);
    const bool forced = moves_.size() == 1;
    if (!forced) guide_->look(*position_, moves_);
    for (std::size_t i = 0; i < moves_.size() && nodes_.size() < limits_.most_nodes; ++i) {
        const NodeId child = try_next(id);
        if (forced) continue;
        const auto move = nodes_[child].move;
        nodes_[child].prior = guide_->priors()[move];
        nodes_[child].lead = guide_->leads()[move];
        least_ = std::min(least_, nodes_[child].lead);
        most_ = std::max(most_, nodes_[child].lead);
    }
}

// Descends the tree to an untried move, which becomes a node.
MctsAgent::NodeId MctsAgent::descend(Random& random) {
    path_.clear();
    NodeId id = 0;
    for (;;) {
        path_.push_back(id);
        const Node& node = nodes_[id];
        if (node.count == 0) return id;
        const bool grows = node.tried < node.count && nodes_.size() < limits_.most_nodes;
        if (!grows && node.first_child == kNoNode) {
            if (guide_) expand(id); // the tree is full, but what is expected here is needed
            return id;
        }
        const NodeId below = grows ? try_next(id) : best_child(node);
        position_->play(position_->move(nodes_[below].move), chance_);
        id = below;
        const bool is_new = grows || (guide_ && nodes_[id].visits == 0);
        if (!is_new) continue;
        open(id, random);
        if (guide_ && nodes_[id].count == 1) continue; // a net has learnt from decisions
        path_.push_back(id);
        return id;
    }
}

MctsAgent::NodeId MctsAgent::try_next(NodeId id) {
    const auto child = static_cast<NodeId>(nodes_.size());
    nodes_.emplace_back();
    Node& node = nodes_[id];
    nodes_[child].move = static_cast<std::uint32_t>(
        (node.begin + std::uint64_t{node.tried} * node.stride) % node.count);
    nodes_[child].next = node.first_child;
    node.first_child = child;
    ++node.tried;
    return child;
}

MctsAgent::NodeId MctsAgent::best_child(const Node& node) const {
    const double weight = selection_.weight(static_cast<double>(node.visits));
    const double range = std::max(most_ - least_, 1e-9);
    NodeId best = node.first_child;
    double most = -1;
    for (NodeId id = node.first_child; id != kNoNode; id = nodes_[id].next) {
        const auto visits = static_cast<double>(nodes_[id].visits);
        const double reward = visits == 0 ? nodes_[id].lead : nodes_[id].reward / visits;
        const double value = selection_.value({(reward - least_) / range, visits, nodes_[id].prior},
                                              limits_.exploration, weight);
        if (value <= most) continue;
        most = value;
        best = id;
    }
    return best;
}

// Credits each node on the path with the playout's reward for its player.
void MctsAgent::learn() {
    for (Seat seat = 0; seat < rewards_.size(); ++seat)
        rewards_[seat] = guide_ ? guide_->lead(*position_, seat) : sides_.reward(*position_, seat);
    if (guide_) {
        least_ = std::min(least_, std::ranges::min(rewards_));
        most_ = std::max(most_, std::ranges::max(rewards_));
    }
    for (std::size_t i = 0; i < path_.size(); ++i) {
        Node& node = nodes_[path_[i]];
        ++node.visits;
        if (i > 0) node.reward += rewards_[nodes_[path_[i - 1]].turn];
    }
}

MadeAgent make_mcts_agent(const AgentSpec& spec, const AgentServices& services) {
    MadeAgent made;
    Arguments arguments(spec);
    MctsLimits limits;
    std::uint64_t percent = 100;
    std::string policy;
    arguments.number_or_time("playouts", limits.playouts, kMaxPlayouts, services, limits.time);
    arguments.number("nodes", limits.most_nodes, 2, std::uint64_t{1} << 31);
    arguments.number("explore", percent, 0, 10'000);
    std::string net;
    arguments.text("net", net);
    arguments.text("policy", policy);
    arguments.percentage_to_resign(limits.resignation);
    made.error = arguments.error();
    if (made.error.empty() && services.game.facts().hides) {
        made.error =
            fmt::format("mcts plays the view to its end, and {} hides things from its players",
                        services.game.facts().title());
    }
    if (made.error.empty() && !net.empty() && limits.resignation.may_come())
        made.error = "mcts resigns by the results of playouts, and with a net there are none";
    if (!made.error.empty()) return made;
    limits.exploration = static_cast<double>(percent) / 100;
    Playout playout = make_playout(policy, {}, "mcts", services, made);
    std::optional<Guide> guide;
    if (!net.empty() && made.error.empty())
        if (auto opened = open_net(net, services, made)) guide.emplace(std::move(opened));
    if (made.error.empty() && !made.diagnostics.has_errors())
        made.agent = std::make_unique<MctsAgent>(limits, std::move(playout), std::move(guide));
    return made;
}

} // namespace croupier::agents
