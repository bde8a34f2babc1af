// The rows of a loop for which a test holds, as a set.
#include "engine/form/test_rows.h"

#include "engine/form/edit.h"
#include "engine/form/form.h"
#include "engine/form/probe.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace croupier::engine::form {

// The most entries of a table that become bits: enough for two cells of a large board.
constexpr std::size_t kMaxOfSet = std::size_t{1} << 19;
constexpr std::size_t kMaxCodesOfSet = 4;

namespace {

// Calls `good` with the entries of two tables that the same codes choose, as long as it returns
// true; returns false if the other's codes are not all among those of the first.
template <class Good>
bool all_entries(const Module& module, const Function& function, const Node& table,
                 const Node& other, const Good& good) {
    const std::vector<std::uint32_t>& sizes = module.tables[table.table()].sizes;
    std::vector<std::size_t> scales(sizes.size()); // of each code in the number of other's entry
    std::size_t scale = 1;
    for (std::size_t i = other.operands.size(); i-- > 0;) {
        std::size_t place = 0;
        while (place < sizes.size() &&
               !same_expression(module, function, table.operands[place], other.operands[i]))
            ++place;
        if (place == sizes.size()) return false;
        scales[place] += scale;
        scale *= module.tables[other.table()].sizes[i];
    }
    std::size_t entries = 1;
    for (const std::uint32_t size : sizes)
        entries *= size;
    for (std::size_t entry = 0; entry < entries; ++entry) {
        std::size_t others = 0;
        std::size_t left = entry;
        for (std::size_t i = sizes.size(); i-- > 0; left /= sizes[i])
            others += left % sizes[i] * scales[i];
        if (!good(entry, others)) return false;
    }
    return true;
}

std::span<const std::uint64_t> words_of_entry(const Module& module, const Node& rows,
                                              std::size_t entry) {
    const std::size_t words =
        words_for(static_cast<std::uint32_t>(module.lists[rows.type.list].values.size()));
    return std::span(module.tables[rows.table()].words).subspan(entry * words, words);
}

} // namespace

bool is_part(const Module& module, const Function& function, Id part, Id whole) {
    const Node& one = function.at(part);
    const Node& other = function.at(whole);
    if (one.kind == Kind::Either)
        return is_part(module, function, one.operands[0], whole) &&
               is_part(module, function, one.operands[1], whole);
    if (one.kind == Kind::Both || one.kind == Kind::Without) {
        return is_part(module, function, one.operands[0], whole) ||
               (one.kind == Kind::Both && is_part(module, function, one.operands[1], whole));
    }
    if (one.kind == Kind::TableRows && other.kind == Kind::TableRows) {
        return all_entries(module, function, one, other, [&](std::size_t entry, std::size_t all) {
            const auto rows = words_of_entry(module, one, entry);
            return std::ranges::equal(
                rows, words_of_entry(module, other, all), [](auto few, auto many) {
                    return CROUPIER_MISTAKE(PartIsWhole) ? (many & ~few) == 0 : (few & ~many) == 0;
                });
        });
    }
    const std::size_t first = one.kind == Kind::RowsWith ? 1 : 0;
    return other.kind == Kind::Rows && (one.kind == Kind::Rows || first == 1) &&
           one.schema() == other.schema() && one.operands.size() == other.operands.size() + first &&
           std::equal(other.operands.begin(), other.operands.end(),
                      one.operands.begin() + static_cast<std::ptrdiff_t>(first),
                      [&](Id a, Id b) { return same_expression(module, function, a, b); });
}

bool is_empty_without(const Module& module, const Function& function, Id rows, Id value) {
    const Node& set = function.at(rows);
    const Node& table = function.at(value);
    if (set.kind == Kind::Both || set.kind == Kind::Without) {
        return is_empty_without(module, function, set.operands[0], value) ||
               (set.kind == Kind::Both &&
                is_empty_without(module, function, set.operands[1], value));
    }
    const Entries& values = module.tables[table.table()].values;
    return set.kind == Kind::TableRows &&
           all_entries(module, function, set, table, [&](std::size_t entry, std::size_t other) {
               return values[other].tag != Tag::None ||
                      std::ranges::all_of(words_of_entry(module, set, entry),
                                          [](auto word) { return word == 0; });
           });
}

TestRows::TestRows(Editor& edit) : edit_(edit), tables_(edit, kMaxCodesOfSet, kMaxOfSet) {}

void TestRows::enter(VarId row) {
    for (const VarId var : depends_)
        tables_.forget(var);
    row_ = row;
    depends_ = {row};
}

void TestRows::define(VarId var, Id value) {
    depends_.insert(var);
    if (node(value).type.is_value()) tables_.define(var, value);
}

bool TestRows::depends(Id id) const {
    const bool reads = node(id).kind == Kind::Variable || node(id).kind == Kind::RowsOf;
    return (reads && depends_.contains(node(id).var())) ||
           std::any_of(node(id).operands.begin(), node(id).operands.end(),
                       [&](Id operand) { return depends(operand); });
}

bool TestRows::reads_any(Id id, const std::unordered_map<VarId, Id>& vars) const {
    return (node(id).kind == Kind::Variable && vars.contains(node(id).var())) ||
           std::ranges::any_of(node(id).operands,
                               [&](Id operand) { return reads_any(operand, vars); });
}

bool TestRows::is_row(Id id) const {
    return node(id).kind == Kind::Variable && node(id).var() == row_;
}

// The rows for which a test holds that reads the state only at the row.
std::optional<Id> TestRows::by_state(Id test) {
    if (node(test).kind == Kind::Present) return rows_at(test);
    if (node(test).kind == Kind::Has && node(node(test).operands[0]).kind == Kind::Load)
        return rows_at(node(test).operands[0]);
    if (node(test).kind != Kind::Compare || node(test).op() != ExprOp::Equal) return std::nullopt;
    for (const int first : {0, 1}) {
        const Id load = node(test).operands[static_cast<std::size_t>(first)];
        const Id other = node(test).operands[static_cast<std::size_t>(1 - first)];
        const bool codes = node(load).kind == Kind::Load && holds_codes(node(load).schema()) &&
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

std::optional<std::vector<std::uint32_t>> TestRows::codes_by_row(Id value, Found& chosen) {
    const std::size_t rows = size_of(edit_.var(row_).type) + 1;
    const Type type = node(value).type;
    std::vector<std::uint32_t> all(rows);
    if (is_row(value)) {
        std::iota(all.begin(), all.end(), 0);
        return all;
    }
    const auto made = type.kind == TypeKind::Code ? tables_.of(value) : std::nullopt;
    if (!made) return std::nullopt;
    std::vector<std::uint32_t> of_values;
    for (const auto& each : made->outcomes->values)
        of_values.push_back(code_of(edit_.module(), type.list, *each));
    std::size_t of_row = made->leaves.size();
    for (std::size_t i = 0; i < made->leaves.size(); ++i) {
        if (is_row(made->leaves[i])) {
            of_row = i;
        } else if (depends(made->leaves[i])) {
            return std::nullopt;
        } else {
            chosen.codes.push_back(made->leaves[i]);
            chosen.sizes.push_back(made->sizes[i]);
        }
    }
    if (of_row == made->leaves.size()) {
        std::fill(all.begin() + 1, all.end(), of_values[made->outcomes->places[0]]);
        return made->leaves.empty() ? std::optional(std::move(all)) : std::nullopt;
    }
    const auto split = made->split(of_row);
    all.resize(made->size());
    for (std::size_t choice = 0; choice < made->size(); ++choice)
        if (const std::size_t row = split.code(choice); row != 0)
            all[split.others(choice) * rows + row] = of_values[made->outcomes->places[choice]];
    return all;
}

std::uint32_t TestRows::by_row(Id table_rows) {
    const Node known = node(table_rows);
    if (known.operands.size() == 1 && is_row(known.operands[0])) return known.table();
    const std::vector<std::uint32_t> sizes = edit_.module().tables[known.table()].sizes;
    std::vector<std::size_t> entries(size_of(edit_.var(row_).type) + 1);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const auto codes = codes_by_row(known.operands[i]);
        if (!codes) return kNothing;
        for (std::size_t row = 0; row < entries.size(); ++row)
            entries[row] = entries[row] * sizes[i] + (*codes)[row];
    }
    LookupTable made;
    made.sizes = {static_cast<std::uint32_t>(entries.size())};
    for (std::size_t row = 0; row < entries.size(); ++row) {
        const auto words = words_of_entry(edit_.module(), known, entries[row]);
        if (row == 0)
            made.words.resize(words.size());
        else
            made.words.insert(made.words.end(), words.begin(), words.end());
    }
    return kept(std::move(made));
}

Id TestRows::fixed_rows(std::vector<std::uint64_t> words, Type set) {
    LookupTable table;
    table.words = std::move(words);
    return edit_.make(Kind::TableRows, set, {}, kept(std::move(table)));
}

std::optional<TestRows::Found> TestRows::by_found(Id test) {
    const auto found = [&](Id declared, std::optional<Id> code) -> std::optional<Found> {
        const SchemaId map = edit_.layout().node(node(declared).schema()).parent;
        const std::vector<Id> operands = node(declared).operands;
        if (operands.empty() || edit_.layout().node(map).kind != ShapeKind::Map ||
            std::any_of(operands.begin(), operands.end() - 1,
                        [&](Id each) { return depends(each); }))
            return std::nullopt;
        Found made;
        const auto codes = codes_by_row(operands.back(), made);
        if (!codes) return std::nullopt;
        const Type type{TypeKind::Set, list_of_domain(edit_.module(), CodeList::Form::Keys,
                                                      edit_.layout().node(map).domain)};
        std::vector<Id> outer;
        if (code) outer.push_back(edit_.copy(*code));
        for (std::size_t i = 0; i + 1 < operands.size(); ++i)
            outer.push_back(edit_.copy(operands[i]));
        made.rows = *codes;
        made.set = edit_.make(code ? Kind::RowsWith : Kind::Rows, type, std::move(outer), map);
        return made;
    };
    const Node known = node(test);
    if (known.kind == Kind::Present) return found(test, std::nullopt);
    if (known.kind == Kind::Has && node(known.operands[0]).kind == Kind::Load)
        return found(known.operands[0], std::nullopt);
    if (known.kind != Kind::Compare || known.op() != ExprOp::Equal) return std::nullopt;
    for (const std::size_t side : {0, 1}) {
        const Id load = known.operands[side];
        const Id other = known.operands[1 - side];
        if (node(load).kind == Kind::Load && holds_codes(node(load).schema()) &&
            node(load).type.kind == TypeKind::Code && node(load).type == node(other).type &&
            !depends(other))
            return found(load, other);
    }
    return std::nullopt;
}

// Whether it has a column of codes; a leaf that is only present or absent has none.
bool TestRows::holds_codes(SchemaId leaf) const {
    const Column column = edit_.module().catalogue->layout->node(leaf).column;
    return column == Column::Code8 || column == Column::Code16;
}

// The rows of the map in which the loop's row addresses a declared node.
std::optional<Id> TestRows::rows_at(Id declared) {
    const Layout& layout = *edit_.module().catalogue->layout;
    const SchemaNode& schema = layout.node(node(declared).schema());
    const std::vector<Id> operands = node(declared).operands;
    if (operands.empty() || layout.node(schema.parent).kind != ShapeKind::Map ||
        !is_row(operands.back()) ||
        std::any_of(operands.begin(), operands.end() - 1, [&](Id each) { return depends(each); }))
        return std::nullopt;
    std::vector<Id> outer;
    for (std::size_t i = 0; i + 1 < operands.size(); ++i)
        outer.push_back(edit_.copy(operands[i]));
    const Type type{TypeKind::Set, edit_.var(row_).type.list};
    return edit_.make(Kind::Rows, type, std::move(outer), schema.parent);
}

// The rows for which a test holds that depends only on codes.
std::optional<Id> TestRows::by_table(Id test, Type set) {
    const auto leaves = tables_.leaves_of(test);
    if (!leaves) return std::nullopt;
    const auto place =
        std::find_if(leaves->begin(), leaves->end(), [&](Id leaf) { return is_row(leaf); });
    const bool of_column = place == leaves->end();
    if (of_column ? !is_of_one_column(*leaves)
                  : std::any_of(leaves->begin(), leaves->end(), [&](Id leaf) {
                        return leaf != *place && depends(leaf) &&
                               !CROUPIER_MISTAKE(RowsByCodesOfTheLoop);
                    }))
        return std::nullopt;
    const auto made = tables_.of(test);
    if (!made) return std::nullopt;
    if (of_column) return made->leaves.size() == 1 ? rows_of_column(*made) : rows_of_chosen(*made);
    const auto of_row = static_cast<std::size_t>(place - leaves->begin());
    std::vector<Id> codes;
    LookupTable table;
    for (std::size_t i = 0; i < made->leaves.size(); ++i) {
        if (i != of_row) {
            CROUPIER_REWRITE(RowsByCode);
            codes.push_back(edit_.copy(made->leaves[i]));
            table.sizes.push_back(made->sizes[i]);
        }
    }
    const auto split = made->split(of_row);
    const std::size_t words = words_for(made->sizes[of_row] - 1);
    table.words.resize(made->size() / split.codes * words);
    std::vector<char> holds; // by value
    for (const auto& each : made->outcomes->values)
        holds.push_back(each->truth() ? 1 : 0);
    for (std::size_t choice = 0; choice < made->size(); ++choice) {
        const std::size_t code = split.code(choice); // there is no row for 0
        if (code == 0 || holds[made->outcomes->places[choice]] == 0) continue;
        const std::size_t word = (code - (CROUPIER_MISTAKE(LastRowInNextWord) ? 0 : 1)) / kWordRows;
        table.words[split.others(choice) * words + word] |= std::uint64_t{1}
                                                            << (code - 1) % kWordRows;
    }
    return edit_.make(Kind::TableRows, set, std::move(codes), kept(std::move(table)));
}

std::optional<std::vector<char>> TestRows::truths(Id test) {
    const auto made = tables_.of(test);
    if (!made) return std::nullopt;
    std::vector<char> all;
    for (std::size_t choice = 0; choice < made->size(); ++choice)
        all.push_back((*made)[choice].truth() ? 1 : 0);
    return all;
}

std::optional<std::vector<char>> TestRows::truths_of_row(Id test,
                                                         const std::unordered_set<VarId>& rows) {
    const auto leaves = tables_.leaves_of(test);
    const bool of_row = leaves && leaves->size() == 1 &&
                        node(leaves->front()).kind == Kind::Variable &&
                        rows.contains(node(leaves->front()).var());
    return of_row ? truths(test) : std::nullopt;
}

// The number of the table, or of an equal one that exists.
std::uint32_t TestRows::kept(LookupTable made) {
    std::vector<LookupTable>& tables = edit_.module().tables;
    for (std::uint32_t i = 0; i < tables.size(); ++i) {
        if (tables[i].values.empty() && tables[i].sizes == made.sizes &&
            tables[i].words == made.words) {
            CROUPIER_REWRITE(SameRows);
            return i;
        }
    }
    return edit_.new_table(std::move(made));
}

// The rows of a map for whose codes, in a column, a test holds.

// The most codes that a column is compared with: more cost more than a test of each row.
constexpr std::size_t kMaxColumns = 4;

// The rows for whose codes in a column the test holds.
std::optional<Id> TestRows::rows_of_column(const CodeTables::Made& made) {
    const Id load = made.leaves[0];
    if (node(load).kind != Kind::Load || !rows_at(load)) return std::nullopt;
    std::vector<std::uint32_t> codes; // whose outcome is not that of code 0
    const bool of_none = made[0].truth();
    for (std::uint32_t code = 1; code < made.size(); ++code)
        if (made[code].truth() != of_none) codes.push_back(code);
    const bool unit =
        node(load).type == code_type(list_of_truths(edit_.module())) &&
        edit_.module().catalogue->layout->node(node(load).schema()).kind == ShapeKind::Unit;
    if (unit) // is true wherever it exists
        std::erase(codes, 1u);
    const bool all = codes.size() + (unit ? 2 : 1) == made.size();
    if (codes.empty() || (!all && codes.size() > kMaxColumns)) return std::nullopt;
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
        edit_.at(code).literal() = codes[i];
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

// Whether one of them is a column's code at the row, and the others do not depend on the row.
bool TestRows::is_of_one_column(const std::vector<Id>& leaves) const {
    return std::count_if(leaves.begin(), leaves.end(), [&](Id leaf) {
               return node(leaf).kind == Kind::Load || depends(leaf);
           }) == 1;
}

// The rows whose code in a column is the one that other codes choose, or all other rows.
std::optional<Id> TestRows::rows_of_chosen(const CodeTables::Made& made) {
    const auto found = std::find_if(made.leaves.begin(), made.leaves.end(),
                                    [&](Id leaf) { return node(leaf).kind == Kind::Load; });
    if (found == made.leaves.end() || !holds_codes(node(*found).schema()) || !rows_at(*found))
        return std::nullopt;
    const auto column = static_cast<std::size_t>(found - made.leaves.begin());
    const Type type = node(*found).type;
    const auto split = made.split(column);
    const bool of_none = made[0].truth();
    std::vector<Value> chosen;
    for (std::size_t others = 0; others < made.size() / split.codes; ++others) {
        std::size_t count = made[split.choice(others, 0)].truth() == of_none ? 0 : 2;
        chosen.emplace_back();
        for (std::size_t code = 1; code < split.codes; ++code) {
            if (made[split.choice(others, code)].truth() != of_none) {
                ++count;
                chosen.back() = edit_.module().lists[type.list].values[code - 1];
            }
        }
        if (count > 1) return std::nullopt;
        if (CROUPIER_MISTAKE(FirstCodeChosen)) chosen.back() = chosen.front();
    }
    CROUPIER_REWRITE(RowsWithChosenCode);
    LookupTable table;
    std::vector<Id> codes;
    for (std::size_t i = 0; i < made.leaves.size(); ++i) {
        if (i != column) {
            codes.push_back(edit_.copy(made.leaves[i]));
            table.sizes.push_back(made.sizes[i]);
        }
    }
    table.values = Entries(chosen);
    const Id code =
        edit_.make(Kind::Table, type, std::move(codes), edit_.new_table(std::move(table)));
    const Id with = *rows_at(*found);
    edit_.at(with).kind = Kind::RowsWith;
    edit_.at(with).operands.insert(edit_.at(with).operands.begin(), code);
    const Type rows = node(with).type;
    return of_none ? edit_.make(Kind::Without, rows, {edit_.make(Kind::AllRows, rows, {}), with})
                   : with;
}

// Tests that a row has a certain code in a table: looks up which row has that code.

// For fewer choices a set for each choice is better.
constexpr std::size_t kManyChoices = std::size_t{1} << 13;

std::optional<Id> TestRows::by_index(Id test, Type set) {
    if (node(test).kind != Kind::Compare || node(test).op() != ExprOp::Equal) return std::nullopt;
    for (const std::size_t side : {0, 1}) {
        const Id asked = node(test).operands[1 - side];
        const Id given = node(test).operands[side];
        if (node(asked).type.kind == TypeKind::Code && node(asked).type == node(given).type &&
            !depends(asked) && depends(given)) {
            std::vector<std::uint32_t> each(size_of(set) + 1);
            std::iota(each.begin(), each.end(), 0);
            if (const auto row = row_of_code(asked, given))
                return edit_.make(Kind::TableRows, set, {*row}, kept(relation_of(each, set)));
        }
    }
    return std::nullopt;
}

// The row for which `given` equals the code `asked`; none if there is no such row. Nullopt if there
// may be several, or if it depends on more than codes.
std::optional<Id> TestRows::row_of_code(Id asked, Id given) {
    Found chosen;
    const auto codes = codes_by_row(given, chosen);
    if (!codes) return std::nullopt;
    const std::uint32_t row_list = edit_.var(row_).type.list;
    const std::vector<Value>& rows = edit_.module().lists[row_list].values;
    LookupTable table;
    table.sizes = std::move(chosen.sizes);
    table.sizes.push_back(static_cast<std::uint32_t>(size_of(node(asked).type) + 1));
    const std::size_t entries = codes->size() / (rows.size() + 1) * table.sizes.back();
    if (entries * (rows.size() + 1) < kManyChoices || entries > Entries::kMax) return std::nullopt;
    std::vector<Value> row_values(entries);
    for (std::size_t i = 0; i < codes->size(); ++i) {
        if ((*codes)[i] == 0) continue;
        const std::size_t row = i % (rows.size() + 1);
        Value& entry = row_values[i / (rows.size() + 1) * table.sizes.back() + (*codes)[i]];
        if (entry.tag != Tag::None) return std::nullopt;
        entry = rows[CROUPIER_MISTAKE(RowAfterAsked) ? row % rows.size() : row - 1];
    }
    CROUPIER_REWRITE(RowOfCode);
    table.values = Entries(row_values);
    chosen.codes.push_back(asked);
    for (Id& each : chosen.codes)
        each = edit_.copy(each);
    return edit_.make(Kind::Table, code_type(row_list), std::move(chosen.codes),
                      edit_.new_table(std::move(table)));
}

// At most one in so many rows may be left, on average over the codes.
constexpr std::size_t kPartLeft = 4;

std::optional<Id> TestRows::by_any_choice(Id test, Type set,
                                          const std::unordered_map<VarId, Id>& before) {
    if (const auto made = tables_.of(test)) return any_choice(*made, std::nullopt, set, before);
    if (node(test).kind != Kind::Compare || node(test).op() != ExprOp::Equal) return std::nullopt;
    // Too many choices in all: leaves out the code that is asked for, and notes which it would be.
    for (const std::size_t side : {0, 1}) {
        const Id asked = node(test).operands[1 - side];
        const Id given = node(test).operands[side];
        if (node(asked).type.kind != TypeKind::Code || node(asked).type != node(given).type ||
            depends(asked) || !depends(given))
            continue;
        if (const auto made = tables_.of(given)) return any_choice(*made, asked, set, before);
    }
    return std::nullopt;
}

// The rows for which the outcome of some choice is true, or is the code `asked`. The codes of the
// leaves that do not depend on the row choose the set.
std::optional<Id> TestRows::any_choice(const CodeTables::Made& made, std::optional<Id> asked,
                                       Type set, const std::unordered_map<VarId, Id>& before) {
    LookupTable table;
    std::vector<Id> codes;
    std::vector<std::size_t> scales(made.leaves.size()); // of each leaf, in the number of a set
    std::size_t of_row = made.leaves.size();
    std::size_t sets = 1;
    bool is_chosen = false; // by something that depends on the row
    const auto take = [&](Id code) {
        if (node(code).kind == Kind::Variable && before.contains(node(code).var()))
            code = before.at(node(code).var());
        codes.insert(codes.begin(), code);
        const std::size_t scale = sets;
        table.sizes.insert(table.sizes.begin(),
                           static_cast<std::uint32_t>(size_of(node(code).type) + 1));
        sets *= table.sizes.front();
        return scale;
    };
    if (asked) take(*asked);
    for (std::size_t i = made.leaves.size(); i-- > 0;) {
        if (is_row(made.leaves[i]))
            of_row = i;
        else if (depends(made.leaves[i]))
            is_chosen = true;
        else if (!asked)
            scales[i] = take(made.leaves[i]);
    }
    const std::size_t rows = size_of(set);
    const std::size_t words = words_for(static_cast<std::uint32_t>(rows));
    // If all else is known before the loop, the test itself becomes a set.
    if (of_row == made.leaves.size() || !is_chosen || sets * words * kWordRows > kMaxOfSet ||
        std::ranges::any_of(codes, [&](Id each) { return reads_any(each, before); }))
        return std::nullopt;
    std::vector<std::size_t> set_of_value; // if it is a code; else 1 for true
    for (const auto& each : made.outcomes->values)
        set_of_value.push_back(asked ? code_of(edit_.module(), node(*asked).type.list, *each)
                                     : std::size_t{each->truth()});
    table.words.resize(sets * words);
    for (std::size_t choice = 0; choice < made.size(); ++choice) {
        const std::size_t value = set_of_value[made.outcomes->places[choice]];
        if (value == 0) continue;
        std::size_t number = asked ? value : 0;
        std::size_t code_of_row = 0;
        std::size_t left = choice;
        for (std::size_t i = made.leaves.size(); i-- > 0; left /= made.sizes[i]) {
            number += left % made.sizes[i] * scales[i];
            if (i == of_row) code_of_row = left % made.sizes[i];
        }
        if (code_of_row == 0) continue;
        const bool next = CROUPIER_MISTAKE(ChoiceOfNextRow) && code_of_row < rows;
        const std::size_t row = code_of_row - (next ? 0 : 1);
        add_row(table.words, number * words, row);
    }
    std::size_t left = 0;
    for (const std::uint64_t word : table.words)
        left += static_cast<std::size_t>(std::popcount(word));
    if (left * kPartLeft > sets * rows) return std::nullopt;
    CROUPIER_REWRITE(RowsOfAnyChoice);
    for (Id& each : codes)
        each = edit_.copy(each);
    return edit_.make(Kind::TableRows, set, std::move(codes), kept(std::move(table)));
}

LookupTable TestRows::relation_of(const std::vector<std::uint32_t>& codes, Type of_set) const {
    const std::size_t words = words_for(static_cast<std::uint32_t>(size_of(of_set)));
    LookupTable made;
    made.sizes = {static_cast<std::uint32_t>(codes.size())};
    made.words.resize(codes.size() * words);
    for (std::size_t code = 0; code < codes.size(); ++code)
        if (const std::uint32_t other = codes[code]; other != 0)
            add_row(made.words, code * words, other - 1);
    return made;
}

} // namespace croupier::engine::form
