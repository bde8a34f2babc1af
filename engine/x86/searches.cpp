// Searches: tests that fail backtrack to the innermost loop, results are taken where found.
#include "engine/form/effects.h"
#include "engine/state/layout.h"
#include "engine/x86/statements.h"

#include <algorithm>
#include <utility>

namespace croupier::engine::x86 {

namespace {

struct Ahead {
    Id before = form::kNothing; // of the search's statements
    Id loop = 0;
};

bool share(const form::Numbers& a, const form::Numbers& b) {
    return std::any_of(a.begin(), a.end(), [&](std::uint32_t each) {
        return std::find(b.begin(), b.end(), each) != b.end();
    });
}

// The rest is written once; it returns to the alternative that gave the current result.
void alternatives(Context& c, const Node& node, Label fail, const Taker& taker) {
    const Label follows = c.out.newLabel();
    const Gp chosen = c.new32();
    std::vector<Label> inside;
    const std::size_t count = node.blocks.size() - 1;
    for (std::size_t i = 0; i < count; ++i) {
        const Label next = c.out.newLabel();
        search(c, node.blocks[i], next, [&](const Node& yield, Label back) {
            for (std::uint32_t k = 0; k < yield.operands.size(); ++k)
                set_variable(c, node.var() + k, yield.operands[k]);
            c.out.mov(chosen, static_cast<std::uint32_t>(inside.size()));
            inside.push_back(back);
            c.out.jmp(follows);
        });
        c.out.bind(next);
    }
    c.out.jmp(fail);
    c.out.bind(follows);
    const Label resume = c.out.newLabel();
    search(c, node.blocks.back(), resume, taker);
    c.out.bind(resume);
    for (std::size_t i = 0; i + 1 < inside.size(); ++i) {
        c.out.cmp(chosen, static_cast<std::uint32_t>(i));
        c.out.je(inside[i]);
    }
    inside.empty() || CROUPIER_MISTAKE(AlternativesEndEarly) ? c.out.jmp(fail)
                                                             : c.out.jmp(inside.back());
}

// Whether all results are integers.
bool gives_integers(const Context& c, BlockId search) {
    const auto& statements = c.function.blocks[search].statements;
    return std::all_of(statements.begin(), statements.end(), [&](Id id) {
        const Node& node = c.at(id);
        switch (node.kind) {
        case Kind::Yield:
            return is_integer(c, node.operands[0]);
        case Kind::EachRow:
        case Kind::EachChild:
        case Kind::Alternatives:
            return gives_integers(c, node.blocks.back());
        default:
            return true;
        }
    });
}

// Gathers integers; leaves other values to the interpreter. If a sum overflows, the interpreter
// gathers again, and ends in the same error.
void gather(Context& c, const Node& node, Id id) {
    const auto how = node.gathers();
    const bool in_sum = how == KeyKind::Sum && in_register(c, node.var());
    const bool best = how == KeyKind::Min || how == KeyKind::Max;
    const bool gathers = how == KeyKind::Count ||
                         ((in_sum || best) && gives_integers(c, node.blocks[0]) && !draws(c, id));
    if (!gathers) {
        perform(c, id);
        fetch(c, node.var());
        return;
    }
    const Gp total = c.new64();
    const Gp tag = c.new64(); // of the best so far
    const Label end = c.out.newLabel();
    c.out.xor_(total.r32(), total.r32());
    c.out.mov(tag, static_cast<int>(best ? Tag::None : Tag::Int));
    const Label over = in_sum ? c.aside([&c, id] {
        perform(c, id);
        c.out.jmp(c.thrown);
    })
                              : Label();
    search(c, node.blocks[0], end, [&](const Node& yield, Label next) {
        if (how == KeyKind::Count) {
            c.out.inc(total);
            c.out.jmp(next);
            return;
        }
        const Gp each = integer(c, yield.operands[0]);
        if (how == KeyKind::Sum) {
            c.out.add(total, each);
            c.out.jo(over);
            c.out.jmp(next);
            return;
        }
        const Label better = c.out.newLabel();
        if (!CROUPIER_MISTAKE(BestOfZero))
            c.out.test(tag, tag);
        else
            c.out.cmp(tag, -1);
        c.out.jz(better);
        c.out.cmp(each, total);
        how == KeyKind::Min ? c.out.jge(next) : c.out.jle(next);
        c.out.bind(better);
        c.out.mov(total, each);
        c.out.mov(tag, static_cast<int>(Tag::Int));
        c.out.jmp(next);
    });
    c.out.bind(end);
    if (in_register(c, node.var())) {
        c.out.mov(reg(c, node.var()), total);
    } else {
        c.out.mov(slot(c, node.var(), 8), total);
        c.out.mov(slot(c, node.var(), 0, 8), tag);
    }
}

// The first loop of a search, and the first of the statements right before it that only set
// variables which its set does not read: without a row, these are not needed.
Ahead loop_ahead(const Context& c, BlockId block) {
    const auto& all = c.function.blocks[block].statements;
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](Id each) { return c.at(each).kind == Kind::EachRow; });
    if (found == all.end() || words_of(c, c.at(*found).operands[0]) != 1) return {};
    const Node& set = c.at(c.at(*found).operands[0]);
    if (set.kind == Kind::AllRows || (set.kind == Kind::TableRows && set.operands.empty()))
        return {};
    const form::Numbers uses =
        form::effects_of(c.module, c.function, c.at(*found).operands[0]).uses;
    auto first = found;
    while (first != all.begin()) {
        const Id before = *(first - 1);
        const Kind kind = c.at(before).kind;
        if ((kind != Kind::Let && !form::lets_rows(kind)) ||
            !form::is_total(c.function, c.at(before).operands[0]) ||
            share(form::variables_set(c.function, before), uses))
            break;
        --first;
    }
    return first == found ? Ahead() : Ahead{*first, *found};
}

void look_ahead(Context& c, Id loop, Label fail) {
    const Node& set = c.at(c.at(loop).operands[0]);
    const bool both = set.kind == Kind::Both && c.at(set.operands[0]).kind == Kind::RowsWith;
    const Gp rows = word(c, both ? set.operands[0] : c.at(loop).operands[0], 0);
    c.out.test(rows, rows);
    c.out.jz(fail);
    if (both) {
        c.out.and_(rows, word(c, set.operands[1], 0));
        c.out.jz(fail);
    }
    c.rows_ahead[&c.at(loop)] = rows;
}

// Counts of a run, up to its bounds.

// Counts a step for each row, so that endless rules end.
void count_steps(Context& c, const Gp& rows) {
    const Label over = c.ends(offsetof(Frame, too_many_steps));
    c.out.add(rows, c.counter(offsetof(Counters, steps)));
    c.out.mov(c.counter(offsetof(Counters, steps)), rows);
    c.out.cmp(rows, c.counter(offsetof(Counters, most_steps)));
    c.out.ja(over);
}

// Counts `found` matches at once.
void count_matches(Context& c, const Gp& found) {
    const Label over = c.aside([&c] {
        const Gp most = c.new64();
        c.out.mov(most, c.counter(offsetof(Counters, most_matches)));
        c.out.add(c.counter(offsetof(Counters, matches)), most);
        c.call(offsetof(Frame, too_many_matches), 0);
        c.out.jmp(c.thrown);
    });
    c.out.cmp(found, c.counter(offsetof(Counters, most_matches)));
    c.out.ja(over);
    c.out.add(c.counter(offsetof(Counters, matches)), found);
}

// The address of the rows' codes in the loop's order.
Gp order_of(Context& c, const Node& loop) {
    const form::LookupTable& table = c.module.tables[loop.order()];
    const std::uint64_t* const words = c.tables.words(loop.order());
    std::size_t bytes = table.words.size() * sizeof(std::uint64_t);
    for (const std::uint32_t size : table.sizes)
        bytes /= size;
    const Gp place = c.new64();
    c.out.mov(place, asmjit::Imm(reinterpret_cast<std::uintptr_t>(words)));
    if (table.sizes.empty() || CROUPIER_MISTAKE(OrderOfFirstEntry)) return place;
    const Gp entry = c.new64();
    c.out.imul(entry, table_index(c, loop.order(), std::span(loop.operands).subspan(1)),
               asmjit::Imm(bytes));
    c.out.add(place, entry);
    return place;
}

// Visits the rows of an order that are in the set: `has_row` jumps to its label for other rows.
template <class HasRow>
void each_in_order(Context& c, const Node& node, Label fail, const Taker& taker,
                   const HasRow& has_row) {
    const Gp at = order_of(c, node);
    const Gp row = reg(c, node.var());
    const Label next = c.out.newLabel();
    c.out.bind(next);
    const Gp place = c.new64();
    c.out.movzx(place.r32(), x86::word_ptr(at));
    c.out.test(place.r32(), place.r32());
    c.out.jz(fail);
    c.out.add(at, sizeof(std::uint16_t));
    c.out.mov(row.r32(), place.r32());
    c.out.dec(place);
    has_row(place, next);
    const Gp one = c.new64();
    c.out.mov(one, 1);
    count_steps(c, one);
    search(c, node.blocks[0], next, taker);
}

void each_row(Context& c, const Node& node, Label fail, const Taker& taker) {
    const Id set = node.operands[0];
    const std::uint32_t words = words_of(c, set);
    const Gp row = reg(c, node.var());
    const Label next = c.out.newLabel();
    const Gp rows = c.new64();
    const auto visit = [&](const Gp& offset, Label end) {
        const Label another = c.out.newLabel();
        c.out.test(rows, rows);
        c.out.jz(end);
        count_steps(c, population(c, rows));
        c.out.bind(another);
        const Gp place = c.new64();
        c.out.bsf(place, rows);
        c.out.btr(rows, place);
        if (offset.isValid())
            c.out.lea(row.r64(), x86::ptr(place, offset, 0, 1));
        else
            c.out.lea(row, x86::ptr(place, 1));
        search(c, node.blocks[0], next, taker);
        c.out.bind(next);
        c.out.test(rows, rows);
        c.out.jnz(another);
        c.out.jmp(end);
    };
    const bool counts = c.counted.isValid() && &node == c.counted_loop;
    if (words == 1) {
        const auto known = c.rows_ahead.find(&node);
        c.out.mov(rows, known != c.rows_ahead.end() ? known->second : word(c, set, 0));
        if (counts) {
            c.out.add(c.counted, population(c, rows));
            count_matches(c, std::exchange(c.counted, Gp()));
        }
        if (node.order() == form::kNothing) {
            visit(Gp(), fail);
            return;
        }
        c.out.test(rows, rows);
        c.out.jz(fail);
        each_in_order(c, node, fail, taker, [&](const Gp& place, Label next_place) {
            c.out.bt(rows, place);
            c.out.jnc(next_place);
        });
        return;
    }
    // Reads all words first, since actions for a row may change the words that follow.
    const Mem kept = c.out.newStack(words * 8, 8);
    for (std::uint32_t w = 0; w < words; ++w) {
        Mem place = kept;
        place.addOffset(w * 8);
        place.setSize(8);
        const Gp each = word(c, set, w);
        if (counts && (!CROUPIER_MISTAKE(LastWordCounts) || w + 1 == words))
            c.out.add(c.counted, population(c, each));
        c.out.mov(place, each);
    }
    if (counts) count_matches(c, std::exchange(c.counted, Gp()));
    if (node.order() != form::kNothing) {
        const Gp begin = c.new64();
        Mem first = kept;
        first.setSize(0);
        c.out.lea(begin, first);
        each_in_order(c, node, fail, taker, [&](const Gp& place, Label next_place) {
            c.out.bt(x86::qword_ptr(begin), place);
            c.out.jnc(next_place);
        });
        return;
    }
    const Gp offset = c.new64();
    const Label another = c.out.newLabel();
    const Label advance = c.out.newLabel();
    c.out.xor_(offset.r32(), offset.r32());
    c.out.bind(another);
    const Gp base = c.new64();
    const Gp byte = c.new64();
    Mem begin = kept;
    begin.setSize(0);
    c.out.lea(base, begin);
    c.out.mov(byte, offset);
    c.out.shr(byte, 3);
    c.out.mov(rows, x86::qword_ptr(base, byte));
    visit(offset, advance);
    c.out.bind(advance);
    c.out.add(offset, kWordRows);
    c.out.cmp(offset, words * kWordRows);
    c.out.jb(another);
    c.out.jmp(fail);
}

// The interpreter finds the children; the code here handles each of them.
void each_child(Context& c, Id id, Label fail, const Taker& taker) {
    const Node& node = c.at(id);
    const Label next = c.out.newLabel();
    const Label found = c.out.newLabel();
    const Gp answer = c.new32();
    spill(c, node.operands[0]);
    c.call(offsetof(Frame, first_child), id, &answer);
    c.out.test(answer, answer);
    c.out.jz(fail);
    c.out.jmp(found);
    c.out.bind(next);
    c.call(offsetof(Frame, next_child), id, &answer);
    c.out.test(answer, answer);
    c.out.jz(fail);
    c.out.bind(found);
    if (node.key_var() != form::kNothing) fetch(c, node.key_var());
    search(c, node.blocks[0], next, taker);
}

} // namespace

void search(Context& c, BlockId block, Label fail, const Taker& taker) {
    const Ahead ahead = loop_ahead(c, block);
    for (const Id id : c.function.blocks[block].statements) {
        const Node& node = c.at(id);
        if (id == ahead.before) look_ahead(c, ahead.loop, fail);
        c.show(id);
        const Context::At here(c);
        c.go_to_entry_of(node);
        CROUPIER_PROBE(c.emission.write(id));
        switch (node.kind) {
        case Kind::Let:
            set_variable(c, node.var(), node.operands[0]);
            break;
        case Kind::LetRows:
        case Kind::LetTouching:
        case Kind::LetCounts:
            make_rows(c, node);
            break;
        case Kind::Test:
            jump(c, node.operands[0], false, fail);
            break;
        case Kind::Fail:
            c.out.jmp(fail);
            break;
        case Kind::EachRow:
            each_row(c, node, fail, taker);
            break;
        case Kind::EachChild:
            each_child(c, id, fail, taker);
            break;
        case Kind::Alternatives:
            alternatives(c, node, fail, taker);
            break;
        case Kind::NoMatch: {
            const Label none = c.out.newLabel();
            search(c, node.blocks[0], none, [&](const Node&, Label) { c.out.jmp(fail); });
            c.out.bind(none);
            break;
        }
        case Kind::SomeMatch: {
            const Label found = c.out.newLabel();
            search(c, node.blocks[0], fail, [&](const Node&, Label) { c.out.jmp(found); });
            c.out.bind(found);
            break;
        }
        case Kind::Gather:
            gather(c, node, id);
            break;
        case Kind::Yield:
        case Kind::YieldRows:
            taker(node, fail);
            return;
        default: // only for observers
            break;
        }
    }
}

// Counts a match, also in `found`.
void count_match(Context& c, const Gp& found) {
    const Label over = c.ends(offsetof(Frame, too_many_matches));
    c.out.inc(found);
    c.out.cmp(found, c.counter(offsetof(Counters, most_matches)));
    CROUPIER_MISTAKE(LastMatchRefused) ? c.out.jae(over) : c.out.ja(over);
    c.out.add(c.counter(offsetof(Counters, matches)), 1);
}

// Counts the only match of a rule; one is always allowed.
void count_only_match(Context& c) {
    c.out.inc(c.counter(offsetof(Counters, matches)));
}

void count_firing(Context& c) {
    const Label over = c.ends(offsetof(Frame, too_many_firings));
    const Gp counted = c.new64();
    c.out.mov(counted, c.counter(offsetof(Counters, firings)));
    c.out.inc(counted);
    c.out.mov(c.counter(offsetof(Counters, firings)), counted);
    c.out.cmp(counted, c.counter(offsetof(Counters, most_firings)));
    c.out.ja(over);
}

} // namespace croupier::engine::x86
