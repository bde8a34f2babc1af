// Searches: tests that fail go back to the innermost loop, results are taken where they are found.
#include "engine/emit/searches.h"

#include "engine/tree/layout.h"

#include <algorithm>
#include <utility>

namespace croupier::engine::emit {

void Searches::search(BlockId block, Label fail, const Taker& taker) {
    const Ahead ahead = loop_ahead(block);
    for (const Id id : function_.blocks[block].statements) {
        const Node& node = at(id);
        if (id == ahead.before) {
            look_ahead(ahead.loop, fail);
        }
        show(id);
        const At here(*this);
        go_to_entry_of(node);
        CROUPIER_PROBE(emission_.write(id));
        switch (node.kind) {
        case Kind::Let:
            set_variable(node.x, node.operands[0]);
            break;
        case Kind::LetRows:
        case Kind::LetTouching:
        case Kind::LetCounts:
            make_rows(node);
            break;
        case Kind::Test:
            jump(node.operands[0], false, fail);
            break;
        case Kind::Fail:
            code_.jmp(fail);
            break;
        case Kind::EachRow:
            each_row(node, fail, taker);
            break;
        case Kind::EachChild:
            each_child(id, fail, taker);
            break;
        case Kind::Alternatives:
            alternatives(node, fail, taker);
            break;
        case Kind::NoMatch: {
            const Label none = code_.newLabel();
            search(node.blocks[0], none, [&](const Node&, Label) { code_.jmp(fail); });
            code_.bind(none);
            break;
        }
        case Kind::SomeMatch: {
            const Label found = code_.newLabel();
            search(node.blocks[0], fail, [&](const Node&, Label) { code_.jmp(found); });
            code_.bind(found);
            break;
        }
        case Kind::Gather:
            gather(node, id);
            break;
        case Kind::Yield:
        case Kind::YieldRows:
            taker(node, fail);
            return;
        default: // what only observers are told
            break;
        }
    }
}

// What follows is written once; it goes back into the alternative that gave the result at hand.
void Searches::alternatives(const Node& node, Label fail, const Taker& taker) {
    const Label follows = code_.newLabel();
    const Gp chosen = new32();
    std::vector<Label> inside;
    const std::size_t count = node.blocks.size() - 1;
    for (std::size_t i = 0; i < count; ++i) {
        const Label next = code_.newLabel();
        search(node.blocks[i], next, [&](const Node& yield, Label back) {
            for (std::uint32_t k = 0; k < yield.operands.size(); ++k) {
                set_variable(node.x + k, yield.operands[k]);
            }
            code_.mov(chosen, static_cast<std::uint32_t>(inside.size()));
            inside.push_back(back);
            code_.jmp(follows);
        });
        code_.bind(next);
    }
    code_.jmp(fail);
    code_.bind(follows);
    const Label resume = code_.newLabel();
    search(node.blocks.back(), resume, taker);
    code_.bind(resume);
    for (std::size_t i = 0; i + 1 < inside.size(); ++i) {
        code_.cmp(chosen, static_cast<std::uint32_t>(i));
        code_.je(inside[i]);
    }
    inside.empty() || CROUPIER_MISTAKE(AlternativesEndEarly) ? code_.jmp(fail)
                                                             : code_.jmp(inside.back());
}

// Integers are gathered here, all else by the interpreter. Where a sum overflows, that one gathers
// once more, to the same error.
void Searches::gather(const Node& node, Id id) {
    const auto how = static_cast<KeyKind>(node.y);
    const bool in_sum = how == KeyKind::Sum && in_register(node.x);
    const bool best = how == KeyKind::Min || how == KeyKind::Max;
    const bool gathers =
        how == KeyKind::Count || ((in_sum || best) && gives_integers(node.blocks[0]) && !draws(id));
    if (!gathers) {
        spill(id);
        call(offsetof(Frame, step), id);
        fetch(node.x);
        return;
    }
    const Gp total = new64();
    const Gp tag = new64(); // of the best so far
    const Label end = code_.newLabel();
    code_.xor_(total.r32(), total.r32());
    code_.mov(tag, static_cast<int>(best ? Tag::None : Tag::Int));
    const Label over = in_sum ? aside([this, id] {
        spill(id);
        call(offsetof(Frame, step), id);
        code_.jmp(thrown_);
    })
                              : Label();
    search(node.blocks[0], end, [&](const Node& yield, Label next) {
        if (how == KeyKind::Count) {
            code_.inc(total);
            code_.jmp(next);
            return;
        }
        const Gp each = integer(yield.operands[0]);
        if (how == KeyKind::Sum) {
            code_.add(total, each);
            code_.jo(over);
            code_.jmp(next);
            return;
        }
        const Label better = code_.newLabel();
        if (!CROUPIER_MISTAKE(BestOfZero))
            code_.test(tag, tag);
        else
            code_.cmp(tag, -1);
        code_.jz(better);
        code_.cmp(each, total);
        how == KeyKind::Min ? code_.jge(next) : code_.jle(next);
        code_.bind(better);
        code_.mov(total, each);
        code_.mov(tag, static_cast<int>(Tag::Int));
        code_.jmp(next);
    });
    code_.bind(end);
    if (in_register(node.x)) {
        code_.mov(reg(node.x), total);
    } else {
        code_.mov(slot(node.x, 8), total);
        code_.mov(x86::qword_ptr(slots_, static_cast<std::int32_t>(node.x * 16)), tag);
    }
}

// All results are integers.
bool Searches::gives_integers(BlockId search) const {
    const auto& statements = function_.blocks[search].statements;
    return std::all_of(statements.begin(), statements.end(), [&](Id id) {
        const Node& node = at(id);
        switch (node.kind) {
        case Kind::Yield:
            return is_integer(node.operands[0]);
        case Kind::EachRow:
        case Kind::EachChild:
        case Kind::Alternatives:
            return gives_integers(node.blocks.back());
        default:
            return true;
        }
    });
}

} // namespace croupier::engine::emit
