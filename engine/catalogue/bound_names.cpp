// Which variables a condition binds, told from its text alone.
#include "engine/catalogue/bound_names.h"

#include <algorithm>
#include <utility>

namespace croupier::engine {
namespace {

class Names {
  public:
    explicit Names(std::span<const std::string> known) : known_(known.begin(), known.end()) {}

    void collect(const Pattern& pattern, std::uint32_t entry) {
        if (pattern.kind == PatternKind::Bind || pattern.kind == PatternKind::Assign) {
            add({pattern.variable, entry});
        }
        for (const Entry& each : pattern.entries) {
            collect(each);
        }
    }
    std::vector<BoundName> take() { return std::move(bound_); }

  private:
    [[nodiscard]] bool has(const std::string& name) const {
        return std::find(known_.begin(), known_.end(), name) != known_.end();
    }
    void add(const BoundName& bound) {
        if (!has(bound.name)) {
            known_.push_back(bound.name);
            bound_.push_back(bound);
        }
    }
    void collect(const Entry& entry) {
        switch (entry.kind) {
        case KeyKind::Not:
        case KeyKind::Exists:
        case KeyKind::Forall:
            break; // local
        case KeyKind::Count:
        case KeyKind::Sum:
        case KeyKind::Min:
        case KeyKind::Max:
            if (!entry.into.empty()) {
                collect(entry.into[0], entry.id);
            }
            break;
        case KeyKind::AnyOf:
            collect_common(entry);
            break;
        default:
            if (entry.kind == KeyKind::Variable) {
                add({entry.variable, entry.id});
            }
            for (const Pattern& below : entry.patterns) {
                collect(below, entry.id);
            }
        }
    }
    // Those that every alternative binds, in the order of the first.
    void collect_common(const Entry& any) {
        std::vector<BoundName> common;
        for (std::size_t i = 0; i < any.patterns.size(); ++i) {
            Names of(known_);
            of.collect(any.patterns[i], any.id);
            if (i == 0) {
                common = of.take();
            } else {
                std::erase_if(common, [&](const BoundName& each) { return !of.has(each.name); });
            }
        }
        for (const BoundName& each : common) {
            add(each);
        }
    }

    std::vector<std::string> known_;
    std::vector<BoundName> bound_;
};

void add_inner(const Pattern& pattern, std::uint32_t entry, std::span<const std::string> known,
               std::vector<BoundName>& names) {
    const auto add = [&](const std::string& name, std::uint32_t by) {
        if (std::find(known.begin(), known.end(), name) == known.end()) {
            names.push_back({name, by});
        }
    };
    if (pattern.kind == PatternKind::Bind || pattern.kind == PatternKind::Assign) {
        add(pattern.variable, entry);
    }
    for (const Entry& each : pattern.entries) {
        if (each.kind == KeyKind::Variable) {
            add(each.variable, each.id);
        }
        for (const Pattern& into : each.into) {
            add_inner(into, each.id, known, names);
        }
        for (const Pattern& below : each.patterns) {
            add_inner(below, each.id, known, names);
        }
    }
}

} // namespace

std::vector<BoundName> inner_names(const Pattern& condition, std::span<const std::string> known) {
    std::vector<BoundName> names;
    add_inner(condition, 0, known, names);
    return names;
}

std::vector<BoundName> bound_names(const Pattern& condition, std::span<const std::string> known) {
    Names names(known);
    names.collect(condition, 0);
    return names.take();
}

} // namespace croupier::engine
