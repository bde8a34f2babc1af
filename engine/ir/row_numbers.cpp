// What is asked of the rows next to each row of a loop, for all rows at once.
#include "engine/ir/row_numbers.h"

#include "engine/ir/probe.h"

#include <bit>
#include <utility>

namespace croupier::engine::ir {

namespace {

constexpr std::size_t kMostDigits = 16;

} // namespace

void RowNumbers::enter(VarId row, std::vector<Id>* before) {
    row_ = row;
    before_ = before;
    values_.clear();
    digits_.clear();
}

// ---- what stands next to the row -------------------------------------------------------------

void RowNumbers::join(std::optional<Id>& all, Id set) {
    if (all && is_part(edit_.module(), edit_.function(), set, *all)) {
        all = set;
        return;
    }
    all = all ? edit_.make(Kind::Both, node(set).type, {*all, set}) : set;
}

// False if it depends on the row in another way.
bool RowNumbers::find_related(Id set, std::optional<Related>& made) {
    const Node known = node(set);
    if (!tests_.depends(set)) {
        if (!made) {
            made.emplace();
            made->table = kNothing;
        }
        join(made->set, edit_.copy(set));
        return true;
    }
    switch (known.kind) {
    case Kind::Both:
        return find_related(known.operands[0], made) && find_related(known.operands[1], made);
    case Kind::Without: {
        if (tests_.depends(known.operands[1]) || !find_related(known.operands[0], made)) {
            return false;
        }
        const Id some = made->set ? *made->set : edit_.make(Kind::AllRows, known.type, {});
        made->set = edit_.make(Kind::Without, known.type, {some, edit_.copy(known.operands[1])});
        return true;
    }
    case Kind::TableRows:
        if (known.operands.size() != 1 || !tests_.is_row(known.operands[0]) ||
            (made && made->table != kNothing && made->table != known.x)) {
            return false;
        }
        if (!made) {
            made.emplace();
        }
        made->table = known.x;
        return true;
    default:
        return false;
    }
}

std::optional<RowNumbers::Related> RowNumbers::related(Id set) {
    std::optional<Related> made;
    if (!find_related(set, made) || !made || made->table == kNothing ||
        !shifts(made->table, node(set).type)) {
        return std::nullopt;
    }
    if (!made->set) {
        made->set = edit_.make(Kind::AllRows, node(set).type, {});
    }
    return made;
}

const std::optional<Shifts>& RowNumbers::shifts(std::uint32_t table, Type set) {
    const auto [known, is_new] = shifts_.try_emplace(table);
    if (is_new) {
        const Module& module = edit_.module();
        const std::size_t rows = module.lists[set.list].values.size();
        known->second = shifts_of(module.tables[table], static_cast<std::uint32_t>(rows));
    }
    return known->second;
}

std::optional<RowNumbers::Rows> RowNumbers::touching(Id set) {
    const auto found = related(set);
    if (!found) {
        return std::nullopt;
    }
    CROUPIER_REWRITE(TouchingRows);
    asks_ = true;
    const VarId var = edit_.new_var("touching", type());
    before_->push_back(edit_.make(Kind::LetTouching, {}, {*found->set}, var, found->table));
    return Rows{Rows::Is::Some, edit_.make(Kind::RowsOf, type(), {}, var)};
}

std::optional<RowNumbers::Digits> RowNumbers::counts(Id set) {
    const auto found = related(set);
    if (!found) {
        return std::nullopt;
    }
    CROUPIER_REWRITE(CountsOfRows);
    const auto count =
        static_cast<std::uint32_t>(std::bit_width(shifts(found->table, node(set).type)->most));
    Digits made;
    for (std::uint32_t i = 0; i < count; ++i) {
        const VarId var = edit_.new_var("digit", type());
        made.push_back({Rows::Is::Some, edit_.make(Kind::RowsOf, type(), {}, var)});
    }
    const VarId first = node(made[0].set).x;
    const Id let = edit_.make(Kind::LetCounts, {}, {*found->set}, first, found->table);
    edit_.at(let).number = count;
    before_->push_back(let);
    return made;
}

std::optional<Id> RowNumbers::number(Id value) {
    if (node(value).kind != Kind::CountRows) {
        return std::nullopt;
    }
    const auto known = digits(value);
    if (!known) {
        return std::nullopt;
    }
    std::vector<Id> operands = {edit_.variable(row_)};
    for (const Rows& digit : *known) {
        operands.push_back(again(digit).set);
    }
    return edit_.make(Kind::NumberAt, node(value).type, std::move(operands));
}

// ---- tests -----------------------------------------------------------------------------------

std::optional<Id> RowNumbers::rows(Id test) {
    asks_ = false;
    const auto found = truth(test);
    return found && asks_ ? std::optional(expression(kept(*found))) : std::nullopt;
}

std::optional<RowNumbers::Rows> RowNumbers::truth(Id test) {
    const Node known = node(test);
    switch (known.kind) {
    case Kind::AnyRow:
        return touching(known.operands[0]);
    case Kind::Not: {
        const auto some = truth(known.operands[0]);
        return some ? std::optional(without({Rows::Is::All}, *some)) : std::nullopt;
    }
    case Kind::And:
    case Kind::Or: {
        const auto one = truth(known.operands[0]);
        const auto two = one ? truth(known.operands[1]) : std::nullopt;
        if (!two) {
            return std::nullopt;
        }
        return known.kind == Kind::And ? both(*one, *two) : either(*one, *two);
    }
    case Kind::Compare:
        if (const auto found = compare(known)) {
            return found;
        }
        break;
    default:
        break;
    }
    auto set = tests_.asked(test);
    if (!set) {
        set = tests_.tabled(test, type());
    }
    return set ? std::optional(Rows{Rows::Is::Some, *set}) : coded(test);
}

std::optional<RowNumbers::Rows> RowNumbers::compare(const Node& test) {
    const auto a = digits(test.operands[0]);
    const auto b = a ? digits(test.operands[1]) : std::nullopt;
    if (!b) {
        return std::nullopt;
    }
    CROUPIER_REWRITE(CountsCompared);
    asks_ = true;
    const Rows all{Rows::Is::All};
    switch (static_cast<ExprOp>(test.x)) {
    case ExprOp::Equal:
        return equal(*a, *b);
    case ExprOp::NotEqual:
        return without(all, equal(*a, *b));
    case ExprOp::Less:
        return less(*a, *b);
    case ExprOp::Greater:
        return less(*b, *a);
    case ExprOp::LessEqual:
        return CROUPIER_MISTAKE(DigitsLessOrEqual) ? less(*a, *b) : without(all, less(*b, *a));
    default:
        return without(all, less(*a, *b));
    }
}

// ---- numbers ---------------------------------------------------------------------------------

// Of an integer that is not negative.
std::optional<RowNumbers::Digits> RowNumbers::digits(Id value) {
    if (const auto known = digits_.find(value); known != digits_.end()) {
        return known->second;
    }
    const Node known = node(value);
    std::optional<Digits> made;
    if (known.type.kind != TypeKind::Int) {
        return std::nullopt;
    }
    switch (known.kind) {
    case Kind::Variable:
        if (const auto defined = values_.find(known.x); defined != values_.end()) {
            return digits(defined->second);
        }
        break;
    case Kind::Constant:
        if (known.number >= 0 && known.number < std::int64_t{1} << kMostDigits) {
            made.emplace();
            for (std::int64_t left = known.number; left != 0; left >>= 1) {
                made->push_back({(left & 1) != 0 ? Rows::Is::All : Rows::Is::None});
            }
        }
        break;
    case Kind::CountRows:
        made = counts(known.operands[0]);
        break;
    case Kind::NumberAt:
        if (tests_.is_row(known.operands[0])) {
            asks_ = true;
            made.emplace();
            for (std::size_t i = 1; i < known.operands.size(); ++i) {
                made->push_back(kept({Rows::Is::Some, edit_.copy(known.operands[i])}));
            }
        }
        break;
    case Kind::Calculate:
        if (static_cast<ExprOp>(known.x) == ExprOp::Add) {
            const auto a = digits(known.operands[0]);
            const auto b = a ? digits(known.operands[1]) : std::nullopt;
            if (b) {
                CROUPIER_REWRITE(SumOfCounts);
                made = sum(*a, *b);
            }
        }
        break;
    default:
        break;
    }
    if (!made || made->size() > kMostDigits) {
        return std::nullopt;
    }
    digits_.emplace(value, *made);
    return made;
}

} // namespace croupier::engine::ir
