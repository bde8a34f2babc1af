// What the running of an agenda group needs to know of its rules beside their plans: which nodes a
// match stands on, which nodes a condition looks at, how specific it is.
#pragma once

#include "engine/language/pattern.h"
#include "engine/language/ruleset.h"
#include "engine/state/value.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace croupier::engine {

// A path from the state's root in terms of a match: what a key consists of.
struct BasisKey {
    struct Part {
        Symbol text = kNoSymbol;    // or, if there is none,
        std::uint32_t variable = 0; // of the match, by its place among the rule's variables
    };
    std::vector<Part> parts;

    [[nodiscard]] bool is_text() const { return parts.size() == 1 && parts[0].text != kNoSymbol; }
};
using BasisPath = std::vector<BasisKey>;

struct AgendaRule {
    // The nodes that a match stands on: those of the entries outside all directives, in the order
    // written.
    std::vector<BasisPath> basis;
    std::size_t first_entry = 0; // so many of them belong to the condition's first entry
    std::uint32_t specificity = 0;
    bool fixed_salience = false; // the same for all its activations, at all times
    int salience = 0;            // if fixed
};

struct AgendaPlan {
    // Any key stands for kNoSymbol.
    struct Reader {
        std::uint32_t rule; // its place in the group
        std::vector<Symbol> path;

        [[nodiscard]] bool sees(std::span<const Symbol> node) const;
    };
    // A set of rules: a bit for each, by its place in the group.
    using Rules = std::vector<std::uint64_t>;

    Strategy strategy = Strategy::Depth;
    std::optional<std::uint64_t> limit;
    std::vector<AgendaRule> rules;
    // Whose matches may differ when a node comes, goes or has another value, by the path's first
    // key; under kNoSymbol those that look at every key of the root.
    std::unordered_map<Symbol, std::vector<Reader>> readers;

    // Adds to `found` those whose matches may differ.
    void add_readers_of(std::span<const Symbol> path, Rules& found) const;
};

// The group with a name, which no rule can mention, for every `$_` outside directives: so that the
// values of a match say which nodes it stands on.
Group with_named_wildcards(const Group& group);
// True for such a name: nobody should be shown it.
bool is_hidden(const std::string& variable);

// `variables`: for each rule of the group the names that its matches bind, in their order.
AgendaPlan plan_agenda(const Group& group, const std::vector<std::vector<std::string>>& variables,
                       Symbols& symbols);

} // namespace croupier::engine
