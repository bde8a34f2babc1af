// The pass `tabulate`: computes what depends on a few codes for all of them, so that rules only
// look it up. It costs the same however a rule writes it (constants within constants, joined names,
// comparisons of ranks, sums of small numbers).
#include "engine/form/code_tables.h"
#include "engine/form/edit.h"
#include "engine/form/form.h"
#include "engine/form/passes.h"
#include "engine/form/probe.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace croupier::engine::form {

namespace {

// Larger tables would cost more to make than they save in short games.
constexpr std::size_t kMaxEntries = std::size_t{1} << 14;
constexpr std::size_t kMaxCodes = 3;
static_assert(kMaxEntries <= Entries::kMax);

class Tabulator {
  public:
    Tabulator(Module& module, Function& function)
        : edit_(module, function), tables_(edit_, kMaxCodes, kMaxEntries) {}

    void block(BlockId id) {
        for (std::size_t i = 0; i < edit_.block(id).statements.size(); ++i)
            statement(edit_.block(id).statements[i]);
    }

  private:
    [[nodiscard]] const Node& node(Id id) const { return edit_.function().at(id); }

    void statement(Id id) {
        for (std::size_t i = 0; i < node(id).operands.size(); ++i)
            expression(node(id).operands[i]);
        if (node(id).kind == Kind::Let && edit_.var(node(id).var()).type.kind == TypeKind::Any) {
            const Id value = node(id).operands[0];
            edit_.var(node(id).var()).type = node(value).type;
            // Readers of a text may depend on the codes that choose it.
            if (node(value).kind == Kind::Table && node(value).type.kind == TypeKind::Any &&
                std::ranges::all_of(
                    edit_.module().tables[node(value).table()].values.different(),
                    [this](const Value& each) { return each.tag == Tag::None || is_text(each); }))
                tables_.define(node(id).var(), value);
        }
        for (std::size_t i = 0; i < node(id).blocks.size(); ++i)
            block(node(id).blocks[i]);
    }

    void expression(Id id) {
        if (node(id).kind == Kind::Variable) edit_.at(id).type = edit_.var(node(id).var()).type;
        if (node(id).kind == Kind::Compare && is_equality(node(id).op())) compare_joined_text(id);
        if (!tables_.is_leaf(id) && !is_plain(id)) {
            if (auto made = tables_.of(id)) {
                become(id, std::move(*made));
                return;
            }
        }
        for (std::size_t i = 0; i < node(id).operands.size(); ++i)
            expression(node(id).operands[i]);
        if (node(id).kind == Kind::Compare && is_equality(node(id).op())) compare_codes(id);
    }

    // ---- comparisons with texts that are joined from codes ----

    // Turns a comparison of a text of a list with a joined text into one of codes: looks up the
    // joined text in the list. Leaves others as they are.
    void compare_joined_text(Id compare) {
        const Node known = node(compare);
        for (const std::size_t side : {0, 1}) {
            const Id read = known.operands[1 - side];
            const Id joined = known.operands[side];
            std::vector<Id> parts;
            if (node(joined).kind != Kind::Arithmetic || !is_text_of_list(read) ||
                !add_parts(joined, parts))
                continue;
            CROUPIER_REWRITE(JoinedTextAsCode);
            if (CROUPIER_MISTAKE(JoinedWithoutLastPart)) parts.pop_back();
            // A text that is not in the list becomes none, which equals nothing.
            const Id code = edit_.make(Kind::KeyCode, node(read).type, std::move(parts));
            edit_.at(compare).operands[side] = code;
            return;
        }
    }

    // Whether it reads a text of a list, or none.
    [[nodiscard]] bool is_text_of_list(Id id) const {
        const Node& known = node(id);
        if (known.type.kind != TypeKind::Code || !is_read(id)) return false;
        const auto& values = edit_.module().lists[known.type.list].values;
        return std::all_of(values.begin(), values.end(),
                           [this](const Value& each) { return is_text(each); });
    }

    [[nodiscard]] bool is_read(Id id) const {
        return node(id).kind == Kind::Variable || node(id).kind == Kind::Load;
    }

    // Whether it is a text, and not a number in sums either.
    [[nodiscard]] bool is_text(const Value& value) const {
        return value.tag == Tag::String ||
               (value.tag == Tag::Key &&
                !edit_.module().catalogue->symbols.integer(value.symbol()));
    }

    [[nodiscard]] bool is_sum(Id id) const {
        return node(id).kind == Kind::Arithmetic && node(id).op() == ExprOp::Add &&
               node(id).operands.size() == 2;
    }

    // Whether it joins texts: at least one side must be known to be a text.
    [[nodiscard]] bool joins(Id id) const {
        if (node(id).kind == Kind::Constant) {
            return node(id).type.kind == TypeKind::Any &&
                   is_text(edit_.module().values[node(id).value()]);
        }
        return is_sum(id) && (joins(node(id).operands[0]) || joins(node(id).operands[1]));
    }

    // Adds the parts that the expression joins; false if it does not join texts for all codes.
    bool add_parts(Id id, std::vector<Id>& found) {
        if (is_sum(id) && joins(id))
            return add_parts(node(id).operands[0], found) && add_parts(node(id).operands[1], found);
        found.push_back(id);
        return node(id).kind == Kind::Constant ||
               (node(id).type.kind == TypeKind::Code && is_read(id));
    }

    // Converts one of two codes, of different lists of texts, to the other's list.
    void compare_codes(Id id) {
        const Id a = node(id).operands[0];
        const Id b = node(id).operands[1];
        if (!is_text_code(a) || !is_text_code(b) || node(a).type == node(b).type) return;
        const auto is_key = [&](Id each) {
            return edit_.module().lists[node(each).type.list].form == CodeList::Form::Keys;
        };
        // Converts neither a column nor, if possible, the row of a loop.
        const bool first = node(a).kind == Kind::Load
                               ? false
                               : node(b).kind == Kind::Load || (is_key(b) && !is_key(a));
        const Id changed = first ? a : b;
        const Type type = node(first ? b : a).type;
        const CodeList& from = edit_.module().lists[node(changed).type.list];
        const CodeList& to = edit_.module().lists[type.list];
        std::map<Symbol, Value> known;
        for (const Value& each : to.values)
            known.emplace(each.symbol(), each);
        std::vector<Value> values(1);
        for (const Value& each : from.values) {
            const auto same = known.find(each.symbol());
            values.push_back(same == known.end() ? Value{} : same->second);
        }
        CROUPIER_REWRITE(CodeOfOtherList);
        if (CROUPIER_MISTAKE(CodeOfNextText))
            std::rotate(values.begin() + 1, values.end() - 1, values.end());
        LookupTable table;
        table.sizes = {static_cast<std::uint32_t>(values.size())};
        table.values = Entries(values);
        const Id made = edit_.make(Kind::Table, type, {changed}, edit_.new_table(std::move(table)));
        edit_.at(made).note = node(id).note;
        edit_.at(id).operands[first ? 0 : 1] = made;
    }

    [[nodiscard]] bool is_text_code(Id id) const {
        if (!tables_.is_leaf(id)) return false;
        const auto& values = edit_.module().lists[node(id).type.list].values;
        return values.size() < kMaxEntries &&
               std::all_of(values.begin(), values.end(),
                           [](const Value& each) { return each.is_text(); });
    }

    // Whether it reads one place or compares two codes, which no table does better.
    [[nodiscard]] bool is_plain(Id id) const {
        const Node& known = node(id);
        const auto direct = [&](Id operand) {
            return tables_.is_leaf(operand) || node(operand).kind == Kind::Constant;
        };
        switch (known.kind) {
        case Kind::Constant:
        case Kind::Variable:
            return true;
        case Kind::Table:
            return std::all_of(known.operands.begin(), known.operands.end(),
                               [&](Id operand) { return tables_.is_leaf(operand); });
        case Kind::Has:
        case Kind::Not:
            return tables_.is_leaf(known.operands[0]) || is_plain(known.operands[0]);
        case Kind::Compare:
            return is_equality(known.op()) &&
                   node(known.operands[0]).type == node(known.operands[1]).type &&
                   direct(known.operands[0]) && direct(known.operands[1]);
        default:
            return false;
        }
    }

    void become(Id id, CodeTables::Made found) {
        Type type = node(id).type;
        std::vector<Value> values;
        for (const auto& each : found.outcomes->values)
            values.push_back(*each);
        // Other nodes may depend on its codes already.
        if (type.kind != TypeKind::Truth && type.kind != TypeKind::Code)
            type = type_of_values(edit_.module(), values);
        for (Id& leaf : found.leaves) // it may belong to a variable that has been defined
            leaf = edit_.copy(leaf);
        CROUPIER_REWRITE_EITHER(found.leaves.empty(), TableOfOneEntry, TableOfCodes);
        if (found.leaves.empty()) {
            edit_.replace(id, edit_.constant_of(type, found[0]));
            return;
        }
        const auto& places = found.outcomes->places;
        const std::uint32_t table = edit_.new_table(
            {std::move(found.sizes), {{places.begin(), places.end()}, std::move(values)}, {}});
        edit_.become(id, Kind::Table, type, std::move(found.leaves), table);
    }

    Editor edit_;
    CodeTables tables_;
};

} // namespace

void tabulate(Module& module, Function& function) {
    Tabulator(module, function).block(function.body);
}

} // namespace croupier::engine::form
