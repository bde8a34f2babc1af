// The pass `resolve`: expressions, of what type they are and what they read where.
#include "engine/ir/lists.h"
#include "engine/ir/probe.h"
#include "engine/ir/resolve.h"

#include <utility>

namespace croupier::engine::ir {

// ---- expressions -----------------------------------------------------------------------------

void Resolver::operands(Id id) {
    for (std::size_t i = 0; i < edit_.at(id).operands.size(); ++i) {
        const Id operand = edit_.at(id).operands[i];
        if (is_node(edit_.at(operand))) {
            node(operand);
        } else {
            value(operand);
        }
    }
}

void Resolver::node(Id id) {
    const Node& known = edit_.at(id);
    if (known.kind != Kind::Variable && known.kind != Kind::Root) {
        const std::optional<Site> site = site_of(id);
        if (site && !site->constant && site->schema != 0 && edit_.at(id).kind != Kind::NodeAt) {
            CROUPIER_REWRITE(NodeAtPlace);
            make_declared(id, Kind::NodeAt, {TypeKind::Node}, *site);
            return;
        }
        operands(id);
    }
}

void Resolver::value(Id id) {
    switch (edit_.at(id).kind) {
    case Kind::Variable:
        edit_.at(id).type = edit_.var(edit_.at(id).x).type;
        return;
    case Kind::Has:
        has(id);
        return;
    case Kind::ValueOf:
        value_of(id);
        return;
    case Kind::SizeOf:
        size_of(id);
        return;
    case Kind::Given:
        operands(id);
        edit_.at(id).type = edit_.at(edit_.at(id).operands[0]).type;
        return;
    case Kind::Choose: {
        operands(id);
        Node& node = edit_.at(id);
        node.type = joined(edit_.at(node.operands[1]).type, edit_.at(node.operands[2]).type);
        return;
    }
    default:
        operands(id);
        return;
    }
}

void Resolver::has(Id id) {
    const Id asked = edit_.at(id).operands[0];
    if (!is_node(edit_.at(asked))) {
        value(asked);
        return;
    }
    const std::optional<Site> site = site_of(asked);
    if (site && site->constant) {
        const Id there = edit_.make(Kind::Has, {TypeKind::Truth}, {});
        if (table_of(there, *site, Sites::Of::Presence)) {
            CROUPIER_REWRITE(PresenceOfConstant);
            Node made;
            made.kind = Kind::Has;
            made.type = {TypeKind::Truth};
            made.operands = {there};
            edit_.replace(id, std::move(made));
            return;
        }
    } else if (site && is_root(*site)) {
        CROUPIER_REWRITE(RootIsThere);
        Node always;
        always.kind = Kind::Constant;
        always.type = {TypeKind::Truth};
        always.number = 1;
        edit_.replace(id, std::move(always));
        return;
    } else if (site) {
        CROUPIER_REWRITE(PresenceAtPlace);
        make_declared(id, Kind::Present, {TypeKind::Truth}, *site);
        return;
    }
    node(asked);
}

void Resolver::value_of(Id id) {
    const Id asked = edit_.at(id).operands[0];
    const std::optional<Site> site = site_of(asked);
    if (site && site->constant) {
        if (table_of(id, *site, Sites::Of::Value)) {
            CROUPIER_REWRITE(ValueOfConstant);
            return;
        }
        // Of a relation of a large domain, whose table would be too large.
        const auto only = is_there(*site) ? sites_.only_value(*site) : std::nullopt;
        if (only && only->tag == Tag::Bool) {
            CROUPIER_REWRITE(OnlyValueOfConstant);
            edit_.replace(id, edit_.at(edit_.constant(*only)));
            return;
        }
    } else if (site) {
        const SchemaNode& leaf = sites_.schema(*site);
        if (leaf.kind == ShapeKind::Unit) {
            CROUPIER_REWRITE(UnitIsTrue);
            make_declared(id, Kind::Load, code_type(list_of_truths(edit_.module())), *site);
            return;
        }
        if (leaf.is_leaf()) {
            Type type = type_of_leaf(edit_.module(), leaf);
            CROUPIER_REWRITE(LoadAtPlace);
            if (type.kind == TypeKind::Int && !is_there(*site) &&
                !CROUPIER_MISTAKE(MissingIntegerIsZero)) {
                CROUPIER_REWRITE(IntegerOrNone);
                type = {TypeKind::Any};
            }
            make_declared(id, Kind::Load, type, *site);
            return;
        }
    }
    node(asked);
}

void Resolver::size_of(Id id) {
    const Id asked = edit_.at(id).operands[0];
    node(asked);
}

// The node becomes an entry of a table; false if that would be too large.
bool Resolver::table_of(Id id, const Site& site, Sites::Of what) {
    const auto entries = sites_.table(site, what);
    if (!entries) {
        return false;
    }
    Node made;
    made.type = entries->type;
    if (entries->atoms.empty()) {
        const Value& only = edit_.module().tables[entries->table].values[0];
        made.kind = Kind::Constant;
        if (made.type.kind == TypeKind::Code) {
            made.number = code_of(edit_.module(), made.type.list, only);
        } else {
            edit_.module().values.push_back(only);
            made.x = static_cast<std::uint32_t>(edit_.module().values.size() - 1);
        }
    } else {
        made.kind = Kind::Table;
        made.x = entries->table;
        for (const Atom& atom : entries->atoms) {
            made.operands.push_back(edit_.atom(atom));
        }
    }
    edit_.replace(id, std::move(made));
    return true;
}

} // namespace croupier::engine::ir
