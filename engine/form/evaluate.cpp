// Computes nodes with known operands.
#include "engine/form/evaluate.h"

#include "engine/catalogue/catalogue.h"
#include "engine/form/form.h"
#include "engine/form/probe.h"

#include <algorithm>
#include <string>
#include <vector>

namespace croupier::engine::form {

// Integers between bounds.

namespace {

__extension__ using Wide = __int128;

struct WideBounds {
    Wide low;
    Wide high;
};

WideBounds wide(const Bounds& of) {
    return {of.low, of.high};
}

Computed narrowed(const WideBounds& of) {
    const auto bound = [](Wide at) {
        return static_cast<std::int64_t>(std::clamp<Wide>(at, INT64_MIN, INT64_MAX));
    };
    Computed made{{bound(of.low), bound(of.high)},
                  (of.low >= INT64_MIN && of.high <= INT64_MAX) ||
                      CROUPIER_MISTAKE(NothingOverflows)};
    return made;
}

WideBounds product(const WideBounds& a, const WideBounds& b) {
    const auto [low, high] =
        std::minmax({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
    return {low, high};
}

WideBounds absolute(const WideBounds& of) {
    if (of.low >= 0) return of;
    return {of.high <= 0 ? -of.high : 0, std::max(-of.low, of.high)};
}

// The remainder. By 0 it is an error, by -1 always 0; it has the sign of the dividend.
Computed rest(const Bounds& of, const Bounds& by) {
    const WideBounds divisor = absolute(wide(by));
    const Wide most = divisor.high == 0 ? 0 : divisor.high - 1;
    Computed made = narrowed({of.low >= 0 ? 0 : std::max<Wide>(of.low, -most),
                              of.high <= 0 ? 0 : std::min<Wide>(of.high, most)});
    made.total = by.low == by.high && divisor.low > 1;
    return made;
}

std::uint64_t bits(std::int64_t of) {
    return static_cast<std::uint64_t>(of);
}

} // namespace

Bounds joined(const Bounds& a, const Bounds& b) {
    return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

std::optional<Computed> computed(ExprOp how, std::span<const Bounds> of) {
    const WideBounds a = wide(of[0]);
    const WideBounds b = wide(of.back());
    switch (how) {
    case ExprOp::Add:
        return narrowed({a.low + b.low, a.high + b.high});
    case ExprOp::Subtract:
        return narrowed({a.low - b.high, a.high - b.low});
    case ExprOp::Multiply:
        return narrowed(product(a, b));
    case ExprOp::Modulo:
        return rest(of[0], of[1]);
    case ExprOp::Negate:
        return narrowed({-a.high, -a.low});
    case ExprOp::Abs:
        return narrowed(absolute(a));
    case ExprOp::Floor: // integers stay as they are
    case ExprOp::Round:
        return narrowed(a);
    case ExprOp::Min:
    case ExprOp::Max: {
        const bool least = how == ExprOp::Min;
        Bounds made = of[0];
        for (const Bounds& each : of.subspan(1)) {
            made.low = least ? std::min(made.low, each.low) : std::max(made.low, each.low);
            made.high = least ? std::min(made.high, each.high) : std::max(made.high, each.high);
        }
        return Computed{made, true};
    }
    default: // a division with a remainder gives a double
        return std::nullopt;
    }
}

Computed summed(const Bounds& each, std::int64_t count) {
    return narrowed(
        {std::min<Wide>(0, Wide{each.low} * count), std::max<Wide>(0, Wide{each.high} * count)});
}

std::optional<bool> compared(ExprOp how, const Bounds& a, const Bounds& b) {
    const bool apart = a.high < b.low || b.high < a.low;
    const bool same = a.low == a.high && b.low == b.high && a.low == b.low;
    switch (how) {
    case ExprOp::Equal:
    case ExprOp::NotEqual:
        if (apart || same) return same == (how == ExprOp::Equal);
        return std::nullopt;
    case ExprOp::Less:
    case ExprOp::GreaterEqual:
        if (a.high < b.low || a.low >= b.high || CROUPIER_MISTAKE(LessWhereTheyMeet))
            return (a.high < b.low) == (how == ExprOp::Less);
        return std::nullopt;
    default:
        if (a.high <= b.low || a.low > b.high)
            return (a.high <= b.low) == (how == ExprOp::LessEqual);
        return std::nullopt;
    }
}

bool may_calculate(ExprOp how) {
    return how != ExprOp::Divide && how != ExprOp::Floor && how != ExprOp::Round;
}

std::int64_t calculate(ExprOp how, std::span<const std::int64_t> of) {
    const std::int64_t a = of[0];
    const std::int64_t b = of.back();
    switch (how) {
    case ExprOp::Add:
        return static_cast<std::int64_t>(bits(a) + bits(b));
    case ExprOp::Subtract:
        return static_cast<std::int64_t>(bits(a) - bits(b));
    case ExprOp::Multiply:
        return static_cast<std::int64_t>(bits(a) * bits(b));
    case ExprOp::Modulo:
        return b == 0 || b == -1 ? 0 : a % b;
    case ExprOp::Abs:
        return a < 0 ? static_cast<std::int64_t>(-bits(a)) : a;
    case ExprOp::Min:
        return *std::min_element(of.begin(), of.end());
    case ExprOp::Max:
        return *std::max_element(of.begin(), of.end());
    default:
        return static_cast<std::int64_t>(-bits(a));
    }
}

namespace {

using Operands = std::span<const std::optional<Value>>;

// A node with the values of its operands, as far as they are known.
class Evaluator {
  public:
    Evaluator(const Module& module, const Function& function, const Node& node, Operands operands)
        : module_(module), function_(function), symbols_(module.catalogue->symbols), node_(node),
          operands_(operands) {}

    [[nodiscard]] std::optional<Value> value() const {
        switch (node_.kind) {
        case Kind::Constant:
            return constant();
        case Kind::KeyCode:
            return key_code();
        case Kind::Table:
            return entry();
        case Kind::Choose: {
            const auto first = truth(0);
            return first ? operands_[*first ? 1 : 2] : std::nullopt;
        }
        case Kind::Given: {
            const auto& given = operands_[0];
            return given && given->tag != Tag::None ? given : std::nullopt;
        }
        case Kind::Arithmetic:
            return arithmetic();
        case Kind::Whole: { // never of none
            const auto& whole = operands_[0];
            return whole ? std::optional(Value::number(as_number(*whole, symbols_).integer))
                         : std::nullopt;
        }
        case Kind::Calculate:
            return calculated();
        default:
            break;
        }
        const auto answer = asked();
        return answer ? std::optional(Value::boolean(*answer)) : std::nullopt;
    }

  private:
    [[nodiscard]] std::optional<bool> truth(std::size_t operand) const {
        const auto& found = operands_[operand];
        return found && found->tag == Tag::Bool ? std::optional(found->truth()) : std::nullopt;
    }

    // The outcome of a node that is true or false.
    [[nodiscard]] std::optional<bool> asked() const {
        switch (node_.kind) {
        case Kind::Has: {
            const auto& found = operands_[0];
            return found ? std::optional(found->tag != Tag::None) : std::nullopt;
        }
        case Kind::Fits: {
            const auto& found = operands_[0];
            if (!found) return std::nullopt;
            const Catalogue& catalogue = *module_.catalogue;
            return found->tag != Tag::None && is_of_type(*found, catalogue.types[node_.type_id()],
                                                         *catalogue.layout, symbols_);
        }
        case Kind::Compare: {
            const auto& a = operands_[0];
            const auto& b = operands_[1];
            if (!a || !b) return std::nullopt;
            const auto how = node_.op();
            const bool none = a->tag == Tag::None || b->tag == Tag::None;
            return none ? how == ExprOp::NotEqual : compares(how, *a, *b, symbols_);
        }
        case Kind::Not: {
            const auto found = truth(0);
            return found ? std::optional(!*found) : std::nullopt;
        }
        case Kind::And:
        case Kind::Or: {
            const auto first = truth(0);
            return first && *first == (node_.kind == Kind::And) ? truth(1) : first;
        }
        case Kind::Truth:
            return truth(0);
        default:
            return std::nullopt;
        }
    }

    [[nodiscard]] Value constant() const {
        switch (node_.type.kind) {
        case TypeKind::Truth:
            return Value::boolean(node_.literal() != 0);
        case TypeKind::Int:
            return Value::number(node_.literal());
        case TypeKind::Code:
            return value_of_code(node_.type.list, static_cast<std::uint32_t>(node_.literal()));
        default:
            return module_.values[node_.value()];
        }
    }

    [[nodiscard]] Value value_of_code(std::uint32_t list, std::uint32_t code) const {
        return code == 0 ? Value{} : module_.lists[list].values[code - 1];
    }

    [[nodiscard]] std::optional<Value> key_code() const {
        std::string text;
        for (const auto& part : operands_) {
            if (!part) return std::nullopt;
            text += to_text(*part, symbols_);
        }
        const Symbol key = symbols_.find(text);
        return value_of_code(node_.type.list,
                             key == kNoSymbol ? 0 : code_of_key(module_, node_.type.list, key));
    }

    [[nodiscard]] std::optional<Value> entry() const {
        const LookupTable& table = module_.tables[node_.table()];
        std::size_t place = 0;
        for (std::size_t i = 0; i < operands_.size(); ++i) {
            if (!operands_[i]) return std::nullopt;
            const std::uint32_t list = function_.at(node_.operands[i]).type.list;
            place = place * table.sizes[i] + code_of(module_, list, *operands_[i]);
        }
        return table.values[place];
    }

    [[nodiscard]] std::optional<Value> calculated() const {
        std::vector<std::int64_t> integers;
        for (const auto& each : operands_) {
            if (!each) return std::nullopt;
            integers.push_back(each->integer);
        }
        return Value::number(calculate(node_.op(), integers));
    }

    // Computes only with integers; other results are left to the time when rules run.
    [[nodiscard]] std::optional<Value> arithmetic() const {
        std::optional<std::int64_t> total;
        const auto how = node_.op();
        for (std::size_t i = 0; i < operands_.size(); ++i) {
            const Value number = operands_[i] ? as_number(*operands_[i], symbols_) : Value{};
            if (number.tag != Tag::Int) return std::nullopt;
            total = i == 0 ? first(how, number.integer) : next(how, *total, number.integer);
            if (!total) return std::nullopt;
        }
        return Value::number(*total);
    }

    static std::optional<std::int64_t> first(ExprOp how, std::int64_t a) {
        if (how != ExprOp::Negate && (how != ExprOp::Abs || a >= 0)) return a;
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
        case ExprOp::Divide: // other results are doubles
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
    const Node& node_;
    Operands operands_;
};

} // namespace

// These are the first kinds in nodes.def.
bool can_evaluate(Kind kind) {
    return kind == Kind::Table || (kind <= Kind::Calculate && kind != Kind::Variable);
}

std::optional<Value> result_of(const Module& module, const Function& function, const Node& node,
                               std::span<const std::optional<Value>> operands) {
    return Evaluator(module, function, node, operands).value();
}

std::optional<Value> evaluate(const Module& module, const Function& function, Id id) {
    const Node& node = function.at(id);
    if (!can_evaluate(node.kind)) return std::nullopt;
    std::vector<std::optional<Value>> operands;
    for (const Id each : node.operands)
        operands.push_back(evaluate(module, function, each));
    return result_of(module, function, node, operands);
}

} // namespace croupier::engine::form
