// Modules, groups and rules, and the adding of nodes that all of the builder rests on.
#include "engine/ir/build.h"

#include "engine/ir/builder.h"

namespace croupier::engine::ir {

namespace {

// What the letter of a result stands for; None where every node has to say it.
TypeKind type_of(char result) {
    switch (result) {
    case 't':
        return TypeKind::Truth;
    case 'i':
        return TypeKind::Int;
    case 'c':
        return TypeKind::Code;
    case 'a':
    case 'v':
        return TypeKind::Any;
    case 'k':
        return TypeKind::Key;
    case 'n':
        return TypeKind::Node;
    case 's':
        return TypeKind::Set;
    case 'd':
        return TypeKind::Data;
    case 'w':
        return TypeKind::Member;
    case 'q':
        return TypeKind::Argument;
    default:
        return TypeKind::None;
    }
}

} // namespace

std::unique_ptr<Module> build(Catalogue& catalogue, bool observed) {
    auto module = std::make_unique<Module>();
    module->catalogue = &catalogue;
    Builder builder(catalogue, *module, observed);
    const std::size_t named = catalogue.ruleset().groups.size(); // they come first
    for (GroupId id = 0; id < named; ++id) {
        module->functions.push_back(builder.function(id));
    }
    return module;
}

// ---- nodes, blocks, variables ------------------------------------------------------------------

Id Builder::add(Kind kind, std::vector<Id> operands, Fields fields) {
    return add_typed(kind, type_of(info_of(kind).result), std::move(operands), fields);
}

Id Builder::add_typed(Kind kind, TypeKind type, std::vector<Id> operands, Fields fields) {
    Node made;
    made.kind = kind;
    made.type.kind = type;
    made.note = note_;
    made.x = fields.x;
    made.y = fields.y;
    made.number = fields.number;
    made.operands = std::move(operands);
    function_.nodes.push_back(std::move(made));
    return static_cast<Id>(function_.nodes.size() - 1);
}

void Builder::put(Kind kind, std::vector<Id> operands, Fields fields, std::vector<BlockId> blocks) {
    const Id made = add(kind, std::move(operands), fields);
    function_.nodes[made].blocks = std::move(blocks);
    put(made);
}

BlockId Builder::new_block() {
    function_.blocks.emplace_back();
    return static_cast<BlockId>(function_.blocks.size() - 1);
}

VarId Builder::new_var(std::string name, TypeKind type, std::uint32_t entry) {
    Var made;
    made.name = std::move(name);
    made.type.kind = type;
    made.entry = entry;
    function_.vars.push_back(std::move(made));
    return static_cast<VarId>(function_.vars.size() - 1);
}

NoteId Builder::note(Span span, std::uint32_t entry) {
    module_.notes.push_back({span, rule_, entry});
    return static_cast<NoteId>(module_.notes.size() - 1);
}

Id Builder::variable(VarId var) {
    return add_typed(Kind::Variable, function_.vars[var].type.kind, {}, {.x = var});
}

void Builder::let(VarId var, Id value) {
    put(Kind::Let, {value}, {.x = var});
}

// ---- groups and rules --------------------------------------------------------------------------

Function Builder::function(GroupId id) {
    function_ = {};
    function_.group = id;
    function_.body = in_block([&] { group(id); });
    return std::move(function_);
}

void Builder::group(GroupId id) {
    note_ = note(catalogue_.groups[id].span);
    const Id made = add(Kind::Group, {}, {.x = id});
    for (const RuleId each : catalogue_.groups[id].rules) {
        const BlockId block = in_block([&] { rule(each); });
        function_.nodes[made].blocks.push_back(block);
    }
    put(made);
}

// Rules inside others see the variables of the action they stand in.
void Builder::rule(RuleId id) {
    const Rule& rule = *catalogue_.rules[id].source;
    const RuleId outer_rule = std::exchange(rule_, id);
    const Bound outer_bound = bound_;
    const std::vector<Fresh> outer_fresh = std::exchange(fresh_, {});
    const NoteId here = note_ = note(rule.span);

    const BlockId search = in_block([&] { condition(rule); });
    const auto first = static_cast<VarId>(function_.vars.size());
    bound_ = outer_bound;
    for (const Fresh& each : fresh_) {
        bound_[each.name] = new_var(each.name, TypeKind::Any, each.entry);
    }
    std::vector<BlockId> blocks = {search, action(rule.action)};
    const Bound inner_bound = std::exchange(bound_, outer_bound);
    blocks.push_back(action(rule.otherwise));
    if (!rule.salience.empty()) {
        bound_ = inner_bound;
        note_ = note(rule.salience[0].span);
        blocks.push_back(
            in_block([&] { put(Kind::Yield, {expression(rule.salience[0], kNothing)}); }));
        bound_ = outer_bound;
    }
    note_ = here;
    const auto count = static_cast<std::int64_t>(fresh_.size());
    put(Kind::Apply, {}, {.x = id, .y = first, .number = count}, std::move(blocks));

    rule_ = outer_rule;
    fresh_ = outer_fresh;
}

// Without a condition, or with one that asks for nothing, a rule matches even if its root has gone.
void Builder::condition(const Rule& rule) {
    const NoteId here = note_;
    const At outer_root = std::exchange(root_, {});
    cut_ = 0;
    shown_ = kNothing;
    if (rule.condition) {
        const bool asks = !rule.condition->entries.empty();
        if (nested_root_ && (asks || rule.condition->kind != PatternKind::Object)) {
            root_.var = new_var("here", TypeKind::Node);
            let(root_.var, add(Kind::Here));
        }
        if (nested_root_ && asks) {
            test(add(Kind::Has, {node(root_)}));
        }
        apply(*rule.condition, root_);
    }
    note_ = here;
    std::vector<Id> values;
    for (const Fresh& each : fresh_) {
        values.push_back(variable(each.var));
    }
    put(Kind::Yield, std::move(values));
    root_ = outer_root;
}

} // namespace croupier::engine::ir
