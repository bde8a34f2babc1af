#include "engine/reference/variables.h"

#include <algorithm>

namespace croupier::engine::reference {

namespace {

void add_variables(const Pattern& pattern, std::vector<std::string>& names);

void add_name(const std::string& name, std::vector<std::string>& names) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

// Those that every alternative binds, in the order of the first.
void add_common_variables(const Entry& any, std::vector<std::string>& names) {
    std::vector<std::vector<std::string>> bound(any.patterns.size());
    for (std::size_t i = 0; i < any.patterns.size(); ++i) {
        add_variables(any.patterns[i], bound[i]);
    }
    for (const std::string& name : bound.at(0)) {
        const bool common = std::all_of(bound.begin(), bound.end(), [&](const auto& others) {
            return std::find(others.begin(), others.end(), name) != others.end();
        });
        if (common) add_name(name, names);
    }
}

void add_variables(const Entry& entry, std::vector<std::string>& names) {
    switch (entry.kind) {
    case KeyKind::Not:
    case KeyKind::Exists:
    case KeyKind::Forall:
    case KeyKind::Log:
        return;
    case KeyKind::AnyOf:
        return add_common_variables(entry, names);
    case KeyKind::Count:
    case KeyKind::Sum:
    case KeyKind::Min:
    case KeyKind::Max:
        return add_variables(entry.into[0], names);
    case KeyKind::Variable:
        add_name(entry.variable, names);
        break;
    default:
        break;
    }
    for (const Pattern& pattern : entry.patterns) {
        add_variables(pattern, names);
    }
}

void add_variables(const Pattern& pattern, std::vector<std::string>& names) {
    if (pattern.kind == PatternKind::Bind || pattern.kind == PatternKind::Assign) {
        add_name(pattern.variable, names);
    }
    for (const Entry& entry : pattern.entries) {
        add_variables(entry, names);
    }
}

} // namespace

std::vector<std::string> variables_of(const Pattern& condition, const Bindings& outer) {
    std::vector<std::string> names;
    add_variables(condition, names);
    std::erase_if(names, [&](const std::string& name) { return outer.find(name) != nullptr; });
    return names;
}

} // namespace croupier::engine::reference
