// The pass `tabulate`: what depends on a few codes is computed for all of them here, and looked up
// when rules run. However a rule writes such a thing (constants within constants, joined names,
// comparisons of ranks, sums of small numbers), it costs the same.
#include "engine/ir/code_tables.h"
#include "engine/ir/joined_texts.h"
#include "engine/ir/lists.h"
#include "engine/ir/pass.h"
#include "engine/ir/probe.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace croupier::engine::ir {

namespace {

// Larger tables would cost more to make than short games could gain.
constexpr std::size_t kMostEntries = std::size_t{1} << 14;
static_assert(kMostEntries <= Entries::kMost);

class Tabulator {
  public:
    Tabulator(Module& module, Function& function)
        : edit_(module, function), tables_(edit_, kMostEntries) {}

    void block(BlockId id) {
        for (std::size_t i = 0; i < edit_.block(id).statements.size(); ++i) {
            statement(edit_.block(id).statements[i]);
        }
    }

  private:
    [[nodiscard]] const Node& node(Id id) const { return edit_.function().at(id); }

    void statement(Id id) {
        for (std::size_t i = 0; i < node(id).operands.size(); ++i) {
            expression(node(id).operands[i]);
        }
        if (node(id).kind == Kind::Let && edit_.var(node(id).x).type.kind == TypeKind::Any) {
            edit_.var(node(id).x).type = node(node(id).operands[0]).type;
        }
        for (std::size_t i = 0; i < node(id).blocks.size(); ++i) {
            block(node(id).blocks[i]);
        }
    }

    void expression(Id id) {
        if (node(id).kind == Kind::Variable) {
            edit_.at(id).type = edit_.var(node(id).x).type;
        }
        if (node(id).kind == Kind::Compare && is_equality(static_cast<ExprOp>(node(id).x))) {
            compare_joined_text(edit_, id);
        }
        if (!tables_.is_leaf(id) && !is_plain(id)) {
            if (auto made = tables_.of(id)) {
                become(id, std::move(*made));
                return;
            }
        }
        for (std::size_t i = 0; i < node(id).operands.size(); ++i) {
            expression(node(id).operands[i]);
        }
        if (node(id).kind == Kind::Compare && is_equality(static_cast<ExprOp>(node(id).x))) {
            compare_codes(id);
        }
    }

    // Codes of two lists of texts: one of them as a code of the other's list.
    void compare_codes(Id id) {
        const Id a = node(id).operands[0];
        const Id b = node(id).operands[1];
        if (!is_text_code(a) || !is_text_code(b) || node(a).type == node(b).type) {
            return;
        }
        const auto is_key = [&](Id each) {
            return edit_.module().lists[node(each).type.list].form == CodeList::Form::Keys;
        };
        // A column is compared as it is, and so is the row of a loop.
        const bool first = node(a).kind == Kind::Load
                               ? false
                               : node(b).kind == Kind::Load || (is_key(b) && !is_key(a));
        const Id changed = first ? a : b;
        const Type type = node(first ? b : a).type;
        const CodeList& from = edit_.module().lists[node(changed).type.list];
        const CodeList& to = edit_.module().lists[type.list];
        std::map<Symbol, Value> known;
        for (const Value& each : to.values) {
            known.emplace(each.symbol(), each);
        }
        std::vector<Value> values(1);
        for (const Value& each : from.values) {
            const auto same = known.find(each.symbol());
            values.push_back(same == known.end() ? Value{} : same->second);
        }
        CROUPIER_REWRITE(CodeOfOtherList);
        if (CROUPIER_MISTAKE(CodeOfNextText)) {
            std::rotate(values.begin() + 1, values.end() - 1, values.end());
        }
        Table table;
        table.sizes = {static_cast<std::uint32_t>(values.size())};
        table.values = Entries(values);
        edit_.module().tables.push_back(std::move(table));
        const auto number = static_cast<std::uint32_t>(edit_.module().tables.size() - 1);
        const Id made = edit_.make(Kind::Table, type, {changed}, number);
        edit_.at(made).note = node(id).note;
        edit_.at(id).operands[first ? 0 : 1] = made;
    }

    [[nodiscard]] bool is_text_code(Id id) const {
        if (!tables_.is_leaf(id)) {
            return false;
        }
        const auto& values = edit_.module().lists[node(id).type.list].values;
        return values.size() < kMostEntries &&
               std::all_of(values.begin(), values.end(),
                           [](const Value& each) { return each.is_text(); });
    }

    // A look at one place, or a comparison of two codes: no table does it better.
    [[nodiscard]] bool is_plain(Id id) const {
        const Node& known = node(id);
        const auto direct = [&](Id operand) {
            return tables_.is_leaf(operand) || node(operand).kind == Kind::Constant;
        };
        switch (known.kind) {
        case Kind::Constant:
            return true;
        case Kind::Table:
            return std::all_of(known.operands.begin(), known.operands.end(),
                               [&](Id operand) { return tables_.is_leaf(operand); });
        case Kind::Has:
        case Kind::Not:
            return tables_.is_leaf(known.operands[0]) || is_plain(known.operands[0]);
        case Kind::Compare:
            return is_equality(static_cast<ExprOp>(known.x)) &&
                   node(known.operands[0]).type == node(known.operands[1]).type &&
                   direct(known.operands[0]) && direct(known.operands[1]);
        default:
            return false;
        }
    }

    void become(Id id, CodeTables::Made found) {
        Module& module = edit_.module();
        const TypeKind kind = node(id).type.kind;
        const bool truth = kind == TypeKind::Truth;
        Node made;
        std::vector<Value> values;
        for (const auto& each : found.outcomes->values) {
            values.push_back(*each);
        }
        // Others may have chosen by its codes already.
        made.type =
            truth || kind == TypeKind::Code ? node(id).type : type_of_values(module, values);
        CROUPIER_REWRITE_IF(found.leaves.empty(), TableOfOneEntry);
        CROUPIER_REWRITE_IF(!found.leaves.empty(), TableOfCodes);
        if (found.leaves.empty()) {
            const Value& only = found[0];
            made.kind = Kind::Constant;
            if (truth) {
                made.number = only.truth() ? 1 : 0;
            } else if (made.type.kind == TypeKind::Code) {
                made.number = code_of(module, made.type.list, only);
            } else {
                made.x = static_cast<std::uint32_t>(module.values.size());
                module.values.push_back(only);
            }
        } else {
            const auto& places = found.outcomes->places;
            made.kind = Kind::Table;
            made.x = static_cast<std::uint32_t>(module.tables.size());
            made.operands = std::move(found.leaves);
            module.tables.push_back(
                {std::move(found.sizes), {{places.begin(), places.end()}, std::move(values)}, {}});
        }
        edit_.replace(id, std::move(made));
    }

    Editor edit_;
    CodeTables tables_;
};

} // namespace

void tabulate(Module& module, Function& function) {
    Tabulator(module, function).block(function.body);
}

} // namespace croupier::engine::ir
