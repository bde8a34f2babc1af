// The pass `facts`: what it knows on its way through a function.
#pragma once

#include "engine/ir/pass.h"
#include "engine/ir/possible.h"

#include <unordered_map>

namespace croupier::engine::ir {

class Facts {
  public:
    Facts(Module& module, Function& function)
        : layout_(*module.catalogue->layout), catalogue_(*module.catalogue),
          edit_(module, function), knowledge_(layout_), possible_(edit_, knowledge_) {}

    void run() { action(edit_.function().body); }

  private:
    [[nodiscard]] const Node& node(Id id) const { return edit_.function().at(id); }

    // -- searches (facts.cpp) --
    // What is known of the values that a search gives, and of the state when it gives them.
    struct Results {
        VarId first = 0;
        std::vector<std::optional<Codes>> codes; // of each value
        std::size_t places = 0;                  // that give them
        Id yield = kNothing;                     // the last of these
        Knowledge knowledge;                     // there
    };
    void search(BlockId id, Results* results);
    // In a search within it, whose facts end with it.
    void inner(BlockId id, Results* results);
    bool test(Id id);
    void let(Id id);
    void each_row(Id id, Results* results);
    void rows_present(Id set, const Atom& row);
    [[nodiscard]] std::optional<Codes> rows_of(Id set) const;
    void alternatives(Id id, Results* results);
    void yield(Id id, Results* results);
    void take(VarId var, const std::optional<Codes>& codes);
    // The values that are the same by now are read where they are.
    void expression(Id id);
    void join_sets(Id both);
    void operands(Id id);
    [[nodiscard]] bool may_read(VarId var) const;

    // -- rules and actions (facts_actions.cpp) --
    void action(BlockId id);
    bool statement(Id id); // false: it has no effect any more
    bool ensure(Id id);
    void note_presence(Id id, const std::optional<Place>& place);
    void store(Id id);
    bool erase(Id id);
    void choice(Id id);
    void group(Id id);
    void apply(Id id, bool follows);
    [[nodiscard]] bool matches_once(const Node& apply) const;
    [[nodiscard]] bool surely_matches(const Node& apply) const;
    [[nodiscard]] Changes no_changes() const;
    void add_changes(Id id, Changes& changes) const;
    void add_changes_of(BlockId id, Changes& changes) const;

    const Layout& layout_;
    const Catalogue& catalogue_;
    Editor edit_;
    Knowledge knowledge_;
    Possible possible_;
    std::unordered_map<VarId, VarId> aliases_;      // a variable that is another
    std::vector<std::pair<Id, VarId>> expressions_; // that variables in reach hold
};

} // namespace croupier::engine::ir
