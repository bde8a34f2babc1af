// Takes what machine code has found, and picks what fires next.
#include "engine/run/agenda_memory.h"

#include "engine/run/by_chance.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace croupier::engine {

AgendaMemory::AgendaMemory(const ir::Module& module, const ir::Function& function,
                           const ir::Node& group)
    : module_(module), node_(group), facts_(module, function, group), plan_(*facts_.group->agenda),
      layout_(*module.catalogue->layout), readers_(1), memories_(group.blocks.size()) {
    std::uint32_t words = 0;
    for (const AgendaFacts::Rule& rule : facts_.rules) {
        single_of_.push_back(words);
        words += kSingleHead + rule.width;
        outlive_.push_back(rule.concerned & ~rule.ended);
    }
    singles_.resize(words);
}

void AgendaMemory::begin(State& state, emit::Frame& frame) {
    state_ = &state;
    frame_ = &frame;
    journal_.clear();
    set_drained();
    if (is_random()) {
        for (Memory& memory : memories_) {
            memory.count = 0;
        }
    }
    activations_.clear();
    others_known_ = false;
    frame.singles = singles_.data();
    frame.outlive = outlive_.data();
    frame.single = 0;
    frame.moment = 0;
    frame.ages = 0;
    frame.noted = 0;
    frame.touched = ~std::uint64_t{0};
    frame.remembered = 0;
    frame.waiting = 0;
    frame.buffer_used = 0;
    state.set_journal(&journal_);
}

void AgendaMemory::end() {
    state_->set_journal(nullptr);
}

void AgendaMemory::drain_more() {
    frame_->noted = 1;
    others_known_ = false;
    const std::span<const Journal::Declared> declared = journal_.declared();
    readers_[0] = 0;
    SchemaId last = kNoSchema; // all whose instances have the same readers
    for (std::size_t i = drained_declared_; i < declared.size(); ++i) {
        const NodeRef node = declared[i].node;
        if (node.schema != last) {
            plan_.add_readers_of(node.schema, node.index, readers_);
            last = plan_.declared[node.schema].stride == 0 ? node.schema : kNoSchema;
        }
    }
    for (std::size_t i = drained_others_; i < journal_.others(); ++i) {
        plan_.add_readers_of(journal_.path_of_other(i), readers_);
    }
    set_drained();
    frame_->touched |= readers_[0];
}

void AgendaMemory::update(std::uint32_t rule, std::uint64_t* found,
                          Recognizer::Salience& salience) {
    Memory& memory = memories_[rule];
    const AgendaFacts::Rule& facts = facts_.rules[rule];
    const std::uint64_t count = frame_->found;
    const std::span<std::uint64_t> words(found, count * facts.width);
    if (facts.has_any) {
        // Where a member stands in its domain is a hint, which makes no other value of it.
        for (std::size_t i = 0; i < count; ++i) {
            for (const AgendaFacts::Place& each : facts.variables) {
                if (each.type.kind == ir::TypeKind::Any) {
                    words[i * facts.width + each.word] &= 0xff;
                }
            }
        }
    }
    const std::uint64_t bit = std::uint64_t{1} << rule;
    settle(rule);
    if (((frame_->remembered | frame_->waiting) & bit) == 0) {
        memory.known.clear();
    }
    frame_->remembered = count == 0 ? frame_->remembered & ~bit : frame_->remembered | bit;
    const bool stays = count != 0 && count == memory.known.size() &&
                       std::equal(words.begin(), words.end(), memory.words.begin()) &&
                       !may_have_changed(rule);
    if (stays) {
        return;
    }
    if (count == 0 || memory.known.empty()) {
        for (Known& known : memory.known) {
            drop(known);
        }
        memory.words.assign(words.begin(), words.end());
        memory.known.assign(count, Known{});
        memory.waiting = count;
        for (std::uint32_t match = 0; match < count; ++match) {
            add(rule, match, salience);
        }
    } else {
        replace(rule, words, salience);
    }
    frame_->waiting = memory.waiting == 0 ? frame_->waiting & ~bit : frame_->waiting | bit;
    count_top(memory);
}

// The match becomes an activation.
void AgendaMemory::add(std::uint32_t rule, std::uint32_t match, Recognizer::Salience& salience) {
    const AgendaRule& plan = plan_.rules[rule];
    Known& known = memories_[rule].known[match];
    known.salience = plan.salience;
    if (!plan.fixed_salience) {
        load_values(rule, words_of(rule, match));
        known.salience = salience.of(rule, values_);
    }
    if (is_random()) {
        return;
    }
    activate(rule, match, frame_->moment, frame_->ages++);
}

// What came at that moment, with that age.
void AgendaMemory::activate(std::uint32_t rule, std::uint32_t match, std::uint64_t moment,
                            std::uint64_t age) {
    const AgendaRule& plan = plan_.rules[rule];
    Activation made;
    made.rank = -(std::int64_t{memories_[rule].known[match].salience} << 32);
    if (plan_.strategy == Strategy::Simplicity) {
        made.rank += plan.specificity;
    } else if (plan_.strategy == Strategy::Complexity) {
        made.rank -= plan.specificity;
    }
    made.moment = plan_.strategy == Strategy::Depth ? ~moment : 0;
    made.age = age;
    made.rule = rule;
    made.match = match;
    activations_.add(made);
}

// What machine code keeps of the rule is kept here from now on.
void AgendaMemory::settle(std::uint32_t rule) {
    const std::uint64_t bit = std::uint64_t{1} << rule;
    if ((frame_->single & bit) == 0) {
        return;
    }
    frame_->single &= ~bit;
    if (((frame_->remembered | frame_->waiting) & bit) == 0) {
        return;
    }
    Memory& memory = memories_[rule];
    const std::uint64_t* const single = singles_.data() + single_of_[rule];
    const std::uint64_t* const match = single + kSingleHead;
    memory.words.assign(match, match + facts_.rules[rule].width);
    memory.known.assign(1, Known{});
    memory.known[0].salience = plan_.rules[rule].salience;
    memory.known[0].fired = (frame_->waiting & bit) == 0;
    memory.waiting = memory.known[0].fired ? 0 : 1;
    if (!memory.known[0].fired) {
        activate(rule, 0, single[0], single[1]);
    }
}

// Among the activations it is only while it has not fired.
void AgendaMemory::drop(Known& known) {
    if (known.place != kNoPlace) {
        activations_.remove(known.place);
        known.place = kNoPlace;
    }
}

void AgendaMemory::count_top(Memory& memory) {
    if (is_random()) {
        by_chance::count_top(memory);
    }
}

// ---- what is next ----------------------------------------------------------------------------

std::uint32_t AgendaMemory::pick(Random& random) {
    std::uint32_t rule = 0;
    std::uint32_t match = 0;
    if (frame_->moment >= plan_.limit.value_or(UINT64_MAX)) {
        return 0;
    }
    for (std::uint64_t left = frame_->waiting & frame_->single; left != 0; left &= left - 1) {
        settle(static_cast<std::uint32_t>(std::countr_zero(left)));
    }
    if (is_random()) {
        const std::uint64_t choices = by_chance::choices(memories_).count;
        if (choices == 0) {
            return 0;
        }
        const by_chance::Choice chosen = by_chance::choice(memories_, random.below(choices));
        rule = chosen.rule;
        match = chosen.match;
    } else {
        if (activations_.empty()) {
            return 0;
        }
        rule = activations_.first().rule;
        match = activations_.first().match;
        activations_.remove(0);
    }
    Memory& memory = memories_[rule];
    memory.known[match].place = kNoPlace;
    memory.known[match].fired = true;
    if (--memory.waiting == 0) {
        frame_->waiting &= ~(std::uint64_t{1} << rule);
    }
    count_top(memory);
    ++frame_->moment;
    frame_->fired = rule;
    fire(rule);
    frame_->touched = 0;
    frame_->match = words_of(rule, match);
    return rule + 1;
}

void AgendaMemory::fire(std::uint32_t rule) {
    if (!journal_.empty()) {
        journal_.clear();
        set_drained();
    }
    frame_->noted = 0;
    others_known_ = false;
    keep_what_was(facts_.rules[rule]);
}

// Only where some match may outlive the firing does it count what it changes.
void AgendaMemory::keep_what_was(const AgendaFacts::Rule& fired) {
    if ((frame_->remembered & fired.concerned & ~fired.ended) == 0) {
        return;
    }
    if (before_.size() < layout_.dense_bytes()) {
        before_.resize(layout_.dense_bytes());
    }
    for (const AgendaFacts::Range& each : fired.ranges) {
        std::memcpy(before_.data() + each.begin, state_->data() + each.begin,
                    each.end - each.begin);
    }
}

} // namespace croupier::engine
