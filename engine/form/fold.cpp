// The pass `fold`: evaluates what is known. Drops tests that always hold, what follows a test that
// never does, and with it searches, alternatives and rules that can have no result.
#include "engine/form/edit.h"
#include "engine/form/effects.h"
#include "engine/form/evaluate.h"
#include "engine/form/form.h"
#include "engine/form/passes.h"
#include "engine/form/probe.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

namespace croupier::engine::form {

// Expressions whose values do not depend on a state.

namespace {

// Moves the value of a variable to its only reader, if that is in the next statement, a test or a
// definition: then a set of rows or a table can be made of the whole. The rules' own variables
// stay.
class Placer {
  public:
    explicit Placer(Function& function) : function_(function), readers_(function.vars.size()) {}

    void run() {
        for_each_node_in(function_, function_.body, [&](Id id) {
            if (node(id).kind == Kind::Variable) ++readers_[node(id).var()];
        });
        block(function_.body);
    }

  private:
    [[nodiscard]] const Node& node(Id id) const { return function_.nodes[id]; }

    void block(BlockId id) {
        std::vector<Id>& all = function_.blocks[id].statements;
        for (std::size_t i = 0; i + 1 < all.size();) {
            if (is_single(all[i]) && takes(all[i + 1]) &&
                put(all[i + 1], node(all[i]).var(), node(all[i]).operands[0])) {
                all.erase(all.begin() + static_cast<std::ptrdiff_t>(i));
                i -= i == 0 ? 0 : 1; // the one before may now be next to its reader
            } else {
                ++i;
            }
        }
        for (const Id each : all)
            for (const BlockId inner : node(each).blocks)
                block(inner);
    }

    [[nodiscard]] bool is_single(Id id) const {
        const Node& known = node(id);
        return known.kind == Kind::Let &&
               (readers_[known.var()] == 1 || CROUPIER_MISTAKE(PutWhereReadTwice)) &&
               function_.vars[known.var()].entry == kNothing &&
               is_total(function_, known.operands[0]);
    }

    [[nodiscard]] bool takes(Id id) const {
        const Node& known = node(id);
        return known.kind == Kind::Let || (known.kind == Kind::Test && !known.cuts());
    }

    // Replaces the variable's reader below the node by the value.
    bool put(Id id, VarId var, Id value) {
        for (Id& operand : function_.nodes[id].operands) {
            if (node(operand).kind == Kind::Variable && node(operand).var() == var) {
                if (!(node(operand).type == node(value).type)) return false;
                CROUPIER_REWRITE(PutInPlace);
                operand = value;
                return true;
            }
            if (put(operand, var, value)) return true;
        }
        return false;
    }

    Function& function_;
    std::vector<std::uint32_t> readers_;
};

// Inlines the only alternative that is left: `rest` replaces its Yield, whose values are set as
// variables `result` and following. False if it does not have exactly one Yield.
bool splice(Editor& edit, VarId result, BlockId search, BlockId rest) {
    std::vector<BlockId> yields;
    for_each_yield(edit.function(), search, [&](Id, BlockId in) { yields.push_back(in); });
    if (yields.size() != 1) return false;
    std::vector<Id> body = std::exchange(edit.block(yields[0]).statements, {});
    const Id yield = body.back();
    body.pop_back();
    for (const Id each : std::exchange(edit.at(yield).operands, {}))
        body.push_back(edit.let(result++, each));
    const std::vector<Id>& after = edit.block(rest).statements;
    body.insert(body.end(), after.begin(), after.end());
    edit.block(yields[0]).statements = std::move(body);
    return true;
}

// Whether the search has no loops and ends in a result.
bool is_straight(const Function& function, BlockId search) {
    const std::vector<Id>& all = function.blocks[search].statements;
    return !all.empty() && function.at(all.back()).kind == Kind::Yield &&
           std::all_of(all.begin(), all.end(), [&](Id each) {
               return info_of(function.at(each).kind).blocks.find('c') == std::string_view::npos;
           });
}

} // namespace

class ExpressionFolder {
  public:
    explicit ExpressionFolder(Editor& edit) : edit_(edit) {}
    // Replaces the variable by this constant wherever it is read.
    void define(VarId var, Id constant) { constants_[var] = constant; }

    // The truth of the expression if it is a constant.
    [[nodiscard]] std::optional<bool> truth(Id id) const {
        const Node& known = node(id);
        return known.kind == Kind::Constant && known.type.kind == TypeKind::Truth
                   ? std::optional(known.literal() != 0)
                   : std::nullopt;
    }

    // Folds the expression in place.
    void fold(Id id) {
        for (std::size_t i = 0; i < node(id).operands.size(); ++i)
            fold(node(id).operands[i]);
        if (evaluates(id)) return;
        switch (node(id).kind) {
        case Kind::Variable:
            if (const auto known = constants_.find(node(id).var()); known != constants_.end()) {
                CROUPIER_REWRITE(KnownVariable);
                become(id, known->second);
            }
            break;
        case Kind::Not:
            if (const Id asked = node(id).operands[0]; node(asked).kind == Kind::Not) {
                CROUPIER_REWRITE(NotOfNot);
                become(id, node(asked).operands[0]);
            }
            break;
        case Kind::And:
        case Kind::Or:
            both_or_one(id);
            break;
        case Kind::Choose:
            choose(id);
            break;
        case Kind::Table:
            table(id);
            break;
        case Kind::Both:
            both(id);
            break;
        default:
            break;
        }
    }

  private:
    [[nodiscard]] const Node& node(Id id) const { return edit_.function().at(id); }

    [[nodiscard]] bool is_total(Id id) const { return form::is_total(edit_.function(), id); }

    // The node keeps its own note. So it must not become a node that may raise an error and has
    // another note: the error would be reported at the wrong place.
    void become(Id id, Id other) {
        if (!info_of(node(other).kind).has('E') || node(other).note == node(id).note)
            edit_.replace(id, node(other));
    }

    // Evaluates a node whose operands are all constants; false if it cannot.
    bool evaluates(Id id) {
        const Node& known = node(id);
        const bool constants =
            std::all_of(known.operands.begin(), known.operands.end(),
                        [&](Id operand) { return node(operand).kind == Kind::Constant; });
        if (known.kind == Kind::Constant || !known.type.is_value() || !constants) return false;
        const auto value = evaluate(edit_.module(), edit_.function(), id);
        if (!value) return false;
        Node made = edit_.constant_of(known.type, *value);
        if (made.type.kind == TypeKind::Code && made.literal() == 0 && value->tag != Tag::None)
            return false; // the list has no code for it
        CROUPIER_REWRITE(Evaluated);
        edit_.replace(id, std::move(made));
        return true;
    }

    void both_or_one(Id id) {
        const bool neutral = node(id).kind == Kind::And; // a side with this value has no effect
        const Id first = node(id).operands[0];
        const Id second = node(id).operands[1];
        if (const auto known = truth(first)) {
            CROUPIER_REWRITE(FirstSideKnown);
            *known == neutral ? become(id, second) : edit_.become_truth(id, !neutral);
        } else if (const auto other = truth(second)) {
            if (*other == neutral) {
                CROUPIER_REWRITE(SecondSideIdle);
                become(id, first);
            } else if (is_total(first) || CROUPIER_MISTAKE(SecondSideFirst)) {
                CROUPIER_REWRITE(SecondSideDecides);
                edit_.become_truth(id, !neutral);
            }
        }
    }

    void choose(Id id) {
        const auto first = truth(node(id).operands[0]);
        if (!first) return;
        const Id chosen = node(id).operands[*first ? 1 : 2];
        if (node(chosen).type == node(id).type) {
            CROUPIER_REWRITE(Chosen);
            become(id, chosen);
        }
    }

    // A table with the same entry for all codes.
    void table(Id id) {
        const auto& values = edit_.module().tables[node(id).table()].values.different();
        const bool same = std::all_of(values.begin(), values.end(), [&](const Value& each) {
            return same_value(each, values[0]);
        });
        if (same && node(id).type.kind == TypeKind::Truth && is_total(id)) {
            CROUPIER_REWRITE(TableOfOneTruth);
            edit_.become_truth(id, values[0].truth());
        }
    }

    // ---- sets of rows ----

    [[nodiscard]] bool is_known_set(Id set) const {
        return node(set).kind == Kind::TableRows && node(set).operands.empty();
    }

    [[nodiscard]] bool is_full(Id set) const {
        const Node& known = node(set);
        if (known.kind != Kind::TableRows) return known.kind == Kind::AllRows;
        const auto rows =
            static_cast<std::uint32_t>(edit_.module().lists[known.type.list].values.size());
        const auto& words = edit_.module().tables[known.table()].words;
        std::size_t found = 0;
        for (const std::uint64_t word : words)
            found += count_rows(word);
        return found == words.size() / words_for(rows) * rows;
    }

    void both(Id id) {
        const Id first = node(id).operands[0];
        const Id second = node(id).operands[1];
        if (is_full(second) && is_total(second)) {
            CROUPIER_REWRITE(SecondSetFull);
            become(id, first);
            return;
        }
        // Two known sets are merged.
        const bool chained =
            node(first).kind == Kind::Both && is_known_set(node(first).operands[1]);
        const Id other = chained ? node(first).operands[1] : first;
        if (!is_known_set(second) || !is_known_set(other)) return;
        LookupTable both = edit_.module().tables[node(second).table()];
        const auto& words = edit_.module().tables[node(other).table()].words;
        for (std::size_t i = 0; i < words.size(); ++i)
            both.words[i] &= words[i];
        edit_.at(second).table() = edit_.new_table(std::move(both));
        CROUPIER_REWRITE_EITHER(chained, ChainOfKnownSets, TwoKnownSets);
        if (chained)
            edit_.at(id).operands[0] = node(first).operands[0];
        else
            become(id, second);
    }

    Editor& edit_;
    std::unordered_map<VarId, Id> constants_;
};

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

    // Folds a block of any kind. In a search, drops what follows a statement that always fails.
    void block(BlockId id) {
        std::vector<Id> made;
        std::vector<Id>* const outer = std::exchange(out_, &made);
        for (const Id each : std::exchange(edit_.block(id).statements, {}))
            if (!statement(each)) break;
        out_ = outer;
        edit_.block(id).statements = std::move(made);
    }

    void put(Id id) { out_->push_back(id); }

    // Returns false if what follows is never reached.
    bool statement(Id id) {
        for (std::size_t i = 0; i < node(id).operands.size(); ++i) {
            const Id operand = node(id).operands[i];
            // Results stay variables, to distinguish them from what the loop visits.
            if (node(id).kind != Kind::Yield || node(operand).kind != Kind::Variable)
                expressions_.fold(operand);
        }
        if (node(id).kind == Kind::Test) return test(id);
        for (std::size_t i = 0; i < node(id).blocks.size(); ++i)
            block(node(id).blocks[i]);
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
        case Kind::If:
            choice(id);
            return true;
        case Kind::Group:
            group(id);
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
            CROUPIER_REWRITE_EITHER(*known, TestHolds, TestFails);
            if (!*known && shows) put(id);
            return *known || (!shows && fail(id));
        }
        // Splits the test: a part by itself may be known, or become a set.
        const bool negated = node(asked).kind == Kind::Not;
        const Id several = negated ? node(asked).operands[0] : asked;
        if (node(several).kind !=
            (negated && !CROUPIER_MISTAKE(NeitherIsNotBoth) ? Kind::Or : Kind::And)) {
            put(id);
            return true;
        }
        CROUPIER_REWRITE_EITHER(negated, TestOfNeither, TestOfBoth);
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

    // The search always backtracks here; drops the statements that only led here.
    bool fail(Id id) {
        edit_.become(id, Kind::Fail, {}, {}, 0, node(id).y);
        while (!node(id).cuts() && !out_->empty() && is_idle(out_->back())) {
            CROUPIER_REWRITE(IdleBeforeFailure);
            out_->pop_back();
        }
        put(id);
        return false;
    }

    // Whether nothing shows that the statement ran, if what follows fails.
    [[nodiscard]] bool is_idle(Id id) const {
        const Node& known = node(id);
        const bool plain = known.kind == Kind::Let || (known.kind == Kind::Test && !known.cuts());
        if (CROUPIER_MISTAKE(FailureTakesErrors)) return plain;
        return plain && std::all_of(known.operands.begin(), known.operands.end(),
                                    [&](Id each) { return is_total(function_, each); });
    }

    // Whether the search fails at once, without any effect.
    [[nodiscard]] bool is_vain(BlockId search) const {
        return statements(search).size() == 1 && node(statements(search)[0]).kind == Kind::Fail &&
               !node(statements(search)[0]).cuts();
    }

    bool loop(Id id) {
        const Id operand = node(id).operands[0];
        if (is_vain(node(id).blocks[0]) && is_total(function_, operand)) {
            CROUPIER_REWRITE(VainLoop);
            edit_.at(id).y = 0; // a loop's `y` is not a note
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
        if (blocks.size() == 1 && splice(edit_, node(id).var(), blocks[0], rest)) {
            CROUPIER_REWRITE(OneAlternative);
            for (const Id each : statements(blocks[0]))
                put(each);
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
            CROUPIER_REWRITE_EITHER(some, VainSomeMatch, VainNoMatch);
            return !some || fail(id);
        }
        const bool straight = !node(id).cuts() && is_straight(function_, search);
        if (straight && some) {
            CROUPIER_REWRITE(SomeMatchInLine);
            for (const Id each : statements(search))
                if (node(each).kind != Kind::Yield) put(each);
            return true;
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

    void let(Id id) {
        const Id value = node(id).operands[0];
        if (node(value).kind == Kind::Constant &&
            node(value).type == edit_.var(node(id).var()).type) {
            CROUPIER_REWRITE(ConstantVariable);
            expressions_.define(node(id).var(), value);
        }
        put(id);
    }

    // ---- actions and rules ----

    void choice(Id id) {
        if (const auto known = expressions_.truth(node(id).operands[0])) {
            CROUPIER_REWRITE(KnownChoice);
            for (const Id each : statements(node(id).blocks[*known ? 0 : 1]))
                put(each);
        } else {
            put(id);
        }
    }

    // An agenda refers to its rules by number, so all of them stay.
    void group(Id id) {
        if (catalogue_.groups[node(id).group()].mode != GroupMode::Agenda) {
            std::vector<BlockId> rules = node(id).blocks;
            std::erase_if(rules, [&](BlockId each) { return is_vain_rule(each); });
            CROUPIER_REWRITE_IF(rules.size() < node(id).blocks.size(), VainRule);
            edit_.at(id).blocks = std::move(rules);
        }
        put(id);
    }

    [[nodiscard]] bool is_vain_rule(BlockId block) const {
        if (statements(block).size() != 1 || node(statements(block)[0]).kind != Kind::Apply)
            return false;
        const Node& apply = node(statements(block)[0]);
        const Rule* const source = catalogue_.rules[apply.rule()].source;
        return is_vain(apply.blocks[0]) && source != nullptr &&
               (source->otherwise.kind == Action::Kind::None ||
                CROUPIER_MISTAKE(VainRuleHasNoElse));
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
    Placer(function).run();
}

} // namespace croupier::engine::form
