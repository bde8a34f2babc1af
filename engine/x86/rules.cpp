// Rules and groups: the order of searches and actions.
#include "engine/form/effects.h"
#include "engine/form/to_text.h"
#include "engine/x86/statements.h"

#include <algorithm>
#include <utility>

namespace croupier::engine::x86 {

namespace {

// Whether what follows it in a search may have several results.
bool is_loop(Kind kind) {
    return kind == Kind::EachRow || kind == Kind::EachChild || kind == Kind::Alternatives;
}

// As set_match, if the action runs before the search continues: it reads the variables of the
// search in their registers.
void keep_match(Context& c, const Node& apply, const Node& yield) {
    for (std::uint32_t i = 0; i < yield.operands.size(); ++i) {
        const VarId var = apply.results() + i;
        const Node& given = c.at(yield.operands[i]);
        const bool is_there = given.kind == Kind::Variable && in_register(c, var) &&
                              c.registers[given.var()] && !c.registers[var] &&
                              given.type == c.function.vars[var].type &&
                              given.type == c.function.vars[given.var()].type;
        if (is_there && c.read[var])
            c.registers[var] = c.registers[given.var()];
        else if (c.read[var] || given.kind != Kind::Variable)
            set_variable(c, var, yield.operands[i]);
    }
}

// Whether the rest of the loop reads nothing of the state, and has a match for each row.
bool is_bare(const Context& c, BlockId loop) {
    const auto& body = c.function.blocks[loop].statements;
    const Node& yield = c.at(body.back());
    return yield.kind == Kind::Yield &&
           std::all_of(yield.operands.begin(), yield.operands.end(),
                       [&](Id each) { return c.at(each).kind == Kind::Variable; }) &&
           std::all_of(body.begin(), body.end() - 1, [&](Id each) {
               return c.at(each).kind == Kind::Let &&
                      form::is_total(c.function, c.at(each).operands[0]) &&
                      form::effects_of(c.module, c.function, c.at(each).operands[0]).reads.empty();
           });
}

void once(Context& c, const Node& apply, Label none) {
    const auto& statements = c.function.blocks[apply.blocks[0]].statements;
    const bool has_loop = std::any_of(statements.begin(), statements.end(),
                                      [&](Id each) { return is_loop(c.at(each).kind); });
    const Label found_one = c.out.newLabel();
    search(c, apply.blocks[0], none, [&](const Node& yield, Label) {
        count_only_match(c);
        keep_match(c, apply, yield);
        if (has_loop) c.out.jmp(found_one);
    });
    if (has_loop) c.out.bind(found_one);
    fire(c, apply);
}

// Not for rules with `first`. The set is complete, and its rows are counted, before the action runs
// for the first of them.
void rows(Context& c, const Node& apply, const Gp& found) {
    const Label end = c.out.newLabel();
    c.counted = found;
    c.counted_loop = &c.at(c.function.blocks[apply.blocks[0]].statements.back());
    const std::vector<SchemaId> maps = count_along(c, apply.blocks[1]);
    search(c, apply.blocks[0], end, [&](const Node& yield, Label next) {
        set_match(c, apply, yield);
        fire(c, apply);
        c.out.jmp(next);
    });
    stop_counting(c, maps);
    c.out.bind(end);
}

} // namespace

// Matches between a search and the actions: in registers, or waiting in the buffer.

// The words of a match in the buffer: one for a code, an integer or a truth, two for other values.
std::uint32_t width_of_match(const Context& c, const Node& apply) {
    std::uint32_t width = 0;
    for (std::uint32_t i = 0; i < apply.count(); ++i)
        if (c.read[apply.results() + i]) width += in_register(c, apply.results() + i) ? 1 : 2;
    return width;
}

// Writes the match to the buffer at `top`, and advances `top`.
void put_in_buffer(Context& c, const Node& apply, const Node& yield, const Gp& top,
                   std::uint32_t width) {
    const Label fits = c.out.newLabel();
    const Gp needed = c.new64();
    c.out.lea(needed, x86::ptr(top, static_cast<std::int32_t>(width)));
    c.out.cmp(needed, c.in_frame(offsetof(Frame, buffer_size)));
    c.out.jbe(fits);
    c.call(offsetof(Frame, grow), width);
    c.out.bind(fits);
    set_match(c, apply, yield);
    const Gp place = c.new64();
    c.out.mov(place, c.in_frame(offsetof(Frame, buffer)));
    c.out.lea(place, x86::ptr(place, top, 3));
    copy_match(c, apply, place, true);
    c.out.mov(top, needed);
}

void set_match(Context& c, const Node& apply, const Node& yield) {
    for (std::uint32_t i = 0; i < yield.operands.size(); ++i)
        if (c.read[apply.results() + i] || c.at(yield.operands[i]).kind != Kind::Variable)
            set_variable(c, apply.results() + i, yield.operands[i]);
}

// Copies a match between the variables of the rule's action and a place in the buffer, which has
// room for those that the action reads.
void copy_match(Context& c, const Node& apply, const Gp& place, bool to_buffer) {
    std::int32_t offset = 0;
    for (std::uint32_t i = 0; i < apply.count(); ++i) {
        const VarId var = apply.results() + i;
        if (!c.read[var]) continue;
        if (in_register(c, var)) {
            const bool wide = c.function.vars[var].type.kind == TypeKind::Int;
            const Mem word = x86::Mem(place, offset, wide ? 8 : 4);
            to_buffer ? c.out.mov(word, reg(c, var)) : c.out.mov(reg(c, var), word);
            offset += 8;
            continue;
        }
        const Mem word = x86::Mem(place, offset, 16);
        const Mem own = slot(c, var, 0, 16);
        copy_value(c, to_buffer ? word : own, to_buffer ? own : word);
        offset += 16;
    }
}

// A search without loops finds at most one match, and a rule with `first` needs only one. A search
// that is only a loop over a set has all its matches in the set before the first action.
Mode mode_of(const Context& c, const Node& apply) {
    if (c.module.catalogue->rules[apply.rule()].first && !CROUPIER_MISTAKE(FirstFindsAll))
        return Mode::Once;
    for (const Id id : c.function.blocks[apply.blocks[0]].statements) {
        const Node& node = c.at(id);
        if (is_loop(node.kind)) {
            const bool at_once = node.kind == Kind::EachRow &&
                                 (is_bare(c, node.blocks[0]) || CROUPIER_MISTAKE(ActsAtOnceAlways));
            return at_once ? Mode::Rows : Mode::Buffered;
        }
    }
    return Mode::Once;
}

void apply(Context& c, Id id) {
    const Node& node = c.at(id);
    const RulePlan& rule = c.module.catalogue->rules[node.rule()];
    enter_rule(c, node.rule());
    const bool repeats = rule.repeat != 1;
    const Mode mode = mode_of(c, node);
    const Label none = c.out.newLabel();
    const Label end = c.out.newLabel();
    const Label again = c.out.newLabel();
    const Gp found = c.new64();
    const Gp rounds = c.new64();
    if (repeats) {
        c.out.xor_(rounds.r32(), rounds.r32());
        c.out.bind(again);
    }
    if (takes_rows(c, node)) {
        search(c, node.blocks[0], none,
               [&](const Node& yield, Label next) { take_rows(c, node, yield, found, next); });
        act_on_rows(c, node, found);
        c.out.jmp(beyond(c, node.blocks[1], end));
        c.out.bind(none);
        act_otherwise(c, node);
        c.out.bind(end);
        return;
    }
    if (mode == Mode::Once) {
        once(c, node, none);
    } else {
        c.out.xor_(found.r32(), found.r32());
        if (mode == Mode::Rows) {
            rows(c, node, found);
        } else {
            const Gp begin = c.new64();
            collect(c, node, begin, found);
            act(c, node, begin, found);
            c.out.mov(c.in_frame(offsetof(Frame, buffer_used)), begin);
        }
        c.out.test(found, found);
        c.out.jz(none);
    }
    if (repeats) {
        c.out.inc(rounds);
        c.out.cmp(rounds, rule.repeat);
        c.out.jb(again);
    }
    const bool ends_here = !repeats && rule.source->otherwise.kind == Action::Kind::None;
    if (!ends_here) c.out.jmp(end);
    c.out.bind(none);
    if (repeats) { // only if no round had a match
        c.out.test(rounds, rounds);
        if (!CROUPIER_MISTAKE(ElseAfterRounds)) c.out.jnz(end);
    }
    act_otherwise(c, node);
    c.out.bind(end);
}

void act_otherwise(Context& c, const Node& apply) {
    const Context::At here(c);
    c.go_to_part(Origin::Part::Action);
    if (c.module.catalogue->rules[apply.rule()].source->otherwise.kind != Action::Kind::None) {
        count_firing(c);
        block(c, apply.blocks[2]);
    }
}

// An empty action does not count as a firing.
void fire(Context& c, const Node& apply) {
    if (c.module.catalogue->rules[apply.rule()].source->action.kind == Action::Kind::None) return;
    const Context::At here(c);
    c.go_to_part(Origin::Part::Action);
    if (!(CROUPIER_MISTAKE(RowsAreNoFirings) && mode_of(c, apply) == Mode::Rows)) count_firing(c);
    block(c, apply.blocks[1]);
}

// Writes all matches to the buffer, from `begin` on.
void collect(Context& c, const Node& apply, const Gp& begin, const Gp& found) {
    const std::uint32_t width = width_of_match(c, apply);
    const bool first = c.module.catalogue->rules[apply.rule()].first;
    const Gp top = c.new64();
    c.out.mov(begin, c.in_frame(offsetof(Frame, buffer_used)));
    c.out.mov(top, begin);
    const Label end = c.out.newLabel();
    search(c, apply.blocks[0], end, [&](const Node& yield, Label next) {
        count_match(c, found);
        put_in_buffer(c, apply, yield, top, width);
        c.out.mov(c.in_frame(offsetof(Frame, buffer_used)), top);
        c.out.jmp(first && !CROUPIER_MISTAKE(FirstFindsAll) ? end : next);
    });
    c.out.bind(end);
}

// Acts on `found` matches, from `begin` on.
void act(Context& c, const Node& apply, const Gp& begin, const Gp& found) {
    if (c.module.catalogue->rules[apply.rule()].source->action.kind == Action::Kind::None) return;
    const std::uint32_t width = width_of_match(c, apply);
    const Gp at_hand = c.new64();
    const Gp left = c.new64();
    const Gp place = c.new64();
    const Label next = c.out.newLabel();
    const Label done = c.out.newLabel();
    c.out.mov(at_hand, begin);
    c.out.mov(left, found);
    c.out.bind(next);
    c.out.test(left, left);
    c.out.jz(done);
    c.out.dec(left);
    c.out.mov(place, c.in_frame(offsetof(Frame, buffer)));
    c.out.lea(place, x86::ptr(place, at_hand, 3));
    copy_match(c, apply, place, false);
    fire(c, apply);
    c.out.add(at_hand, CROUPIER_MISTAKE(MatchesOverlap) ? 1 : width);
    c.out.jmp(next);
    c.out.bind(done);
}

} // namespace croupier::engine::x86
