// The search of AL0: holding goal, goal, then one move of ours or all of theirs.
#include "agents/advice/search.h"

#include "agents/advice/roots.h"
#include "engine/api/program.h"
#include "engine/api/run.h"
#include "engine/api/state.h"

#include <fmt/format.h>

#include <algorithm>

namespace croupier::agents::advice {

using engine::NodeRef;
using engine::State;
using engine::Symbol;
using engine::Value;
using games::Ending;
using games::Move;
using games::RulesetPosition;

namespace {

using Op = Formula::Op;

void copy_below(State& state, NodeRef from, NodeRef to) {
    for (NodeRef child = state.first_child(from); child; child = state.next_sibling(child)) {
        const Symbol key = state.key(child).symbol();
        const Value value = state.value(child);
        if (value.tag == engine::Tag::None)
            copy_below(state, child, state.make_child(to, key));
        else
            state.set_child(to, key, value);
    }
}

} // namespace

Search::Search(const AdviceTable& table, const SearchSettings& settings)
    : table_(table), settings_(settings), machine_(table.game().program(), table.game().budgets()),
      candidates_(table.deepest() + 1) {
    line_.push_back(std::make_unique<RulesetPosition>(table.game()));
}

void Search::begin(games::Seat us) {
    ours_.assign(table_.game().facts().seats(), false);
    for (const games::Seat partner : table_.game().facts().partners(us))
        ours_[partner] = true;
    State& state = root().tree();
    state.set_child(state.root(), table_.names().us, Value::key(table_.game().player(us)));
    enter(0);
    keep_root();
}

// The position at the root once more, under `root`.
void Search::keep_root() {
    State& state = root().tree();
    if (const NodeRef old = state.child(state.root(), table_.names().root)) state.remove(old);
    const NodeRef copy = state.make_child(state.root(), table_.names().root);
    for (NodeRef child = state.first_child(state.root()); child;
         child = state.next_sibling(child)) {
        const Symbol key = state.key(child).symbol();
        if (!table_.is_field(key)) continue;
        const Value value = state.value(child);
        if (value.tag == engine::Tag::None)
            copy_below(state, child, state.make_child(copy, key));
        else
            state.set_child(copy, key, value);
    }
}

void Search::check(const engine::RunResult& result) {
    if (!result.error) return;
    throw AdviceFault(fmt::format("{}: {}: {}", result.error->rule,
                                  engine::name_of(result.error->kind), result.error->detail));
}

void Search::set_depth(RulesetPosition& position, std::size_t ply) {
    State& state = position.tree();
    state.set_child(state.root(), table_.names().depth,
                    Value::number(static_cast<std::int64_t>(ply)));
}

// What the table wants to know of the position at that ply.
void Search::enter(std::size_t ply) {
    RulesetPosition& position = *line_[ply];
    if (position.ending() == Ending::Aborted)
        throw AdviceFault(fmt::format("the game was aborted: {}: {}", position.fault().rule,
                                      position.fault().what));
    set_depth(position, ply);
    if (table_.derive() != engine::kNone)
        check(machine_.run(table_.derive(), position.tree(), chance_));
}

void Search::play(RulesetPosition& to, const RulesetPosition& from, Move move) {
    to.copy_from(from);
    to.play(move, chance_);
}

// ---- goals -------------------------------------------------------------------------------------

bool Search::holds(const Goal& goal, std::size_t ply) {
    switch (goal.op) {
    case Op::Name: {
        const engine::RunResult result =
            machine_.match(goal.predicate, line_[ply]->tree(), chance_);
        if (result.error) check(result);
        return result.matches > 0;
    }
    case Op::Depth:
        return compares(goal.compare, static_cast<std::int64_t>(ply), goal.depth);
    case Op::Not:
        return !holds(goal.parts[0], ply);
    case Op::Or:
        return std::any_of(goal.parts.begin(), goal.parts.end(),
                           [&](const Goal& part) { return holds(part, ply); });
    default:
        return std::all_of(goal.parts.begin(), goal.parts.end(),
                           [&](const Goal& part) { return holds(part, ply); });
    }
}

// The first part of a goal that does not hold: what to tell people.
const Goal* Search::broken(const Goal& goal, std::size_t ply) {
    if (goal.op != Op::And) return &goal;
    for (const Goal& part : goal.parts) {
        if (!holds(part, ply)) return broken(part, ply);
    }
    return &goal;
}

bool Search::fail(Failure::Why why, std::size_t ply, const Goal* goal) {
    if (!settings_.explain) return false;
    if (failure_.why != Failure::Why::None && failure_.depth >= ply) return false;
    failure_ = {why, ply, goal == nullptr ? nullptr : broken(*goal, ply), {}};
    for (std::size_t i = 0; i < ply; ++i)
        failure_.moves.emplace_back(line_[i]->text(path_[i]));
    return false;
}

// ---- the tree ----------------------------------------------------------------------------------

bool Search::satisfy(const Advice& advice, ForcingTree& tree) {
    advice_ = &advice;
    tree_ = &tree;
    nodes_ = 0;
    failure_ = {};
    path_.resize(std::max<std::size_t>(path_.size(), advice.plies));
    tree.clear();
    remembers_ = settings_.memo || advice.memo;
    memo_.clear();
    subtrees_.clear();
    const bool found = visit(0, tree.add(ForcingTree::kNone, 0, ForcingTree::Kind::Leaf));
    if (!found) tree.clear();
    return found;
}

// ---- memory: of one search, by position and depth, which is all that a subtree depends on
// --------

std::uint64_t Search::memo_key(std::size_t ply) const {
    const auto& position = static_cast<const RulesetPosition&>(*line_[ply]);
    return position_key(table_, position.tree()) + 0x9e3779b97f4a7c15u * (ply + 1);
}

void Search::remember(std::uint64_t key, Node node) {
    memo_[key] = {node};
    if (node != ForcingTree::kNone) subtrees_.emplace_back(node, key);
}

// Subtrees that are cut off are no longer there to be shared.
void Search::forget_from(Node node) {
    while (!subtrees_.empty() && subtrees_.back().first >= node) {
        memo_.erase(subtrees_.back().second);
        subtrees_.pop_back();
    }
}

bool Search::visit(std::size_t ply, Node node) {
    if (!remembers_) return search(ply, node);
    const std::uint64_t key = memo_key(ply);
    if (const auto known = memo_.find(key); known != memo_.end()) {
        if (known->second.node == ForcingTree::kNone) return false;
        tree_->share(node, known->second.node);
        return true;
    }
    const bool found = search(ply, node);
    remember(key, found ? node : ForcingTree::kNone);
    return found;
}

bool Search::search(std::size_t ply, Node node) {
    using Why = Failure::Why;
    if (++nodes_ > kMostNodes)
        throw AdviceFault(
            fmt::format("the advice {} visits more than {} nodes", advice_->name, kMostNodes));
    const RulesetPosition& position = *line_[ply];
    if (!holds(advice_->hold, ply)) return fail(Why::Hold, ply, &advice_->hold);
    const bool reached = holds(advice_->goal, ply);
    const bool over = position.ending() != Ending::None;
    const bool ours = !over && ours_[position.turn()];
    // A tree without a move is no advice.
    if (reached && ply == 0 && ours) return fail(Why::HeldAlready, ply);
    if (reached) return true;
    if (over) return fail(Why::Over, ply, &advice_->goal);
    if (ply == advice_->plies) return fail(Why::TooDeep, ply, &advice_->goal);
    candidates_[ply].clear();
    list(ours ? advice_->us : advice_->them, ply, candidates_[ply]);
    if (candidates_[ply].empty())
        return fail(ours ? Why::NoMove : Why::NoReply, ply, &advice_->goal);
    while (line_.size() <= ply + 1)
        line_.push_back(std::make_unique<RulesetPosition>(table_.game()));
    tree_->set_kind(node, ours ? ForcingTree::Kind::Ours : ForcingTree::Kind::Theirs);
    return ours ? try_ours(ply, node) : try_theirs(ply, node);
}

// Plays the move; false if the move was only to be made under a condition that does not hold.
bool Search::goes_on(const Candidate& candidate, std::size_t ply) {
    path_[ply] = candidate.move;
    play(*line_[ply + 1], *line_[ply], candidate.move);
    enter(ply + 1);
    return candidate.test == nullptr || holds(*candidate.test, ply + 1);
}

bool Search::try_ours(std::size_t ply, Node node) {
    for (std::size_t i = 0; i < candidates_[ply].size(); ++i) {
        const Candidate candidate = candidates_[ply][i];
        if (!goes_on(candidate, ply)) continue;
        const std::size_t size = tree_->size();
        if (visit(ply + 1, tree_->add(node, candidate.move, ForcingTree::Kind::Leaf))) return true;
        tree_->cut(size, node);
        forget_from(static_cast<Node>(size));
    }
    return false;
}

bool Search::try_theirs(std::size_t ply, Node node) {
    bool any = false;
    for (std::size_t i = 0; i < candidates_[ply].size(); ++i) {
        const Candidate candidate = candidates_[ply][i];
        if (!goes_on(candidate, ply)) continue;
        any = true;
        if (!visit(ply + 1, tree_->add(node, candidate.move, ForcingTree::Kind::Leaf)))
            return false;
    }
    return any || fail(Failure::Why::NoReply, ply, &advice_->goal);
}

} // namespace croupier::agents::advice
