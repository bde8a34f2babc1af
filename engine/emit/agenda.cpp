// Agenda groups: rules that look at what was written are searched, and one match fires at a time.
// What was found is kept by a helper, which says what fires next.
#include "engine/emit/emitter.h"

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

} // namespace croupier::engine::emit
