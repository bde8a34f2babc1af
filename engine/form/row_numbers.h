// Turns tests of the rows next to each row of a loop into sets of rows: whether one of them is in a
// set, and how many are, as binary digits each of which is a set of rows.
#pragma once

#include "engine/form/form.h"
#include "engine/form/test_rows.h"

#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

namespace croupier::engine::form {

class RowNumbers {
  public:
    RowNumbers(Editor& edit, TestRows& tests) : edit_(edit), tests_(tests) {}

    // Speaks of the loop over that row from now on, as `tests` do; what it needs goes before it.
    void enter(VarId row, std::vector<Id>* before);
    // The variable, set in the loop, is the value.
    void define(VarId var, Id value) { values_[var] = value; }
    // A value that is such a number, read from the digits.
    std::optional<Id> number(Id value);
    // The rows for which a test that asks for such things holds.
    std::optional<Id> rows(Id test);

  private:
    // Rows as they are put together: none, all, or an expression that stands in one place.
    struct Rows {
        enum class Is { None, All, Some } is = Is::None;
        Id set = 0;
    };
    using Digits = std::vector<Rows>; // the lowest first; each may be used often

    // The rows of an expression that are in a table's set for the loop's row.
    struct Related {
        std::uint32_t table = 0;
        std::optional<Id> set; // none: all
    };
    [[nodiscard]] const Node& node(Id id) const { return edit_.function().at(id); }
    [[nodiscard]] Type type() const { return {TypeKind::Set, edit_.var(row_).type.list}; }
    bool find_related(Id set, std::optional<Related>& made);
    std::optional<Related> related(Id set);
    void join(std::optional<Id>& all, Id set);
    const std::optional<Shifts>& shifts(std::uint32_t table, Type set);

    std::optional<Rows> truth(Id test);
    std::optional<Rows> touching(Id set);
    std::optional<Rows> compare(const Node& test);

    // A number as a code that tables can be made by.
    struct Number {
        Id value = 0;
        VarId code = kNothing; // from 1, for 0, to 1 more than the most
        Digits digits;
        std::int64_t most = 0;
    };
    class Chooser;
    std::int64_t most_of(Id value, const Digits& digits);
    Id with_codes(Id id, std::vector<Number>& numbers);
    Id code_of_number(Id value, const Digits& digits, std::vector<Number>& numbers);
    std::optional<Rows> by_case(Id test);
    std::optional<Rows> each_value(Id test, const std::vector<Number>& numbers, std::size_t first);
    void put_code(Id id, VarId var, std::int64_t code);

    std::optional<Digits> digits(Id value);
    std::optional<Digits> counts(Id set);
    Digits sum(const Digits& a, const Digits& b);
    Rows less(const Digits& a, const Digits& b);
    Rows equal(const Digits& a, const Digits& b);

    Rows again(const Rows& rows);
    Rows kept(const Rows& rows);
    Rows both(Rows a, Rows b);
    Rows either(Rows a, Rows b);
    Rows without(Rows a, Rows b);
    Rows differ(Rows a, Rows b);
    Rows made(Kind kind, Id a, Id b);
    Id expression(const Rows& rows);

    Editor& edit_;
    TestRows& tests_;
    VarId row_ = kNothing;
    std::vector<Id>* before_ = nullptr;
    bool asks_ = false; // the current test asks for what is next to a row
    std::unordered_map<VarId, Id> values_;
    std::unordered_map<Id, Digits> digits_; // of values that have been asked for
    std::map<std::uint32_t, std::optional<Shifts>> shifts_;
};

} // namespace croupier::engine::form
