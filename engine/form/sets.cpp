// The pass `sets`: replaces tests of each row of a loop by sets of rows. Tests that do not depend
// on the row move before the loop; others limit the loop's set, for all rows at once. If only the
// number of rows matters, there is no loop at all.
#include "engine/form/edit.h"
#include "engine/form/effects.h"
#include "engine/form/form.h"
#include "engine/form/passes.h"
#include "engine/form/probe.h"
#include "engine/form/row_numbers.h"
#include "engine/form/test_rows.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace croupier::engine::form {

namespace {

struct OneTest {
    Id test = 0;
    std::vector<Id> lets; // statements that must come before it
};

// The test of one alternative, if it does nothing else; statements that set variables go to `lets`.
std::optional<Id> only_test(Editor& edit, BlockId search, std::vector<Id>& lets) {
    const std::vector<Id> all = edit.block(search).statements;
    std::optional<Id> made;
    for (const Id each : all) {
        const Node known = edit.at(each);
        if (each == all.back()) return known.kind == Kind::Yield ? made : std::nullopt;
        const bool plain = known.kind == Kind::Let || (known.kind == Kind::Test && !known.cuts());
        if (!plain || !is_total(edit.function(), known.operands[0])) return std::nullopt;
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

// Merges alternatives that only test, and of which codes show that no two hold, into one test.
std::optional<OneTest> test_of_alternatives(Editor& edit, TestRows& tests, Id alternatives) {
    const Node known = edit.at(alternatives);
    if (known.count() != 0) // results of their own
        return std::nullopt;
    OneTest made;
    std::vector<Id> all;
    for (std::size_t i = 0; i + 1 < known.blocks.size(); ++i) {
        const auto test = only_test(edit, known.blocks[i], made.lets);
        if (!test || std::any_of(all.begin(), all.end(), [&](Id other) {
                return !exclude_each_other(edit, tests, other, *test);
            }))
            return std::nullopt;
        all.push_back(*test);
    }
    CROUPIER_REWRITE(AlternativesExclude);
    made.test = all.front();
    for (std::size_t i = 1; i < all.size() && !CROUPIER_MISTAKE(OneAlternativeHolds); ++i)
        made.test = edit.make(Kind::Or, {TypeKind::Truth}, {made.test, all[i]});
    return made;
}

class SetMaker {
  public:
    SetMaker(Module& module, Function& function)
        : edit_(module, function), tests_(edit_), numbers_(edit_, tests_) {}

    void block(BlockId id) {
        std::vector<Id> made;
        std::vector<Id>* const outer = std::exchange(out_, &made);
        const std::size_t known = held_.size();
        for (const Id each : std::exchange(edit_.block(id).statements, {}))
            if (!is_held(each)) statement(each);
        if (!CROUPIER_MISTAKE(TestsHeldForEver)) held_.resize(known);
        out_ = outer;
        edit_.block(id).statements = std::move(made);
    }

  private:
    [[nodiscard]] const Node& node(Id id) const { return edit_.function().at(id); }

    void statement(Id id) {
        if (node(id).kind == Kind::EachRow) {
            rows_.insert(node(id).var());
            tests_.enter(node(id).var());
            std::unordered_map<VarId, Id> before;
            look_ahead(id, node(id).blocks[0], before);
        }
        if (is_any_order(id)) forget_orders(node(id).blocks[0]);
        for (std::size_t i = 0; i < node(id).blocks.size(); ++i)
            block(node(id).blocks[i]);
        switch (node(id).kind) {
        case Kind::EachRow:
            each_row(id);
            break;
        case Kind::NoMatch:
        case Kind::SomeMatch:
            match(id);
            break;
        case Kind::Gather:
            gather(id);
            break;
        case Kind::Alternatives:
            if (alternatives(id)) return;
            break;
        default:
            break;
        }
        out_->push_back(id);
    }

    // Whether it is a test that the searches around have passed. If not, the statements that follow
    // may rely on it.
    bool is_held(Id id) {
        if (node(id).kind != Kind::Test || node(id).cuts() ||
            !is_total(edit_.function(), node(id).operands[0]))
            return false;
        const bool held = std::ranges::any_of(held_, [&](Id each) {
            return same_expression(edit_.module(), edit_.function(), each, node(id).operands[0]);
        });
        CROUPIER_REWRITE_IF(held, TestPassedBefore);
        if (!held) held_.push_back(node(id).operands[0]);
        return held;
    }

    // ---- orders ----

    // Whether the order of a search's results makes no difference: no result prevents an error of
    // another, and nothing is drawn.
    [[nodiscard]] bool is_any_order(Id id) const {
        const Kind kind = node(id).kind;
        const bool any = kind == Kind::NoMatch || kind == Kind::SomeMatch ||
                         (kind == Kind::Gather && node(id).gathers() == KeyKind::Count);
        if (!any) return false;
        Effects effects; // of a count's search, since it is only other totals that raise errors
        for (const Id each : edit_.function().blocks[node(id).blocks[0]].statements)
            effects.join(effects_of(edit_.module(), edit_.function(), each));
        return (!effects.raises || CROUPIER_MISTAKE(ErrorsInAnyOrder)) && !effects.draws;
    }

    // Lets the loops of a search visit rows in the order of their sets.
    void forget_orders(BlockId search) {
        for_each_node_in(edit_.function(), search, [&](Id id) {
            if (node(id).kind != Kind::EachRow || node(id).order() == kNothing) return;
            CROUPIER_REWRITE(OrderUnseen);
            edit_.at(id).operands.resize(1);
            edit_.at(id).y = 0;
        });
    }

    // ---- loops ----

    void each_row(Id id) {
        const VarId row = node(id).var();
        const BlockId body = node(id).blocks[0];
        tests_.enter(row);
        numbers_.enter(row, out_);
        std::vector<Id> kept;
        bool movable = true; // later statements may still move before those that stay
        for (const Id each : std::exchange(edit_.block(body).statements, {})) {
            const Kind kind = node(each).kind;
            if (lets_rows(kind)) {
                rows_in_loop(each, kept);
                continue;
            }
            if ((kind == Kind::NoMatch || kind == Kind::SomeMatch) && movable &&
                !node(each).cuts()) {
                if (const auto rows = numbers_.rows_of(node(each).blocks[0], kShiftsToFind)) {
                    CROUPIER_REWRITE(RowsOfSearch);
                    narrow(id, kind == Kind::SomeMatch ? Kind::Both : Kind::Without, *rows);
                    continue;
                }
            }
            const bool plain = kind == Kind::Let || (kind == Kind::Test && !node(each).cuts());
            if (!movable || !plain || !is_total(edit_.function(), node(each).operands[0])) {
                movable = CROUPIER_MISTAKE(TestsPassErrors);
                for (const VarId var : variables_set(edit_.function(), each))
                    tests_.define_rows(var); // so statements that read it stay as well
                kept.push_back(each);
                continue;
            }
            const Id operand = node(each).operands[0];
            if (!tests_.depends(operand)) {
                CROUPIER_REWRITE(BeforeLoop);
                out_->push_back(each);
                continue;
            }
            if (kind == Kind::Let) {
                if (const auto number = numbers_.number(operand))
                    edit_.at(each).operands[0] = *number;
                numbers_.define(node(each).var(), operand);
                tests_.define(node(each).var(), operand);
                kept.push_back(each);
            } else if (!take(id, operand)) {
                kept.push_back(each);
            }
        }
        edit_.block(body).statements = std::move(kept);
        // Where the map, or what is above it, is not there, the set is empty.
        bool alone = true; // no other statement may rely on the test
        for (std::size_t i = out_->size(); i-- > 0;) {
            const Id before = (*out_)[i];
            const Kind kind = node(before).kind;
            if ((alone || asks_constant(before)) && is_implied(before, node(id).operands[0])) {
                CROUPIER_REWRITE(SetSaysIt);
                out_->erase(out_->begin() + static_cast<std::ptrdiff_t>(i));
            } else if (kind != Kind::Let || node(node(before).operands[0]).kind != Kind::NodeAt) {
                alone = false;
                if ((kind != Kind::Let && (kind != Kind::Test || node(before).cuts())) ||
                    !is_total(edit_.function(), node(before).operands[0]))
                    break;
            }
        }
    }

    // Limits the loop by tests further in, which hold for few of its rows whatever the loops within
    // choose. Nothing before such a test may end in an error, which a row left out would not reach.
    void look_ahead(Id loop, BlockId body, std::unordered_map<VarId, Id>& before) {
        for (const Id each : std::vector<Id>(edit_.block(body).statements)) {
            const Kind kind = node(each).kind;
            const bool plain = kind == Kind::Let || (kind == Kind::Test && !node(each).cuts()) ||
                               kind == Kind::LetRows || kind == Kind::EachRow;
            if (!plain || std::ranges::any_of(node(each).operands, [&](Id operand) {
                    return !is_total(edit_.function(), operand);
                }))
                return;
            if (kind == Kind::Test) {
                const Id all = node(loop).operands[0];
                if (const auto set =
                        tests_.by_any_choice(node(each).operands[0], node(all).type, before))
                    narrow(loop, Kind::Both, *set);
            } else if (kind == Kind::Let && node(node(each).operands[0]).kind == Kind::Load &&
                       !tests_.depends(node(each).operands[0]) &&
                       !tests_.reads_any(node(each).operands[0], before)) {
                before.emplace(node(each).var(), node(each).operands[0]);
            } else if (kind == Kind::Let) {
                tests_.define(node(each).var(), node(each).operands[0]);
            } else {
                tests_.define_rows(node(each).var());
            }
            if (kind == Kind::EachRow) look_ahead(loop, node(each).blocks[0], before);
        }
    }

    // Whether the test asks for the presence of a constant.
    [[nodiscard]] bool asks_constant(Id test) const {
        if (node(test).kind != Kind::Test || node(test).cuts()) return false;
        const Node& has = node(node(test).operands[0]);
        return has.kind == Kind::Has && node(has.operands[0]).kind == Kind::Table;
    }

    // Sets of rows that a loop further in has before it: before this one, if they can be.
    void rows_in_loop(Id id, std::vector<Id>& kept) {
        if (!tests_.depends(node(id).operands[0])) {
            CROUPIER_REWRITE(RowsBeforeLoop);
            out_->push_back(id);
            return;
        }
        for (const VarId var : variables_set_at(node(id)))
            tests_.define_rows(var);
        kept.push_back(id);
    }

    [[nodiscard]] bool is_implied(Id test, Id set) const {
        const Node& known = node(set);
        if (asks_constant(test)) {
            const Id value = node(node(test).operands[0]).operands[0];
            return is_empty_without(edit_.module(), edit_.function(), set, value);
        }
        if (known.kind == Kind::Both)
            return is_implied(test, known.operands[0]) || is_implied(test, known.operands[1]);
        if (node(test).kind != Kind::Test || node(test).cuts() ||
            node(node(test).operands[0]).kind != Kind::Present ||
            (known.kind != Kind::Rows && known.kind != Kind::RowsWith))
            return false;
        const Node& present = node(node(test).operands[0]);
        const std::size_t first = known.kind == Kind::RowsWith ? 1 : 0;
        const Layout& layout = edit_.layout();
        SchemaId above = known.schema();
        while (above != present.schema() && above != kNoSchema)
            above = layout.node(above).parent;
        return above != kNoSchema && first + present.operands.size() <= known.operands.size() &&
               std::equal(present.operands.begin(), present.operands.end(),
                          known.operands.begin() + static_cast<std::ptrdiff_t>(first),
                          [&](Id a, Id b) {
                              return same_expression(edit_.module(), edit_.function(), a, b);
                          });
    }

    // Limits the loop's set by the test; false if the test must run row by row.
    bool take(Id loop, Id test) {
        const bool negated = node(test).kind == Kind::Not;
        const Id asked = negated ? node(test).operands[0] : test;
        if (const auto set = tests_.by_state(asked)) {
            CROUPIER_REWRITE_EITHER(negated, RowsWithoutTest, RowsWithTest);
            narrow(loop, negated ? Kind::Without : Kind::Both, *set);
            return true;
        }
        if (const auto set = tests_.by_index(test, node(node(loop).operands[0]).type)) {
            narrow(loop, Kind::Both, *set);
            return true;
        }
        if (const auto set = tests_.by_table(test, node(node(loop).operands[0]).type)) {
            CROUPIER_REWRITE(RowsOfTable);
            narrow(loop, Kind::Both, *set);
            return true;
        }
        if (const auto set = numbers_.rows(test)) {
            narrow(loop, Kind::Both, *set);
            return true;
        }
        return false;
    }

    void narrow(Id loop, Kind how, Id set) {
        const Id old = node(loop).operands[0];
        if (how == Kind::Both && is_part(edit_.module(), edit_.function(), old, set)) {
            CROUPIER_REWRITE(PartOfSet);
            return;
        }
        const std::optional<Id> left = how == Kind::Both ? without_whole(old, set) : old;
        edit_.at(loop).operands[0] = left ? edit_.make(how, node(old).type, {*left, set}) : set;
    }

    // Drops, from the sets that are joined in `rows`, those that contain `part`; nullopt if none is
    // left.
    std::optional<Id> without_whole(Id rows, Id part) {
        const Node known = node(rows);
        if (known.kind == Kind::AllRows || is_part(edit_.module(), edit_.function(), part, rows)) {
            CROUPIER_REWRITE(SetOfPart);
            return std::nullopt;
        }
        if (known.kind != Kind::Both) return rows;
        const auto one = without_whole(known.operands[0], part);
        const auto other = without_whole(known.operands[1], part);
        if (!one || !other) return one ? one : other;
        edit_.at(rows).operands = {*one, *other};
        return rows;
    }

    // ---- alternatives ----

    // Replaces them by one test, which the rest of the search follows.
    bool alternatives(Id id) {
        const BlockId last = node(id).blocks.back();
        const auto found = test_of_alternatives(edit_, tests_, id);
        if (!found) return false;
        edit_.become(id, Kind::Test, {}, {found->test});
        const auto& rest = edit_.function().blocks[last].statements;
        out_->insert(out_->end(), found->lets.begin(), found->lets.end());
        out_->push_back(id);
        out_->insert(out_->end(), rest.begin(), rest.end());
        return true;
    }

    // ---- searches that only ask whether there are rows, or how many ----

    // A search that uses nothing of its rows: one loop without tests. Before the loop it may have
    // tests, and variables, which move before the search.
    struct OnlySet {
        std::vector<Id> tests;
        Id set = 0;
    };

    std::optional<OnlySet> only_set(BlockId search, bool may_test) {
        const std::vector<Id> outer = edit_.function().blocks[search].statements;
        if (outer.empty() || node(outer.back()).kind != Kind::EachRow) return std::nullopt;
        const auto& body = edit_.function().blocks[node(outer.back()).blocks[0]].statements;
        if (node(body.back()).kind != Kind::Yield || !node(body.back()).operands.empty() ||
            !std::all_of(body.begin(), body.end() - 1, [&](Id each) { return is_idle(each); }))
            return std::nullopt;
        OnlySet made{{}, node(outer.back()).operands[0]};
        for (const Id each : std::span(outer).first(outer.size() - 1)) {
            if (always_holds(each)) continue;
            if (is_idle(each) &&
                (made.tests.empty() || may_come_early(edit_.function(), node(each).operands[0])))
                continue;
            if (!may_test || node(each).kind != Kind::Test || node(each).cuts() ||
                !is_total(edit_.function(), node(each).operands[0]))
                return std::nullopt;
            made.tests.push_back(node(each).operands[0]);
        }
        if (!made.tests.empty() && !may_come_early(edit_.function(), made.set)) return std::nullopt;
        std::copy_if(outer.begin(), outer.end() - 1, std::back_inserter(*out_),
                     [&](Id each) { return node(each).kind != Kind::Test; });
        return made;
    }

    // Whether it sets variables and does nothing else.
    [[nodiscard]] bool is_idle(Id id) const {
        const Kind kind = node(id).kind;
        return (kind == Kind::Let || lets_rows(kind)) &&
               is_total(edit_.function(), node(id).operands[0]);
    }

    // Whether it is a test of an enclosing loop's row that holds for every row.
    bool always_holds(Id id) {
        if (node(id).kind != Kind::Test || node(id).cuts()) return false;
        const auto truths = tests_.truths_of_row(node(id).operands[0], rows_);
        const bool holds = truths && std::all_of(truths->begin() + 1, truths->end(),
                                                 [](char each) { return each != 0; });
        CROUPIER_REWRITE_IF(holds, TestOfLoopRow);
        return holds;
    }

    void match(Id id) {
        const auto rows = node(id).cuts() ? std::nullopt : only_set(node(id).blocks[0], true);
        if (!rows) return;
        CROUPIER_REWRITE_EITHER(node(id).kind == Kind::NoMatch, NoMatchOfRows, SomeMatchOfRows);
        Id found = edit_.make(Kind::AnyRow, {TypeKind::Truth}, {rows->set});
        for (std::size_t i = rows->tests.size();
             i-- > (CROUPIER_MISTAKE(FirstTestForgotten) ? 1 : 0);)
            found = edit_.make(Kind::And, {TypeKind::Truth}, {rows->tests[i], found});
        if (node(id).kind == Kind::NoMatch)
            found = edit_.make(Kind::Not, {TypeKind::Truth}, {found});
        edit_.become(id, Kind::Test, {}, {found});
    }

    void gather(Id id) {
        const bool counts = node(id).gathers() == KeyKind::Count;
        const auto found = counts ? only_set(node(id).blocks[0], false) : std::nullopt;
        if (!found) return;
        const Id set = found->set;
        const std::size_t rows = edit_.module().lists[node(set).type.list].values.size();
        const Type type{TypeKind::Int, 0, 0, static_cast<std::int64_t>(rows)};
        CROUPIER_REWRITE(CountOfRows);
        const VarId total = node(id).var();
        edit_.var(total).type = type;
        edit_.become(id, Kind::Let, {}, {edit_.make(Kind::CountRows, type, {set})}, total);
    }

    Editor edit_;
    TestRows tests_;
    RowNumbers numbers_;
    std::vector<Id> held_;           // operands of the tests that the searches around have passed
    std::unordered_set<VarId> rows_; // of loops, never 0
    std::vector<Id>* out_ = nullptr;
};

} // namespace

void make_sets(Module& module, Function& function) {
    SetMaker(module, function).block(function.body);
}

} // namespace croupier::engine::form
