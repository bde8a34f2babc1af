// What can be told of places without a state.
#include "engine/ir/sites.h"

#include "engine/ir/lists.h"

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

} // namespace croupier::engine::ir
