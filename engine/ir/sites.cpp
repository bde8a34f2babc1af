// What can be told of places without a state.
#include "engine/ir/sites.h"

#include "engine/ir/lists.h"

#include <algorithm>
#include <tuple>

namespace croupier::engine::ir {

namespace {

constexpr std::size_t kLargestTable = std::size_t{1} << 18;

} // namespace

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
    if (is_root && program_.has_constant(name)) {
        if (field != kNoSchema) {
            return std::nullopt;
        }
        found.constant = true;
        found.rows.clear();
        found.keys.push_back({name, {}});
        return found;
    }
    if (field == kNoSchema || !layout_.node(field).dense ||
        layout_.node(field).column == Column::Arena) {
        return std::nullopt;
    }
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
        layout_.node(node.element).column == Column::Arena) {
        return std::nullopt;
    }
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
    if (site.schema == 0) {
        return std::nullopt;
    }
    above.schema = schema(site).parent;
    if (schema(above).kind == ShapeKind::Map) {
        above.rows.pop_back();
    }
    return above;
}

// ---- tables of the constants -----------------------------------------------------------------

std::vector<Atom> Sites::atoms_of(const Site& site) const {
    std::vector<Atom> atoms;
    for (const Site::Key& key : site.keys) {
        if (key.name == kNoSymbol) {
            atoms.push_back(key.atom);
        }
    }
    return atoms;
}

NodeRef Sites::node(const Site& site, const std::vector<std::uint32_t>& codes) const {
    NodeRef node = program_.constants->root();
    std::size_t next = 0;
    for (const Site::Key& key : site.keys) {
        Symbol name = key.name;
        if (name == kNoSymbol) {
            const std::uint32_t code = codes[next++];
            const Atom& atom = key.atom;
            if (code == 0) {
                return {};
            }
            const Value& value = module_.lists[atom.list].values[code - 1];
            name = value.is_text() ? value.symbol()
                                   : program_.symbols.find(to_text(value, program_.symbols));
        }
        node = name == kNoSymbol ? NodeRef{} : program_.constants->child(node, name);
        if (!node) {
            break;
        }
    }
    return node;
}

bool Sites::each_choice(const Site& site, const std::function<void(NodeRef)>& visit) {
    const std::vector<Atom> atoms = atoms_of(site);
    std::size_t count = 1;
    for (const Atom& atom : atoms) {
        count *= module_.lists[atom.list].values.size() + 1;
        if (count > kLargestTable) {
            return false;
        }
    }
    std::vector<std::uint32_t> codes(atoms.size());
    for (std::size_t i = 0; i < count; ++i) {
        std::size_t rest = i;
        for (std::size_t a = atoms.size(); a-- > 0;) {
            const std::size_t size = module_.lists[atoms[a].list].values.size() + 1;
            codes[a] = static_cast<std::uint32_t>(rest % size);
            rest /= size;
        }
        visit(node(site, codes));
    }
    return true;
}

Table Sites::empty_table(const std::vector<Atom>& atoms) const {
    Table table;
    for (const Atom& atom : atoms) {
        table.sizes.push_back(
            static_cast<std::uint32_t>(module_.lists[atom.list].values.size() + 1));
    }
    return table;
}

Value Sites::entry(NodeRef node, Of what) const {
    if (!node) {
        return {};
    }
    return what == Of::Presence ? Value::boolean(true) : program_.constants->value(node);
}

std::optional<Sites::Entries> Sites::table(const Site& site, Of what) {
    Entries made;
    made.atoms = atoms_of(site);
    std::vector<std::uint64_t> place = {static_cast<std::uint64_t>(what)};
    for (const Site::Key& key : site.keys) {
        place.push_back(key.name);
        place.push_back(key.atom.list);
    }
    if (const auto known = module_.known_tables.find(place); known != module_.known_tables.end()) {
        std::tie(made.table, made.type) = known->second;
        return made;
    }
    Table table = empty_table(made.atoms);
    if (!each_choice(site, [&](NodeRef node) { table.values.push_back(entry(node, what)); })) {
        return std::nullopt;
    }
    made.type = type_of_values(module_, table.values);
    made.table = static_cast<std::uint32_t>(module_.tables.size());
    module_.tables.push_back(std::move(table));
    module_.known_tables.emplace(std::move(place), std::pair(made.table, made.type));
    return made;
}

// The keys that children of the site have under some choice, as they come up.
std::vector<Symbol> Sites::keys_below(const Site& site) {
    std::vector<Symbol> keys;
    const State& constants = *program_.constants;
    const bool few = each_choice(site, [&](NodeRef node) {
        for (NodeRef child = node ? constants.first_child(node) : node; child;
             child = constants.next_sibling(child)) {
            const Symbol key = constants.key(child).symbol();
            if (std::find(keys.begin(), keys.end(), key) == keys.end()) {
                keys.push_back(key);
            }
        }
    });
    return few ? keys : std::vector<Symbol>();
}

std::optional<Sites::Children> Sites::children(const Site& site) {
    const std::vector<Symbol> keys = keys_below(site);
    if (keys.empty()) {
        return std::nullopt;
    }
    const State& constants = *program_.constants;
    // The rows of the children must rise under every choice.
    const auto in_order = [&](const std::function<std::uint32_t(Symbol)>& code) {
        bool rises = true;
        each_choice(site, [&](NodeRef node) {
            std::uint32_t last = 0;
            for (NodeRef child = node ? constants.first_child(node) : node; child;
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
        if (!in_order([&](Symbol key) { return code_of_key(module_, *list, key); })) {
            return std::nullopt;
        }
    }
    made.list = *list;
    const std::size_t rows = module_.lists[made.list].values.size();
    const std::uint32_t words = words_for(static_cast<std::uint32_t>(rows));
    Table table = empty_table(made.atoms);
    made.all = made.atoms.empty() && keys.size() == rows;
    each_choice(site, [&](NodeRef node) {
        const std::size_t first = table.words.size();
        table.words.resize(first + words);
        for (NodeRef child = node ? constants.first_child(node) : node; child;
             child = constants.next_sibling(child)) {
            const std::uint32_t row =
                code_of_key(module_, made.list, constants.key(child).symbol()) - 1;
            table.words[first + row / kWordRows] |= std::uint64_t{1} << row % kWordRows;
        }
    });
    made.table = static_cast<std::uint32_t>(module_.tables.size());
    module_.tables.push_back(std::move(table));
    return made;
}

} // namespace croupier::engine::ir
