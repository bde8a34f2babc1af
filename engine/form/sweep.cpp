// The pass `sweep`: drops what is never read, and moves what only one branch reads into it.
#include "engine/form/effects.h"
#include "engine/form/passes.h"
#include "engine/form/probe.h"

#include <algorithm>
#include <vector>

namespace croupier::engine::form {

namespace {

class Sweeper {
  public:
    Sweeper(const Module& module, Function& function)
        : module_(module), function_(function), readers_(function.vars.size()) {}

    void run() {
        for_each_node_in(function_, function_.body, [&](Id id) { count(id, 1); });
        // A dropped variable may have been the only reader of an earlier one.
        while (clear(function_.body)) {
        }
        use_once(function_.body);
        sink(function_.body);
    }

  private:
    void count(Id id, int by) {
        const Node& node = function_.at(id);
        if (node.kind == Kind::Variable || node.kind == Kind::RowsOf) readers_[node.var()] += by;
    }

    // Whether nothing shows that it was computed.
    [[nodiscard]] bool is_idle(Id id) const {
        return is_total(function_, id) || CROUPIER_MISTAKE(SweptErrors);
    }

    // Whether it sets variables that are never read, and does nothing else.
    [[nodiscard]] bool sets_only_variables(const Node& node) const {
        if (node.kind != Kind::Let && !lets_rows(node.kind)) return false;
        const Numbers set = variables_set_at(node);
        return std::all_of(set.begin(), set.end(), [&](VarId var) { return readers_[var] == 0; });
    }

    bool clear(BlockId block) {
        bool changed = false;
        auto& statements = function_.blocks[block].statements;
        std::erase_if(statements, [&](Id id) {
            const Node& node = function_.at(id);
            const bool goes = sets_only_variables(node) && is_idle(node.operands[0]);
            if (goes) {
                CROUPIER_REWRITE_EITHER(node.kind == Kind::Let, UnreadVariable, UnreadSet);
                for_each_node(function_, id, [&](Id each) { count(each, -1); });
                changed = true;
            }
            return goes;
        });
        for (const Id id : statements)
            for (const BlockId inner : function_.at(id).blocks)
                changed = clear(inner) || changed;
        return changed;
    }

    // Makes a set of one word, which one later statement reads, where it is read.
    void use_once(BlockId block) {
        auto& statements = function_.blocks[block].statements;
        for (std::size_t i = statements.size(); i-- > 0;)
            if (is_used_once(statements, i))
                statements.erase(statements.begin() + static_cast<std::ptrdiff_t>(i));
        for (const Id id : std::vector<Id>(statements))
            for (const BlockId inner : function_.at(id).blocks)
                use_once(inner);
    }

    bool is_used_once(const std::vector<Id>& statements, std::size_t place) {
        const Node& let = function_.at(statements[place]);
        if (let.kind != Kind::LetRows || readers_[let.var()] != 1 ||
            module_.lists[function_.vars[let.var()].type.list].values.size() > kWordRows)
            return false;
        const Effects effects = effects_of(module_, function_, statements[place]);
        for (std::size_t i = place + 1; i < statements.size(); ++i) {
            for (const Id operand : function_.at(statements[i]).operands) {
                if (const Id reader = reader_in(operand, let.var()); reader != kNothing) {
                    CROUPIER_REWRITE(SetUsedOnce);
                    function_.nodes[reader] = function_.at(let.operands[0]);
                    return true;
                }
            }
            if (!may_swap(effects, effects_of(module_, function_, statements[i]))) return false;
        }
        return false;
    }

    // The node that reads the variable in an expression.
    [[nodiscard]] Id reader_in(Id expression, VarId var) const {
        const Node& node = function_.at(expression);
        if (node.kind == Kind::RowsOf && node.var() == var) return expression;
        for (const Id operand : node.operands)
            if (const Id found = reader_in(operand, var); found != kNothing) return found;
        return kNothing;
    }

    // Moves what only one branch of an If reads into that branch.
    void sink(BlockId block) {
        for (std::size_t i = function_.blocks[block].statements.size(); i-- > 0;)
            sink_statement(block, i);
        for (const Id id : function_.blocks[block].statements)
            for (const BlockId inner : function_.at(id).blocks)
                sink(inner);
    }

    void sink_statement(BlockId block, std::size_t place) {
        auto& statements = function_.blocks[block].statements;
        const Id let = statements[place];
        const Node& node = function_.at(let);
        if (node.kind != Kind::Let || readers_[node.var()] == 0 || !is_idle(node.operands[0]))
            return;
        const Effects effects = effects_of(module_, function_, let);
        for (std::size_t i = place + 1; i < statements.size(); ++i) {
            const Node& other = function_.at(statements[i]);
            for (const BlockId way : other.blocks) {
                const int readers = readers_in(way, node.var());
                if (other.kind == Kind::If && readers != 0 &&
                    (readers == readers_[node.var()] || CROUPIER_MISTAKE(ComputedOneWayOnly))) {
                    CROUPIER_REWRITE(ComputedOneWay);
                    auto& there = function_.blocks[way].statements;
                    there.insert(there.begin(), let);
                    statements.erase(statements.begin() + static_cast<std::ptrdiff_t>(place));
                    return;
                }
            }
            if (!may_swap(effects, effects_of(module_, function_, statements[i]))) return;
        }
    }

    [[nodiscard]] int readers_in(BlockId block, VarId var) const {
        int readers = 0;
        for_each_node_in(function_, block, [&](Id id) {
            const Node& node = function_.at(id);
            readers += node.kind == Kind::Variable && node.var() == var ? 1 : 0;
        });
        return readers;
    }

    const Module& module_;
    Function& function_;
    std::vector<int> readers_; // of each variable
};

} // namespace

void sweep(Module& module, Function& function) {
    Sweeper(module, function).run();
}

} // namespace croupier::engine::form
