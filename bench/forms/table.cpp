// Random states, and their JSON.
#include "bench/forms/table.h"

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
    for (int row = 0; row < kRows; ++row) {
        if (rows[at(row)]) {
            object.add(row_name(row), "true");
        }
    }
    return object.text();
}
std::string seats_by_row(const Rows<std::int8_t>& seats) {
    Object object;
    for (int row = 0; row < kRows; ++row) {
        if (seats[at(row)] != kNobody) {
            object.add(row_name(row), seat_name(seats[at(row)]));
        }
    }
    return object.text();
}
std::string rows_by_seat(const Rows<std::int8_t>& seats) {
    Object object;
    for (int seat = 0; seat < kSeats; ++seat) {
        Rows<bool> of{};
        for (int row = 0; row < kRows; ++row) {
            of[at(row)] = seats[at(row)] == seat;
        }
        object.add(seat_name(seat), set_of(of));
    }
    return object.text();
}
std::string numbers_by_seat(const Seats<int>& numbers) {
    Object object;
    for (int seat = 0; seat < kSeats; ++seat) {
        if (numbers[at(seat)] != kNobody) {
            object.add(seat_name(seat), std::to_string(numbers[at(seat)]));
        }
    }
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
    for (int slot = 0; slot < kSlots; ++slot) {
        if (table.deck[at(slot)] != kNobody) {
            object.add('"' + std::to_string(slot) + '"', row_name(table.deck[at(slot)]));
        }
    }
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
        // Half of the rows are A's, so that the two tests leave some for the form.
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
    for (int row = 0; row < kRows; ++row) {
        pack[at(row)] = static_cast<std::int8_t>(row);
    }
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
    if (table.has_wanted) {
        object.add("\"wanted\"", set_of(table.wanted));
    }
    object.add("\"owner\"", seats_by_row(table.owner));
    object.add("\"maker\"", seats_by_row(table.maker));
    Object price;
    for (int row = 0; row < kRows; ++row) {
        price.add(row_name(row), std::to_string(table.price[at(row)]));
    }
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
    if (table.listed != kNobody) {
        object.add("\"note\"", "[" + row_name(table.listed) + ", {\"by\": \"A\"}]");
    } else if (table.noted != Rows<bool>{}) {
        object.add("\"note\"", set_of(table.noted));
    }
    return object.text();
}

} // namespace croupier::bench::forms
