// Tests that a later test makes redundant.
#include "engine/form/edit.h"
#include "engine/form/effects.h"
#include "engine/form/passes.h"
#include "engine/form/probe.h"

#include <algorithm>
#include <unordered_map>

namespace croupier::engine::form {

namespace {

class Implied {
  public:
    Implied(const Module& module, Function& function)
        : module_(module), layout_(*module.catalogue->layout), function_(function) {}

    void action(BlockId id) {
        for (const Id each : function_.blocks[id].statements)
            blocks_of(each, false);
    }

  private:
    [[nodiscard]] const Node& node(Id id) const { return function_.nodes[id]; }

    void blocks_of(Id id, bool searching) {
        const KindInfo& info = info_of(node(id).kind);
        for (std::size_t i = 0; i < node(id).blocks.size(); ++i) {
            const char letter = info.block(i, node(id).blocks.size());
            const bool inner = letter == 's' || (letter == 'c' && searching);
            inner ? search(node(id).blocks[i]) : action(node(id).blocks[i]);
        }
    }

    void search(BlockId id) {
        std::vector<Id>& all = function_.blocks[id].statements;
        for (const Id each : all)
            if (node(each).kind == Kind::Let)
                definitions_[node(each).var()] = node(each).operands[0];
        for (std::size_t i = all.size(); i-- > 0;) {
            if (is_plain_test(all[i]) && is_implied(all, i)) {
                CROUPIER_REWRITE(ImpliedTest);
                all.erase(all.begin() + static_cast<std::ptrdiff_t>(i));
            }
        }
        for (const Id each : all)
            blocks_of(each, true);
    }

    [[nodiscard]] bool is_plain_test(Id id) const {
        return node(id).kind == Kind::Test && !node(id).cuts() &&
               may_come_early(function_, node(id).operands[0]);
    }

    bool is_implied(const std::vector<Id>& all, std::size_t at) {
        const Id asked = node(all[at]).operands[0];
        for (std::size_t i = at + 1; i < all.size(); ++i) {
            const Node& next = node(all[i]);
            needed_.clear();
            if (next.kind == Kind::EachRow && may_come_early(function_, next.operands[0])) {
                some_row(next.operands[0]);
                return is_needed(asked) && !uses_unsafely(asked, next.operands[0]);
            }
            const bool let = next.kind == Kind::Let && may_come_early(function_, next.operands[0]);
            if ((!let && !is_plain_test(all[i])) || uses_unsafely(asked, next.operands[0]))
                return false;
            if (!let) {
                holds(next.operands[0]);
                if (is_needed(asked)) return true;
            }
        }
        return false;
    }

    // Whether the test is for a variable to be a code, and the expression relies on that.
    [[nodiscard]] bool uses_unsafely(Id asked, Id id) const {
        const Node& test = node(asked);
        return test.kind == Kind::Has && node(test.operands[0]).kind == Kind::Variable &&
               relies_on(node(test.operands[0]).var(), id);
    }
    [[nodiscard]] bool relies_on(VarId var, Id id) const {
        const Node& known = node(id);
        const auto is_var = [&](Id each) {
            return node(each).kind == Kind::Variable && node(each).var() == var;
        };
        // Tables have entries for 0.
        const bool asks =
            known.kind == Kind::Table || known.kind == Kind::TableRows || known.kind == Kind::Has;
        return is_var(id) ||
               std::any_of(known.operands.begin(), known.operands.end(),
                           [&](Id each) { return is_var(each) ? !asks : relies_on(var, each); });
    }

    // ---- what a test needs to hold: nodes and values that exist, truths ----

    void holds(Id id) {
        const Node& known = node(id);
        switch (known.kind) {
        case Kind::Present:
            needed_.push_back(id);
            break;
        case Kind::Has:
            needs(known.operands[0]);
            break;
        case Kind::Compare:
            if (known.op() != ExprOp::NotEqual) { // none makes it false
                needs(known.operands[0]);
                needs(known.operands[1]);
            }
            break;
        case Kind::Table:
            looked_up(id, [](const Value& each) { return !each.truth(); });
            break;
        case Kind::Not:
            if (node(known.operands[0]).kind == Kind::Table)
                through(known.operands[0], [](const Value& each) { return each.truth(); });
            break;
        case Kind::AnyRow:
            some_row(known.operands[0]);
            break;
        default:
            break;
        }
    }

    // The value must not be none.
    void needs(Id id) {
        const Node& known = node(id);
        if (known.kind == Kind::Table) {
            looked_up(id, [](const Value& each) { return each.tag == Tag::None; });
            return;
        }
        needed_.push_back(id);
        if (known.kind == Kind::Variable) {
            if (const auto found = definitions_.find(known.var()); found != definitions_.end())
                needs(found->second);
        }
    }

    template <typename Fails>
    void looked_up(Id id, const Fails& fails) {
        needed_.push_back(id);
        through(id, fails);
    }

    // If code 0 of an operand always fails, the operand must be another code.
    template <typename Fails>
    void through(Id id, const Fails& fails) {
        const std::vector<Id> operands = node(id).operands;
        const LookupTable& table = module_.tables[node(id).table()];
        std::size_t inside = table.values.size();
        for (std::size_t k = 0; k < operands.size(); ++k) {
            const std::size_t block = inside;
            inside /= table.sizes[k];
            bool all = true;
            for (std::size_t start = 0; start < table.values.size() && all; start += block)
                for (std::size_t i = start; i < start + inside && all; ++i)
                    all = fails(table.values[i]);
            if (all) needs(operands[k]);
        }
    }

    // The set must have a row.
    void some_row(Id set) {
        const Node& known = node(set);
        if (known.kind == Kind::Rows || known.kind == Kind::RowsWith) {
            needed_.push_back(set);
        } else if (known.kind == Kind::Both) {
            some_row(known.operands[0]);
            some_row(known.operands[1]);
        } else if (known.kind == Kind::Without) {
            some_row(known.operands[0]);
        }
    }

    [[nodiscard]] bool is_needed(Id asked) const {
        const Node& test = node(asked);
        return std::any_of(needed_.begin(), needed_.end(), [&](Id each) {
            if (test.kind == Kind::Present) return is_at_or_below(each, asked);
            if (test.kind == Kind::Table)
                return implies(each, asked, [](const Value& entry) { return entry.truth(); });
            if (test.kind != Kind::Has) return false;
            const Id value = test.operands[0];
            return same_expression(module_, function_, value, each) ||
                   (node(value).kind == Kind::Load &&
                    layout_.node(node(value).schema()).is_leaf() && is_at_or_below(each, value) &&
                    node(each).schema() == node(value).schema() && node(each).kind != Kind::Rows &&
                    node(each).kind != Kind::RowsWith) ||
                   implies(each, value, [](const Value& entry) { return entry.tag != Tag::None; });
        });
    }

    // Whether `needed` exists only if the declared node `above` does.
    [[nodiscard]] bool is_at_or_below(Id needed, Id above) const {
        const Node& known = node(needed);
        SchemaId at = is_declared(known.kind) ? known.schema() : kNoSchema;
        while (at != kNoSchema && at != node(above).schema())
            at = layout_.node(at).parent;
        const std::size_t first = known.kind == Kind::RowsWith ? 1 : 0;
        const auto& rows = node(above).operands;
        bool same = at != kNoSchema && known.operands.size() >= rows.size() + first;
        for (std::size_t i = 0; same && i < rows.size(); ++i)
            same = same_expression(module_, function_, rows[i], known.operands[i + first]);
        return same;
    }

    // Whether both look up the same, and wherever `needed` has an entry `asked` has a good one.
    template <typename Good>
    [[nodiscard]] bool implies(Id needed, Id asked, const Good& good) const {
        const Node& one = node(needed);
        const Node& two = node(asked);
        if (one.kind != Kind::Table || two.kind != Kind::Table ||
            one.operands.size() != two.operands.size())
            return false;
        bool same = true;
        for (std::size_t i = 0; same && i < one.operands.size(); ++i)
            same = same_expression(module_, function_, one.operands[i], two.operands[i]);
        const auto& strict = module_.tables[one.table()].values;
        const auto& weak = module_.tables[two.table()].values;
        const bool truths = one.type.kind == TypeKind::Truth;
        for (std::size_t i = 0; same && i < strict.size(); ++i) {
            const bool there = truths ? strict[i].truth() : strict[i].tag != Tag::None;
            same =
                CROUPIER_MISTAKE(ImpliedTurned) ? there || !good(weak[i]) : !there || good(weak[i]);
        }
        return same;
    }

    const Module& module_;
    const Layout& layout_;
    Function& function_;
    std::unordered_map<VarId, Id> definitions_;
    std::vector<Id> needed_;
};

} // namespace

void drop_implied(const Module& module, Function& function) {
    Implied(module, function).action(function.body);
}

} // namespace croupier::engine::form
