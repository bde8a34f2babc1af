// What an expression comes to whose leaves are known.
#include "engine/ir/evaluate.h"

#include "engine/ir/integers.h"
#include "engine/ir/lists.h"
#include "engine/catalogue/fits.h"

#include <string>
#include <vector>

namespace croupier::engine::ir {

namespace {

class Evaluator {
  public:
    Evaluator(const Module& module, const Function& function, const Leaf& leaf)
        : module_(module), function_(function), symbols_(module.program->symbols), leaf_(leaf) {}

    std::optional<Value> value(Id id) {
        if (auto known = leaf_(id)) {
            return known;
        }
        const Node& node = function_.at(id);
        switch (node.kind) {
        case Kind::Constant:
            return constant(node);
        case Kind::KeyCode:
            return key_code(node);
        case Kind::Table:
            return entry(node);
        case Kind::Choose: {
            const auto first = truth(node.operands[0]);
            return first ? value(node.operands[*first ? 1 : 2]) : std::nullopt;
        }
        case Kind::Given: {
            const auto given = value(node.operands[0]);
            return given && given->tag != Tag::None ? given : std::nullopt;
        }
        case Kind::Arithmetic:
            return arithmetic(node);
        case Kind::Whole: { // of none nobody asks
            const auto whole = value(node.operands[0]);
            return whole ? std::optional(Value::number(as_number(*whole, symbols_).integer))
                         : std::nullopt;
        }
        case Kind::Calculate:
            return calculated(node);
        default:
            break;
        }
        const auto answer = asked(node);
        return answer ? std::optional(Value::boolean(*answer)) : std::nullopt;
    }

  private:
    std::optional<bool> truth(Id id) {
        const auto found = value(id);
        return found && found->tag == Tag::Bool ? std::optional(found->truth()) : std::nullopt;
    }

    // What is true or false.
    std::optional<bool> asked(const Node& node) {
        switch (node.kind) {
        case Kind::Has: {
            const auto found = value(node.operands[0]);
            return found ? std::optional(found->tag != Tag::None) : std::nullopt;
        }
        case Kind::Fits: {
            const auto found = value(node.operands[0]);
            if (!found) {
                return std::nullopt;
            }
            const Catalogue& program = *module_.program;
            return found->tag != Tag::None &&
                   is_of_type(*found, program.types[node.x], *program.layout, symbols_);
        }
        case Kind::Compare: {
            const auto a = value(node.operands[0]);
            const auto b = a ? value(node.operands[1]) : std::nullopt;
            if (!b) {
                return std::nullopt;
            }
            const auto how = static_cast<ExprOp>(node.x);
            const bool none = a->tag == Tag::None || b->tag == Tag::None;
            return none ? how == ExprOp::NotEqual : compares(how, *a, *b, symbols_);
        }
        case Kind::Not: {
            const auto found = truth(node.operands[0]);
            return found ? std::optional(!*found) : std::nullopt;
        }
        case Kind::And:
        case Kind::Or: {
            const auto first = truth(node.operands[0]);
            return first && *first == (node.kind == Kind::And) ? truth(node.operands[1]) : first;
        }
        case Kind::Truth:
            return truth(node.operands[0]);
        default:
            return std::nullopt;
        }
    }

    [[nodiscard]] Value constant(const Node& node) const {
        switch (node.type.kind) {
        case TypeKind::Truth:
            return Value::boolean(node.number != 0);
        case TypeKind::Int:
            return Value::number(node.number);
        case TypeKind::Code:
            return value_of_code(node.type.list, static_cast<std::uint32_t>(node.number));
        default:
            return module_.values[node.x];
        }
    }

    [[nodiscard]] Value value_of_code(std::uint32_t list, std::uint32_t code) const {
        return code == 0 ? Value{} : module_.lists[list].values[code - 1];
    }

    std::optional<Value> key_code(const Node& node) {
        std::string text;
        for (const Id operand : node.operands) {
            const auto part = value(operand);
            if (!part) {
                return std::nullopt;
            }
            text += to_text(*part, symbols_);
        }
        const Symbol key = symbols_.find(text);
        return value_of_code(node.type.list,
                             key == kNoSymbol ? 0 : code_of_key(module_, node.type.list, key));
    }

    std::optional<Value> entry(const Node& node) {
        const Table& table = module_.tables[node.x];
        std::size_t place = 0;
        for (std::size_t i = 0; i < node.operands.size(); ++i) {
            const auto found = value(node.operands[i]);
            if (!found) {
                return std::nullopt;
            }
            const std::uint32_t list = function_.at(node.operands[i]).type.list;
            place = place * table.sizes[i] + code_of(module_, list, *found);
        }
        return table.values[place];
    }

    std::optional<Value> calculated(const Node& node) {
        std::vector<std::int64_t> integers;
        for (const Id operand : node.operands) {
            const auto each = value(operand);
            if (!each) {
                return std::nullopt;
            }
            integers.push_back(each->integer);
        }
        return Value::number(calculate(static_cast<ExprOp>(node.x), integers));
    }

    // Of integers; all else is computed when rules run.
    std::optional<Value> arithmetic(const Node& node) {
        std::optional<std::int64_t> total;
        const auto how = static_cast<ExprOp>(node.x);
        for (std::size_t i = 0; i < node.operands.size(); ++i) {
            const auto raw = value(node.operands[i]);
            const Value number = raw ? as_number(*raw, symbols_) : Value{};
            if (number.tag != Tag::Int) {
                return std::nullopt;
            }
            total = i == 0 ? first(how, number.integer) : next(how, *total, number.integer);
            if (!total) {
                return std::nullopt;
            }
        }
        return Value::number(*total);
    }

    static std::optional<std::int64_t> first(ExprOp how, std::int64_t a) {
        if (how != ExprOp::Negate && (how != ExprOp::Abs || a >= 0)) {
            return a;
        }
        return a == INT64_MIN ? std::nullopt : std::optional(-a);
    }

    static std::optional<std::int64_t> next(ExprOp how, std::int64_t a, std::int64_t b) {
        std::int64_t result = 0;
        switch (how) {
        case ExprOp::Add:
            return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional(result);
        case ExprOp::Subtract:
            return __builtin_sub_overflow(a, b, &result) ? std::nullopt : std::optional(result);
        case ExprOp::Multiply:
            return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(result);
        case ExprOp::Divide: // what is not whole is a double
            return b == 0 || b == -1 || a % b != 0 ? std::nullopt : std::optional(a / b);
        case ExprOp::Modulo:
            return b == 0 || b == -1 ? std::nullopt : std::optional(a % b);
        case ExprOp::Min:
            return b < a ? b : a;
        case ExprOp::Max:
            return b > a ? b : a;
        default:
            return std::nullopt;
        }
    }

    const Module& module_;
    const Function& function_;
    const Symbols& symbols_;
    const Leaf& leaf_;
};

} // namespace

std::optional<Value> evaluate(const Module& module, const Function& function, Id id,
                              const Leaf& leaf) {
    return Evaluator(module, function, leaf).value(id);
}

} // namespace croupier::engine::ir
