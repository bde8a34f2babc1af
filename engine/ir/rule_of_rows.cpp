// A rule that does the same at each row of a set, as one that does it for all of them at once.
#include "engine/ir/rule_of_rows.h"

#include "engine/ir/effects.h"
#include "engine/ir/lists.h"
#include "engine/ir/probe.h"

#include <algorithm>
#include <utility>

namespace croupier::engine::ir {

namespace {

void rename(Editor& edit, Id id, const std::unordered_map<VarId, VarId>& names) {
    if (edit.at(id).kind == Kind::Variable || edit.at(id).kind == Kind::RowsOf) {
        if (const auto name = names.find(edit.at(id).x); name != names.end()) {
            edit.at(id).x = name->second;
        }
    }
    for (const Id operand : edit.at(id).operands) {
        rename(edit, operand, names);
    }
    for (const BlockId block : edit.at(id).blocks) {
        for (const Id each : edit.block(block).statements) {
            rename(edit, each, names);
        }
    }
}

} // namespace

VarId number_together(Editor& edit, const std::vector<VarId>& vars, BlockId block) {
    std::unordered_map<VarId, VarId> names;
    const auto first = static_cast<VarId>(edit.function().vars.size());
    for (const VarId each : vars) {
        const Var known = edit.var(each);
        names[each] = edit.new_var(known.name, known.type);
        edit.var(names[each]) = known;
    }
    for (const Id each : edit.block(block).statements) {
        rename(edit, each, names);
    }
    return first;
}

void RuleOfRows::rewrite(bool shares) {
    if (!find_loop()) {
        return;
    }
    for (const Id each : statements(node(apply_).blocks[1])) {
        if (!change(each)) {
            return;
        }
    }
    if (writes_) {
        replace(shares);
    }
}

// ---- the search ------------------------------------------------------------------------------

// Its last statement is a loop in which nothing is tested.
bool RuleOfRows::find_loop() {
    const std::vector<Id> search = statements(node(apply_).blocks[0]);
    if (search.empty() || node(search.back()).kind != Kind::EachRow) {
        return false;
    }
    loop_ = search.back();
    const std::vector<Id> body = statements(node(loop_).blocks[0]);
    if (node(body.back()).kind != Kind::Yield ||
        !std::all_of(body.begin(), body.end() - 1, [&](Id each) {
            return node(each).kind == Kind::Let &&
                   is_total(edit_.function(), node(each).operands[0]);
        })) {
        return false;
    }
    tests_.enter(node(loop_).x);
    numbers_.enter(node(loop_).x, &before_);
    for (const Id each : body) {
        if (node(each).kind == Kind::Let) {
            numbers_.define(node(each).x, node(each).operands[0]);
            tests_.define(node(each).x, node(each).operands[0]);
        }
    }
    const std::vector<Id> yielded = node(body.back()).operands;
    for (std::uint32_t i = 0; i < yielded.size(); ++i) {
        meaning_[node(apply_).y + i] = yielded[i];
    }
    set_ = taken(node(loop_).operands[0]);
    return true;
}

// An expression of the action in terms of the search; none if it reads what may have changed.
std::optional<Id> RuleOfRows::in_search(Id id) {
    if (!info_of(node(id).kind).is_pure()) {
        return std::nullopt;
    }
    if (node(id).kind == Kind::Variable) {
        const auto known = meaning_.find(node(id).x);
        return known == meaning_.end() ? std::nullopt : std::optional(edit_.copy(known->second));
    }
    Node made = node(id);
    for (Id& operand : made.operands) {
        const auto found = in_search(operand);
        if (!found) {
            return std::nullopt;
        }
        operand = *found;
    }
    const Id copy = edit_.make(made.kind, made.type, {});
    edit_.at(copy) = std::move(made);
    return copy;
}

// ---- what the action gets --------------------------------------------------------------------

// What the search yields as well, as the action reads it.
Id RuleOfRows::taken(Id value) {
    const Type type = node(value).type;
    const bool set = type.kind == TypeKind::Set;
    const VarId var = edit_.new_var(set ? "each" : "value", type);
    if (node(value).kind == Kind::Variable) {
        edit_.var(var) = edit_.var(node(value).x);
        edit_.var(var).entry = kNothing;
    }
    yielded_.push_back(value);
    taken_.push_back(var);
    return edit_.make(set ? Kind::RowsOf : Kind::Variable, type, {}, var);
}

// A value that does not depend on the row.
std::optional<Id> RuleOfRows::outer(Id id) {
    const auto found = in_search(id);
    if (!found || tests_.depends(*found) || !node(*found).type.is_value()) {
        return std::nullopt;
    }
    return node(*found).kind == Kind::Constant ? *found : taken(*found);
}

// The rows for which a truth of the action holds.
std::optional<Id> RuleOfRows::rows_of(Id truth) {
    const auto found = in_search(truth);
    if (!found || !tests_.depends(*found)) {
        return std::nullopt;
    }
    if (const auto set = tests_.asked(*found)) {
        return set;
    }
    if (const auto set = tests_.tabled(*found, rows_of_loop())) {
        return set;
    }
    return numbers_.rows(*found);
}

// ---- the action ------------------------------------------------------------------------------

bool RuleOfRows::change(Id id) {
    switch (node(id).kind) {
    case Kind::Let: {
        const auto found = in_search(node(id).operands[0]);
        if (found) {
            meaning_[node(id).x] = *found;
        }
        return found.has_value();
    }
    case Kind::Ensure:
        return ensure(id);
    case Kind::Store:
        return node(id).y == 1 && find_place(id, 1) && store(id, node(id).operands[0], set_);
    case Kind::Erase: {
        const Id before = set_;
        if (!find_place(id, 0)) {
            return false;
        }
        std::vector<Id> operands = outer_;
        operands.insert(operands.begin(), set_);
        write(id, Kind::EraseRows, std::move(operands));
        set_ = edit_.copy(before);
        return true;
    }
    default:
        return false;
    }
}

bool RuleOfRows::ensure(Id id) {
    std::vector<Id> operands;
    for (const Id each : std::vector<Id>(node(id).operands)) {
        const auto known = outer(each);
        if (!known) {
            return false;
        }
        operands.push_back(*known);
    }
    made_.push_back(edit_.make(Kind::Ensure, {}, std::move(operands), node(id).x, node(id).y));
    edit_.at(made_.back()).note = node(id).note;
    return true;
}

// ---- the rule as it becomes ------------------------------------------------------------------

// What is read of the state below the node becomes sets of their own, made before it.
void RuleOfRows::share(Id parent, std::vector<Id>& before) {
    for (std::size_t i = 0; i < node(parent).operands.size(); ++i) {
        const Id id = node(parent).operands[i];
        if (node(id).kind == Kind::Rows || node(id).kind == Kind::RowsWith) {
            const VarId var = edit_.new_var("rows", node(id).type);
            before.push_back(edit_.make(Kind::LetRows, {}, {id}, var));
            edit_.at(parent).operands[i] = edit_.make(Kind::RowsOf, node(id).type, {}, var);
        } else if (node(id).type.kind == TypeKind::Set) {
            share(id, before);
        }
    }
}

void RuleOfRows::replace(bool shares) {
    CROUPIER_REWRITE(RuleOfRows);
    const Node known = node(apply_);
    std::vector<Id> search = statements(known.blocks[0]);
    search.pop_back();
    search.insert(search.end(), before_.begin(), before_.end());
    search.push_back(edit_.make(Kind::YieldRows, {}, yielded_));
    // Sets of several words are not made twice either.
    const std::size_t rows = edit_.module().lists[rows_of_loop().list].values.size();
    const bool splits = shares || rows > 2 * kWordRows;
    std::vector<Id> all;
    for (const Id each : search) {
        const Kind kind = node(each).kind;
        const bool lets =
            kind == Kind::LetCounts || kind == Kind::LetTouching ||
            (kind == Kind::LetRows && node(node(each).operands[0]).kind != Kind::Rows &&
             node(node(each).operands[0]).kind != Kind::RowsWith);
        if (splits && (lets || kind == Kind::YieldRows)) {
            share(each, all);
        }
        all.push_back(each);
    }
    edit_.block(known.blocks[0]).statements = std::move(all);
    edit_.block(known.blocks[1]).statements = made_;
    const VarId first = number_together(edit_, taken_, known.blocks[1]);
    edit_.at(apply_).y = first;
    edit_.at(apply_).number = static_cast<std::int64_t>(taken_.size());
}

} // namespace croupier::engine::ir
