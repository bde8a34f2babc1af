// Values, keys and nodes of the tree; codes and what they stand for.
#include "engine/ir/evaluate.h"
#include "engine/ir/ir.h"
#include "engine/ir/probe.h"
#include "engine/run/interpreter.h"

#include <algorithm>

namespace croupier::engine {

// What `use` makes of the operands' values. They stand above those of nodes around it, so that in
// steady state nothing is allocated.
template <typename Use>
auto Interpreter::with_values(const Node& node, Use use) {
    const std::size_t begin = operands_.size();
    for (const ir::Id operand : node.operands) {
        const Value each = value(operand);
        operands_.push_back(each);
    }
    const auto made = use(std::span<const Value>(operands_).subspan(begin));
    operands_.resize(begin);
    return made;
}

// ---- codes -----------------------------------------------------------------------------------

std::uint32_t Interpreter::size_of(std::uint32_t list) const {
    return static_cast<std::uint32_t>(module_.lists[list].values.size());
}

// The place of the value of the list that equals it, or 0.
std::uint32_t Interpreter::code_of(std::uint32_t list, const Value& value) const {
    using Form = ir::CodeList::Form;
    const ir::CodeList& known = module_.lists[list];
    // A value from a list knows its row.
    if (value.row < known.values.size() && same_value(known.values[value.row], value)) {
        return value.row + 1u;
    }
    if (known.form == Form::Range && value.tag == Tag::Int && known.low <= value.integer &&
        value.integer <= known.values.back().integer) {
        return static_cast<std::uint32_t>(value.integer - known.low) + 1;
    }
    const Symbols& symbols = runtime_.symbols();
    std::uint32_t code = 0;
    const auto spells_member = [&](Symbol symbol) {
        const std::uint32_t row = catalogue_.layout->domain(known.domain).row_of(symbol);
        return row == kNoRow ? 0 : row + 1u;
    };
    const auto nth = [&](const Value& number) {
        const bool whole = number.tag == Tag::Int && number.integer >= known.low;
        const auto place = whole ? static_cast<std::uint64_t>(number.integer) -
                                       static_cast<std::uint64_t>(known.low)
                                 : known.values.size();
        return place < known.values.size() ? static_cast<std::uint32_t>(place) + 1 : 0;
    };
    Value number = as_number(value, symbols);
    if (number.tag == Tag::Double && number.real() >= -0x1p62 && number.real() <= 0x1p62) {
        number = Value::number(static_cast<std::int64_t>(number.real())); // compared below
    }
    const bool listed = known.form == Form::Keys && known.domain == 0; // in no order that is known
    switch (listed ? Form::Truths : known.form) {
    case Form::Keys:
    case Form::Texts:
        code = value.is_text() ? spells_member(value.symbol())
               : number.tag == Tag::Int
                   ? spells_member(symbols.find(std::to_string(number.integer)))
                   : 0;
        break;
    case Form::Numbers:
    case Form::Range:
        code = nth(number);
        break;
    case Form::Truths:
        while (code < known.values.size() && !equal(known.values[code], value, symbols)) {
            ++code;
        }
        code = code == known.values.size() ? 0 : code + 1;
        break;
    }
    return code != 0 && equal(known.values[code - 1], value, symbols) ? code : 0;
}

Value Interpreter::value_of(const SlotType& type, const Slot& slot) const {
    switch (type.kind) {
    case ir::TypeKind::Code:
        return slot.id == 0 ? Value{} : module_.lists[type.list].values[slot.id - 1];
    case ir::TypeKind::Truth:
    case ir::TypeKind::Int:
    case ir::TypeKind::Any:
        return slot.value;
    default:
        return {};
    }
}

Slot Interpreter::slot_of(const SlotType& type, const Value& value) const {
    return type.kind == ir::TypeKind::Code ? Slot(code_of(type.list, value)) : Slot(value);
}

Value Interpreter::value(ir::Id id) {
    const Node& node = at(id);
    const Slot found = slot(node);
    if (node.type.kind == ir::TypeKind::Code) {
        return found.id == 0 ? Value{} : node.values[found.id - 1];
    }
    return value_of(node.type, found);
}

// What the node gives, as something of that type holds it: where any value is, codes become values.
Slot Interpreter::slot_as(const SlotType& type, ir::Id id) {
    return type.kind == ir::TypeKind::Any ? Slot(value(id)) : slot(id);
}

// ---- values ----------------------------------------------------------------------------------

Slot Interpreter::run(Is<Kind::Constant>, const Node& node, Nothing) {
    return *node.known;
}

Slot Interpreter::run(Is<Kind::Variable>, const Node& node, Nothing) {
    return *node.known;
}

Slot Interpreter::run(Is<Kind::KeyCode>, const Node& node, Nothing) {
    const Symbol key = with_values(
        node, [&](std::span<const Value> parts) { return runtime_.key_of(parts, false); });
    return Slot(key == kNoSymbol ? 0u : ir::code_of_key(module_, node.type.list, key));
}

Slot Interpreter::run(Is<Kind::Has>, const Node& node, Nothing) {
    switch (at(node.operands[0]).type.kind) {
    case ir::TypeKind::Node:
        return Slot(static_cast<bool>(this->node(node.operands[0])));
    case ir::TypeKind::Code:
        return Slot(code(node.operands[0]) != 0);
    default:
        break;
    }
    return Slot(value(node.operands[0]).tag != Tag::None);
}

Slot Interpreter::run(Is<Kind::Fits>, const Node& node, Nothing) {
    return Slot(runtime_.has_type(value(node.operands[0]), catalogue_.types[node.x]));
}

Slot Interpreter::run(Is<Kind::Compare>, const Node& node, Nothing) {
    const Value a = value(node.operands[0]);
    const Value b = value(node.operands[1]);
    return Slot(runtime_.compares(static_cast<ExprOp>(node.x), a, b));
}

Slot Interpreter::run(Is<Kind::Not>, const Node& node, Nothing) {
    return Slot(!truth(node.operands[0]));
}

Slot Interpreter::run(Is<Kind::And>, const Node& node, Nothing) {
    return Slot(truth(node.operands[0]) && truth(node.operands[1]));
}

Slot Interpreter::run(Is<Kind::Or>, const Node& node, Nothing) {
    return Slot(truth(node.operands[0]) || truth(node.operands[1]));
}

Slot Interpreter::run(Is<Kind::Choose>, const Node& node, Nothing) {
    return slot_as(node.type, node.operands[truth(node.operands[0]) ? 1 : 2]);
}

Slot Interpreter::run(Is<Kind::Given>, const Node& node, Nothing) {
    if (value(node.operands[0]).tag == Tag::None) {
        runtime_.fail(RunErrorKind::NoValue, span_of(node), "$this has no value here");
    }
    return slot_as(node.type, node.operands[0]);
}

Slot Interpreter::run(Is<Kind::Truth>, const Node& node, Nothing) {
    return Slot(runtime_.truth(value(node.operands[0]), span_of(node)));
}

Slot Interpreter::run(Is<Kind::Arithmetic>, const Node& node, Nothing) {
    const auto op = static_cast<ExprOp>(node.x);
    const Span span = span_of(node);
    return with_values(node, [&](std::span<const Value> of) {
        switch (op) {
        case ExprOp::Negate:
            return Slot(runtime_.arithmetic(op, Value::number(std::int64_t{0}), of[0], span));
        case ExprOp::Min:
        case ExprOp::Max:
        case ExprOp::Abs:
        case ExprOp::Floor:
        case ExprOp::Round:
            return Slot(runtime_.function(op, of, span));
        default:
            return Slot(runtime_.arithmetic(op, of[0], of[1], span));
        }
    });
}

Slot Interpreter::run(Is<Kind::Whole>, const Node& node, Nothing) {
    return Slot(as_number(value(node.operands[0]), runtime_.symbols()).integer);
}

Slot Interpreter::run(Is<Kind::Calculate>, const Node& node, Nothing) {
    const auto how = static_cast<ExprOp>(node.x);
    std::int64_t of[] = {slot(node.operands[0]).value.integer, 0};
    if (node.operands.size() == 1) {
        return Slot(ir::calculate(how, std::span(of).first(1)));
    }
    for (const ir::Id next : node.operands.subspan(1)) {
        of[1] = slot(next).value.integer;
        of[0] = ir::calculate(how, of);
    }
    return Slot(of[0]);
}

Slot Interpreter::run(Is<Kind::Random>, const Node& node, Nothing) {
    return Slot(runtime_.draw(value(node.operands[0]), span_of(node)));
}

// ---- keys and nodes of the tree --------------------------------------------------------------

Slot Interpreter::run(Is<Kind::Name>, const Node& node, Nothing) {
    return Slot(node.x);
}

Slot Interpreter::run(Is<Kind::KeyText>, const Node& node, Nothing) {
    return Slot(with_values(
        node, [&](std::span<const Value> parts) { return runtime_.key_of(parts, node.y != 0); }));
}

Slot Interpreter::run(Is<Kind::Root>, const Node&, Nothing) {
    return Slot(runtime_.root());
}

Slot Interpreter::run(Is<Kind::Here>, const Node&, Nothing) {
    return Slot(runtime_.here());
}

Slot Interpreter::run(Is<Kind::Child>, const Node& node, Nothing) {
    const NodeRef above = this->node(node.operands[0]);
    return Slot(runtime_.child(above, key(node.operands[1])));
}

Slot Interpreter::run(Is<Kind::Parent>, const Node& node, Nothing) {
    return Slot(runtime_.parent(this->node(node.operands[0])));
}

// Until the next is asked for. One that is needed for a key of another has a place of its own.
const Path& Interpreter::path(const Node& node, std::size_t first) {
    if (paths_.size() == path_depth_) {
        paths_.emplace_back();
    }
    Path& path = paths_[path_depth_++];
    path.from_state = node.y != 0;
    path.up = node.x;
    path.keys.clear();
    for (std::size_t i = first; i < node.operands.size(); ++i) {
        path.keys.push_back(key(node.operands[i]));
    }
    --path_depth_;
    return path;
}

Slot Interpreter::run(Is<Kind::PathNode>, const Node& node, Nothing) {
    return Slot(runtime_.find(path(node), span_of(node)));
}

Slot Interpreter::run(Is<Kind::ValueOf>, const Node& node, Nothing) {
    return Slot(runtime_.value(this->node(node.operands[0])));
}

Slot Interpreter::run(Is<Kind::SizeOf>, const Node& node, Nothing) {
    return Slot(std::int64_t{runtime_.child_count(this->node(node.operands[0]))});
}

} // namespace croupier::engine
