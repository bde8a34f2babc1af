// The rows of a loop for which a test holds, as a set.
#include "engine/ir/test_rows.h"

#include "engine/ir/lists.h"
#include "engine/ir/probe.h"
#include "engine/ir/same.h"

#include <algorithm>
#include <utility>

namespace croupier::engine::ir {

namespace {

// Of a table whose entries become bits: two cells of a large board.
constexpr std::size_t kMostOfSet = std::size_t{1} << 17;

} // namespace

bool is_part(const Module& module, const Function& function, Id part, Id whole) {
    const Node& one = function.at(part);
    const Node& other = function.at(whole);
    if (one.kind == Kind::Both) {
        return is_part(module, function, one.operands[0], whole) ||
               is_part(module, function, one.operands[1], whole);
    }
    const std::size_t first = one.kind == Kind::RowsWith ? 1 : 0;
    return other.kind == Kind::Rows && (one.kind == Kind::Rows || first == 1) && one.x == other.x &&
           one.operands.size() == other.operands.size() + first &&
           std::equal(other.operands.begin(), other.operands.end(),
                      one.operands.begin() + static_cast<std::ptrdiff_t>(first),
                      [&](Id a, Id b) { return same_expression(module, function, a, b); });
}

TestRows::TestRows(Editor& edit) : edit_(edit), tables_(edit, kMostOfSet) {}

void TestRows::enter(VarId row) {
    for (const VarId var : depends_) {
        tables_.forget(var);
    }
    row_ = row;
    depends_ = {row};
}

void TestRows::define(VarId var, Id value) {
    depends_.insert(var);
    if (node(value).type.is_value()) {
        tables_.define(var, value);
    }
}

bool TestRows::depends(Id id) const {
    const bool reads = node(id).kind == Kind::Variable || node(id).kind == Kind::RowsOf;
    return (reads && depends_.contains(node(id).x)) ||
           std::any_of(node(id).operands.begin(), node(id).operands.end(),
                       [&](Id operand) { return depends(operand); });
}

bool TestRows::is_row(Id id) const {
    return node(id).kind == Kind::Variable && node(id).x == row_;
}

// The rows for which a test of the state holds, if it asks at the row and nowhere else.
std::optional<Id> TestRows::asked(Id test) {
    if (node(test).kind == Kind::Present) {
        return rows_at(test);
    }
    if (node(test).kind == Kind::Has && node(node(test).operands[0]).kind == Kind::Load) {
        return rows_at(node(test).operands[0]);
    }
    if (node(test).kind != Kind::Compare ||
        node(test).x != static_cast<std::uint32_t>(ExprOp::Equal)) {
        return std::nullopt;
    }
    for (const int first : {0, 1}) {
        const Id load = node(test).operands[static_cast<std::size_t>(first)];
        const Id other = node(test).operands[static_cast<std::size_t>(1 - first)];
        const bool codes = node(load).kind == Kind::Load && holds_codes(node(load).x) &&
                           node(load).type.kind == TypeKind::Code &&
                           node(load).type == node(other).type;
        if (codes && !depends(other)) {
            if (const auto map = rows_at(load)) {
                CROUPIER_REWRITE(RowsWithCode);
                edit_.at(*map).kind = Kind::RowsWith;
                const Id code = edit_.copy(other);
                auto& operands = edit_.at(*map).operands;
                operands.insert(operands.begin(), code);
                return map;
            }
        }
    }
    return std::nullopt;
}

// Of what is only there or not no code is kept.
bool TestRows::holds_codes(SchemaId leaf) const {
    const Column column = edit_.module().catalogue->layout->node(leaf).column;
    return column == Column::Code8 || column == Column::Code16;
}

// The rows of the map in which a declared node stands under the row.
std::optional<Id> TestRows::rows_at(Id declared) {
    const Layout& layout = *edit_.module().catalogue->layout;
    const SchemaNode& schema = layout.node(node(declared).x);
    const std::vector<Id> operands = node(declared).operands;
    if (operands.empty() || layout.node(schema.parent).kind != ShapeKind::Map ||
        !is_row(operands.back()) ||
        std::any_of(operands.begin(), operands.end() - 1, [&](Id each) { return depends(each); })) {
        return std::nullopt;
    }
    std::vector<Id> outer;
    for (std::size_t i = 0; i + 1 < operands.size(); ++i) {
        outer.push_back(edit_.copy(operands[i]));
    }
    const Type type{TypeKind::Set, edit_.var(row_).type.list};
    return edit_.make(Kind::Rows, type, std::move(outer), schema.parent);
}

// The rows for which something holds that depends on codes alone.
std::optional<Id> TestRows::tabled(Id test, Type set) {
    const auto leaves = tables_.leaves_of(test);
    if (!leaves) {
        return std::nullopt;
    }
    const auto place =
        std::find_if(leaves->begin(), leaves->end(), [&](Id leaf) { return is_row(leaf); });
    const bool of_column = place == leaves->end();
    if (of_column ? !is_of_one_column(*leaves)
                  : std::any_of(leaves->begin(), leaves->end(), [&](Id leaf) {
                        return leaf != *place && depends(leaf) &&
                               !CROUPIER_MISTAKE(RowsByCodesOfTheLoop);
                    })) {
        return std::nullopt;
    }
    const auto made = tables_.of(test);
    if (!made) {
        return std::nullopt;
    }
    if (of_column) {
        return made->leaves.size() == 1 ? rows_of_column(*made) : rows_of_chosen(*made);
    }
    const auto of_row = static_cast<std::size_t>(place - leaves->begin());
    std::vector<Id> codes;
    Table table;
    for (std::size_t i = 0; i < made->leaves.size(); ++i) {
        if (i != of_row) {
            CROUPIER_REWRITE(RowsByCode);
            codes.push_back(edit_.copy(made->leaves[i]));
            table.sizes.push_back(made->sizes[i]);
        }
    }
    fill_words(table, *made, of_row);
    return edit_.make(Kind::TableRows, set, std::move(codes), kept(std::move(table)));
}

std::optional<std::vector<char>> TestRows::truths(Id test) {
    const auto made = tables_.of(test);
    if (!made) {
        return std::nullopt;
    }
    std::vector<char> all;
    for (std::size_t choice = 0; choice < made->size(); ++choice) {
        all.push_back((*made)[choice].truth() ? 1 : 0);
    }
    return all;
}

std::optional<std::vector<char>> TestRows::truths_of_row(Id test,
                                                         const std::unordered_set<VarId>& rows) {
    const auto leaves = tables_.leaves_of(test);
    const bool of_row = leaves && leaves->size() == 1 &&
                        node(leaves->front()).kind == Kind::Variable &&
                        rows.contains(node(leaves->front()).x);
    return of_row ? truths(test) : std::nullopt;
}

// The table, or one like it that there is.
std::uint32_t TestRows::kept(Table made) {
    std::vector<Table>& tables = edit_.module().tables;
    for (std::uint32_t i = 0; i < tables.size(); ++i) {
        if (tables[i].values.empty() && tables[i].sizes == made.sizes &&
            tables[i].words == made.words) {
            CROUPIER_REWRITE(SameRows);
            return i;
        }
    }
    tables.push_back(std::move(made));
    return static_cast<std::uint32_t>(tables.size() - 1);
}

// A bit for each row, instead of an entry.
void TestRows::fill_words(Table& rows, const CodeTables::Made& entries, std::size_t of_row) {
    std::size_t inside = 1; // entries between one row and the next
    for (std::size_t i = of_row + 1; i < entries.sizes.size(); ++i) {
        inside *= entries.sizes[i];
    }
    const std::size_t size = entries.sizes[of_row];
    const std::uint32_t words = words_for(static_cast<std::uint32_t>(size - 1));
    const auto& places = entries.outcomes->places;
    rows.words.resize(places.size() / size * words);
    std::vector<char> holds; // of each value
    for (const auto& each : entries.outcomes->values) {
        holds.push_back(each->truth() ? 1 : 0);
    }
    auto place = places.begin();
    for (std::size_t outer = 0; outer < places.size() / (size * inside); ++outer) {
        for (std::size_t code = 0; code < size; ++code) {
            const std::size_t row = code - 1; // of code 0 there is none
            const std::size_t word =
                (code - (CROUPIER_MISTAKE(LastRowInNextWord) ? 0 : 1)) / kWordRows;
            for (std::size_t choice = 0; choice < inside; ++choice, ++place) {
                if (holds[*place] != 0 && code != 0) {
                    rows.words[(outer * inside + choice) * words + word] |= std::uint64_t{1}
                                                                            << row % kWordRows;
                }
            }
        }
    }
}

} // namespace croupier::engine::ir
