// Rules and groups: what is searched when, and what is done with what was found.
#include "engine/emit/emitter.h"

#include <algorithm>

namespace croupier::engine::emit {

void Emitter::block(BlockId id) {
    for (const Id each : function_.blocks[id].statements) {
        statement(each);
    }
}

void Emitter::statement(Id id) {
    const Node& node = at(id);
    switch (node.kind) {
    case Kind::Group:
        group(id);
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
    case Kind::If: {
        const Label otherwise = code_.newLabel();
        const Label end = code_.newLabel();
        jump(node.operands[0], false, otherwise);
        block(node.blocks[0]);
        code_.jmp(end);
        code_.bind(otherwise);
        block(node.blocks[1]);
        code_.bind(end);
        return;
    }
    default:
        perform(id);
        return;
    }
}

void Emitter::group(Id id) {
    const Node& node = at(id);
    if (module_.program->groups[node.x].mode != GroupMode::Sequential) {
        perform(id);
        return;
    }
    const RuleId outer = rule_;
    for (const BlockId each : node.blocks) {
        if (outer == kNone) {
            here_.reset();
        }
        block(each);
    }
    if (outer != kNone) {
        enter_rule(outer);
    }
}

void Emitter::enter_rule(RuleId rule) {
    rule_ = rule;
    code_.mov(counter(offsetof(Counters, rule), 4), rule);
}

// A search without loops finds one match at most. One that is a loop over a set and nothing else
// has all its matches in the set before the first is acted on.
Emitter::Mode Emitter::mode_of(const Node& apply) const {
    for (const Id id : function_.blocks[apply.blocks[0]].statements) {
        const Node& node = at(id);
        if (node.kind == Kind::Alternatives) {
            return Mode::Buffered;
        }
        if (node.kind == Kind::EachRow) {
            const auto& body = function_.blocks[node.blocks[0]].statements;
            const bool bare = body.size() == 1 && at(body[0]).kind == Kind::Yield &&
                              std::all_of(at(body[0]).operands.begin(), at(body[0]).operands.end(),
                                          [&](Id each) { return at(each).kind == Kind::Variable; });
            return bare ? Mode::Rows : Mode::Buffered;
        }
    }
    return Mode::Once;
}

void Emitter::apply(Id id) {
    const Node& node = at(id);
    const RulePlan& rule = module_.program->rules[node.x];
    if (rule.repeat != 1 || rule.source == nullptr || !is_emitted(node.blocks[0])) {
        perform(id);
        return;
    }
    enter_rule(node.x);
    const Label none = code_.newLabel();
    const Label end = code_.newLabel();
    const bool has_otherwise = rule.source->otherwise.kind != Action::Kind::None;
    const Mode mode = mode_of(node);
    if (mode == Mode::Once) {
        once(node, none);
        if (has_otherwise) {
            code_.jmp(end);
        }
        code_.bind(none);
    } else {
        const Gp found = new64();
        code_.xor_(found.r32(), found.r32());
        mode == Mode::Rows ? rows(node, found) : buffered(node, found);
        if (has_otherwise) {
            code_.test(found, found);
            code_.jnz(end);
        }
    }
    if (has_otherwise) {
        count_firing();
        block(node.blocks[2]);
    }
    code_.bind(end);
}

// One more match; `found` with it.
void Emitter::count_match(const Gp& found) {
    const Label over = aside([this] {
        call(offsetof(Frame, too_many_matches), 0);
        code_.jmp(thrown_);
    });
    code_.inc(found);
    code_.cmp(found, counter(offsetof(Counters, most_matches)));
    code_.ja(over);
    code_.add(counter(offsetof(Counters, matches)), 1);
}

// So many at once.
void Emitter::count_matches(const Gp& found) {
    const Label over = aside([this] {
        const Gp most = new64();
        code_.mov(most, counter(offsetof(Counters, most_matches)));
        code_.add(counter(offsetof(Counters, matches)), most);
        call(offsetof(Frame, too_many_matches), 0);
        code_.jmp(thrown_);
    });
    code_.cmp(found, counter(offsetof(Counters, most_matches)));
    code_.ja(over);
    code_.add(counter(offsetof(Counters, matches)), found);
}

void Emitter::count_firing() {
    const Label over = aside([this] {
        call(offsetof(Frame, too_many_firings), 0);
        code_.jmp(thrown_);
    });
    const Gp firings = new64();
    code_.mov(firings, counter(offsetof(Counters, firings)));
    code_.inc(firings);
    code_.mov(counter(offsetof(Counters, firings)), firings);
    code_.cmp(firings, counter(offsetof(Counters, most_firings)));
    code_.ja(over);
}

// An action that does nothing is no firing.
void Emitter::fire(const Node& apply) {
    if (module_.program->rules[apply.x].source->action.kind == Action::Kind::None) {
        return;
    }
    count_firing();
    block(apply.blocks[1]);
}

void Emitter::once(const Node& apply, Label none) {
    const Label found_one = code_.newLabel();
    search(apply.blocks[0], none, [&](const Node& yield, Label) {
        const Gp found = new64();
        code_.xor_(found.r32(), found.r32());
        count_match(found);
        for (std::uint32_t i = 0; i < yield.operands.size(); ++i) {
            set_variable(apply.y + i, yield.operands[i]);
        }
        code_.jmp(found_one);
    });
    code_.bind(found_one);
    fire(apply);
}

// The set is whole, and its rows are counted, before the first of them is acted on.
void Emitter::rows(const Node& apply, const Gp& found) {
    const bool first = module_.program->rules[apply.x].first;
    const Label end = code_.newLabel();
    if (!first) {
        counted_ = found;
        counted_loop_ = &at(function_.blocks[apply.blocks[0]].statements.back());
    }
    search(apply.blocks[0], end, [&](const Node& yield, Label next) {
        if (first) {
            count_match(found);
        }
        for (std::uint32_t i = 0; i < yield.operands.size(); ++i) {
            set_variable(apply.y + i, yield.operands[i]);
        }
        fire(apply);
        code_.jmp(first ? end : next);
    });
    code_.bind(end);
}

// Matches wait in the buffer, a word for a code, an integer or a truth, two for any other value.
void Emitter::buffered(const Node& apply, const Gp& found) {
    const auto count = static_cast<std::uint32_t>(apply.number);
    std::uint32_t width = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        width += in_register(apply.y + i) ? 1 : 2;
    }
    const bool first = module_.program->rules[apply.x].first;
    const Gp begin = new64(); // words of the buffer in use
    const Gp top = new64();
    code_.mov(begin, in_frame(offsetof(Frame, buffer_used)));
    code_.mov(top, begin);
    const Label end = code_.newLabel();
    search(apply.blocks[0], end, [&](const Node& yield, Label next) {
        count_match(found);
        const Label fits = code_.newLabel();
        const Gp needed = new64();
        code_.lea(needed, x86::ptr(top, static_cast<std::int32_t>(width)));
        code_.cmp(needed, in_frame(offsetof(Frame, buffer_size)));
        code_.jbe(fits);
        call(offsetof(Frame, grow), width);
        code_.bind(fits);
        for (std::uint32_t i = 0; i < count; ++i) {
            set_variable(apply.y + i, yield.operands[i]);
        }
        const Gp place = new64();
        code_.mov(place, in_frame(offsetof(Frame, buffer)));
        code_.lea(place, x86::ptr(place, top, 3));
        copy_match(apply, place, true);
        code_.mov(top, needed);
        code_.mov(in_frame(offsetof(Frame, buffer_used)), top);
        code_.jmp(first ? end : next);
    });
    code_.bind(end);
    const Gp at_hand = new64();
    const Label act = code_.newLabel();
    const Label done = code_.newLabel();
    const Gp left = new64();
    code_.mov(at_hand, begin);
    code_.mov(left, found);
    code_.bind(act);
    code_.test(left, left);
    code_.jz(done);
    code_.dec(left);
    const Gp place = new64();
    code_.mov(place, in_frame(offsetof(Frame, buffer)));
    code_.lea(place, x86::ptr(place, at_hand, 3));
    copy_match(apply, place, false);
    fire(apply);
    code_.add(at_hand, width);
    code_.jmp(act);
    code_.bind(done);
    code_.mov(in_frame(offsetof(Frame, buffer_used)), begin);
}

// Between the variables of the rule's action and a place of the buffer.
void Emitter::copy_match(const Node& apply, const Gp& place, bool to_buffer) {
    std::int32_t offset = 0;
    for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(apply.number); ++i) {
        const VarId var = apply.y + i;
        if (in_register(var)) {
            const bool wide = function_.vars[var].type.kind == TypeKind::Int;
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

} // namespace croupier::engine::emit
