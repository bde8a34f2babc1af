// The pass `tabulate`: what depends on a few codes is computed for all of them here, and looked up
// when rules run. However a rule writes such a thing (constants within constants, joined names,
// comparisons of ranks, sums of small numbers), it costs the same.
#include "engine/ir/edit.h"
#include "engine/ir/evaluate.h"
#include "engine/ir/lists.h"
#include "engine/ir/pass.h"
#include "engine/ir/same.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace croupier::engine::ir {

namespace {

// Entries of one table. Larger ones would cost more to make than games that short could gain.
constexpr std::size_t kMostEntries = std::size_t{1} << 14;
constexpr std::size_t kMostCodes = 3;

class Tabulator {
  public:
    Tabulator(Module& module, Function& function) : edit_(module, function) {}

    void block(BlockId id) {
        for (std::size_t i = 0; i < edit_.block(id).statements.size(); ++i) {
            statement(edit_.block(id).statements[i]);
        }
    }

  private:
    void statement(Id id) {
        for (std::size_t i = 0; i < edit_.at(id).operands.size(); ++i) {
            expression(edit_.at(id).operands[i]);
        }
        if (node(id).kind == Kind::Let && node(node(id).operands[0]).type.is_value()) {
            edit_.var(node(id).x).type = node(node(id).operands[0]).type;
        }
        for (std::size_t i = 0; i < edit_.at(id).blocks.size(); ++i) {
            block(edit_.at(id).blocks[i]);
        }
    }

    void expression(Id id) {
        if (node(id).kind == Kind::Variable) {
            edit_.at(id).type = edit_.var(node(id).x).type;
        }
        if (tabulate(id)) {
            return;
        }
        for (std::size_t i = 0; i < edit_.at(id).operands.size(); ++i) {
            expression(edit_.at(id).operands[i]);
        }
    }

    [[nodiscard]] bool is_code(Id id) const { return node(id).type.kind == TypeKind::Code; }
    [[nodiscard]] const Node& node(Id id) const { return function().at(id); }
    [[nodiscard]] const Function& function() const { return edit_.function(); }

    // A code that is read, from a variable or from the state.
    [[nodiscard]] bool is_leaf(Id id) const {
        const Kind kind = node(id).kind;
        return is_code(id) && (kind == Kind::Variable || kind == Kind::Load);
    }

    // The expression, whose variables get the types that they have by now, depends on nothing but
    // such leaves, which are added to `leaves`, each once.
    bool find_leaves(Id id, std::vector<Id>& leaves) {
        if (node(id).kind == Kind::Variable) {
            edit_.at(id).type = edit_.var(node(id).x).type;
        }
        if (is_leaf(id)) {
            const bool known = std::any_of(leaves.begin(), leaves.end(), [&](Id each) {
                return same_expression(edit_.module(), function(), each, id);
            });
            if (!known) {
                leaves.push_back(id);
            }
            return leaves.size() <= kMostCodes;
        }
        switch (node(id).kind) {
        case Kind::Constant:
        case Kind::KeyCode:
        case Kind::Has:
        case Kind::Fits:
        case Kind::Compare:
        case Kind::Not:
        case Kind::And:
        case Kind::Or:
        case Kind::Choose:
        case Kind::Given:
        case Kind::Truth:
        case Kind::Arithmetic:
        case Kind::Table:
            return std::all_of(node(id).operands.begin(), node(id).operands.end(),
                               [&](Id operand) { return find_leaves(operand, leaves); });
        default:
            return false;
        }
    }

    // A look at one place, or a comparison of two codes: no table does it better.
    [[nodiscard]] bool is_plain(Id id) const {
        const Node& known = node(id);
        switch (known.kind) {
        case Kind::Constant:
            return true;
        case Kind::Table:
            return std::all_of(known.operands.begin(), known.operands.end(),
                               [&](Id operand) { return is_leaf(operand); });
        case Kind::Has:
        case Kind::Not:
            return is_leaf(known.operands[0]) || is_plain(known.operands[0]);
        case Kind::Compare: {
            const Node& a = node(known.operands[0]);
            const Node& b = node(known.operands[1]);
            const bool equality = is_equality(static_cast<ExprOp>(known.x));
            const auto direct = [&](Id operand) {
                return is_leaf(operand) || node(operand).kind == Kind::Constant;
            };
            return equality && a.type == b.type && direct(known.operands[0]) &&
                   direct(known.operands[1]);
        }
        default:
            return false;
        }
    }

    bool tabulate(Id id) {
        std::vector<Id> leaves;
        if (!node(id).type.is_value() || is_leaf(id) || is_plain(id) || !find_leaves(id, leaves)) {
            return false;
        }
        std::size_t count = 1;
        Table table;
        for (const Id leaf : leaves) {
            table.sizes.push_back(static_cast<std::uint32_t>(
                edit_.module().lists[node(leaf).type.list].values.size() + 1));
            count *= table.sizes.back();
        }
        if (count > kMostEntries) {
            return false;
        }
        for (std::size_t i = 0; i < count; ++i) {
            const auto value = value_for(id, leaves, table.sizes, i);
            if (!value) {
                return false;
            }
            table.values.push_back(*value);
        }
        become(id, leaves, std::move(table));
        return true;
    }

    // What the expression comes to for that choice of codes.
    std::optional<Value> value_for(Id id, const std::vector<Id>& leaves,
                                   const std::vector<std::uint32_t>& sizes, std::size_t choice) {
        std::vector<Value> values(leaves.size());
        for (std::size_t i = leaves.size(); i-- > 0;) {
            const auto code = choice % sizes[i];
            choice /= sizes[i];
            const CodeList& list = edit_.module().lists[node(leaves[i]).type.list];
            values[i] = code == 0 ? Value{} : list.values[code - 1];
        }
        return evaluate(edit_.module(), function(), id, [&](Id each) -> std::optional<Value> {
            if (!is_leaf(each)) {
                return std::nullopt;
            }
            for (std::size_t i = 0; i < leaves.size(); ++i) {
                if (same_expression(edit_.module(), function(), leaves[i], each)) {
                    return values[i];
                }
            }
            return std::nullopt;
        });
    }

    void become(Id id, const std::vector<Id>& leaves, Table table) {
        Module& module = edit_.module();
        Node made;
        made.type = node(id).type.kind == TypeKind::Truth ? node(id).type
                                                          : type_of_values(module, table.values);
        if (leaves.empty()) {
            made.kind = Kind::Constant;
            if (made.type.kind == TypeKind::Truth) {
                made.number = table.values[0].truth() ? 1 : 0;
            } else if (made.type.kind == TypeKind::Code) {
                made.number = code_of(module, made.type.list, table.values[0]);
            } else {
                module.values.push_back(table.values[0]);
                made.x = static_cast<std::uint32_t>(module.values.size() - 1);
            }
        } else {
            made.kind = Kind::Table;
            made.x = static_cast<std::uint32_t>(module.tables.size());
            made.operands = leaves;
            module.tables.push_back(std::move(table));
        }
        edit_.replace(id, std::move(made));
    }

    Editor edit_;
};

} // namespace

void tabulate(Module& module, Function& function) {
    Tabulator(module, function).block(function.body);
}

} // namespace croupier::engine::ir
