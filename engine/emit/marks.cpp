// Says in between the instructions which rule they are for.
#include "engine/emit/emitter.h"

#include <algorithm>
#include <string>
#include <utility>

namespace croupier::engine::emit {

Emitter::At::~At() {
    emitter_.go_to(std::move(before_));
}

// Registers are allocated and instructions encoded later; a comment stays where it stands between
// them, and is no instruction.
void Emitter::go_to(Origin origin) {
    if (origin == origin_) {
        return;
    }
    origin_ = std::move(origin);
    if (origins_ != nullptr) {
        const std::string number = std::to_string(origins_->number_of(origin_));
        code_.comment(number.c_str(), number.size());
    }
}

// What follows is for the entry that the node comes from, if it is one of the rule at hand.
void Emitter::go_to_entry_of(const Node& node) {
    if (origin_.rules.size() != 1 || node.note == ir::kNothing) {
        return;
    }
    const Note& note = module_.notes[node.note];
    if (note.rule == origin_.rules[0] && note.entry != kNone) {
        go_to({origin_.rules, origin_.part, note.entry});
    }
}

void Emitter::go_to_part(Origin::Part part) {
    go_to({origin_.rules, part, kNone});
}

bool Emitter::reads(BlockId block, VarId first, VarId end) const {
    const auto& statements = function_.blocks[block].statements;
    return std::any_of(statements.begin(), statements.end(),
                       [&](Id each) { return reads_in(each, first, end); });
}

bool Emitter::reads_in(Id id, VarId first, VarId end) const {
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
std::vector<RuleId> Emitter::rules_that_read(const Node& group, std::size_t place,
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
