// A rule that does the same at each row of a set, as one that does it for all of them at once.
#pragma once

#include "engine/ir/edit.h"
#include "engine/ir/row_numbers.h"

#include <optional>
#include <unordered_map>
#include <vector>

namespace croupier::engine::ir {

// One rule. What does not fit stays as it is.
class RuleOfRows {
  public:
    RuleOfRows(Editor& edit, Id apply)
        : edit_(edit), tests_(edit), numbers_(edit, tests_), apply_(apply) {}

    // `shares`: other rules may make the same sets from the same state.
    void rewrite(bool shares);

  private:
    [[nodiscard]] const Node& node(Id id) const { return edit_.function().at(id); }
    [[nodiscard]] std::vector<Id> statements(BlockId block) const {
        return edit_.function().blocks[block].statements;
    }
    [[nodiscard]] Type rows_of_loop() const { return node(node(loop_).operands[0]).type; }

    bool find_loop();
    std::optional<Id> in_search(Id id);
    Id taken(Id value);
    std::optional<Id> outer(Id id);
    std::optional<Id> rows_of(Id truth);
    bool change(Id id);
    bool ensure(Id id);
    bool find_place(Id id, std::size_t first);
    [[nodiscard]] std::optional<std::int64_t> moved_by(const Node& table) const;
    bool store(Id id, Id value, Id set);
    [[nodiscard]] bool surely_fits(const SchemaNode& leaf, Id value) const;
    void write(Id id, Kind kind, std::vector<Id> operands);
    void share(Id parent, std::vector<Id>& before);
    void replace(bool shares);

    Editor& edit_;
    TestRows tests_;
    RowNumbers numbers_;
    Id apply_;
    Id loop_ = 0;
    std::unordered_map<VarId, Id> meaning_; // of the action's variables, in the search
    std::vector<Id> before_;                // sets that are made before the loop
    std::vector<Id> yielded_;               // the first is the set of the loop
    std::vector<VarId> taken_;              // as the action reads them
    std::vector<Id> made_;                  // the action's statements
    Id set_ = 0;                            // the rows that are written,
    std::vector<Id> outer_;                 // and the codes of the maps around
    bool writes_ = false;
};

// Variables with consecutive numbers in place of those, wherever the block reads them; the first.
VarId number_together(Editor& edit, const std::vector<VarId>& vars, BlockId block);

} // namespace croupier::engine::ir
