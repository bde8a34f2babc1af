// Conditions over 32, 78 and 361 rows, declared and undeclared, compared with loops over vectors.
#include "bench/measure.h"
#include "bench/rules.h"
#include "engine/api/program.h"
#include "engine/api/run.h"
#include "engine/api/state.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::bench {
namespace {

using engine::Random;

constexpr std::uint64_t kSeed = 7;
constexpr int kStates = 32; // several, so that no row is measured on one lucky state

// ---- rows ------------------------------------------------------------------------------------

// The data as a programmer would store them; also written as constants and a state of a ruleset.
struct Row {
    int suit = 0;
    int height = 0;
    int holder = 0; // -1 if none
    bool wanted = false;
    int owner = 0;
    int maker = 0;
    int price = 0;
};

struct Table {
    std::vector<Row> rows;
    int led = 0;
    std::size_t best = 0;
};

Table random_table(int size, Random& random) {
    const auto draw = [&random](int n) {
        return static_cast<int>(random.below(static_cast<std::uint64_t>(n)));
    };
    Table table;
    for (int i = 0; i < size; ++i) {
        Row row;
        row.suit = i % 4;
        row.height = i / 4;
        row.holder = draw(5) - 1;
        row.wanted = draw(3) == 0;
        row.owner = draw(4);
        row.maker = draw(4);
        row.price = draw(100);
        table.rows.push_back(row);
    }
    table.led = draw(4);
    table.best = static_cast<std::size_t>(draw(size));
    return table;
}

std::string to_json(const Table& table) {
    constexpr std::string_view kOwners = "ABCD";
    std::array<std::string, 4> held;
    std::string wanted;
    std::string owner;
    std::string maker;
    std::string price;
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        const Row& row = table.rows[i];
        const auto add = [i](std::string& to, const std::string& value) {
            to += (to.empty() ? "\"r" : ", \"r") + std::to_string(i) + "\": " + value;
        };
        const auto quoted = [&](int place) {
            return std::string{'"', kOwners[static_cast<std::size_t>(place)], '"'};
        };
        if (row.holder >= 0) add(held[static_cast<std::size_t>(row.holder)], "true");
        if (row.wanted) add(wanted, "true");
        add(owner, quoted(row.owner));
        add(maker, quoted(row.maker));
        add(price, std::to_string(row.price));
    }
    return std::string("{\"led\": \"") + "SHDC"[table.led] + "\", \"best\": \"r" +
           std::to_string(table.best) + "\", \"held\": {\"A\": {" + held[0] + "}, \"B\": {" +
           held[1] + "}, \"C\": {" + held[2] + "}, \"D\": {" + held[3] + "}}, \"wanted\": {" +
           wanted + "}, \"owner\": {" + owner + "}, \"maker\": {" + maker + "}, \"price\": {" +
           price + "}}";
}

using Found = std::vector<int>;

template <typename Test>
void rows_where(const Table& table, Found& found, Test test) {
    for (std::size_t i = 0; i < table.rows.size(); ++i)
        if (test(table.rows[i])) found.push_back(static_cast<int>(i));
}

// Each condition of rows.json, written by hand; stores its matches in `found`.
void filter_constant(const Table& table, Found& found) {
    rows_where(table, found,
               [&](const Row& row) { return row.holder == 0 && row.suit == table.led; });
}
void filter_column(const Table& table, Found& found) {
    rows_where(table, found, [](const Row& row) { return row.owner == 0; });
}
void threshold_constant(const Table& table, Found& found) {
    const int height = table.rows[table.best].height;
    rows_where(table, found,
               [=](const Row& row) { return row.holder == 0 && row.height > height; });
}
void threshold_column(const Table& table, Found& found) {
    rows_where(table, found, [](const Row& row) { return row.price < 10; });
}
void join_keys(const Table& table, Found& found) {
    rows_where(table, found, [](const Row& row) { return row.holder == 0 && row.wanted; });
}
void join_values(const Table& table, Found& found) {
    rows_where(table, found, [](const Row& row) { return row.owner == row.maker; });
}
void not_row(const Table& table, Found& found) {
    rows_where(table, found, [](const Row& row) { return row.holder == 0 && !row.wanted; });
}
void exists(const Table& table, Found& found) {
    for (const Row& row : table.rows) {
        if (row.holder == 0 && row.wanted) {
            found.push_back(0);
            return;
        }
    }
}
void none(const Table& table, Found& found) {
    for (const Row& row : table.rows)
        if (row.holder == 0 && row.price > 98) return;
    found.push_back(0);
}
void count(const Table& table, Found& found) {
    int n = 0;
    for (const Row& row : table.rows)
        n += row.holder == 0 && row.suit == table.led ? 1 : 0;
    found.push_back(n);
}

// ---- board -----------------------------------------------------------------------------------

constexpr int kSide = 19;

struct Board {
    std::vector<char> cells; // row by row

    [[nodiscard]] bool alive(int x, int y) const {
        const int cell = y * kSide + x;
        return cells[static_cast<std::size_t>(cell)] != 0;
    }
};

Board random_board(Random& random) {
    Board board;
    for (int i = 0; i < kSide * kSide; ++i)
        board.cells.push_back(random.below(3) == 0 ? 1 : 0);
    return board;
}

std::string to_json(const Board& board) {
    std::string cells;
    for (int i = 0; i < kSide * kSide; ++i) {
        if (board.alive(i % kSide, i / kSide)) {
            cells += (cells.empty() ? "\"" : ", \"") +
                     std::string(1, static_cast<char>('a' + i % kSide)) +
                     std::to_string(i / kSide + 1) + "\": true";
        }
    }
    return "{\"alive\": {" + cells + "}}";
}

int neighbours(const Board& board, int x, int y) {
    int n = 0;
    for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
            const bool inside = x + dx >= 0 && x + dx < kSide && y + dy >= 0 && y + dy < kSide;
            if ((dx != 0 || dy != 0) && inside) n += board.alive(x + dx, y + dy) ? 1 : 0;
        }
    }
    return n;
}

template <typename Test>
void cells_where(const Board& board, Found& found, Test test) {
    for (int y = 0; y < kSide; ++y) {
        for (int x = 0; x < kSide; ++x)
            if (test(board.alive(x, y), x, y)) found.push_back(y * kSide + x);
    }
}

void live_cells(const Board& board, Found& found) {
    cells_where(board, found, [](bool alive, int, int) { return alive; });
}
void survivors(const Board& board, Found& found) {
    cells_where(board, found, [&](bool alive, int x, int y) {
        return alive && (neighbours(board, x, y) | 1) == 3;
    });
}
void births(const Board& board, Found& found) {
    cells_where(board, found,
                [&](bool alive, int x, int y) { return !alive && neighbours(board, x, y) == 3; });
}
void lonely(const Board& board, Found& found) {
    cells_where(board, found,
                [&](bool alive, int x, int y) { return alive && neighbours(board, x, y) == 0; });
}

// ---- rows of the report ----------------------------------------------------------------------

std::vector<Table> random_data(int size, const Table*) {
    Random random(kSeed);
    std::vector<Table> data;
    data.reserve(kStates);
    for (int i = 0; i < kStates; ++i)
        data.push_back(random_table(size, random));
    return data;
}

std::vector<Board> random_data(int, const Board*) {
    Random random(kSeed);
    std::vector<Board> data;
    data.reserve(kStates);
    for (int i = 0; i < kStates; ++i)
        data.push_back(random_board(random));
    return data;
}

template <typename Data>
void match(benchmark::State& state, const std::string& file, Layout layout, const std::string& rule,
           int size, void (*plain)(const Data&, Found&)) {
    const std::vector<Data> data = random_data(size, static_cast<const Data*>(nullptr));
    Rules rules({file}, layout);
    const engine::RuleId id = rules.rule(rule);
    std::vector<engine::State> states;
    Found found;
    std::size_t matches = 0;
    for (const Data& each : data) {
        states.push_back(rules.state(to_json(each)));
        found.clear();
        plain(each, found);
        const engine::RunResult result = rules.match(id, states.back());
        Rules::checked(result);
        check(result.matches == found.size(), rule + " has " + std::to_string(result.matches) +
                                                  " matches, not " + std::to_string(found.size()) +
                                                  ", on " + to_json(each));
        matches += found.size();
    }
    // Makes a pass long compared with reading the clock.
    const int rounds = size < 100 ? 16 : 4;
    measure(
        state, std::int64_t{rounds} * kStates,
        [&] {
            for (int round = 0; round < rounds; ++round) {
                for (const Data& each : data) {
                    found.clear();
                    plain(each, found);
                    benchmark::DoNotOptimize(found.data());
                    benchmark::ClobberMemory();
                }
            }
        },
        [&] {
            for (int round = 0; round < rounds; ++round)
                for (engine::State& each : states)
                    benchmark::DoNotOptimize(rules.match(id, each).matches);
        });
    state.counters["matches"] = static_cast<double>(matches) / kStates;
}

template <typename Data>
void add(const std::string& rule, const std::string& file, int size,
         void (*plain)(const Data&, Found&)) {
    for (const Layout layout : {Layout::Declared, Layout::Undeclared}) {
        const std::string name = "match/" + rule + "/" + std::to_string(size) +
                                 (layout == Layout::Declared ? "/declared" : "/undeclared");
        add_row(name, [=](benchmark::State& state) {
            match<Data>(state, file, layout, rule, size, plain);
        });
    }
}

} // namespace

void add_match_rows() {
    for (const int size : {32, 78, 361}) {
        const std::string file = "rows_" + std::to_string(size) + ".json";
        add<Table>("filter_constant", file, size, filter_constant);
        add<Table>("filter_column", file, size, filter_column);
        add<Table>("threshold_constant", file, size, threshold_constant);
        add<Table>("threshold_column", file, size, threshold_column);
        add<Table>("join_keys", file, size, join_keys);
        add<Table>("join_values", file, size, join_values);
        add<Table>("not_row", file, size, not_row);
        add<Table>("exists", file, size, exists);
        add<Table>("not", file, size, none);
        add<Table>("count", file, size, count);
    }
    add<Board>("live_cells", "board.json", kSide * kSide, live_cells);
    add<Board>("survivors", "board.json", kSide * kSide, survivors);
    add<Board>("births", "board.json", kSide * kSide, births);
    add<Board>("lonely", "board.json", kSide * kSide, lonely);
}

} // namespace croupier::bench
