// Draw a deal, select, expand, play out, learn.
#include "agents/ismcts/ismcts_agent.h"

#include "agents/mix/mix_agent.h"
#include "agents/net/net_agent.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace croupier::agents {

using games::Ending;

IsmctsAgent::IsmctsAgent(const IsmctsLimits& limits, Playout playout, Worlds worlds,
                         std::optional<Guide> guide)
    : limits_(limits), playout_(std::move(playout)), worlds_(std::move(worlds)),
      guide_(std::move(guide)), selection_(guide_ ? kByPrior : kByVisits) {}

void IsmctsAgent::reset(const Game& game, Seat me) {
    playout_.reset(game);
    worlds_.reset(game, me);
    if (guide_) guide_->reset(game);
    me_ = me;
    limits_.resignation.reset();
    if (game_ == &game) return;
    game_ = &game;
    sides_ = Sides(game.facts());
    position_ = game.new_position();
    child_of_.assign(game.facts().moves.size(), kNoNode);
}

void IsmctsAgent::observe(const Position& view, const ObservedMove& seen) {
    if (worlds_.observes()) worlds_.observe(view, seen);
    if (guide_) guide_->observe(view, seen);
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
            if (!guide_) playout_.play(*position_, random, chance);
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
    if (guide_) guide_->begins();
    while (position_->ending() == Ending::None) {
        const NodeId id = select(path_.back(), random);
        if (id == kNoNode) return;
        path_.push_back(id);
        play(nodes_[id].move, chance);
        // Nets know positions in which somebody can choose.
        if (nodes_[id].visits > 0 || (guide_ && position_->move_count() == 1)) continue;
        if (guide_) follow(id, chance);
        return;
    }
}

// A random untried move, else the most promising one; none if the tree is full there.
IsmctsAgent::NodeId IsmctsAgent::select(NodeId above, Random& random) {
    mark_children(above, true);
    untried_.clear();
    NodeId best = kNoNode;
    double most = -1;
    const double range = std::max(most_ - least_, 1e-9);
    position_->list_moves(moves_);
    const auto is_new = [&](Move move) { return child_of_[move] == kNoNode; };
    if (guide_ && std::ranges::any_of(moves_, is_new)) {
        expand(above);
        mark_children(above, true);
    }
    for (const Move move : moves_) {
        const NodeId id = child_of_[move];
        if (id == kNoNode) {
            untried_.push_back(move);
            continue;
        }
        Node& node = nodes_[id];
        ++node.available;
        const auto visits = static_cast<double>(node.visits);
        const double ahead = node.visits == 0 ? node.lead : node.ahead / visits;
        const double value =
            selection_.value({(ahead - least_) / range, visits, node.prior}, limits_.exploration,
                             selection_.weight(static_cast<double>(node.available)));
        if (best != kNoNode && value <= most) continue;
        most = value;
        best = id;
    }
    mark_children(above, false);
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

// Others expect what they can know, which is not what the agent holds. So the guide's moves are
// made until the agent itself must choose, and what it expects then counts.
void IsmctsAgent::follow(NodeId from, Random& chance) {
    if (position_->ending() == Ending::None) expand(from);
    while (position_->ending() == Ending::None) {
        position_->list_moves(moves_);
        std::size_t best = 0;
        if (moves_.size() > 1) {
            guide_->look(*position_, moves_);
            if (position_->turn() == me_) return;
            best = guide_->best();
        }
        play(moves_[best], chance);
    }
}

void IsmctsAgent::play(Move move, Random& chance) {
    const games::Memory::Made made{position_->turn(), move, position_->is_secret()};
    position_->play(move, chance);
    if (guide_) guide_->played(made, *position_);
}

void IsmctsAgent::mark_children(NodeId above, bool known) {
    for (NodeId id = nodes_[above].first_child; id != kNoNode; id = nodes_[id].next)
        child_of_[nodes_[id].move] = known ? id : kNoNode;
}

// Asks the guide about the moves of the position, and adds those that are new there.
void IsmctsAgent::expand(NodeId above) {
    mark_children(above, true);
    position_->list_moves(moves_);
    const bool forced = moves_.size() == 1;
    if (!forced) guide_->look(*position_, moves_);
    for (std::size_t i = 0; i < moves_.size() && nodes_.size() < limits_.most_nodes; ++i) {
        if (child_of_[moves_[i]] != kNoNode) continue;
        const NodeId id = add(above, moves_[i]);
        nodes_[id].available = 0;
        if (forced) continue;
        nodes_[id].prior = guide_->priors()[i];
        nodes_[id].lead = guide_->leads()[i];
        least_ = std::min(least_, nodes_[id].lead);
        most_ = std::max(most_, nodes_[id].lead);
    }
    mark_children(above, false);
}

// Credits each move on the path with the playout's result for its player.
void IsmctsAgent::learn() {
    for (const NodeId id : path_) {
        Node& node = nodes_[id];
        ++node.visits;
        if (id == 0) continue;
        const double lead =
            guide_ ? guide_->lead(*position_, node.mover) : sides_.ahead(*position_, node.mover);
        node.ahead += lead;
        node.won += won_share(lead);
        least_ = std::min(least_, lead);
        most_ = std::max(most_, lead);
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
    std::string net;
    arguments.text("net", net);
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
    std::optional<Guide> guide;
    if (!net.empty() && made.error.empty())
        if (auto opened = open_net(net, services, made)) guide.emplace(std::move(opened));
    if (made.error.empty() && !made.diagnostics.has_errors())
        made.agent = std::make_unique<IsmctsAgent>(limits, std::move(playout), std::move(worlds),
                                                   std::move(guide));
    return leave_auction(std::move(made), bidder, "ismcts", services);
}

} // namespace croupier::agents
