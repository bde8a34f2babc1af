// Checks of nodes that speak of declared nodes: their schemas, the rows on the way, what they hold.
#include "engine/ir/names.h"
#include "engine/ir/verify_node.h"

#include <fmt/format.h>

namespace croupier::engine::ir {

// Codes of members, in whatever form, are rows.
bool NodeCheck::is_of_domain(const Type& type, std::uint32_t domain) const {
    const CodeList& list = list_of(type);
    return list.form != CodeList::Form::Truths && list.form != CodeList::Form::Range &&
           list.domain == domain;
}

void NodeCheck::declared(const Node& node) {
    const Layout& layout = *module_.catalogue->layout;
    if (!in_range("schema", node.x, layout.size())) {
        return;
    }
    const SchemaNode& schema = layout.node(node.x);
    if (!schema.dense) {
        wrong(fmt::format("{} has no place of its own", layout.path(node.x)));
        return;
    }
    if (node.kind == Kind::StoreRows || node.kind == Kind::EraseRows) {
        all_rows(node, schema);
        return;
    }
    rows(node, node.x, node.kind == Kind::Store || node.kind == Kind::RowsWith ? 1 : 0);
    if (node.kind == Kind::Rows || node.kind == Kind::RowsWith) {
        if (schema.kind != ShapeKind::Map || schema.domain == 0) {
            wrong(fmt::format("{} is no map over a domain", layout.path(node.x)));
        } else if (!is_of_domain(node.type, schema.domain)) {
            wrong(fmt::format("its result is {}; the map's rows are {}",
                              name_of(module_, node.type), layout.domain(schema.domain).name));
        }
    } else if (node.kind == Kind::Load) {
        loaded(node, schema);
    } else if (node.kind == Kind::Store && !schema.is_leaf()) {
        wrong(fmt::format("{} is no leaf", layout.path(node.x)));
    } else if (node.kind == Kind::Erase && schema.parent == kNoSchema) {
        wrong("the root cannot go");
    }
}

// The set has rows of the map that the instances stand in; the other maps have codes.
void NodeCheck::all_rows(const Node& node, const SchemaNode& schema) {
    const Layout& layout = *module_.catalogue->layout;
    const std::size_t set = node.kind == Kind::StoreRows ? 1 : 0;
    if (schema.parent == kNoSchema || layout.node(schema.parent).kind != ShapeKind::Map) {
        wrong(fmt::format("{} does not stand in a map", layout.path(node.x)));
        return;
    }
    if (!is_of_domain(type_of(node, set), layout.node(schema.parent).domain)) {
        wrong(fmt::format("operand {} is {}; the map's rows are {}", set + 1,
                          name_of(module_, type_of(node, set)),
                          layout.domain(layout.node(schema.parent).domain).name));
    }
    rows(node, schema.parent, set + 1);
    if (node.kind == Kind::StoreRows && !schema.is_leaf()) {
        wrong(fmt::format("{} is no leaf", layout.path(node.x)));
    }
}

// An operand for each map above, outermost first.
void NodeCheck::rows(const Node& node, SchemaId schema, std::size_t from) {
    const Layout& layout = *module_.catalogue->layout;
    std::vector<std::uint32_t> domains;
    for (SchemaId at = layout.node(schema).parent; at != kNoSchema; at = layout.node(at).parent) {
        if (layout.node(at).kind == ShapeKind::Map) {
            domains.insert(domains.begin(), layout.node(at).domain);
        }
    }
    if (node.operands.size() - from != domains.size()) {
        wrong(fmt::format("{} rows for {}", node.operands.size() - from, layout.path(schema)));
        return;
    }
    for (std::size_t i = 0; i < domains.size(); ++i) {
        const Type& type = type_of(node, from + i);
        if (!is_of_domain(type, domains[i])) {
            wrong(fmt::format("operand {} is {}; the rows are {}", from + i + 1,
                              name_of(module_, type), layout.domain(domains[i]).name));
        }
    }
}

// Codes are what the column holds; integers have a column of their own.
void NodeCheck::loaded(const Node& node, const SchemaNode& schema) {
    const Type& type = node.type;
    bool good = schema.is_leaf() || schema.kind == ShapeKind::Any;
    if (type.kind == TypeKind::Int) {
        good = schema.kind == ShapeKind::Int;
    } else if (type.kind == TypeKind::Truth) {
        good = false; // it may not be there
    } else if (type.kind == TypeKind::Code) {
        const CodeList& list = list_of(type);
        switch (schema.kind) {
        case ShapeKind::Member:
            good = is_of_domain(type, schema.domain);
            break;
        case ShapeKind::Unit: // true, if it is there
        case ShapeKind::Bool:
            good = list.form == CodeList::Form::Truths;
            break;
        case ShapeKind::Int:
            good = list.form == CodeList::Form::Range && list.low == schema.low &&
                   list.values.size() - 1 == static_cast<std::uint64_t>(schema.high) -
                                                 static_cast<std::uint64_t>(schema.low);
            break;
        default:
            good = false;
        }
    }
    if (!good) {
        wrong(fmt::format("{} has no value that is {}", module_.catalogue->layout->path(node.x),
                          name_of(module_, type)));
    }
}

} // namespace croupier::engine::ir
