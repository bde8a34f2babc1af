// The pass `together`: rules that do the same at each row of a set do it for all of them at once,
// and others keep of their matches what they read. Matches cannot be told any more.
#include "engine/ir/effects.h"
#include "engine/ir/pass.h"
#include "engine/ir/probe.h"
#include "engine/ir/rule_of_rows.h"
#include "engine/ir/share_sets.h"

#include <algorithm>

namespace croupier::engine::ir {

namespace {

class Gatherer {
  public:
    Gatherer(Module& module, Function& function) : edit_(module, function) {}

    void run() {
        block(edit_.function().body, false);
        read_.assign(edit_.function().vars.size(), false);
        note_reads(edit_.function().body);
        for (const Id each : loops_) {
            forget_unread(each);
        }
    }

  private:
    [[nodiscard]] const Node& node(Id id) const { return edit_.function().at(id); }
    [[nodiscard]] std::vector<Id> statements(BlockId block) const {
        return edit_.function().blocks[block].statements;
    }

    void block(BlockId id, bool at_once) {
        for (const Id each : statements(id)) {
            statement(each, at_once);
        }
    }

    void statement(Id id, bool at_once) {
        const Kind kind = node(id).kind;
        if (kind == Kind::Group) {
            const GroupMode mode = edit_.module().catalogue->groups[node(id).x].mode;
            if (mode == GroupMode::Agenda) {
                return; // which is told of every match and every write
            }
            at_once = mode == GroupMode::AtOnce;
        } else if (kind == Kind::Apply) {
            rule(id, at_once);
            block(node(id).blocks[1], false);
            block(node(id).blocks[2], false);
            return;
        }
        for (std::size_t i = 0; i < node(id).blocks.size(); ++i) {
            block(node(id).blocks[i], at_once);
        }
    }

    void rule(Id apply, bool at_once) {
        const RulePlan& plan = edit_.module().catalogue->rules[node(apply).x];
        if (!plan.first && plan.repeat == 1) {
            RuleOfRows(edit_, apply).rewrite(at_once);
        }
        loops_.push_back(apply);
    }

    // ---- matches of which the action reads less than there is ----

    void note_reads(BlockId block) {
        for (const Id each : statements(block)) {
            note_reads_of(each);
        }
    }
    void note_reads_of(Id id) {
        if (node(id).kind == Kind::Variable || node(id).kind == Kind::RowsOf) {
            read_[node(id).x] = true;
        }
        for (const Id operand : node(id).operands) {
            note_reads_of(operand);
        }
        for (const BlockId block : node(id).blocks) {
            note_reads(block);
        }
    }

    // Those that give results to the rule.
    void find_yields(BlockId search, std::vector<Id>& yields) const {
        for (const Id each : edit_.function().blocks[search].statements) {
            const Node& known = node(each);
            if (known.kind == Kind::Yield) {
                yields.push_back(each);
            }
            for (std::size_t i = 0; i < known.blocks.size(); ++i) {
                if (info_of(known.kind).block(i, known.blocks.size()) == 'c') {
                    find_yields(known.blocks[i], yields);
                }
            }
        }
    }

    void forget_unread(Id apply) {
        const Node known = node(apply);
        std::vector<Id> yields;
        find_yields(known.blocks[0], yields);
        std::vector<std::size_t> kept;
        std::vector<VarId> vars;
        for (std::size_t i = 0; i < static_cast<std::size_t>(known.number); ++i) {
            const VarId var = known.y + static_cast<VarId>(i);
            const bool total = std::all_of(yields.begin(), yields.end(), [&](Id each) {
                return is_total(edit_.function(), node(each).operands[i]);
            });
            if (read_[var] || !total) {
                kept.push_back(i);
                vars.push_back(var);
            }
        }
        if (yields.empty() || vars.size() == static_cast<std::size_t>(known.number)) {
            return;
        }
        CROUPIER_REWRITE(UnreadValue);
        for (const Id each : yields) {
            std::vector<Id> operands;
            for (const std::size_t i : kept) {
                const std::size_t place = CROUPIER_MISTAKE(FirstValuesKept) ? operands.size() : i;
                operands.push_back(node(each).operands[place]);
            }
            edit_.at(each).operands = std::move(operands);
        }
        const VarId first = number_together(edit_, vars, known.blocks[1]);
        edit_.at(apply).y = first;
        edit_.at(apply).number = static_cast<std::int64_t>(vars.size());
    }

    Editor edit_;
    std::vector<Id> loops_; // rules, whose matches may be more than what they read
    std::vector<bool> read_;
};

} // namespace

void together(Module& module, Function& function) {
    Gatherer(module, function).run();
    share_sets(module, function);
    sweep(module, function);
}

} // namespace croupier::engine::ir
