// Decides in every root, follows each decision to the next one, and combines the results backwards
// from the ends.
#include "agents/advice/verify.h"

#include "agents/advice/search.h"
#include "engine/api/random.h"
#include "engine/api/state.h"
#include "engine/api/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <unordered_set>

namespace croupier::agents::advice {

// Enumerates all combinations of values, or all positions that play can reach.

using engine::NodeRef;
using engine::State;
using engine::Symbol;
using games::Ending;
using games::RulesetPosition;

namespace {

std::uint64_t mix(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

std::uint64_t key_of(const State& state, NodeRef node) {
    const engine::Value value = state.value(node);
    std::uint64_t key = mix(static_cast<std::uint64_t>(value.integer) + 0x9e3779b97f4a7c15u +
                            static_cast<std::uint64_t>(value.tag));
    // A sum, so that the order does not matter.
    for (NodeRef child = state.first_child(node); child; child = state.next_sibling(child))
        key += mix(key_of(state, child) ^ mix(state.key(child).symbol() + 1U));
    return key;
}

} // namespace

std::uint64_t position_key(const AdviceTable& table, const State& state) {
    std::uint64_t key = 0;
    for (NodeRef child = state.first_child(state.root()); child;
         child = state.next_sibling(child)) {
        const Symbol name = state.key(child).symbol();
        if (table.is_field(name)) key += mix(key_of(state, child) ^ mix(name + 1U));
    }
    return key;
}

RootSet::RootSet(const AdviceTable& table, Search& search) : table_(table) {
    if (table.roots())
        choose_values(search);
    else
        reach(table.game());
}

void RootSet::add(std::uint64_t key) {
    if (count_ == kMax)
        throw AdviceFault(fmt::format("there are more than {} positions to go through", kMax));
    numbers_.emplace(key, static_cast<std::uint32_t>(count_++));
}

std::uint32_t RootSet::find(std::uint64_t key) const {
    const auto at = numbers_.find(key);
    return at == numbers_.end() ? kNone : at->second;
}

// The values are the digits of the number. False if the position is invalid.
bool RootSet::put_choice(std::uint64_t choice, RulesetPosition& position) const {
    position.copy_from(*base_);
    State& state = position.tree();
    const std::vector<Roots::Field>& each = table_.roots()->each;
    for (auto field = each.rbegin(); field != each.rend(); ++field) {
        NodeRef node = state.root();
        for (std::size_t i = 0; i + 1 < field->path.size(); ++i)
            node = state.make_child(node, state.symbols().find(field->path[i]));
        state.set_child(node, state.symbols().find(field->path.back()),
                        field->values[choice % field->values.size()]);
        choice /= field->values.size();
    }
    engine::Random chance;
    position.begin_anew(chance);
    return position.ending() == Ending::None;
}

void RootSet::choose_values(Search& search) {
    base_ = std::make_unique<RulesetPosition>(table_.game());
    engine::Random chance;
    State& state = base_->tree();
    state.set_child(state.root(), state.symbols().find("turn"),
                    engine::Value::key(table_.game().player(*table_.side())));
    std::uint64_t choices = 1;
    for (const Roots::Field& field : table_.roots()->each) {
        choices *= field.values.size();
        if (choices > 16 * kMax)
            throw AdviceFault(fmt::format("roots names more than {} choices", 16 * kMax));
    }
    for (std::uint64_t choice = 0; choice < choices; ++choice) {
        RulesetPosition& position = search.root();
        if (!put_choice(choice, position) || !search.holds(table_.roots()->when)) continue;
        position.resume(chance);
        if (position.ending() != Ending::None) continue;
        choices_.push_back(choice);
        add(position_key(table_, position.tree()));
    }
}

void RootSet::put(std::uint32_t number, RulesetPosition& position) const {
    if (!table_.roots()) {
        position.copy_from(*reached_[number]);
        return;
    }
    put_choice(choices_[number], position);
    engine::Random chance;
    position.resume(chance);
}

// Finds every position in which the table's side is to move.
void RootSet::reach(const games::RulesetGame& game) {
    engine::Random chance;
    std::vector<std::unique_ptr<games::Position>> open;
    open.push_back(game.new_position());
    open[0]->start(chance);
    std::unordered_set<std::uint64_t> seen;
    const std::unique_ptr<games::Position> next = game.new_position();
    for (std::size_t i = 0; i < open.size(); ++i) {
        if (open.size() > kMax)
            throw AdviceFault(fmt::format("there are more than {} positions to go through", kMax));
        auto& position = static_cast<RulesetPosition&>(*open[i]);
        if (position.ending() != Ending::None) continue;
        for (std::size_t move = 0; move < position.move_count(); ++move) {
            next->copy_from(position);
            next->play(position.move(move), chance);
            if (next->ending() != Ending::None) continue;
            const auto& state = static_cast<const RulesetPosition&>(*next).tree();
            if (seen.insert(position_key(table_, state)).second) open.push_back(next->clone());
        }
        if (!table_.side() || *table_.side() == position.turn()) {
            add(position_key(table_, position.tree()));
            reached_.push_back(std::move(open[i]));
        }
    }
}

using Kind = ForcingTree::Kind;

std::string_view name_of(Outcome outcome) {
    constexpr auto kNames =
        std::to_array<std::string_view>({"won", "drawn", "lost", "no advice", "circle", "outside"});
    static_assert(kNames.size() == kOutcomes);
    return kNames[static_cast<std::size_t>(outcome)];
}

Verifier::Verifier(std::shared_ptr<const AdviceTable> table, const VerifySettings& settings)
    : table_(std::move(table)), settings_(settings), strategy_(table_, settings.search) {}

Verifier::~Verifier() = default;

std::uint32_t Verifier::size() const {
    return roots_->size();
}

engine::Document Verifier::state(std::uint32_t root) {
    roots_->put(root, at(0));
    return table_->without_own(at(0).state());
}

RulesetPosition& Verifier::at(std::size_t ply) {
    while (line_.size() <= ply)
        line_.push_back(std::make_unique<RulesetPosition>(table_->game()));
    return *line_[ply];
}

void Verifier::enumerate() {
    roots_ = std::make_unique<RootSet>(*table_, strategy_.search());
}

const Verification& Verifier::run() {
    enumerate();
    total_ = {};
    total_.by_advice.assign(table_->advice().size(), 0);
    results_.assign(roots_->size(), {});
    edges_.clear();
    std::vector<std::uint32_t> open;
    for (std::uint64_t start = 0; start < roots_->size(); start += settings_.every) {
        open.push_back(static_cast<std::uint32_t>(start));
        while (!open.empty()) {
            const std::uint32_t root = open.back();
            open.pop_back();
            if (results_[root].decided) continue;
            decide(root);
            for (std::size_t i = results_[root].first_edge; i < edges_.size(); ++i)
                open.push_back(edges_[i].to);
        }
    }
    resolve();
    add_up();
    return total_;
}

void Verifier::decide(std::uint32_t root) {
    ++total_.roots;
    results_[root].decided = true;
    results_[root].first_edge = results_[root].last_edge = edges_.size();
    followed_.clear();
    root_ = root;
    RulesetPosition& position = strategy_.root();
    roots_->put(root, position);
    us_ = position.turn();
    decision_ = &strategy_.decide(us_);
    total_.nodes_mean += static_cast<double>(decision_->nodes);
    total_.nodes_max = std::max(total_.nodes_max, decision_->nodes);
    if (!decision_->found()) return worsen(root, Outcome::NoAdvice);
    ++total_.by_advice[decision_->advice];
    at(0).copy_from(position);
    follow(0, 0, 0, 1);
    merge_edges(results_[root].first_edge);
    results_[root].last_edge = edges_.size();
}

// Merges lines of the same length to the same root.
void Verifier::merge_edges(std::size_t first) {
    const auto begin = edges_.begin() + static_cast<std::ptrdiff_t>(first);
    std::sort(begin, edges_.end(), [](const Edge& one, const Edge& other) {
        return one.to != other.to ? one.to < other.to : one.moves < other.moves;
    });
    auto last = begin;
    for (auto edge = begin; edge != edges_.end(); ++edge) {
        if (edge == begin) continue;
        if (edge->to == last->to && edge->moves == last->moves)
            last->chance += edge->chance;
        else
            *++last = *edge;
    }
    if (begin != edges_.end()) edges_.erase(last + 1, edges_.end());
}

// Keeps the worse outcome, in the order of the enumeration.
void Verifier::worsen(std::uint32_t root, Outcome outcome) {
    results_[root].outcome = std::max(results_[root].outcome, outcome);
}

void Verifier::end(const games::Position& position, std::uint32_t moves, double chance) {
    bool behind = false;
    bool ahead = false;
    for (games::Seat seat = 0; seat < table_->game().facts().seats(); ++seat) {
        behind = behind || position.place(seat) < position.place(us_);
        ahead = ahead || position.place(seat) > position.place(us_);
    }
    if (behind || !ahead) worsen(root_, behind ? Outcome::Lost : Outcome::Drawn);
    results_[root_].worst = std::max(results_[root_].worst, moves);
    results_[root_].expected += chance * moves;
}

// Nodes with shared continuations occurred in the same position at the same depth.
void Verifier::follow(std::size_t ply, ForcingTree::Node node, std::uint32_t moves, double chance) {
    const ForcingTree::Node next =
        node == ForcingTree::kNone ? ForcingTree::kNone : decision_->tree.first(node);
    if (next == ForcingTree::kNone || !settings_.keep_tree) return walk(ply, node, moves, chance);
    if (const auto known = followed_.find(next); known != followed_.end())
        return repeat(known->second, chance);
    Followed followed{edges_.size(), 0, chance, results_[root_].expected};
    walk(ply, node, moves, chance);
    followed.last_edge = edges_.size();
    followed.expected = results_[root_].expected - followed.expected;
    followed_.emplace(next, followed);
}

void Verifier::repeat(const Followed& followed, double chance) {
    const double times = chance / followed.chance;
    results_[root_].expected += followed.expected * times;
    for (std::size_t i = followed.first_edge; i < followed.last_edge; ++i) {
        const Edge edge = edges_[i];
        edges_.push_back({edge.to, edge.moves, edge.chance * times});
    }
}

// `node` is kNone if play has left the tree: our next decision then ends the line.
void Verifier::walk(std::size_t ply, ForcingTree::Node node, std::uint32_t moves, double chance) {
    const RulesetPosition& position = at(ply);
    if (position.ending() != Ending::None) return end(position, moves, chance);
    const ForcingTree& tree = decision_->tree;
    const bool inside = node != ForcingTree::kNone;
    if (position.turn() == us_) {
        if (!inside || tree.kind(node) != Kind::Ours || (ply > 0 && !settings_.keep_tree)) {
            const std::uint32_t to = roots_->find(position_key(*table_, position.tree()));
            if (to == RootSet::kNone) return worsen(root_, Outcome::Outside);
            edges_.push_back({to, moves, chance});
            return;
        }
        const ForcingTree::Node next = tree.first(node);
        strategy_.search().play(at(ply + 1), position, tree.move(next));
        return follow(ply + 1, next, moves + 1, chance);
    }
    const std::size_t count = position.move_count();
    for (std::size_t i = 0; i < count; ++i) {
        const RulesetPosition& here = at(ply);
        const games::Move move = here.move(i);
        strategy_.search().play(at(ply + 1), here, move);
        follow(ply + 1,
               inside && tree.kind(node) == Kind::Theirs ? tree.after(node, move)
                                                         : ForcingTree::kNone,
               moves, chance / static_cast<double>(count));
    }
}

// A root is resolved once all its successors are. Roots left over lead into cycles.
void Verifier::resolve() {
    const std::size_t count = results_.size();
    std::vector<std::size_t> waiting(count);
    std::vector<std::size_t> first(count + 1); // of the edges that lead to a root
    for (std::size_t root = 0; root < count; ++root)
        waiting[root] = results_[root].last_edge - results_[root].first_edge;
    for (const Edge& edge : edges_)
        ++first[edge.to + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<std::uint32_t> before(edges_.size());
    std::vector<std::size_t> next(first.begin(), first.end() - 1);
    for (std::uint32_t root = 0; root < count; ++root)
        for (std::size_t i = results_[root].first_edge; i < results_[root].last_edge; ++i)
            before[next[edges_[i].to]++] = root;
    std::vector<std::uint32_t> known;
    for (std::uint32_t root = 0; root < count; ++root)
        if (waiting[root] == 0) known.push_back(root);
    for (std::size_t i = 0; i < known.size(); ++i) {
        const std::uint32_t root = known[i];
        Result& result = results_[root];
        for (std::size_t j = result.first_edge; j < result.last_edge; ++j) {
            const Edge& edge = edges_[j];
            const Result& to = results_[edge.to];
            result.outcome = std::max(result.outcome, to.outcome);
            result.worst = std::max(result.worst, edge.moves + to.worst);
            result.expected += edge.chance * (edge.moves + to.expected);
        }
        for (std::size_t j = first[root]; j < first[root + 1]; ++j)
            if (--waiting[before[j]] == 0) known.push_back(before[j]);
    }
    for (std::uint32_t root = 0; root < count; ++root)
        if (waiting[root] > 0) worsen(root, Outcome::Circle);
}

void Verifier::add_up() {
    for (const Result& result : results_) {
        if (!result.decided) continue;
        ++total_.outcomes[static_cast<std::size_t>(result.outcome)];
        if (result.outcome != Outcome::Won) continue;
        ++total_.secured;
        total_.max = std::max(total_.max, result.worst);
        total_.mean += result.worst;
        total_.random_mean += result.expected;
        if (total_.lengths.size() <= result.worst) total_.lengths.resize(result.worst + 1);
        ++total_.lengths[result.worst];
    }
    const auto secured = static_cast<double>(std::max<std::uint64_t>(total_.secured, 1));
    total_.mean /= secured;
    total_.random_mean /= secured;
    total_.nodes_mean /= static_cast<double>(std::max<std::uint64_t>(total_.roots, 1));
}

} // namespace croupier::agents::advice
