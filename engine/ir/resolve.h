// The pass `resolve`: what it knows on its way through a function.
#pragma once

#include "engine/ir/pass.h"
#include "engine/ir/sites.h"

#include <optional>
#include <vector>

namespace croupier::engine::ir {

class Resolver {
  public:
    Resolver(Module& module, Function& function)
        : edit_(module, function), sites_(module), places_(function.vars.size()) {}

    void run();

  private:
    // -- statements: each goes to `out_`, in its place and with what it needs before it --
    void block(BlockId id);
    void statement(Id id);
    void let(Id id);
    void test(Id id);
    void each_child(Id id);
    bool each_row(Id id, const Site& site);
    void alternatives(Id id);
    void gather(Id id);
    void apply(Id id);
    void group_below(Id id);
    void put(Id id) { out_->push_back(id); }

    // -- actions on declared nodes (resolve_actions.cpp); false: that is for the general way --
    bool change(Id id);
    bool set(Id id, std::optional<Site> site, Id value);
    bool erase(Id id, const std::optional<Site>& site);
    bool ensure(Id id, Id made, std::optional<Site>& site);
    [[nodiscard]] bool may_ask(const Site& site) const;
    void ask_member(Site& site, Id otherwise);
    [[nodiscard]] std::optional<Site> made_site(Id made);

    // -- expressions, rewritten in their places --
    void value(Id id);
    void operands(Id id);
    void has(Id id);
    void value_of(Id id);
    void size_of(Id id);
    bool table_of(Id id, const Site& site, Sites::Of what);
    // A node of the tree for whoever goes the general way.
    void node(Id id);
    void key(Id id);
    [[nodiscard]] std::optional<Site> site_of(Id node);
    [[nodiscard]] std::optional<Site> below(const std::optional<Site>& site, Id key);
    [[nodiscard]] std::optional<Site> path(Id node, std::size_t first);
    std::optional<Atom> code_itself(Id key);
    std::optional<Atom> atom_of(Id key, std::uint32_t list);
    [[nodiscard]] std::vector<Id> rows(const Site& site);
    void make_declared(Id id, Kind kind, Type type, const Site& site);
    [[nodiscard]] static bool is_root(const Site& site) {
        return !site.constant && site.schema == 0;
    }
    [[nodiscard]] bool is_there(const Site& site) const;

    // What a search yields, one after the other.
    struct Result {
        Type type;
        bool sure = false;
    };
    void take(VarId var, const Result& result);
    void learn(VarId node, std::optional<Site> site);
    // A code that is surely one: not 0.
    [[nodiscard]] bool is_sure(VarId var) const { return edit_.function().vars[var].sure; }
    [[nodiscard]] bool is_sure(const Atom& atom) const { return atom.known || is_sure(atom.var); }

    Editor edit_;
    Sites sites_;
    std::vector<Id>* out_ = nullptr;
    std::vector<std::optional<Site>> places_; // of variables that are nodes
    std::optional<Site> here_;                // the root of the group at hand
    std::vector<Site> present_;               // what searches around have found to be there
    std::vector<Result>* results_ = nullptr;  // of the search at hand
};

inline bool is_node(const Node& node) {
    return node.type.kind == TypeKind::Node;
}

// What holds values of both.
Type joined(const Type& a, const Type& b);

} // namespace croupier::engine::ir
