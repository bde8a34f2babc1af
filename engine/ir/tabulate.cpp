// The pass `tabulate`: what depends on a few codes is computed for all of them here, and looked up
// when rules run. However a rule writes such a thing (constants within constants, joined names,
// comparisons of ranks, sums of small numbers), it costs the same.
#include "engine/ir/code_tables.h"
#include "engine/ir/lists.h"
#include "engine/ir/pass.h"
#include "engine/ir/probe.h"

#include <algorithm>

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
        if (!tables_.is_leaf(id) && !is_plain(id)) {
            if (auto made = tables_.of(id)) {
                become(id, std::move(*made));
                return;
            }
        }
        for (std::size_t i = 0; i < node(id).operands.size(); ++i) {
            expression(node(id).operands[i]);
        }
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
