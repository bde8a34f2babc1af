// Random states, their JSON, and each form as plain C++.
#include "bench/forms/forms.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace croupier::bench::forms {

namespace {

std::string row_name(int row) {
    return std::string{'"', static_cast<char>('a' + row % kColumns)} +
           std::to_string(row / kColumns + 1) + '"';
}
std::string seat_name(int seat) {
    return std::string{'"', static_cast<char>('A' + seat), '"'};
}

// An object, member by member.
class Object {
  public:
    void add(const std::string& key, const std::string& value) {
        text_ += (text_.empty() ? "" : ", ") + key + ": " + value;
    }
    [[nodiscard]] std::string text() const { return "{" + text_ + "}"; }

  private:
    std::string text_;
};

std::string set_of(const Rows<bool>& rows) {
    Object object;
    for (int row = 0; row < kRows; ++row)
        if (rows[at(row)]) object.add(row_name(row), "true");
    return object.text();
}
std::string seats_by_row(const Rows<std::int8_t>& seats) {
    Object object;
    for (int row = 0; row < kRows; ++row)
        if (seats[at(row)] != kNobody) object.add(row_name(row), seat_name(seats[at(row)]));
    return object.text();
}
std::string rows_by_seat(const Rows<std::int8_t>& seats) {
    Object object;
    for (int seat = 0; seat < kSeats; ++seat) {
        Rows<bool> of{};
        for (int row = 0; row < kRows; ++row)
            of[at(row)] = seats[at(row)] == seat;
        object.add(seat_name(seat), set_of(of));
    }
    return object.text();
}
std::string numbers_by_seat(const Seats<int>& numbers) {
    Object object;
    for (int seat = 0; seat < kSeats; ++seat)
        if (numbers[at(seat)] != kNobody)
            object.add(seat_name(seat), std::to_string(numbers[at(seat)]));
    return object.text();
}
std::string bids_of(const Table& table) {
    Object object;
    for (int seat = 0; seat < kSeats; ++seat) {
        const Bid& bid = table.bids[at(seat)];
        object.add(seat_name(seat), "{\"worth\": " + std::to_string(bid.worth) +
                                        ", \"row\": " + row_name(bid.row) + "}");
    }
    return object.text();
}
std::string deck_of(const Table& table) {
    Object object;
    for (int slot = 0; slot < kSlots; ++slot)
        if (table.deck[at(slot)] != kNobody)
            object.add('"' + std::to_string(slot) + '"', row_name(table.deck[at(slot)]));
    return object.text();
}

} // namespace

Table random_table(Random& random) {
    const auto draw = [&random](int n) {
        return static_cast<int>(random.below(static_cast<std::uint64_t>(n)));
    };
    const auto small = [&draw](int n) { return static_cast<std::int8_t>(draw(n)); };
    Table table;
    table.turn = draw(kSeats);
    table.best = draw(kRows);
    table.limit = draw(100);
    table.lane = 1 + draw(4);
    table.remark = draw(kSeats);
    for (int row = 0; row < kRows; ++row) {
        // Half of the rows are A's, so that enough rows pass the two tests.
        const bool is_of_a = draw(2) == 0;
        table.holder[at(row)] = is_of_a ? std::int8_t{0} : static_cast<std::int8_t>(draw(4) - 1);
        table.wanted[at(row)] = draw(3) == 0;
        table.owner[at(row)] = small(kSeats);
        table.maker[at(row)] = small(kSeats);
        table.price[at(row)] = small(100);
        table.chosen[at(row)] = draw(4) == 0;
        table.mark[at(row)] = kNobody;
        table.hand[at(row)] = kNobody;
    }
    for (int seat = 0; seat < kSeats; ++seat) {
        table.limits[at(seat)] = draw(100);
        table.tally[at(seat)] = draw(100);
        table.bids[at(seat)] = {draw(100), draw(kRows)};
        table.picked[at(seat)] = kNobody;
    }
    Rows<std::int8_t> pack{};
    for (int row = 0; row < kRows; ++row)
        pack[at(row)] = static_cast<std::int8_t>(row);
    for (int slot = 0; slot < kSlots; ++slot) {
        std::swap(pack[at(slot)], pack[at(slot + draw(kRows - slot))]);
        table.deck[at(slot)] = pack[at(slot)];
    }
    return table;
}

std::string to_json(const Table& table) {
    Object object;
    object.add("\"turn\"", seat_name(table.turn));
    object.add("\"best\"", row_name(table.best));
    object.add("\"limit\"", std::to_string(table.limit));
    object.add("\"lane\"", std::to_string(table.lane));
    object.add("\"held\"", rows_by_seat(table.holder));
    if (table.has_wanted) object.add("\"wanted\"", set_of(table.wanted));
    object.add("\"owner\"", seats_by_row(table.owner));
    object.add("\"maker\"", seats_by_row(table.maker));
    Object price;
    for (int row = 0; row < kRows; ++row)
        price.add(row_name(row), std::to_string(table.price[at(row)]));
    object.add("\"price\"", price.text());
    for (int seat = 0; seat < kSeats; ++seat) {
        object.add(std::string("\"limit-") + static_cast<char>('A' + seat) + '"',
                   std::to_string(table.limits[at(seat)]));
    }
    object.add("\"tally\"", numbers_by_seat(table.tally));
    object.add("\"bid\"", bids_of(table));
    object.add("\"deck\"", deck_of(table));
    object.add("\"remark\"", "{\"last\": {\"by\": " + seat_name(table.remark) + "}}");
    object.add("\"chosen\"", set_of(table.chosen));
    object.add("\"mark\"", seats_by_row(table.mark));
    object.add("\"total\"", std::to_string(table.total));
    object.add("\"picked\"", numbers_by_seat(table.picked));
    object.add("\"hands\"", rows_by_seat(table.hand));
    if (table.listed != kNobody)
        object.add("\"note\"", "[" + row_name(table.listed) + ", {\"by\": \"A\"}]");
    else if (table.noted != Rows<bool>{})
        object.add("\"note\"", set_of(table.noted));
    return object.text();
}

// Each group of rules/forms/conditions.json in plain C++.

namespace {

// A form that chooses the rows that pass a test: `t` is the table, `r` the row.
#define CROUPIER_ROWS(test)                                                                        \
    [](Table& t, Random&) { choose(t, [&]([[maybe_unused]] int r) { return test; }); }

bool any_row(const Table& table, auto test) {
    for (int row = 0; row < kRows; ++row)
        if (test(table, row)) return true;
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
    for (int row = 0; row < kRows; ++row)
        n += is_held_by_b(table, row) ? 1 : 0;
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
    for (int row = 0; row < kRows; ++row)
        if (is_held_by_b(table, row)) most = std::max<int>(most, table.price[at(row)]);
    return most;
}

bool is_wanted_or_of_b(const Table& table, int row) {
    return table.wanted[at(row)] || table.owner[at(row)] == 1;
}

void random_rows(Table& table, Random& random) {
    choose(table, [&](int) { return random.below(3) == 0; });
}

// Evaluates tests that do not depend on the row once, as a programmer would.
template <typename Test>
void all_or_none(Table& table, Test test) {
    if (test()) choose(table, [](int) { return true; });
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

// Each group of rules/forms/actions.json in plain C++.

namespace {

// Chooses each row that passes the two tests, as the base does, and calls `also` on it.
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

// Chooses the first row; returns whether there is one.
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

// The shipped functions (sections 8.3 to 8.6 of the language) with the same random numbers.
void shuffle(Table& table, Random& random) {
    if (!choose_first(table)) return;
    for (std::size_t i = kSlots - 1; i > 0; --i)
        std::swap(table.deck[i], table.deck[random.below(i + 1)]);
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

// Each group of rules/forms/groups.json in plain C++.

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

// Each round takes the first row not yet chosen.
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
        if (table.wanted[at(row)]) table.mark[at(row)] = 1;
    });
}

void rules_at_node(Table& table, Random&) {
    for_rows(table, kAlways, [&](int row) {
        table.chosen[at(row)] = true;
        table.bids[1].worth = std::min(table.bids[1].worth, 30);
    });
}

// Both rules match before either acts.
void at_once(Table& table, Random&) {
    const Rows<bool> before = table.chosen;
    choose(table, kAlways);
    for (int row = 0; row < kRows; ++row)
        if (before[at(row)]) table.mark[at(row)] = 1;
}

void choose_then_mark(Table& table, Random&) {
    choose(table, kAlways);
    for (int row = 0; row < kRows; ++row)
        if (table.chosen[at(row)]) table.mark[at(row)] = 1;
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
