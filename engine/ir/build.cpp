// Modules, groups and rules, and the adding of nodes that all of the builder rests on.
#include "engine/ir/build.h"

#include "engine/ir/builder.h"

namespace croupier::engine::ir {

namespace {

// What the letter of a result stands for; None where every node has to say it.
TypeKind type_of(char result) {
    constexpr std::string_view kLetters = "-ticaknsdwq"; // in the order of the kinds of types
    const std::size_t place = kLetters.find(result == 'v' ? 'a' : result);
    return place == std::string_view::npos ? TypeKind::None : static_cast<TypeKind>(place);
}

} // namespace

std::unique_ptr<Module> build(Catalogue& catalogue, bool observed) {
    auto module = std::make_unique<Module>();
    module->catalogue = &catalogue;
    Builder builder(catalogue, *module, observed);
    const std::size_t named = catalogue.ruleset().groups.size(); // they come first
    for (GroupId id = 0; id < named; ++id)
        module->functions.push_back(builder.function(id));
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
    for (const Fresh& each : fresh_)
        bound_[each.name] = new_var(each.name, TypeKind::Any, each.entry);
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
        if (nested_root_ && asks) test(add(Kind::Has, {node(root_)}));
        apply(*rule.condition, root_);
    }
    note_ = here;
    std::vector<Id> values;
    for (const Fresh& each : fresh_)
        values.push_back(variable(each.var));
    put(Kind::Yield, std::move(values));
    root_ = outer_root;
}

// Expressions and keys: trees of values, each node that may raise with its own place in the rules.

Id Builder::expression(const Expr& expr, VarId self) {
    const auto arg = [&](std::size_t i) { return expression(expr.args[i], self); };
    const auto fields = Fields{.x = static_cast<std::uint32_t>(expr.op)};
    switch (expr.op) {
    case ExprOp::Literal:
        return constant(to_value(expr.literal, catalogue_.symbols));
    case ExprOp::Variable:
        return variable(bound_.at(expr.variable));
    case ExprOp::This:
        return at_span(expr.span, add(Kind::Given, {this_value(self)}));
    case ExprOp::Not:
        return add(Kind::Not, {truth(expr.args[0], self)});
    case ExprOp::And:
    case ExprOp::Or: {
        const Id first = truth(expr.args[0], self);
        const Id second = truth(expr.args[1], self);
        return add(expr.op == ExprOp::And ? Kind::And : Kind::Or, {first, second});
    }
    case ExprOp::Conditional:
        return choice(expr, self);
    case ExprOp::Size: {
        std::vector<Id> segments;
        for (const KeyTemplate& segment : expr.path.segments)
            segments.push_back(key(segment, false));
        const Id found = add(Kind::PathNode, std::move(segments));
        return add(Kind::SizeOf, {found});
    }
    case ExprOp::Random:
        return at_span(expr.span, add(Kind::Random, {arg(0)}));
    case ExprOp::Clamp: {
        const auto made = [&](ExprOp op, Id first, Id second) {
            return at_span(expr.span, add(Kind::Arithmetic, {first, second},
                                          {.x = static_cast<std::uint32_t>(op)}));
        };
        const Id value = arg(0);
        const Id at_least = made(ExprOp::Max, value, arg(1));
        return made(ExprOp::Min, at_least, arg(2));
    }
    default:
        break;
    }
    std::vector<Id> operands;
    for (std::size_t i = 0; i < expr.args.size(); ++i)
        operands.push_back(arg(i));
    if (is_comparison(expr.op)) return add(Kind::Compare, std::move(operands), fields);
    return at_span(expr.span, add(Kind::Arithmetic, std::move(operands), fields));
}

// The node's errors are there.
Id Builder::at_span(Span span, Id id) {
    function_.nodes[id].note = note(span);
    return id;
}

// Of what an expression must be true or false.
Id Builder::truth(const Expr& expr, VarId self) {
    if (expr.op == ExprOp::Literal && std::holds_alternative<bool>(expr.literal))
        return true_or_false(std::get<bool>(expr.literal));
    const Id made = expression(expr, self);
    return is_truth(made) ? made : at_span(expr.span, add(Kind::Truth, {made}));
}

Id Builder::choice(const Expr& expr, VarId self) {
    const Id which = truth(expr.args[0], self);
    const Id first = expression(expr.args[1], self);
    const Id second = expression(expr.args[2], self);
    const bool truths = is_truth(first) && is_truth(second);
    return add_typed(Kind::Choose, truths ? TypeKind::Truth : TypeKind::Any,
                     {which, first, second});
}

Id Builder::this_value(VarId self) {
    return self == kNothing ? constant({}) : variable(self);
}

Id Builder::constant(const Value& value) {
    const auto next = static_cast<std::uint32_t>(module_.values.size());
    const auto [place, made] = constants_.try_emplace({value.tag, value.integer}, next);
    if (made) module_.values.push_back(value);
    return add(Kind::Constant, {}, {.x = place->second});
}

Id Builder::true_or_false(bool truth) {
    return add_typed(Kind::Constant, TypeKind::Truth, {}, {.number = truth ? 1 : 0});
}

// ---- keys --------------------------------------------------------------------------------------

Id Builder::key(const KeyTemplate& key, bool made) {
    if (key.is_variable()) return key_of(bound_.at(key.parts[0].text), made);
    if (key.parts.size() <= 1) {
        const std::string text = key.parts.empty() ? std::string() : key.parts[0].text;
        return add(Kind::Name, {}, {.x = catalogue_.symbols.intern(text)});
    }
    std::vector<Id> parts;
    for (const KeyPart& part : key.parts) {
        parts.push_back(part.variable
                            ? variable(bound_.at(part.text))
                            : constant(Value::string(catalogue_.symbols.intern(part.text))));
    }
    return add(Kind::KeyText, std::move(parts), {.y = made ? 1u : 0u});
}

Id Builder::key_of(VarId var, bool made) {
    return add(Kind::KeyText, {variable(var)}, {.y = made ? 1u : 0u});
}

std::vector<Id> Builder::keys(const std::vector<const KeyTemplate*>& path, bool made) {
    std::vector<Id> all;
    all.reserve(path.size());
    for (const KeyTemplate* each : path)
        all.push_back(key(*each, made));
    return all;
}

// Actions: changes in the order written, at nodes that are at hand, else by path, since an action
// may remove what it stands in.

// A node of the tree that an action describes, by its path from the group's root or the state's.
// Its variable holds the node from when it is made until an entry may have removed it.
struct Builder::Place {
    Place* above = nullptr; // of a child: the place that its entry stands in
    bool from_state = false;
    std::uint32_t up = 0; // levels above that root
    std::vector<const KeyTemplate*> path;
    VarId var = kNothing;
    std::uint32_t epoch = 0;

    [[nodiscard]] std::string name() const {
        if (path.empty()) return up == 0 ? "root" : "parent";
        std::string name = path.back()->is_variable() ? "at_" : "";
        for (const KeyPart& part : path.back()->parts)
            name += part.text;
        return name;
    }
};

// The state's root is always there.
bool Builder::is_at_hand(const Place& place) const {
    const bool is_state_root =
        place.path.empty() && place.up == 0 && (place.from_state || !nested_root_);
    return is_state_root || (place.var != kNothing && place.epoch == epoch_);
}

Fields Builder::start_of(const Place& place) {
    return {.x = place.up, .y = place.from_state ? 1u : 0u};
}

// The node is at hand from now on; it is made if it is missing.
void Builder::make(Place& place) {
    if (is_at_hand(place)) return;
    Id made = 0;
    if (place.above != nullptr && is_at_hand(*place.above)) {
        const Id above = node_at(*place.above);
        made = add(Kind::MakeChild, {above, key(*place.path.back(), true)});
    } else {
        made = add(Kind::MakePath, keys(place.path, true), start_of(place));
    }
    place.var = new_var(place.name(), TypeKind::Node);
    place.epoch = epoch_;
    let(place.var, made);
}

Id Builder::node_at(Place& place) {
    make(place);
    return node({place.var});
}

BlockId Builder::action(const Action& action) {
    return in_block([&] {
        if (action.kind == Action::Kind::None) return;
        note_ = note(action.span);
        if (action.kind == Action::Kind::Group) {
            group(catalogue_.inner_groups.at(action.group.get()));
            return;
        }
        ++epoch_;
        Place root;
        tree(action.tree, root);
    });
}

void Builder::tree(const ActionNode& node, Place& place) {
    bool changes = false;
    for (const ActionEntry& each : node.entries) {
        changes =
            changes || (each.kind != ActionKeyKind::Print && each.kind != ActionKeyKind::Call);
    }
    make(place);
    if (changes) put(Kind::Inner, {node_at(place)});
    for (const ActionEntry& each : node.entries)
        action_entry(each, place);
}

void Builder::action_entry(const ActionEntry& each, Place& place) {
    const NoteId here = note_ = note(each.span);
    // Entries that descend are watched through those below them.
    const bool descends = each.node.kind == ActionKind::Object && !each.node.entries.empty();
    const bool watched = observed_ && each.kind != ActionKeyKind::Print &&
                         each.kind != ActionKeyKind::Rules && !descends;
    if (watched) put(Kind::Before, {}, {.x = here});
    Place below;
    Place* target = &below;
    switch (each.kind) {
    case ActionKeyKind::Name:
        below.above = &place;
        below.from_state = place.from_state;
        below.up = place.up;
        below.path = place.path;
        below.path.push_back(&each.key);
        break;
    case ActionKeyKind::Parent:
        if (place.above != nullptr) {
            target = place.above;
            break;
        }
        below.from_state = place.from_state;
        below.up = place.up;
        below.path = place.path;
        if (below.path.empty())
            ++below.up;
        else
            below.path.pop_back();
        break;
    case ActionKeyKind::Root:
        below.from_state = true;
        break;
    case ActionKeyKind::Path:
        for (const KeyTemplate& segment : each.path.segments)
            below.path.push_back(&segment);
        break;
    case ActionKeyKind::Rules:
        group_below(each, place);
        return;
    case ActionKeyKind::Call:
        call(each);
        break;
    case ActionKeyKind::Print:
        print(each);
        return;
    }
    if (each.kind != ActionKeyKind::Call) {
        change(each.node, *target);
        if (each.kind != ActionKeyKind::Name) ++epoch_; // it may have removed what we stand in
    }
    if (watched) put(Kind::After, {}, {.x = here});
}

void Builder::group_below(const ActionEntry& each, Place& place) {
    const Id root = node_at(place);
    const bool outer = std::exchange(nested_root_, true);
    const NoteId here = note_;
    const BlockId block = in_block([&] { group(catalogue_.inner_groups.at(each.group.get())); });
    nested_root_ = outer;
    note_ = here;
    put(Kind::GroupBelow, {root}, {}, {block});
    ++epoch_;
}

void Builder::change(const ActionNode& node, Place& place) {
    if (node.kind == ActionKind::Object)
        tree(node, place);
    else if (place.above != nullptr && is_at_hand(*place.above))
        change_child(node, place);
    else
        change_path(node, place);
}

// Below a node that is at hand.
void Builder::change_child(const ActionNode& node, Place& place) {
    const KeyTemplate& name = *place.path.back();
    VarId old = kNothing;
    if (node.kind == ActionKind::Set && node.expr.mentions_this()) {
        old = new_var("old", TypeKind::Any);
        const Id above = node_at(*place.above);
        const Id child = add(Kind::Child, {above, key(name, false)});
        let(old, add(Kind::ValueOf, {child}));
    }
    const Id above = node_at(*place.above);
    const Id last = key(name, node.kind != ActionKind::Remove);
    if (node.kind == ActionKind::Remove)
        put(Kind::RemoveChild, {above, last});
    else if (node.kind == ActionKind::Set)
        put(Kind::SetChild, {above, last, expression(node.expr, old)});
    else
        put(Kind::PutChild, {above, last, data(node)});
}

// The old value is looked up before the new one is computed, and so is whether there is such a
// path.
void Builder::change_path(const ActionNode& node, const Place& place) {
    if (node.kind == ActionKind::Remove) {
        put(Kind::RemovePath, keys(place.path, false), start_of(place));
        return;
    }
    VarId old = kNothing;
    const bool from_old = node.kind == ActionKind::Set && node.expr.mentions_this();
    if (from_old || place.up > 0) {
        const Id found = add(Kind::PathNode, keys(place.path, false), start_of(place));
        if (from_old) {
            old = new_var("old", TypeKind::Any);
            let(old, add(Kind::ValueOf, {found}));
        } else {
            put(Kind::Do, {found});
        }
    }
    std::vector<Id> operands;
    operands.push_back(node.kind == ActionKind::Set ? expression(node.expr, old) : data(node));
    for (const Id each : keys(place.path, true))
        operands.push_back(each);
    put(node.kind == ActionKind::Set ? Kind::SetPath : Kind::PutPath, std::move(operands),
        start_of(place));
}

Id Builder::data(const ActionNode& node) {
    if (node.kind == ActionKind::Set)
        return add(Kind::DataValue, {expression(node.expr, kNothing)});
    std::vector<Id> parts;
    for (const ActionNode& element : node.elements) {
        catalogue_.symbols.intern(
            std::to_string(parts.size())); // its key, which no state has to make up
        parts.push_back(data(element));
    }
    if (node.kind == ActionKind::Array) return add(Kind::DataList, std::move(parts));
    for (const ActionEntry& each : node.entries) {
        const Id name = key(each.key, true);
        parts.push_back(add(Kind::DataMember, {name, data(each.node)}));
    }
    return add(Kind::DataObject, std::move(parts));
}

// A function may make the places that it is given.
void Builder::call(const ActionEntry& each) {
    CallInfo info;
    info.function = each.function;
    std::vector<Id> arguments;
    for (const CallArgument& argument : each.arguments) {
        const auto number = static_cast<std::int64_t>(info.arguments.size());
        info.arguments.push_back(argument.name);
        if (!argument.path.empty()) {
            std::vector<Id> segments;
            for (const KeyTemplate& segment : argument.path[0].segments)
                segments.push_back(key(segment, true));
            arguments.push_back(add(Kind::ArgumentPath, std::move(segments), {.number = number}));
        } else if (!argument.expr.empty()) {
            const Id value = expression(argument.expr[0], kNothing);
            arguments.push_back(add(Kind::ArgumentValue, {value}, {.number = number}));
        }
    }
    module_.calls.push_back(std::move(info));
    put(Kind::Call, std::move(arguments),
        {.x = static_cast<std::uint32_t>(module_.calls.size() - 1)});
    ++epoch_;
}

void Builder::print(const ActionEntry& each) {
    std::vector<Id> parts;
    for (const PrintPart& part : each.print) {
        parts.push_back(part.expr.empty()
                            ? constant(Value::string(catalogue_.symbols.intern(part.text)))
                            : expression(part.expr[0], kNothing));
    }
    put(Kind::Print, std::move(parts));
}

} // namespace croupier::engine::ir
