// The search of AL0: the holding goal, the goal, then one move of ours or all of theirs.
#include "agents/advice/search.h"

#include "agents/advice/verify.h"
#include "engine/api/program.h"
#include "engine/api/random.h"
#include "engine/api/run.h"
#include "engine/api/state.h"
#include "engine/api/text.h"

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

// Nodes are in one vector, children in linked lists.

ForcingTree::Node ForcingTree::add(Node parent, games::Move move, Kind kind) {
    const auto node = static_cast<Node>(nodes_.size());
    nodes_.push_back({.move = move, .kind = kind});
    if (parent == kNone) return node;
    Entry& above = nodes_[parent];
    (above.first == kNone ? above.first : nodes_[above.last].next) = node;
    above.last = node;
    return node;
}

// The remaining children of `parent` were made before the removed ones.
void ForcingTree::cut(std::size_t size, Node parent) {
    nodes_.resize(size);
    Entry& above = nodes_[parent];
    Node last = kNone;
    for (Node child = above.first; child != kNone && child < size; child = nodes_[child].next)
        last = child;
    above.last = last;
    (last == kNone ? above.first : nodes_[last].next) = kNone;
}

ForcingTree::Node ForcingTree::after(Node node, games::Move move) const {
    Node child = nodes_[node].first;
    while (child != kNone && nodes_[child].move != move)
        child = nodes_[child].next;
    return child;
}

std::string ForcingTree::text(const std::function<std::string(games::Move)>& name) const {
    std::string text;
    if (!empty()) write(text, 0, name);
    return text;
}

void ForcingTree::write(std::string& text, Node node,
                        const std::function<std::string(games::Move)>& name) const {
    const Entry& entry = nodes_[node];
    if (entry.kind == Kind::Leaf) {
        text += '*';
    } else if (entry.kind == Kind::Ours) {
        text += name(nodes_[entry.first].move) + ' ';
        write(text, entry.first, name);
    } else {
        text += '{';
        for (Node child = entry.first; child != kNone; child = nodes_[child].next) {
            text += name(nodes_[child].move) + ' ';
            write(text, child, name);
            if (nodes_[child].next != kNone) text += "; ";
        }
        text += '}';
    }
}

// Lists a search's moves in a position, in the order to try.

void Search::list_generated(const Moves& moves, std::size_t ply, Candidates& into) {
    RulesetPosition& position = *line_[ply];
    const engine::RunResult result = machine_.match(moves.generator, position.tree(), chance_);
    check(result);
    const engine::DomainTable& listed = *table_.game().move_domain();
    const std::size_t count = position.move_count();
    for (std::uint64_t i = 0; i < result.matches; ++i) {
        const Value& key = machine_.matched(i)[moves.variable];
        if (!key.is_text()) continue;
        const Move move = listed.row_of(key.symbol());
        std::size_t legal = 0;
        while (legal < count && position.move(legal) != move)
            ++legal;
        if (legal < count) into.push_back({move, nullptr});
    }
}

// Joins two tests; each pair is joined once.
const Goal* Search::both_of(const Goal* one, const Goal* other) {
    if (one == nullptr || other == nullptr || one == other) return one != nullptr ? one : other;
    const auto [at, added] = pairs_.try_emplace({one, other});
    if (added) at->second.parts = {*one, *other};
    return &at->second;
}

// Lists the moves of the first list that all others admit.
void Search::list_all(const Moves& moves, std::size_t ply, Candidates& into) {
    for (const Moves& part : moves.parts)
        if (part.op == Moves::Op::None ||
            (part.op == Moves::Op::Depth &&
             !compares(part.compare, static_cast<std::int64_t>(ply), part.depth)))
            return;
    const std::size_t begin = into.size();
    bool first = true;
    for (const Moves& part : moves.parts) {
        if (part.op == Moves::Op::Depth) continue;
        if (first) {
            list(part, ply, into);
            first = false;
        } else if (part.op != Moves::Op::Legal) {
            Candidates admitted;
            list(part, ply, admitted);
            Candidates both;
            for (auto each = into.begin() + static_cast<std::ptrdiff_t>(begin); each != into.end();
                 ++each) {
                for (const Candidate& other : admitted) {
                    if (other.move != each->move) continue;
                    both.push_back({each->move, both_of(each->test, other.test)});
                    break;
                }
            }
            into.resize(begin);
            into.insert(into.end(), both.begin(), both.end());
        }
    }
    if (first) list(Moves{}, ply, into);
}

void Search::list_then(const Moves& moves, std::size_t ply, Candidates& into) {
    for (const Moves& part : moves.parts) {
        const std::size_t begin = into.size();
        list(part, ply, into);
        if (begin == 0) continue;
        // Moves that are already listed, without a condition, are not tried again.
        const auto known = into.begin() + static_cast<std::ptrdiff_t>(begin);
        into.erase(
            std::remove_if(known, into.end(),
                           [&](const Candidate& each) {
                               return std::any_of(into.begin(), known, [&](const Candidate& other) {
                                   return other.move == each.move && other.test == nullptr;
                               });
                           }),
            into.end());
    }
}

void Search::list(const Moves& moves, std::size_t ply, Candidates& into) {
    const RulesetPosition& position = *line_[ply];
    const Goal* test = nullptr;
    switch (moves.op) {
    case Moves::Op::None:
        return;
    case Moves::Op::Generator:
        return list_generated(moves, ply, into);
    case Moves::Op::And:
        return list_all(moves, ply, into);
    case Moves::Op::Then:
        return list_then(moves, ply, into);
    case Moves::Op::Depth:
        if (!compares(moves.compare, static_cast<std::int64_t>(ply), moves.depth)) return;
        break;
    case Moves::Op::Test:
        test = &moves.goal;
        break;
    case Moves::Op::Legal:
        break;
    }
    for (std::size_t i = 0; i < position.move_count(); ++i)
        into.push_back({position.move(i), test});
}

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

// Copies the position at the root to `root`.
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

// Writes the nodes that the table reads to the position at that ply.
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
        return std::ranges::any_of(goal.parts, [&](const Goal& part) { return holds(part, ply); });
    default:
        return std::ranges::all_of(goal.parts, [&](const Goal& part) { return holds(part, ply); });
    }
}

// The first part of a goal that does not hold, for explanations.
const Goal* Search::broken(const Goal& goal, std::size_t ply) {
    if (goal.op != Op::And) return &goal;
    for (const Goal& part : goal.parts)
        if (!holds(part, ply)) return broken(part, ply);
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

// ---- memory: of one search, by position and depth, which determine a subtree -------------------

std::uint64_t Search::memo_key(std::size_t ply) const {
    const auto& position = static_cast<const RulesetPosition&>(*line_[ply]);
    return position_key(table_, position.tree()) + 0x9e3779b97f4a7c15u * (ply + 1);
}

void Search::remember(std::uint64_t key, Node node) {
    memo_[key] = {node};
    if (node != ForcingTree::kNone) subtrees_.emplace_back(node, key);
}

// Removed subtrees can no longer be shared.
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
    if (++nodes_ > kMaxNodes)
        throw AdviceFault(
            fmt::format("the advice {} visits more than {} nodes", advice_->name, kMaxNodes));
    const RulesetPosition& position = *line_[ply];
    if (!holds(advice_->hold, ply)) return fail(Why::Hold, ply, &advice_->hold);
    const bool reached = holds(advice_->goal, ply);
    const bool over = position.ending() != Ending::None;
    const bool ours = !over && ours_[position.turn()];
    // A tree without a move is not advice.
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

// Plays the move; false if the move's condition does not hold.
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

// Selects a rule, tries its advice, and records the reasons.

Strategy::Strategy(std::shared_ptr<const AdviceTable> table, const SearchSettings& settings)
    : table_(std::move(table)), settings_(settings), search_(*table_, settings),
      experts_(table_->advice().size()) {}

void Strategy::look(const engine::Document& state) {
    engine::Diagnostics diagnostics;
    engine::Random chance;
    games::RulesetPosition& root = search_.root();
    if (!root.load(state, chance, diagnostics))
        throw AdviceFault(diagnostics.sorted().front().message);
    root.resume(chance);
}

// Takes over the expert's decision, if it has one.
bool Strategy::ask_expert(std::uint32_t advice, games::Seat us) {
    const auto& table = table_->advice()[advice].expert;
    Decision::Attempt& attempt = decision_.attempts.emplace_back();
    attempt.advice = advice;
    attempt.failure.why = Failure::Why::Expert;
    if (table->side() && *table->side() != us) return false;
    std::unique_ptr<Strategy>& expert = experts_[advice];
    if (expert == nullptr) expert = std::make_unique<Strategy>(table, settings_);
    expert->look(table_->without_own(root().state()));
    const Decision& said = expert->decide(us);
    attempt.nodes = said.nodes;
    decision_.nodes += said.nodes;
    if (!said.found()) return false;
    attempt.failure = {};
    decision_.tree = said.tree;
    decision_.by = fmt::format("{}/{}", table_->advice()[advice].name, said.by);
    return true;
}

const Decision& Strategy::decide(games::Seat us) {
    decision_ = {};
    search_.begin(us);
    for (std::uint32_t i = 0; i < table_->rules().size(); ++i) {
        const AdviceRule& rule = table_->rules()[i];
        if (!search_.holds(rule.when)) continue;
        decision_.rule = i;
        for (const std::uint32_t number : rule.tries) {
            const Advice& advice = table_->advice()[number];
            if (advice.expert != nullptr) {
                if (!ask_expert(number, us)) continue;
            } else {
                const bool found = search_.satisfy(advice, decision_.tree);
                decision_.nodes += search_.nodes();
                decision_.attempts.push_back({number, search_.nodes(), search_.failure()});
                if (!found) continue;
                decision_.by = advice.name;
            }
            decision_.advice = number;
            break;
        }
        break;
    }
    return decision_;
}

std::string_view Strategy::move_name(games::Move move) const {
    const games::RulesetGame& game = table_->game();
    return game.program().catalogue().symbols.text(game.move_domain()->members[move]);
}

std::string Strategy::tree_text() const {
    return decision_.tree.text([&](games::Move move) { return std::string(move_name(move)); });
}

std::string describe(const Failure& failure) {
    const std::string what = failure.what == nullptr ? "" : failure.what->text;
    const std::string line = fmt::to_string(fmt::join(failure.moves, " "));
    const std::string where = failure.moves.empty()
                                  ? std::string("here")
                                  : fmt::format("after {}, at depth {}", line, failure.depth);
    switch (failure.why) {
    case Failure::Why::None:
        return {};
    case Failure::Why::Hold:
        return fmt::format("{}: it must hold that {}", where, what);
    case Failure::Why::NoMove:
        return fmt::format("{}: we have no move that the advice allows", where);
    case Failure::Why::NoReply:
        return fmt::format("{}: the goal is missed, {} does not hold", where, what);
    case Failure::Why::Over:
        return fmt::format("{}: the game is over, {} does not hold", where, what);
    case Failure::Why::TooDeep:
        return fmt::format("{}: the advice looks no further, {} does not hold", where, what);
    case Failure::Why::HeldAlready:
        return "here: the goal holds already, there is nothing to do";
    case Failure::Why::Expert:
        return "here: that table has no advice";
    }
    return {};
}

std::vector<std::string> Strategy::explain() const {
    std::vector<std::string> lines;
    if (decision_.rule == Decision::kNone) return {"no rule applies"};
    lines.push_back(fmt::format("rule {}", table_->rules()[decision_.rule].name));
    for (const Decision::Attempt& attempt : decision_.attempts) {
        const std::string& name = table_->advice()[attempt.advice].name;
        const std::string nodes =
            fmt::format("{} node{}", attempt.nodes, attempt.nodes == 1 ? "" : "s");
        if (attempt.advice == decision_.advice)
            lines.push_back(fmt::format("advice {} ({})", name, nodes));
        else
            lines.push_back(fmt::format("not {} ({}), {}", name, nodes, describe(attempt.failure)));
        if (experts_[attempt.advice] == nullptr) continue;
        for (const std::string& line : experts_[attempt.advice]->explain())
            if (!line.starts_with("tree ")) lines.push_back("  " + line);
    }
    if (decision_.found())
        lines.push_back(fmt::format("tree {}", tree_text()));
    else
        lines.emplace_back("none of its advice can be followed");
    return lines;
}

} // namespace croupier::agents::advice
