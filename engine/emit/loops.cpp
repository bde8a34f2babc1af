// Loops over the rows of sets and over children.
#include "engine/emit/searches.h"

#include "engine/ir/effects.h"
#include "engine/tree/layout.h"

#include <algorithm>
#include <utility>

namespace croupier::engine::emit {

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

} // namespace croupier::engine::emit
