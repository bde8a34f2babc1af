// Alternatives of which at most one can hold.
#include "engine/ir/exclusive.h"

#include "engine/ir/effects.h"
#include "engine/ir/probe.h"

#include <algorithm>

namespace croupier::engine::ir {

namespace {

// What one alternative tests, if it does nothing else; what it sets goes to `lets`.
std::optional<Id> only_test(Editor& edit, BlockId search, std::vector<Id>& lets) {
    const std::vector<Id> all = edit.block(search).statements;
    std::optional<Id> made;
    for (const Id each : all) {
        const Node known = edit.at(each);
        if (each == all.back()) {
            return known.kind == Kind::Yield ? made : std::nullopt;
        }
        const bool plain = known.kind == Kind::Let || (known.kind == Kind::Test && known.y == 0);
        if (!plain || !is_total(edit.function(), known.operands[0])) {
            return std::nullopt;
        }
        if (known.kind == Kind::Let) {
            lets.push_back(each);
        } else {
            const Id asked = known.operands[0];
            made = made ? edit.make(Kind::And, {TypeKind::Truth}, {*made, asked}) : asked;
        }
    }
    return std::nullopt;
}

bool exclude_each_other(Editor& edit, TestRows& tests, Id a, Id b) {
    const Id both = edit.make(Kind::And, {TypeKind::Truth}, {edit.copy(a), edit.copy(b)});
    const auto truths = tests.truths(both);
    return truths &&
           std::none_of(truths->begin(), truths->end(), [](char each) { return each != 0; });
}

} // namespace

std::optional<OneTest> test_of_alternatives(Editor& edit, TestRows& tests, Id alternatives) {
    const Node known = edit.at(alternatives);
    if (known.number != 0) { // results of their own
        return std::nullopt;
    }
    OneTest made;
    std::vector<Id> all;
    for (std::size_t i = 0; i + 1 < known.blocks.size(); ++i) {
        const auto test = only_test(edit, known.blocks[i], made.lets);
        if (!test || std::any_of(all.begin(), all.end(), [&](Id other) {
                return !exclude_each_other(edit, tests, other, *test);
            })) {
            return std::nullopt;
        }
        all.push_back(*test);
    }
    CROUPIER_REWRITE(AlternativesExclude);
    made.test = all.front();
    for (std::size_t i = 1; i < all.size() && !CROUPIER_MISTAKE(OneAlternativeHolds); ++i) {
        made.test = edit.make(Kind::Or, {TypeKind::Truth}, {made.test, all[i]});
    }
    return made;
}

} // namespace croupier::engine::ir
