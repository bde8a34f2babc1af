// Agenda groups: rules that look at what was written are searched, and one match fires at a time.
// What was found is kept by a helper, which says what fires next.
#include "engine/emit/statements.h"

#include <algorithm>

namespace croupier::engine::emit {

namespace {

// A bit for each rule of a word.
constexpr std::size_t kMostRules = 64;

// The only match of an agenda's rule needs no helper, and most rules have one or none. A helper
// copies longer matches faster.
constexpr std::uint32_t kMostKept = 12;

// Recency is asked of all nodes that matches stand on, so that every change of one counts: that is
// the interpreter's.
bool emits_agenda(const Context& c, const Node& group) {
    const AgendaPlan& plan = *c.module.catalogue->groups[group.x].agenda;
    return plan.strategy != Strategy::Lex && plan.strategy != Strategy::Mea &&
           group.blocks.size() <= kMostRules;
}

const Node& apply_of(const Context& c, const Node& group, std::uint32_t place) {
    return c.at(c.function.blocks[group.blocks[place]].statements[0]);
}

// If it is its only one, machine code keeps it: its words tell matches apart as they are, and when
// it fires is known by its rule, mostly.
bool keeps_single(const Context& c, const Node& group, std::uint32_t place) {
    const AgendaPlan& plan = *c.module.catalogue->groups[group.x].agenda;
    const Node& apply = apply_of(c, group, place);
    const auto count = static_cast<std::uint32_t>(apply.number);
    return plan.strategy != Strategy::Random && plan.rules[place].fixed_salience &&
           count <= kMostKept && width_of_match(c, apply, Copies::All) == count;
}

// The rule has matches from before.
void jump_remembered(Context& c, std::uint32_t place, Label to) {
    const Gp word = c.new64();
    c.out.mov(word, c.in_frame(offsetof(Frame, remembered)));
    c.out.or_(word, c.in_frame(offsetof(Frame, waiting)));
    c.out.bt(word, asmjit::Imm(place));
    c.out.jc(to);
}

// Where a rule's part of `singles` begins, in bytes.
std::int32_t single_of(const Context& c, const Node& group, std::uint32_t place) {
    std::uint32_t words = 0;
    for (std::uint32_t i = 0; i < place; ++i)
        words += Frame::kSingleHead + width_of_match(c, apply_of(c, group, i), Copies::All);
    return static_cast<std::int32_t>(words * 8);
}

void single_comes(Context& c, const Node& group, std::uint32_t place, const Gp& singles) {
    const std::int32_t begin = single_of(c, group, place);
    const Gp word = c.new64();
    c.out.mov(word, c.in_frame(offsetof(Frame, moment)));
    c.out.mov(Mem(singles, begin, 8), word);
    c.out.mov(word, c.in_frame(offsetof(Frame, ages)));
    c.out.mov(Mem(singles, begin + 8, 8), word);
    c.out.inc(word);
    c.out.mov(c.in_frame(offsetof(Frame, ages)), word);
    for (const std::size_t set :
         {offsetof(Frame, single), offsetof(Frame, remembered), offsetof(Frame, waiting)})
        c.out.bts(c.in_frame(set), asmjit::Imm(place));
}

// The same of a match that has just been found, and is the only one.
void agenda_keep_found(Context& c, const Node& group, std::uint32_t place, const Node& yield,
                       Label done) {
    const Node& apply = apply_of(c, group, place);
    const Label otherwise = c.out.newLabel();
    const Gp to = c.new64();
    const Gp match = c.new64();
    jump_remembered(c, place, otherwise);
    set_match(c, apply, yield, Copies::All);
    c.out.mov(to, c.in_frame(offsetof(Frame, singles)));
    c.out.lea(match, x86::ptr(to, single_of(c, group, place) +
                                      static_cast<std::int32_t>(Frame::kSingleHead * 8)));
    copy_match(c, apply, match, true, Copies::All);
    single_comes(c, group, place, to);
    c.out.jmp(done);
    c.out.bind(otherwise);
}

// All matches go to the buffer, of which nothing else has anything. A search without loops finds
// one at most, which is kept without that if nothing is remembered of the rule.
void agenda_search(Context& c, const Node& group, std::uint32_t place, const Gp& found, Label none,
                   Label kept) {
    const Node& apply = apply_of(c, group, place);
    const bool keeps = keeps_single(c, group, place) && mode_of(c, apply) == Mode::Once;
    const std::uint32_t width = width_of_match(c, apply, Copies::All);
    const bool first = c.module.catalogue->rules[apply.x].first;
    const Gp top = c.new64();
    c.out.xor_(top.r32(), top.r32());
    search(c, apply.blocks[0], none, [&](const Node& yield, Label next) {
        count_match(c, found);
        if (keeps) agenda_keep_found(c, group, place, yield, kept);
        put_in_buffer(c, apply, yield, top, width, Copies::All);
        c.out.jmp(first ? none : next);
    });
}

// Of a rule of which nothing is remembered. Else it goes on.
void agenda_keep(Context& c, const Node& group, std::uint32_t place, const Gp& found, Label done) {
    const Label otherwise = c.out.newLabel();
    const Gp word = c.new64();
    const Gp to = c.new64();
    const Gp from = c.new64();
    c.out.cmp(found, 1);
    c.out.jne(otherwise);
    jump_remembered(c, place, otherwise);
    c.out.mov(to, c.in_frame(offsetof(Frame, singles)));
    c.out.mov(from, c.in_frame(offsetof(Frame, buffer)));
    const std::int32_t begin = single_of(c, group, place);
    const std::uint32_t width = width_of_match(c, apply_of(c, group, place), Copies::All);
    for (std::uint32_t i = 0; i < width; ++i) {
        const auto offset = static_cast<std::int32_t>(i * 8);
        c.out.mov(word, Mem(from, offset, 8));
        c.out.mov(Mem(to, begin + static_cast<std::int32_t>(Frame::kSingleHead * 8) + offset, 8),
                  word);
    }
    single_comes(c, group, place, to);
    c.out.jmp(done);
    c.out.bind(otherwise);
}

// Its search, and its action, which is come to from behind the last rule.
void agenda_rule(Context& c, const Node& group, std::uint32_t place, Label round, Label fire) {
    const AgendaPlan& plan = *c.module.catalogue->groups[group.x].agenda;
    const AgendaRule& rule = plan.rules[place];
    const Node& apply = apply_of(c, group, place);
    const Label skip = c.out.newLabel();
    const Label none = c.out.newLabel();
    const Label update = c.out.newLabel();
    const Gp found = c.new64();
    c.go_to({{apply.x}});
    c.out.bt(c.in_frame(offsetof(Frame, touched)), asmjit::Imm(place));
    c.out.jnc(skip);
    c.out.xor_(found.r32(), found.r32());
    if (rule.never) c.out.jmp(none);
    for (const AgendaRule::Guard& guard : rule.guards) {
        c.out.test(Mem(c.block, static_cast<std::int32_t>(guard.byte), 1), asmjit::Imm(guard.bits));
        guard.present ? c.out.jz(none) : c.out.jnz(none);
    }
    enter_rule(c, apply.x);
    agenda_search(c, group, place, found, none, skip);
    c.out.bind(none);
    c.out.test(found, found);
    c.out.jnz(update);
    // Where all of its matches have fired, or it has none, they are forgotten by this bit alone.
    c.out.btr(c.in_frame(offsetof(Frame, remembered)), asmjit::Imm(place));
    c.out.bt(c.in_frame(offsetof(Frame, waiting)), asmjit::Imm(place));
    c.out.jnc(skip);
    c.out.bind(update);
    if (keeps_single(c, group, place)) agenda_keep(c, group, place, found, skip);
    c.out.mov(c.in_frame(offsetof(Frame, found)), found);
    c.call(offsetof(Frame, agenda_updates), place);
    c.out.jmp(skip);

    c.out.bind(fire);
    enter_rule(c, apply.x);
    const Gp match = c.new64();
    c.out.mov(match, c.in_frame(offsetof(Frame, match)));
    copy_match(c, apply, match, false, Copies::All);
    c.agenda_plan = &plan;
    c.noted = surely_noted(c, apply.blocks[1]);
    if (c.noted != 0) {
        const Gp rules = c.new64();
        c.out.mov(rules, asmjit::Imm(c.noted));
        c.out.or_(c.in_frame(offsetof(Frame, touched)), rules);
    }
    emit::fire(c, apply);
    c.noted = 0;
    c.agenda_plan = nullptr;
    c.out.jmp(round);
    c.out.bind(skip);
}

void agenda_fire_single(Context& c, const Node& group, std::uint32_t place) {
    const Gp word = c.new64();
    const Label nothing = c.out.newLabel();
    c.out.btr(c.in_frame(offsetof(Frame, waiting)), asmjit::Imm(place));
    c.out.mov(word, c.in_frame(offsetof(Frame, singles)));
    c.out.add(word, single_of(c, group, place) + static_cast<std::int32_t>(Frame::kSingleHead * 8));
    c.out.mov(c.in_frame(offsetof(Frame, match)), word);
    c.out.mov(c.in_frame(offsetof(Frame, fired)), place);
    c.out.mov(c.in_frame(offsetof(Frame, touched)), 0);
    c.out.inc(c.in_frame(offsetof(Frame, moment)));
    c.out.mov(word, c.in_frame(offsetof(Frame, outlive)));
    c.out.mov(word, Mem(word, static_cast<std::int32_t>(place * 8), 8));
    c.out.and_(word, c.in_frame(offsetof(Frame, remembered)));
    c.out.or_(word, c.in_frame(offsetof(Frame, noted)));
    c.out.jz(nothing);
    c.call(offsetof(Frame, agenda_fires), place);
    c.out.bind(nothing);
}

// Goes to the rule to fire where its only match is what is next, whatever else waits: of all rules
// that wait it alone has the highest salience. Else it goes on.
void agenda_pick(Context& c, const Node& group, const std::vector<Label>& fires) {
    const AgendaPlan& plan = *c.module.catalogue->groups[group.x].agenda;
    if (plan.limit || plan.strategy == Strategy::Random) return;
    std::vector<std::uint32_t> order;
    std::uint64_t unknown = 0; // whose salience has to be computed
    for (std::uint32_t i = 0; i < group.blocks.size(); ++i) {
        order.push_back(i);
        unknown |= std::uint64_t{!plan.rules[i].fixed_salience} << i;
    }
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return plan.rules[a].salience > plan.rules[b].salience;
    });
    const Label otherwise = c.out.newLabel();
    const Gp waiting = c.new64();
    const Gp word = c.new64();
    c.out.mov(waiting, c.in_frame(offsetof(Frame, waiting)));
    if (unknown != 0) {
        c.out.mov(word, asmjit::Imm(unknown));
        c.out.test(waiting, word);
        c.out.jnz(otherwise);
    }
    for (const std::uint32_t place : order) {
        const std::uint64_t bit = std::uint64_t{1} << place;
        if (!keeps_single(c, group, place)) {
            if ((unknown & bit) == 0) {
                c.out.bt(waiting, asmjit::Imm(place));
                c.out.jc(otherwise);
            }
            continue;
        }
        const Label next = c.out.newLabel();
        c.out.bt(waiting, asmjit::Imm(place));
        c.out.jnc(next);
        std::uint64_t others = 0; // of the same salience
        for (const std::uint32_t other : order) {
            const bool same = plan.rules[other].salience == plan.rules[place].salience;
            others |= std::uint64_t{same && other != place} << other;
        }
        others &= ~unknown;
        if (others != 0) {
            c.out.mov(word, asmjit::Imm(others));
            c.out.test(waiting, word);
            c.out.jnz(otherwise);
        }
        c.out.bt(c.in_frame(offsetof(Frame, single)), asmjit::Imm(place));
        c.out.jnc(otherwise);
        agenda_fire_single(c, group, place);
        c.out.jmp(fires[place]);
        c.out.bind(next);
    }
    c.out.bind(otherwise);
}

} // namespace

bool agenda(Context& c, Id id) {
    const Node& group = c.at(id);
    if (!emits_agenda(c, group)) return false;
    const Origin all{c.module.catalogue->groups[group.x].rules};
    c.go_to(all);
    c.call(offsetof(Frame, agenda_begins), id);
    const Label round = c.out.newLabel();
    const Label end = c.out.newLabel();
    std::vector<Label> fires;
    c.out.bind(round);
    for (std::uint32_t i = 0; i < group.blocks.size(); ++i) {
        fires.push_back(c.out.newLabel());
        c.common.reset();
        agenda_rule(c, group, i, round, fires[i]);
    }
    c.common.reset();
    c.go_to(all);
    c.out.cmp(c.in_frame(offsetof(Frame, waiting)), 0);
    c.out.je(end);
    agenda_pick(c, group, fires);
    const Gp next = c.new32();
    c.call(offsetof(Frame, agenda_picks), 0, &next);
    for (std::uint32_t i = 0; i < group.blocks.size(); ++i) {
        c.out.cmp(next, i + 1);
        c.out.je(fires[i]);
    }
    c.out.bind(end);
    enter_rule(c, kNone);
    return true;
}

} // namespace croupier::engine::emit
