// The only match of an agenda's rule, which needs no helper: most rules have one or none.
#include "engine/emit/emitter.h"

#include <algorithm>

namespace croupier::engine::emit {

namespace {

// Of a match that machine code keeps: more are copied faster by a helper.
constexpr std::uint32_t kMostKept = 12;

} // namespace

const Node& Emitter::apply_of(const Node& group, std::uint32_t place) const {
    return at(function_.blocks[group.blocks[place]].statements[0]);
}

// If it is its only one, machine code keeps it: its words tell matches apart as they are, and when
// it fires is known by its rule, mostly.
bool Emitter::keeps_single(const Node& group, std::uint32_t place) const {
    const AgendaPlan& plan = *module_.catalogue->groups[group.x].agenda;
    const Node& apply = apply_of(group, place);
    const auto count = static_cast<std::uint32_t>(apply.number);
    return plan.strategy != Strategy::Random && plan.rules[place].fixed_salience &&
           count <= kMostKept && width_of_match(apply, Copies::All) == count;
}

// Where a rule's part of `singles` begins, in bytes.
std::int32_t Emitter::single_of(const Node& group, std::uint32_t place) const {
    std::uint32_t words = 0;
    for (std::uint32_t i = 0; i < place; ++i) {
        words += Frame::kSingleHead + width_of_match(apply_of(group, i), Copies::All);
    }
    return static_cast<std::int32_t>(words * 8);
}

// Of a rule of which nothing is remembered. Else it goes on.
void Emitter::agenda_keep(const Node& group, std::uint32_t place, const Gp& found, Label done) {
    const Label otherwise = code_.newLabel();
    const Gp word = new64();
    const Gp to = new64();
    const Gp from = new64();
    code_.cmp(found, 1);
    code_.jne(otherwise);
    jump_remembered(place, otherwise);
    code_.mov(to, in_frame(offsetof(Frame, singles)));
    code_.mov(from, in_frame(offsetof(Frame, buffer)));
    const std::int32_t begin = single_of(group, place);
    const std::uint32_t width = width_of_match(apply_of(group, place), Copies::All);
    for (std::uint32_t i = 0; i < width; ++i) {
        const auto offset = static_cast<std::int32_t>(i * 8);
        code_.mov(word, Mem(from, offset, 8));
        code_.mov(Mem(to, begin + static_cast<std::int32_t>(Frame::kSingleHead * 8) + offset, 8),
                  word);
    }
    single_comes(group, place, to);
    code_.jmp(done);
    code_.bind(otherwise);
}

// The same of a match that has just been found, and is the only one.
void Emitter::agenda_keep_found(const Node& group, std::uint32_t place, const Node& yield,
                                Label done) {
    const Node& apply = apply_of(group, place);
    const Label otherwise = code_.newLabel();
    const Gp to = new64();
    const Gp match = new64();
    jump_remembered(place, otherwise);
    set_match(apply, yield, Copies::All);
    code_.mov(to, in_frame(offsetof(Frame, singles)));
    code_.lea(match, x86::ptr(to, single_of(group, place) +
                                      static_cast<std::int32_t>(Frame::kSingleHead * 8)));
    copy_match(apply, match, true, Copies::All);
    single_comes(group, place, to);
    code_.jmp(done);
    code_.bind(otherwise);
}

// The rule has matches from before.
void Emitter::jump_remembered(std::uint32_t place, Label to) {
    const Gp word = new64();
    code_.mov(word, in_frame(offsetof(Frame, remembered)));
    code_.or_(word, in_frame(offsetof(Frame, waiting)));
    code_.bt(word, asmjit::Imm(place));
    code_.jc(to);
}

void Emitter::single_comes(const Node& group, std::uint32_t place, const Gp& singles) {
    const std::int32_t begin = single_of(group, place);
    const Gp word = new64();
    code_.mov(word, in_frame(offsetof(Frame, moment)));
    code_.mov(Mem(singles, begin, 8), word);
    code_.mov(word, in_frame(offsetof(Frame, ages)));
    code_.mov(Mem(singles, begin + 8, 8), word);
    code_.inc(word);
    code_.mov(in_frame(offsetof(Frame, ages)), word);
    for (const std::size_t set :
         {offsetof(Frame, single), offsetof(Frame, remembered), offsetof(Frame, waiting)}) {
        code_.bts(in_frame(set), asmjit::Imm(place));
    }
}

// Goes to the rule to fire where its only match is what is next, whatever else waits: of all rules
// that wait it alone has the highest salience. Else it goes on.
void Emitter::agenda_pick(const Node& group, const std::vector<Label>& fires) {
    const AgendaPlan& plan = *module_.catalogue->groups[group.x].agenda;
    if (plan.limit || plan.strategy == Strategy::Random) {
        return;
    }
    std::vector<std::uint32_t> order;
    std::uint64_t unknown = 0; // whose salience has to be computed
    for (std::uint32_t i = 0; i < group.blocks.size(); ++i) {
        order.push_back(i);
        unknown |= std::uint64_t{!plan.rules[i].fixed_salience} << i;
    }
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return plan.rules[a].salience > plan.rules[b].salience;
    });
    const Label otherwise = code_.newLabel();
    const Gp waiting = new64();
    const Gp word = new64();
    code_.mov(waiting, in_frame(offsetof(Frame, waiting)));
    if (unknown != 0) {
        code_.mov(word, asmjit::Imm(unknown));
        code_.test(waiting, word);
        code_.jnz(otherwise);
    }
    for (const std::uint32_t place : order) {
        const std::uint64_t bit = std::uint64_t{1} << place;
        if (!keeps_single(group, place)) {
            if ((unknown & bit) == 0) {
                code_.bt(waiting, asmjit::Imm(place));
                code_.jc(otherwise);
            }
            continue;
        }
        const Label next = code_.newLabel();
        code_.bt(waiting, asmjit::Imm(place));
        code_.jnc(next);
        std::uint64_t others = 0; // of the same salience
        for (const std::uint32_t other : order) {
            const bool same = plan.rules[other].salience == plan.rules[place].salience;
            others |= std::uint64_t{same && other != place} << other;
        }
        others &= ~unknown;
        if (others != 0) {
            code_.mov(word, asmjit::Imm(others));
            code_.test(waiting, word);
            code_.jnz(otherwise);
        }
        code_.bt(in_frame(offsetof(Frame, single)), asmjit::Imm(place));
        code_.jnc(otherwise);
        agenda_fire_single(group, place);
        code_.jmp(fires[place]);
        code_.bind(next);
    }
    code_.bind(otherwise);
}

void Emitter::agenda_fire_single(const Node& group, std::uint32_t place) {
    const Gp word = new64();
    const Label nothing = code_.newLabel();
    code_.btr(in_frame(offsetof(Frame, waiting)), asmjit::Imm(place));
    code_.mov(word, in_frame(offsetof(Frame, singles)));
    code_.add(word, single_of(group, place) + static_cast<std::int32_t>(Frame::kSingleHead * 8));
    code_.mov(in_frame(offsetof(Frame, match)), word);
    code_.mov(in_frame(offsetof(Frame, fired)), place);
    code_.mov(in_frame(offsetof(Frame, touched)), 0);
    code_.inc(in_frame(offsetof(Frame, moment)));
    code_.mov(word, in_frame(offsetof(Frame, outlive)));
    code_.mov(word, Mem(word, static_cast<std::int32_t>(place * 8), 8));
    code_.and_(word, in_frame(offsetof(Frame, remembered)));
    code_.or_(word, in_frame(offsetof(Frame, noted)));
    code_.jz(nothing);
    call(offsetof(Frame, agenda_fires), place);
    code_.bind(nothing);
}

} // namespace croupier::engine::emit
