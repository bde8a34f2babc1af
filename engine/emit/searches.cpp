// Searches: tests that fail go back to the innermost loop, results are taken where they are found.
#include "engine/emit/emitter.h"
#include "engine/ir/effects.h"
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

// Loops over the rows of sets and over children.

namespace {

bool sets_variable(Kind kind) {
    return kind == Kind::Let || kind == Kind::LetRows || kind == Kind::LetTouching ||
           kind == Kind::LetCounts;
}

bool share(const ir::Numbers& a, const ir::Numbers& b) {
    return std::any_of(a.begin(), a.end(), [&](std::uint32_t each) {
        return std::find(b.begin(), b.end(), each) != b.end();
    });
}

} // namespace

// The first loop of a search, and the first of the statements right before it that only set
// variables and on which its set does not depend: where there is no row, nobody needs these.
Searches::Ahead Searches::loop_ahead(BlockId block) const {
    const auto& all = function_.blocks[block].statements;
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](Id each) { return at(each).kind == Kind::EachRow; });
    if (found == all.end() || words_of(at(*found).operands[0]) != 1) {
        return {};
    }
    const Node& set = at(at(*found).operands[0]);
    if (set.kind == Kind::AllRows || (set.kind == Kind::TableRows && set.operands.empty())) {
        return {};
    }
    const ir::Numbers uses = ir::effects_of(module_, function_, at(*found).operands[0]).uses;
    auto first = found;
    while (first != all.begin()) {
        const Id before = *(first - 1);
        if (!sets_variable(at(before).kind) || !ir::is_total(function_, at(before).operands[0]) ||
            share(ir::variables_set(function_, before), uses)) {
            break;
        }
        --first;
    }
    return first == found ? Ahead() : Ahead{*first, *found};
}

void Searches::look_ahead(Id loop, Label fail) {
    const Node& set = at(at(loop).operands[0]);
    const bool both = set.kind == Kind::Both && at(set.operands[0]).kind == Kind::RowsWith;
    const Gp rows = word(both ? set.operands[0] : at(loop).operands[0], 0);
    code_.test(rows, rows);
    code_.jz(fail);
    if (both) {
        code_.and_(rows, word(set.operands[1], 0));
        code_.jz(fail);
    }
    rows_ahead_[&at(loop)] = rows;
}

// Adds the rows to those that the rule's loop has.
void Searches::count_rows_of(const Gp& rows) {
    code_.add(counted_, population(rows));
}

void Searches::each_row(const Node& node, Label fail, const Taker& taker) {
    const Id set = node.operands[0];
    const std::uint32_t words = words_of(set);
    const Gp row = reg(node.x);
    const Label next = code_.newLabel();
    const Gp rows = new64();
    const auto visit = [&](const Gp& offset, Label end) {
        const Label another = code_.newLabel();
        code_.test(rows, rows);
        code_.jz(end);
        count_steps(population(rows));
        code_.bind(another);
        const Gp place = new64();
        code_.bsf(place, rows);
        code_.btr(rows, place);
        if (offset.isValid()) {
            code_.lea(row.r64(), x86::ptr(place, offset, 0, 1));
        } else {
            code_.lea(row, x86::ptr(place, 1));
        }
        search(node.blocks[0], next, taker);
        code_.bind(next);
        code_.test(rows, rows);
        code_.jnz(another);
        code_.jmp(end);
    };
    const bool counts = counted_.isValid() && &node == counted_loop_;
    if (words == 1) {
        const auto known = rows_ahead_.find(&node);
        code_.mov(rows, known != rows_ahead_.end() ? known->second : word(set, 0));
        if (counts) {
            count_rows_of(rows);
            count_matches(std::exchange(counted_, Gp()));
        }
        visit(Gp(), fail);
        return;
    }
    // All words first: what is done with a row may change those that follow.
    const Mem kept = code_.newStack(words * 8, 8);
    for (std::uint32_t w = 0; w < words; ++w) {
        Mem place = kept;
        place.addOffset(w * 8);
        place.setSize(8);
        const Gp each = word(set, w);
        if (counts && (!CROUPIER_MISTAKE(LastWordCounts) || w + 1 == words)) {
            count_rows_of(each);
        }
        code_.mov(place, each);
    }
    if (counts) {
        count_matches(std::exchange(counted_, Gp()));
    }
    const Gp offset = new64();
    const Label another = code_.newLabel();
    const Label advance = code_.newLabel();
    code_.xor_(offset.r32(), offset.r32());
    code_.bind(another);
    const Gp base = new64();
    const Gp byte = new64();
    Mem begin = kept;
    begin.setSize(0);
    code_.lea(base, begin);
    code_.mov(byte, offset);
    code_.shr(byte, 3);
    code_.mov(rows, x86::qword_ptr(base, byte));
    visit(offset, advance);
    code_.bind(advance);
    code_.add(offset, kWordRows);
    code_.cmp(offset, words * kWordRows);
    code_.jb(another);
    code_.jmp(fail);
}

// The interpreter finds the children; what is done with each is done here.
void Searches::each_child(Id id, Label fail, const Taker& taker) {
    const Node& node = at(id);
    const Label next = code_.newLabel();
    const Label found = code_.newLabel();
    const Gp answer = new32();
    spill(node.operands[0]);
    call(offsetof(Frame, first_child), id, &answer);
    code_.test(answer, answer);
    code_.jz(fail);
    code_.jmp(found);
    code_.bind(next);
    call(offsetof(Frame, next_child), id, &answer);
    code_.test(answer, answer);
    code_.jz(fail);
    code_.bind(found);
    if (node.y != 0) {
        fetch(node.y - 1);
    }
    search(node.blocks[0], next, taker);
}

// What a run counts, up to its bounds.

// A step for each row, so that what never ends does.
void Searches::count_steps(const Gp& rows) {
    const Label over = aside([this] {
        call(offsetof(Frame, too_many_steps), 0);
        code_.jmp(thrown_);
    });
    code_.add(rows, counter(offsetof(Counters, steps)));
    code_.mov(counter(offsetof(Counters, steps)), rows);
    code_.cmp(rows, counter(offsetof(Counters, most_steps)));
    code_.ja(over);
}

// One more match; `found` with it.
void Searches::count_match(const Gp& found) {
    const Label over = aside([this] {
        call(offsetof(Frame, too_many_matches), 0);
        code_.jmp(thrown_);
    });
    code_.inc(found);
    code_.cmp(found, counter(offsetof(Counters, most_matches)));
    CROUPIER_MISTAKE(LastMatchRefused) ? code_.jae(over) : code_.ja(over);
    code_.add(counter(offsetof(Counters, matches)), 1);
}

// The first, of a rule that finds no other: one there may be.
void Searches::count_only_match() {
    code_.inc(counter(offsetof(Counters, matches)));
}

// So many at once.
void Searches::count_matches(const Gp& found) {
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

// One more of what a run counts; `helper` ends it where that is more than the bound.
void Searches::count_up(std::size_t count, std::size_t most, std::size_t helper) {
    const Label over = aside([this, helper] {
        call(helper, 0);
        code_.jmp(thrown_);
    });
    const Gp counted = new64();
    code_.mov(counted, counter(count));
    code_.inc(counted);
    code_.mov(counter(count), counted);
    code_.cmp(counted, counter(most));
    code_.ja(over);
}

void Searches::count_firing() {
    count_up(offsetof(Counters, firings), offsetof(Counters, most_firings),
             offsetof(Frame, too_many_firings));
}

} // namespace croupier::engine::emit
