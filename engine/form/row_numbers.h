// Turns tests of the neighbours of a loop's row into sets of rows: whether a neighbour is in a set,
// and how many are, as binary digits each of which is a set of rows.
#pragma once

#include "engine/form/form.h"
#include "engine/form/test_rows.h"

#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

namespace croupier::engine::form {

// Shifts of words for each row of a loop that cost less than a search for each of its rows.
constexpr double kShiftsToFind = 8;

class RowNumbers {
  public:
    RowNumbers(Editor& edit, TestRows& tests) : edit_(edit), tests_(tests) {}

    // Whether the loop may be over so many rows that sets are better than tests: cells of a board
    // rather than cards of a hand.
    [[nodiscard]] bool has_many_rows() const { return size() > kWordRows / 2; }

    // Begins the loop over that row, as `tests` do; puts the sets that it needs in `before`.
    void enter(VarId row, std::vector<Id>* before);
    // Records that the variable, set in the loop, equals the value.
    void define(VarId var, Id value) { values_[var] = value; }
    // The value if it is such a number, read from the digits.
    std::optional<Id> number(Id value);
    // The rows for which a test of neighbours holds.
    std::optional<Id> rows(Id test);
    // The rows for which a search in the loop has a result, found with at most that many shifts of
    // words for each row; nullopt if that is not enough, or the search does more than test.
    std::optional<Id> rows_of(BlockId search, double most_shifts);

  private:
    // A set under construction: none, all, or an expression that is used once.
    struct Rows {
        enum class Is { None, All, Some } is = Is::None;
        Id set = 0;
    };
    using Digits = std::vector<Rows>; // the lowest first; each may be used often

    // A table's set for the loop's row, limited to the rows of an expression.
    struct Related {
        std::uint32_t table = 0;
        std::optional<Id> set; // all rows if nullopt
    };
    [[nodiscard]] const Node& node(Id id) const { return edit_.function().at(id); }
    [[nodiscard]] Type type() const { return {TypeKind::Set, edit_.var(row_).type.list}; }
    [[nodiscard]] std::size_t size() const { // rows of the loop's list
        return edit_.module().lists[type().list].values.size();
    }
    bool find_related(Id set, std::optional<Related>& made);
    std::optional<Related> related(Id set);
    std::uint32_t in_both(std::uint32_t one, std::uint32_t other);
    void join(std::optional<Id>& all, Id set);
    const std::optional<Shifts>& shifts(std::uint32_t table, Type set);

    std::optional<Rows> truth(Id test);
    std::optional<Rows> touching(Id set);
    std::optional<Rows> touching(const TestRows::Found& found);
    std::optional<Rows> compare(const Node& test);

    void begin();
    std::optional<Rows> found(BlockId search, std::size_t first);
    std::optional<Rows> each_code(VarId var, Id value, BlockId search, std::size_t next);
    std::optional<Rows> each_of_few(const Node& loop, Id set);
    std::optional<Rows> each_neighbour(const Node& loop, Id set);
    std::optional<Rows> with_code(Id set, std::uint32_t code);
    Rows touching(Id set, Type of_set, std::uint32_t table);
    Rows touching_at_once(Id set, Type of_set, std::uint32_t table);
    Rows touching(Id set, Type of_set, const Shift& shift);
    Id moved(Id set, Type of_set, const Shift& shift);
    [[nodiscard]] std::vector<std::uint32_t> codes_of(const Shift& shift) const;
    Id once(Id set);
    Id replaced(Id expression);

    // A number as a code that can index tables.
    struct Number {
        Id value = 0;
        VarId code = kNothing; // the number + 1, at most `most` + 1
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
    bool asks_ = false; // the current test depends on neighbours
    bool in_search_ = false;
    std::size_t most_cost_ = 0;
    std::size_t cost_ = 0;                // of the current search, in shifts of words
    std::size_t tries_ = 0;               // of rows and codes in it
    std::unordered_map<VarId, Id> known_; // values of the search's variables
    struct Touching {
        Id set = 0;
        Shift shift;
        VarId var = 0;
    };
    std::vector<Touching> touching_;         // made for the current search
    std::vector<std::pair<Id, VarId>> sets_; // the same, with their variables
    std::vector<std::uint64_t> here_; // the rows that are left in the current part of the search
    std::unordered_map<VarId, Id> values_;
    std::unordered_map<Id, Digits> digits_; // of values, as a cache
    std::map<std::uint32_t, std::optional<Shifts>> shifts_;
};

} // namespace croupier::engine::form
