// Integers between bounds.
#include "engine/ir/integers.h"
#include "engine/ir/testing.h"

#include <algorithm>

namespace croupier::engine::ir {
namespace {

// Of all small bounds and all integers between them.
TEST(integers, bounds_hold_what_is_computed) {
    const auto each_between = [](const Bounds& bounds, const auto& visit) {
        for (std::int64_t i = bounds.low; i <= bounds.high; ++i) {
            visit(i);
        }
    };
    for (const ExprOp how : {ExprOp::Add, ExprOp::Subtract, ExprOp::Multiply, ExprOp::Modulo,
                             ExprOp::Min, ExprOp::Max}) {
        for (std::int64_t code = 0; code < 10 * 10 * 10 * 10; ++code) {
            const Bounds a{code % 10 - 5, code / 10 % 10 - 5};
            const Bounds b{code / 100 % 10 - 5, code / 1000 - 5};
            if (a.low > a.high || b.low > b.high) {
                continue;
            }
            const Bounds of[] = {a, b};
            const auto found = computed(how, of);
            ASSERT_TRUE(found);
            const bool by_constant = b.low == b.high && b.low != 0 && b.low != -1 && b.low != 1;
            if (how != ExprOp::Modulo || by_constant) {
                EXPECT_TRUE(found->total);
            }
            each_between(a, [&](std::int64_t left) {
                each_between(b, [&](std::int64_t right) {
                    const std::int64_t integers[] = {left, right};
                    const std::int64_t result = calculate(how, integers);
                    EXPECT_TRUE((Bounds{result, result}.are_in(found->bounds)))
                        << static_cast<int>(how) << " " << left << " " << right;
                });
            });
        }
    }
}

TEST(integers, comparisons_hold_for_all_between) {
    for (const ExprOp how : {ExprOp::Equal, ExprOp::NotEqual, ExprOp::Less, ExprOp::LessEqual,
                             ExprOp::Greater, ExprOp::GreaterEqual}) {
        for (std::int64_t code = 0; code < 5 * 5 * 5 * 5; ++code) {
            const Bounds a{code % 5, code / 5 % 5};
            const Bounds b{code / 25 % 5, code / 125};
            if (a.low > a.high || b.low > b.high) {
                continue;
            }
            bool always = true;
            bool never = true;
            for (std::int64_t left = a.low; left <= a.high; ++left) {
                for (std::int64_t right = b.low; right <= b.high; ++right) {
                    (compare_integers(how, left, right) ? never : always) = false;
                }
            }
            const auto wanted = always  ? std::optional(true)
                                : never ? std::optional(false)
                                        : std::nullopt;
            EXPECT_EQ(compared(how, a, b), wanted) << static_cast<int>(how) << " " << code;
        }
    }
}

TEST(integers, the_ends_of_64_bits) {
    const Bounds all;
    const auto of = [](ExprOp how, std::initializer_list<Bounds> bounds) {
        return *computed(how, std::vector<Bounds>(bounds));
    };
    EXPECT_FALSE(of(ExprOp::Add, {all, {0, 1}}).total);
    EXPECT_TRUE(of(ExprOp::Add, {{INT64_MIN, INT64_MAX - 1}, {0, 1}}).total);
    EXPECT_FALSE(of(ExprOp::Negate, {all}).total);
    EXPECT_FALSE(of(ExprOp::Abs, {all}).total);
    EXPECT_TRUE(of(ExprOp::Abs, {{INT64_MIN + 1, INT64_MAX}}).total);
    EXPECT_FALSE(of(ExprOp::Multiply, {{0, std::int64_t{1} << 62}, {0, 2}}).total);
    EXPECT_TRUE(of(ExprOp::Multiply, {{0, std::int64_t{1} << 62}, {-2, 1}}).total);
    EXPECT_FALSE(of(ExprOp::Modulo, {all, {-1, -1}}).total);
    EXPECT_EQ(of(ExprOp::Modulo, {all, all}).bounds, (Bounds{INT64_MIN + 1, INT64_MAX}));
    EXPECT_FALSE(summed({0, std::int64_t{1} << 32}, std::int64_t{1} << 31).total);
    EXPECT_TRUE(summed({0, std::int64_t{1} << 32}, (std::int64_t{1} << 31) - 1).total);
    EXPECT_EQ(calculate(ExprOp::Negate, std::vector<std::int64_t>{INT64_MIN}), INT64_MIN);
}

TEST(integers, calculations_end_in_no_error) {
    Maker m;
    const auto calculated = [&](ExprOp how, std::vector<Id> of) {
        return faults_of(m, m.node(Kind::Calculate, Maker::integer(), std::move(of), {op(how)}));
    };
    EXPECT_EQ(calculated(ExprOp::Add, {m.number(1), m.number(2)}), "");
    EXPECT_EQ(calculated(ExprOp::Divide, {m.number(1), m.number(2)}),
              "Calculate (rule count): operator 8 may end in an error");
    EXPECT_EQ(calculated(ExprOp::Add, {m.number(1)}),
              "Calculate (rule count): 1 operands for operator 5");
}

} // namespace
} // namespace croupier::engine::ir
