// Life against loops over cells and neighbours: native, on every kernel that the machine can run,
// and by its rules.
#include "bench/measure.h"
#include "bench/rows.h"
#include "bench/rules.h"
#include "engine/api/random.h"
#include "engine/api/text.h"
#include "games/life/naive.h"
#include "games/life/native/kernel.h"

#include <cstdint>
#include <string>
#include <vector>

namespace croupier::bench {
namespace {

namespace life = games::life;
namespace naive = games::life::naive;
using life::Colour;
using life::Kernel;

constexpr std::uint64_t kSeed = 2014;

// Boards of random games, after 1 to 100 plies, each as both sides want it.
struct Boards {
    std::vector<life::Board> native;
    std::vector<naive::Board> plain;

    explicit Boards(int count) {
        for (int game = 0; static_cast<int>(native.size()) < count; ++game) {
            engine::Random random = engine::Random(kSeed).stream(static_cast<std::uint64_t>(game));
            life::Board board = life::Board::start();
            const int plies = 1 + static_cast<int>(random.below(100));
            const auto& kernel = *life::usable_kernels().back();
            // Of a game that is over there is nothing left to drop.
            if (!kernel.play_random(board, Colour::Black, plies, random).unfinished) continue;
            native.push_back(board);
            plain.push_back(naive::board_of(board.picture()));
        }
    }
    [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(native.size()); }
};

void ticks(benchmark::State& state, const Kernel& kernel) {
    const Boards boards(256);
    std::vector<life::Board> results(boards.native.size());
    for (std::size_t i = 0; i < boards.native.size(); ++i) {
        kernel.tick(boards.native[i], results[i]);
        check(naive::board_of(results[i].picture()) == naive::tick(boards.plain[i]),
              "the ticks differ on\n" + boards.native[i].picture());
    }
    const auto plain = [&] {
        for (const naive::Board& board : boards.plain) {
            benchmark::DoNotOptimize(naive::tick(board));
        }
    };
    measure(state, boards.count(), plain, [&] {
        for (std::size_t i = 0; i < boards.native.size(); ++i) {
            kernel.tick(boards.native[i], results[i]);
        }
        benchmark::ClobberMemory();
    });
}

void best_drops(benchmark::State& state, const Kernel& kernel) {
    const Boards boards(64);
    double candidates = 0;
    for (std::size_t i = 0; i < boards.native.size(); ++i) {
        const naive::BestDrops best = naive::best_drops(boards.plain[i], 'B');
        const life::BestDrops found = kernel.best_drops(boards.native[i], Colour::Black);
        check(found.lead == best.lead && found.cells.nth(0).index() == best.cells[0] &&
                  found.cells.count() == static_cast<int>(best.cells.size()),
              "the best drops differ on\n" + boards.native[i].picture());
        candidates += kernel.legal_drops(boards.native[i]).count();
    }
    const auto plain = [&] {
        for (const naive::Board& board : boards.plain) {
            benchmark::DoNotOptimize(naive::best_drops(board, 'B'));
        }
    };
    measure(state, boards.count(), plain, [&] {
        for (const life::Board& board : boards.native) {
            benchmark::DoNotOptimize(kernel.best_drops(board, Colour::Black));
        }
    });
    state.counters["drops"] = candidates / static_cast<double>(boards.count());
}

void random_games(benchmark::State& state, const Kernel& kernel) {
    constexpr std::uint64_t kGames = 32;
    const naive::Board start = naive::board_of(life::Board::start().picture());
    double plies = 0;
    for (std::uint64_t game = 0; game < kGames; ++game) {
        engine::Random one = engine::Random(kSeed).stream(game);
        engine::Random two = one;
        naive::Board expected = start;
        life::Board board = life::Board::start();
        const naive::Outcome outcome = naive::play_random(expected, 'B', 2000, one);
        const life::Outcome found = kernel.play_random(board, Colour::Black, 2000, two);
        check(found.plies == outcome.plies && naive::board_of(board.picture()) == expected,
              "random game " + std::to_string(game) + " differs");
        plies += outcome.plies;
    }
    const auto plain = [&] {
        for (std::uint64_t game = 0; game < kGames; ++game) {
            engine::Random random = engine::Random(kSeed).stream(game);
            naive::Board board = start;
            benchmark::DoNotOptimize(naive::play_random(board, 'B', 2000, random));
        }
    };
    measure(state, static_cast<std::int64_t>(kGames), plain, [&] {
        for (std::uint64_t game = 0; game < kGames; ++game) {
            engine::Random random = engine::Random(kSeed).stream(game);
            life::Board board = life::Board::start();
            benchmark::DoNotOptimize(kernel.play_random(board, Colour::Black, 2000, random));
        }
    });
    state.counters["plies"] = plies / static_cast<double>(kGames);
}

// The board of a state of the rules.
naive::Board board_of(const engine::Document& state) {
    naive::Board board;
    board.fill('.');
    for (const engine::Member& stone : state.find("board")->value.members) {
        const int row = std::stoi(stone.key.substr(1)) - 1;
        board[static_cast<std::size_t>(naive::kSide * row + stone.key[0] - 'a')] =
            stone.value.text()[0];
    }
    return board;
}

// The group `play` without a move, on copies of states: the tick, the next turn and the end.
void ticks_of_rules(benchmark::State& state) {
    const Boards boards(256);
    Rules rules({"../../games/life/rules.json"});
    const engine::GroupId play = rules.group("play");
    std::vector<engine::State> before;
    for (const naive::Board& board : boards.plain) {
        std::string stones;
        for (int cell = 0; cell < naive::kCells; ++cell) {
            const char stone = board[static_cast<std::size_t>(cell)];
            if (stone != '.') {
                stones += (stones.empty() ? "\"" : ", \"") +
                          std::string(1, static_cast<char>('a' + cell % naive::kSide)) +
                          std::to_string(cell / naive::kSide + 1) + "\": \"" + stone + '"';
            }
        }
        before.push_back(rules.state(R"({"turn": "B", "board": {)" + stones + "}}"));
        engine::State after = before.back();
        Rules::checked(rules.run(play, after));
        check(board_of(after.export_document()) == naive::tick(board), "the ticks differ");
    }
    engine::State after = before.front();
    measure(
        state, boards.count(),
        [&] {
            for (const naive::Board& board : boards.plain) {
                benchmark::DoNotOptimize(naive::tick(board));
            }
        },
        [&] {
            for (const engine::State& each : before) {
                after = each;
                benchmark::DoNotOptimize(rules.run(play, after));
            }
        });
}

void random_games_of_rules(benchmark::State& state) {
    constexpr std::uint64_t kGames = 32;
    const auto rules = open_game("life/rules.json");
    const auto position = rules->new_position();
    const naive::Board start = naive::board_of(life::Board::start().picture());
    const auto play_plain = [&](std::uint64_t game, naive::Board& board) {
        engine::Random random = engine::Random(kSeed).stream(game);
        board = start;
        return naive::play_random(board, 'B', 2000, random);
    };
    const auto play_rules = [&](std::uint64_t game) {
        engine::Random random = engine::Random(kSeed).stream(game);
        engine::Random chance(0);
        position->start(chance);
        position->play_randomly(random, chance);
    };
    naive::Board board;
    double plies = 0;
    for (std::uint64_t game = 0; game < kGames; ++game) {
        const naive::Outcome outcome = play_plain(game, board);
        play_rules(game);
        check(static_cast<int>(position->plies()) == outcome.plies &&
                  board_of(position->state()) == board,
              "random game " + std::to_string(game) + " differs");
        plies += outcome.plies;
    }
    measure(
        state, static_cast<std::int64_t>(kGames),
        [&] {
            for (std::uint64_t game = 0; game < kGames; ++game) {
                benchmark::DoNotOptimize(play_plain(game, board));
            }
        },
        [&] {
            for (std::uint64_t game = 0; game < kGames; ++game) {
                play_rules(game);
            }
        });
    state.counters["plies"] = plies / static_cast<double>(kGames);
}

} // namespace

void add_life_rows() {
    add_row("life/random_games/rules", random_games_of_rules);
    add_row("life/tick/rules", ticks_of_rules, Timing::Both);
    for (const Kernel* const kernel : life::usable_kernels()) {
        const auto add = [kernel](const std::string& what, auto body) {
            add_row(
                "life/" + what + "/" + kernel->name,
                [kernel, body](benchmark::State& state) { body(state, *kernel); }, Timing::Both);
        };
        add("tick", ticks);
        add("best_drops", best_drops);
        add("random_games", random_games);
    }
}

} // namespace croupier::bench
