// Life by its rules, compared with loops over cells and neighbours.
#include "bench/measure.h"
#include "bench/rules.h"
#include "engine/api/random.h"
#include "engine/api/text.h"
#include "games/testing/life.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace croupier::bench {
namespace {

namespace naive = games::life::naive;

constexpr std::uint64_t kSeed = 2014;

// Boards of random games, after 1 to 100 plies.
std::vector<naive::Board> boards_of_games(std::size_t count) {
    std::vector<naive::Board> boards;
    for (std::uint64_t game = 0; boards.size() < count; ++game) {
        engine::Random random = engine::Random(kSeed).stream(game);
        naive::Board board = naive::beginning();
        const int plies = 1 + static_cast<int>(random.below(100));
        // A finished game has no drops.
        if (naive::play_random(board, 'B', plies, random).unfinished) boards.push_back(board);
    }
    return boards;
}

// The board as a state of the rules, black to move.
std::string state_of(const naive::Board& board) {
    std::string stones;
    for (int cell = 0; cell < naive::kCells; ++cell) {
        const char stone = board[static_cast<std::size_t>(cell)];
        if (stone != '.')
            stones +=
                (stones.empty() ? "\"" : ", \"") + naive::name_of(cell) + "\": \"" + stone + '"';
    }
    return R"({"turn": "B", "board": {)" + stones + "}}";
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

// Runs the group `play` without a move on copies of states: the tick, the next turn and the end.
void ticks(benchmark::State& state) {
    const std::vector<naive::Board> boards = boards_of_games(256);
    Rules rules({"../../games/life/rules.json"});
    const engine::GroupId play = rules.group("play");
    std::vector<engine::State> before;
    for (const naive::Board& board : boards) {
        before.push_back(rules.state(state_of(board)));
        engine::State after = before.back();
        Rules::checked(rules.run(play, after));
        check(board_of(after.export_document()) == naive::tick(board), "the ticks differ");
    }
    engine::State after = before.front();
    measure(
        state, static_cast<std::int64_t>(boards.size()),
        [&] {
            for (const naive::Board& board : boards)
                benchmark::DoNotOptimize(naive::tick(board));
        },
        [&] {
            for (const engine::State& each : before) {
                after = each;
                benchmark::DoNotOptimize(rules.run(play, after));
            }
        });
}

// The best of all drops by material; the loops try each.
void best_drops(benchmark::State& state) {
    const std::vector<naive::Board> boards = boards_of_games(64);
    const auto game = open_game("life/rules.json");
    std::vector<std::unique_ptr<games::Position>> positions;
    double drops = 0;
    for (const naive::Board& board : boards) {
        positions.push_back(game->new_position());
        engine::Sources sources;
        engine::Diagnostics diagnostics;
        games::Random chance(0);
        const auto document =
            engine::read_json(sources, sources.add("state", state_of(board)), diagnostics);
        check(positions.back()->load(*document, chance, diagnostics), "no such state");
        positions.back()->resume(chance);
        check(game->evaluation()->best_worth(*positions.back()) ==
                  naive::best_drops(board, 'B').worth,
              "the best drops differ on " + state_of(board));
        drops += static_cast<double>(positions.back()->move_count());
    }
    measure(
        state, static_cast<std::int64_t>(boards.size()),
        [&] {
            for (const naive::Board& board : boards)
                benchmark::DoNotOptimize(naive::best_drops(board, 'B'));
        },
        [&] {
            for (const auto& position : positions)
                benchmark::DoNotOptimize(game->evaluation()->best_worth(*position));
        });
    state.counters["drops"] = drops / static_cast<double>(boards.size());
}

void random_games(benchmark::State& state) {
    constexpr std::uint64_t kGames = 32;
    const auto rules = open_game("life/rules.json");
    const auto position = rules->new_position();
    const naive::Board start = naive::beginning();
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
            for (std::uint64_t game = 0; game < kGames; ++game)
                benchmark::DoNotOptimize(play_plain(game, board));
        },
        [&] {
            for (std::uint64_t game = 0; game < kGames; ++game)
                play_rules(game);
        });
    state.counters["plies"] = plies / static_cast<double>(kGames);
}

} // namespace

void add_life_rows() {
    add_row("life/random_games/rules", random_games);
    add_row("life/tick/rules", ticks, Timing::Both);
    add_row("life/best_drops/all_at_once", best_drops, Timing::Both);
}

} // namespace croupier::bench
