// The pass `resolve`: where nodes of the tree are.
#include "engine/ir/lists.h"
#include "engine/ir/probe.h"
#include "engine/ir/resolve.h"

#include <algorithm>

namespace croupier::engine::ir {

// ---- places ----------------------------------------------------------------------------------

std::optional<Site> Resolver::site_of(Id id) {
    const Node node = edit_.at(id);
    switch (node.kind) {
    case Kind::Root:
        return sites_.root();
    case Kind::Here:
        return here_;
    case Kind::Variable:
        return node.x < places_.size() ? places_[node.x] : std::nullopt;
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

// Where a path leads; its keys are the operands from `first` on.
std::optional<Site> Resolver::path(Id id, std::size_t first) {
    const Node node = edit_.at(id);
    std::optional<Site> site = node.y == 1 ? sites_.root() : here_;
    for (std::uint32_t up = 0; up < node.x && site; ++up) {
        site = sites_.parent(*site);
    }
    for (std::size_t i = first; i < node.operands.size() && site; ++i) {
        site = below(site, node.operands[i]);
    }
    return site;
}

std::optional<Site> Resolver::below(const std::optional<Site>& site, Id key) {
    if (!site) {
        return std::nullopt;
    }
    const Node node = edit_.at(key);
    if (node.kind == Kind::Name) {
        return sites_.child(*site, node.x);
    }
    if (site->constant) {
        // Whatever codes it has: a table has an entry for each.
        if (const auto atom = code_itself(key)) {
            CROUPIER_REWRITE(ConstantByCode);
            return sites_.child(*site, *atom);
        }
    }
    const auto list = sites_.child_list(*site);
    const auto atom = list ? atom_of(key, *list) : std::nullopt;
    return atom ? std::optional(sites_.child(*site, *atom)) : std::nullopt;
}

// A key that is a variable with a code.
std::optional<Atom> Resolver::code_itself(Id key) {
    operands(key);
    const Node& text = edit_.at(key);
    const Node& only = edit_.at(text.operands[0]);
    const bool is_code = text.operands.size() == 1 && only.kind == Kind::Variable &&
                         only.type.kind == TypeKind::Code;
    return is_code ? std::optional(Atom{false, 0, only.x, only.type.list}) : std::nullopt;
}

// The code of a child's key in the list.
std::optional<Atom> Resolver::atom_of(Id key, std::uint32_t list) {
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
        // All of its values may be members.
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
    for (const Id part : std::vector<Id>(edit_.at(key).operands)) {
        parts.push_back(edit_.copy(part));
    }
    const VarId code = edit_.new_var("code", code_type(list));
    edit_.var(code).sure = sure;
    put(edit_.let(code, edit_.make(Kind::KeyCode, code_type(list), std::move(parts))));
    return Atom{false, 0, code, list};
}

std::vector<Id> Resolver::rows(const Site& site) {
    std::vector<Id> made;
    for (const Atom& atom : site.rows) {
        made.push_back(edit_.atom(atom));
    }
    return made;
}

void Resolver::make_declared(Id id, Kind kind, Type type, const Site& site) {
    Node made;
    made.kind = kind;
    made.type = type;
    made.x = site.schema;
    made.operands = rows(site);
    edit_.replace(id, std::move(made));
}

} // namespace croupier::engine::ir
