// The pass `hoist`: makes sets before a loop that would make them again for each of its rows.
#include "engine/form/edit.h"
#include "engine/form/effects.h"
#include "engine/form/passes.h"
#include "engine/form/probe.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace croupier::engine::form {

// Sets of rows that several searches make are made once for all of them.

namespace {

class Sharer {
  public:
    Sharer(Module& module, Function& function) : edit_(module, function) {}

    void block(BlockId id) {
        std::vector<Id> made;
        for (const Id each : std::vector<Id>(edit_.block(id).statements)) {
            for (std::size_t i = 0; i < node(each).blocks.size(); ++i)
                block(node(each).blocks[i]);
            if (node(each).kind == Kind::GroupBelow) {
                group_at_once(each, made);
            } else if (node(each).kind == Kind::Apply) {
                all_.clear();
                rule(each);
                leave_out();
            }
            made.push_back(each);
        }
        edit_.block(id).statements = std::move(made);
    }

  private:
    // A set that searches make, by the statement that makes it first.
    struct Made {
        Id let = 0;
        std::vector<Id> again; // statements that make it again
        bool by_several = false;
        Id apply = 0;
    };

    [[nodiscard]] const Node& node(Id id) const { return edit_.function().at(id); }

    void group_at_once(Id below, std::vector<Id>& before) {
        const auto& inside = edit_.block(node(below).blocks[0]).statements;
        if (inside.size() != 1 || node(inside[0]).kind != Kind::Group ||
            edit_.module().catalogue->groups[node(inside[0]).group()].mode != GroupMode::AtOnce)
            return;
        const Id group = inside[0];
        all_.clear();
        for (const BlockId each : std::vector<BlockId>(node(group).blocks)) {
            const auto& statements = edit_.block(each).statements;
            if (statements.size() == 1 && node(statements[0]).kind == Kind::Apply)
                rule(statements[0]);
        }
        // Sets that several rules make read no variable of a single rule, except such sets.
        for (Made& each : all_) {
            if (each.by_several) {
                CROUPIER_REWRITE(SetOfSeveralRules);
                before.push_back(each.let);
                each.again.push_back(each.let);
            }
        }
        leave_out();
    }

    // Finds sets of the rule's search that have been made before.
    void rule(Id apply) {
        renamed_.clear();
        const BlockId search = node(apply).blocks[0];
        for (const Id each : std::vector<Id>(edit_.block(search).statements)) {
            rename(each);
            take_made(each, apply);
            if (!lets_rows(node(each).kind)) continue;
            const auto known = std::find_if(all_.begin(), all_.end(), [&](const Made& made) {
                const Node& one = node(made.let);
                const Node& two = node(each);
                return one.kind == two.kind && one.y == two.y && one.number == two.number &&
                       edit_.function().vars[one.var()].type ==
                           edit_.function().vars[two.var()].type &&
                       same_expression(edit_.module(), edit_.function(), one.operands[0],
                                       two.operands[0]);
            });
            if (known == all_.end()) {
                all_.push_back({each, {}, false, apply});
                continue;
            }
            known->again.push_back(each);
            known->by_several = known->by_several || known->apply != apply;
            for (std::int64_t i = 0; i < node(each).vars(); ++i) {
                renamed_[node(each).var() + static_cast<VarId>(i)] =
                    node(known->let).var() + static_cast<VarId>(i);
            }
        }
    }

    // Takes sets that the search has made out of their variables.
    void take_made(Id id, Id apply) {
        const bool is_let = lets_rows(node(id).kind);
        for_each_node(edit_.function(), id, [&](Id each) {
            if (node(each).kind != Kind::RowsWith || (is_let && each == node(id).operands[0]))
                return;
            const auto known = std::ranges::find_if(all_, [&](const Made& made) {
                return made.apply == apply && node(made.let).kind == Kind::LetRows &&
                       same_expression(edit_.module(), edit_.function(), node(made.let).operands[0],
                                       each);
            });
            if (known == all_.end()) return;
            CROUPIER_REWRITE(SetTaken);
            edit_.become(each, Kind::RowsOf, node(each).type, {}, node(known->let).var());
        });
    }

    void rename(Id id) {
        for_each_node(edit_.function(), id, [&](Id each) {
            if (node(each).kind != Kind::RowsOf) return;
            if (const auto to = renamed_.find(node(each).var()); to != renamed_.end())
                edit_.at(each).var() = to->second;
        });
    }

    void leave_out() {
        for (const Made& each : all_) {
            CROUPIER_REWRITE_IF(!each.again.empty() && !each.by_several, SetMadeTwice);
            gone_.insert(each.again.begin(), each.again.end());
        }
        for (const Made& each : all_)
            leave_out_of(node(each.apply).blocks[0]);
    }
    void leave_out_of(BlockId search) {
        std::erase_if(edit_.block(search).statements, [&](Id id) { return gone_.contains(id); });
    }

    Editor edit_;
    std::vector<Made> all_;
    std::unordered_map<VarId, VarId> renamed_; // in the current rule
    std::unordered_set<Id> gone_;
};

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
    [[nodiscard]] const Node& node(Id id) const { return edit_.function().at(id); }

    void statement(Id id) {
        for (std::size_t i = 0; i < node(id).operands.size(); ++i)
            operand(id, i);
        const Kind kind = node(id).kind;
        if (kind == Kind::Apply) {
            // Sets stay inside: the search is separate, and actions change what sets are made from.
            const auto around = std::exchange(loops_, {});
            for (std::size_t i = 0; i < node(id).blocks.size(); ++i)
                block(node(id).blocks[i]);
            loops_ = around;
            return;
        }
        const bool loops = kind == Kind::EachRow || kind == Kind::EachChild;
        if (loops) loops_.push_back(out_);
        for (const VarId var : variables_set_at(node(id)))
            depth_[var] = loops_.size();
        for (std::size_t i = 0; i < node(id).blocks.size(); ++i)
            block(node(id).blocks[i]);
        if (loops) loops_.pop_back();
    }

    // How many of the enclosing loops must be entered before all that it reads is known.
    [[nodiscard]] std::size_t depth(Id id) const {
        std::size_t most = node(id).kind == Kind::Variable || node(id).kind == Kind::RowsOf
                               ? depth_[node(id).var()]
                               : 0;
        for (const Id operand : node(id).operands)
            most = std::max(most, depth(operand));
        return most;
    }

    // Whether it is made by visiting rows one by one.
    [[nodiscard]] bool is_costly(Id id) const {
        const Layout& layout = edit_.layout();
        const Node& known = node(id);
        bool costly = known.kind == Kind::RowsWith;
        if (known.kind == Kind::Rows) {
            const Column column = layout.node(layout.node(known.schema()).element).column;
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
                CROUPIER_REWRITE(SetBeforeLoop);
                const VarId var = edit_.new_var("rows", node(id).type);
                depth_.push_back(needed);
                loops_[needed]->push_back(edit_.make(Kind::LetRows, {}, {id}, var));
                edit_.at(parent).operands[place] = edit_.make(Kind::RowsOf, node(id).type, {}, var);
                return;
            }
        }
        for (std::size_t i = 0; i < node(id).operands.size(); ++i)
            operand(id, i);
    }

    Editor edit_;
    std::vector<std::size_t> depth_; // of variables: number of loops around their statement
    std::vector<std::vector<Id>*>
        loops_; // of the enclosing loops: where statements before each loop go
    std::vector<Id>* out_ = nullptr;
};

} // namespace

void share_sets(Module& module, Function& function) {
    Sharer(module, function).block(function.body);
}

void hoist(Module& module, Function& function) {
    Hoister(module, function).block(function.body);
    share_sets(module, function);
}

} // namespace croupier::engine::form
