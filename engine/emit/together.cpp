// Rules that act on all rows of a set at once, and how they are counted; rules of a group at once.
#include "engine/emit/rules.h"

#include "engine/tree/layout.h"

#include <algorithm>

namespace croupier::engine::emit {

// Its matches are the rows of its first variable.
bool Rules::takes_rows(const Node& apply) const {
    return apply.number != 0 && function_.vars[apply.y].type.kind == TypeKind::Set;
}

// Counts the matches, and goes back where there are none.
void Rules::take_rows(const Node& apply, const Node& yield, const Gp& found, Label next) {
    for (std::uint32_t i = 0; i < yield.operands.size(); ++i) {
        const VarId var = apply.y + i;
        if (at(yield.operands[i]).type.kind == TypeKind::Set) {
            set_rows(var, yield.operands[i]);
        } else {
            set_variable(var, yield.operands[i]);
        }
    }
    if (wide_rows_[apply.y] && !CROUPIER_MISTAKE(LastWordCounts)) {
        count_wide(apply.y, found);
    } else {
        count_words(apply.y, words_of(yield.operands[0]), found);
    }
    code_.test(found, found);
    code_.jz(next);
    // What is beyond a bound is told as if the rows came one by one.
    const Label over = aside([this] {
        const Label matches = code_.newLabel();
        const Gp allowed = new64();
        const Gp most = new64();
        code_.mov(allowed, counter(offsetof(Counters, most_steps)));
        code_.sub(allowed, counter(offsetof(Counters, steps)));
        code_.mov(most, counter(offsetof(Counters, most_matches)));
        code_.cmp(most, allowed);
        code_.jbe(matches);
        code_.add(counter(offsetof(Counters, steps)), allowed);
        code_.inc(counter(offsetof(Counters, steps)));
        code_.inc(allowed);
        code_.add(counter(offsetof(Counters, matches)), allowed);
        call(offsetof(Frame, too_many_steps), 0);
        code_.jmp(thrown_);
        code_.bind(matches);
        code_.add(counter(offsetof(Counters, matches)), most);
        call(offsetof(Frame, too_many_matches), 0);
        code_.jmp(thrown_);
    });
    const Gp steps = new64();
    code_.mov(steps, counter(offsetof(Counters, steps)));
    code_.add(steps, found);
    code_.cmp(steps, counter(offsetof(Counters, most_steps)));
    code_.ja(over);
    code_.cmp(found, counter(offsetof(Counters, most_matches)));
    code_.ja(over);
    code_.mov(counter(offsetof(Counters, steps)), steps);
    code_.add(counter(offsetof(Counters, matches)), found);
}

void Rules::count_words(VarId var, std::uint32_t words, const Gp& found) {
    for (std::uint32_t w = 0; w < words; ++w) {
        const Gp count = population(kept_word(var, w));
        const bool first = CROUPIER_MISTAKE(LastWordCounts) || w == 0;
        first ? code_.mov(found, count) : code_.add(found, count);
    }
}

// Where not all may fire, the first ones do before the run ends.
void Rules::act_on_rows(const Node& apply, const Gp& found) {
    const At here(*this);
    go_to_part(Origin::Part::Action);
    const Gp firings = new64();
    const Label back = code_.newLabel();
    const std::uint32_t words = words_for(
        static_cast<std::uint32_t>(list(function_.vars[apply.y].type.list).values.size()));
    const Label end = aside([this] {
        call(offsetof(Frame, too_many_firings), 0);
        code_.jmp(thrown_);
    });
    const Label over = aside([this, firings, back, end, words, var = apply.y] {
        const Label none = code_.newLabel();
        const Gp allowed = new64();
        const Gp rows = new64();
        code_.mov(allowed, counter(offsetof(Counters, most_firings)));
        code_.mov(firings, allowed);
        code_.inc(firings);
        code_.sub(allowed, counter(offsetof(Counters, firings)));
        if (!CROUPIER_MISTAKE(RowsFireBeyondBudget)) {
            code_.jz(none);
            address_rows(var, rows);
            asmjit::InvokeNode* made = nullptr;
            code_.invoke(
                &made, asmjit::Imm(reinterpret_cast<std::uintptr_t>(&keep_first)),
                asmjit::FuncSignatureT<void, std::uint64_t*, std::uint32_t, std::uint64_t>());
            made->setArg(0, rows);
            made->setArg(1, asmjit::Imm(words));
            made->setArg(2, allowed);
            if (registers_[var]) {
                code_.mov(*registers_[var], rows_of(var));
            } else if (wide_rows_[var]) {
                Mem place = rows_of(var);
                place.setSize(kWideBytes);
                code_.vmovdqu64(*wide_rows_[var], place);
            }
        }
        code_.jmp(back);
        code_.bind(none); // an action makes nodes for no rows, too
        code_.mov(counter(offsetof(Counters, firings)), firings);
        code_.jmp(end);
    });
    code_.mov(firings, counter(offsetof(Counters, firings)));
    code_.add(firings, found);
    code_.cmp(firings, counter(offsetof(Counters, most_firings)));
    code_.ja(over);
    code_.bind(back);
    code_.mov(counter(offsetof(Counters, firings)), firings);
    const std::span<const Id> action = function_.blocks[apply.blocks[1]].statements;
    for (std::size_t i = 0; i < action.size();) {
        const std::size_t together = write_together(action.subspan(i));
        if (together == 0) {
            statement(action[i]);
        }
        i += std::max<std::size_t>(together, 1);
    }
    const Gp fired = new64();
    code_.mov(fired, counter(offsetof(Counters, firings)));
    code_.cmp(fired, counter(offsetof(Counters, most_firings)));
    code_.ja(end);
}

// ---- groups at once ----------------------------------------------------------------------------

// All rules are searched before the first acts.
void Rules::at_once(const Node& group) {
    struct Waiting {
        const Node* apply;
        Gp begin;
        Gp found;
    };
    std::vector<Waiting> all;
    for (const BlockId each : group.blocks) {
        const Node& apply = at(function_.blocks[each].statements[0]);
        all.push_back({&apply, new64(), new64()});
        enter_rule(apply.x);
        code_.xor_(all.back().found.r32(), all.back().found.r32());
        if (takes_rows(apply)) {
            const Label next = code_.newLabel();
            code_.mov(all.back().begin, in_frame(offsetof(Frame, buffer_used)));
            search(apply.blocks[0], next, [&](const Node& yield, Label) {
                take_rows(apply, yield, all.back().found, next);
            });
            code_.bind(next);
            continue;
        }
        collect(apply, all.back().begin, all.back().found);
        if (CROUPIER_MISTAKE(ActsBeforeAllAreSearched))
            act(apply, all.back().begin, all.back().found);
    }
    for (const Waiting& each : all) {
        const Label none = code_.newLabel();
        const Label end = code_.newLabel();
        enter_rule(each.apply->x);
        code_.test(each.found, each.found);
        code_.jz(none);
        if (takes_rows(*each.apply)) {
            act_on_rows(*each.apply, each.found);
        } else if (!CROUPIER_MISTAKE(ActsBeforeAllAreSearched)) {
            act(*each.apply, each.begin, each.found);
        }
        code_.jmp(end);
        code_.bind(none);
        act_otherwise(*each.apply);
        code_.bind(end);
    }
    if (!all.empty()) {
        code_.mov(in_frame(offsetof(Frame, buffer_used)), all.front().begin);
    }
}

// ---- rules behind one that has matched -------------------------------------------------------

// The rule begins with the test that one of these is not there, and does nothing without a match.
bool Rules::needs_absence(BlockId rule, const std::vector<Id>& ensured) const {
    const auto& statements = function_.blocks[rule].statements;
    if (statements.size() != 1 || at(statements[0]).kind != Kind::Apply) {
        return false;
    }
    const Node& apply = at(statements[0]);
    const Node& first = at(function_.blocks[apply.blocks[0]].statements[0]);
    if (module_.catalogue->rules[apply.x].source->otherwise.kind != Action::Kind::None ||
        first.kind != Kind::Test || at(first.operands[0]).kind != Kind::Not) {
        return false;
    }
    const Node& present = at(at(first.operands[0]).operands[0]);
    return present.kind == Kind::Present && present.operands.empty() &&
           std::any_of(ensured.begin(), ensured.end(),
                       [&](Id each) { return at(each).x == present.x; });
}

// Where the group goes on behind the action, which makes sure of some nodes: behind the rules that
// are for where these are not there.
Label Rules::beyond(BlockId action, Label otherwise) const {
    std::vector<Id> ensured;
    for (const Id each : function_.blocks[action].statements) {
        if (at(each).kind == Kind::Ensure && at(each).operands.empty()) {
            ensured.push_back(each);
        }
    }
    if (group_ == nullptr) {
        return otherwise;
    }
    std::size_t next = place_ + 1;
    while (next < group_->blocks.size() && needs_absence(group_->blocks[next], ensured)) {
        ++next;
    }
    return next == place_ + 1 ? otherwise : begins_[next];
}

} // namespace croupier::engine::emit
