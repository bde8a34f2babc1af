// What each group of rules/forms/groups.json does, in plain C++.
#include "bench/forms/forms.h"

#include <algorithm>

namespace croupier::bench::forms {
namespace {

constexpr auto kAlways = [](int) { return true; };

void first(Table& table, Random&) {
    for (int row = 0; row < kRows; ++row) {
        if (passes(table, row)) {
            table.chosen[at(row)] = true;
            return;
        }
    }
}

// Each round takes the first row that is not chosen yet.
void repeat(Table& table, Random&) {
    int rounds = 4;
    for (int row = 0; row < kRows && rounds > 0; ++row) {
        if (passes(table, row) && !table.chosen[at(row)]) {
            table.chosen[at(row)] = true;
            --rounds;
        }
    }
}

void otherwise(Table& table, Random&) {
    bool found = false;
    if (table.bids[1].worth > 50) {
        for_rows(table, kAlways, [&](int row) {
            table.chosen[at(row)] = true;
            found = true;
        });
    }
    table.total += found ? 0 : 1;
}

void rule_inside(Table& table, Random&) {
    for_rows(table, kAlways, [&](int row) {
        table.chosen[at(row)] = true;
        if (table.wanted[at(row)]) {
            table.mark[at(row)] = 1;
        }
    });
}

void rules_at_node(Table& table, Random&) {
    for_rows(table, kAlways, [&](int row) {
        table.chosen[at(row)] = true;
        table.bids[1].worth = std::min(table.bids[1].worth, 30);
    });
}

// Both rules look before either acts.
void at_once(Table& table, Random&) {
    const Rows<bool> before = table.chosen;
    choose(table, kAlways);
    for (int row = 0; row < kRows; ++row) {
        if (before[at(row)]) {
            table.mark[at(row)] = 1;
        }
    }
}

void choose_then_mark(Table& table, Random&) {
    choose(table, kAlways);
    for (int row = 0; row < kRows; ++row) {
        if (table.chosen[at(row)]) {
            table.mark[at(row)] = 1;
        }
    }
}

constexpr Form kGroups[] = {
    {"first", first},
    {"repeat", repeat},
    {"otherwise", otherwise},
    {"rule_inside", rule_inside},
    {"rules_at_node", rules_at_node},
    {"at_once_inside", rule_inside},
    {"at_once", at_once},
    {"two_rules", choose_then_mark},
    {"agenda", base, false},
    {"agenda_salience", choose_then_mark},
};

} // namespace

std::span<const Form> groups() {
    return kGroups;
}

} // namespace croupier::bench::forms
