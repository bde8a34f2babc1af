// The forms of the rule language to measure. To add one, write a group into a file of rules/forms,
// and its plain C++ into the list for that file.
#pragma once

#include "engine/api/random.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>

namespace croupier::bench::forms {

// The state on which every form is measured (rules/forms/common.json), as a programmer would store
// it: a column for each map.

using engine::Random;

inline constexpr int kRows = 32; // a1 .. h4: eight columns, row by row
inline constexpr int kColumns = 8;
inline constexpr int kSeats = 4; // A B C D
inline constexpr int kSlots = 16;
inline constexpr int kNobody = -1; // in a column of seats, and for an empty slot

template <typename Of>
using Rows = std::array<Of, kRows>;
template <typename Of>
using Seats = std::array<Of, kSeats>;

struct Bid {
    int worth = 0;
    int row = 0;
};

struct Table {
    int turn = 0;
    int best = 0;
    int limit = 0;
    int lane = 1; // a row number, from 1
    Rows<std::int8_t> holder{};
    Rows<bool> wanted{};
    bool has_wanted = true; // the map itself exists
    Rows<std::int8_t> owner{};
    Rows<std::int8_t> maker{};
    Rows<std::int8_t> price{};
    Seats<int> limits{};
    Seats<int> tally{};
    Seats<Bid> bids{};
    std::array<std::int8_t, kSlots> deck{};
    int remark = 0; // a seat

    // written by actions
    Rows<bool> chosen{};
    Rows<std::int8_t> mark{};
    int total = 0;
    Seats<int> picked{};          // kNobody: not picked
    Rows<std::int8_t> hand{};     // who was dealt the row
    Rows<bool> noted{};           // a note with these children,
    std::int8_t listed = kNobody; // or a list with this row
};

Table random_table(Random& random);

// In the rules' form; missing nodes are left out, empty maps are not.
std::string to_json(const Table& table);

// The next row to the north, or kNobody; and whether any or all neighbours pass.
inline int north_of(int row) {
    return row + kColumns < kRows ? row + kColumns : kNobody;
}
template <typename Visit>
void each_neighbour(int row, Visit visit) {
    if (row + kColumns < kRows) visit(row + kColumns);
    if (row % kColumns + 1 < kColumns) visit(row + 1);
    if (row >= kColumns) visit(row - kColumns);
    if (row % kColumns > 0) visit(row - 1);
}
template <typename Test>
bool any_neighbour(int row, Test test) {
    bool found = false;
    each_neighbour(row, [&](int other) { found = found || test(other); });
    return found;
}

inline std::size_t at(int index) {
    return static_cast<std::size_t>(index);
}

// The two tests of every form.
inline bool passes(const Table& table, int row) {
    return table.holder[at(row)] == 0 && table.price[at(row)] < 50;
}

// Calls `act` for each row that passes them and `test`.
template <typename Test, typename Act>
void for_rows(const Table& table, Test test, Act act) {
    for (int row = 0; row < kRows; ++row)
        if (passes(table, row) && test(row)) act(row);
}

// Acts like the base on the rows that also pass `test`.
template <typename Test>
void choose(Table& table, Test test) {
    for_rows(table, test, [&](int row) { table.chosen[at(row)] = true; });
}

struct Form {
    const char* name; // of the group
    void (*plain)(Table& table, Random& random);
    bool differs = true; // in some state, from the result of the two tests only
};

std::span<const Form> conditions(); // rules/forms/conditions.json
std::span<const Form> actions();    // rules/forms/actions.json
std::span<const Form> groups();     // rules/forms/groups.json

// The two tests only.
inline void base(Table& table, Random&) {
    choose(table, [](int) { return true; });
}

} // namespace croupier::bench::forms
