// Life once more, as slowly and plainly as can be, for tests to compare with.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace croupier::games {

struct NaiveLife {
    static constexpr int kSide = 19;

    std::array<std::array<char, kSide>, kSide> board{}; // [column][row]: 'B', 'W' or 0
    char turn = 'B';
    bool wrap = false;
    bool over = false;

    static NaiveLife beginning(bool wrapped) {
        NaiveLife life;
        life.wrap = wrapped;
        for (const char* cell :
             {"d3", "c5", "e5", "i10", "k10", "o4", "p4", "q4", "o15", "p17", "q15"})
            life.at(cell) = 'B';
        for (const char* cell :
             {"c4", "d15", "d16", "d17", "e4", "d6", "j9", "j11", "p14", "o16", "q16"})
            life.at(cell) = 'W';
        return life;
    }

    static std::string name(int column, int row) {
        return static_cast<char>('a' + column) + std::to_string(row + 1);
    }
    char& at(const std::string& cell) {
        return board.at(static_cast<std::size_t>(cell[0] - 'a'))
            .at(static_cast<std::size_t>(std::stoi(cell.substr(1)) - 1));
    }
    [[nodiscard]] char get(int column, int row) const {
        if (wrap) {
            column = (column + kSide) % kSide;
            row = (row + kSide) % kSide;
        }
        if (column < 0 || row < 0 || column >= kSide || row >= kSide) return 0;
        return board.at(static_cast<std::size_t>(column)).at(static_cast<std::size_t>(row));
    }
    [[nodiscard]] int around(int column, int row, char colour) const {
        int count = 0;
        for (int x = -1; x <= 1; ++x) {
            for (int y = -1; y <= 1; ++y)
                count += (x != 0 || y != 0) && get(column + x, row + y) == colour ? 1 : 0;
        }
        return count;
    }

    [[nodiscard]] std::vector<std::string> legal() const {
        std::vector<std::string> cells;
        for (int row = 0; row < kSide; ++row) {
            for (int column = 0; column < kSide; ++column) {
                if (get(column, row) == 0 &&
                    around(column, row, 'B') + around(column, row, 'W') > 0)
                    cells.push_back(name(column, row));
            }
        }
        if (cells.empty()) cells.emplace_back("pass");
        return cells;
    }

    void play(const std::string& move) {
        if (move != "pass") at(move) = turn;
        const NaiveLife old = *this;
        bool black = false;
        bool white = false;
        for (int column = 0; column < kSide; ++column) {
            for (int row = 0; row < kSide; ++row) {
                char& cell =
                    board.at(static_cast<std::size_t>(column)).at(static_cast<std::size_t>(row));
                const int b = old.around(column, row, 'B');
                const int w = old.around(column, row, 'W');
                if (cell == 0) {
                    if (b + w == 3) cell = b > w ? 'B' : 'W';
                } else if (b + w < 2 || b + w > 3) {
                    cell = 0;
                } else if (b != w) {
                    cell = b > w ? 'B' : 'W';
                }
                black = black || cell == 'B';
                white = white || cell == 'W';
            }
        }
        over = !black || !white;
        turn = turn == 'B' ? 'W' : 'B';
    }

    // As the state of the ruleset writes it.
    [[nodiscard]] std::string json() const {
        std::string text;
        for (int row = 0; row < kSide; ++row) {
            for (int column = 0; column < kSide; ++column) {
                if (get(column, row) == 0) continue;
                text += (text.empty() ? "\"" : ",\"") + name(column, row) + "\":\"" +
                        get(column, row) + "\"";
            }
        }
        return "{\"board\":{" + text + "},\"turn\":\"" + turn + "\"";
    }
};

} // namespace croupier::games
