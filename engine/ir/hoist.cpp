// The pass `hoist`: sets that a loop would make again for each of its rows are made once, before
// it.
#include "engine/ir/edit.h"
#include "engine/ir/pass.h"
#include "engine/ir/probe.h"
#include "engine/ir/same.h"
#include "engine/ir/share_sets.h"

#include <algorithm>
#include <utility>

namespace croupier::engine::ir {

namespace {

class Hoister {
  public:
    Hoister(Module& module, Function& function)
        : edit_(module, function), depth_(function.vars.size()) {}

    void block(BlockId id) {
        std::vector<Id> made;
        std::vector<Id>* const outer = std::exchange(out_, &made);
        for (const Id each : std::exchange(edit_.block(id).statements, {})) {
            statement(each);
            out_->push_back(each);
        }
        out_ = outer;
        edit_.block(id).statements = std::move(made);
    }

  private:
    struct Loop {
        std::vector<Id>* before; // statements around it, up to the loop
        std::vector<std::pair<Id, VarId>> made;
    };

    [[nodiscard]] const Node& node(Id id) const { return edit_.function().at(id); }

    void statement(Id id) {
        for (std::size_t i = 0; i < node(id).operands.size(); ++i) {
            operand(id, i);
        }
        const Kind kind = node(id).kind;
        if (kind == Kind::Apply) {
            // Its search is one of its own; its actions change what sets are made of.
            const std::vector<Loop> around = std::exchange(loops_, {});
            for (std::size_t i = 0; i < node(id).blocks.size(); ++i) {
                block(node(id).blocks[i]);
            }
            loops_ = around;
            return;
        }
        if (kind == Kind::EachRow || kind == Kind::EachChild) {
            loops_.push_back({out_, {}});
            define(node(id).x);
            if (kind == Kind::EachChild && node(id).y != 0) {
                define(node(id).y - 1);
            }
            block(node(id).blocks[0]);
            loops_.pop_back();
            return;
        }
        if (kind == Kind::Alternatives) {
            for (VarId i = 0; i < static_cast<VarId>(node(id).number); ++i) {
                define(node(id).x + i);
            }
        } else if (kind == Kind::Let || kind == Kind::LetRows || kind == Kind::LetTouching ||
                   kind == Kind::Gather) {
            define(node(id).x);
        } else if (kind == Kind::LetCounts) {
            for (VarId i = 0; i < static_cast<VarId>(node(id).number); ++i) {
                define(node(id).x + i);
            }
        }
        for (std::size_t i = 0; i < node(id).blocks.size(); ++i) {
            block(node(id).blocks[i]);
        }
    }

    void define(VarId var) { depth_[var] = loops_.size(); }

    // How many of the loops around it has to be gone into before all that it reads is known.
    [[nodiscard]] std::size_t depth(Id id) const {
        std::size_t most = node(id).kind == Kind::Variable || node(id).kind == Kind::RowsOf
                               ? depth_[node(id).x]
                               : 0;
        for (const Id operand : node(id).operands) {
            most = std::max(most, depth(operand));
        }
        return most;
    }

    // Made by looking at the rows one after the other.
    [[nodiscard]] bool is_costly(Id id) const {
        const Layout& layout = edit_.layout();
        const Node& known = node(id);
        bool costly = known.kind == Kind::RowsWith;
        if (known.kind == Kind::Rows) {
            const Column column = layout.node(layout.node(known.x).element).column;
            costly = column != Column::None && column != Column::Int;
        }
        return costly || std::any_of(known.operands.begin(), known.operands.end(), [&](Id each) {
                   return node(each).type.kind == TypeKind::Set && is_costly(each);
               });
    }

    void operand(Id parent, std::size_t place) {
        const Id id = node(parent).operands[place];
        if (node(id).type.kind == TypeKind::Set && is_costly(id)) {
            const std::size_t needed = CROUPIER_MISTAKE(SetBeforeItsRow) ? 0 : depth(id);
            if (needed < loops_.size()) {
                const VarId var = set_before(loops_[needed], id);
                edit_.at(parent).operands[place] = edit_.make(Kind::RowsOf, node(id).type, {}, var);
                return;
            }
        }
        for (std::size_t i = 0; i < node(id).operands.size(); ++i) {
            operand(id, i);
        }
    }

    VarId set_before(Loop& loop, Id set) {
        for (const auto& [known, var] : loop.made) {
            if (same_expression(edit_.module(), edit_.function(), known, set)) {
                CROUPIER_REWRITE(SetMadeBefore);
                return var;
            }
        }
        CROUPIER_REWRITE(SetBeforeLoop);
        const VarId var = edit_.new_var("rows", node(set).type);
        depth_.push_back(static_cast<std::size_t>(&loop - loops_.data()));
        loop.before->push_back(edit_.make(Kind::LetRows, {}, {set}, var));
        loop.made.emplace_back(set, var);
        return var;
    }

    Editor edit_;
    std::vector<std::size_t> depth_; // of variables: how many loops are around what sets them
    std::vector<Loop> loops_;
    std::vector<Id>* out_ = nullptr;
};

} // namespace

void hoist(Module& module, Function& function) {
    Hoister(module, function).block(function.body);
    share_sets(module, function);
}

} // namespace croupier::engine::ir
