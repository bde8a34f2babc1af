// Rules with several matches that may act on each as soon as it is found: what they write is
// nothing that the search for the others still reads.
#include "engine/plan/compiler.h"
#include "engine/plan/planted.h"

#include <algorithm>
#include <limits>
#include <set>

namespace croupier::engine {

namespace {

using Schemas = std::set<SchemaId>;

// All that a tree of changes may write, whatever its variables are; false if that is not known.
bool collect_written(const Program& program, const ActionNode& node, SchemaId schema,
                     Schemas& written) {
    const Layout& layout = *program.layout;
    const SchemaNode& known = layout.node(schema);
    if (!known.dense || known.column == Column::Arena) {
        return false;
    }
    written.insert(schema);
    if (node.kind != ActionKind::Object) {
        layout.each_below(schema, [&](SchemaId below) { written.insert(below); });
        return true;
    }
    return std::all_of(node.entries.begin(), node.entries.end(), [&](const ActionEntry& entry) {
        if (entry.kind == ActionKeyKind::Print) {
            return true;
        }
        if (entry.kind != ActionKeyKind::Name) {
            return false;
        }
        const SchemaId below = known.kind == ShapeKind::Map ? known.element
                               : known.kind == ShapeKind::Record && entry.key.is_name()
                                   ? known.field(program.symbols.find(entry.key.parts[0].text))
                                   : kNoSchema;
        return below != kNoSchema && collect_written(program, entry.node, below, written);
    });
}

bool reads_any(const std::vector<Step>& steps, const Schemas& written) {
    return std::any_of(steps.begin(), steps.end(), [&](const Step& step) {
        const bool has_site = step.kind == Step::Kind::Exists || step.kind == Step::Kind::Absent ||
                              step.kind == Step::Kind::Leaf || step.kind == Step::Kind::Each;
        return (has_site && !step.site.constant && written.contains(step.site.schema)) ||
               reads_any(step.steps, written);
    });
}

} // namespace

// What follows the first loop may neither end in an error nor read what is written; nor may the
// steps before, whose columns are read again where they stand. The loop itself has found its rows
// before the first match, unless it goes word by word.
bool Compiler::acts_apart(const std::vector<Step>& steps, const Action& action) const {
    if (CROUPIER_PLANTED(ActsAtOnceAlways)) {
        return true;
    }
    Schemas written;
    if (!collect_written(program_, action.tree, 0, written)) {
        return false;
    }
    const std::size_t loop = first_loop(steps);
    const auto at = steps.begin() + static_cast<std::ptrdiff_t>(loop);
    if (!std::all_of(at, steps.end(), [&](const Step& step) { return is_pure(step); })) {
        return false;
    }
    if (words_of(*at) > 1) {
        return !reads_any(steps, written);
    }
    return !reads_any({steps.begin(), at}, written) && !reads_any(split(steps, loop).rest, written);
}

// The most matches that the loops can have; none: too many to say.
std::optional<std::uint32_t> Compiler::most_matches(const std::vector<Step>& steps) const {
    std::uint64_t most = 1;
    for (const Step& step : steps) {
        if (step.kind == Step::Kind::Each && !(CROUPIER_PLANTED(MatchesOfOneLoop) && most > 1)) {
            most *= program_.layout->domain(step.domain).size();
        }
        if (most > std::numeric_limits<std::uint32_t>::max()) {
            return std::nullopt;
        }
    }
    return static_cast<std::uint32_t>(most);
}

} // namespace croupier::engine
