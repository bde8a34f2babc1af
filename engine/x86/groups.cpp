// Statements one after the other, and groups of rules.
#include "engine/form/effects.h"
#include "engine/state/layout.h"
#include "engine/x86/statements.h"

#include <algorithm>
#include <map>
#include <utility>

namespace croupier::engine::x86 {

namespace {

struct Guard {
    Id load = 0;             // of a code,
    std::uint64_t codes = 0; // which is one of these if the rule matches
};

// Consecutive rules that all test codes of one leaf: one test skips all of them.

constexpr std::size_t kMinRules = 3; // for which an extra test pays
constexpr std::size_t kMaxCodes = 64;

void statement(Context& c, Id id);

// All rules are searched before the first acts.
void at_once(Context& c, const Node& group) {
    struct Waiting {
        const Node* apply;
        Gp begin;
        Gp found;
    };
    std::vector<Waiting> all;
    for (const BlockId each : group.blocks) {
        const Node& apply = c.at(c.function.blocks[each].statements[0]);
        all.push_back({&apply, c.new64(), c.new64()});
        enter_rule(c, apply.rule());
        c.out.xor_(all.back().found.r32(), all.back().found.r32());
        if (takes_rows(c, apply)) {
            const Label next = c.out.newLabel();
            c.out.mov(all.back().begin, c.in_frame(offsetof(Frame, buffer_used)));
            search(c, apply.blocks[0], next, [&](const Node& yield, Label) {
                take_rows(c, apply, yield, all.back().found, next);
            });
            c.out.bind(next);
            continue;
        }
        collect(c, apply, all.back().begin, all.back().found);
        if (CROUPIER_MISTAKE(ActsBeforeAllAreSearched))
            act(c, apply, all.back().begin, all.back().found);
    }
    for (const Waiting& each : all) {
        const Label none = c.out.newLabel();
        const Label end = c.out.newLabel();
        enter_rule(c, each.apply->rule());
        c.out.test(each.found, each.found);
        c.out.jz(none);
        if (takes_rows(c, *each.apply))
            act_on_rows(c, *each.apply, each.found);
        else if (!CROUPIER_MISTAKE(ActsBeforeAllAreSearched))
            act(c, *each.apply, each.begin, each.found);
        c.out.jmp(end);
        c.out.bind(none);
        act_otherwise(c, *each.apply);
        c.out.bind(end);
    }
    if (!all.empty()) c.out.mov(c.in_frame(offsetof(Frame, buffer_used)), all.front().begin);
}

// Whether it reads a code at a constant place, so that it can be read earlier.
bool is_known_code(const Context& c, Id id) {
    const Node& node = c.at(id);
    return node.kind == Kind::Load && node.operands.empty() && node.type.kind == TypeKind::Code;
}

// The tests at the beginning of the rule: nothing between them changes the state or fails.
std::vector<Guard> guards_of(const Context& c, BlockId rule) {
    std::vector<Guard> guards;
    const auto& statements = c.function.blocks[rule].statements;
    if (statements.size() != 1 || c.at(statements[0]).kind != Kind::Apply) return guards;
    const Node& apply = c.at(statements[0]);
    if (c.module.catalogue->rules[apply.rule()].source->otherwise.kind != Action::Kind::None)
        return guards;         // it does something without a match
    std::map<VarId, Id> loads; // that variables hold
    for (const Id id : c.function.blocks[apply.blocks[0]].statements) {
        const Node& node = c.at(id);
        if (node.kind == Kind::Let && is_known_code(c, node.operands[0])) {
            loads.emplace(node.var(), node.operands[0]);
            continue;
        }
        if (node.kind != Kind::Test) break;
        const Node* asked = &c.at(node.operands[0]);
        if (asked->kind == Kind::Table && asked->operands.size() == 1 &&
            asked->type.kind == TypeKind::Truth &&
            c.module.tables[asked->table()].values.size() <= kMaxCodes) {
            Id of = asked->operands[0];
            if (c.at(of).kind == Kind::Variable && loads.count(c.at(of).var()) != 0)
                of = loads.at(c.at(of).var());
            if (!is_known_code(c, of)) break;
            guards.push_back({of, codes_of(c, *asked)});
            continue;
        }
        if (asked->kind == Kind::Not) asked = &c.at(asked->operands[0]);
        const bool is_presence = asked->kind == Kind::Present && asked->operands.empty();
        const bool is_held =
            asked->kind == Kind::Has && c.at(asked->operands[0]).kind == Kind::Variable;
        if (!is_presence && !is_held) break;
    }
    return guards;
}

// One test skips rules of the current group, from `place` on, that cannot match. Returns the place
// after them; `place` if that does not pay.
std::size_t leave_out(Context& c, std::size_t place) {
    const auto& rules = c.sequence->blocks;
    std::size_t farthest = place;
    Guard best;
    for (const Guard& first : guards_of(c, rules[place])) {
        Guard all = first;
        std::size_t end = place + 1;
        for (; end < rules.size(); ++end) {
            const std::vector<Guard> guards = guards_of(c, rules[end]);
            const auto same = std::find_if(guards.begin(), guards.end(), [&](const Guard& each) {
                return c.at(each.load).schema() == c.at(first.load).schema() &&
                       c.at(each.load).type == c.at(first.load).type;
            });
            if (same == guards.end()) break;
            all.codes |= same->codes;
        }
        if (end - place >= kMinRules && end > farthest) {
            farthest = end;
            best = all;
        }
    }
    if (farthest != place) {
        const Context::At here(c);
        std::vector<RuleId> all;
        for (std::size_t i = place; i < farthest; ++i)
            all.push_back(c.at(c.function.blocks[rules[i]].statements[0]).rule());
        c.go_to({std::move(all)});
        const Gp table = c.new64();
        c.out.mov(table, asmjit::Imm(best.codes));
        c.out.bt(table, code_of(c, best.load).r64());
        c.out.jnc(c.begins[farthest]);
    }
    return farthest;
}

bool reads_in(const Context& c, Id id, VarId first, VarId end) {
    bool reads = false;
    for_each_node(c.function, id, [&](Id each) {
        const Node& node = c.at(each);
        reads = reads || ((node.kind == Kind::Variable || node.kind == Kind::RowsOf) &&
                          node.var() >= first && node.var() < end);
    });
    return reads;
}

// The rules of the group, from `place` on, that read the variables that the statement sets, also
// through other such statements.
std::vector<RuleId> rules_that_read(const Context& c, const Node& group, std::size_t place,
                                    const Node& let) {
    const VarId end = let.var() + static_cast<VarId>(let.vars());
    std::vector<RuleId> rules;
    const auto add = [&](RuleId rule) {
        if (std::find(rules.begin(), rules.end(), rule) == rules.end()) rules.push_back(rule);
    };
    for (std::size_t i = place; i < group.blocks.size(); ++i) {
        for (const Id id : c.function.blocks[group.blocks[i]].statements) {
            const Node& each = c.at(id);
            if (&each == &let || !reads_in(c, id, let.var(), end)) continue;
            if (each.kind == Kind::Apply) {
                add(each.rule());
                continue;
            }
            for (const RuleId rule : rules_that_read(c, group, i, each))
                add(rule);
        }
    }
    std::sort(rules.begin(), rules.end());
    return rules;
}

void group(Context& c, Id id) {
    const Node& node = c.at(id);
    const GroupMode mode = c.module.catalogue->groups[node.group()].mode;
    const bool emitted = std::all_of(node.blocks.begin(), node.blocks.end(), [&](BlockId each) {
        const auto& rule = c.function.blocks[each].statements;
        return rule.size() == 1 && c.at(rule[0]).kind == Kind::Apply;
    });
    if (mode == GroupMode::Agenda || (mode == GroupMode::AtOnce && !emitted)) {
        perform(c, id);
        return;
    }
    const RuleId outer = c.rule;
    if (mode == GroupMode::AtOnce) {
        at_once(c, node);
        if (outer != kNone) enter_rule(c, outer);
        return;
    }
    const Node* const outer_group = std::exchange(c.sequence, &node);
    const std::size_t outer_place = c.place;
    std::vector<Label> begins;
    for (std::size_t i = 0; i <= node.blocks.size(); ++i)
        begins.push_back(c.out.newLabel());
    begins.swap(c.begins);
    std::size_t left_out = 0; // rules up to this are skipped together
    for (c.place = 0; c.place < node.blocks.size(); ++c.place) {
        if (outer == kNone) c.common.reset();
        c.out.bind(c.begins[c.place]);
        if (c.place >= left_out) left_out = leave_out(c, c.place);
        for (const Id each : c.function.blocks[node.blocks[c.place]].statements) {
            if (c.at(each).kind != Kind::Apply)
                c.go_to({rules_that_read(c, node, c.place, c.at(each))});
            statement(c, each);
        }
    }
    c.out.bind(c.begins[c.place]);
    begins.swap(c.begins);
    c.sequence = outer_group;
    c.place = outer_place;
    if (outer != kNone && !CROUPIER_MISTAKE(RuleOfInnerGroup)) enter_rule(c, outer);
}

bool asks_for_root(const Context& c, BlockId block) {
    bool asks = false;
    for_each_node_in(c.function, block, [&](Id id) {
        const Node& node = c.at(id);
        const bool is_path = node.kind == Kind::PathNode || node.kind == Kind::MakePath ||
                             node.kind == Kind::SetPath || node.kind == Kind::RemovePath ||
                             node.kind == Kind::PutPath || node.kind == Kind::ArgumentPath;
        asks = asks || node.kind == Kind::Here || (is_path && !node.from_state());
    });
    return asks;
}

void choose_block(Context& c, const Node& node) {
    if (node.else_fails()) { // the other branch is an error, which ends the function
        const Label otherwise = c.aside([&c, &node] {
            block(c, node.blocks[1]);
            c.out.jmp(c.thrown);
        });
        jump(c, node.operands[0], false, otherwise);
        block(c, node.blocks[0]);
        return;
    }
    const Label otherwise = c.out.newLabel();
    const Label end = c.out.newLabel();
    jump(c, node.operands[0], false, otherwise);
    block(c, node.blocks[0]);
    c.out.jmp(end);
    c.out.bind(otherwise);
    block(c, node.blocks[1]);
    c.out.bind(end);
}

void statement(Context& c, Id id) {
    c.show(id);
    const Context::At here(c);
    const Node& node = c.at(id);
    c.go_to_entry_of(node);
    CROUPIER_PROBE(c.emission.write(id));
    switch (node.kind) {
    case Kind::Group:
        group(c, id);
        return;
    case Kind::GroupBelow:
        // The root of the group need not be known if no rule reads it.
        if (asks_for_root(c, node.blocks[0]))
            perform(c, id);
        else
            block(c, node.blocks[0]);
        return;
    case Kind::Apply:
        apply(c, id);
        return;
    case Kind::Let:
        set_variable(c, node.var(), node.operands[0]);
        return;
    case Kind::Store:
        store(c, id);
        return;
    case Kind::Ensure:
        ensure(c, id);
        return;
    case Kind::Erase:
        erase(c, id);
        return;
    case Kind::StoreRows:
    case Kind::EraseRows:
        write_rows(c, id);
        return;
    case Kind::Call:
        spill(c, id);
        c.call(offsetof(Frame, call), id);
        return;
    case Kind::If:
        choose_block(c, node);
        return;
    case Kind::LetRows:
    case Kind::LetTouching:
    case Kind::LetCounts:
        make_rows(c, node);
        return;
    default:
        perform(c, id);
        return;
    }
}

void count_words(Context& c, VarId var, std::uint32_t words, const Gp& found) {
    for (std::uint32_t w = 0; w < words; ++w) {
        const Gp count = population(c, kept_word(c, var, w));
        const bool first = CROUPIER_MISTAKE(LastWordCounts) || w == 0;
        first ? c.out.mov(found, count) : c.out.add(found, count);
    }
}

// Whether the rule begins with a test that one of these is absent, and has no `else`.
bool needs_absence(const Context& c, BlockId rule, const std::vector<Id>& ensured) {
    const auto& statements = c.function.blocks[rule].statements;
    if (statements.size() != 1 || c.at(statements[0]).kind != Kind::Apply) return false;
    const Node& apply = c.at(statements[0]);
    const Node& first = c.at(c.function.blocks[apply.blocks[0]].statements[0]);
    if (c.module.catalogue->rules[apply.rule()].source->otherwise.kind != Action::Kind::None ||
        first.kind != Kind::Test || c.at(first.operands[0]).kind != Kind::Not)
        return false;
    const Node& present = c.at(c.at(first.operands[0]).operands[0]);
    return present.kind == Kind::Present && present.operands.empty() &&
           std::any_of(ensured.begin(), ensured.end(),
                       [&](Id each) { return c.at(each).schema() == present.schema(); });
}

} // namespace

void block(Context& c, BlockId id) {
    const std::span<const Id> all = c.function.blocks[id].statements;
    for (std::size_t i = 0; i < all.size();)
        if (const std::size_t erased = erase_fields(c, all.subspan(i)); erased != 0)
            i += erased;
        else
            statement(c, all[i++]);
}

void enter_rule(Context& c, RuleId rule) {
    c.rule = rule;
    c.go_to(rule == kNone ? Origin{} : Origin{{rule}});
}

// Rules that act on all rows of a set at once, and their counts; groups whose rules match at once.

// Whether its matches are the rows of its first variable.
bool takes_rows(const Context& c, const Node& apply) {
    return apply.count() != 0 && c.function.vars[apply.results()].type.kind == TypeKind::Set;
}

// Counts the matches, and jumps to `next` if there are none.
void take_rows(Context& c, const Node& apply, const Node& yield, const Gp& found, Label next) {
    for (std::uint32_t i = 0; i < yield.operands.size(); ++i) {
        const VarId var = apply.results() + i;
        if (c.at(yield.operands[i]).type.kind == TypeKind::Set)
            set_rows(c, var, yield.operands[i]);
        else
            set_variable(c, var, yield.operands[i]);
    }
    if (c.wide_rows[apply.results()] && !CROUPIER_MISTAKE(LastWordCounts))
        count_wide(c, apply.results(), found);
    else
        count_words(c, apply.results(), words_of(c, yield.operands[0]), found);
    c.out.test(found, found);
    c.out.jz(next);
    // A run beyond a bound is reported as if the rows came one by one.
    const Label over = c.aside([&c] {
        const Label matches = c.out.newLabel();
        const Gp allowed = c.new64();
        const Gp most = c.new64();
        c.out.mov(allowed, c.counter(offsetof(Counters, most_steps)));
        c.out.sub(allowed, c.counter(offsetof(Counters, steps)));
        c.out.mov(most, c.counter(offsetof(Counters, most_matches)));
        c.out.cmp(most, allowed);
        c.out.jbe(matches);
        c.out.add(c.counter(offsetof(Counters, steps)), allowed);
        c.out.inc(c.counter(offsetof(Counters, steps)));
        c.out.inc(allowed);
        c.out.add(c.counter(offsetof(Counters, matches)), allowed);
        c.call(offsetof(Frame, too_many_steps), 0);
        c.out.jmp(c.thrown);
        c.out.bind(matches);
        c.out.add(c.counter(offsetof(Counters, matches)), most);
        c.call(offsetof(Frame, too_many_matches), 0);
        c.out.jmp(c.thrown);
    });
    const Gp steps = c.new64();
    c.out.mov(steps, c.counter(offsetof(Counters, steps)));
    c.out.add(steps, found);
    c.out.cmp(steps, c.counter(offsetof(Counters, most_steps)));
    c.out.ja(over);
    c.out.cmp(found, c.counter(offsetof(Counters, most_matches)));
    c.out.ja(over);
    c.out.mov(c.counter(offsetof(Counters, steps)), steps);
    c.out.add(c.counter(offsetof(Counters, matches)), found);
}

// If not all may fire, the first ones do before the run ends.
void act_on_rows(Context& c, const Node& apply, const Gp& found) {
    const Context::At here(c);
    c.go_to_part(Origin::Part::Action);
    const Gp firings = c.new64();
    const Label back = c.out.newLabel();
    const std::uint32_t words = words_for(size_of(c, c.function.vars[apply.results()].type));
    const Label end = c.ends(offsetof(Frame, too_many_firings));
    const Label over = c.aside([&c, firings, back, end, words, var = apply.results()] {
        const Label none = c.out.newLabel();
        const Gp allowed = c.new64();
        const Gp rows = c.new64();
        c.out.mov(allowed, c.counter(offsetof(Counters, most_firings)));
        c.out.mov(firings, allowed);
        c.out.inc(firings);
        c.out.sub(allowed, c.counter(offsetof(Counters, firings)));
        if (!CROUPIER_MISTAKE(RowsFireBeyondBudget)) {
            c.out.jz(none);
            address_rows(c, var, rows);
            asmjit::InvokeNode* made = nullptr;
            c.out.invoke(
                &made, asmjit::Imm(reinterpret_cast<std::uintptr_t>(&keep_first)),
                asmjit::FuncSignatureT<void, std::uint64_t*, std::uint32_t, std::uint64_t>());
            made->setArg(0, rows);
            made->setArg(1, asmjit::Imm(words));
            made->setArg(2, allowed);
            if (c.registers[var]) {
                c.out.mov(*c.registers[var], rows_of(c, var));
            } else if (c.wide_rows[var]) {
                Mem place = rows_of(c, var);
                place.setSize(kWideBytes);
                c.out.vmovdqu64(*c.wide_rows[var], place);
            }
        }
        c.out.jmp(back);
        c.out.bind(none); // an action makes nodes even for no rows
        c.out.mov(c.counter(offsetof(Counters, firings)), firings);
        c.out.jmp(end);
    });
    c.out.mov(firings, c.counter(offsetof(Counters, firings)));
    c.out.add(firings, found);
    c.out.cmp(firings, c.counter(offsetof(Counters, most_firings)));
    c.out.ja(over);
    c.out.bind(back);
    c.out.mov(c.counter(offsetof(Counters, firings)), firings);
    const std::span<const Id> action = c.function.blocks[apply.blocks[1]].statements;
    for (std::size_t i = 0; i < action.size();) {
        const std::size_t together = write_together(c, action.subspan(i));
        if (together == 0) statement(c, action[i]);
        i += std::max<std::size_t>(together, 1);
    }
    const Gp fired = c.new64();
    c.out.mov(fired, c.counter(offsetof(Counters, firings)));
    c.out.cmp(fired, c.counter(offsetof(Counters, most_firings)));
    c.out.ja(end);
}

// Where the group continues after the action, which ensures some nodes: after the rules that match
// only if these are absent.
Label beyond(const Context& c, BlockId action, Label otherwise) {
    std::vector<Id> ensured;
    for (const Id each : c.function.blocks[action].statements)
        if (c.at(each).kind == Kind::Ensure && c.at(each).operands.empty()) ensured.push_back(each);
    if (c.sequence == nullptr) return otherwise;
    std::size_t next = c.place + 1;
    while (next < c.sequence->blocks.size() && needs_absence(c, c.sequence->blocks[next], ensured))
        ++next;
    return next == c.place + 1 ? otherwise : c.begins[next];
}

} // namespace croupier::engine::x86
