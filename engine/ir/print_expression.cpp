// Operands as text: infix where the language has it, else calls by the name of the kind.
#include "engine/ir/print_expression.h"

#include "engine/lang/print.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace croupier::engine::ir {

namespace {

constexpr int kConditional = 1;
constexpr int kOr = 2;
constexpr int kAnd = 3;
constexpr int kComparison = 4;
constexpr int kSum = 5;
constexpr int kProduct = 6;
constexpr int kUnary = 7;

// What stands before the operands, or between them.
std::string_view word_of(ExprOp op) {
    switch (op) {
    case ExprOp::Negate:
        return "-";
    case ExprOp::Min:
        return "min";
    case ExprOp::Max:
        return "max";
    case ExprOp::Abs:
        return "abs";
    case ExprOp::Floor:
        return "floor";
    case ExprOp::Round:
        return "round";
    default:
        break;
    }
    const std::string_view sign = sign_of(op);
    return sign.empty() ? "?" : sign;
}

bool is_plain(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
        return std::isalnum(c) != 0 || c == '_' || c == '-';
    });
}

} // namespace

std::string ExpressionPrinter::variable(VarId var) const {
    return var < variables_.size() ? variables_[var] : fmt::format("${}?", var);
}

std::string ExpressionPrinter::typed_variable(VarId var) const {
    std::string text = variable(var);
    if (var < function_.vars.size() && function_.vars[var].type.kind != TypeKind::Any) {
        text += ": " + name_of(module_, function_.vars[var].type);
    }
    return text;
}

const Node* ExpressionPrinter::operand_node(const Node& node, std::size_t place) const {
    return place < node.operands.size() && node.operands[place] < function_.nodes.size()
               ? &function_.nodes[node.operands[place]]
               : nullptr;
}

std::string ExpressionPrinter::operand(const Node& node, std::size_t place, int level) const {
    const Node* found = operand_node(node, place);
    if (found == nullptr) {
        return "?";
    }
    Text made = expression(*found);
    return made.level < level ? "(" + made.text + ")" : std::move(made.text);
}

std::string ExpressionPrinter::operands(const Node& node, std::size_t from) const {
    std::string text;
    for (std::size_t i = from; i < node.operands.size(); ++i) {
        text += (i == from ? "" : ", ") + operand(node, i);
    }
    return text;
}

std::string ExpressionPrinter::place(const Node& node, std::size_t from) const {
    std::vector<std::string> rows;
    for (std::size_t i = from; i < node.operands.size(); ++i) {
        rows.push_back(operand(node, i));
    }
    return text_of_place(module_, node.x, rows);
}

// The set is the innermost row.
std::string ExpressionPrinter::place_of_rows(const Node& node, std::size_t set) const {
    std::vector<std::string> rows;
    for (std::size_t i = set + 1; i < node.operands.size(); ++i) {
        rows.push_back(operand(node, i));
    }
    rows.push_back("each of " + operand(node, set));
    return text_of_place(module_, node.x, rows);
}

// Where a path or a child names a key: bare, if it is plain.
std::string ExpressionPrinter::key(const Node& node, std::size_t place) const {
    const Node* found = operand_node(node, place);
    if (found != nullptr && found->kind == Kind::Name &&
        found->x < module_.catalogue->symbols.size()) {
        const std::string text(module_.catalogue->symbols.text(found->x));
        return is_plain(text) ? text : '"' + text + '"';
    }
    return operand(node, place);
}

std::string ExpressionPrinter::child(const Node& node) const {
    return operand(node, 0, kUnary + 1) + "." + key(node, 1);
}

std::string ExpressionPrinter::path(const Node& node, std::size_t from) const {
    std::string text = node.y == 1 ? "@root" : "";
    for (std::uint32_t i = 0; i < node.x; ++i) {
        text += "@parent";
    }
    text += "@path(";
    for (std::size_t i = from; i < node.operands.size(); ++i) {
        text += (i == from ? "" : ".") + key(node, i);
    }
    return text + ")";
}

std::string ExpressionPrinter::call(const Node& node) const {
    const CallInfo* info = node.x < module_.calls.size() ? &module_.calls[node.x] : nullptr;
    std::string text = (info == nullptr ? "?" : info->function) + "(";
    for (std::size_t i = 0; i < node.operands.size(); ++i) {
        const Node* argument = operand_node(node, i);
        text += i == 0 ? "" : ", ";
        if (argument != nullptr && info != nullptr && argument->number >= 0 &&
            static_cast<std::size_t>(argument->number) < info->arguments.size()) {
            text += info->arguments[static_cast<std::size_t>(argument->number)] + ": ";
        }
        text += operand(node, i);
    }
    return text + ")";
}

std::string ExpressionPrinter::generic(const Node& node) const {
    std::string fields;
    const auto add = [&](std::string_view name, std::int64_t value) {
        if (value != 0) {
            fields += fmt::format("{}{}={}", fields.empty() ? "" : " ", name, value);
        }
    };
    add("x", node.x);
    add("y", node.y);
    add("number", node.number);
    std::string text(info_of(node.kind).name);
    text += fields.empty() ? "" : "[" + fields + "]";
    return text + (node.operands.empty() ? "" : "(" + operands(node) + ")");
}

std::string ExpressionPrinter::constant(const Node& node) const {
    switch (node.type.kind) {
    case TypeKind::Truth:
        return node.number != 0 ? "true" : "false";
    case TypeKind::Int:
        return std::to_string(node.number);
    case TypeKind::Code:
        return "#" + text_of_code(module_, node.type.list, node.number);
    default:
        return node.x < module_.values.size() ? text_of(module_, module_.values[node.x])
                                              : fmt::format("value {}?", node.x);
    }
}

ExpressionPrinter::Text ExpressionPrinter::infix(const Node& node, std::string_view sign,
                                                 int level) const {
    // Comparisons do not chain; all others lean to the left.
    const int left = level == kComparison ? level + 1 : level;
    return {fmt::format("{} {} {}", operand(node, 0, left), sign, operand(node, 1, level + 1)),
            level};
}

ExpressionPrinter::Text ExpressionPrinter::arithmetic(const Node& node) const {
    const auto op = static_cast<ExprOp>(node.x);
    // What cannot end in an error has a mark.
    const std::string sign =
        fmt::format("{}{}", node.kind == Kind::Calculate ? "&" : "", word_of(op));
    if (node.operands.size() == 2 && op >= ExprOp::Add && op <= ExprOp::Modulo) {
        return infix(node, sign, op <= ExprOp::Subtract ? kSum : kProduct);
    }
    if (op == ExprOp::Negate && node.operands.size() == 1) {
        return {sign + operand(node, 0, kUnary + 1), kUnary};
    }
    return {fmt::format("{}({})", sign, operands(node))};
}

ExpressionPrinter::Text ExpressionPrinter::expression(const Node& node) const {
    const std::string_view name = info_of(node.kind).name;
    switch (node.kind) {
    case Kind::Constant:
        return {constant(node)};
    case Kind::Variable:
    case Kind::RowsOf:
        return {variable(node.x)};
    case Kind::KeyCode:
        return {fmt::format("{}<{}>({})", name, name_of(module_, node.type), operands(node))};
    case Kind::AllRows:
        return {fmt::format("{}<{}>", name, name_of(module_, {TypeKind::Code, node.type.list}))};
    case Kind::Fits:
        return {fmt::format("{} is {}", operand(node, 0, kComparison + 1),
                            name_of_program_type(module_, node.x)),
                kComparison};
    case Kind::Compare:
        return infix(node, word_of(static_cast<ExprOp>(node.x)), kComparison);
    case Kind::Not:
        return {"!" + operand(node, 0, kUnary), kUnary};
    case Kind::And:
        return infix(node, "&&", kAnd);
    case Kind::Or:
        return infix(node, "||", kOr);
    case Kind::Choose:
        return {fmt::format("{} ? {} : {}", operand(node, 0, kConditional + 1),
                            operand(node, 1, kConditional + 1), operand(node, 2, kConditional)),
                kConditional};
    case Kind::Arithmetic:
    case Kind::Calculate:
        return arithmetic(node);
    case Kind::Name:
        return {node.x < module_.catalogue->symbols.size()
                    ? fmt::format("\"{}\"", module_.catalogue->symbols.text(node.x))
                    : fmt::format("symbol {}?", node.x)};
    case Kind::KeyText:
        return {fmt::format("{{{}{}}}", node.y != 0 ? "new " : "", operands(node))};
    case Kind::Root:
        return {"@root"};
    case Kind::Here:
        return {"@here"};
    case Kind::Child:
        return {child(node)};
    case Kind::Parent:
        return {operand(node, 0, kUnary + 1) + ".@parent"};
    case Kind::PathNode:
    case Kind::ArgumentPath:
        return {path(node)};
    case Kind::MakeChild:
        return {"Make(" + child(node) + ")"};
    case Kind::MakePath:
        return {"Make(" + path(node) + ")"};
    case Kind::Load:
        return {place(node)};
    case Kind::Present:
    case Kind::NodeAt:
    case Kind::Rows:
    case Kind::RowsWith:
        return {fmt::format("{}({})", name, place(node))};
    case Kind::Table:
    case Kind::TableRows:
        return {fmt::format("{}{}[{}]", name, node.x, operands(node))};
    case Kind::DataValue:
    case Kind::ArgumentValue:
        return {operand(node, 0)};
    case Kind::DataList:
        return {"[" + operands(node) + "]"};
    case Kind::DataObject:
        return {"{" + operands(node) + "}"};
    case Kind::DataMember:
        return {key(node, 0) + ": " + operand(node, 1)};
    default:
        return {generic(node)};
    }
}

} // namespace croupier::engine::ir
