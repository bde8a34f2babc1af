// A direct transcription of the rules: kept simple, because everything else is checked against it.
#include "games/testing/life.h"

#include "games/contract/game.h"

#include <algorithm>

namespace croupier::games::life::naive {

namespace {

struct Neighbours {
    int black = 0;
    int white = 0;
};

// The edges are a template parameter, so that one variant does not slow the other.
template <Edges edges>
Neighbours neighbours(const Board& board, int row, int column) {
    Neighbours count;
    for (int y = row - 1; y <= row + 1; ++y) {
        for (int x = column - 1; x <= column + 1; ++x) {
            const bool outside = y < 0 || y >= kSide || x < 0 || x >= kSide;
            if ((edges == Edges::Open && outside) || (y == row && x == column)) continue;
            const char stone = edges == Edges::Open
                                   ? board[kSide * y + x]
                                   : board[kSide * ((y + kSide) % kSide) + (x + kSide) % kSide];
            if (stone == 'B')
                ++count.black;
            else if (stone == 'W')
                ++count.white;
        }
    }
    return count;
}

int stones(const Board& board, char colour) {
    return static_cast<int>(std::count(board.begin(), board.end(), colour));
}

template <Edges edges>
Board ticked(const Board& board) {
    Board next{};
    for (int row = 0; row < kSide; ++row) {
        for (int column = 0; column < kSide; ++column) {
            const auto [black, white] = neighbours<edges>(board, row, column);
            const char stone = board[kSide * row + column];
            char after = stone;
            if (stone == '.') {
                if (black + white == 3) after = black > white ? 'B' : 'W';
            } else if (black + white < 2 || black + white > 3) {
                after = '.';
            } else if (black > white) {
                after = 'B';
            } else if (white > black) {
                after = 'W';
            }
            next[kSide * row + column] = after;
        }
    }
    return next;
}

template <Edges edges>
std::vector<int> drops(const Board& board) {
    std::vector<int> legal;
    for (int row = 0; row < kSide; ++row) {
        for (int column = 0; column < kSide; ++column) {
            if (board[kSide * row + column] == '.') {
                const auto [black, white] = neighbours<edges>(board, row, column);
                if (black + white > 0) legal.push_back(kSide * row + column);
            }
        }
    }
    return legal;
}

} // namespace

Board board_of(std::string_view picture) {
    Board board{};
    std::copy_if(picture.begin(), picture.end(), board.begin(), [](char c) { return c != '\n'; });
    return board;
}

Board beginning() {
    return board_of("...................\n"
                    "...................\n"
                    "...B...............\n"
                    "..W.W.........BBB..\n"
                    "..B.B..............\n"
                    "...W...............\n"
                    "...................\n"
                    "...................\n"
                    ".........W.........\n"
                    "........B.B........\n"
                    ".........W.........\n"
                    "...................\n"
                    "...................\n"
                    "...............W...\n"
                    "...W..........B.B..\n"
                    "...W..........W.W..\n"
                    "...W...........B...\n"
                    "...................\n"
                    "...................\n");
}

std::string name_of(int cell) {
    return static_cast<char>('a' + cell % kSide) + std::to_string(cell / kSide + 1);
}

Board tick(const Board& board, Edges edges) {
    return edges == Edges::Open ? ticked<Edges::Open>(board) : ticked<Edges::Wrapped>(board);
}

std::vector<int> legal_drops(const Board& board, Edges edges) {
    return edges == Edges::Open ? drops<Edges::Open>(board) : drops<Edges::Wrapped>(board);
}

BestDrops best_drops(const Board& board, char mover) {
    BestDrops best;
    for (const int cell : legal_drops(board)) {
        Board dropped = board;
        dropped[cell] = mover;
        const Board after = tick(dropped);
        const int own = stones(after, mover);
        const int others = stones(after, mover == 'B' ? 'W' : 'B');
        double worth = own - others;
        if (own == 0 && others > 0) worth = -Evaluation::kWon;
        if (own > 0 && others == 0) worth = Evaluation::kWon;
        if (best.cells.empty() || worth > best.worth) {
            best.cells.clear();
            best.worth = worth;
        }
        if (worth == best.worth) best.cells.push_back(cell);
    }
    return best;
}

Outcome play_random(Board& board, char mover, int max_plies, engine::Random& random) {
    Outcome outcome;
    while (outcome.plies < max_plies) {
        const std::vector<int> legal = legal_drops(board);
        const std::uint64_t pick = random.below(std::max<std::size_t>(legal.size(), 1));
        if (!legal.empty()) board[legal[pick]] = mover;
        board = tick(board);
        ++outcome.plies;
        const bool black = stones(board, 'B') > 0;
        const bool white = stones(board, 'W') > 0;
        if (!black || !white) {
            outcome.winner = black ? 'B' : white ? 'W' : '.';
            return outcome;
        }
        mover = mover == 'B' ? 'W' : 'B';
    }
    outcome.unfinished = true;
    return outcome;
}

} // namespace croupier::games::life::naive
