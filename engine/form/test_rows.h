// The rows of a loop for which a test holds, as a set.
#pragma once

#include "engine/form/code_tables.h"

#include <optional>
#include <unordered_set>
#include <vector>

namespace croupier::engine::form {

// All rows of the first are surely in the second: the rows of a map, or of a table.
bool is_part(const Module& module, const Function& function, Id part, Id whole);
// There are no rows where the value, an entry of a table, is none.
bool is_empty_without(const Module& module, const Function& function, Id rows, Id value);

class TestRows {
  public:
    explicit TestRows(Editor& edit);

    // Speaks of the loop over that row from now on and forgets all others.
    void enter(VarId row);
    // The variable, set in the loop, is the value.
    void define(VarId var, Id value);
    // A set of rows that depends on the row.
    void define_rows(VarId var) { depends_.insert(var); }
    // The expression reads the row, or what has been defined.
    [[nodiscard]] bool depends(Id id) const;

    // The set of a test of the state that asks at the row and nowhere else; nothing for others.
    std::optional<Id> by_state(Id test);
    // The set, of that type, of a test that depends on the row's code and others alone.
    std::optional<Id> by_table(Id test, Type set);

    // The same for a test whether the row has a code in a large table that no other row has.
    std::optional<Id> by_index(Id test, Type set);

    // Whether a test that depends on codes alone holds, for all choices of them.
    std::optional<std::vector<char>> truths(Id test);

    // The same for one that depends on one of the variables alone.
    std::optional<std::vector<char>> truths_of_row(Id test, const std::unordered_set<VarId>& rows);

    // It is the loop's row.
    [[nodiscard]] bool is_row(Id id) const;

  private:
    [[nodiscard]] const Node& node(Id id) const { return edit_.function().at(id); }
    [[nodiscard]] bool holds_codes(SchemaId leaf) const;
    std::optional<Id> rows_at(Id declared);
    std::optional<Id> rows_of_column(const CodeTables::Made& made);
    [[nodiscard]] bool is_of_one_column(const std::vector<Id>& leaves) const;
    std::optional<Id> rows_of_chosen(const CodeTables::Made& made);
    std::optional<Id> row_of_code(Id asked, Id given);
    [[nodiscard]] LookupTable each_row_alone(std::uint32_t list) const;
    std::uint32_t kept(LookupTable made);
    static void fill_words(LookupTable& rows, const CodeTables::Made& entries, std::size_t of_row);

    Editor& edit_;
    CodeTables tables_;
    VarId row_ = kNothing;
    std::unordered_set<VarId> depends_; // variables that depend on the row, and it
};

} // namespace croupier::engine::form
