// Values, keys and nodes of the tree; declared nodes; codes and what they stand for.
#include "engine/run/interpreter.h"

#include "engine/ir/integers.h"
#include "engine/ir/lists.h"
#include "engine/ir/probe.h"

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
    const Symbols& symbols = runtime_.symbols();
    std::uint32_t code = 0;
    const auto spells_member = [&](Symbol symbol) {
        const std::uint32_t row = program_.layout->domain(known.domain).row_of(symbol);
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

Value Interpreter::value_of(const ir::Type& type, const Slot& slot) const {
    if (type.kind != ir::TypeKind::Code) {
        return type.is_value() ? slot.value : Value{};
    }
    return slot.id == 0 ? Value{} : module_.lists[type.list].values[slot.id - 1];
}

Interpreter::Slot Interpreter::slot_of(const ir::Type& type, const Value& value) const {
    return type.kind == ir::TypeKind::Code ? Slot(code_of(type.list, value)) : Slot(value);
}

Value Interpreter::value(ir::Id id) {
    return value_of(at(id).type, slot(id));
}

// What the node gives, as something of that type holds it: where any value is, codes become values.
Interpreter::Slot Interpreter::slot_as(const ir::Type& type, ir::Id id) {
    return type.kind == ir::TypeKind::Any ? Slot(value(id)) : slot(id);
}

// ---- values ----------------------------------------------------------------------------------

Interpreter::Slot Interpreter::run(Is<Kind::Constant>, const Node& node, Nothing) {
    switch (node.type.kind) {
    case ir::TypeKind::Truth:
        return Slot(node.number != 0);
    case ir::TypeKind::Int:
        return Slot(node.number);
    case ir::TypeKind::Code:
        return Slot(static_cast<std::uint32_t>(node.number));
    default:
        return Slot(module_.values[node.x]);
    }
}

Interpreter::Slot Interpreter::run(Is<Kind::Variable>, const Node& node, Nothing) {
    return slots_[node.x];
}

Interpreter::Slot Interpreter::run(Is<Kind::KeyCode>, const Node& node, Nothing) {
    const Symbol key = with_values(
        node, [&](std::span<const Value> parts) { return runtime_.key_of(parts, false); });
    return Slot(key == kNoSymbol ? 0u : ir::code_of_key(module_, node.type.list, key));
}

Interpreter::Slot Interpreter::run(Is<Kind::Has>, const Node& node, Nothing) {
    if (at(node.operands[0]).type.kind == ir::TypeKind::Node) {
        return Slot(static_cast<bool>(this->node(node.operands[0])));
    }
    return Slot(value(node.operands[0]).tag != Tag::None);
}

Interpreter::Slot Interpreter::run(Is<Kind::Fits>, const Node& node, Nothing) {
    return Slot(runtime_.has_type(value(node.operands[0]), program_.types[node.x]));
}

Interpreter::Slot Interpreter::run(Is<Kind::Compare>, const Node& node, Nothing) {
    const Value a = value(node.operands[0]);
    const Value b = value(node.operands[1]);
    return Slot(runtime_.compares(static_cast<ExprOp>(node.x), a, b));
}

Interpreter::Slot Interpreter::run(Is<Kind::Not>, const Node& node, Nothing) {
    return Slot(!truth(node.operands[0]));
}

Interpreter::Slot Interpreter::run(Is<Kind::And>, const Node& node, Nothing) {
    return Slot(truth(node.operands[0]) && truth(node.operands[1]));
}

Interpreter::Slot Interpreter::run(Is<Kind::Or>, const Node& node, Nothing) {
    return Slot(truth(node.operands[0]) || truth(node.operands[1]));
}

Interpreter::Slot Interpreter::run(Is<Kind::Choose>, const Node& node, Nothing) {
    return slot_as(node.type, node.operands[truth(node.operands[0]) ? 1 : 2]);
}

Interpreter::Slot Interpreter::run(Is<Kind::Given>, const Node& node, Nothing) {
    if (value(node.operands[0]).tag == Tag::None) {
        runtime_.fail(RunErrorKind::NoValue, span_of(node), "$this has no value here");
    }
    return slot_as(node.type, node.operands[0]);
}

Interpreter::Slot Interpreter::run(Is<Kind::Truth>, const Node& node, Nothing) {
    return Slot(runtime_.truth(value(node.operands[0]), span_of(node)));
}

Interpreter::Slot Interpreter::run(Is<Kind::Arithmetic>, const Node& node, Nothing) {
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

Interpreter::Slot Interpreter::run(Is<Kind::Whole>, const Node& node, Nothing) {
    return Slot(as_number(value(node.operands[0]), runtime_.symbols()).integer);
}

Interpreter::Slot Interpreter::run(Is<Kind::Calculate>, const Node& node, Nothing) {
    const std::size_t begin = integers_.size();
    for (const ir::Id operand : node.operands) {
        const std::int64_t each = slot(operand).value.integer;
        integers_.push_back(each);
    }
    const Slot found(ir::calculate(static_cast<ExprOp>(node.x),
                                   std::span<const std::int64_t>(integers_).subspan(begin)));
    integers_.resize(begin);
    return found;
}

Interpreter::Slot Interpreter::run(Is<Kind::Random>, const Node& node, Nothing) {
    return Slot(runtime_.draw(value(node.operands[0]), span_of(node)));
}

// ---- keys and nodes of the tree --------------------------------------------------------------

Interpreter::Slot Interpreter::run(Is<Kind::Name>, const Node& node, Nothing) {
    return Slot(node.x);
}

Interpreter::Slot Interpreter::run(Is<Kind::KeyText>, const Node& node, Nothing) {
    return Slot(with_values(
        node, [&](std::span<const Value> parts) { return runtime_.key_of(parts, node.y != 0); }));
}

Interpreter::Slot Interpreter::run(Is<Kind::Root>, const Node&, Nothing) {
    return Slot(runtime_.root());
}

Interpreter::Slot Interpreter::run(Is<Kind::Here>, const Node&, Nothing) {
    return Slot(runtime_.here());
}

Interpreter::Slot Interpreter::run(Is<Kind::Child>, const Node& node, Nothing) {
    const NodeRef above = this->node(node.operands[0]);
    return Slot(runtime_.child(above, key(node.operands[1])));
}

Interpreter::Slot Interpreter::run(Is<Kind::Parent>, const Node& node, Nothing) {
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

Interpreter::Slot Interpreter::run(Is<Kind::PathNode>, const Node& node, Nothing) {
    return Slot(runtime_.find(path(node), span_of(node)));
}

Interpreter::Slot Interpreter::run(Is<Kind::ValueOf>, const Node& node, Nothing) {
    return Slot(runtime_.value(this->node(node.operands[0])));
}

Interpreter::Slot Interpreter::run(Is<Kind::SizeOf>, const Node& node, Nothing) {
    return Slot(std::int64_t{runtime_.child_count(this->node(node.operands[0]))});
}

// ---- declared nodes --------------------------------------------------------------------------

NodeRef Interpreter::instance(const Node& node, std::size_t first) {
    const std::size_t begin = codes_.size();
    for (std::size_t i = first; i < node.operands.size(); ++i) {
        const std::uint32_t each = code(node.operands[i]);
        codes_.push_back(each);
    }
    const NodeRef found = runtime_.instance(node.x, std::span(codes_).subspan(begin));
    codes_.resize(begin);
    return found;
}

Interpreter::Slot Interpreter::run(Is<Kind::Present>, const Node& node, Nothing) {
    return Slot(runtime_.is_present(instance(node)));
}

Interpreter::Slot Interpreter::run(Is<Kind::Load>, const Node& node, Nothing) {
    return slot_of(node.type, runtime_.value_at(instance(node)));
}

Interpreter::Slot Interpreter::run(Is<Kind::NodeAt>, const Node& node, Nothing) {
    return Slot(runtime_.node_at(instance(node)));
}

Interpreter::Rows Interpreter::run(Is<Kind::Rows>, const Node& node, Nothing) {
    const NodeRef map = instance(node);
    return map ? runtime_.rows_of(map) : Rows(words_for(size_of(node.type.list)));
}

Interpreter::Rows Interpreter::run(Is<Kind::AllRows>, const Node& node, Nothing) {
    const std::uint32_t size = size_of(node.type.list);
    Rows all(words_for(size), ~std::uint64_t{0});
    if (size % kWordRows != 0) {
        all.back() = (std::uint64_t{1} << (size % kWordRows)) - 1;
    }
    return all;
}

std::size_t Interpreter::entry_of(const Node& node, const ir::Table& table) {
    std::size_t entry = 0;
    for (std::size_t i = 0; i < node.operands.size(); ++i) {
        entry = entry * table.sizes[CROUPIER_MISTAKE(EntryByFirstSize) ? 0 : i] +
                code(node.operands[i]);
    }
    return entry;
}

Interpreter::Slot Interpreter::run(Is<Kind::Table>, const Node& node, Nothing) {
    const ir::Table& table = module_.tables[node.x];
    return slot_of(node.type, table.values[entry_of(node, table)]);
}

Interpreter::Rows Interpreter::run(Is<Kind::TableRows>, const Node& node, Nothing) {
    const ir::Table& table = module_.tables[node.x];
    const std::size_t words = words_for(size_of(node.type.list));
    const auto first =
        table.words.begin() + static_cast<std::ptrdiff_t>(entry_of(node, table) * words);
    return {first, first + static_cast<std::ptrdiff_t>(words)};
}

// ---- sets of rows ----------------------------------------------------------------------------

Interpreter::Rows Interpreter::run(Is<Kind::RowsWith>, const Node& node, Nothing) {
    const std::uint32_t wanted = code(node.operands[0]);
    const NodeRef map = instance(node, 1);
    Rows rows(words_for(size_of(node.type.list)));
    if (!map || wanted == 0) {
        return rows;
    }
    const State& state = runtime_.state();
    const SchemaId element = program_.layout->node(map.schema).element;
    const std::uint32_t size = size_of(node.type.list);
    for (std::uint32_t row = 0; row < size; ++row) {
        if (state.held({element, (CROUPIER_MISTAKE(RowsOfFirstMap) ? 0 : map.index) * size + row})
                .low == wanted) {
            rows[row / kWordRows] |= std::uint64_t{1} << row % kWordRows;
        }
    }
    return rows;
}

Interpreter::Rows Interpreter::run(Is<Kind::RowsOf>, const Node& node, Nothing) {
    return sets_[node.x];
}

Interpreter::Rows Interpreter::run(Is<Kind::Both>, const Node& node, Nothing) {
    Rows rows = this->rows(node.operands[0]);
    const Rows others = this->rows(node.operands[1]);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        rows[i] &= others[i];
    }
    return rows;
}

Interpreter::Rows Interpreter::run(Is<Kind::Either>, const Node& node, Nothing) {
    Rows rows = this->rows(node.operands[0]);
    const Rows others = this->rows(node.operands[1]);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        rows[i] |= others[i];
    }
    return rows;
}

Interpreter::Rows Interpreter::run(Is<Kind::Without>, const Node& node, Nothing) {
    Rows rows = this->rows(node.operands[0]);
    const Rows others = this->rows(node.operands[1]);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        rows[i] &= ~others[i];
    }
    return rows;
}

Interpreter::Rows Interpreter::run(Is<Kind::Differ>, const Node& node, Nothing) {
    Rows rows = this->rows(node.operands[0]);
    const Rows others = this->rows(node.operands[1]);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        rows[i] ^= others[i];
    }
    return rows;
}

Interpreter::Slot Interpreter::run(Is<Kind::NumberAt>, const Node& node, Nothing) {
    const std::uint32_t row = code(node.operands[0]) - 1;
    std::int64_t number = 0;
    for (std::size_t i = node.operands.size(); i-- > 1;) {
        const Rows digit = rows(node.operands[i]);
        number =
            number * 2 + static_cast<std::int64_t>(digit[row / kWordRows] >> row % kWordRows & 1);
    }
    return Slot(number);
}

Interpreter::Slot Interpreter::run(Is<Kind::AnyRow>, const Node& node, Nothing) {
    const Rows rows = this->rows(node.operands[0]);
    return Slot(
        std::any_of(rows.begin(), rows.end(), [](std::uint64_t word) { return word != 0; }));
}

Interpreter::Slot Interpreter::run(Is<Kind::CountRows>, const Node& node, Nothing) {
    std::int64_t count = 0;
    for (const std::uint64_t word : rows(node.operands[0])) {
        count += count_rows(word);
    }
    return Slot(count);
}

} // namespace croupier::engine
