// The rows of a loop for which a test holds, as a set.
#pragma once

#include "engine/form/code_tables.h"

#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace croupier::engine::form {

// Whether all rows of `part` are known to be in `whole`, the rows of a map that exist or of a
// table.
bool is_part(const Module& module, const Function& function, Id part, Id whole);
// Whether the set is empty wherever the value, an entry of a table, is none.
bool is_empty_without(const Module& module, const Function& function, Id rows, Id value);

class TestRows {
  public:
    explicit TestRows(Editor& edit);

    // Begins the loop over that row and forgets all others.
    void enter(VarId row);
    // Records that the variable, set in the loop, equals the value.
    void define(VarId var, Id value);
    // Records that the variable is a set of rows that depends on the row.
    void define_rows(VarId var) { depends_.insert(var); }
    // Whether the expression reads the row, or a variable that has been defined.
    [[nodiscard]] bool depends(Id id) const;

    // The set for a test that reads the state only at the row; else nullopt.
    std::optional<Id> by_state(Id test);
    // Whether it reads one of these variables.
    [[nodiscard]] bool reads_any(Id id, const std::unordered_map<VarId, Id>& vars) const;

    // The set, of type `set`, for a test that depends only on codes, the row's among them.
    std::optional<Id> by_table(Id test, Type set);

    // The same for a test of the row's code in a large table in which no two rows have the same.
    std::optional<Id> by_index(Id test, Type set);

    // The rows with which a test further in can hold, whatever is chosen there. `before` has the
    // values of variables that the loop sets and that could be set before it.
    std::optional<Id> by_any_choice(Id test, Type set, const std::unordered_map<VarId, Id>& before);

    // For a test of the state at a row that the loop's row finds in tables: the rows for which it
    // holds, and the code of the one that each row of the loop finds, for each choice of codes that
    // do not depend on the loop's row.
    struct Found {
        Id set = 0;
        std::vector<Id> codes;
        std::vector<std::uint32_t> sizes; // of each code
        std::vector<std::uint32_t> rows;  // the code of the loop's row varies fastest
    };
    std::optional<Found> by_found(Id test);

    // The table of sets by the loop's row that the tables of TableRows come to; kNothing if more
    // than that row chooses.
    std::uint32_t by_row(Id table_rows);
    // A set that is always the same.
    Id fixed_rows(std::vector<std::uint64_t> words, Type set);
    std::uint32_t kept(LookupTable made);
    // The table in which each code has the set of the row whose code is given for it, or no row.
    [[nodiscard]] LookupTable relation_of(const std::vector<std::uint32_t>& codes,
                                          Type of_set) const;

    // The outcomes, for all choices of codes, of a test that depends only on codes.
    std::optional<std::vector<char>> truths(Id test);

    // The same for a test that depends only on one of the variables.
    std::optional<std::vector<char>> truths_of_row(Id test, const std::unordered_set<VarId>& rows);

    // The code of a value for each code of the row, for each choice of other codes, which it adds
    // to those of `chosen`; nullopt if it depends on anything else.
    std::optional<std::vector<std::uint32_t>> codes_by_row(Id value, Found& chosen);
    // The same where only the row chooses.
    std::optional<std::vector<std::uint32_t>> codes_by_row(Id value) {
        Found none;
        auto codes = codes_by_row(value, none);
        return none.codes.empty() ? codes : std::nullopt;
    }

    // Whether it is the loop's row.
    [[nodiscard]] bool is_row(Id id) const;

  private:
    [[nodiscard]] const Node& node(Id id) const { return edit_.function().at(id); }
    [[nodiscard]] bool holds_codes(SchemaId leaf) const;
    std::optional<Id> rows_at(Id declared);
    std::optional<Id> rows_of_column(const CodeTables::Made& made);
    [[nodiscard]] bool is_of_one_column(const std::vector<Id>& leaves) const;
    std::optional<Id> rows_of_chosen(const CodeTables::Made& made);
    std::optional<Id> row_of_code(Id asked, Id given);
    std::optional<Id> any_choice(const CodeTables::Made& made, std::optional<Id> asked, Type set,
                                 const std::unordered_map<VarId, Id>& before);
    [[nodiscard]] std::size_t size_of(Type type) const {
        return edit_.module().lists[type.list].values.size();
    }

    Editor& edit_;
    CodeTables tables_;
    VarId row_ = kNothing;
    std::unordered_set<VarId> depends_; // the row, and variables that depend on it
};

} // namespace croupier::engine::form
