// The pass `resolve`: infers where nodes are, and the types of values.
#include "engine/form/edit.h"
#include "engine/form/form.h"
#include "engine/form/passes.h"
#include "engine/form/probe.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace croupier::engine::form {

namespace {

constexpr std::size_t kLargestTable = std::size_t{1} << 18;

// A query about constants besides those of Sites::Query.
constexpr std::uint64_t kChildren = 2;

// Where a node of the tree is: at a declared path, or among the constants.
struct Site {
    bool constant = false;
    // -- declared --
    SchemaId schema = 0;
    std::vector<Atom> rows; // one for each map on the way
    // -- constant: keys from the constants' root --
    struct Key {
        Symbol name = kNoSymbol;
        Atom atom; // if it has no name
        friend bool operator==(const Key&, const Key&) = default;
    };
    std::vector<Key> keys;

    friend bool operator==(const Site&, const Site&) = default;
};

// Answers questions about sites that need no state. A declared site is a dense node: it is not in a
// column of undeclared subtrees, and not below one.
class Sites {
  public:
    explicit Sites(Module& module)
        : module_(module), catalogue_(*module.catalogue), layout_(*catalogue_.layout) {}

    [[nodiscard]] Site root() const { return {}; }
    [[nodiscard]] const SchemaNode& schema(const Site& site) const {
        return layout_.node(site.schema);
    }

    // The child of that name. A declared site has none outside its shape.
    std::optional<Site> child(const Site& site, Symbol name) {
        Site found = site;
        if (site.constant) {
            found.keys.push_back({name, {}});
            return found;
        }
        const SchemaNode& node = schema(site);
        if (node.kind == ShapeKind::Map && node.domain != 0) {
            const auto list = child_list(site);
            const std::uint32_t code = list ? code_of_key(module_, *list, name) : 0;
            return code == 0 ? std::nullopt
                             : std::optional(child(site, Atom{true, code, kNothing, *list}));
        }
        const bool is_root = site.schema == 0;
        const SchemaId field = node.kind == ShapeKind::Record ? node.field(name) : kNoSchema;
        if (is_root && catalogue_.has_constant(name)) {
            if (field != kNoSchema) return std::nullopt;
            found.constant = true;
            found.rows.clear();
            found.keys.push_back({name, {}});
            return found;
        }
        if (field == kNoSchema || !layout_.node(field).dense ||
            layout_.node(field).column == Column::Arena)
            return std::nullopt;
        found.schema = field;
        return found;
    }

    // The list whose codes pick a child of the site: the members of the map's domain, or all keys
    // that children of a constant have. Nullopt if children are not picked by code.
    [[nodiscard]] std::optional<std::uint32_t> child_list(const Site& site) {
        if (site.constant) {
            const std::vector<Symbol> keys = keys_below(site);
            return keys.empty() ? std::nullopt : std::optional(list_of_keys(module_, keys));
        }
        const SchemaNode& node = schema(site);
        if (node.kind != ShapeKind::Map || node.domain == 0 || !layout_.node(node.element).dense ||
            layout_.node(node.element).column == Column::Arena)
            return std::nullopt;
        return list_of_domain(module_, CodeList::Form::Keys, node.domain);
    }

    // The child that a code of that list picks.
    [[nodiscard]] Site child(const Site& site, const Atom& atom) const {
        Site found = site;
        if (site.constant) {
            found.keys.push_back({kNoSymbol, atom});
        } else {
            found.schema = schema(site).element;
            found.rows.push_back(atom);
        }
        return found;
    }

    // The parent; nullopt for a root.
    [[nodiscard]] std::optional<Site> parent(const Site& site) const {
        Site above = site;
        if (site.constant) {
            above.keys.pop_back();
            return above.keys.empty() ? root() : above;
        }
        if (site.schema == 0) return std::nullopt;
        above.schema = schema(site).parent;
        if (schema(above).kind == ShapeKind::Map) above.rows.pop_back();
        return above;
    }

    // A table of a constant, by the codes of its atoms: whether its node exists, or its value. It
    // is not made if there are too many choices. The type is that of the entries.
    struct Entries {
        std::uint32_t table = 0; // of Module::tables
        std::vector<Atom> atoms; // its operands; without any it has one entry
        Type type;
    };
    enum class Query : std::uint8_t { Presence, Value };

    std::optional<Entries> table(const Site& site, Query what) {
        Entries made;
        made.atoms = atoms_of(site);
        std::vector<std::uint64_t> place = place_of(site, static_cast<std::uint64_t>(what));
        if (const auto known = module_.known_tables.find(place);
            known != module_.known_tables.end()) {
            std::tie(made.table, made.type) = known->second;
            return made;
        }
        LookupTable table = empty_table(made.atoms);
        std::size_t count = 1;
        for (const std::uint32_t size : table.sizes)
            count *= size;
        Palette palette;
        std::vector<std::uint16_t> places;
        const auto fill = [&](std::size_t choice, NodeRef node) {
            if (places.empty()) // nodes that do not exist are none
                places.assign(count, static_cast<std::uint16_t>(palette.place_of({})));
            places[choice] = static_cast<std::uint16_t>(
                palette.place_of(what == Query::Presence ? Value::boolean(true)
                                                         : catalogue_.constants->value(node)));
        };
        if (!each_there(site, fill) || palette.values().size() > form::Entries::kMax)
            return std::nullopt;
        table.values = places.empty() ? form::Entries(count)
                                      : form::Entries(std::move(places), palette.take());
        made.type = type_of_values(module_, table.values.different());
        made.table = static_cast<std::uint32_t>(module_.tables.size());
        module_.tables.push_back(std::move(table));
        module_.known_tables.emplace(std::move(place), std::pair(made.table, made.type));
        return made;
    }

    // The value of the constant's node wherever it exists; nullopt if there are several.
    std::optional<Value> only_value(const Site& site) {
        const auto [known, is_new] =
            only_values_.try_emplace(place_of(site, static_cast<std::uint64_t>(Query::Value)));
        if (is_new) {
            std::vector<std::unordered_map<Symbol, std::uint32_t>> codes;
            for (const Atom& atom : atoms_of(site))
                codes.push_back(codes_by_key(atom.list));
            bool same = true;
            auto& only = known->second;
            each_below(site.keys, codes, catalogue_.constants->root(), 0,
                       [&](std::size_t, NodeRef node) {
                           const Value value = catalogue_.constants->value(node);
                           same = same && (!only || same_value(*only, value));
                           only = value;
                       });
            if (!same) known->second.reset();
        }
        return known->second;
    }

    // The same for the children that are there, in the rows of the list that gives their codes.
    struct Children {
        std::uint32_t list = 0;
        std::uint32_t table = 0;
        std::vector<Atom> atoms;
        bool all = false;               // always all rows of the list
        std::uint32_t order = kNothing; // of the rows, if it is not always the list's
    };

    std::optional<Children> children(const Site& site) {
        std::vector<std::uint64_t> place = place_of(site, kChildren);
        const auto known = module_.known_tables.find(place);
        if (known == module_.known_tables.end()) {
            auto made = new_children(site);
            const std::pair none{kNothing, Type{}};
            module_.known_tables.emplace(
                std::move(place),
                made ? std::pair(made->table,
                                 Type{TypeKind::Set, made->list, made->order, made->all ? 1 : 0})
                     : none);
            return made;
        }
        const auto& [table, type] = known->second;
        if (table == kNothing) return std::nullopt;
        return Children{type.list, table, atoms_of(site), type.high == 1,
                        static_cast<std::uint32_t>(type.low)};
    }

  private:
    using Visit = std::function<void(std::size_t choice, NodeRef)>;

    // ---- tables of constants at a path, for all choices of codes ----

    [[nodiscard]] std::vector<Atom> atoms_of(const Site& site) const {
        std::vector<Atom> atoms;
        for (const Site::Key& key : site.keys)
            if (key.name == kNoSymbol) atoms.push_back(key.atom);
        return atoms;
    }

    // The codes of a list by the keys that they name.
    [[nodiscard]] std::unordered_map<Symbol, std::uint32_t> codes_by_key(std::uint32_t list) const {
        std::unordered_map<Symbol, std::uint32_t> codes;
        const std::vector<Value>& values = module_.lists[list].values;
        for (std::uint32_t i = 0; i < values.size(); ++i) {
            const Symbol name =
                values[i].is_text()
                    ? values[i].symbol()
                    : catalogue_.symbols.find(to_text(values[i], catalogue_.symbols));
            if (name != kNoSymbol) codes.try_emplace(name, i + 1);
        }
        return codes;
    }

    // Calls `visit` for every choice of codes whose node exists, in their order; false if there are
    // too many choices.
    bool each_there(const Site& site, const Visit& visit) const {
        std::size_t count = 1;
        std::vector<std::unordered_map<Symbol, std::uint32_t>> codes;
        for (const Atom& atom : atoms_of(site)) {
            count *= module_.lists[atom.list].values.size() + 1;
            if (count > kLargestTable) return false;
            codes.push_back(codes_by_key(atom.list));
        }
        each_below(site.keys, codes, catalogue_.constants->root(), 0, visit);
        return true;
    }

    // `choice` is the number of the codes up to here.
    void each_below(std::span<const Site::Key> keys,
                    std::span<const std::unordered_map<Symbol, std::uint32_t>> codes, NodeRef node,
                    std::size_t choice, const Visit& visit) const {
        const State& constants = *catalogue_.constants;
        while (!keys.empty() && keys[0].name != kNoSymbol) {
            node = constants.child(node, keys[0].name);
            if (!node) return;
            keys = keys.subspan(1);
        }
        if (keys.empty()) {
            visit(choice, node);
            return;
        }
        std::vector<std::pair<std::uint32_t, NodeRef>> there;
        for (NodeRef child = constants.first_child(node); child;
             child = constants.next_sibling(child)) {
            const auto found = codes[0].find(constants.key(child).symbol());
            if (found != codes[0].end()) there.emplace_back(found->second, child);
        }
        std::sort(there.begin(), there.end(),
                  [](const auto& a, const auto& b) { return a.first < b.first; });
        const std::size_t size = module_.lists[keys[0].atom.list].values.size() + 1;
        for (const auto& [code, child] : there)
            each_below(keys.subspan(1), codes.subspan(1), child, choice * size + code, visit);
    }

    [[nodiscard]] LookupTable empty_table(const std::vector<Atom>& atoms) const {
        LookupTable table;
        for (const Atom& atom : atoms) {
            table.sizes.push_back(
                static_cast<std::uint32_t>(module_.lists[atom.list].values.size() + 1));
        }
        return table;
    }

    // The key of a query about a site in known_tables.
    [[nodiscard]] static std::vector<std::uint64_t> place_of(const Site& site, std::uint64_t what) {
        std::vector<std::uint64_t> place = {what};
        for (const Site::Key& key : site.keys) {
            place.push_back(key.name);
            place.push_back(key.atom.list);
        }
        return place;
    }

    // The keys of the site's children for any choice, in the order in which they are found.
    [[nodiscard]] std::vector<Symbol> keys_below(const Site& site) const {
        std::vector<Symbol> keys;
        std::unordered_set<Symbol> known;
        const State& constants = *catalogue_.constants;
        const bool few = each_there(site, [&](std::size_t, NodeRef node) {
            for (NodeRef child = constants.first_child(node); child;
                 child = constants.next_sibling(child)) {
                const Symbol key = constants.key(child).symbol();
                if (known.insert(key).second) keys.push_back(key);
            }
        });
        return few ? keys : std::vector<Symbol>();
    }

    std::optional<Children> new_children(const Site& site) {
        const std::vector<Symbol> keys = keys_below(site);
        if (keys.empty()) return std::nullopt;
        const State& constants = *catalogue_.constants;
        // The rows of the children rise under every choice.
        const auto in_order = [&](const std::function<std::uint32_t(Symbol)>& code) {
            bool rises = true;
            each_there(site, [&](std::size_t, NodeRef node) {
                std::uint32_t last = 0;
                for (NodeRef child = rises ? constants.first_child(node) : NodeRef{}; child;
                     child = constants.next_sibling(child)) {
                    const std::uint32_t next = code(constants.key(child).symbol());
                    rises = rises && next > last;
                    last = next;
                }
            });
            return rises;
        };
        Children made;
        made.atoms = atoms_of(site);
        // Prefers rows of a domain of the state, since the state's sets have such rows, too: of a
        // domain in whose order the children are, and of the smallest.
        std::optional<std::uint32_t> list;
        std::uint32_t size = 0;
        bool rises = false;
        for (std::uint32_t id = 1; id < layout_.domain_count(); ++id) {
            const DomainTable& domain = layout_.domain(id);
            const auto code = [&](Symbol key) {
                const std::uint16_t row = domain.row_of(key);
                return row == kNoRow ? 0 : row + 1u;
            };
            if (!std::ranges::all_of(keys, code)) continue;
            const bool better = in_order(code);
            if (list && (rises != better ? rises : domain.size() >= size)) continue;
            list = list_of_domain(module_, CodeList::Form::Keys, id);
            size = domain.size();
            rises = better;
        }
        if (!list) {
            list = list_of_keys(module_, keys);
            const auto codes = codes_by_key(*list);
            rises = in_order([&](Symbol key) { return codes.at(key); });
        }
        made.list = *list;
        const std::size_t rows = module_.lists[made.list].values.size();
        const std::uint32_t words = words_for(static_cast<std::uint32_t>(rows));
        LookupTable table = empty_table(made.atoms);
        made.all = made.atoms.empty() && keys.size() == rows;
        std::size_t choices = 1;
        for (const std::uint32_t codes : table.sizes)
            choices *= codes;
        table.words.resize(choices * words);
        const auto rows_by_key = codes_by_key(made.list);
        each_there(site, [&](std::size_t choice, NodeRef node) {
            for (NodeRef child = constants.first_child(node); child;
                 child = constants.next_sibling(child)) {
                const std::uint32_t row = rows_by_key.at(constants.key(child).symbol()) - 1;
                add_row(table.words, choice * words, row);
            }
        });
        made.table = static_cast<std::uint32_t>(module_.tables.size());
        module_.tables.push_back(std::move(table));
        if (!rises && !CROUPIER_MISTAKE(OrderOfListTaken))
            made.order = order_of_children(site, made.atoms, rows_by_key);
        return made;
    }

    // A table of the order of the children for each choice.
    std::uint32_t order_of_children(const Site& site, const std::vector<Atom>& atoms,
                                    const std::unordered_map<Symbol, std::uint32_t>& rows_by_key) {
        std::vector<std::pair<std::size_t, std::vector<std::uint32_t>>> rows; // by choice
        std::size_t most = 0;
        each_there(site, [&](std::size_t choice, NodeRef node) {
            rows.push_back({choice, {}});
            for (NodeRef child = catalogue_.constants->first_child(node); child;
                 child = catalogue_.constants->next_sibling(child))
                rows.back().second.push_back(
                    rows_by_key.at(catalogue_.constants->key(child).symbol()));
            most = std::max(most, rows.back().second.size());
        });
        const std::size_t words = most / kRowsInWord + 1; // 0 comes last
        LookupTable order = empty_table(atoms);
        std::size_t choices = 1;
        for (const std::uint32_t codes : order.sizes)
            choices *= codes;
        order.words.resize(choices * words);
        for (const auto& [choice, codes] : rows)
            for (std::size_t i = 0; i < codes.size(); ++i)
                order.words[choice * words + i / kRowsInWord] |= std::uint64_t{codes[i]}
                                                                 << i % kRowsInWord * 16;
        module_.tables.push_back(std::move(order));
        return static_cast<std::uint32_t>(module_.tables.size() - 1);
    }

    std::map<std::vector<std::uint64_t>, std::optional<Value>> only_values_; // that were asked for
    Module& module_;
    const Catalogue& catalogue_;
    const Layout& layout_;
};

bool is_node(const Node& node) {
    return node.type.kind == TypeKind::Node;
}

// A type that holds the values of both.
Type joined(const Type& a, const Type& b) {
    if (a == b) return a;
    if (a.kind == TypeKind::Int && b.kind == TypeKind::Int)
        return {TypeKind::Int, 0, std::min(a.low, b.low), std::max(a.high, b.high)};
    return {TypeKind::Any};
}

// Follows a function with the sites of its variables.
class Resolver {
  public:
    Resolver(Module& module, Function& function)
        : edit_(module, function), sites_(module), places_(function.vars.size()) {}

    void run() {
        here_ = sites_.root();
        block(edit_.function().body);
    }

  private:
    void put(Id id) { out_->push_back(id); }
    [[nodiscard]] static bool is_root(const Site& site) {
        return !site.constant && site.schema == 0;
    }
    // One of the values that a search yields, for all its results.
    struct Result {
        Type type;
        bool sure = false;
    };
    // Whether the code is never 0.
    [[nodiscard]] bool is_sure(VarId var) const { return edit_.function().vars[var].sure; }
    [[nodiscard]] bool is_sure(const Atom& atom) const { return atom.known || is_sure(atom.var); }

    // ---- statements ----

    void block(BlockId id) {
        std::vector<Id> made;
        std::vector<Id>* const outer = std::exchange(out_, &made);
        const std::size_t known = present_.size();
        for (const Id each : std::exchange(edit_.block(id).statements, {}))
            statement(each);
        present_.resize(known);
        out_ = outer;
        edit_.block(id).statements = std::move(made);
    }

    void statement(Id id) {
        switch (edit_.at(id).kind) {
        case Kind::Let:
            let(id);
            return;
        case Kind::Test:
            test(id);
            return;
        case Kind::EachChild:
            each_child(id);
            return;
        case Kind::Alternatives:
            alternatives(id);
            return;
        case Kind::Apply:
            apply(id);
            return;
        case Kind::GroupBelow:
            group_below(id);
            return;
        case Kind::NoMatch:
        case Kind::SomeMatch:
        case Kind::Gather:
            searched(std::vector<BlockId>(edit_.at(id).blocks));
            put(id);
            return;
        case Kind::Yield:
            operands(id);
            for (std::size_t i = 0; i < edit_.at(id).operands.size(); ++i) {
                const Node& given = edit_.at(edit_.at(id).operands[i]);
                const bool sure = given.kind == Kind::Variable && is_sure(given.var());
                if (i < results_->size()) {
                    Result& known = (*results_)[i];
                    known = {joined(known.type, given.type), known.sure && sure};
                } else {
                    results_->push_back({given.type, sure});
                }
            }
            put(id);
            return;
        default:
            break;
        }
        if (change(id)) return;
        operands(id);
        for (std::size_t i = 0; i < edit_.at(id).blocks.size(); ++i)
            block(edit_.at(id).blocks[i]);
        put(id);
    }

    void let(Id id) {
        const Id operand = edit_.at(id).operands[0];
        const VarId var = edit_.at(id).var();
        if (!is_node(edit_.at(operand))) {
            value(operand);
            take(var, {edit_.at(operand).type, false});
            put(id);
            return;
        }
        std::optional<Site> made = made_site(operand);
        if (ensure(id, operand, made)) {
            CROUPIER_REWRITE(MadeNodeAtPlace);
            const Id found = edit_.make(Kind::NodeAt, {TypeKind::Node}, rows(*made), made->schema);
            put(edit_.let(var, found));
            learn(var, made);
            return;
        }
        const std::optional<Site> site = made && is_root(*made) ? made : site_of(operand);
        if (site && !site->constant && site->schema != 0) {
            CROUPIER_REWRITE(NodeInVariable);
            make_declared(operand, Kind::NodeAt, {TypeKind::Node}, *site);
        } else if (site && is_root(*site)) { // always there
            CROUPIER_REWRITE(RootInVariable);
            edit_.become(operand, Kind::Root, {TypeKind::Node}, {});
        } else {
            node(operand);
        }
        learn(var, site);
        put(id);
    }

    void take(VarId var, const Result& result) {
        edit_.var(var).type = result.type;
        if (result.sure) {
            CROUPIER_REWRITE(ResultIsMember);
            edit_.var(var).sure = true;
        }
    }

    void learn(VarId node, std::optional<Site> site) {
        if (places_.size() <= node) places_.resize(node + std::size_t{1});
        places_[node] = std::move(site);
    }

    void test(Id id) {
        const Id asked = edit_.at(id).operands[0];
        const Node& has = edit_.at(asked);
        std::optional<Site> there;
        if (has.kind == Kind::Has && is_node(edit_.at(has.operands[0])))
            there = site_of(has.operands[0]);
        operands(id);
        put(id);
        if (there && !there->constant) present_.push_back(*there);
        const Node& value = edit_.at(asked);
        if (value.kind == Kind::Has && edit_.at(value.operands[0]).kind == Kind::Variable)
            edit_.var(edit_.at(value.operands[0]).var()).sure = true;
    }

    [[nodiscard]] bool is_there(const Site& site) const {
        return std::find(present_.begin(), present_.end(), site) != present_.end();
    }

    void each_child(Id id) {
        const Id above = edit_.at(id).operands[0];
        const std::optional<Site> site = site_of(above);
        if (site && each_row(id, *site)) return;
        node(above);
        block(edit_.at(id).blocks[0]);
        put(id);
    }

    // Turns a loop over the children of a map over a domain, or of a constant, into a loop over
    // rows; false if it cannot.
    bool each_row(Id id, const Site& site) {
        std::uint32_t list = 0;
        std::uint32_t order = kNothing;
        std::vector<Id> operands(1); // the set, and what chooses the order
        if (site.constant) {
            const auto children = sites_.children(site);
            if (!children) return false;
            list = children->list;
            order = children->order;
            std::vector<Id> codes;
            for (const Atom& atom : children->atoms)
                codes.push_back(edit_.atom(atom));
            if (order != kNothing) {
                CROUPIER_REWRITE(RowsInOtherOrder);
                for (const Id code : codes)
                    operands.push_back(edit_.copy(code));
            }
            CROUPIER_REWRITE_EITHER(children->all, AllRowsOfConstant, RowsOfConstant);
            operands[0] = children->all ? edit_.make(Kind::AllRows, {TypeKind::Set, list}, {})
                                        : edit_.make(Kind::TableRows, {TypeKind::Set, list},
                                                     std::move(codes), children->table);
        } else {
            const auto known = sites_.child_list(site);
            if (!known) return false;
            list = *known;
            CROUPIER_REWRITE(RowsOfMap);
            operands[0] = edit_.make(Kind::Rows, {TypeKind::Set, list}, rows(site), site.schema);
        }
        const Node loop = edit_.at(id);
        const VarId row =
            loop.key_var() == kNothing ? edit_.new_var("row", code_type(list)) : loop.key_var();
        take(row, {code_type(list), true});
        const Site child = sites_.child(site, Atom{false, 0, row, list});
        learn(loop.var(), child);
        const std::size_t known = present_.size();
        present_.push_back(child);
        block(loop.blocks[0]);
        present_.resize(known);
        std::vector<Id> before;
        const TypePlan& wanted = edit_.module().catalogue->types[loop.child_type()];
        const bool fits = wanted.kind == TypePlan::Kind::Any || CROUPIER_MISTAKE(KeysOfAnyType) ||
                          (wanted.kind == TypePlan::Kind::Domain &&
                           wanted.domain == edit_.module().lists[list].domain);
        if (!fits) {
            CROUPIER_REWRITE(KeysOfOneType);
            const Id of_type =
                edit_.make(Kind::Fits, {TypeKind::Truth}, {edit_.variable(row)}, loop.child_type());
            before.push_back(edit_.make(Kind::Test, {}, {of_type}));
        }
        // Statements that read the node itself find it by its place.
        if (!site.constant) {
            before.push_back(edit_.let(
                loop.var(), edit_.make(Kind::NodeAt, {TypeKind::Node}, rows(child), child.schema)));
        } else {
            const Id keys = edit_.make(Kind::KeyText, {TypeKind::Key}, {edit_.variable(row)});
            const Id parent = edit_.copy(loop.operands[0]);
            before.push_back(
                edit_.let(loop.var(), edit_.make(Kind::Child, {TypeKind::Node}, {parent, keys})));
        }
        std::vector<Id>& body = edit_.block(loop.blocks[0]).statements;
        body.insert(body.begin(), before.begin(), before.end());
        edit_.become(id, Kind::EachRow, {}, std::move(operands), row);
        if (order != kNothing) edit_.at(id).set_order(order);
        edit_.at(id).blocks = loop.blocks;
        put(id);
        return true;
    }

    std::vector<Result> searched(std::span<const BlockId> searches) {
        std::vector<Result> found;
        std::vector<Result>* const outer = std::exchange(results_, &found);
        for (const BlockId each : searches)
            block(each);
        results_ = outer;
        return found;
    }

    void alternatives(Id id) {
        const Node node = edit_.at(id);
        VarId var = node.var();
        for (const Result& each : searched(std::span(node.blocks).first(node.blocks.size() - 1)))
            take(var++, each);
        block(node.blocks.back());
        put(id);
    }

    void apply(Id id) {
        const Node node = edit_.at(id);
        VarId var = node.results();
        for (const Result& each : searched({&node.blocks[0], 1}))
            take(var++, each);
        const std::vector<Site> known = std::exchange(present_, {});
        for (std::size_t i = 1; i < node.blocks.size(); ++i)
            searched({&node.blocks[i], 1});
        present_ = known;
        put(id);
    }

    // The group's rules find their root by its place, even if it is removed and created again.
    void group_below(Id id) {
        const Id root = edit_.at(id).operands[0];
        std::optional<Site> site = site_of(root);
        if (site && site->constant) site = std::nullopt;
        node(root);
        CROUPIER_REWRITE_IF(site, RootOfGroupKnown);
        const std::optional<Site> outer = std::exchange(here_, site);
        if (CROUPIER_MISTAKE(GroupKeepsRoot)) here_ = outer;
        block(edit_.at(id).blocks[0]);
        here_ = outer;
        put(id);
    }

    // ---- actions that change declared nodes ----

    bool change(Id id) {
        const Node node = edit_.at(id);
        switch (node.kind) {
        case Kind::Inner: {
            // A declared node that has children has no value to remove.
            const std::optional<Site> site = site_of(node.operands[0]);
            const bool inner = site && !site->constant &&
                               (sites_.schema(*site).kind == ShapeKind::Record ||
                                sites_.schema(*site).kind == ShapeKind::Map);
            CROUPIER_REWRITE_IF(inner, HasChildrenAnyway);
            return inner;
        }
        case Kind::Do: {
            std::optional<Site> site = made_site(node.operands[0]);
            return ensure(id, node.operands[0], site);
        }
        case Kind::SetChild:
            return set(id, below(site_of(node.operands[0]), node.operands[1]), node.operands[2]);
        case Kind::SetPath:
            return set(id, path(id, 1), node.operands[0]);
        case Kind::RemoveChild:
            return erase(id, below(site_of(node.operands[0]), node.operands[1]));
        case Kind::RemovePath:
            return erase(id, path(id, 0));
        default:
            return false;
        }
    }

    // The site of the node that is created.
    [[nodiscard]] std::optional<Site> made_site(Id made) {
        const Node node = edit_.at(made);
        if (node.kind == Kind::MakeChild) return below(site_of(node.operands[0]), node.operands[1]);
        return node.kind == Kind::MakePath ? path(made, 0) : std::nullopt;
    }

    // Whether all codes on the way are known to be members, or only the last must be tested.
    [[nodiscard]] bool may_ask(const Site& site) const {
        const auto unsure = std::count_if(site.rows.begin(), site.rows.end(),
                                          [&](const Atom& atom) { return !is_sure(atom); });
        return unsure == 0 || (unsure == 1 && !is_sure(site.rows.back()));
    }

    // If the last code is not that of a member of the map's domain, `otherwise` ends in the error
    // that says so. After that a new variable has the code.
    void ask_member(Site& site, Id otherwise) {
        if (site.rows.empty() || is_sure(site.rows.back())) return;
        const Id choice = edit_.make(
            Kind::If, {},
            {edit_.make(Kind::Has, {TypeKind::Truth}, {edit_.atom(site.rows.back())})}, 0, 1);
        const BlockId known = edit_.new_block();
        const BlockId unknown = edit_.new_block();
        edit_.block(unknown).statements = {otherwise};
        edit_.at(choice).blocks = {known, unknown};
        if (!CROUPIER_MISTAKE(MembersNotAsked)) put(choice);
        const VarId code = edit_.new_var("member", code_type(site.rows.back().list));
        put(edit_.let(code, edit_.atom(site.rows.back())));
        edit_.var(code).sure = true;
        site.rows.back().var = code;
    }

    bool ensure(Id id, Id made, std::optional<Site>& site) {
        if (!site || site->constant || site->schema == 0 || sites_.schema(*site).is_leaf() ||
            !may_ask(*site))
            return false;
        const Id there = edit_.make(Kind::Ensure, {}, {}, site->schema);
        edit_.at(there).note =
            edit_.at(made).note != kNothing ? edit_.at(made).note : edit_.at(id).note;
        const bool sure = site->rows.empty() || is_sure(site->rows.back());
        CROUPIER_REWRITE_EITHER(sure, EnsureAtPlace, EnsureIfMember);
        if (!sure) {
            node(made);
            const Id fails = edit_.make(Kind::Do, {}, {made});
            edit_.at(fails).note = edit_.at(there).note;
            ask_member(*site, fails);
        }
        edit_.at(there).operands = rows(*site);
        put(there);
        return true;
    }

    bool set(Id id, std::optional<Site> site, Id given) {
        if (!site || site->constant || site->schema == 0 || !sites_.schema(*site).is_leaf())
            return false;
        value(given);
        if (!may_ask(*site)) return false;
        const bool sure = site->rows.empty() || is_sure(site->rows.back());
        if (!sure) {
            CROUPIER_REWRITE(StoreIfMember);
            const Id stored = edit_.make(Kind::Store, {}, {edit_.copy(given)}, site->schema);
            edit_.at(stored).note = edit_.at(id).note;
            operands(id);
            ask_member(*site, id);
            for (const Id row : rows(*site))
                edit_.at(stored).operands.push_back(row);
            put(stored);
            return true;
        }
        CROUPIER_REWRITE(StoreAtPlace);
        std::vector<Id> operands = rows(*site);
        operands.insert(operands.begin(), given);
        edit_.become(id, Kind::Store, {}, std::move(operands), site->schema);
        put(id);
        return true;
    }

    // A key that is not a member has nothing to erase.
    bool erase(Id id, const std::optional<Site>& site) {
        if (!site || site->constant || site->schema == 0 ||
            !edit_.module().catalogue->layout->erasure(site->schema, 0))
            return false;
        CROUPIER_REWRITE(EraseAtPlace);
        make_declared(id, Kind::Erase, {}, *site);
        put(id);
        return true;
    }

    // ---- expressions: their types, and the places that they read ----

    void operands(Id id) {
        for (std::size_t i = 0; i < edit_.at(id).operands.size(); ++i) {
            const Id operand = edit_.at(id).operands[i];
            if (is_node(edit_.at(operand)))
                node(operand);
            else
                value(operand);
        }
    }

    // A node of the tree for statements of the general way.
    void node(Id id) {
        const Node& known = edit_.at(id);
        if (known.kind != Kind::Variable && known.kind != Kind::Root) {
            const std::optional<Site> site = site_of(id);
            if (site && !site->constant && site->schema != 0 && edit_.at(id).kind != Kind::NodeAt) {
                CROUPIER_REWRITE(NodeAtPlace);
                make_declared(id, Kind::NodeAt, {TypeKind::Node}, *site);
                return;
            }
            operands(id);
        }
    }

    void value(Id id) {
        switch (edit_.at(id).kind) {
        case Kind::Variable:
            edit_.at(id).type = edit_.var(edit_.at(id).var()).type;
            return;
        case Kind::Has:
            has(id);
            return;
        case Kind::ValueOf:
            value_of(id);
            return;
        case Kind::Given:
            operands(id);
            edit_.at(id).type = edit_.at(edit_.at(id).operands[0]).type;
            return;
        case Kind::Choose: {
            operands(id);
            Node& node = edit_.at(id);
            node.type = joined(edit_.at(node.operands[1]).type, edit_.at(node.operands[2]).type);
            return;
        }
        default:
            operands(id);
            return;
        }
    }

    void has(Id id) {
        const Id asked = edit_.at(id).operands[0];
        if (!is_node(edit_.at(asked))) {
            value(asked);
            return;
        }
        const std::optional<Site> site = site_of(asked);
        if (site && site->constant) {
            const Id there = edit_.make(Kind::Has, {TypeKind::Truth}, {});
            if (table_of(there, *site, Sites::Query::Presence)) {
                CROUPIER_REWRITE(PresenceOfConstant);
                edit_.become(id, Kind::Has, {TypeKind::Truth}, {there});
                return;
            }
        } else if (site && is_root(*site)) {
            CROUPIER_REWRITE(RootIsThere);
            edit_.become_truth(id, true);
            return;
        } else if (site) {
            CROUPIER_REWRITE(PresenceAtPlace);
            make_declared(id, Kind::Present, {TypeKind::Truth}, *site);
            return;
        }
        node(asked);
    }

    void value_of(Id id) {
        const Id asked = edit_.at(id).operands[0];
        const std::optional<Site> site = site_of(asked);
        if (site && site->constant) {
            if (table_of(id, *site, Sites::Query::Value)) {
                CROUPIER_REWRITE(ValueOfConstant);
                return;
            }
            // The table of a relation of a large domain would be too large.
            const auto only = is_there(*site) ? sites_.only_value(*site) : std::nullopt;
            if (only && only->tag == Tag::Bool) {
                CROUPIER_REWRITE(OnlyValueOfConstant);
                edit_.replace(id, edit_.at(edit_.constant(*only)));
                return;
            }
        } else if (site) {
            const SchemaNode& leaf = sites_.schema(*site);
            if (leaf.kind == ShapeKind::Unit) {
                CROUPIER_REWRITE(UnitIsTrue);
                make_declared(id, Kind::Load, code_type(list_of_truths(edit_.module())), *site);
                return;
            }
            if (leaf.is_leaf()) {
                Type type = type_of_leaf(edit_.module(), leaf);
                CROUPIER_REWRITE(LoadAtPlace);
                if (type.kind == TypeKind::Int && !is_there(*site) &&
                    !CROUPIER_MISTAKE(MissingIntegerIsZero)) {
                    CROUPIER_REWRITE(IntegerOrNone);
                    type = {TypeKind::Any};
                }
                make_declared(id, Kind::Load, type, *site);
                return;
            }
        }
        node(asked);
    }

    // The node becomes an entry of a table; false if that would be too large.
    bool table_of(Id id, const Site& site, Sites::Query what) {
        const auto entries = sites_.table(site, what);
        if (!entries) return false;
        if (entries->atoms.empty()) {
            const Value& only = edit_.module().tables[entries->table].values[0];
            edit_.replace(id, edit_.constant_of(entries->type, only));
            return true;
        }
        std::vector<Id> codes;
        for (const Atom& atom : entries->atoms)
            codes.push_back(edit_.atom(atom));
        edit_.become(id, Kind::Table, entries->type, std::move(codes), entries->table);
        return true;
    }

    // ---- sites of nodes ----

    [[nodiscard]] std::optional<Site> site_of(Id id) {
        const Node node = edit_.at(id);
        switch (node.kind) {
        case Kind::Root:
            return sites_.root();
        case Kind::Here:
            return here_;
        case Kind::Variable:
            return node.var() < places_.size() ? places_[node.var()] : std::nullopt;
        case Kind::Child:
            return below(site_of(node.operands[0]), node.operands[1]);
        case Kind::Parent: {
            const std::optional<Site> site = site_of(node.operands[0]);
            return site ? sites_.parent(*site) : std::nullopt;
        }
        case Kind::PathNode:
            return path(id, 0);
        default:
            return std::nullopt;
        }
    }

    // The site of a path, whose keys are the operands from `first` on.
    [[nodiscard]] std::optional<Site> path(Id id, std::size_t first) {
        const Node node = edit_.at(id);
        std::optional<Site> site = node.from_state() ? sites_.root() : here_;
        for (std::uint32_t up = 0; up < node.up() && site; ++up)
            site = sites_.parent(*site);
        for (std::size_t i = first; i < node.operands.size() && site; ++i)
            site = below(site, node.operands[i]);
        return site;
    }

    [[nodiscard]] std::optional<Site> below(const std::optional<Site>& site, Id key) {
        if (!site) return std::nullopt;
        const Node node = edit_.at(key);
        if (node.kind == Kind::Name) return sites_.child(*site, node.symbol());
        if (site->constant) {
            // The list of the code does not matter: a table has an entry for each code.
            if (const auto atom = code_itself(key)) {
                CROUPIER_REWRITE(ConstantByCode);
                return sites_.child(*site, *atom);
            }
        }
        const auto list = sites_.child_list(*site);
        const auto atom = list ? atom_of(key, *list) : std::nullopt;
        return atom ? std::optional(sites_.child(*site, *atom)) : std::nullopt;
    }

    // The code of a key that is a single variable; nullopt for other keys.
    std::optional<Atom> code_itself(Id key) {
        operands(key);
        const Node& text = edit_.at(key);
        const Node& only = edit_.at(text.operands[0]);
        const bool is_code = text.operands.size() == 1 && only.kind == Kind::Variable &&
                             only.type.kind == TypeKind::Code;
        return is_code ? std::optional(Atom{false, 0, only.var(), only.type.list}) : std::nullopt;
    }

    // The code of a child's key in the list.
    std::optional<Atom> atom_of(Id key, std::uint32_t list) {
        const auto itself = code_itself(key);
        const Module& module = edit_.module();
        bool sure = false;
        if (itself) {
            const CodeList& wanted = module.lists[list];
            const CodeList& has = module.lists[itself->list];
            if (itself->list == list || (has.domain == wanted.domain && has.domain != 0)) {
                CROUPIER_REWRITE(CodeIsKey);
                return itself;
            }
            // Its values may all be members of the list.
            sure = is_sure(itself->var) &&
                   std::all_of(has.values.begin(), has.values.end(), [&](const Value& value) {
                       const Symbol text = value.is_text() ? value.symbol()
                                                           : module.catalogue->symbols.find(to_text(
                                                                 value, module.catalogue->symbols));
                       return (text != kNoSymbol && code_of_key(module, list, text) != 0) ||
                              CROUPIER_MISTAKE(AllKeysAreMembers);
                   });
        }
        CROUPIER_REWRITE(CodeOfKey);
        CROUPIER_REWRITE_IF(sure, MemberOfAnother);
        std::vector<Id> parts;
        for (const Id part : std::vector<Id>(edit_.at(key).operands))
            parts.push_back(edit_.copy(part));
        const VarId code = edit_.new_var("code", code_type(list));
        edit_.var(code).sure = sure;
        put(edit_.let(code, edit_.make(Kind::KeyCode, code_type(list), std::move(parts))));
        return Atom{false, 0, code, list};
    }

    [[nodiscard]] std::vector<Id> rows(const Site& site) {
        std::vector<Id> made;
        for (const Atom& atom : site.rows)
            made.push_back(edit_.atom(atom));
        return made;
    }

    void make_declared(Id id, Kind kind, Type type, const Site& site) {
        edit_.become(id, kind, type, rows(site), site.schema);
    }

    Editor edit_;
    Sites sites_;
    std::vector<Id>* out_ = nullptr;
    std::vector<std::optional<Site>> places_; // of variables that are nodes
    std::optional<Site> here_;                // the root of the current group
    std::vector<Site> present_;               // what enclosing searches have found to exist
    std::vector<Result>* results_ = nullptr;  // of the current search
};

} // namespace

void resolve(Module& module, Function& function) {
    Resolver(module, function).run();
}

} // namespace croupier::engine::form
