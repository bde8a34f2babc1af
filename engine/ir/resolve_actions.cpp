// The pass `resolve`: actions that change declared nodes.
#include "engine/ir/lists.h"
#include "engine/ir/probe.h"
#include "engine/ir/resolve.h"

#include <algorithm>
#include <utility>

namespace croupier::engine::ir {

bool Resolver::change(Id id) {
    const Node node = edit_.at(id);
    switch (node.kind) {
    case Kind::Inner: {
        // A declared node that has children has no value that could go.
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

// Where the node will be that is made.
std::optional<Site> Resolver::made_site(Id made) {
    const Node node = edit_.at(made);
    if (node.kind == Kind::MakeChild) {
        return below(site_of(node.operands[0]), node.operands[1]);
    }
    return node.kind == Kind::MakePath ? path(made, 0) : std::nullopt;
}

// All codes on the way are known to be members, or the last one can be asked for it.
bool Resolver::may_ask(const Site& site) const {
    const auto unsure = std::count_if(site.rows.begin(), site.rows.end(),
                                      [&](const Atom& atom) { return !is_sure(atom); });
    return unsure == 0 || (unsure == 1 && !is_sure(site.rows.back()));
}

// Where the last code is that of no member of the map's domain, the statement ends in the error
// that says so. Behind that a variable of its own has the code.
void Resolver::ask_member(Site& site, Id otherwise) {
    if (site.rows.empty() || is_sure(site.rows.back())) {
        return;
    }
    const Id choice = edit_.make(
        Kind::If, {}, {edit_.make(Kind::Has, {TypeKind::Truth}, {edit_.atom(site.rows.back())})}, 0,
        1);
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

bool Resolver::ensure(Id id, Id made, std::optional<Site>& site) {
    if (!site || site->constant || site->schema == 0 || sites_.schema(*site).is_leaf() ||
        !may_ask(*site)) {
        return false;
    }
    const Id there = edit_.make(Kind::Ensure, {}, {}, site->schema);
    edit_.at(there).note =
        edit_.at(made).note != kNothing ? edit_.at(made).note : edit_.at(id).note;
    const bool sure = site->rows.empty() || is_sure(site->rows.back());
    CROUPIER_REWRITE_IF(sure, EnsureAtPlace);
    CROUPIER_REWRITE_IF(!sure, EnsureIfMember);
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

bool Resolver::set(Id id, std::optional<Site> site, Id given) {
    if (!site || site->constant || site->schema == 0 || !sites_.schema(*site).is_leaf()) {
        return false;
    }
    value(given);
    if (!may_ask(*site)) {
        return false;
    }
    const bool sure = site->rows.empty() || is_sure(site->rows.back());
    if (!sure) {
        CROUPIER_REWRITE(StoreIfMember);
        const Id stored = edit_.make(Kind::Store, {}, {edit_.copy(given)}, site->schema);
        edit_.at(stored).note = edit_.at(id).note;
        operands(id);
        ask_member(*site, id);
        for (const Id row : rows(*site)) {
            edit_.at(stored).operands.push_back(row);
        }
        put(stored);
        return true;
    }
    CROUPIER_REWRITE(StoreAtPlace);
    Node made;
    made.kind = Kind::Store;
    made.x = site->schema;
    made.operands = {given};
    for (const Id row : rows(*site)) {
        made.operands.push_back(row);
    }
    edit_.replace(id, std::move(made));
    put(id);
    return true;
}

// Of a key that is no member nothing is there.
bool Resolver::erase(Id id, const std::optional<Site>& site) {
    if (!site || site->constant || site->schema == 0 ||
        !edit_.module().catalogue->layout->erasure(site->schema, 0)) {
        return false;
    }
    CROUPIER_REWRITE(EraseAtPlace);
    make_declared(id, Kind::Erase, {}, *site);
    put(id);
    return true;
}

} // namespace croupier::engine::ir
