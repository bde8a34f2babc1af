// Tests of a number that rows have as binary digits and of codes, such as a look-up of the number
// in the table that a row's code chooses: as sets of rows, put together digit by digit.
#include "engine/ir/lists.h"
#include "engine/ir/probe.h"
#include "engine/ir/row_numbers.h"
#include "engine/ir/same.h"

#include <algorithm>
#include <map>
#include <utility>

namespace croupier::engine::ir {

namespace {

// Of one number: each is a case of its own.
constexpr std::int64_t kMostCases = 63;
constexpr std::size_t kMostNumbers = 2;
// Of a number that there cannot be: any set will do.
constexpr std::uint32_t kNoCase = 0xffffffff;

using Cases = std::vector<std::uint32_t>;

// Both, if they differ nowhere that matters.
std::optional<Cases> merged(const Cases& a, const Cases& b) {
    Cases made;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (a[i] != b[i] && a[i] != kNoCase && b[i] != kNoCase) {
            return std::nullopt;
        }
        made.push_back(a[i] == kNoCase ? b[i] : a[i]);
    }
    return made;
}

} // namespace

// Which of several sets a row belongs to is what its number says.
class RowNumbers::Chooser {
  public:
    Chooser(RowNumbers& numbers, const Digits& digits, const std::vector<Rows>& sets)
        : numbers_(numbers), digits_(digits), sets_(sets) {}

    // The set for each value of the lower digits that are left.
    Rows rows(const Cases& cases) {
        const auto first = std::find_if(cases.begin(), cases.end(),
                                        [](std::uint32_t each) { return each != kNoCase; });
        if (first == cases.end()) {
            return {};
        }
        if (std::all_of(first, cases.end(),
                        [&](std::uint32_t each) { return each == *first || each == kNoCase; })) {
            return numbers_.again(sets_[*first]);
        }
        if (const auto known = made_.find(cases); known != made_.end()) {
            return numbers_.again(known->second);
        }
        const auto middle = cases.begin() + static_cast<std::ptrdiff_t>(cases.size() / 2);
        const Cases low(cases.begin(), middle);
        const Cases high(middle, cases.end());
        if (const auto either = merged(low, high)) {
            return rows(*either);
        }
        std::size_t digit = 0;
        while (std::size_t{2} << digit < cases.size()) {
            ++digit;
        }
        const Rows made = numbers_.kept(chosen(digits_[digit], rows(high), rows(low)));
        made_.emplace(cases, made);
        return numbers_.again(made);
    }

  private:
    // One set where the digit is 1, the other where it is 0.
    Rows chosen(const Rows& digit, const Rows& one, const Rows& zero) {
        const auto again = [&] { return numbers_.again(digit); };
        if (one.is == Rows::Is::All) {
            return numbers_.either(again(), zero);
        }
        if (zero.is == Rows::Is::All) {
            return numbers_.either(numbers_.without(zero, again()), one);
        }
        return numbers_.either(numbers_.both(again(), one), numbers_.without(zero, again()));
    }

    RowNumbers& numbers_;
    const Digits& digits_;
    const std::vector<Rows>& sets_;
    std::map<Cases, Rows> made_;
};

// The greatest that the number, whose digits are known, can be.
std::int64_t RowNumbers::most_of(Id value, const Digits& digits) {
    const Node known = node(value);
    const auto all = (std::int64_t{1} << digits.size()) - 1;
    if (known.kind == Kind::CountRows) {
        const auto found = related(known.operands[0]);
        return found ? shifts(found->table, node(known.operands[0]).type)->most : all;
    }
    if (known.kind == Kind::Variable) {
        const auto defined = values_.find(known.x);
        return defined == values_.end() ? all : most_of(defined->second, digits);
    }
    if (known.kind == Kind::Calculate) {
        std::int64_t sum = 0;
        for (const Id each : known.operands) {
            sum += most_of(each, *this->digits(each));
        }
        return sum;
    }
    return known.kind == Kind::Constant ? known.number : all;
}

// The expression as it is without what the loop defines, and with a code in place of each number.
Id RowNumbers::with_codes(Id id, std::vector<Number>& numbers) {
    const Node known = node(id);
    if (known.kind != Kind::Constant && known.type.kind == TypeKind::Int) {
        if (const auto found = digits(id)) {
            return code_of_number(id, *found, numbers);
        }
    }
    if (known.kind == Kind::Variable) {
        const auto defined = values_.find(known.x);
        return defined == values_.end() ? edit_.copy(id) : with_codes(defined->second, numbers);
    }
    const Id copy = edit_.make(known.kind, known.type, {});
    Node made = known;
    for (Id& operand : made.operands) {
        operand = with_codes(operand, numbers);
    }
    edit_.at(copy) = std::move(made);
    return copy;
}

Id RowNumbers::code_of_number(Id value, const Digits& digits, std::vector<Number>& numbers) {
    const auto known = std::find_if(numbers.begin(), numbers.end(), [&](const Number& each) {
        return same_expression(edit_.module(), edit_.function(), each.value, value);
    });
    if (known != numbers.end()) {
        return edit_.variable(known->code);
    }
    const std::int64_t most = most_of(value, digits);
    const std::int64_t cases = std::min(most, kMostCases);
    const Type type = code_type(list_of_range(edit_.module(), 0, cases));
    numbers.push_back({value, edit_.new_var("number", type), digits, most});
    return edit_.variable(numbers.back().code);
}

// The rows for which a test holds that asks for codes and for numbers, whatever it makes of them.
std::optional<RowNumbers::Rows> RowNumbers::coded(Id test) {
    std::vector<Number> numbers;
    const Id asked = with_codes(test, numbers);
    const bool few = std::all_of(numbers.begin(), numbers.end(),
                                 [](const Number& each) { return each.most <= kMostCases; });
    if (numbers.empty() || numbers.size() > kMostNumbers || !few) {
        return std::nullopt;
    }
    const auto made = by_cases(asked, numbers, 0);
    if (made) {
        CROUPIER_REWRITE(CountsLookedUp);
        asks_ = true;
    }
    return made;
}

// One number after the other is taken for each of its values.
std::optional<RowNumbers::Rows> RowNumbers::by_cases(Id test, const std::vector<Number>& numbers,
                                                     std::size_t first) {
    if (first == numbers.size()) {
        const auto truths = tests_.truths(test);
        if (truths && std::all_of(truths->begin(), truths->end(),
                                  [&](char each) { return each == truths->front(); })) {
            return Rows{truths->front() != 0 ? Rows::Is::All : Rows::Is::None};
        }
        auto set = tests_.asked(test);
        if (!set) {
            set = tests_.tabled(test, type());
        }
        return set ? std::optional(kept({Rows::Is::Some, *set})) : std::nullopt;
    }
    const Number& number = numbers[first];
    std::map<std::vector<char>, std::uint32_t> known;
    std::vector<Rows> sets;
    Cases cases(std::size_t{1} << number.digits.size(), kNoCase);
    for (std::int64_t value = 0; value <= number.most; ++value) {
        const std::int64_t code = CROUPIER_MISTAKE(CaseOfOneLess) && value > 0 ? value : value + 1;
        const Id of_value = edit_.copy(test);
        put_code(of_value, number.code, code);
        const auto truths = tests_.truths(of_value);
        if (!truths) {
            return std::nullopt;
        }
        const auto [place, is_new] =
            known.try_emplace(*truths, static_cast<std::uint32_t>(sets.size()));
        if (is_new) {
            const auto set = by_cases(of_value, numbers, first + 1);
            if (!set) {
                return std::nullopt;
            }
            sets.push_back(*set);
        }
        cases[static_cast<std::size_t>(value)] = place->second;
    }
    return Chooser(*this, number.digits, sets).rows(cases);
}

// The variable is that code.
void RowNumbers::put_code(Id id, VarId var, std::int64_t code) {
    if (node(id).kind == Kind::Variable && node(id).x == var) {
        edit_.at(id).kind = Kind::Constant;
        edit_.at(id).x = 0;
        edit_.at(id).number = code;
    }
    for (const Id operand : std::vector<Id>(node(id).operands)) {
        put_code(operand, var, code);
    }
}

} // namespace croupier::engine::ir
