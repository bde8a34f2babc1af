// What a run counts, up to its bounds.
#include "engine/emit/searches.h"

namespace croupier::engine::emit {

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
