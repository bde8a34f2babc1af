// Changes at declared paths: ops that know the instance they change, instead of walking there key
// by key. Whatever is not of that kind goes the general way.
#include "engine/plan/compiler.h"
#include "engine/plan/reached.h"

#include <algorithm>
#include <limits>

namespace croupier::engine {

namespace {

// Its op has two bytes for the schema.
bool is_addressable(const Layout& layout, const Site& site) {
    return !site.constant && site.schema < std::numeric_limits<std::uint16_t>::max() &&
           layout.node(site.schema).column != Column::Arena && layout.node(site.schema).dense;
}

} // namespace

std::optional<Site> Compiler::state_root() const {
    Site root;
    root.schema = 0;
    const bool fits =
        !options_.observed && options_.rows && program_.layout->node(0).kind == ShapeKind::Record;
    return fits ? std::optional(root) : std::nullopt;
}

// The child's site, if it is known without a look at the state.
std::optional<Site> Compiler::site_below(const std::optional<Site>& site, const KeyTemplate& key) {
    if (!site || !is_addressable(*program_.layout, *site)) {
        return std::nullopt;
    }
    Site child;
    std::vector<Step> steps;
    if (key.is_variable() && !literal_of_.contains(bound_.at(key.parts[0].text))) {
        const auto known = domain_of_.find(bound_.at(key.parts[0].text));
        const SchemaNode& node = program_.layout->node(site->schema);
        if (known == domain_of_.end() || node.kind != ShapeKind::Map ||
            !is_prefix(known->second, node.domain)) {
            return std::nullopt;
        }
    }
    const bool found = child_site(*site, key, child, steps);
    return found && steps.empty() && is_addressable(*program_.layout, child) ? std::optional(child)
                                                                             : std::nullopt;
}

// Makes the declared node of an action's entry; false if that is for the general way.
bool Compiler::emit_ensure(const std::optional<Site>& site, bool hangs) {
    if (!site || program_.layout->node(site->schema).is_leaf()) {
        return false;
    }
    if (site->schema == 0) {
        return true;
    }
    if (program_.layout->node(site->schema).presence != kNoOffset) {
        emit_ensure_bit(*site, hangs);
    } else {
        emit_change(OpCode::EnsureAt, *site);
    }
    return true;
}

void Compiler::emit_ensure_bit(const Site& site, bool hangs) {
    CROUPIER_REACHED_IF(hangs, ParentIsThere);
    const OpCode code = hangs ? OpCode::EnsureBitIn : OpCode::EnsureBit;
    emit_bit(code, site).a = static_cast<std::uint16_t>(site.schema);
}

// Sets or removes it; false if that is for the general way.
bool Compiler::emit_leaf_change(const ActionNode& node, const std::optional<Site>& site,
                                bool hangs) {
    if (!site || site->schema == 0) {
        return false;
    }
    const SchemaNode& schema = program_.layout->node(site->schema);
    if (node.kind == ActionKind::Remove) {
        const bool of_map = program_.layout->node(schema.parent).kind == ShapeKind::Map;
        if (schema.kind == ShapeKind::Unit && of_map) {
            emit_bit(OpCode::RemoveBit, *site).a = static_cast<std::uint16_t>(site->schema);
        } else {
            emit_change(OpCode::RemoveAt, *site);
        }
        return true;
    }
    if (node.kind != ActionKind::Set || !schema.is_leaf()) {
        return false;
    }
    const ExprId value = expr(node.expr);
    const ExprNode& what = program_.exprs[value];
    const bool is_true =
        what.op == ExprOp::Literal && what.literal.tag == Tag::Bool && what.literal.truth();
    if (schema.kind == ShapeKind::Unit && is_true) {
        emit_ensure_bit(*site, hangs);
    } else if (!emit_code_change(value, *site, hangs)) {
        emit_change(hangs ? OpCode::SetAtIn : OpCode::SetAt, *site).y = value;
    }
    return true;
}

// Sets a column of bytes to what is known to be one of its values.
bool Compiler::emit_code_change(ExprId value, const Site& site, bool hangs) {
    const SchemaNode& schema = program_.layout->node(site.schema);
    const ExprNode& expr = program_.exprs[value];
    if (schema.column != Column::Code8) {
        return false;
    }
    OpCode code = hangs ? OpCode::SetCodeIn : OpCode::SetCode;
    std::uint32_t operand = 0;
    if (expr.op == ExprOp::Literal) {
        operand = program_.layout->code_of(schema, expr.literal);
    } else if (expr.op == ExprOp::Variable && schema.kind == ShapeKind::Member) {
        const auto domain = domain_of_.find(expr.reg);
        if (domain != domain_of_.end() && is_prefix(domain->second, schema.domain)) {
            CROUPIER_REACHED(CodeOfRow);
            code = hangs ? OpCode::SetCodeRowIn : OpCode::SetCodeRow;
            operand = expr.reg;
        }
    }
    if (operand == 0) { // no such value; or the register that holds none
        return false;
    }
    Op& op = emit_at(code, site, schema.values, 1, false);
    op.a = static_cast<std::uint16_t>(site.schema);
    op.y = operand;
    return true;
}

// A child of a map whose key is a variable that may be no member of the map's domain.
std::optional<Site> Compiler::child_by_member(const std::optional<Site>& map,
                                              const ActionEntry& entry, std::vector<Step>& steps) {
    const bool by_variable = entry.kind == ActionKeyKind::Name && entry.key.is_variable();
    if (!map || !by_variable || !is_addressable(*program_.layout, *map) ||
        program_.layout->node(map->schema).kind != ShapeKind::Map) {
        return std::nullopt;
    }
    Site child;
    const bool found = child_site(*map, entry.key, child, steps) && steps.size() == 1 &&
                       is_addressable(*program_.layout, child);
    CROUPIER_REACHED_IF(found, ChildByMember);
    return found ? std::optional(child) : std::nullopt;
}

Op& Compiler::emit_change(OpCode code, const Site& site) {
    Op& op = emit_at(code, site, 0, 1, false);
    op.a = static_cast<std::uint16_t>(site.schema);
    return op;
}

} // namespace croupier::engine
