// Changes at declared paths: ops that know the instance they change, instead of walking there key
// by key. Whatever is not of that kind goes the general way.
#include "engine/plan/compiler.h"

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
    if (key.is_variable()) {
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
bool Compiler::emit_ensure(const std::optional<Site>& site) {
    if (!site || program_.layout->node(site->schema).is_leaf()) {
        return false;
    }
    if (site->schema != 0) {
        emit_change(OpCode::EnsureAt, *site);
    }
    return true;
}

// Sets or removes it; false if that is for the general way.
bool Compiler::emit_leaf_change(const ActionNode& node, const std::optional<Site>& site) {
    if (!site || site->schema == 0) {
        return false;
    }
    if (node.kind == ActionKind::Remove) {
        emit_change(OpCode::RemoveAt, *site);
        return true;
    }
    if (node.kind != ActionKind::Set || !program_.layout->node(site->schema).is_leaf()) {
        return false;
    }
    const ExprId value = expr(node.expr);
    emit_change(OpCode::SetAt, *site).y = value;
    return true;
}

Op& Compiler::emit_change(OpCode code, const Site& site) {
    Op& op = emit_at(code, site, 0, 1, false);
    op.a = static_cast<std::uint16_t>(site.schema);
    return op;
}

} // namespace croupier::engine
