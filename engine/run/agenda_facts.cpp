// Looks at what actions write and at what matches stand on.
#include "engine/run/agenda_facts.h"

#include "engine/ir/effects.h"
#include "engine/run/prepared_call.h"

#include <algorithm>

namespace croupier::engine {

namespace {

// The key may be that of a node of the schema, in the map or record above it.
bool may_lead_to(const Layout& layout, const BasisKey& key, SchemaId schema) {
    const SchemaNode& node = layout.node(schema);
    const bool is_row = layout.node(node.parent).kind == ShapeKind::Map;
    return is_row || !key.is_text() || key.parts[0].text == node.key;
}

// The path may be that of an instance of the schema.
bool may_be(const Layout& layout, const BasisPath& path, SchemaId schema) {
    SchemaId at = schema;
    for (std::size_t i = path.size(); i-- > 0; at = layout.node(at).parent) {
        if (layout.node(at).parent == kNoSchema || !may_lead_to(layout, path[i], at)) {
            return false;
        }
    }
    return layout.node(at).parent == kNoSchema;
}

// It is the path of the only instance of the schema.
bool is_surely(const Layout& layout, const BasisPath& path, SchemaId schema) {
    for (SchemaId at = schema; layout.node(at).parent != kNoSchema; at = layout.node(at).parent) {
        if (layout.node(layout.node(at).parent).kind != ShapeKind::Record) {
            return false;
        }
    }
    return std::all_of(path.begin(), path.end(),
                       [](const BasisKey& key) { return key.is_text(); }) &&
           may_be(layout, path, schema);
}

// The declared nodes that are gone when the action has run, whatever it met: those which it removes
// and then no longer writes.
std::vector<SchemaId> removed_by(const ir::Module& module, const ir::Function& function,
                                 ir::BlockId action) {
    std::vector<SchemaId> removed;
    for (const ir::Id statement : function.blocks[action].statements) {
        const ir::Node& node = function.at(statement);
        const ir::Places written = ir::effects_of(module, function, statement).writes;
        std::erase_if(removed, [&](SchemaId schema) {
            return written.anything || std::find(written.schemas.begin(), written.schemas.end(),
                                                 schema) != written.schemas.end();
        });
        if (node.kind == ir::Kind::Erase && node.operands.empty()) {
            removed.push_back(node.x);
        }
    }
    return removed;
}

// Writes of the statement and of what it runs. A call of which it is known what it shuffles writes
// nothing else, if it runs at the root.
void add_writes(const ir::Module& module, const ir::Function& function, ir::Id id,
                ir::Places& written) {
    const ir::Node& node = function.at(id);
    if (node.kind == ir::Kind::Call) {
        const SchemaId shuffled = PreparedCall(module, function, node).shuffled();
        if (shuffled != kNoSchema) {
            written.schemas.push_back(shuffled);
            return;
        }
    }
    const bool runs_others =
        node.kind == ir::Kind::Group || node.kind == ir::Kind::Apply || node.kind == ir::Kind::If;
    if (!runs_others) {
        written.join(ir::effects_of(module, function, id).writes);
        return;
    }
    for (std::size_t i = 0; i < node.blocks.size(); ++i) {
        if (node.kind == ir::Kind::If && node.y == 1 && i == 1) {
            continue; // nothing fires after an error
        }
        for (const ir::Id each : function.blocks[node.blocks[i]].statements) {
            add_writes(module, function, each, written);
        }
    }
}

void add_ranges(const SchemaNode& node, std::vector<AgendaFacts::Range>& ranges) {
    if (node.values != kNoOffset && width_of(node.column) != 0) {
        ranges.push_back({node.values, node.values + width_of(node.column) * node.instances});
    }
    if (node.presence != kNoOffset) {
        const std::uint32_t groups = node.instances / node.group;
        ranges.push_back({node.presence, node.presence + groups * node.words * 8});
    }
}

// What lies close together is one range: copying a few bytes more costs less than another call.
void join_ranges(std::vector<AgendaFacts::Range>& ranges) {
    constexpr std::uint32_t kClose = 64;
    std::sort(ranges.begin(), ranges.end(),
              [](const auto& a, const auto& b) { return a.begin < b.begin; });
    std::vector<AgendaFacts::Range> joined;
    for (const AgendaFacts::Range& each : ranges) {
        if (!joined.empty() && each.begin <= joined.back().end + kClose) {
            joined.back().end = std::max(joined.back().end, each.end);
        } else {
            joined.push_back(each);
        }
    }
    ranges = std::move(joined);
}

} // namespace

AgendaFacts::AgendaFacts(const ir::Module& module, const ir::Function& function,
                         const ir::Node& node)
    : group(&module.catalogue->groups[node.x]), rules(node.blocks.size()) {
    const Layout& layout = *module.catalogue->layout;
    std::vector<const ir::Node*> applies;
    for (std::size_t i = 0; i < rules.size(); ++i) {
        const ir::Node& apply = function.at(function.blocks[node.blocks[i]].statements.back());
        applies.push_back(&apply);
        Rule& rule = rules[i];
        for (ir::VarId var = apply.y; var < apply.y + static_cast<ir::VarId>(apply.number); ++var) {
            const ir::Type& type = function.vars[var].type;
            const bool any = type.kind == ir::TypeKind::Any;
            rule.variables.push_back({type, rule.width});
            rule.width += any ? 2 : 1;
            rule.has_any = rule.has_any || any;
        }
        rule.basis = group->agenda->rules[i].basis;
    }
    const auto stands_on = [&](const Rule& rule, SchemaId schema) {
        return std::any_of(rule.basis.begin(), rule.basis.end(),
                           [&](const BasisPath& path) { return may_be(layout, path, schema); });
    };
    for (std::size_t i = 0; i < rules.size(); ++i) {
        Rule& rule = rules[i];
        rule.writes.resize(layout.size());
        ir::Places written;
        for (const ir::Id statement : function.blocks[applies[i]->blocks[1]].statements) {
            add_writes(module, function, statement, written);
        }
        if (written.anything) {
            written.schemas.clear();
            for (SchemaId schema = 1; schema < layout.size(); ++schema) {
                written.schemas.push_back(schema);
            }
            rule.concerned = ~Rules{0};
        }
        for (const SchemaId schema : written.schemas) {
            for (std::size_t other = 0; layout.node(schema).dense && other < rules.size();
                 ++other) {
                if (stands_on(rules[other], schema)) {
                    rule.concerned |= Rules{1} << other;
                    rule.writes[schema] = true;
                }
            }
            if (rule.writes[schema]) {
                add_ranges(layout.node(schema), rule.ranges);
            }
        }
        join_ranges(rule.ranges);
        for (const SchemaId gone : removed_by(module, function, applies[i]->blocks[1])) {
            for (std::size_t other = 0; other < rules.size(); ++other) {
                const bool ends = std::any_of(
                    rules[other].basis.begin(), rules[other].basis.end(),
                    [&](const BasisPath& path) { return is_surely(layout, path, gone); });
                rule.ended |= ends ? Rules{1} << other : 0;
            }
        }
    }
}

} // namespace croupier::engine
