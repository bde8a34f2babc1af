// Goes through all choices of values, or through all that play can reach.
#include "agents/advice/roots.h"

#include "agents/advice/search.h"
#include "engine/api/random.h"
#include "engine/api/state.h"

#include <fmt/format.h>

#include <unordered_set>

namespace croupier::agents::advice {

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
    // A sum: the order does not matter.
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
    if (count_ == kMost)
        throw AdviceFault(fmt::format("there are more than {} positions to go through", kMost));
    numbers_.emplace(key, static_cast<std::uint32_t>(count_++));
}

std::uint32_t RootSet::find(std::uint64_t key) const {
    const auto at = numbers_.find(key);
    return at == numbers_.end() ? kNone : at->second;
}

// The values are the digits of the number. False if the position cannot be.
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
        if (choices > 16 * kMost)
            throw AdviceFault(fmt::format("roots names more than {} choices", 16 * kMost));
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

// Every position in which somebody of the table's side is to move.
void RootSet::reach(const games::RulesetGame& game) {
    engine::Random chance;
    std::vector<std::unique_ptr<games::Position>> open;
    open.push_back(game.new_position());
    open[0]->start(chance);
    std::unordered_set<std::uint64_t> seen;
    const std::unique_ptr<games::Position> next = game.new_position();
    for (std::size_t i = 0; i < open.size(); ++i) {
        if (open.size() > kMost)
            throw AdviceFault(fmt::format("there are more than {} positions to go through", kMost));
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

} // namespace croupier::agents::advice
