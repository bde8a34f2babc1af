// Statements one after the other, and groups of rules.
#include "engine/emit/rules.h"

#include "engine/ir/effects.h"

#include <algorithm>
#include <utility>

namespace croupier::engine::emit {

void Rules::block(BlockId id) {
    const std::span<const Id> all = function_.blocks[id].statements;
    for (std::size_t i = 0; i < all.size();) {
        if (const std::size_t erased = erase_fields(all.subspan(i)); erased != 0) {
            i += erased;
        } else {
            statement(all[i++]);
        }
    }
}

void Rules::statement(Id id) {
    show(id);
    const At here(*this);
    const Node& node = at(id);
    go_to_entry_of(node);
    CROUPIER_PROBE(emission_.write(id));
    switch (node.kind) {
    case Kind::Group:
        group(id);
        return;
    case Kind::GroupBelow:
        // Where nobody asks for the root of the group, it need not be known.
        if (asks_for_root(node.blocks[0])) {
            perform(id);
        } else {
            block(node.blocks[0]);
        }
        return;
    case Kind::Apply:
        apply(id);
        return;
    case Kind::Let:
        set_variable(node.x, node.operands[0]);
        return;
    case Kind::Store:
        store(id);
        return;
    case Kind::Ensure:
        ensure(id);
        return;
    case Kind::Erase:
        erase(id);
        return;
    case Kind::StoreRows:
    case Kind::EraseRows:
        write_rows(id);
        return;
    case Kind::Call:
        spill(id);
        call(offsetof(Frame, call), id);
        return;
    case Kind::If:
        choose(node);
        return;
    case Kind::LetRows:
    case Kind::LetTouching:
    case Kind::LetCounts:
        make_rows(node);
        return;
    default:
        perform(id);
        return;
    }
}

void Rules::choose(const Node& node) {
    if (node.y == 1) { // the other way is an error, which ends the function
        const Label otherwise = aside([this, &node] {
            block(node.blocks[1]);
            code_.jmp(thrown_);
        });
        jump(node.operands[0], false, otherwise);
        block(node.blocks[0]);
        return;
    }
    const Label otherwise = code_.newLabel();
    const Label end = code_.newLabel();
    jump(node.operands[0], false, otherwise);
    block(node.blocks[0]);
    code_.jmp(end);
    code_.bind(otherwise);
    block(node.blocks[1]);
    code_.bind(end);
}

bool Rules::asks_for_root(BlockId block) const {
    const auto& statements = function_.blocks[block].statements;
    return std::any_of(statements.begin(), statements.end(),
                       [&](Id each) { return asks_for_root_in(each); });
}

bool Rules::asks_for_root_in(Id id) const {
    const Node& node = at(id);
    switch (node.kind) {
    case Kind::Here:
        return true;
    case Kind::PathNode:
    case Kind::MakePath:
    case Kind::SetPath:
    case Kind::RemovePath:
    case Kind::PutPath:
    case Kind::ArgumentPath:
        if (node.y == 0) {
            return true;
        }
        break;
    default:
        break;
    }
    return std::any_of(node.operands.begin(), node.operands.end(),
                       [&](Id each) { return asks_for_root_in(each); }) ||
           std::any_of(node.blocks.begin(), node.blocks.end(),
                       [&](BlockId each) { return asks_for_root(each); });
}

void Rules::group(Id id) {
    const Node& node = at(id);
    const GroupMode mode = module_.catalogue->groups[node.x].mode;
    const bool emitted = std::all_of(node.blocks.begin(), node.blocks.end(), [&](BlockId each) {
        const auto& rule = function_.blocks[each].statements;
        return rule.size() == 1 && at(rule[0]).kind == Kind::Apply;
    });
    if (mode == GroupMode::Agenda && emitted && agenda(id)) {
        return;
    }
    if (mode == GroupMode::Agenda || (mode == GroupMode::AtOnce && !emitted)) {
        perform(id);
        return;
    }
    const RuleId outer = rule_;
    if (mode == GroupMode::AtOnce) {
        at_once(node);
        if (outer != kNone) {
            enter_rule(outer);
        }
        return;
    }
    const Node* const outer_group = std::exchange(group_, &node);
    const std::size_t outer_place = place_;
    std::vector<Label> begins;
    for (std::size_t i = 0; i <= node.blocks.size(); ++i) {
        begins.push_back(code_.newLabel());
    }
    begins.swap(begins_);
    std::size_t left_out = 0; // rules up to this can be left out together
    for (place_ = 0; place_ < node.blocks.size(); ++place_) {
        if (outer == kNone) {
            here_.reset();
        }
        code_.bind(begins_[place_]);
        if (place_ >= left_out) {
            left_out = leave_out(place_);
        }
        for (const Id each : function_.blocks[node.blocks[place_]].statements) {
            if (at(each).kind != Kind::Apply) {
                go_to({rules_that_read(node, place_, at(each))});
            }
            statement(each);
        }
    }
    code_.bind(begins_[place_]);
    begins.swap(begins_);
    group_ = outer_group;
    place_ = outer_place;
    if (outer != kNone && !CROUPIER_MISTAKE(RuleOfInnerGroup)) {
        enter_rule(outer);
    }
}

void Rules::enter_rule(RuleId rule) {
    rule_ = rule;
    go_to(rule == kNone ? Origin{} : Origin{{rule}});
}

// ---- whose a statement is -------------------------------------------------------------------

bool Rules::reads(BlockId block, VarId first, VarId end) const {
    const auto& statements = function_.blocks[block].statements;
    return std::any_of(statements.begin(), statements.end(),
                       [&](Id each) { return reads_in(each, first, end); });
}

bool Rules::reads_in(Id id, VarId first, VarId end) const {
    const Node& node = at(id);
    const bool is_read = (node.kind == Kind::Variable || node.kind == Kind::RowsOf) &&
                         node.x >= first && node.x < end;
    return is_read ||
           std::any_of(node.operands.begin(), node.operands.end(),
                       [&](Id each) { return reads_in(each, first, end); }) ||
           std::any_of(node.blocks.begin(), node.blocks.end(),
                       [&](BlockId each) { return reads(each, first, end); });
}

// The rules of the group, from `place` on, that read the variables which the statement sets, also
// by way of other such statements.
std::vector<RuleId> Rules::rules_that_read(const Node& group, std::size_t place,
                                           const Node& let) const {
    const VarId end =
        let.x + (let.kind == Kind::LetCounts ? static_cast<VarId>(let.number) : VarId{1});
    std::vector<RuleId> rules;
    const auto add = [&](RuleId rule) {
        if (std::find(rules.begin(), rules.end(), rule) == rules.end()) {
            rules.push_back(rule);
        }
    };
    for (std::size_t i = place; i < group.blocks.size(); ++i) {
        for (const Id id : function_.blocks[group.blocks[i]].statements) {
            const Node& each = at(id);
            if (&each == &let || !reads_in(id, let.x, end)) {
                continue;
            }
            if (each.kind == Kind::Apply) {
                add(each.x);
                continue;
            }
            for (const RuleId rule : rules_that_read(group, i, each)) {
                add(rule);
            }
        }
    }
    std::sort(rules.begin(), rules.end());
    return rules;
}

} // namespace croupier::engine::emit
