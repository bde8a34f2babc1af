// Which integers variables and expressions can be: arithmetic that stays among them cannot fail.
#include "engine/plan/compiler.h"
#include "engine/plan/planted.h"
#include "engine/plan/reached.h"

#include <algorithm>

namespace croupier::engine {

void Compiler::note_range(std::uint16_t reg, std::optional<Range> range) {
    if (range) {
        range_of_[reg] = *range;
    }
}

// Of the value at the site, where there is one.
std::optional<Compiler::Range> Compiler::range_of_leaf(const Site& site) {
    if (!site.constant) {
        const SchemaNode& node = program_.layout->node(site.schema);
        if (node.kind == ShapeKind::Int) {
            return Range{node.low, node.high};
        }
        const bool numbered =
            node.kind == ShapeKind::Member && program_.layout->domain(node.domain).numbered;
        return numbered ? std::optional(Range{
                              0, std::int64_t{program_.layout->domain(node.domain).size()} - 1})
                        : std::nullopt;
    }
    const ConstTable table = value_table(site);
    std::optional<Range> range;
    for (std::uint32_t i = 0; i < table.count; ++i) {
        const Value& value = program_.values[table.base + i];
        if (value.tag == Tag::None) {
            continue;
        }
        if (value.tag != Tag::Int && CROUPIER_PLANTED(RangeOfIntegersAlone)) {
            continue;
        }
        if (value.tag != Tag::Int) {
            return std::nullopt;
        }
        range =
            range ? Range{std::min(range->low, value.integer), std::max(range->high, value.integer)}
                  : Range{value.integer, value.integer};
    }
    CROUPIER_REACHED_IF(range, RangeOfConstants);
    return range;
}

// None where it may be no integer, or end in an error.
std::optional<Compiler::Range> Compiler::range_of(ExprId id) const {
    const ExprNode& node = program_.exprs[id];
    const auto arg = [&](std::uint32_t i) { return range_of(program_.expr_args[node.first + i]); };
    switch (node.op) {
    case ExprOp::Literal:
        return node.literal.tag == Tag::Int
                   ? std::optional(Range{node.literal.integer, node.literal.integer})
                   : std::nullopt;
    case ExprOp::Variable: {
        const auto known = range_of_.find(node.reg);
        return known == range_of_.end() ? std::nullopt : std::optional(known->second);
    }
    case ExprOp::Add:
    case ExprOp::Subtract: {
        const auto a = arg(0);
        const auto b = arg(1);
        Range range;
        const bool overflows =
            !a || !b ||
            (node.op == ExprOp::Add ? __builtin_add_overflow(a->low, b->low, &range.low) ||
                                          __builtin_add_overflow(a->high, b->high, &range.high)
                                    : __builtin_sub_overflow(a->low, b->high, &range.low) ||
                                          __builtin_sub_overflow(a->high, b->low, &range.high));
        CROUPIER_REACHED_IF(!overflows, RangeOfSum);
        return overflows ? std::nullopt : std::optional(range);
    }
    case ExprOp::Conditional: {
        const ExprId condition = program_.expr_args[node.first];
        const auto a = arg(1);
        const auto b = arg(2);
        const bool decides = gives_bool(program_.exprs[condition]) && never_fails(condition);
        return a && b && decides
                   ? std::optional(Range{std::min(a->low, b->low), std::max(a->high, b->high)})
                   : std::nullopt;
    }
    default:
        return std::nullopt;
    }
}

} // namespace croupier::engine
