// The pass `resolve`: where nodes are, and of what type values are.
#include "engine/ir/resolve.h"

#include "engine/ir/lists.h"

#include <algorithm>
#include <utility>

namespace croupier::engine::ir {

namespace {

bool is_node(const Node& node) {
    return node.type.kind == TypeKind::Node;
}

} // namespace

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
    const std::optional<Site> made = made_site(operand);
    if (made && ensure(id, operand)) {
        const Id found = edit_.make(Kind::NodeAt, {TypeKind::Node}, rows(*made), made->schema);
        put(edit_.let(var, found));
        learn(var, made);
        return;
    }
    const std::optional<Site> site = made && is_root(*made) ? made : site_of(operand);
    if (site && !site->constant && site->schema != 0) {
        make_declared(operand, Kind::NodeAt, {TypeKind::Node}, *site);
    } else if (site && is_root(*site)) { // always there
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
        set = children->all ? edit_.make(Kind::AllRows, {TypeKind::Set, list}, {})
                            : edit_.make(Kind::TableRows, {TypeKind::Set, list}, std::move(codes),
                                         children->table);
    } else {
        const auto known = sites_.child_list(site);
        if (!known) {
            return false;
        }
        list = *known;
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
    const TypePlan& wanted = edit_.module().program->types[static_cast<std::size_t>(loop.number)];
    const bool fits =
        wanted.kind == TypePlan::Kind::Any || (wanted.kind == TypePlan::Kind::Domain &&
                                               wanted.domain == edit_.module().lists[list].domain);
    if (!fits) {
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
    const std::optional<Site> outer = std::exchange(here_, site);
    block(edit_.at(id).blocks[0]);
    here_ = outer;
    put(id);
}

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
            return itself;
        }
        // All of its values may be members.
        sure = is_sure(itself->var) &&
               std::all_of(has.values.begin(), has.values.end(), [&](const Value& value) {
                   const Symbol text =
                       value.is_text()
                           ? value.symbol()
                           : module.program->symbols.find(to_text(value, module.program->symbols));
                   return text != kNoSymbol && code_of_key(module, list, text) != 0;
               });
    }
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

// ---- expressions -----------------------------------------------------------------------------

void Resolver::operands(Id id) {
    for (std::size_t i = 0; i < edit_.at(id).operands.size(); ++i) {
        const Id operand = edit_.at(id).operands[i];
        if (is_node(edit_.at(operand))) {
            node(operand);
        } else {
            value(operand);
        }
    }
}

void Resolver::node(Id id) {
    const Node& known = edit_.at(id);
    if (known.kind != Kind::Variable && known.kind != Kind::Root) {
        const std::optional<Site> site = site_of(id);
        if (site && !site->constant && site->schema != 0 && edit_.at(id).kind != Kind::NodeAt) {
            make_declared(id, Kind::NodeAt, {TypeKind::Node}, *site);
            return;
        }
        operands(id);
    }
}

void Resolver::value(Id id) {
    switch (edit_.at(id).kind) {
    case Kind::Variable:
        edit_.at(id).type = edit_.var(edit_.at(id).x).type;
        return;
    case Kind::Has:
        has(id);
        return;
    case Kind::ValueOf:
        value_of(id);
        return;
    case Kind::SizeOf:
        size_of(id);
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

void Resolver::has(Id id) {
    const Id asked = edit_.at(id).operands[0];
    if (!is_node(edit_.at(asked))) {
        value(asked);
        return;
    }
    const std::optional<Site> site = site_of(asked);
    if (site && site->constant) {
        const Id there = edit_.make(Kind::Has, {TypeKind::Truth}, {});
        if (table_of(there, *site, Sites::Of::Presence)) {
            Node made;
            made.kind = Kind::Has;
            made.type = {TypeKind::Truth};
            made.operands = {there};
            edit_.replace(id, std::move(made));
            return;
        }
    } else if (site && is_root(*site)) {
        Node always;
        always.kind = Kind::Constant;
        always.type = {TypeKind::Truth};
        always.number = 1;
        edit_.replace(id, std::move(always));
        return;
    } else if (site) {
        make_declared(id, Kind::Present, {TypeKind::Truth}, *site);
        return;
    }
    node(asked);
}

void Resolver::value_of(Id id) {
    const Id asked = edit_.at(id).operands[0];
    const std::optional<Site> site = site_of(asked);
    if (site && site->constant) {
        if (table_of(id, *site, Sites::Of::Value)) {
            return;
        }
    } else if (site) {
        const SchemaNode& leaf = sites_.schema(*site);
        if (leaf.kind == ShapeKind::Unit) {
            make_declared(id, Kind::Load, code_type(list_of_truths(edit_.module())), *site);
            return;
        }
        if (leaf.is_leaf()) {
            Type type = type_of_leaf(edit_.module(), leaf);
            if (type.kind == TypeKind::Int && !is_there(*site)) {
                type = {TypeKind::Any};
            }
            make_declared(id, Kind::Load, type, *site);
            return;
        }
    }
    node(asked);
}

void Resolver::size_of(Id id) {
    const Id asked = edit_.at(id).operands[0];
    node(asked);
}

// The node becomes an entry of a table; false if that would be too large.
bool Resolver::table_of(Id id, const Site& site, Sites::Of what) {
    const auto entries = sites_.table(site, what);
    if (!entries) {
        return false;
    }
    Node made;
    made.type = entries->type;
    if (entries->atoms.empty()) {
        const Value& only = edit_.module().tables[entries->table].values[0];
        made.kind = Kind::Constant;
        if (made.type.kind == TypeKind::Code) {
            made.number = code_of(edit_.module(), made.type.list, only);
        } else {
            edit_.module().values.push_back(only);
            made.x = static_cast<std::uint32_t>(edit_.module().values.size() - 1);
        }
    } else {
        made.kind = Kind::Table;
        made.x = entries->table;
        for (const Atom& atom : entries->atoms) {
            made.operands.push_back(edit_.atom(atom));
        }
    }
    edit_.replace(id, std::move(made));
    return true;
}

} // namespace croupier::engine::ir
