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

// Knows what is bound where an entry stands, the way the checks do.
class BindingEntries {
  public:
    explicit BindingEntries(std::span<const std::string> known)
        : known_(known.begin(), known.end()) {}

    void collect(const Pattern& pattern, std::uint32_t entry) {
        if (pattern.kind == PatternKind::Bind || pattern.kind == PatternKind::Assign) {
            add(pattern.variable, entry);
        }
        for (const Entry& each : pattern.entries) {
            collect(each);
        }
    }
    std::vector<BoundName> take() { return std::move(bound_); }

  private:
    void add(const std::string& name, std::uint32_t entry) {
        if (std::find(known_.begin(), known_.end(), name) == known_.end()) {
            known_.push_back(name);
            bound_.push_back({name, entry});
        }
    }
    void collect(const Entry& entry) {
        if (entry.kind == KeyKind::Variable) {
            add(entry.variable, entry.id);
        }
        const bool local = entry.kind >= KeyKind::Not && entry.kind <= KeyKind::Max;
        const auto outside = static_cast<std::ptrdiff_t>(known_.size());
        std::vector<std::string> common; // bound by every alternative, and so after them as well
        for (const Pattern& below : entry.patterns) {
            collect(below, entry.id);
            if (entry.kind == KeyKind::AnyOf) {
                const std::vector<std::string> own(known_.begin() + outside, known_.end());
                if (&below == &entry.patterns[0]) {
                    common = own;
                }
                std::erase_if(common, [&](const std::string& name) {
                    return std::find(own.begin(), own.end(), name) == own.end();
                });
            }
            // What @forall has found is known where it must hold.
            if (local && entry.kind != KeyKind::Forall) {
                known_.resize(outside);
            }
        }
        if (local) {
            known_.resize(outside);
        }
        known_.insert(known_.end(), common.begin(), common.end());
        for (const Pattern& into : entry.into) {
            collect(into, entry.id);
        }
    }

    std::vector<std::string> known_;
    std::vector<BoundName> bound_;
};

} // namespace

std::vector<BoundName> binding_entries(const Pattern& condition,
                                       std::span<const std::string> known) {
    BindingEntries entries(known);
    entries.collect(condition, 0);
    return entries.take();
}

std::vector<BoundName> bound_names(const Pattern& condition, std::span<const std::string> known) {
    Names names(known);
    names.collect(condition, 0);
    return names.take();
}

} // namespace croupier::engine
