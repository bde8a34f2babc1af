// Agenda groups: rules that look at what was written are searched, and one match fires at a time.
// What was found is kept by a helper, which says what fires next.
#include "engine/emit/emitter.h"

#include <algorithm>

namespace croupier::engine::emit {

namespace {

// A bit for each rule of a word.
constexpr std::size_t kMostRules = 64;

} // namespace

// Recency is asked of all nodes that matches stand on, so that every change of one counts: that is
// the interpreter's.
bool Emitter::emits_agenda(const Node& group) const {
    const AgendaPlan& plan = *module_.catalogue->groups[group.x].agenda;
    return plan.strategy != Strategy::Lex && plan.strategy != Strategy::Mea &&
           group.blocks.size() <= kMostRules;
}

bool Emitter::agenda(Id id) {
    const Node& group = at(id);
    if (!emits_agenda(group)) {
        return false;
    }
    const Origin all{module_.catalogue->groups[group.x].rules};
    go_to(all);
    call(offsetof(Frame, agenda_begins), id);
    const Label round = code_.newLabel();
    const Label end = code_.newLabel();
    std::vector<Label> fires;
    code_.bind(round);
    for (std::uint32_t i = 0; i < group.blocks.size(); ++i) {
        fires.push_back(code_.newLabel());
        here_.reset();
        agenda_rule(group, i, round, fires[i]);
    }
    here_.reset();
    go_to(all);
    code_.cmp(in_frame(offsetof(Frame, waiting)), 0);
    code_.je(end);
    agenda_pick(group, fires);
    const Gp next = new32();
    call(offsetof(Frame, agenda_picks), 0, &next);
    for (std::uint32_t i = 0; i < group.blocks.size(); ++i) {
        code_.cmp(next, i + 1);
        code_.je(fires[i]);
    }
    code_.bind(end);
    enter_rule(kNone);
    return true;
}

// Its search, and its action, which is come to from behind the last rule.
void Emitter::agenda_rule(const Node& group, std::uint32_t place, Label round, Label fire) {
    const AgendaPlan& plan = *module_.catalogue->groups[group.x].agenda;
    const AgendaRule& rule = plan.rules[place];
    const Node& apply = at(function_.blocks[group.blocks[place]].statements[0]);
    const Label skip = code_.newLabel();
    const Label none = code_.newLabel();
    const Label update = code_.newLabel();
    const Gp found = new64();
    go_to({{apply.x}});
    code_.bt(in_frame(offsetof(Frame, touched)), asmjit::Imm(place));
    code_.jnc(skip);
    code_.xor_(found.r32(), found.r32());
    if (rule.never) {
        code_.jmp(none);
    }
    for (const AgendaRule::Guard& guard : rule.guards) {
        code_.test(Mem(block_, static_cast<std::int32_t>(guard.byte), 1), asmjit::Imm(guard.bits));
        guard.present ? code_.jz(none) : code_.jnz(none);
    }
    enter_rule(apply.x);
    agenda_search(group, place, found, none, skip);
    code_.bind(none);
    code_.test(found, found);
    code_.jnz(update);
    // Where all of its matches have fired, or it has none, they are forgotten by this bit alone.
    code_.btr(in_frame(offsetof(Frame, remembered)), asmjit::Imm(place));
    code_.bt(in_frame(offsetof(Frame, waiting)), asmjit::Imm(place));
    code_.jnc(skip);
    code_.bind(update);
    if (keeps_single(group, place)) {
        agenda_keep(group, place, found, skip);
    }
    code_.mov(in_frame(offsetof(Frame, found)), found);
    call(offsetof(Frame, agenda_updates), place);
    code_.jmp(skip);

    code_.bind(fire);
    enter_rule(apply.x);
    const Gp match = new64();
    code_.mov(match, in_frame(offsetof(Frame, match)));
    copy_match(apply, match, false, Copies::All);
    agenda_ = &plan;
    noted_ = surely_noted(apply.blocks[1]);
    if (noted_ != 0) {
        const Gp rules = new64();
        code_.mov(rules, asmjit::Imm(noted_));
        code_.or_(in_frame(offsetof(Frame, touched)), rules);
    }
    this->fire(apply);
    noted_ = 0;
    agenda_ = nullptr;
    code_.jmp(round);
    code_.bind(skip);
}

// All matches go to the buffer, of which nothing else has anything. A search without loops finds
// one at most, which is kept without that if nothing is remembered of the rule.
void Emitter::agenda_search(const Node& group, std::uint32_t place, const Gp& found, Label none,
                            Label kept) {
    const Node& apply = apply_of(group, place);
    const bool keeps = keeps_single(group, place) && mode_of(apply) == Mode::Once;
    const std::uint32_t width = width_of_match(apply, Copies::All);
    const bool first = module_.catalogue->rules[apply.x].first;
    const Gp top = new64();
    code_.xor_(top.r32(), top.r32());
    search(apply.blocks[0], none, [&](const Node& yield, Label next) {
        count_match(found);
        if (keeps) {
            agenda_keep_found(group, place, yield, kept);
        }
        put_in_buffer(apply, yield, top, width, Copies::All);
        code_.jmp(first ? none : next);
    });
}

// The only match of an agenda's rule, which needs no helper: most rules have one or none.

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
