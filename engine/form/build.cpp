// Turns rules into the intermediate form. A condition is a search in the order written. Loops and
// alternatives contain all that follows them, so blocks nest deeper and deeper.
#include "engine/form/build.h"

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace croupier::engine::form {

namespace {

// The type for a result's letter in nodes.def; None if each node states its own.
TypeKind type_of(char result) {
    constexpr std::string_view kLetters = "-ticaknsdwq"; // in the order of the kinds of types
    const std::size_t place = kLetters.find(result == 'v' ? 'a' : result);
    return place == std::string_view::npos ? TypeKind::None : static_cast<TypeKind>(place);
}

std::string name_of(const KeyTemplate& key) {
    std::string name;
    for (const KeyPart& part : key.parts)
        name += part.text;
    return name;
}

// Names the variable for a node whose key is bound to a variable of the rules.
std::string node_of(const Entry& entry) {
    return entry.variable.empty() ? "each" : "at_" + entry.variable;
}

bool is_bool(const Expr& expr) {
    return expr.op == ExprOp::Literal && std::holds_alternative<bool>(expr.literal);
}

// Whether it always gives true or false, or ends in an error.
bool gives_bool(const Expr& expr) {
    return gives_truth(expr.op) || is_bool(expr);
}

// Whether it may give true or false. If not, it means equality, and is not computed if there is no
// value to compare with.
bool may_be_test(const Expr& expr) {
    switch (expr.op) {
    case ExprOp::Literal:
        return is_bool(expr);
    case ExprOp::Conditional:
        return may_be_test(expr.args[1]) || may_be_test(expr.args[2]);
    case ExprOp::Variable:
    case ExprOp::This:
        return true;
    default:
        return gives_truth(expr.op);
    }
}

// Whether it has a value without a computation, which could end in an error.
bool is_plain(const Expr& expr) {
    return expr.op == ExprOp::Literal || expr.op == ExprOp::Variable;
}

class Builder {
  public:
    Builder(Catalogue& catalogue, Module& module, bool observed)
        : catalogue_(catalogue), module_(module), observed_(observed) {}

    Function function(GroupId id) {
        function_ = {};
        function_.group = id;
        function_.body = in_block([&] { group(id); });
        return std::move(function_);
    }

  private:
    // A node of the tree in a variable, or the state's root if there is none.
    struct At {
        VarId var = kNothing;
    };
    // A variable that the current condition has bound.
    struct Fresh {
        std::string name;
        VarId var = kNothing;
        std::uint32_t entry = 0;
    };
    // The value that a pattern is applied to; there is none under `_`.
    struct Subject {
        VarId value = kNothing;
        bool there = false; // it is known to be a value
    };
    // A node of the tree that an action describes, by its path from the group's root or the
    // state's. Its variable holds the node from when it is made until an entry may have removed it.
    struct ActionSite {
        ActionSite* above = nullptr; // of a child: the site that contains its entry
        bool from_state = false;
        std::uint32_t up = 0; // levels above that root
        std::vector<const KeyTemplate*> path;
        VarId var = kNothing;
        std::uint32_t epoch = 0;

        [[nodiscard]] std::string name() const {
            if (path.empty()) return up == 0 ? "root" : "parent";
            return (path.back()->is_variable() ? "at_" : "") + name_of(*path.back());
        }
    };
    using Bound = std::map<std::string, VarId>;

    // ---- nodes, blocks, variables ----

    // Takes the type from nodes.def; it is None if that has none.
    Id add(Kind kind, std::vector<Id> operands = {}, Fields fields = {}) {
        return add_typed(kind, type_of(info_of(kind).result), std::move(operands), fields);
    }

    Id add_typed(Kind kind, TypeKind type, std::vector<Id> operands = {}, Fields fields = {}) {
        fields.kind = kind;
        Type known;
        known.kind = type;
        function_.nodes.push_back({fields, known, note_, std::move(operands), {}});
        return static_cast<Id>(function_.nodes.size() - 1);
    }

    void put(Id statement) { function_.blocks[block_].statements.push_back(statement); }

    // Adds a statement at the end of the current block.
    void put(Kind kind, std::vector<Id> operands = {}, Fields fields = {},
             std::vector<BlockId> blocks = {}) {
        const Id made = add(kind, std::move(operands), fields);
        function_.nodes[made].blocks = std::move(blocks);
        put(made);
    }

    BlockId new_block() {
        function_.blocks.emplace_back();
        return static_cast<BlockId>(function_.blocks.size() - 1);
    }

    VarId new_var(std::string name, TypeKind type, std::uint32_t entry = kNothing) {
        Var made;
        made.name = std::move(name);
        made.type.kind = type;
        made.entry = entry;
        function_.vars.push_back(std::move(made));
        return static_cast<VarId>(function_.vars.size() - 1);
    }

    NoteId note(Span span, std::uint32_t entry = kNone) {
        module_.notes.push_back({span, rule_, entry});
        return static_cast<NoteId>(module_.notes.size() - 1);
    }

    Id variable(VarId var) {
        return add_typed(Kind::Variable, function_.vars[var].type.kind, {}, {.x = var});
    }

    Id node(At at) { return at.var == kNothing ? add(Kind::Root) : variable(at.var); }

    void let(VarId var, Id value) { put(Kind::Let, {value}, {.x = var}); }

    template <typename Body>
    BlockId in_block(Body body) {
        const BlockId made = new_block();
        const BlockId outer = std::exchange(block_, made);
        body();
        block_ = outer;
        return made;
    }

    // ---- groups and rules ----

    void group(GroupId id) {
        note_ = note(catalogue_.groups[id].span);
        const Id made = add(Kind::Group, {}, {.x = id});
        for (const RuleId each : catalogue_.groups[id].rules) {
            const BlockId block = in_block([&] { rule(each); });
            function_.nodes[made].blocks.push_back(block);
        }
        put(made);
    }

    // Inner rules see the variables of the action that contains them.
    void rule(RuleId id) {
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

    // A rule without a condition, or with an empty one, matches even if its root was removed.
    void condition(const Rule& rule) {
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

    // ---- expressions: trees of values; each node that may raise has its own place ----

    Id expression(const Expr& expr, VarId self) {
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

    [[nodiscard]] bool is_truth(Id id) const {
        return function_.nodes[id].type.kind == TypeKind::Truth;
    }

    // Sets the place of the node's errors.
    Id at_span(Span span, Id id) {
        function_.nodes[id].note = note(span);
        return id;
    }

    // A test of an expression that must be true or false.
    Id truth(const Expr& expr, VarId self) {
        if (expr.op == ExprOp::Literal && std::holds_alternative<bool>(expr.literal))
            return true_or_false(std::get<bool>(expr.literal));
        const Id made = expression(expr, self);
        return is_truth(made) ? made : at_span(expr.span, add(Kind::Truth, {made}));
    }

    Id choice(const Expr& expr, VarId self) {
        const Id which = truth(expr.args[0], self);
        const Id first = expression(expr.args[1], self);
        const Id second = expression(expr.args[2], self);
        const bool truths = is_truth(first) && is_truth(second);
        return add_typed(Kind::Choose, truths ? TypeKind::Truth : TypeKind::Any,
                         {which, first, second});
    }

    Id this_value(VarId self) { return self == kNothing ? constant({}) : variable(self); }

    Id constant(const Value& value) {
        const auto next = static_cast<std::uint32_t>(module_.values.size());
        const auto [place, made] = constants_.try_emplace({value.tag, value.integer}, next);
        if (made) module_.values.push_back(value);
        return add(Kind::Constant, {}, {.x = place->second});
    }

    Id true_or_false(bool truth) {
        return add_typed(Kind::Constant, TypeKind::Truth, {}, {.number = truth ? 1 : 0});
    }

    // ---- keys ----

    // If `made`, a text without a symbol gets one.
    Id key(const KeyTemplate& key, bool made) {
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

    Id key_of(VarId var, bool made) {
        return add(Kind::KeyText, {variable(var)}, {.y = made ? 1u : 0u});
    }

    std::vector<Id> keys(const std::vector<const KeyTemplate*>& path, bool made) {
        std::vector<Id> all;
        all.reserve(path.size());
        for (const KeyTemplate* each : path)
            all.push_back(key(*each, made));
        return all;
    }

    // ---- actions: changes in the order written ----
    // Below a node in a variable, else by path, since an action may remove what contains it.

    // Whether the node needs no lookup. The state's root is always there.
    [[nodiscard]] bool is_at_hand(const ActionSite& place) const {
        const bool is_state_root =
            place.path.empty() && place.up == 0 && (place.from_state || !nested_root_);
        return is_state_root || (place.var != kNothing && place.epoch == epoch_);
    }

    static Fields start_of(const ActionSite& place) {
        return {.x = place.up, .y = place.from_state ? 1u : 0u};
    }

    // Puts the node in a variable and creates it if it is missing.
    void make(ActionSite& place) {
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

    Id node_at(ActionSite& place) {
        make(place);
        return node({place.var});
    }

    BlockId action(const Action& action) {
        return in_block([&] {
            if (action.kind == Action::Kind::None) return;
            note_ = note(action.span);
            if (action.kind == Action::Kind::Group) {
                group(catalogue_.inner_groups.at(action.group.get()));
                return;
            }
            ++epoch_;
            ActionSite root;
            tree(action.tree, root);
        });
    }

    void tree(const ActionNode& node, ActionSite& place) {
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

    void action_entry(const ActionEntry& each, ActionSite& place) {
        const NoteId here = note_ = note(each.span);
        // Observers see an entry that only descends through the entries below it.
        const bool descends = each.node.kind == ActionKind::Object && !each.node.entries.empty();
        const bool watched = observed_ && each.kind != ActionKeyKind::Print &&
                             each.kind != ActionKeyKind::Rules && !descends;
        if (watched) put(Kind::Before, {}, {.x = here});
        ActionSite below;
        ActionSite* target = &below;
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
            if (each.kind != ActionKeyKind::Name) ++epoch_; // it may have removed our nodes
        }
        if (watched) put(Kind::After, {}, {.x = here});
    }

    void group_below(const ActionEntry& each, ActionSite& place) {
        const Id root = node_at(place);
        const bool outer = std::exchange(nested_root_, true);
        const NoteId here = note_;
        const BlockId block =
            in_block([&] { group(catalogue_.inner_groups.at(each.group.get())); });
        nested_root_ = outer;
        note_ = here;
        put(Kind::GroupBelow, {root}, {}, {block});
        ++epoch_;
    }

    void change(const ActionNode& node, ActionSite& place) {
        if (node.kind == ActionKind::Object)
            tree(node, place);
        else if (place.above != nullptr && is_at_hand(*place.above))
            change_child(node, place);
        else
            change_path(node, place);
    }

    // Below a node that is in a variable.
    void change_child(const ActionNode& node, ActionSite& place) {
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

    // Reads the old value, and checks the path, before the new value is computed.
    void change_path(const ActionNode& node, const ActionSite& place) {
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

    Id data(const ActionNode& node) {
        if (node.kind == ActionKind::Set)
            return add(Kind::DataValue, {expression(node.expr, kNothing)});
        std::vector<Id> parts;
        for (const ActionNode& element : node.elements) {
            catalogue_.symbols.intern(
                std::to_string(parts.size())); // its key, so that no state has to add it
            parts.push_back(data(element));
        }
        if (node.kind == ActionKind::Array) return add(Kind::DataList, std::move(parts));
        for (const ActionEntry& each : node.entries) {
            const Id name = key(each.key, true);
            parts.push_back(add(Kind::DataMember, {name, data(each.node)}));
        }
        return add(Kind::DataObject, std::move(parts));
    }

    // A function may create the paths that it is given.
    void call(const ActionEntry& each) {
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
                arguments.push_back(
                    add(Kind::ArgumentPath, std::move(segments), {.number = number}));
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

    void print(const ActionEntry& each) {
        std::vector<Id> parts;
        for (const PrintPart& part : each.print) {
            parts.push_back(part.expr.empty()
                                ? constant(Value::string(catalogue_.symbols.intern(part.text)))
                                : expression(part.expr[0], kNothing));
        }
        put(Kind::Print, std::move(parts));
    }

    // ---- conditions ----

    void apply(const Pattern& pattern, At at) {
        switch (pattern.kind) {
        case PatternKind::Object:
            for (const Entry& each : pattern.entries)
                entry(each, at);
            break;
        case PatternKind::Any:
            break;
        case PatternKind::Absent: // of an existing node
            fail();
            break;
        default:
            leaf_of_node(pattern, at);
            break;
        }
    }

    void entry(const Entry& each, At at) {
        const NoteId outer_note = std::exchange(note_, note(each.span, each.id));
        const std::uint32_t outer_cut = std::exchange(cut_, observed_ ? note_ + 1 : 0);
        const VarId outer_shown = std::exchange(shown_, kNothing);
        const NoteId here = note_;
        entry_ = each.id;
        if (observed_) put(Kind::Try, {node(at)}, {.x = here});
        entry_of_kind(each, at);
        if (observed_) put(Kind::Pass, {}, {.x = here});
        note_ = outer_note;
        cut_ = outer_cut;
        shown_ = outer_shown;
    }

    void entry_of_kind(const Entry& each, At at) {
        switch (each.kind) {
        case KeyKind::Name: {
            const Id above = node(at);
            child(each, add(Kind::Child, {above, key(each.key, false)}), name_of(each.key));
            break;
        }
        case KeyKind::Variable:
            variable_entry(each, at);
            break;
        case KeyKind::Wildcard:
            each_child(each, at, kNothing);
            break;
        case KeyKind::Test:
            test_entry(each.patterns[0]);
            break;
        case KeyKind::Parent:
            child(each, add(Kind::Parent, {node(at)}), "parent");
            break;
        case KeyKind::Root:
            apply(each.patterns[0], {});
            break;
        case KeyKind::Path:
            path_entry(each);
            break;
        case KeyKind::Not:
        case KeyKind::Exists:
            match_entry(each, at);
            break;
        case KeyKind::Forall:
            forall_entry(each, at);
            break;
        case KeyKind::AnyOf:
            any_entry(each, at);
            break;
        case KeyKind::Use:
            for (const Pattern& used : each.patterns)
                apply(used, at);
            break;
        case KeyKind::Log:
            break;
        default:
            aggregate_entry(each, at);
            break;
        }
    }

    // ---- nodes ----

    // Applies the entry's pattern to a node, which must exist, or must not.
    void child(const Entry& each, Id found, std::string name) {
        if (each.patterns[0].kind == PatternKind::Absent) {
            test(add(Kind::Not, {add(Kind::Has, {found})}));
            return;
        }
        const At at{new_var(std::move(name), TypeKind::Node)};
        let(at.var, found);
        test(add(Kind::Has, {node(at)}));
        apply(each.patterns[0], at);
    }

    void variable_entry(const Entry& each, At at) {
        const auto known = bound_.find(each.variable);
        if (known == bound_.end()) {
            each_child(each, at, bind(each.variable));
            return;
        }
        fits(known->second, each.type);
        const Id above = node(at);
        child(each, add(Kind::Child, {above, key_of(known->second, false)}), node_of(each));
    }

    void each_child(const Entry& each, At at, VarId key) {
        const At below{new_var(node_of(each), TypeKind::Node)};
        const BlockId body = new_block();
        put(Kind::EachChild, {node(at)},
            {.x = below.var,
             .y = key == kNothing ? 0 : key + 1,
             .number = catalogue_.type_id(each.type)},
            {body});
        const std::uint32_t own = cut_;
        go_on_in(body);
        if (observed_) put(Kind::Try, {node(below)}, {.x = note_, .y = 1});
        cut_ = one_of_many(own);
        apply(each.patterns[0], below);
        cut_ = 0;
    }

    // Continues in an inner block. For observers, a Fail marks that no choice is left.
    void go_on_in(BlockId block) {
        if (observed_) fail();
        block_ = block;
        cut_ = 0;
    }

    void path_entry(const Entry& each) {
        Id found = node(root_);
        for (const KeyTemplate& segment : each.path.segments)
            found = add(Kind::Child, {found, key(segment, false)});
        child(each, found,
              each.path.segments.empty() ? "root" : name_of(each.path.segments.back()));
    }

    // ---- searches inside ----

    // A search of its own: what it binds is known only there.
    template <typename Body>
    BlockId search(Body body) {
        const Bound bound = bound_;
        const std::size_t fresh = fresh_.size();
        const BlockId made = in_block(body);
        bound_ = bound;
        fresh_.resize(fresh);
        return made;
    }

    static std::uint32_t one_of_many(std::uint32_t cut) { return cut == 0 ? 0 : cut | kOneOfMany; }

    void match_entry(const Entry& each, At at) {
        const bool some = each.kind == KeyKind::Exists;
        const std::uint32_t own = std::exchange(cut_, some ? one_of_many(cut_) : 0);
        const BlockId inside = search([&] {
            apply(each.patterns[0], at);
            put(Kind::Yield);
        });
        put(some ? Kind::SomeMatch : Kind::NoMatch, {}, {.y = own}, {inside});
    }

    // Every match of the first pattern must have a match of the second.
    void forall_entry(const Entry& each, At at) {
        const std::uint32_t own = std::exchange(cut_, 0);
        const BlockId inside = search([&] {
            apply(each.patterns[0], at);
            const BlockId holds = search([&] {
                cut_ = one_of_many(own);
                apply(each.patterns[1], at);
                put(Kind::Yield);
            });
            cut_ = 0;
            put(Kind::NoMatch, {}, {}, {holds});
            put(Kind::Yield);
        });
        put(Kind::NoMatch, {}, {.y = own}, {inside});
    }

    // Binds the variables that every alternative binds: each alternative yields these.
    void any_entry(const Entry& each, At at) {
        struct Alternative {
            BlockId end = 0; // where its search ends
            Bound bound;
        };
        std::vector<BlockId> blocks;
        std::vector<Alternative> alternatives;
        std::vector<Fresh> common;
        const std::uint32_t own = cut_;
        for (const Pattern& pattern : each.patterns) {
            const std::size_t before = fresh_.size();
            cut_ = one_of_many(own);
            blocks.push_back(search([&] {
                apply(pattern, at);
                alternatives.push_back({block_, bound_});
                if (alternatives.size() == 1)
                    common.assign(fresh_.begin() + static_cast<std::ptrdiff_t>(before),
                                  fresh_.end());
            }));
        }
        std::erase_if(common, [&](const Fresh& fresh) {
            return std::any_of(
                alternatives.begin(), alternatives.end(),
                [&](const Alternative& of) { return !of.bound.contains(fresh.name); });
        });
        for (const Alternative& alternative : alternatives) {
            std::vector<Id> values;
            values.reserve(common.size());
            for (const Fresh& fresh : common)
                values.push_back(variable(alternative.bound.at(fresh.name)));
            const Id yield = add(Kind::Yield, std::move(values));
            function_.blocks[alternative.end].statements.push_back(yield);
        }
        const auto first = static_cast<VarId>(function_.vars.size());
        for (Fresh& fresh : common) {
            fresh.var = new_var(fresh.name, TypeKind::Any, fresh.entry);
            bound_[fresh.name] = fresh.var;
            fresh_.push_back(fresh);
        }
        const BlockId rest = new_block();
        blocks.push_back(rest);
        cut_ = own;
        put(Kind::Alternatives, {},
            {.x = common.empty() ? 0 : first, .number = static_cast<std::int64_t>(common.size())},
            std::move(blocks));
        go_on_in(rest);
    }

    void aggregate_entry(const Entry& each, At at) {
        const std::uint32_t own = std::exchange(cut_, 0);
        const NoteId here = note_;
        const BlockId inside = search([&] {
            if (!each.patterns.empty()) apply(each.patterns[0], at);
            std::vector<Id> values;
            if (!each.value.empty()) values.push_back(expression(each.value[0], kNothing));
            put(Kind::Yield, std::move(values));
        });
        cut_ = own;
        entry_ = each.id; // not one of those inside
        const Pattern* into = each.into.empty() ? nullptr : &each.into[0];
        const VarId total = into != nullptr && is_free(*into) ? bind(into->variable)
                                                              : new_var("total", TypeKind::Any);
        note_ = each.value.empty() ? here : note(each.value[0].span);
        const KeyKind how = each.kind == KeyKind::Unique ? KeyKind::Count : each.kind;
        put(Kind::Gather, {}, {.x = total, .y = static_cast<std::uint32_t>(how)}, {inside});
        note_ = here;
        shown_ = cut_ != 0 ? total : kNothing;
        if (each.kind == KeyKind::Unique)
            test(is_equal(total, constant(Value::number(std::int64_t{1}))));
        if (each.kind == KeyKind::Min || each.kind == KeyKind::Max)
            test(add(Kind::Has, {variable(total)}));
        if (into != nullptr) {
            Subject result{total, true};
            leaf(*into, result);
        }
    }

    // ---- variables ----

    VarId bind(const std::string& name) {
        const VarId made = new_var(name, TypeKind::Any, entry_);
        bound_.emplace(name, made);
        fresh_.push_back({name, made, entry_});
        return made;
    }

    // ---- values in conditions: tests, and variables that they bind ----

    // Whether it is a single variable that is not bound yet.
    [[nodiscard]] bool is_free(const Pattern& pattern) const {
        return pattern.kind == PatternKind::Bind && !bound_.contains(pattern.variable);
    }

    // Reads the node's value only if the pattern uses it, or for observers.
    void leaf_of_node(const Pattern& pattern, At at) {
        const bool by_test = pattern.kind == PatternKind::Assign ||
                             (pattern.kind == PatternKind::Expression && gives_bool(pattern.expr));
        Subject subject;
        if (observed_ || !by_test || pattern.expr.mentions_this()) {
            subject.value =
                is_free(pattern) ? bind(pattern.variable) : new_var("value", TypeKind::Any);
            let(subject.value, add(Kind::ValueOf, {node(at)}));
            shown_ = cut_ != 0 ? subject.value : kNothing;
        }
        leaf(pattern, subject);
    }

    void leaf(const Pattern& pattern, Subject& of) {
        switch (pattern.kind) {
        case PatternKind::Value:
            compares(ExprOp::Equal, pattern.expr, of);
            break;
        case PatternKind::Compare:
            compares(pattern.compare, pattern.expr, of);
            break;
        case PatternKind::Bind:
            bind_or_equal(pattern, of);
            break;
        case PatternKind::Assign:
            assign(pattern, of);
            break;
        case PatternKind::Expression:
            expression_leaf(pattern.expr, of);
            break;
        case PatternKind::OneOf:
            if (!std::all_of(pattern.choices.begin(), pattern.choices.end(), is_plain)) need(of);
            test(one_of(pattern.choices, of.value));
            break;
        case PatternKind::Object:
        case PatternKind::Absent:
        case PatternKind::Any:
            break; // no value is read
        }
    }

    // Requires a value before a computation that could end in an error.
    void need(Subject& of) {
        if (of.value == kNothing)
            fail();
        else if (!of.there)
            test(add(Kind::Has, {variable(of.value)}));
        of.there = true;
    }

    // A missing value fails all comparisons but `!=`, so that needs a value.
    void compares(ExprOp op, const Expr& expr, Subject& of) {
        if (op == ExprOp::NotEqual || !is_plain(expr)) need(of);
        test(comparison(op, of.value, expr));
    }

    Id comparison(ExprOp op, VarId value, const Expr& expr) {
        const Id first = variable(value);
        const Id second = expression(expr, value);
        return add(Kind::Compare, {first, second}, {.x = static_cast<std::uint32_t>(op)});
    }

    Id is_equal(VarId a, Id b) {
        const Id first = variable(a);
        return add(Kind::Compare, {first, b}, {.x = static_cast<std::uint32_t>(ExprOp::Equal)});
    }

    // A balanced tree, so that a long list does not become deep.
    Id one_of(std::span<const Expr> choices, VarId value) {
        if (choices.size() == 1) return comparison(ExprOp::Equal, value, choices[0]);
        const std::size_t half = choices.size() / 2;
        const Id first = one_of(choices.first(half), value);
        const Id second = one_of(choices.subspan(half), value);
        return add(Kind::Or, {first, second});
    }

    void bind_or_equal(const Pattern& pattern, Subject& of) {
        const auto known = bound_.find(pattern.variable);
        if (known != bound_.end() && known->second != of.value)
            test(is_equal(of.value, variable(known->second)));
        else
            need(of);
        fits(of.value, pattern.type);
    }

    void assign(const Pattern& pattern, Subject& of) {
        if (pattern.expr.mentions_this()) need(of);
        const Id result = expression(pattern.expr, of.value);
        const auto known = bound_.find(pattern.variable);
        if (known != bound_.end() && is_any(pattern.type)) {
            test(is_equal(known->second, result));
            return;
        }
        const VarId made =
            known == bound_.end() ? bind(pattern.variable) : new_var("result", TypeKind::Any);
        let(made, result);
        fits(made, pattern.type);
        if (known != bound_.end()) test(is_equal(known->second, variable(made)));
    }

    // A test if it gives true or false, else equality.
    void expression_leaf(const Expr& expr, Subject& of) {
        if (!may_be_test(expr)) {
            compares(ExprOp::Equal, expr, of);
            return;
        }
        if (expr.mentions_this()) need(of);
        if (gives_bool(expr)) {
            test(expr, of.value);
            return;
        }
        const VarId result = new_var("result", TypeKind::Any);
        let(result, expression(expr, of.value));
        const Id which =
            add(Kind::Fits, {variable(result)}, {.x = catalogue_.type_id({"bool", {}})});
        const Id holds = is_equal(result, constant(Value::boolean(true)));
        const Id equal = is_equal(of.value, variable(result));
        test(add_typed(Kind::Choose, TypeKind::Truth, {which, holds, equal}));
    }

    static bool is_any(const TypeName& type) { return type.name.empty() || type.name == "any"; }

    void fits(VarId value, const TypeName& type) {
        if (!is_any(type))
            test(add(Kind::Fits, {variable(value)}, {.x = catalogue_.type_id(type)}));
    }

    // The pattern under `_`: a binding, or an expression that must be true.
    void test_entry(const Pattern& pattern) {
        if (pattern.kind == PatternKind::Assign) {
            Subject none;
            assign(pattern, none);
        } else if (pattern.kind == PatternKind::Bind) {
            test(is_equal(bound_.at(pattern.variable), constant(Value::boolean(true))));
        } else {
            test(pattern.expr, kNothing);
        }
    }

    void fail() { put(Kind::Fail, {}, {.y = cut_}); }

    // Continues only if it is true; any other value fails.
    void test(const Expr& expr, VarId self) {
        if (is_bool(expr)) {
            if (!std::get<bool>(expr.literal)) fail();
            return;
        }
        if (expr.op == ExprOp::And && gives_bool(expr.args[0]) && gives_bool(expr.args[1])) {
            test(expr.args[0], self);
            test(expr.args[1], self);
            return;
        }
        const Id result = expression(expr, self);
        if (observed_)
            at_span(expr.span, result); // so that observers see which part of a test it was
        if (is_truth(result)) {
            test(result);
            return;
        }
        const Id truth = constant(Value::boolean(true));
        test(add(Kind::Compare, {result, truth}, {.x = static_cast<std::uint32_t>(ExprOp::Equal)}));
    }

    void test(Id truth) {
        std::vector<Id> operands = {truth};
        if (shown_ != kNothing) operands.push_back(variable(shown_));
        put(Kind::Test, std::move(operands), {.y = cut_});
    }

    Catalogue& catalogue_;
    Module& module_;
    bool observed_;
    Function function_;
    std::map<std::pair<Tag, std::int64_t>, std::uint32_t> constants_; // in Module::values

    BlockId block_ = 0; // that statements go to
    NoteId note_ = kNothing;
    RuleId rule_ = kNone;
    bool nested_root_ = false; // the root of the current group is not the state's

    At root_;                  // of the current search
    Bound bound_;              // at this point
    std::vector<Fresh> fresh_; // by the current condition, in order
    std::uint32_t entry_ = 0;  // that binds variables now
    std::uint32_t cut_ = 0;    // `y` of failures: 1 + the note of the entry that they cut
    VarId shown_ = kNothing;   // what observers see of such a cut

    std::uint32_t epoch_ = 0; // grows when an action may have removed nodes in variables
};

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

} // namespace croupier::engine::form
