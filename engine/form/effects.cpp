// Effects from the table of kinds, and the schemas that declared nodes address.
#include "engine/form/effects.h"

#include <algorithm>
#include <iterator>

namespace croupier::engine::form {

namespace {

void join_numbers(Numbers& into, const Numbers& other) {
    Numbers all;
    std::set_union(into.begin(), into.end(), other.begin(), other.end(), std::back_inserter(all));
    into = std::move(all);
}

void add_number(Numbers& into, std::uint32_t number) {
    const auto at = std::lower_bound(into.begin(), into.end(), number);
    if (at == into.end() || *at != number) into.insert(at, number);
}

bool share(const Numbers& a, const Numbers& b) {
    auto at = b.begin();
    for (const std::uint32_t each : a) {
        at = std::lower_bound(at, b.end(), each);
        if (at != b.end() && *at == each) return true;
    }
    return false;
}

void add_variables(Numbers& into, VarId first, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i)
        add_number(into, first + static_cast<VarId>(i));
}

Places places_read(const Layout& layout, const Node& node) {
    Places made;
    const bool rows = node.kind == Kind::Rows || node.kind == Kind::RowsWith;
    made.anything = !is_declared(node.kind);
    if (!made.anything) made.add(rows ? layout.node(node.schema()).element : node.schema());
    return made;
}

// Making a node also makes its ancestors, unless its parent is known to exist, and changes the
// order of the record that contains it; a map over a domain keeps the domain's order.
Places places_written(const Layout& layout, const Node& node) {
    Places made;
    made.anything = !is_declared(node.kind);
    if (made.anything) return made;
    const bool erases = node.kind == Kind::Erase || node.kind == Kind::EraseRows;
    made.add(node.schema());
    if (erases) layout.each_below(node.schema(), [&](SchemaId below) { made.add(below); });
    const bool alone = erases || node.hangs();
    for (SchemaId at = layout.node(node.schema()).parent; at != kNoSchema;
         at = layout.node(at).parent) {
        if (!alone || layout.node(at).kind == ShapeKind::Record) made.add(at);
        if (alone) break;
    }
    return made;
}

void add_variables(const Node& node, Effects& into) {
    const KindInfo& info = info_of(node.kind);
    if (info.fields[0] == 'v')
        add_variables(info.result == '-' ? into.sets : into.uses, node.var(), node.vars());
    if (node.kind == Kind::EachChild && node.key_var() != kNothing)
        add_number(into.sets, node.key_var());
    if (node.kind == Kind::Apply) add_variables(into.sets, node.results(), node.count());
}

// The effects of the node without what is below it.
Effects own_effects(const Layout& layout, const Node& node) {
    const KindInfo& info = info_of(node.kind);
    Effects made;
    if (info.has('R')) made.reads = places_read(layout, node);
    if (info.has('W')) made.writes = places_written(layout, node);
    made.raises = info.has('E');
    made.draws = info.has('D');
    made.loops = info.has('B');
    made.goes_back = info.has('F');
    made.yields = node.kind == Kind::Yield || node.kind == Kind::YieldRows;
    // A failure is reported to observers only if it cuts an entry.
    made.told = info.has('O') && (!info.has('F') || node.cuts());
    add_variables(node, made);
    return made;
}

} // namespace

bool Places::meet(const Places& other) const {
    return anything ? !other.empty() : other.anything ? !empty() : share(schemas, other.schemas);
}

void Places::add(SchemaId schema) {
    add_number(schemas, schema);
}

void Places::join(const Places& other) {
    anything = anything || other.anything;
    join_numbers(schemas, other.schemas);
}

void Effects::join(const Effects& other) {
    reads.join(other.reads);
    writes.join(other.writes);
    join_numbers(uses, other.uses);
    join_numbers(sets, other.sets);
    raises = raises || other.raises;
    draws = draws || other.draws;
    loops = loops || other.loops;
    goes_back = goes_back || other.goes_back;
    yields = yields || other.yields;
    told = told || other.told;
}

Effects effects_of(const Module& module, const Function& function, Id id) {
    const Node& node = function.at(id);
    Effects made = own_effects(*module.catalogue->layout, node);
    for (const Id each : node.operands)
        made.join(effects_of(module, function, each));
    for (std::size_t i = 0; i < node.blocks.size(); ++i) {
        Effects inside;
        for (const Id each : function.blocks[node.blocks[i]].statements)
            inside.join(effects_of(module, function, each));
        if (node.kind == Kind::If && node.else_fails() && i == 1) {
            // It ends the run, so nothing reads what it has written.
            inside.writes = {};
            inside.raises = true;
        }
        // Backtracking and results in a search of its own stay inside it.
        if (info_of(node.kind).block(i, node.blocks.size()) != 'c') {
            inside.goes_back = false;
            inside.yields = false;
        }
        made.join(inside);
    }
    return made;
}

Numbers variables_set_at(const Node& node) {
    Effects own;
    add_variables(node, own);
    return std::move(own.sets);
}

Numbers variables_set(const Function& function, Id node) {
    Numbers all; // unsorted until all are added
    for_each_node(function, node, [&](Id id) {
        const Numbers own = variables_set_at(function.at(id));
        all.insert(all.end(), own.begin(), own.end());
    });
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

bool is_total(const Function& function, Id expression) {
    const Node& node = function.at(expression);
    return info_of(node.kind).effects.find_first_not_of('R') == std::string_view::npos &&
           std::all_of(node.operands.begin(), node.operands.end(),
                       [&](Id operand) { return is_total(function, operand); });
}

bool may_come_early(const Function& function, Id expression) {
    const Node& node = function.at(expression);
    return (node.kind != Kind::Load || node.type.kind != TypeKind::Int) &&
           info_of(node.kind).effects.find_first_not_of('R') == std::string_view::npos &&
           std::all_of(node.operands.begin(), node.operands.end(),
                       [&](Id operand) { return may_come_early(function, operand); });
}

bool may_swap(const Effects& a, const Effects& b) {
    // Nothing runs after a result, and each result counts.
    if (a.yields || b.yields) return false;
    const auto depends = [](const Effects& first, const Effects& second) {
        return share(first.sets, second.uses) || share(first.sets, second.sets) ||
               first.writes.meet(second.reads) || first.writes.meet(second.writes);
    };
    if (depends(a, b) || depends(b, a)) return false;
    if ((a.draws && b.draws) || (a.told && b.told)) return false;
    // If one may end the run or skip the other, one could see whether the other had run. Observers
    // may look at the state.
    const auto hides = [](const Effects& first, const Effects& second) {
        const bool shows = !second.writes.empty() || second.draws || second.told;
        return (first.may_stop() && (shows || second.may_stop())) ||
               (first.goes_back && (shows || second.may_stop())) ||
               (first.told && !second.writes.empty());
    };
    return !hides(a, b) && !hides(b, a);
}

} // namespace croupier::engine::form
