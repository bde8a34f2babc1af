// When rules are searched and when they act.
#include "engine/ir/probe.h"
#include "engine/run/interpreter.h"

#include "engine/run/agenda_memory.h"
#include "engine/tree/journal.h"

#include <algorithm>
#include <stdexcept>

namespace croupier::engine {

namespace {

// Its matches are the rows of a set, and it acts once for all of them.
bool takes_rows(const ir::Function& function, const PreparedNode& apply) {
    return apply.number != 0 && function.vars[apply.y].type.kind == ir::TypeKind::Set;
}

} // namespace

// ---- groups ----------------------------------------------------------------------------------

Interpreter::Flow Interpreter::run(Is<Kind::Group>, const Node& node, const Taker&) {
    switch (catalogue_.groups[node.x].mode) {
    case GroupMode::Sequential:
        for (const ir::BlockId rule : node.blocks) {
            perform(rule);
        }
        break;
    case GroupMode::AtOnce:
        run_at_once(node);
        break;
    case GroupMode::Agenda:
        run_agenda(node);
        break;
    }
    return Flow::GoesOn;
}

Interpreter::Flow Interpreter::run(Is<Kind::GroupBelow>, const Node& node, const Taker&) {
    const std::size_t outer = runtime_.enter(this->node(node.operands[0]));
    perform(node.blocks[0]);
    if (!CROUPIER_MISTAKE(RootNotLeft)) runtime_.leave(outer);
    return Flow::GoesOn;
}

// Where the block of a group's rule applies the rule.
const PreparedNode& Interpreter::apply_of(ir::BlockId id) const {
    for (const ir::Id statement : statements(id)) {
        if (at(statement).kind == Kind::Apply) {
            return at(statement);
        }
    }
    throw std::logic_error("the block of a rule does not apply it");
}

// Runs the block up to there.
const PreparedNode& Interpreter::reach_apply(ir::BlockId id) {
    const PreparedNode& apply = apply_of(id);
    for (const ir::Id statement : statements(id)) {
        if (&at(statement) == &apply) {
            break;
        }
        step(statement, Taker());
    }
    return apply;
}

void Interpreter::run_at_once(const Node& group) {
    const RuleId outer = runtime_.rule();
    const std::size_t first = buffer_.size();
    const std::size_t first_count = counts_.size();
    for (const ir::BlockId rule : group.blocks) {
        const Node& apply = reach_apply(rule);
        const std::size_t mine = buffer_.size();
        tell_begins(apply.x);
        const std::uint64_t count = find_matches(apply);
        counts_.push_back(count);
        tell_matches(apply.x, mine, count);
        tell_ends(apply.x);
    }
    std::size_t next = first;
    for (std::size_t i = 0; i < group.blocks.size(); ++i) {
        const Node& apply = apply_of(group.blocks[i]);
        const std::uint64_t count = counts_[first_count + i];
        tell_begins(apply.x);
        if (count == 0) {
            act_otherwise(apply);
        } else {
            act_on_matches(apply, next, count);
        }
        next += takes_rows(*function_, apply) ? 0 : count * static_cast<std::size_t>(apply.number);
        tell_ends(apply.x);
    }
    counts_.resize(first_count);
    buffer_.resize(first);
    runtime_.set_rule(outer);
}

// ---- rules -----------------------------------------------------------------------------------

void Interpreter::tell_begins(RuleId rule) {
    runtime_.set_rule(rule);
    if (observer_ != nullptr) {
        observer_->rule_begins(rule);
    }
}

// `count` matches stand in the buffer from `first` on.
void Interpreter::tell_matches(RuleId rule, std::size_t first, std::uint64_t count) {
    if (observer_ != nullptr) {
        observer_->rule_matched(rule, count, std::span(buffer_).subspan(first), runtime_.state());
    }
}

void Interpreter::tell_ends(RuleId rule) {
    if (observer_ != nullptr) {
        observer_->rule_ends(rule);
    }
}

// Adds the rule's matches to the buffer.
std::uint64_t Interpreter::find_matches(const Node& apply) {
    const RulePlan& rule = catalogue_.rules[apply.x];
    if (observer_ != nullptr) {
        observer_->rule_searches(apply.x);
    }
    std::uint64_t found = 0;
    auto keep = [&](const Node& yield) {
        if (yield.kind == Kind::YieldRows) {
            found = take_rows(apply, yield);
            return true;
        }
        runtime_.count_match(++found);
        for (const ir::Id operand : yield.operands) {
            buffer_.push_back(value(operand));
        }
        return !rule.first;
    };
    search(apply.blocks[0], Taker(keep));
    return found;
}

// They stay in the action's variables, which nobody else sets.
std::uint64_t Interpreter::take_rows(const Node& apply, const Node& yield) {
    std::uint64_t count = 0;
    for (std::uint32_t i = 0; i < yield.operands.size(); ++i) {
        const ir::VarId var = apply.y + i;
        const SlotType type = function_->vars[var].type;
        if (type.kind == ir::TypeKind::Set) {
            sets_[var] = rows(yield.operands[i]);
        } else {
            set(var, slot_as(type, yield.operands[i]));
        }
    }
    for (const std::uint64_t word : sets_[apply.y]) {
        count += count_rows(word);
    }
    for (std::uint64_t found = 1; found <= count; ++found) {
        runtime_.count_match(found);
    }
    return count;
}

// Where not all may fire, the first ones do.
void Interpreter::act_on_rows(const Node& apply, std::uint64_t count) {
    runtime_.set_rule(apply.x);
    const emit::Counters& counters = runtime_.frame().counters;
    const std::uint64_t allowed = CROUPIER_MISTAKE(RowsFireBeyondBudget)
                                      ? count
                                      : std::min(count, counters.most_firings - counters.firings);
    std::vector<std::uint64_t> some;
    if (allowed < count) {
        some.assign(sets_[apply.y].begin(), sets_[apply.y].end());
        emit::keep_first(some.data(), static_cast<std::uint32_t>(some.size()), allowed);
        sets_[apply.y] = some;
    }
    if (allowed > 0) perform(apply.blocks[1]);
    for (std::uint64_t i = 0; i < count; ++i) {
        runtime_.count_firing();
    }
}

void Interpreter::load_match(const Node& apply, std::span<const Value> match) {
    for (std::uint32_t i = 0; i < match.size(); ++i) {
        set(apply.y + i, slot_of(function_->vars[apply.y + i].type, match[i]));
    }
}

// An action that does nothing is no firing.
void Interpreter::fire(const Action& action, ir::BlockId block) {
    if (action.kind != Action::Kind::None) {
        runtime_.count_firing();
        perform(block);
    }
}

// The match stands in the buffer from `first` on.
void Interpreter::act_on(const Node& apply, std::span<const Value> match) {
    load_match(apply, match);
    runtime_.set_rule(apply.x);
    if (observer_ != nullptr) {
        observer_->rule_fires(apply.x, match, runtime_.state());
    }
    fire(catalogue_.rules[apply.x].source->action, apply.blocks[1]);
}

void Interpreter::act_on_matches(const Node& apply, std::size_t first, std::uint64_t count) {
    if (takes_rows(*function_, apply)) {
        act_on_rows(apply, count);
        return;
    }
    const auto width = static_cast<std::size_t>(apply.number);
    for (std::uint64_t i = 0; i < count; ++i) {
        act_on(apply, std::span(buffer_).subspan(first + i * width, width));
    }
}

void Interpreter::act_otherwise(const Node& apply) {
    const Action& otherwise = catalogue_.rules[apply.x].source->otherwise;
    if (otherwise.kind != Action::Kind::None) {
        if (observer_ != nullptr) {
            observer_->rule_otherwise(apply.x);
        }
        fire(otherwise, apply.blocks[2]);
    }
}

Interpreter::Flow Interpreter::run(Is<Kind::Apply>, const Node& node, const Taker&) {
    const RuleId outer = runtime_.rule();
    tell_begins(node.x);
    for (std::uint32_t round = 0; round < catalogue_.rules[node.x].repeat; ++round) {
        runtime_.set_rule(node.x);
        const std::size_t first = buffer_.size();
        const std::uint64_t count = find_matches(node);
        tell_matches(node.x, first, count);
        if (count == 0) {
            if (round == 0 || CROUPIER_MISTAKE(ElseAfterLastRound)) {
                act_otherwise(node);
            }
            break;
        }
        act_on_matches(node, first, count);
        buffer_.resize(first);
    }
    tell_ends(node.x);
    runtime_.set_rule(outer);
    return Flow::GoesOn;
}

} // namespace croupier::engine
