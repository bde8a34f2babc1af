// What can be told of places without a state.
#include "engine/ir/sites.h"

#include "engine/ir/ir.h"

#include <algorithm>
#include <tuple>
#include <unordered_set>
#include <utility>

namespace croupier::engine::ir {

std::optional<Site> Sites::child(const Site& site, Symbol name) {
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

std::optional<std::uint32_t> Sites::child_list(const Site& site) {
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

Site Sites::child(const Site& site, const Atom& atom) const {
    Site found = site;
    if (site.constant) {
        found.keys.push_back({kNoSymbol, atom});
    } else {
        found.schema = schema(site).element;
        found.rows.push_back(atom);
    }
    return found;
}

std::optional<Site> Sites::parent(const Site& site) const {
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

// Tables of what the constants have at a place, for all choices of codes.

constexpr std::size_t kLargestTable = std::size_t{1} << 18;

// What else than Sites::Of the module knows of constants.
constexpr std::uint64_t kChildren = 2;

std::vector<Atom> Sites::atoms_of(const Site& site) const {
    std::vector<Atom> atoms;
    for (const Site::Key& key : site.keys)
        if (key.name == kNoSymbol) atoms.push_back(key.atom);
    return atoms;
}

// The codes of a list by the keys that they name.
std::unordered_map<Symbol, std::uint32_t> Sites::codes_by_key(std::uint32_t list) const {
    std::unordered_map<Symbol, std::uint32_t> codes;
    const std::vector<Value>& values = module_.lists[list].values;
    for (std::uint32_t i = 0; i < values.size(); ++i) {
        const Symbol name = values[i].is_text()
                                ? values[i].symbol()
                                : catalogue_.symbols.find(to_text(values[i], catalogue_.symbols));
        if (name != kNoSymbol) codes.try_emplace(name, i + 1);
    }
    return codes;
}

bool Sites::each_there(const Site& site, const Visit& visit) const {
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

// `choice`: the number of the codes up to here.
void Sites::each_below(std::span<const Site::Key> keys,
                       std::span<const std::unordered_map<Symbol, std::uint32_t>> codes,
                       NodeRef node, std::size_t choice, const Visit& visit) const {
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

Table Sites::empty_table(const std::vector<Atom>& atoms) const {
    Table table;
    for (const Atom& atom : atoms) {
        table.sizes.push_back(
            static_cast<std::uint32_t>(module_.lists[atom.list].values.size() + 1));
    }
    return table;
}

// Whom the module asks about a site again and again.
std::vector<std::uint64_t> Sites::place_of(const Site& site, std::uint64_t what) {
    std::vector<std::uint64_t> place = {what};
    for (const Site::Key& key : site.keys) {
        place.push_back(key.name);
        place.push_back(key.atom.list);
    }
    return place;
}

std::optional<Sites::Entries> Sites::table(const Site& site, Of what) {
    Entries made;
    made.atoms = atoms_of(site);
    std::vector<std::uint64_t> place = place_of(site, static_cast<std::uint64_t>(what));
    if (const auto known = module_.known_tables.find(place); known != module_.known_tables.end()) {
        std::tie(made.table, made.type) = known->second;
        return made;
    }
    Table table = empty_table(made.atoms);
    std::size_t count = 1;
    for (const std::uint32_t size : table.sizes)
        count *= size;
    Palette palette;
    std::vector<std::uint16_t> places;
    const auto fill = [&](std::size_t choice, NodeRef node) {
        if (places.empty()) // all is none that is not there
            places.assign(count, static_cast<std::uint16_t>(palette.place_of({})));
        places[choice] = static_cast<std::uint16_t>(palette.place_of(
            what == Of::Presence ? Value::boolean(true) : catalogue_.constants->value(node)));
    };
    if (!each_there(site, fill) || palette.values().size() > ir::Entries::kMost)
        return std::nullopt;
    table.values =
        places.empty() ? ir::Entries(count) : ir::Entries(std::move(places), palette.take());
    made.type = type_of_values(module_, table.values.different());
    made.table = static_cast<std::uint32_t>(module_.tables.size());
    module_.tables.push_back(std::move(table));
    module_.known_tables.emplace(std::move(place), std::pair(made.table, made.type));
    return made;
}

std::optional<Value> Sites::only_value(const Site& site) {
    const auto [known, is_new] =
        only_values_.try_emplace(place_of(site, static_cast<std::uint64_t>(Of::Value)));
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

// The keys that children of the site have under some choice, as they come up.
std::vector<Symbol> Sites::keys_below(const Site& site) const {
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

std::optional<Sites::Children> Sites::children(const Site& site) {
    std::vector<std::uint64_t> place = place_of(site, kChildren);
    const auto known = module_.known_tables.find(place);
    if (known == module_.known_tables.end()) {
        auto made = new_children(site);
        const std::pair none{kNothing, Type{}};
        module_.known_tables.emplace(
            std::move(place),
            made ? std::pair(made->table, Type{TypeKind::Set, made->list, 0, made->all ? 1 : 0})
                 : none);
        return made;
    }
    const auto& [table, type] = known->second;
    if (table == kNothing) return std::nullopt;
    return Children{type.list, table, atoms_of(site), type.high == 1};
}

std::optional<Sites::Children> Sites::new_children(const Site& site) {
    const std::vector<Symbol> keys = keys_below(site);
    if (keys.empty()) return std::nullopt;
    const State& constants = *catalogue_.constants;
    // The rows of the children must rise under every choice.
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
    // Rows of a domain of the state are the better ones: what is there can be compared with them.
    std::optional<std::uint32_t> list;
    std::uint32_t size = 0;
    for (std::uint32_t id = 1; id < layout_.domain_count(); ++id) {
        const DomainTable& domain = layout_.domain(id);
        const auto code = [&](Symbol key) {
            const std::uint16_t row = domain.row_of(key);
            return row == kNoRow ? 0 : row + 1u;
        };
        if ((!list || domain.size() < size) && in_order(code)) {
            list = list_of_domain(module_, CodeList::Form::Keys, id);
            size = domain.size();
        }
    }
    if (!list) {
        list = list_of_keys(module_, keys);
        const auto codes = codes_by_key(*list);
        if (!in_order([&](Symbol key) { return codes.at(key); })) return std::nullopt;
    }
    made.list = *list;
    const std::size_t rows = module_.lists[made.list].values.size();
    const std::uint32_t words = words_for(static_cast<std::uint32_t>(rows));
    Table table = empty_table(made.atoms);
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
            table.words[choice * words + row / kWordRows] |= std::uint64_t{1} << row % kWordRows;
        }
    });
    made.table = static_cast<std::uint32_t>(module_.tables.size());
    module_.tables.push_back(std::move(table));
    return made;
}

} // namespace croupier::engine::ir
