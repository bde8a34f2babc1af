// The pass `resolve`: where nodes are, and of what type values are.
#include "engine/ir/resolve.h"

#include "engine/ir/lists.h"
#include "engine/ir/probe.h"

#include <algorithm>
#include <utility>

namespace croupier::engine::ir {

Type joined(const Type& a, const Type& b) {
    if (a == b) {
        return a;
    }
    if (a.kind == TypeKind::Int && b.kind == TypeKind::Int) {
        return {TypeKind::Int, 0, std::min(a.low, b.low), std::max(a.high, b.high)};
    }
    return {TypeKind::Any};
}

void resolve(Module& module, Function& function) {
    Resolver(module, function).run();
}

void Resolver::run() {
    here_ = sites_.root();
    block(edit_.function().body);
}

// ---- statements ------------------------------------------------------------------------------

void Resolver::block(BlockId id) {
    std::vector<Id> made;
    std::vector<Id>* const outer = std::exchange(out_, &made);
    const std::size_t known = present_.size();
    for (const Id each : std::exchange(edit_.block(id).statements, {})) {
        statement(each);
    }
    present_.resize(known);
    out_ = outer;
    edit_.block(id).statements = std::move(made);
}

void Resolver::statement(Id id) {
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
    case Kind::Gather:
        gather(id);
        return;
    case Kind::Apply:
        apply(id);
        return;
    case Kind::GroupBelow:
        group_below(id);
        return;
    case Kind::NoMatch:
    case Kind::SomeMatch: {
        std::vector<Result> none;
        std::vector<Result>* const outer = std::exchange(results_, &none);
        block(edit_.at(id).blocks[0]);
        results_ = outer;
        put(id);
        return;
    }
    case Kind::Yield:
        operands(id);
        for (std::size_t i = 0; i < edit_.at(id).operands.size(); ++i) {
            const Node& given = edit_.at(edit_.at(id).operands[i]);
            const bool sure = given.kind == Kind::Variable && is_sure(given.x);
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
    if (change(id)) {
        return;
    }
    operands(id);
    for (std::size_t i = 0; i < edit_.at(id).blocks.size(); ++i) {
        block(edit_.at(id).blocks[i]);
    }
    put(id);
}

void Resolver::let(Id id) {
    const Id operand = edit_.at(id).operands[0];
    const VarId var = edit_.at(id).x;
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
        Node root;
        root.kind = Kind::Root;
        root.type = {TypeKind::Node};
        edit_.replace(operand, std::move(root));
    } else {
        node(operand);
    }
    learn(var, site);
    put(id);
}

void Resolver::take(VarId var, const Result& result) {
    edit_.var(var).type = result.type;
    if (result.sure) {
        CROUPIER_REWRITE(ResultIsMember);
        edit_.var(var).sure = true;
    }
}

void Resolver::learn(VarId node, std::optional<Site> site) {
    if (places_.size() <= node) {
        places_.resize(node + std::size_t{1});
    }
    places_[node] = std::move(site);
}

void Resolver::test(Id id) {
    const Id asked = edit_.at(id).operands[0];
    const Node& has = edit_.at(asked);
    std::optional<Site> there;
    if (has.kind == Kind::Has && is_node(edit_.at(has.operands[0]))) {
        there = site_of(has.operands[0]);
    }
    operands(id);
    put(id);
    if (there && !there->constant) {
        present_.push_back(*there);
    }
    const Node& value = edit_.at(asked);
    if (value.kind == Kind::Has && edit_.at(value.operands[0]).kind == Kind::Variable) {
        edit_.var(edit_.at(value.operands[0]).x).sure = true;
    }
}

bool Resolver::is_there(const Site& site) const {
    return std::find(present_.begin(), present_.end(), site) != present_.end();
}

void Resolver::each_child(Id id) {
    const Id above = edit_.at(id).operands[0];
    const std::optional<Site> site = site_of(above);
    if (site && each_row(id, *site)) {
        return;
    }
    node(above);
    block(edit_.at(id).blocks[0]);
    put(id);
}

// A loop over the children of a map of a domain, or over those of a constant.
bool Resolver::each_row(Id id, const Site& site) {
    std::uint32_t list = 0;
    Id set = 0;
    if (site.constant) {
        const auto children = sites_.children(site);
        if (!children) {
            return false;
        }
        list = children->list;
        std::vector<Id> codes;
        for (const Atom& atom : children->atoms) {
            codes.push_back(edit_.atom(atom));
        }
        CROUPIER_REWRITE_IF(children->all, AllRowsOfConstant);
        CROUPIER_REWRITE_IF(!children->all, RowsOfConstant);
        set = children->all ? edit_.make(Kind::AllRows, {TypeKind::Set, list}, {})
                            : edit_.make(Kind::TableRows, {TypeKind::Set, list}, std::move(codes),
                                         children->table);
    } else {
        const auto known = sites_.child_list(site);
        if (!known) {
            return false;
        }
        list = *known;
        CROUPIER_REWRITE(RowsOfMap);
        set = edit_.make(Kind::Rows, {TypeKind::Set, list}, rows(site), site.schema);
    }
    const Node loop = edit_.at(id);
    const VarId row = loop.y == 0 ? edit_.new_var("row", code_type(list)) : loop.y - 1;
    take(row, {code_type(list), true});
    const Site child = sites_.child(site, Atom{false, 0, row, list});
    learn(loop.x, child);
    const std::size_t known = present_.size();
    present_.push_back(child);
    block(loop.blocks[0]);
    present_.resize(known);
    std::vector<Id> before;
    const TypePlan& wanted = edit_.module().catalogue->types[static_cast<std::size_t>(loop.number)];
    const bool fits = wanted.kind == TypePlan::Kind::Any || CROUPIER_MISTAKE(KeysOfAnyType) ||
                      (wanted.kind == TypePlan::Kind::Domain &&
                       wanted.domain == edit_.module().lists[list].domain);
    if (!fits) {
        CROUPIER_REWRITE(KeysOfOneType);
        const Id of_type = edit_.make(Kind::Fits, {TypeKind::Truth}, {edit_.variable(row)},
                                      static_cast<std::uint32_t>(loop.number));
        before.push_back(edit_.make(Kind::Test, {}, {of_type}));
    }
    // Whoever wants the node itself finds it by its place.
    if (!site.constant) {
        before.push_back(edit_.let(
            loop.x, edit_.make(Kind::NodeAt, {TypeKind::Node}, rows(child), child.schema)));
    } else {
        const Id keys = edit_.make(Kind::KeyText, {TypeKind::Key}, {edit_.variable(row)});
        const Id parent = edit_.copy(loop.operands[0]);
        before.push_back(
            edit_.let(loop.x, edit_.make(Kind::Child, {TypeKind::Node}, {parent, keys})));
    }
    std::vector<Id>& body = edit_.block(loop.blocks[0]).statements;
    body.insert(body.begin(), before.begin(), before.end());
    Node made;
    made.kind = Kind::EachRow;
    made.x = row;
    made.operands = {set};
    made.blocks = loop.blocks;
    edit_.replace(id, std::move(made));
    put(id);
    return true;
}

void Resolver::alternatives(Id id) {
    const Node node = edit_.at(id);
    std::vector<Result> types;
    std::vector<Result>* const outer = std::exchange(results_, &types);
    for (std::size_t i = 0; i + 1 < node.blocks.size(); ++i) {
        block(node.blocks[i]);
    }
    results_ = outer;
    for (std::size_t i = 0; i < types.size(); ++i) {
        take(node.x + static_cast<VarId>(i), types[i]);
    }
    block(node.blocks.back());
    put(id);
}

void Resolver::gather(Id id) {
    std::vector<Result> none;
    std::vector<Result>* const outer = std::exchange(results_, &none);
    block(edit_.at(id).blocks[0]);
    results_ = outer;
    put(id);
}

void Resolver::apply(Id id) {
    const Node node = edit_.at(id);
    std::vector<Result> types;
    std::vector<Result>* const outer = std::exchange(results_, &types);
    block(node.blocks[0]);
    results_ = outer;
    for (std::size_t i = 0; i < types.size(); ++i) {
        take(node.y + static_cast<VarId>(i), types[i]);
    }
    const std::vector<Site> known = std::exchange(present_, {});
    for (std::size_t i = 1; i < node.blocks.size(); ++i) {
        std::vector<Result> salience;
        std::vector<Result>* const around = std::exchange(results_, &salience);
        block(node.blocks[i]);
        results_ = around;
    }
    present_ = known;
    put(id);
}

// The group's rules find their root by its place, however often it goes and comes.
void Resolver::group_below(Id id) {
    const Id root = edit_.at(id).operands[0];
    std::optional<Site> site = site_of(root);
    if (site && site->constant) {
        site = std::nullopt;
    }
    node(root);
    CROUPIER_REWRITE_IF(site, RootOfGroupKnown);
    const std::optional<Site> outer = std::exchange(here_, site);
    if (CROUPIER_MISTAKE(GroupKeepsRoot)) here_ = outer;
    block(edit_.at(id).blocks[0]);
    here_ = outer;
    put(id);
}

} // namespace croupier::engine::ir
