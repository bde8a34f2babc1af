// What running an agenda group needs besides the plans of its rules: which nodes a match stands on,
// which nodes a condition reads, how specific it is.
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

// A key of a path from the state's root; its text may depend on variables of a match.
struct BasisKey {
    struct Part {
        Symbol text = kNoSymbol;    // kNoSymbol: use the variable
        std::uint32_t variable = 0; // index among the variables of the rule's match
    };
    std::vector<Part> parts;

    [[nodiscard]] bool is_text() const { return parts.size() == 1 && parts[0].text != kNoSymbol; }
};
using BasisPath = std::vector<BasisKey>;

struct AgendaRule {
    // The nodes that a match stands on: those of the entries outside all directives, in written
    // order.
    std::vector<BasisPath> basis;
    std::size_t first_entry = 0; // number of nodes in `basis` for the first entry
    std::uint32_t specificity = 0;
    bool fixed_salience = false; // the same for all activations, always
    int salience = 0;            // if fixed
};

struct AgendaPlan {
    // kNoSymbol in the path stands for any key.
    struct Reader {
        std::uint32_t rule; // index in the group
        std::vector<Symbol> path;

        [[nodiscard]] bool sees(std::span<const Symbol> node) const;
    };
    // A set of rules: bit i is rule i of the group.
    using Rules = std::vector<std::uint64_t>;

    Strategy strategy = Strategy::Depth;
    std::optional<std::uint64_t> limit;
    std::vector<AgendaRule> rules;
    // Rules whose matches may change when a node appears, disappears or changes its value, by the
    // path's first key. kNoSymbol lists those that read every key of the root.
    std::unordered_map<Symbol, std::vector<Reader>> readers;

    // Adds to `found` the rules whose matches may change with the node at `path`.
    void add_readers_of(std::span<const Symbol> path, Rules& found) const;
};

// Copies the group and gives every `$_` outside directives a name that no rule can mention, so that
// the values of a match identify the nodes it stands on.
Group with_named_wildcards(const Group& group);
// True for such a name; never show it.
bool is_hidden(const std::string& variable);

// `variables` has, for each rule of the group, the names that its matches bind, in order.
AgendaPlan plan_agenda(const Group& group, const std::vector<std::vector<std::string>>& variables,
                       Symbols& symbols);

} // namespace croupier::engine
