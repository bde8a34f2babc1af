// The pass `resolve`: actions that change declared nodes.
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
    case Kind::Do:
        return ensure(id, node.operands[0]);
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

bool Resolver::ensure(Id id, Id made) {
    const std::optional<Site> site = made_site(made);
    if (!site || site->constant || site->schema == 0 || sites_.schema(*site).is_leaf() ||
        !std::all_of(site->rows.begin(), site->rows.end(),
                     [&](const Atom& atom) { return is_sure(atom); })) {
        return false;
    }
    CROUPIER_REWRITE(EnsureAtPlace);
    const Id there = edit_.make(Kind::Ensure, {}, rows(*site), site->schema);
    edit_.at(there).note =
        edit_.at(made).note != kNothing ? edit_.at(made).note : edit_.at(id).note;
    put(there);
    return true;
}

bool Resolver::set(Id id, const std::optional<Site>& site, Id given) {
    if (!site || site->constant || site->schema == 0 || !sites_.schema(*site).is_leaf()) {
        return false;
    }
    const auto unsure = std::count_if(site->rows.begin(), site->rows.end(),
                                      [&](const Atom& atom) { return !is_sure(atom); });
    value(given);
    if (unsure != 0) {
        // No member of the map's domain: what is wrong with it, the general way knows.
        if (unsure > 1 || is_sure(site->rows.back())) {
            return false;
        }
        CROUPIER_REWRITE(StoreIfMember);
        const Id stored = edit_.make(Kind::Store, {}, {edit_.copy(given)}, site->schema);
        for (const Id row : rows(*site)) {
            edit_.at(stored).operands.push_back(row);
        }
        edit_.at(stored).note = edit_.at(id).note;
        operands(id);
        const BlockId known = edit_.new_block();
        const BlockId unknown = edit_.new_block();
        edit_.block(known).statements = {stored};
        edit_.block(unknown).statements = {id};
        const Id is_member =
            edit_.make(Kind::Has, {TypeKind::Truth}, {edit_.atom(site->rows.back())});
        const Id choice = edit_.make(Kind::If, {}, {is_member});
        edit_.at(choice).blocks = {known, unknown};
        put(choice);
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
