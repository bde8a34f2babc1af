// The pass `sets`: loops whose tests ask each row the same become sets of rows. What does not
// depend on the row is tested before the loop; what does is taken from the set, for all rows at
// once; and where only the number of rows matters there is no loop at all.
#include "engine/ir/code_tables.h"
#include "engine/ir/effects.h"
#include "engine/ir/lists.h"
#include "engine/ir/pass.h"
#include "engine/ir/probe.h"
#include "engine/ir/same.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace croupier::engine::ir {

namespace {

// Comparisons of a column with single codes: more cost more than asking row by row.
constexpr std::size_t kMostColumns = 4;

// Of a table whose entries become bits: two cells of a large board.
constexpr std::size_t kMostOfSet = std::size_t{1} << 17;

class SetMaker {
  public:
    SetMaker(Module& module, Function& function)
        : edit_(module, function), tables_(edit_, kMostOfSet) {}

    void block(BlockId id) {
        std::vector<Id> made;
        std::vector<Id>* const outer = std::exchange(out_, &made);
        for (const Id each : std::exchange(edit_.block(id).statements, {})) {
            statement(each);
        }
        out_ = outer;
        edit_.block(id).statements = std::move(made);
    }

  private:
    [[nodiscard]] const Node& node(Id id) const { return edit_.function().at(id); }

    void statement(Id id) {
        for (std::size_t i = 0; i < node(id).blocks.size(); ++i) {
            block(node(id).blocks[i]);
        }
        switch (node(id).kind) {
        case Kind::EachRow:
            each_row(id);
            break;
        case Kind::NoMatch:
        case Kind::SomeMatch:
            match(id);
            break;
        case Kind::Gather:
            gather(id);
            break;
        default:
            break;
        }
        out_->push_back(id);
    }

    // ---- what an expression needs ----

    [[nodiscard]] bool reads(Id id, const std::unordered_set<VarId>& vars) const {
        return (node(id).kind == Kind::Variable && vars.contains(node(id).x)) ||
               std::any_of(node(id).operands.begin(), node(id).operands.end(),
                           [&](Id operand) { return reads(operand, vars); });
    }

    [[nodiscard]] bool is_row(Id id, VarId row) const {
        return node(id).kind == Kind::Variable && node(id).x == row;
    }

    // ---- loops ----

    void each_row(Id id) {
        const VarId row = node(id).x;
        const BlockId body = node(id).blocks[0];
        std::unordered_set<VarId> inner = {row}; // variables that depend on the row
        std::vector<Id> kept;
        std::vector<VarId> defined;
        bool movable = true; // what follows may still be computed before what stays
        for (const Id each : std::exchange(edit_.block(body).statements, {})) {
            const Kind kind = node(each).kind;
            const bool plain = kind == Kind::Let || (kind == Kind::Test && node(each).y == 0);
            if (!movable || !plain || !is_total(edit_.function(), node(each).operands[0])) {
                movable = CROUPIER_MISTAKE(TestsPassErrors);
                kept.push_back(each);
                continue;
            }
            const Id operand = node(each).operands[0];
            if (!reads(operand, inner)) {
                CROUPIER_REWRITE(BeforeLoop);
                out_->push_back(each);
                continue;
            }
            if (kind == Kind::Let) {
                inner.insert(node(each).x);
                defined.push_back(node(each).x);
                if (node(operand).type.is_value()) {
                    tables_.define(node(each).x, operand);
                }
                kept.push_back(each);
            } else if (!take(id, operand, row, inner)) {
                kept.push_back(each);
            }
        }
        for (const VarId var : defined) {
            tables_.forget(var);
        }
        edit_.block(body).statements = std::move(kept);
        // Where the map, or what is above it, is not there, the set is empty.
        for (std::size_t i = out_->size(); i-- > 0;) {
            const Id before = (*out_)[i];
            if (is_implied(before, node(id).operands[0])) {
                CROUPIER_REWRITE(SetSaysIt);
                out_->erase(out_->begin() + static_cast<std::ptrdiff_t>(i));
            } else if (node(before).kind != Kind::Let ||
                       node(node(before).operands[0]).kind != Kind::NodeAt) {
                break;
            }
        }
    }

    [[nodiscard]] bool is_implied(Id test, Id set) const {
        const Node& known = node(set);
        if (known.kind == Kind::Both) {
            return is_implied(test, known.operands[0]) || is_implied(test, known.operands[1]);
        }
        if (node(test).kind != Kind::Test || node(test).y != 0 ||
            node(node(test).operands[0]).kind != Kind::Present ||
            (known.kind != Kind::Rows && known.kind != Kind::RowsWith)) {
            return false;
        }
        const Node& present = node(node(test).operands[0]);
        const std::size_t first = known.kind == Kind::RowsWith ? 1 : 0;
        const Layout& layout = edit_.layout();
        SchemaId above = known.x;
        while (above != present.x && above != kNoSchema) {
            above = layout.node(above).parent;
        }
        return above != kNoSchema && first + present.operands.size() <= known.operands.size() &&
               std::equal(present.operands.begin(), present.operands.end(),
                          known.operands.begin() + static_cast<std::ptrdiff_t>(first),
                          [&](Id a, Id b) {
                              return same_expression(edit_.module(), edit_.function(), a, b);
                          });
    }

    // The test is taken from the loop's set; false if it has to be asked row by row.
    bool take(Id loop, Id test, VarId row, const std::unordered_set<VarId>& inner) {
        const bool negated = node(test).kind == Kind::Not;
        const Id asked = negated ? node(test).operands[0] : test;
        if (const auto set = rows_where(asked, row, inner)) {
            CROUPIER_REWRITE_IF(negated, RowsWithoutTest);
            CROUPIER_REWRITE_IF(!negated, RowsWithTest);
            narrow(loop, negated ? Kind::Without : Kind::Both, *set);
            return true;
        }
        if (const auto set = tabled(test, loop, row, inner)) {
            CROUPIER_REWRITE(RowsOfTable);
            narrow(loop, Kind::Both, *set);
            return true;
        }
        return false;
    }

    void narrow(Id loop, Kind how, Id set) {
        const Id old = node(loop).operands[0];
        if (how == Kind::Both && (is_part(set, old) || node(old).kind == Kind::AllRows)) {
            CROUPIER_REWRITE(SetOfPart);
            edit_.at(loop).operands[0] = set;
            return;
        }
        if (how == Kind::Both && is_part(old, set)) {
            CROUPIER_REWRITE(PartOfSet);
            return;
        }
        edit_.at(loop).operands[0] = edit_.make(how, node(old).type, {old, set});
    }

    // All rows of the first are surely in the second, which is the rows of a map that are there.
    [[nodiscard]] bool is_part(Id part, Id whole) const {
        const Node& one = node(part);
        const Node& other = node(whole);
        if (one.kind == Kind::Both) {
            return is_part(one.operands[0], whole) || is_part(one.operands[1], whole);
        }
        const std::size_t first = one.kind == Kind::RowsWith ? 1 : 0;
        return other.kind == Kind::Rows && (one.kind == Kind::Rows || first == 1) &&
               one.x == other.x && one.operands.size() == other.operands.size() + first &&
               std::equal(other.operands.begin(), other.operands.end(),
                          one.operands.begin() + static_cast<std::ptrdiff_t>(first),
                          [&](Id a, Id b) {
                              return same_expression(edit_.module(), edit_.function(), a, b);
                          });
    }

    // The rows for which a test of the state holds, if it asks at the row and nowhere else.
    std::optional<Id> rows_where(Id test, VarId row, const std::unordered_set<VarId>& inner) {
        if (node(test).kind == Kind::Present) {
            return rows_at(test, row, inner);
        }
        if (node(test).kind == Kind::Has && node(node(test).operands[0]).kind == Kind::Load) {
            return rows_at(node(test).operands[0], row, inner);
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
            if (codes && !reads(other, inner)) {
                if (const auto map = rows_at(load, row, inner)) {
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
    [[nodiscard]] bool holds_codes(SchemaId leaf) const {
        const Column column = edit_.module().program->layout->node(leaf).column;
        return column == Column::Code8 || column == Column::Code16;
    }

    // The rows of the map in which a declared node stands under the row.
    std::optional<Id> rows_at(Id declared, VarId row, const std::unordered_set<VarId>& inner) {
        const Layout& layout = *edit_.module().program->layout;
        const SchemaNode& schema = layout.node(node(declared).x);
        const std::vector<Id> operands = node(declared).operands;
        if (operands.empty() || layout.node(schema.parent).kind != ShapeKind::Map ||
            !is_row(operands.back(), row) ||
            std::any_of(operands.begin(), operands.end() - 1,
                        [&](Id each) { return reads(each, inner); })) {
            return std::nullopt;
        }
        std::vector<Id> outer;
        for (std::size_t i = 0; i + 1 < operands.size(); ++i) {
            outer.push_back(edit_.copy(operands[i]));
        }
        const Type type{TypeKind::Set, edit_.var(row).type.list};
        return edit_.make(Kind::Rows, type, std::move(outer), schema.parent);
    }

    // The rows for which something holds that depends on codes alone.
    std::optional<Id> tabled(Id test, Id loop, VarId row, const std::unordered_set<VarId>& inner) {
        auto made = tables_.of(test);
        if (!made) {
            return std::nullopt;
        }
        const auto place = std::find_if(made->leaves.begin(), made->leaves.end(),
                                        [&](Id leaf) { return is_row(leaf, row); });
        if (place == made->leaves.end()) {
            return made->leaves.size() == 1 ? rows_of_column(*made, row, inner) : std::nullopt;
        }
        const auto of_row = static_cast<std::size_t>(place - made->leaves.begin());
        std::vector<Id> codes;
        Table table;
        for (std::size_t i = 0; i < made->leaves.size(); ++i) {
            if (i == of_row) {
                continue;
            }
            if (reads(made->leaves[i], inner) && !CROUPIER_MISTAKE(RowsByCodesOfTheLoop)) {
                return std::nullopt;
            }
            CROUPIER_REWRITE(RowsByCode);
            codes.push_back(edit_.copy(made->leaves[i]));
            table.sizes.push_back(made->sizes[i]);
        }
        fill_words(table, *made, of_row);
        const Type type = node(node(loop).operands[0]).type;
        return edit_.make(Kind::TableRows, type, std::move(codes), kept(std::move(table)));
    }

    // The table, or one like it that there is.
    std::uint32_t kept(Table made) {
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

    // The rows for whose codes in a column something holds.
    std::optional<Id> rows_of_column(const CodeTables::Made& made, VarId row,
                                     const std::unordered_set<VarId>& inner) {
        const Id load = made.leaves[0];
        if (node(load).kind != Kind::Load || !rows_at(load, row, inner)) {
            return std::nullopt;
        }
        std::vector<std::uint32_t> codes; // that are there and for which it is as for none
        const bool of_none = (*made.values)[0].truth();
        for (std::uint32_t code = 1; code < made.values->size(); ++code) {
            if ((*made.values)[code].truth() != of_none) {
                codes.push_back(code);
            }
        }
        const bool unit =
            node(load).type == code_type(list_of_truths(edit_.module())) &&
            edit_.module().program->layout->node(node(load).x).kind == ShapeKind::Unit;
        if (unit) { // true, wherever it is
            std::erase(codes, 1u);
        }
        const bool all = codes.size() + (unit ? 2 : 1) == made.values->size();
        if (codes.empty() || (!all && codes.size() > kMostColumns)) {
            return std::nullopt;
        }
        std::optional<Id> set;
        if (all) {
            CROUPIER_REWRITE(AnyCodeOfColumn);
            set = rows_at(load, row, inner);
        }
        for (std::size_t i = 0; i < codes.size() && !all; ++i) {
            CROUPIER_REWRITE(CodesOfColumn);
            const auto with = rows_at(load, row, inner);
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

    // A bit for each row, instead of an entry.
    static void fill_words(Table& rows, const CodeTables::Made& entries, std::size_t of_row) {
        std::size_t inside = 1; // entries between one row and the next
        for (std::size_t i = of_row + 1; i < entries.sizes.size(); ++i) {
            inside *= entries.sizes[i];
        }
        const std::size_t size = entries.sizes[of_row];
        const std::uint32_t words = words_for(static_cast<std::uint32_t>(size - 1));
        rows.words.resize(entries.values->size() / size * words);
        for (std::size_t i = 0; i < entries.values->size(); ++i) {
            const std::size_t code = i / inside % size;
            if (code == 0 || !(*entries.values)[i].truth()) {
                continue;
            }
            const std::size_t choice = i / (inside * size) * inside + i % inside;
            rows.words[choice * words +
                       (code - (CROUPIER_MISTAKE(LastRowInNextWord) ? 0 : 1)) / kWordRows] |=
                std::uint64_t{1} << (code - 1) % kWordRows;
        }
    }

    // ---- what only asks how many there are ----

    // The set of a search for rows of which nothing is wanted: one loop, in which nothing is
    // tested, and before it variables, which come before the search.
    [[nodiscard]] std::optional<Id> only_set(BlockId search) {
        const std::vector<Id> outer = edit_.function().blocks[search].statements;
        if (outer.empty() || node(outer.back()).kind != Kind::EachRow ||
            !std::all_of(outer.begin(), outer.end() - 1, [&](Id each) { return is_idle(each); })) {
            return std::nullopt;
        }
        const auto& body = edit_.function().blocks[node(outer.back()).blocks[0]].statements;
        if (node(body.back()).kind != Kind::Yield || !node(body.back()).operands.empty() ||
            !std::all_of(body.begin(), body.end() - 1, [&](Id each) { return is_idle(each); })) {
            return std::nullopt;
        }
        out_->insert(out_->end(), outer.begin(), outer.end() - 1);
        return node(outer.back()).operands[0];
    }

    // It sets a variable and does nothing else.
    [[nodiscard]] bool is_idle(Id id) const {
        return node(id).kind == Kind::Let && is_total(edit_.function(), node(id).operands[0]);
    }

    void match(Id id) {
        const auto set = node(id).y == 0 ? only_set(node(id).blocks[0]) : std::nullopt;
        if (!set) {
            return;
        }
        CROUPIER_REWRITE_IF(node(id).kind == Kind::NoMatch, NoMatchOfRows);
        CROUPIER_REWRITE_IF(node(id).kind == Kind::SomeMatch, SomeMatchOfRows);
        Id test = edit_.make(Kind::AnyRow, {TypeKind::Truth}, {*set});
        if (node(id).kind == Kind::NoMatch) {
            test = edit_.make(Kind::Not, {TypeKind::Truth}, {test});
        }
        Node made;
        made.kind = Kind::Test;
        made.operands = {test};
        edit_.replace(id, std::move(made));
    }

    void gather(Id id) {
        const bool counts = static_cast<KeyKind>(node(id).y) == KeyKind::Count;
        const auto set = counts ? only_set(node(id).blocks[0]) : std::nullopt;
        if (!set) {
            return;
        }
        const std::size_t rows = edit_.module().lists[node(*set).type.list].values.size();
        const Type type{TypeKind::Int, 0, 0, static_cast<std::int64_t>(rows)};
        CROUPIER_REWRITE(CountOfRows);
        const VarId total = node(id).x;
        edit_.var(total).type = type;
        Node made;
        made.kind = Kind::Let;
        made.x = total;
        made.operands = {edit_.make(Kind::CountRows, type, {*set})};
        edit_.replace(id, std::move(made));
    }

    Editor edit_;
    CodeTables tables_;
    std::vector<Id>* out_ = nullptr;
};

} // namespace

void make_sets(Module& module, Function& function) {
    SetMaker(module, function).block(function.body);
}

} // namespace croupier::engine::ir
