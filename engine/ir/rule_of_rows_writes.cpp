// What a rule that acts on all rows of a set at once writes: where, and which values.
#include "engine/ir/lists.h"
#include "engine/ir/probe.h"
#include "engine/ir/rule_of_rows.h"

#include <algorithm>
#include <utility>

namespace croupier::engine::ir {

// The instances that are written, a different one for each row.
bool RuleOfRows::find_place(Id id, std::size_t first) {
    const Layout& layout = edit_.layout();
    const SchemaNode& leaf = layout.node(node(id).x);
    const bool in_bits = leaf.column == Column::None && leaf.kind == ShapeKind::Unit;
    const bool in_codes = leaf.column == Column::Code8 || leaf.column == Column::Code16;
    const std::vector<Id> operands = node(id).operands;
    if (operands.size() == first || layout.node(leaf.parent).kind != ShapeKind::Map ||
        (!in_bits && !in_codes)) {
        return false;
    }
    outer_.clear();
    for (std::size_t i = first; i + 1 < operands.size(); ++i) {
        const auto known = outer(operands[i]);
        if (!known) {
            return false;
        }
        outer_.push_back(*known);
    }
    const auto row = in_search(operands.back());
    if (!row || tests_.is_row(*row)) {
        return row.has_value();
    }
    const Node table = node(*row);
    const bool of_row = table.kind == Kind::Table && table.operands.size() == 1 &&
                        table.type.kind == TypeKind::Code && tests_.is_row(table.operands[0]);
    const auto by = of_row ? moved_by(table) : std::nullopt;
    if (!by) {
        return false;
    }
    CROUPIER_REWRITE(RowsMoved);
    set_ = edit_.make(Kind::Moved, {TypeKind::Set, table.type.list}, {edit_.copy(set_)});
    edit_.at(set_).number = *by;
    return true;
}

// By how much a table moves the rows, if it moves all by the same.
std::optional<std::int64_t> RuleOfRows::moved_by(const Node& table) const {
    const Module& module = edit_.module();
    const Entries& entries = module.tables[table.x].values;
    std::vector<std::int64_t> codes;
    for (const Value& each : entries.different()) {
        codes.push_back(code_of(module, table.type.list, each));
    }
    const auto code = [&](std::size_t row) { return codes[entries.places()[row]]; };
    const std::int64_t by = entries.size() < 2 ? -1 : code(1) - 1;
    for (std::size_t row = 1; row < entries.size(); ++row) {
        if (code(row) == 0 || code(row) - static_cast<std::int64_t>(row) != by) {
            return std::nullopt;
        }
    }
    if (by < 0) {
        return std::nullopt;
    }
    return CROUPIER_MISTAKE(RowsMovedTooLittle) && by > 0 ? by - 1 : by;
}

// The value, for the rows of the set, which is copied; a choice splits them.
bool RuleOfRows::store(Id id, Id value, Id set) {
    const bool moved = node(set_).kind == Kind::Moved;
    const Node choice = node(value);
    if (const auto rows =
            choice.kind == Kind::Choose && !moved ? rows_of(choice.operands[0]) : std::nullopt) {
        CROUPIER_REWRITE(ChoiceOfRows);
        const Type type = node(set).type;
        const Id chosen = taken(*rows);
        const bool turned = CROUPIER_MISTAKE(ChoiceOfRowsTurned);
        const auto part = [&](Kind how) {
            return edit_.make(how, type, {edit_.copy(set), edit_.copy(chosen)});
        };
        return store(id, choice.operands[turned ? 2 : 1], part(Kind::Both)) &&
               store(id, choice.operands[turned ? 1 : 2], part(Kind::Without));
    }
    const auto known = outer(value);
    if (!known || !surely_fits(edit_.layout().node(node(id).x), *known)) {
        return false;
    }
    std::vector<Id> operands = {*known, edit_.copy(set)};
    for (const Id each : outer_) {
        operands.push_back(edit_.copy(each));
    }
    write(id, Kind::StoreRows, std::move(operands));
    return true;
}

// The leaf can hold whatever the value may be.
bool RuleOfRows::surely_fits(const SchemaNode& leaf, Id value) const {
    const Node& known = node(value);
    const auto holds = [&](const Value& each) {
        return leaf.column == Column::None ? each.tag == Tag::Bool && each.truth()
                                           : edit_.layout().code_of(leaf, each) != 0;
    };
    if (known.type.kind == TypeKind::Code) {
        const std::vector<Value>& values = edit_.module().lists[known.type.list].values;
        const bool sure =
            known.kind == Kind::Constant ? known.number != 0 : edit_.function().vars[known.x].sure;
        return sure && leaf.column != Column::None &&
               std::all_of(values.begin(), values.end(), holds);
    }
    return known.kind == Kind::Constant && known.type.kind == TypeKind::Any &&
           holds(edit_.module().values[known.x]);
}

void RuleOfRows::write(Id id, Kind kind, std::vector<Id> operands) {
    writes_ = true;
    made_.push_back(edit_.make(kind, {}, std::move(operands), node(id).x, node(id).y));
    edit_.at(made_.back()).note = node(id).note;
}

} // namespace croupier::engine::ir
