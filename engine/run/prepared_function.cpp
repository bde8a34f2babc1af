// Prepares functions for the interpreter.
#include "engine/run/prepared_function.h"

#include "engine/ir/ir.h"

#include <algorithm>

namespace croupier::engine {

namespace {

// The value as something of that type holds it.
Slot slot_of(const ir::Module& module, const SlotType& type, const Value& value) {
    return type.kind == ir::TypeKind::Code ? Slot(ir::code_of(module, type.list, value))
                                           : Slot(value);
}

bool is_declared(ir::Kind kind) {
    switch (kind) {
    case ir::Kind::Present:
    case ir::Kind::Load:
    case ir::Kind::NodeAt:
    case ir::Kind::Rows:
    case ir::Kind::RowsWith:
    case ir::Kind::Ensure:
    case ir::Kind::Store:
    case ir::Kind::Erase:
    case ir::Kind::StoreRows:
    case ir::Kind::EraseRows:
        return true;
    default:
        return false;
    }
}

bool sets_variable(ir::Kind kind) {
    return kind == ir::Kind::Let || kind == ir::Kind::EachRow || kind == ir::Kind::LetRows;
}

// Sets of variables, in words of the statement's own.
bool makes_sets(ir::Kind kind) {
    return kind == ir::Kind::LetTouching || kind == ir::Kind::LetCounts;
}

} // namespace

PreparedFunction::PreparedFunction(const ir::Module& module, const ir::Function& function,
                                   const Slot* slots)
    : module_(module), function_(function), slots_(slots), nodes_(function.nodes.size()) {
    // Everything has its place before anything points there.
    std::size_t ids = 0;
    std::size_t words = 0;
    const auto words_of = [&](const ir::Node& node) -> std::size_t {
        if (makes_sets(node.kind)) {
            const std::size_t sets =
                node.kind == ir::Kind::LetCounts ? static_cast<std::size_t>(node.number) : 1;
            return sets * words_for(module.tables[node.y].sizes[0] - 1);
        }
        return node.type.kind == ir::TypeKind::Set
                   ? words_for(
                         static_cast<std::uint32_t>(module.lists[node.type.list].values.size()))
                   : 0;
    };
    for (const ir::Node& node : function.nodes) {
        ids += node.operands.size() + node.blocks.size();
        words += words_of(node);
    }
    for (const ir::Block& block : function.blocks) {
        ids += block.statements.size();
    }
    ids_.reserve(ids);
    words_.resize(words);
    const auto kept = [&](const std::vector<std::uint32_t>& from) {
        const std::size_t first = ids_.size();
        ids_.insert(ids_.end(), from.begin(), from.end());
        return std::span<const std::uint32_t>(ids_).subspan(first);
    };
    std::span<std::uint64_t> free(words_);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        const ir::Node& node = function.nodes[i];
        PreparedNode& made = nodes_[i];
        made.operands = kept(node.operands);
        made.blocks = kept(node.blocks);
        made.words = free.first(words_of(node));
        free = free.subspan(made.words.size());
        prepare(made, node);
    }
    for (const ir::Block& block : function.blocks) {
        blocks_.push_back(kept(block.statements));
    }
}

void PreparedFunction::prepare(PreparedNode& made, const ir::Node& node) {
    made.kind = node.kind;
    made.type = sets_variable(node.kind) ? function_.vars[node.x].type : node.type;
    made.x = node.x;
    made.y = node.y;
    made.number = node.number;
    if (node.type.kind == ir::TypeKind::Code) {
        made.values = module_.lists[node.type.list].values.data();
    }
    if (is_declared(node.kind)) {
        made.place = place_of(node.x);
    } else if (makes_sets(node.kind)) {
        made.table = &module_.tables[node.y];
    } else if (node.kind == ir::Kind::TableRows) {
        made.table = &module_.tables[node.x];
    } else if (node.kind == ir::Kind::Table) {
        made.table = &module_.tables[node.x];
        made.slots = entries_of(node);
    } else if (node.kind == ir::Kind::Variable) {
        made.known = slots_ + node.x;
    } else if (node.kind == ir::Kind::Constant) {
        switch (node.type.kind) {
        case ir::TypeKind::Truth:
            constants_.emplace_back(node.number != 0);
            break;
        case ir::TypeKind::Int:
            constants_.emplace_back(node.number);
            break;
        case ir::TypeKind::Code:
            constants_.emplace_back(static_cast<std::uint32_t>(node.number));
            break;
        default:
            constants_.emplace_back(module_.values[node.x]);
            break;
        }
        made.known = &constants_.back();
    }
}

const InstancePlace* PreparedFunction::place_of(SchemaId schema) {
    for (const InstancePlace& each : places_) {
        if (each.schema == schema) {
            return &each;
        }
    }
    const Layout& layout = *module_.catalogue->layout;
    InstancePlace& made = places_.emplace_back();
    made.schema = schema;
    made.column = layout.node(schema).column;
    made.values = layout.node(schema).values;
    std::uint32_t scale = 1; // of the next map outwards
    for (SchemaId at = schema; layout.node(at).parent != kNoSchema; at = layout.node(at).parent) {
        const SchemaNode& above = layout.node(layout.node(at).parent);
        if (above.kind == ShapeKind::Map) {
            made.scales.push_back(scale);
            scale *= layout.domain(above.domain).size();
        }
    }
    std::reverse(made.scales.begin(), made.scales.end());
    return &made;
}

const Slot* PreparedFunction::entries_of(const ir::Node& table) {
    const SlotType type = table.type;
    for (const Entries& each : entries_) {
        if (each.table == table.x && each.type.kind == type.kind && each.type.list == type.list) {
            return each.slots.data();
        }
    }
    Entries& made = entries_.emplace_back(Entries{table.x, type, {}});
    for (const Value& value : module_.tables[table.x].values.different()) {
        made.slots.push_back(slot_of(module_, type, value));
    }
    return made.slots.data();
}

} // namespace croupier::engine
