// Tests that compare a loop's key with a variable, as `$C < $D` or `$I < $N`: which rows pass is a
// mask for each key that the other can be, or for each number, made here once.
#include "engine/plan/compiler.h"
#include "engine/plan/planted.h"
#include "engine/plan/reached.h"

#include <algorithm>

namespace croupier::engine {

namespace {

constexpr std::uint32_t kLargestDomain = 512; // of each loop: 32 KiB of masks at most

// What a comparison says of its arguments the other way round.
ExprOp turned(ExprOp compare) {
    switch (compare) {
    case ExprOp::Less:
        return ExprOp::Greater;
    case ExprOp::LessEqual:
        return ExprOp::GreaterEqual;
    case ExprOp::Greater:
        return ExprOp::Less;
    case ExprOp::GreaterEqual:
        return ExprOp::LessEqual;
    default:
        return compare;
    }
}

} // namespace

// The other variable's register, if the step compares the key of the loop with a variable, does
// nothing else, and a mask can do it.
std::uint16_t Compiler::compared_key(const Step& step, const Step& each) const {
    if (step.kind != Step::Kind::Test || step.leaf.kind != PatternKind::Expression) {
        return kNoRegister;
    }
    const ExprNode& node = program_.exprs[step.leaf.expr];
    if (!is_comparison(node.op)) {
        return kNoRegister;
    }
    const ExprNode& a = program_.exprs[program_.expr_args[node.first]];
    const ExprNode& b = program_.exprs[program_.expr_args[node.first + 1]];
    if (a.op != ExprOp::Variable || b.op != ExprOp::Variable || a.reg == b.reg ||
        (a.reg != each.reg && b.reg != each.reg) ||
        program_.layout->domain(each.domain).size() > kLargestDomain) {
        return kNoRegister;
    }
    const std::uint16_t other = a.reg == each.reg ? b.reg : a.reg;
    const auto outer = loop_domains_.find(other);
    const bool fits = outer == loop_domains_.end()
                          ? has_small_numbers(each.domain)
                          : program_.layout->domain(outer->second).size() <= kLargestDomain;
    return fits ? other : kNoRegister;
}

// All keys are numbers, of which limit_plans makes masks.
bool Compiler::has_small_numbers(std::uint32_t domain) const {
    const std::vector<Symbol>& keys = program_.layout->domain(domain).members;
    return std::all_of(keys.begin(), keys.end(), [&](Symbol key) {
        const auto number = program_.symbols.integer(key);
        return number && *number >= 0 && *number < 1000;
    });
}

// The register is what the test compares first.
bool Compiler::is_first(const Step& step, std::uint16_t reg) const {
    const ExprNode& node = program_.exprs[step.leaf.expr];
    return program_.exprs[program_.expr_args[node.first]].reg == reg;
}

void Compiler::fold_key(const Step& step, const Step& each, std::uint16_t word) {
    const std::uint16_t other = compared_key(step, each);
    if (loop_domains_.contains(other)) {
        fold_keys(step, each, other, word);
        return;
    }
    const ExprOp compare = program_.exprs[step.leaf.expr].op;
    const std::vector<Symbol>& members = program_.layout->domain(each.domain).members;
    std::vector<Value> numbers;
    std::vector<Value> keys;
    for (const Symbol member : members) {
        numbers.push_back(Value::number(*program_.symbols.integer(member)));
        keys.push_back(Value::key(member));
    }
    const std::uint32_t limits =
        limit_plans(numbers, is_first(step, each.reg) || CROUPIER_PLANTED(ComparisonNotTurned)
                                 ? compare
                                 : turned(compare));
    // The masks are for numbers; with anything else each row is compared as the key that it is.
    for (std::uint32_t i = 0; i < words_of(each); ++i) {
        std::vector<Value>& values = program_.limits[limits + i].values;
        std::copy_n(keys.begin() + std::ptrdiff_t{i} * kWordRows, values.size(), values.begin());
    }
    fold_limit(limits, other, word);
}

// The other is the key of a loop too.
void Compiler::fold_keys(const Step& step, const Step& each, std::uint16_t outer,
                         std::uint16_t word) {
    CROUPIER_REACHED(KeyWithKey);
    const ExprOp comparison = program_.exprs[step.leaf.expr].op;
    const ExprOp by_row = is_first(step, each.reg) ? comparison : turned(comparison);
    const DomainTable& outer_keys = program_.layout->domain(loop_domains_.at(outer));
    const DomainTable& keys = program_.layout->domain(each.domain);
    const std::uint32_t words = words_of(each);

    std::vector<std::uint64_t>& masks = program_.masks;
    masks.push_back(0); // of no row, as in mask_table
    const auto base = static_cast<std::uint32_t>(masks.size());
    masks.resize(base + std::size_t{words} * outer_keys.size());
    for (std::uint32_t i = 0; i < outer_keys.size(); ++i) {
        for (std::uint32_t row = 0; row < keys.size(); ++row) {
            // Two keys are two integers or two texts: one is less, or they are the same.
            const auto order = compare(Value::key(keys.members[row]),
                                       Value::key(outer_keys.members[i]), program_.symbols);
            const int sign = *order < 0 ? -1 : *order > 0 ? 1 : 0;
            masks[base + i * words + row / kWordRows] |=
                std::uint64_t{compare_integers(by_row, sign, 0)} << (row % kWordRows);
        }
    }
    Op& op = emit(OpCode::MaskTable);
    op.x = base;
    op.b = outer;
    op.c = word;
    op.s = words;
}

} // namespace croupier::engine
