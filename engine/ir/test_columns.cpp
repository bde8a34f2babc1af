// The rows of a map for whose values, in a column of codes, a test holds.
#include "engine/ir/lists.h"
#include "engine/ir/probe.h"
#include "engine/ir/test_rows.h"

#include <algorithm>
#include <utility>

namespace croupier::engine::ir {

namespace {

// Comparisons of a column with single codes: more cost more than asking row by row.
constexpr std::size_t kMostColumns = 4;

} // namespace

// The rows for whose codes in a column something holds.
std::optional<Id> TestRows::rows_of_column(const CodeTables::Made& made) {
    const Id load = made.leaves[0];
    if (node(load).kind != Kind::Load || !rows_at(load)) {
        return std::nullopt;
    }
    std::vector<std::uint32_t> codes; // that are there and for which it is as for none
    const bool of_none = made[0].truth();
    for (std::uint32_t code = 1; code < made.size(); ++code) {
        if (made[code].truth() != of_none) {
            codes.push_back(code);
        }
    }
    const bool unit = node(load).type == code_type(list_of_truths(edit_.module())) &&
                      edit_.module().catalogue->layout->node(node(load).x).kind == ShapeKind::Unit;
    if (unit) { // true, wherever it is
        std::erase(codes, 1u);
    }
    const bool all = codes.size() + (unit ? 2 : 1) == made.size();
    if (codes.empty() || (!all && codes.size() > kMostColumns)) {
        return std::nullopt;
    }
    std::optional<Id> set;
    if (all) {
        CROUPIER_REWRITE(AnyCodeOfColumn);
        set = rows_at(load);
    }
    for (std::size_t i = 0; i < codes.size() && !all; ++i) {
        CROUPIER_REWRITE(CodesOfColumn);
        const auto with = rows_at(load);
        edit_.at(*with).kind = Kind::RowsWith;
        const Id code = edit_.make(Kind::Constant, node(load).type, {});
        edit_.at(code).number = codes[i];
        auto& operands = edit_.at(*with).operands;
        operands.insert(operands.begin(), code);
        set = set ? edit_.make(Kind::Either, node(*with).type, {*set, *with}) : *with;
    }
    if (of_none && !CROUPIER_MISTAKE(SetWithoutAbsentRows)) {
        CROUPIER_REWRITE(RowsOfAbsence);
        const Type type = node(*set).type;
        const Id whole = edit_.make(Kind::AllRows, type, {});
        set = edit_.make(Kind::Without, type, {whole, *set});
    }
    return set;
}

// One of them is what a column has at the row, the others do not depend on the row.
bool TestRows::is_of_one_column(const std::vector<Id>& leaves) const {
    return std::count_if(leaves.begin(), leaves.end(), [&](Id leaf) {
               return node(leaf).kind == Kind::Load || depends(leaf);
           }) == 1;
}

// The rows that have, in a column, the one code that other codes choose, or all rows but those.
std::optional<Id> TestRows::rows_of_chosen(const CodeTables::Made& made) {
    const auto found = std::find_if(made.leaves.begin(), made.leaves.end(),
                                    [&](Id leaf) { return node(leaf).kind == Kind::Load; });
    if (found == made.leaves.end() || !holds_codes(node(*found).x) || !rows_at(*found)) {
        return std::nullopt;
    }
    const auto column = static_cast<std::size_t>(found - made.leaves.begin());
    const Type type = node(*found).type;
    std::size_t inside = 1; // choices between one code of the column and the next
    for (std::size_t i = column + 1; i < made.sizes.size(); ++i) {
        inside *= made.sizes[i];
    }
    const std::size_t size = made.sizes[column];
    const bool of_none = made[0].truth();
    std::vector<Value> chosen;
    for (std::size_t choice = 0; choice < made.size() / size; ++choice) {
        const std::size_t first = choice / inside * inside * size + choice % inside;
        std::size_t count = made[first].truth() == of_none ? 0 : 2;
        chosen.emplace_back();
        for (std::size_t code = 1; code < size; ++code) {
            if (made[first + code * inside].truth() != of_none) {
                ++count;
                chosen.back() = edit_.module().lists[type.list].values[code - 1];
            }
        }
        if (count > 1) {
            return std::nullopt;
        }
        if (CROUPIER_MISTAKE(FirstCodeChosen)) chosen.back() = chosen.front();
    }
    CROUPIER_REWRITE(RowsWithChosenCode);
    Table table;
    std::vector<Id> codes;
    for (std::size_t i = 0; i < made.leaves.size(); ++i) {
        if (i != column) {
            codes.push_back(edit_.copy(made.leaves[i]));
            table.sizes.push_back(made.sizes[i]);
        }
    }
    table.values = Entries(chosen);
    edit_.module().tables.push_back(std::move(table));
    const auto number = static_cast<std::uint32_t>(edit_.module().tables.size() - 1);
    const Id code = edit_.make(Kind::Table, type, std::move(codes), number);
    const Id with = *rows_at(*found);
    edit_.at(with).kind = Kind::RowsWith;
    edit_.at(with).operands.insert(edit_.at(with).operands.begin(), code);
    const Type rows = node(with).type;
    return of_none ? edit_.make(Kind::Without, rows, {edit_.make(Kind::AllRows, rows, {}), with})
                   : with;
}

} // namespace croupier::engine::ir
