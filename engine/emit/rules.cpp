// Rules and groups: what is searched when, and what is done with what was found.
#include "engine/emit/emitter.h"
#include "engine/ir/effects.h"
#include "engine/ir/print.h"

#include <algorithm>
#include <utility>

namespace croupier::engine::emit {

// Matches between a search and the actions: in registers, or waiting in the buffer.

// Matches wait in the buffer, a word for a code, an integer or a truth, two for any other value.
std::uint32_t Matches::width_of_match(const Node& apply, Copies which) const {
    std::uint32_t width = 0;
    for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(apply.number); ++i) {
        if (which == Copies::All || read_[apply.y + i]) {
            width += in_register(apply.y + i) ? 1 : 2;
        }
    }
    return width;
}

// The match goes to the buffer at `top`, which moves on.
void Matches::put_in_buffer(const Node& apply, const Node& yield, const Gp& top,
                            std::uint32_t width, Copies which) {
    const Label fits = code_.newLabel();
    const Gp needed = new64();
    code_.lea(needed, x86::ptr(top, static_cast<std::int32_t>(width)));
    code_.cmp(needed, in_frame(offsetof(Frame, buffer_size)));
    code_.jbe(fits);
    call(offsetof(Frame, grow), width);
    code_.bind(fits);
    set_match(apply, yield, which);
    const Gp place = new64();
    code_.mov(place, in_frame(offsetof(Frame, buffer)));
    code_.lea(place, x86::ptr(place, top, 3));
    copy_match(apply, place, true, which);
    code_.mov(top, needed);
}

void Matches::set_match(const Node& apply, const Node& yield, Copies which) {
    for (std::uint32_t i = 0; i < yield.operands.size(); ++i) {
        if (which == Copies::All || read_[apply.y + i] ||
            at(yield.operands[i]).kind != Kind::Variable) {
            set_variable(apply.y + i, yield.operands[i]);
        }
    }
}

// The same where the action follows before the search goes on: it reads the variables of the search
// where these are.
void Matches::keep_match(const Node& apply, const Node& yield) {
    for (std::uint32_t i = 0; i < yield.operands.size(); ++i) {
        const VarId var = apply.y + i;
        const Node& given = at(yield.operands[i]);
        const bool is_there = given.kind == Kind::Variable && in_register(var) &&
                              registers_[given.x] && !registers_[var] &&
                              given.type == function_.vars[var].type &&
                              given.type == function_.vars[given.x].type;
        if (is_there && read_[var]) {
            registers_[var] = registers_[given.x];
        } else if (read_[var] || given.kind != Kind::Variable) {
            set_variable(var, yield.operands[i]);
        }
    }
}

// Between the variables of the rule's action and a place where the match is kept: only those that
// the action reads have room there, or all have, since by them matches are told apart.
void Matches::copy_match(const Node& apply, const Gp& place, bool to_buffer, Copies which) {
    std::int32_t offset = 0;
    for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(apply.number); ++i) {
        const VarId var = apply.y + i;
        if (!read_[var] && (which == Copies::Read || !to_buffer)) {
            offset += which == Copies::Read ? 0 : in_register(var) ? 8 : 16;
            continue;
        }
        if (in_register(var)) {
            const bool wide = function_.vars[var].type.kind == TypeKind::Int;
            if (which == Copies::All && to_buffer && !wide) { // whole words are compared
                const Gp whole = new64();
                code_.mov(whole.r32(), reg(var));
                code_.mov(x86::Mem(place, offset, 8), whole);
                offset += 8;
                continue;
            }
            const Mem word = x86::Mem(place, offset, wide ? 8 : 4);
            to_buffer ? code_.mov(word, reg(var)) : code_.mov(reg(var), word);
            offset += 8;
            continue;
        }
        const x86::Xmm whole = new_xmm();
        const Mem word = x86::Mem(place, offset, 16);
        const Mem slot = x86::xmmword_ptr(slots_, static_cast<std::int32_t>(var * 16));
        code_.movups(whole, to_buffer ? slot : word);
        code_.movups(to_buffer ? word : slot, whole);
        offset += 16;
    }
}

namespace {

// What follows it in a search may have several results.
bool is_loop(Kind kind) {
    return kind == Kind::EachRow || kind == Kind::EachChild || kind == Kind::Alternatives;
}

} // namespace

// What follows in the loop reads nothing of the state, and has a match for each row.
bool Rules::is_bare(BlockId loop) const {
    const auto& body = function_.blocks[loop].statements;
    const Node& yield = at(body.back());
    return yield.kind == Kind::Yield &&
           std::all_of(yield.operands.begin(), yield.operands.end(),
                       [&](Id each) { return at(each).kind == Kind::Variable; }) &&
           std::all_of(body.begin(), body.end() - 1, [&](Id each) {
               return at(each).kind == Kind::Let && ir::is_total(function_, at(each).operands[0]) &&
                      ir::effects_of(module_, function_, at(each).operands[0]).reads.empty();
           });
}

// A search without loops finds one match at most, and of a rule with `first` no other one counts.
// One that is a loop over a set and nothing else has all its matches in the set before the first is
// acted on.
Rules::Mode Rules::mode_of(const Node& apply) const {
    if (module_.catalogue->rules[apply.x].first && !CROUPIER_MISTAKE(FirstFindsAll)) {
        return Mode::Once;
    }
    for (const Id id : function_.blocks[apply.blocks[0]].statements) {
        const Node& node = at(id);
        if (is_loop(node.kind)) {
            const bool at_once = node.kind == Kind::EachRow &&
                                 (is_bare(node.blocks[0]) || CROUPIER_MISTAKE(ActsAtOnceAlways));
            return at_once ? Mode::Rows : Mode::Buffered;
        }
    }
    return Mode::Once;
}

void Rules::apply(Id id) {
    const Node& node = at(id);
    const RulePlan& rule = module_.catalogue->rules[node.x];
    enter_rule(node.x);
    const bool repeats = rule.repeat != 1;
    const Mode mode = mode_of(node);
    const Label none = code_.newLabel();
    const Label end = code_.newLabel();
    const Label again = code_.newLabel();
    const Gp found = new64();
    const Gp rounds = new64();
    if (repeats) {
        code_.xor_(rounds.r32(), rounds.r32());
        code_.bind(again);
    }
    if (takes_rows(node)) {
        search(node.blocks[0], none,
               [&](const Node& yield, Label next) { take_rows(node, yield, found, next); });
        act_on_rows(node, found);
        code_.jmp(beyond(node.blocks[1], end));
        code_.bind(none);
        act_otherwise(node);
        code_.bind(end);
        return;
    }
    if (mode == Mode::Once) {
        once(node, none);
    } else {
        code_.xor_(found.r32(), found.r32());
        if (mode == Mode::Rows) {
            rows(node, found);
        } else {
            const Gp begin = new64();
            collect(node, begin, found);
            act(node, begin, found);
            code_.mov(in_frame(offsetof(Frame, buffer_used)), begin);
        }
        code_.test(found, found);
        code_.jz(none);
    }
    if (repeats) {
        code_.inc(rounds);
        code_.cmp(rounds, rule.repeat);
        code_.jb(again);
    }
    const bool ends_here = !repeats && rule.source->otherwise.kind == Action::Kind::None;
    if (!ends_here) {
        code_.jmp(end);
    }
    code_.bind(none);
    if (repeats) { // only if there never was one
        code_.test(rounds, rounds);
        if (!CROUPIER_MISTAKE(ElseAfterRounds)) code_.jnz(end);
    }
    act_otherwise(node);
    code_.bind(end);
}

void Rules::act_otherwise(const Node& apply) {
    const At here(*this);
    go_to_part(Origin::Part::Action);
    if (module_.catalogue->rules[apply.x].source->otherwise.kind != Action::Kind::None) {
        count_firing();
        block(apply.blocks[2]);
    }
}

// An action that does nothing is no firing.
void Rules::fire(const Node& apply) {
    if (module_.catalogue->rules[apply.x].source->action.kind == Action::Kind::None) {
        return;
    }
    const At here(*this);
    go_to_part(Origin::Part::Action);
    if (!(CROUPIER_MISTAKE(RowsAreNoFirings) && mode_of(apply) == Mode::Rows)) count_firing();
    block(apply.blocks[1]);
}

void Rules::once(const Node& apply, Label none) {
    const auto& statements = function_.blocks[apply.blocks[0]].statements;
    const bool has_loop = std::any_of(statements.begin(), statements.end(),
                                      [&](Id each) { return is_loop(at(each).kind); });
    const Label found_one = code_.newLabel();
    search(apply.blocks[0], none, [&](const Node& yield, Label) {
        count_only_match();
        keep_match(apply, yield);
        if (has_loop) {
            code_.jmp(found_one);
        }
    });
    if (has_loop) {
        code_.bind(found_one);
    }
    fire(apply);
}

// Not for `first`. The set is whole, and its rows are counted, before the first of them is acted
// on.
void Rules::rows(const Node& apply, const Gp& found) {
    const Label end = code_.newLabel();
    counted_ = found;
    counted_loop_ = &at(function_.blocks[apply.blocks[0]].statements.back());
    const std::vector<SchemaId> maps = count_along(apply.blocks[1]);
    search(apply.blocks[0], end, [&](const Node& yield, Label next) {
        set_match(apply, yield);
        fire(apply);
        code_.jmp(next);
    });
    stop_counting(maps);
    code_.bind(end);
}

// All matches go to the buffer, from `begin` on.
void Rules::collect(const Node& apply, const Gp& begin, const Gp& found) {
    const std::uint32_t width = width_of_match(apply);
    const bool first = module_.catalogue->rules[apply.x].first;
    const Gp top = new64();
    code_.mov(begin, in_frame(offsetof(Frame, buffer_used)));
    code_.mov(top, begin);
    const Label end = code_.newLabel();
    search(apply.blocks[0], end, [&](const Node& yield, Label next) {
        count_match(found);
        put_in_buffer(apply, yield, top, width, Copies::Read);
        code_.mov(in_frame(offsetof(Frame, buffer_used)), top);
        code_.jmp(first && !CROUPIER_MISTAKE(FirstFindsAll) ? end : next);
    });
    code_.bind(end);
}

// Acts on so many matches from `begin` on.
void Rules::act(const Node& apply, const Gp& begin, const Gp& found) {
    if (module_.catalogue->rules[apply.x].source->action.kind == Action::Kind::None) {
        return;
    }
    const std::uint32_t width = width_of_match(apply);
    const Gp at_hand = new64();
    const Gp left = new64();
    const Gp place = new64();
    const Label next = code_.newLabel();
    const Label done = code_.newLabel();
    code_.mov(at_hand, begin);
    code_.mov(left, found);
    code_.bind(next);
    code_.test(left, left);
    code_.jz(done);
    code_.dec(left);
    code_.mov(place, in_frame(offsetof(Frame, buffer)));
    code_.lea(place, x86::ptr(place, at_hand, 3));
    copy_match(apply, place, false);
    fire(apply);
    code_.add(at_hand, CROUPIER_MISTAKE(MatchesOverlap) ? 1 : width);
    code_.jmp(next);
    code_.bind(done);
}

} // namespace croupier::engine::emit
