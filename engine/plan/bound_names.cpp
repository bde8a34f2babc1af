// Which variables a condition binds, told from its text alone.
#include "engine/plan/bound_names.h"

#include <algorithm>
#include <utility>

namespace croupier::engine {
namespace {

using Names = std::vector<std::string>;

bool has(const Names& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

// The variables that a match of the pattern binds, in order.
void collect_names(const Pattern& pattern, Names& names) {
    const auto add = [&](const std::string& name) {
        if (!has(names, name)) {
            names.push_back(name);
        }
    };
    if (pattern.kind == PatternKind::Bind || pattern.kind == PatternKind::Assign) {
        add(pattern.variable);
    }
    for (const Entry& entry : pattern.entries) {
        switch (entry.kind) {
        case KeyKind::Not:
        case KeyKind::Exists:
        case KeyKind::Forall:
            break; // local
        case KeyKind::Count:
        case KeyKind::Sum:
        case KeyKind::Min:
        case KeyKind::Max:
            collect_names(entry.into[0], names);
            break;
        case KeyKind::AnyOf:
            for (const std::string& name : common_names(entry.patterns)) {
                add(name);
            }
            break;
        default:
            if (entry.kind == KeyKind::Variable) {
                add(entry.variable);
            }
            for (const Pattern& below : entry.patterns) {
                collect_names(below, names);
            }
        }
    }
}

} // namespace

Names common_names(const std::vector<Pattern>& alternatives) {
    Names common;
    for (std::size_t i = 0; i < alternatives.size(); ++i) {
        Names names;
        collect_names(alternatives[i], names);
        if (i == 0) {
            common = std::move(names);
        } else {
            std::erase_if(common, [&](const std::string& name) { return !has(names, name); });
        }
    }
    return common;
}

} // namespace croupier::engine
