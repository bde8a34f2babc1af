// Statements one after the other, and groups of rules.
#include "engine/emit/emitter.h"
#include "engine/ir/effects.h"
#include "engine/tree/layout.h"

#include <algorithm>
#include <map>
#include <utility>

namespace croupier::engine::emit {

void Rules::block(BlockId id) {
    const std::span<const Id> all = function_.blocks[id].statements;
    for (std::size_t i = 0; i < all.size();) {
        if (const std::size_t erased = erase_fields(all.subspan(i)); erased != 0) {
            i += erased;
        } else {
            statement(all[i++]);
        }
    }
}

void Rules::statement(Id id) {
    show(id);
    const At here(*this);
    const Node& node = at(id);
    go_to_entry_of(node);
    CROUPIER_PROBE(emission_.write(id));
    switch (node.kind) {
    case Kind::Group:
        group(id);
        return;
    case Kind::GroupBelow:
        // Where nobody asks for the root of the group, it need not be known.
        if (asks_for_root(node.blocks[0])) {
            perform(id);
        } else {
            block(node.blocks[0]);
        }
        return;
    case Kind::Apply:
        apply(id);
        return;
    case Kind::Let:
        set_variable(node.x, node.operands[0]);
        return;
    case Kind::Store:
        store(id);
        return;
    case Kind::Ensure:
        ensure(id);
        return;
    case Kind::Erase:
        erase(id);
        return;
    case Kind::StoreRows:
    case Kind::EraseRows:
        write_rows(id);
        return;
    case Kind::Call:
        spill(id);
        call(offsetof(Frame, call), id);
        return;
    case Kind::If:
        choose(node);
        return;
    case Kind::LetRows:
    case Kind::LetTouching:
    case Kind::LetCounts:
        make_rows(node);
        return;
    default:
        perform(id);
        return;
    }
}

void Rules::choose(const Node& node) {
    if (node.y == 1) { // the other way is an error, which ends the function
        const Label otherwise = aside([this, &node] {
            block(node.blocks[1]);
            code_.jmp(thrown_);
        });
        jump(node.operands[0], false, otherwise);
        block(node.blocks[0]);
        return;
    }
    const Label otherwise = code_.newLabel();
    const Label end = code_.newLabel();
    jump(node.operands[0], false, otherwise);
    block(node.blocks[0]);
    code_.jmp(end);
    code_.bind(otherwise);
    block(node.blocks[1]);
    code_.bind(end);
}

bool Rules::asks_for_root(BlockId block) const {
    const auto& statements = function_.blocks[block].statements;
    return std::any_of(statements.begin(), statements.end(),
                       [&](Id each) { return asks_for_root_in(each); });
}

bool Rules::asks_for_root_in(Id id) const {
    const Node& node = at(id);
    switch (node.kind) {
    case Kind::Here:
        return true;
    case Kind::PathNode:
    case Kind::MakePath:
    case Kind::SetPath:
    case Kind::RemovePath:
    case Kind::PutPath:
    case Kind::ArgumentPath:
        if (node.y == 0) {
            return true;
        }
        break;
    default:
        break;
    }
    return std::any_of(node.operands.begin(), node.operands.end(),
                       [&](Id each) { return asks_for_root_in(each); }) ||
           std::any_of(node.blocks.begin(), node.blocks.end(),
                       [&](BlockId each) { return asks_for_root(each); });
}

void Rules::group(Id id) {
    const Node& node = at(id);
    const GroupMode mode = module_.catalogue->groups[node.x].mode;
    const bool emitted = std::all_of(node.blocks.begin(), node.blocks.end(), [&](BlockId each) {
        const auto& rule = function_.blocks[each].statements;
        return rule.size() == 1 && at(rule[0]).kind == Kind::Apply;
    });
    if (mode == GroupMode::Agenda && emitted && agenda(id)) {
        return;
    }
    if (mode == GroupMode::Agenda || (mode == GroupMode::AtOnce && !emitted)) {
        perform(id);
        return;
    }
    const RuleId outer = rule_;
    if (mode == GroupMode::AtOnce) {
        at_once(node);
        if (outer != kNone) {
            enter_rule(outer);
        }
        return;
    }
    const Node* const outer_group = std::exchange(group_, &node);
    const std::size_t outer_place = place_;
    std::vector<Label> begins;
    for (std::size_t i = 0; i <= node.blocks.size(); ++i) {
        begins.push_back(code_.newLabel());
    }
    begins.swap(begins_);
    std::size_t left_out = 0; // rules up to this can be left out together
    for (place_ = 0; place_ < node.blocks.size(); ++place_) {
        if (outer == kNone) {
            here_.reset();
        }
        code_.bind(begins_[place_]);
        if (place_ >= left_out) {
            left_out = leave_out(place_);
        }
        for (const Id each : function_.blocks[node.blocks[place_]].statements) {
            if (at(each).kind != Kind::Apply) {
                go_to({rules_that_read(node, place_, at(each))});
            }
            statement(each);
        }
    }
    code_.bind(begins_[place_]);
    begins.swap(begins_);
    group_ = outer_group;
    place_ = outer_place;
    if (outer != kNone && !CROUPIER_MISTAKE(RuleOfInnerGroup)) {
        enter_rule(outer);
    }
}

void Rules::enter_rule(RuleId rule) {
    rule_ = rule;
    go_to(rule == kNone ? Origin{} : Origin{{rule}});
}

// ---- whose a statement is -------------------------------------------------------------------

bool Rules::reads(BlockId block, VarId first, VarId end) const {
    const auto& statements = function_.blocks[block].statements;
    return std::any_of(statements.begin(), statements.end(),
                       [&](Id each) { return reads_in(each, first, end); });
}

bool Rules::reads_in(Id id, VarId first, VarId end) const {
    const Node& node = at(id);
    const bool is_read = (node.kind == Kind::Variable || node.kind == Kind::RowsOf) &&
                         node.x >= first && node.x < end;
    return is_read ||
           std::any_of(node.operands.begin(), node.operands.end(),
                       [&](Id each) { return reads_in(each, first, end); }) ||
           std::any_of(node.blocks.begin(), node.blocks.end(),
                       [&](BlockId each) { return reads(each, first, end); });
}

// The rules of the group, from `place` on, that read the variables which the statement sets, also
// by way of other such statements.
std::vector<RuleId> Rules::rules_that_read(const Node& group, std::size_t place,
                                           const Node& let) const {
    const VarId end =
        let.x + (let.kind == Kind::LetCounts ? static_cast<VarId>(let.number) : VarId{1});
    std::vector<RuleId> rules;
    const auto add = [&](RuleId rule) {
        if (std::find(rules.begin(), rules.end(), rule) == rules.end()) {
            rules.push_back(rule);
        }
    };
    for (std::size_t i = place; i < group.blocks.size(); ++i) {
        for (const Id id : function_.blocks[group.blocks[i]].statements) {
            const Node& each = at(id);
            if (&each == &let || !reads_in(id, let.x, end)) {
                continue;
            }
            if (each.kind == Kind::Apply) {
                add(each.x);
                continue;
            }
            for (const RuleId rule : rules_that_read(group, i, each)) {
                add(rule);
            }
        }
    }
    std::sort(rules.begin(), rules.end());
    return rules;
}

// Rules that follow each other and all ask for codes of one leaf: one test leaves out all of them.

namespace {

constexpr std::size_t kFewestRules = 3; // for which a test of its own pays
constexpr std::size_t kMostCodes = 64;

} // namespace

// Whether it reads a code at a place that is known, so that reading it can be done earlier.
bool Rules::is_known_code(Id id) const {
    const Node& node = at(id);
    return node.kind == Kind::Load && node.operands.empty() && node.type.kind == TypeKind::Code;
}

// What the rule asks for before anything else, test by test: nothing between is changed or fails.
std::vector<Rules::Guard> Rules::guards_of(BlockId rule) const {
    std::vector<Guard> guards;
    const auto& statements = function_.blocks[rule].statements;
    if (statements.size() != 1 || at(statements[0]).kind != Kind::Apply) {
        return guards;
    }
    const Node& apply = at(statements[0]);
    if (module_.catalogue->rules[apply.x].source->otherwise.kind != Action::Kind::None) {
        return guards; // it does something without a match
    }
    std::map<VarId, Id> loads; // that variables hold
    for (const Id id : function_.blocks[apply.blocks[0]].statements) {
        const Node& node = at(id);
        if (node.kind == Kind::Let && is_known_code(node.operands[0])) {
            loads.emplace(node.x, node.operands[0]);
            continue;
        }
        if (node.kind != Kind::Test) {
            break;
        }
        const Node* asked = &at(node.operands[0]);
        if (asked->kind == Kind::Table && asked->operands.size() == 1 &&
            asked->type.kind == TypeKind::Truth &&
            module_.tables[asked->x].values.size() <= kMostCodes) {
            Id of = asked->operands[0];
            if (at(of).kind == Kind::Variable && loads.count(at(of).x) != 0) {
                of = loads.at(at(of).x);
            }
            if (!is_known_code(of)) {
                break;
            }
            guards.push_back({of, codes_of(*asked)});
            continue;
        }
        if (asked->kind == Kind::Not) {
            asked = &at(asked->operands[0]);
        }
        const bool is_presence = asked->kind == Kind::Present && asked->operands.empty();
        const bool is_held =
            asked->kind == Kind::Has && at(asked->operands[0]).kind == Kind::Variable;
        if (!is_presence && !is_held) {
            break;
        }
    }
    return guards;
}

// Of the group at hand, from rule `place` on: jumps behind as many rules as can be told at once not
// to match. Gives the place behind them; `place` where it is not worth it.
std::size_t Rules::leave_out(std::size_t place) {
    const auto& rules = group_->blocks;
    std::size_t farthest = place;
    Guard best;
    for (const Guard& first : guards_of(rules[place])) {
        Guard all = first;
        std::size_t end = place + 1;
        for (; end < rules.size(); ++end) {
            const std::vector<Guard> guards = guards_of(rules[end]);
            const auto same = std::find_if(guards.begin(), guards.end(), [&](const Guard& each) {
                return at(each.load).x == at(first.load).x &&
                       at(each.load).type == at(first.load).type;
            });
            if (same == guards.end()) {
                break;
            }
            all.codes |= same->codes;
        }
        if (end - place >= kFewestRules && end > farthest) {
            farthest = end;
            best = all;
        }
    }
    if (farthest != place) {
        const At here(*this);
        std::vector<RuleId> all;
        for (std::size_t i = place; i < farthest; ++i) {
            all.push_back(at(function_.blocks[rules[i]].statements[0]).x);
        }
        go_to({std::move(all)});
        const Gp table = new64();
        code_.mov(table, asmjit::Imm(best.codes));
        code_.bt(table, code_of(best.load).r64());
        code_.jnc(begins_[farthest]);
    }
    return farthest;
}

// Rules that act on all rows of a set at once, and how they are counted; rules of a group at once.

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
