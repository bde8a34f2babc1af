// The pass `fold`: what is known is decided. Tests that always hold go, what follows one that never
// does goes, and with it searches, alternatives and rules that can have no result.
#include "engine/ir/effects.h"
#include "engine/ir/fold_expression.h"
#include "engine/ir/pass.h"
#include "engine/ir/probe.h"
#include "engine/ir/put_in_place.h"
#include "engine/ir/splice.h"

#include <algorithm>
#include <utility>

namespace croupier::engine::ir {

namespace {

class Folder {
  public:
    Folder(Module& module, Function& function)
        : catalogue_(*module.catalogue), function_(function), edit_(module, function),
          expressions_(edit_) {}

    void run() { block(function_.body); }

  private:
    [[nodiscard]] const Node& node(Id id) const { return function_.at(id); }
    [[nodiscard]] const auto& statements(BlockId id) const {
        return function_.blocks[id].statements;
    }

    // Of a block of either kind. In a search nothing is left behind what always fails.
    void block(BlockId id) {
        std::vector<Id> made;
        std::vector<Id>* const outer = std::exchange(out_, &made);
        for (const Id each : std::exchange(edit_.block(id).statements, {})) {
            if (!statement(each)) {
                break;
            }
        }
        out_ = outer;
        edit_.block(id).statements = std::move(made);
    }

    void put(Id id) { out_->push_back(id); }

    // False: what follows is never reached.
    bool statement(Id id) {
        for (std::size_t i = 0; i < node(id).operands.size(); ++i) {
            const Id operand = node(id).operands[i];
            // Results are variables, so that they can be told from what the loop goes through.
            if (node(id).kind != Kind::Yield || node(operand).kind != Kind::Variable) {
                expressions_.fold(operand);
            }
        }
        if (node(id).kind == Kind::Test) {
            return test(id);
        }
        for (std::size_t i = 0; i < node(id).blocks.size(); ++i) {
            block(node(id).blocks[i]);
        }
        switch (node(id).kind) {
        case Kind::Let:
            let(id);
            return true;
        case Kind::Fail:
            return fail(id);
        case Kind::EachRow:
        case Kind::EachChild:
            return loop(id);
        case Kind::Alternatives:
            return alternatives(id);
        case Kind::NoMatch:
        case Kind::SomeMatch:
            return match(id);
        case Kind::Gather:
            gather(id);
            return true;
        case Kind::If:
            choice(id);
            return true;
        case Kind::Group:
            group(id);
            return true;
        case Kind::GroupBelow:
            group_below(id);
            return true;
        default:
            put(id);
            return true;
        }
    }

    // ---- searches ----

    bool test(Id id) {
        const Id asked = node(id).operands[0];
        const bool shows = node(id).operands.size() > 1;
        if (const auto known = expressions_.truth(asked)) {
            CROUPIER_REWRITE_IF(*known, TestHolds);
            CROUPIER_REWRITE_IF(!*known, TestFails);
            if (!*known && shows) {
                put(id);
            }
            return *known || (!shows && fail(id));
        }
        // Each of several tests by itself may be known, or be asked of a whole set.
        const bool negated = node(asked).kind == Kind::Not;
        const Id several = negated ? node(asked).operands[0] : asked;
        if (node(several).kind !=
            (negated && !CROUPIER_MISTAKE(NeitherIsNotBoth) ? Kind::Or : Kind::And)) {
            put(id);
            return true;
        }
        CROUPIER_REWRITE_IF(!negated, TestOfBoth);
        CROUPIER_REWRITE_IF(negated, TestOfNeither);
        const Id rest = edit_.copy(id);
        for (const std::size_t i : {0U, 1U}) {
            Id part = node(several).operands[i];
            if (negated) {
                const Id inner = part;
                part = edit_.make(Kind::Not, {TypeKind::Truth}, {inner});
                edit_.at(part).note = node(asked).note;
                expressions_.fold(part);
            }
            edit_.at(i == 0 ? id : rest).operands[0] = part;
        }
        return test(id) && test(rest);
    }

    // The search goes back here; what only led here is not done.
    bool fail(Id id) {
        Node made;
        made.kind = Kind::Fail;
        made.y = node(id).y;
        edit_.replace(id, std::move(made));
        while (node(id).y == 0 && !out_->empty() && is_idle(out_->back())) {
            CROUPIER_REWRITE(IdleBeforeFailure);
            out_->pop_back();
        }
        put(id);
        return false;
    }

    // Nobody could tell whether it was done, if what follows fails.
    [[nodiscard]] bool is_idle(Id id) const {
        const Node& known = node(id);
        const bool plain = known.kind == Kind::Let || (known.kind == Kind::Test && known.y == 0);
        if (CROUPIER_MISTAKE(FailureTakesErrors)) return plain;
        return plain && std::all_of(known.operands.begin(), known.operands.end(),
                                    [&](Id each) { return is_total(function_, each); });
    }

    // The search has no result, and nothing is done to find that out.
    [[nodiscard]] bool is_vain(BlockId search) const {
        return statements(search).size() == 1 && node(statements(search)[0]).kind == Kind::Fail &&
               node(statements(search)[0]).y == 0;
    }

    bool loop(Id id) {
        const Id operand = node(id).operands[0];
        const bool none = node(id).kind == Kind::EachRow && expressions_.is_empty(operand);
        if ((none || is_vain(node(id).blocks[0])) && is_total(function_, operand)) {
            CROUPIER_REWRITE_IF(none, LoopOfNothing);
            CROUPIER_REWRITE_IF(!none, VainLoop);
            edit_.at(id).y = 0; // of a loop no note
            return fail(id);
        }
        put(id);
        return true;
    }

    bool alternatives(Id id) {
        std::vector<BlockId> blocks = node(id).blocks;
        const BlockId rest = blocks.back();
        blocks.pop_back();
        std::erase_if(blocks, [&](BlockId each) { return is_vain(each); });
        CROUPIER_REWRITE_IF(blocks.size() + 1 < node(id).blocks.size(), VainAlternative);
        if (blocks.empty()) {
            CROUPIER_REWRITE(NoAlternative);
            return fail(id);
        }
        if (blocks.size() == 1 && splice(edit_, node(id).x, blocks[0], rest)) {
            CROUPIER_REWRITE(OneAlternative);
            for (const Id each : statements(blocks[0])) {
                put(each);
            }
            return node(out_->back()).kind != Kind::Fail;
        }
        blocks.push_back(rest);
        edit_.at(id).blocks = std::move(blocks);
        put(id);
        return true;
    }

    bool match(Id id) {
        const BlockId search = node(id).blocks[0];
        const bool some = node(id).kind == Kind::SomeMatch;
        if (is_vain(search)) {
            CROUPIER_REWRITE_IF(some, VainSomeMatch);
            CROUPIER_REWRITE_IF(!some, VainNoMatch);
            return !some || fail(id);
        }
        const bool straight = node(id).y == 0 && is_straight(function_, search);
        if (straight && some) {
            CROUPIER_REWRITE(SomeMatchInLine);
            for (const Id each : statements(search)) {
                if (node(each).kind != Kind::Yield) {
                    put(each);
                }
            }
            return true;
        }
        if (straight && statements(search).size() == 1) {
            CROUPIER_REWRITE(NoMatchOfAnything);
            return fail(id);
        }
        const Id first = statements(search)[0];
        if (straight && statements(search).size() == 2 && node(first).kind == Kind::Test) {
            CROUPIER_REWRITE(NoMatchOfTest);
            const Id fails = edit_.make(Kind::Not, {TypeKind::Truth}, {node(first).operands[0]});
            edit_.at(first).operands[0] = fails;
            expressions_.fold(fails);
            put(first);
            return true;
        }
        put(id);
        return true;
    }

    void gather(Id id) {
        const auto kind = static_cast<KeyKind>(node(id).y);
        const Type type = edit_.var(node(id).x).type;
        const bool from_zero = kind == KeyKind::Count || kind == KeyKind::Sum;
        const bool is_integer = from_zero && type.kind == TypeKind::Int;
        if (is_vain(node(id).blocks[0]) && (type.kind == TypeKind::Any || is_integer)) {
            CROUPIER_REWRITE(VainGather);
            Node made;
            made.kind = Kind::Let;
            made.x = node(id).x;
            made.operands = {
                is_integer ? edit_.make(Kind::Constant, type, {}) // 0
                           : edit_.constant(from_zero ? Value::number(std::int64_t{0}) : Value{})};
            edit_.replace(id, std::move(made));
            let(id);
        } else {
            put(id);
        }
    }

    void let(Id id) {
        const Id value = node(id).operands[0];
        if (node(value).kind == Kind::Constant && node(value).type == edit_.var(node(id).x).type) {
            CROUPIER_REWRITE(ConstantVariable);
            expressions_.define(node(id).x, value);
        }
        put(id);
    }

    // ---- actions and rules ----

    void choice(Id id) {
        if (const auto known = expressions_.truth(node(id).operands[0])) {
            CROUPIER_REWRITE(KnownChoice);
            for (const Id each : statements(node(id).blocks[*known ? 0 : 1])) {
                put(each);
            }
        } else {
            put(id);
        }
    }

    // The rules of an agenda have numbers there.
    void group(Id id) {
        if (catalogue_.groups[node(id).x].mode != GroupMode::Agenda) {
            std::vector<BlockId> rules = node(id).blocks;
            std::erase_if(rules, [&](BlockId each) { return is_vain_rule(each); });
            CROUPIER_REWRITE_IF(rules.size() < node(id).blocks.size(), VainRule);
            edit_.at(id).blocks = std::move(rules);
        }
        const bool whole = node(id).x == function_.group; // the function has to have one
        CROUPIER_REWRITE_IF(!whole && node(id).blocks.empty(), VainGroup);
        if (whole || !node(id).blocks.empty()) {
            put(id);
        }
    }

    [[nodiscard]] bool is_vain_rule(BlockId block) const {
        if (statements(block).size() != 1 || node(statements(block)[0]).kind != Kind::Apply) {
            return false;
        }
        const Node& apply = node(statements(block)[0]);
        const Rule* const source = catalogue_.rules[apply.x].source;
        return is_vain(apply.blocks[0]) && source != nullptr &&
               (source->otherwise.kind == Action::Kind::None ||
                CROUPIER_MISTAKE(VainRuleHasNoElse));
    }

    void group_below(Id id) {
        CROUPIER_REWRITE_IF(statements(node(id).blocks[0]).empty(), VainGroupBelow);
        if (!statements(node(id).blocks[0]).empty() || !is_total(function_, node(id).operands[0])) {
            put(id);
        }
    }

    const Catalogue& catalogue_;
    Function& function_;
    Editor edit_;
    ExpressionFolder expressions_;
    std::vector<Id>* out_ = nullptr;
};

} // namespace

void fold(Module& module, Function& function) {
    Folder(module, function).run();
    put_in_place(function);
}

} // namespace croupier::engine::ir
