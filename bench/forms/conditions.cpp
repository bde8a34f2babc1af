// What each group of rules/forms/conditions.json does, in plain C++.
#include "bench/forms/forms.h"

#include <algorithm>

namespace croupier::bench::forms {
namespace {

// A form that chooses the rows that pass a test: `t` is the table, `r` the row.
#define CROUPIER_ROWS(test)                                                                        \
    [](Table& t, Random&) { choose(t, [&]([[maybe_unused]] int r) { return test; }); }

bool any_row(const Table& table, auto test) {
    for (int row = 0; row < kRows; ++row) {
        if (test(table, row)) {
            return true;
        }
    }
    return false;
}

bool is_held_by_b(const Table& table, int row) {
    return table.holder[at(row)] == 1;
}
bool is_dear_and_of_b(const Table& table, int row) {
    return is_held_by_b(table, row) && table.price[at(row)] > 90;
}

int held_by_b(const Table& table) {
    int n = 0;
    for (int row = 0; row < kRows; ++row) {
        n += is_held_by_b(table, row) ? 1 : 0;
    }
    return n;
}

int rows_wanted(const Table& table) {
    return static_cast<int>(std::count(table.wanted.begin(), table.wanted.end(), true));
}

int wanted_around(const Table& table, int row) {
    int n = 0;
    each_neighbour(row, [&](int other) { n += table.wanted[at(other)] ? 1 : 0; });
    return n;
}

int sum_around(const Table& table, int row) {
    int sum = 0;
    each_neighbour(row, [&](int other) { sum += table.price[at(other)]; });
    return sum;
}

int least_around(const Table& table, int row) {
    int least = 100;
    each_neighbour(row, [&](int other) { least = std::min<int>(least, table.price[at(other)]); });
    return least;
}

int dearest_of_b(const Table& table) {
    int most = -1;
    for (int row = 0; row < kRows; ++row) {
        if (is_held_by_b(table, row)) {
            most = std::max<int>(most, table.price[at(row)]);
        }
    }
    return most;
}

bool is_wanted_or_of_b(const Table& table, int row) {
    return table.wanted[at(row)] || table.owner[at(row)] == 1;
}

void random_rows(Table& table, Random& random) {
    choose(table, [&](int) { return random.below(3) == 0; });
}

// Tests that do not look at the row are made once, as a programmer would.
template <typename Test>
void all_or_none(Table& table, Test test) {
    if (test()) {
        choose(table, [](int) { return true; });
    }
}
#define CROUPIER_ONCE(test) [](Table& t, Random&) { all_or_none(t, [&] { return test; }); }

constexpr Form kConditions[] = {
    {"value", CROUPIER_ROWS(t.owner[at(r)] == 1)},
    {"list", CROUPIER_ROWS(t.owner[at(r)] == 1 || t.owner[at(r)] == 2)},
    {"variable", CROUPIER_ROWS(t.owner[at(r)] == t.turn)},
    {"join", CROUPIER_ROWS(t.owner[at(r)] == t.maker[at(r)])},
    {"type", CROUPIER_ROWS(t.owner[at(r)] == t.maker[at(r)])},
    {"absent", CROUPIER_ROWS(!t.wanted[at(r)])},
    {"compare", CROUPIER_ROWS(t.price[at(r)] < t.limit)},
    {"compare_expression", CROUPIER_ROWS(t.price[at(r)] < t.limit * 2 - 60)},
    {"this", CROUPIER_ROWS(t.price[at(r)] % 3 != 0)},
    {"this_and", CROUPIER_ROWS(t.price[at(r)] > 10 && t.price[at(r)] < t.limit)},
    {"test", CROUPIER_ROWS(t.price[at(r)] % 3 != 0)},
    {"bind", CROUPIER_ROWS(t.price[at(r)] * 2 > t.limit)},
    {"function", CROUPIER_ROWS(std::max(t.tally[at(t.owner[at(r)])], t.limit) > 60)},
    {"size", CROUPIER_ONCE(rows_wanted(t) > 10)},
    {"random", random_rows},

    {"nested", CROUPIER_ONCE(t.bids[1].worth > 30)},
    {"each", CROUPIER_ROWS(t.tally[at(t.owner[at(r)])] > 40)},
    {"each_unnamed", CROUPIER_ONCE(*std::max_element(t.tally.begin(), t.tally.end()) > 70)},
    {"bound_key", CROUPIER_ONCE(t.price[at(t.best)] > 40)},
    {"computed_key", CROUPIER_ROWS(t.wanted[at(t.deck[at(t.price[at(r)] % kSlots)])])},
    {"joined_name", CROUPIER_ROWS(t.limits[at(t.owner[at(r)])] > 50)},
    {"joined_key", CROUPIER_ONCE(is_held_by_b(t, kColumns*(t.lane - 1)))},
    {"path", CROUPIER_ROWS(t.wanted[at(r)])},
    {"path_into_record", CROUPIER_ONCE(t.bids[at(t.turn)].worth > 30)},
    {"parent", CROUPIER_ONCE(t.bids[1].worth > 30 && t.bids[2].worth > 30)},
    {"root", CROUPIER_ROWS(t.wanted[at(r)] && t.owner[at(r)] == 1)},
    {"open", CROUPIER_ROWS(t.owner[at(r)] == t.remark)},
    {"log_off", CROUPIER_ROWS(t.wanted[at(r)])},

    {"not", CROUPIER_ROWS(!t.wanted[at(r)])},
    {"not_rows", CROUPIER_ONCE(!any_row(t, is_dear_and_of_b))},
    {"not_relation", CROUPIER_ROWS(!any_neighbour(r, [&](int s) { return is_held_by_b(t, s); }))},
    {"exists", CROUPIER_ROWS(any_neighbour(r, [&](int s) { return t.wanted[at(s)]; }))},
    {"forall", CROUPIER_ROWS(!any_neighbour(r, [&](int s) { return t.price[at(s)] <= 20; }))},
    {"any", CROUPIER_ROWS(is_wanted_or_of_b(t, r))},
    {"any_as_not", CROUPIER_ROWS(is_wanted_or_of_b(t, r))},

    {"count", CROUPIER_ONCE(held_by_b(t) > 4)},
    {"count_relation", CROUPIER_ROWS(wanted_around(t, r) == 1 || wanted_around(t, r) == 2)},
    {"sum", CROUPIER_ROWS(sum_around(t, r) > 170)},
    {"min", CROUPIER_ROWS(least_around(t, r) > 15)},
    {"max", CROUPIER_ONCE(dearest_of_b(t) > 80)},

    {"relation", CROUPIER_ROWS(wanted_around(t, r) > 0)},
    {"relation_value", CROUPIER_ROWS(north_of(r) != kNobody && t.wanted[at(north_of(r))])},
    {"relation_of_four", CROUPIER_ROWS((t.owner[at(r)] + 1) % kSeats == t.maker[at(r)])},
};

#undef CROUPIER_ROWS
#undef CROUPIER_ONCE

} // namespace

std::span<const Form> conditions() {
    return kConditions;
}

} // namespace croupier::bench::forms
