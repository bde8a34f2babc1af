// Life as loops over cells and their neighbours: the reference for tests and benchmarks of the
// ruleset.
#pragma once

#include "engine/api/random.h"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::games::life::naive {

inline constexpr int kSide = 19;
inline constexpr int kCells = kSide * kSide;

// 'B', 'W' or '.' for each cell, row by row from a1.
using Board = std::array<char, kCells>;

Board board_of(std::string_view picture);

// The stones at the beginning.
Board beginning();

// "a1", "b1", ..
std::string name_of(int cell);

// Whether a cell at the edge has neighbours on the other side.
enum class Edges { Open, Wrapped };

// Updates all cells at once.
Board tick(const Board& board, Edges edges = Edges::Open);

// The empty cells that have a neighbour, in order.
std::vector<int> legal_drops(const Board& board, Edges edges = Edges::Open);

// The cells of the legal drops after whose tick the mover has won, or otherwise has the greatest
// lead in stones.
struct BestDrops {
    std::vector<int> cells;
    double worth = 0; // the lead in stones, or the win of games/contract
};

// One tick per legal drop.
BestDrops best_drops(const Board& board, char mover);

struct Outcome {
    char winner = '.';
    bool unfinished = false;
    int plies = 0;
};

// Plays random drops until the game is over; `board` then holds the end.
Outcome play_random(Board& board, char mover, int max_plies, engine::Random& random);

} // namespace croupier::games::life::naive
