// Actions: the changes that a firing makes.
#include "engine/plan/planted.h"
#include "engine/plan/reached.h"
#include "engine/run/block.h"
#include "engine/run/machine.h"

#include <algorithm>

namespace croupier::engine {

void Machine::guard_constants(NodeRef node, Symbol key) const {
    if (node == nodes_[0] && program_.has_constant(key)) {
        fail(RunErrorKind::Constant, span(),
             "'" + std::string(state_->symbols().text(key)) + "' is a constant");
    }
}

NodeRef Machine::make_child(NodeRef node, Symbol key) {
    guard_constants(node, key);
    const NodeRef child = state_->make_child(node, key);
    check_size();
    return child;
}

void Machine::set_child(NodeRef node, Symbol key, const Value& value) {
    guard_constants(node, key);
    state_->set_child(node, key, value);
    check_size();
}

void Machine::check_size() const {
    if (state_->arena_nodes() > budgets_.nodes) {
        fail(RunErrorKind::BudgetSize, span(), "the state has grown larger than the budget allows");
    }
}

// The same for the first key of a path.
void Machine::guard_path(std::uint32_t path) {
    const PathPlan& plan = program_.paths[path];
    if (plan.fixed == kNoSchema && !plan.segments.empty() && base_of(plan).empty()) {
        const Symbol first = key_symbol(program_.keys[plan.segments[0]], false);
        if (first != kNoSymbol) {
            guard_constants(nodes_[0], first);
        }
    }
}

// What the shape says of the node at the path; throws ShapeFault if it forbids it.
SchemaId Machine::schema_at(std::uint32_t path) {
    const PathPlan& plan = program_.paths[path];
    SchemaId schema = state_->schema_of(nodes_[0]);
    for (const Symbol key : base_of(plan)) {
        schema = state_->schema_below(schema, key);
    }
    for (const std::uint32_t segment : plan.segments) {
        schema = state_->schema_below(schema, key_symbol(program_.keys[segment], true));
    }
    return schema;
}

// Faults before anything is made if the path leads to a place that can hold no children.
void Machine::check_path(std::uint32_t path) {
    guard_path(path);
    if (find(path)) {
        return;
    }
    const SchemaId schema = schema_at(path);
    if (schema != kNoSchema && program_.layout->node(schema).is_leaf()) {
        throw ShapeFault(program_.layout->path(schema) + " holds a value, not children");
    }
}

// Makes the first `segments` nodes of the path, all but the last able to have children.
NodeRef Machine::make_path(std::uint32_t path, std::size_t segments) {
    const PathPlan& plan = program_.paths[path];
    NodeRef node = nodes_[0];
    const auto descend = [&](Symbol key) {
        state_->make_inner(node);
        node = make_child(node, key);
    };
    for (const Symbol key : base_of(plan)) {
        descend(key);
    }
    for (std::size_t i = 0; i < segments; ++i) {
        descend(key_symbol(program_.keys[plan.segments[i]], true));
    }
    return node;
}

NodeRef Machine::make_path(std::uint32_t path) {
    return make_path(path, program_.paths[path].segments.size());
}

// The expression, whose `$this` is the old value, comes before any question of whether it may stand
// there.
void Machine::set(NodeRef above, Symbol key, ExprId expr) {
    const Value value = eval(expr, this->value(child(above, key)));
    set_child(above, key, value);
}

void Machine::set_path(std::uint32_t path, ExprId expr) {
    set_path(path, eval(expr, this->value(find(path))));
}

void Machine::set_path(std::uint32_t path, const Value& value) {
    guard_path(path);
    if (const SchemaId schema = schema_at(path); schema != kNoSchema) {
        (void)state_->stored(schema, value);
    }
    const NodeRef above = last_but_one(path);
    set_child(above, last_key(path), value);
}

// The parent of the node at the path, made if it is missing.
NodeRef Machine::last_but_one(std::uint32_t path) {
    const NodeRef above = make_path(path, program_.paths[path].segments.size() - 1);
    state_->make_inner(above);
    return above;
}

Symbol Machine::last_key(std::uint32_t path) {
    return key_symbol(program_.keys[program_.paths[path].segments.back()], true);
}

void Machine::put(NodeRef above, Symbol key, std::uint32_t data) {
    const Document document = build(data, allowed_below({state_->schema_of(above), {}}, key));
    guard_constants(above, key);
    state_->put_child(above, key, document);
    check_size();
}

void Machine::put_path(std::uint32_t path, std::uint32_t data) {
    const Document document = build(data, allowed_at(path));
    guard_path(path);
    state_->check(schema_at(path), document);
    const NodeRef above = last_but_one(path);
    state_->put_child(above, last_key(path), document);
    check_size();
}

Machine::Allowed Machine::allowed_below(const Allowed& above, Symbol key) const {
    if (!above.fault.empty()) {
        return above;
    }
    try {
        return {state_->schema_below(above.schema, key), {}};
    } catch (const ShapeFault& fault) {
        return {kNoSchema, fault.what()};
    }
}

Machine::Allowed Machine::allowed_at(std::uint32_t path) {
    try {
        return {schema_at(path), {}};
    } catch (const ShapeFault& fault) {
        return {kNoSchema, fault.what()};
    }
}

// Data for a place.
Document Machine::build(std::uint32_t id, const Allowed& place) {
    const DataPlan& plan = program_.data[id];
    Document document;
    if (plan.kind == ActionKind::Set) {
        Value value = eval(plan.expr, {});
        if (!place.fault.empty()) {
            throw ShapeFault(place.fault);
        }
        if (place.schema != kNoSchema) {
            value = state_->stored(place.schema, value);
        }
        document.scalar = to_scalar(value, state_->symbols());
        return document;
    }
    document.kind = plan.kind == ActionKind::Array ? Document::Kind::Array : Document::Kind::Object;
    for (const DataPlan::Child& child : plan.children) {
        const Symbol key = key_symbol(program_.keys[child.key], true);
        const std::string name(state_->symbols().text(key));
        Document below = build(child.data, allowed_below(place, key));
        const auto same = std::find_if(document.members.begin(), document.members.end(),
                                       [&](const Member& member) { return member.key == name; });
        if (same != document.members.end()) {
            same->value = std::move(below);
        } else {
            document.members.push_back({name, {}, std::move(below)});
        }
    }
    return document;
}

void Machine::print(const PrintPlan& plan) {
    std::string line;
    for (const PrintPlan::Part& part : plan.parts) {
        line += part.expr == kNone ? part.text : to_text(eval(part.expr, {}), state_->symbols());
    }
    if (log_ != nullptr) {
        log_->line(line);
    }
}

void Machine::act(std::uint32_t pc) {
    if (native_ != nullptr && is_alone()) {
        run_native(pc);
    } else {
        interpret_action(pc);
    }
}

void Machine::interpret_action(std::uint32_t pc) {
    const Op* const code = program_.code.data();
    const Op* op = code + pc;
    try {
        while (op->code != OpCode::End) {
            frame_.acting = op->note;
            CROUPIER_REACHED_OP(interpreted, op->code);
            if (op->code == OpCode::Jump) {
                op = code + op->x;
            } else {
                op = change(*op) ? op + 1 : code + op->fail;
            }
        }
    } catch (const ShapeFault& fault) {
        fail(RunErrorKind::Shape, program_.notes[op->note].span, fault.what());
    }
    frame_.acting = kNone;
}

// One op of an action; false: it goes on elsewhere.
bool Machine::change(const Op& op) {
    switch (op.code) {
    case OpCode::MakeChild:
        nodes_[op.a] = make_child(nodes_[op.b], op.x);
        break;
    case OpCode::MakeChildKey:
        nodes_[op.a] = make_child(nodes_[op.b], key_symbol(program_.keys[op.x], true));
        break;
    case OpCode::MakePath:
        check_path(op.x);
        nodes_[op.a] = make_path(op.x);
        break;
    case OpCode::Inner:
        state_->make_inner(nodes_[op.a]);
        break;
    case OpCode::Set:
        set(nodes_[op.b], op.x, op.y);
        break;
    case OpCode::SetKey:
        set(nodes_[op.b], key_symbol(program_.keys[op.x], true), op.y);
        break;
    case OpCode::SetPath:
        set_path(op.x, op.y);
        break;
    case OpCode::Put:
        put(nodes_[op.b], op.x, op.y);
        break;
    case OpCode::PutKey:
        put(nodes_[op.b], key_symbol(program_.keys[op.x], true), op.y);
        break;
    case OpCode::PutPath:
        put_path(op.x, op.y);
        break;
    case OpCode::EnsureAt: {
        const NodeRef node = instance(op);
        state_->ensure(node.schema, node.index);
        break;
    }
    case OpCode::EnsureBit:
        ensure_bit(op);
        break;
    case OpCode::SetCode:
        set_code(op, op.y);
        break;
    case OpCode::SetCodeRow:
        set_code(op, values_[op.y].row + 1u);
        break;
    case OpCode::SetAt:
        set_at(instance(op), op.y);
        break;
    case OpCode::EnsureBitIn:
        ensure_bit_in(op);
        break;
    case OpCode::SetCodeIn:
        set_code_in(op, op.y);
        break;
    case OpCode::SetCodeRowIn:
        set_code_in(op, values_[op.y].row + 1u);
        break;
    case OpCode::SetAtIn:
        set_at_in(op);
        break;
    case OpCode::RemoveAt:
        if (const NodeRef node = instance(op); state_->is_present(node)) {
            state_->remove(node);
        }
        break;
    case OpCode::RemoveBit:
        remove_bit(op);
        break;
    case OpCode::RowOr:
        return find_row(values_[op.a], values_[op.b], op.x);
    case OpCode::Remove:
        remove_child(nodes_[op.b], op.x);
        break;
    case OpCode::RemoveKey:
        remove_child(nodes_[op.b], key_symbol(program_.keys[op.x], false));
        break;
    case OpCode::RemovePath:
        remove_path(op.x);
        break;
    case OpCode::Run:
        run_below(op.x, nodes_[op.a]);
        break;
    case OpCode::RunHere:
        run_group(op.x);
        break;
    case OpCode::Call:
        call(program_.calls[op.x]);
        break;
    case OpCode::Print:
        print(program_.prints[op.x]);
        break;
    case OpCode::Before:
        if (observer_ != nullptr) observer_->change_begins(program_.notes[op.x], *state_);
        break;
    case OpCode::After:
        if (observer_ != nullptr) observer_->change_ends(program_.notes[op.x], *state_);
        break;
    default: // ops of conditions do not stand in actions
        break;
    }
    return true;
}

NodeRef Machine::instance(const Op& op) const {
    return {op.a, static_cast<std::uint32_t>(address(values_.data(), op))};
}

// A leaf that is there keeps its place among its siblings: only its byte changes.
inline void Machine::set_code(const Op& op, std::uint32_t code) {
    const std::size_t place = address(values_.data(), op);
    std::byte* const at = state_->data() + place;
    if (*at != std::byte{0} && !state_->has_journal()) {
        *at = static_cast<std::byte>(code);
        return;
    }
    const std::uint32_t values = program_.layout->node(op.a).values;
    state_->set_leaf_code({op.a, static_cast<std::uint32_t>(place) - values}, code);
}

// The same where what the leaf hangs below is there.
inline void Machine::set_code_in(const Op& op, std::uint32_t code) {
    if (state_->has_journal()) {
        set_code(op, code);
        return;
    }
    const SchemaNode& node = program_.layout->node(op.a);
    const std::size_t place = address(values_.data(), op);
    state_->put_code(node, static_cast<std::uint32_t>(place) - node.values, code);
}

namespace {

NodeRef instance_of_bit(const Layout& layout, const Op& op, const BitPlace& bit) {
    const SchemaNode& node = layout.node(op.a);
    const std::size_t outer = (bit.group - node.presence) / 8 / node.words;
    return {op.a, static_cast<std::uint32_t>(outer * node.group + bit.row)};
}

} // namespace

inline void Machine::ensure_bit(const Op& op) {
    const BitPlace bit = bit_place(values_.data(), op);
    if ((load_word(state_->data() + bit.word()) & bit.mask()) == 0) {
        const NodeRef node = instance_of_bit(*program_.layout, op, bit);
        state_->ensure(node.schema, node.index);
    }
}

inline void Machine::ensure_bit_in(const Op& op) {
    const BitPlace bit = bit_place(values_.data(), op);
    std::byte* const place = state_->data() + bit.word();
    if ((load_word(place) & bit.mask()) != 0) {
        return;
    }
    if (state_->has_journal()) {
        ensure_bit(op);
        return;
    }
    merge_rows(place, bit.mask());
    const SchemaNode& node = program_.layout->node(op.a);
    if (node.above_order != kNoOffset) {
        state_->append_to_record(node, instance_of_bit(*program_.layout, op, bit).index);
    }
}

// What an action sets the leaf to; `$this` is its old value.
inline Value Machine::value_for(NodeRef leaf, ExprId expr) {
    const ExprNode& node = program_.exprs[expr];
    if (node.op == ExprOp::Variable) {
        return values_[node.reg];
    }
    return eval(expr, node.needs_this ? state_->value_or_none(leaf) : Value{});
}

inline void Machine::set_at_in(const Op& op) {
    const Layout& layout = *program_.layout;
    const SchemaNode& node = layout.node(op.a);
    const NodeRef leaf = instance(op);
    const bool by_code = node.column == Column::Code8 || node.column == Column::Code16;
    if ((!by_code && node.column != Column::Int) || state_->has_journal()) {
        set_at(leaf, op.y);
        return;
    }
    const Value value = value_for(leaf, op.y);
    const std::uint32_t code = by_code ? layout.code_of(node, value) : 0;
    if (code != 0) {
        state_->put_code(node, leaf.index, code);
    } else if (!by_code && node.has_in_range(value)) {
        state_->put_integer(node, leaf.index, value.integer);
    } else {
        state_->set_leaf(leaf, value);
    }
}

inline void Machine::remove_bit(const Op& op) {
    const BitPlace bit = bit_place(values_.data(), op);
    std::byte* const place = state_->data() + bit.word();
    const std::uint64_t word = load_word(place);
    if ((word & bit.mask()) == 0) {
        return;
    }
    if (state_->has_journal()) {
        state_->remove(instance_of_bit(*program_.layout, op, bit));
        return;
    }
    const std::uint64_t rest = CROUPIER_PLANTED(BitClearsWord) ? 0 : word & ~bit.mask();
    std::memcpy(place, &rest, sizeof rest);
}

void Machine::set_at(NodeRef leaf, ExprId expr) {
    state_->set_leaf(leaf, value_for(leaf, expr));
}

void Machine::remove_child(NodeRef node, Symbol key) {
    if (!node || key == kNoSymbol) {
        return;
    }
    guard_constants(node, key);
    if (const NodeRef child = state_->child(node, key)) {
        state_->remove(child);
    }
}

void Machine::remove_path(std::uint32_t path) {
    if (const NodeRef node = changeable(path)) {
        state_->remove(node);
    }
}

} // namespace croupier::engine
