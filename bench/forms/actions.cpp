// What each group of rules/forms/actions.json does, in plain C++.
#include "bench/forms/forms.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace croupier::bench::forms {
namespace {

// Chooses each row that passes the two tests, as the base does, and does `also` with it.
template <typename Also>
void choose_and(Table& table, Also also) {
    for_rows(
        table, [](int) { return true; },
        [&](int row) {
            table.chosen[at(row)] = true;
            also(row);
        });
}

// `t` is the table, `r` the row.
#define CROUPIER_ALSO(change) [](Table& t, Random&) { choose_and(t, [&](int r) { change; }); }

// The first row is chosen; whether there is one.
bool choose_first(Table& table) {
    for (int row = 0; row < kRows; ++row) {
        if (passes(table, row)) {
            table.chosen[at(row)] = true;
            return true;
        }
    }
    return false;
}

void set_nested(Table& table, int row) {
    table.bids[1] = {5, row};
}
void change_price(Table& table, int row) {
    std::int8_t& price = table.price[at(row)];
    price = price > 20 ? static_cast<std::int8_t>(price - 1) : std::int8_t{99};
}
void remove_map(Table& table) {
    table.has_wanted = false;
    table.wanted = {};
}

// The shipped functions (sections 8.3 to 8.6 of the language) with the same use of chance.
void shuffle(Table& table, Random& random) {
    if (!choose_first(table)) return;
    for (std::size_t i = kSlots - 1; i > 0; --i) {
        std::swap(table.deck[i], table.deck[random.below(i + 1)]);
    }
}
void choose_two(Table& table, Random& random) {
    if (!choose_first(table)) return;
    std::array<std::size_t, kSeats> candidates{0, 1, 2, 3};
    for (std::size_t k = 0; k < 2; ++k) {
        std::swap(candidates[k], candidates[k + random.below(kSeats - k)]);
        table.picked[candidates[k]] = table.tally[candidates[k]];
    }
}
void sort(Table& table, Random&) {
    if (!choose_first(table)) return;
    std::stable_sort(table.tally.begin(), table.tally.end(), std::greater<>());
}
void deal(Table& table, Random&) {
    if (!choose_first(table)) return;
    int slot = 0;
    for (int i = 0; i < kSeats; ++i) {
        for (int n = 0; n < 3; ++n, ++slot) {
            const auto seat = static_cast<std::int8_t>((1 + i) % kSeats); // B first
            table.hand[at(table.deck[at(slot)])] = seat;
            table.deck[at(slot)] = kNobody;
        }
    }
}

constexpr Form kActions[] = {
    {"set", CROUPIER_ALSO(t.mark[at(r)] = 1)},
    {"set_variable", CROUPIER_ALSO(t.mark[at(r)] = t.owner[at(r)])},
    {"set_nested", CROUPIER_ALSO(set_nested(t, r))},
    {"set_path", CROUPIER_ALSO(t.mark[at(r)] = 1)},
    {"set_joined", CROUPIER_ALSO(t.limits[at(t.owner[at(r)])] = 7)},
    {"set_open", CROUPIER_ALSO(t.noted[at(r)] = true)},
    {"add", CROUPIER_ALSO((void)r; t.total += 1)},
    {"add_variable", CROUPIER_ALSO(t.total += t.price[at(r)])},
    {"expression", CROUPIER_ALSO(change_price(t, r))},
    {"remove", CROUPIER_ALSO(t.holder[at(r)] = kNobody)},
    {"remove_map", CROUPIER_ALSO((void)r; remove_map(t))},
    {"move", CROUPIER_ALSO(t.holder[at(r)] = 1)},
    {"document", CROUPIER_ALSO(t.listed = static_cast<std::int8_t>(r))},
    {"print_off", base, false},
    {"call_shuffle", shuffle},
    {"call_choose", choose_two},
    {"call_sort", sort},
    {"call_deal", deal},
};

#undef CROUPIER_ALSO

} // namespace

std::span<const Form> actions() {
    return kActions;
}

} // namespace croupier::bench::forms
