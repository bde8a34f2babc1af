// Rows whose code in a table is another code: asked the other way round, which row has that code.
#include "engine/ir/lists.h"
#include "engine/ir/probe.h"
#include "engine/ir/test_rows.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace croupier::engine::ir {

namespace {

// Fewer choices are better a set for each.
constexpr std::size_t kManyChoices = std::size_t{1} << 13;

} // namespace

std::optional<Id> TestRows::turned(Id test, Type set) {
    if (node(test).kind != Kind::Compare || static_cast<ExprOp>(node(test).x) != ExprOp::Equal) {
        return std::nullopt;
    }
    for (const std::size_t side : {0, 1}) {
        const Id asked = node(test).operands[1 - side];
        const Id given = node(test).operands[side];
        if (node(asked).type.kind == TypeKind::Code && node(asked).type == node(given).type &&
            !depends(asked) && depends(given)) {
            if (const auto row = row_of_code(asked, given)) {
                return edit_.make(Kind::TableRows, set, {*row}, kept(each_row_alone(set.list)));
            }
        }
    }
    return std::nullopt;
}

// The row for which `given` comes to the code that is asked for; none if there is no such row.
// Nothing if there may be several, or if it depends on more than codes.
std::optional<Id> TestRows::row_of_code(Id asked, Id given) {
    const auto made = tables_.of(given);
    if (!made) {
        return std::nullopt;
    }
    std::size_t of_row = made->leaves.size();
    std::vector<Id> codes;
    Table table;
    for (std::size_t i = 0; i < made->leaves.size(); ++i) {
        if (is_row(made->leaves[i])) {
            of_row = i;
        } else if (depends(made->leaves[i])) {
            return std::nullopt;
        } else {
            codes.push_back(made->leaves[i]);
            table.sizes.push_back(made->sizes[i]);
        }
    }
    const Module& module = edit_.module();
    const std::uint32_t list = node(asked).type.list;
    table.sizes.push_back(static_cast<std::uint32_t>(module.lists[list].values.size() + 1));
    std::size_t entries = 1;
    for (const std::uint32_t size : table.sizes) {
        entries *= size;
    }
    if (of_row == made->leaves.size() || entries * made->sizes[of_row] < kManyChoices ||
        entries > Entries::kMost) {
        return std::nullopt;
    }
    std::vector<std::uint32_t> code_of_value;
    for (const auto& each : made->outcomes->values) {
        code_of_value.push_back(code_of(module, list, *each));
    }
    std::size_t inside = 1; // choices between one row and the next
    for (std::size_t i = of_row + 1; i < made->sizes.size(); ++i) {
        inside *= made->sizes[i];
    }
    const std::uint32_t row_list = edit_.var(row_).type.list;
    const std::size_t rows = made->sizes[of_row];
    std::vector<Value> row_values(entries);
    for (std::size_t choice = 0; choice < made->size(); ++choice) {
        const std::size_t row = choice / inside % rows;
        const std::uint32_t code = code_of_value[made->outcomes->places[choice]];
        if (row == 0 || code == 0) {
            continue;
        }
        const std::size_t others = choice / (inside * rows) * inside + choice % inside;
        Value& entry = row_values[others * table.sizes.back() + code];
        if (entry.tag != Tag::None) {
            return std::nullopt;
        }
        entry = module.lists[row_list]
                    .values[CROUPIER_MISTAKE(RowAfterAsked) ? row % (rows - 1) : row - 1];
    }
    CROUPIER_REWRITE(RowOfCode);
    table.values = Entries(row_values);
    for (Id& each : codes) {
        each = edit_.copy(each);
    }
    codes.push_back(edit_.copy(asked));
    edit_.module().tables.push_back(std::move(table));
    return edit_.make(Kind::Table, code_type(row_list), std::move(codes),
                      static_cast<std::uint32_t>(edit_.module().tables.size() - 1));
}

// For each code of the list the set of its row; for none no row.
Table TestRows::each_row_alone(std::uint32_t list) const {
    const auto rows = static_cast<std::uint32_t>(edit_.module().lists[list].values.size());
    const std::uint32_t words = words_for(rows);
    Table table;
    table.sizes = {rows + 1};
    table.words.resize(std::size_t{rows + 1} * words);
    for (std::uint32_t row = 0; row < rows; ++row) {
        table.words[std::size_t{row + 1} * words + row / kWordRows] = std::uint64_t{1}
                                                                      << row % kWordRows;
    }
    return table;
}

} // namespace croupier::engine::ir
