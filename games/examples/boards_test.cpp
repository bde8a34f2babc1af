// Connect Four and Hex by their rules compared with loops over cells: moves, winner, result.
#include "games/testing/testing.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace croupier::games {
namespace {

constexpr int kColumns = 7;
constexpr int kRows = 6;

struct Board {
    std::array<std::string, kColumns> columns; // stones from below

    [[nodiscard]] char at(int column, int row) const {
        const bool inside = column >= 0 && column < kColumns && row >= 0;
        const std::string& stones = columns[static_cast<std::size_t>(inside ? column : 0)];
        return inside && row < static_cast<int>(stones.size())
                   ? stones[static_cast<std::size_t>(row)]
                   : ' ';
    }

    [[nodiscard]] std::set<std::string> moves() const {
        std::set<std::string> names;
        for (std::size_t column = 0; column < kColumns; ++column) {
            if (columns[column].size() == kRows) continue;
            names.insert(static_cast<char>('a' + column) +
                         std::to_string(columns[column].size() + 1));
        }
        return names;
    }

    [[nodiscard]] bool has_four(char player) const {
        for (int column = 0; column < kColumns; ++column) {
            for (int row = 0; row < kRows; ++row) {
                for (const auto& [dx, dy] : {std::pair{1, 0}, {0, 1}, {1, 1}, {1, -1}}) {
                    int length = 0;
                    while (length < 4 && at(column + length * dx, row + length * dy) == player)
                        ++length;
                    if (length == 4) return true;
                }
            }
        }
        return false;
    }
};

TEST(connect_four, is_played_as_loops_over_lines_play_it) {
    const auto game = open_for_test("games/examples/connect_four.json");
    const auto position = game->new_position();
    int wins = 0;
    int draws = 0;
    for (std::uint64_t seed = 1; seed <= 400; ++seed) {
        Random random = stream(seed, 0, Purpose::Choice);
        Random nothing = stream(seed, 0, Purpose::Deal); // the game has no chance
        position->start(nothing);
        Board board;
        char mover = 'X';
        while (position->ending() == Ending::None) {
            const std::vector<std::string> moves = legal(*position);
            ASSERT_EQ(std::set<std::string>(moves.begin(), moves.end()), board.moves())
                << "seed " << seed << " after " << position->plies();
            ASSERT_EQ(position->turn(), mover == 'X' ? 0U : 1U);
            const Move move = position->move(random.below(position->move_count()));
            const char column = position->text(move)[0];
            board.columns[static_cast<std::size_t>(column - 'a')] += mover;
            position->play(move, nothing);
            mover = mover == 'X' ? 'O' : 'X';
            const bool full = board.moves().empty();
            const bool won = board.has_four('X') || board.has_four('O');
            ASSERT_EQ(position->ending() == Ending::Over, won || full) << "seed " << seed;
            if (!won && !full) continue;
            EXPECT_EQ(position->score(0), board.has_four('X') ? 1 : won ? 0 : 0.5);
            EXPECT_EQ(position->score(1), board.has_four('O') ? 1 : won ? 0 : 0.5);
            wins += won;
            draws += !won;
        }
    }
    EXPECT_GT(wins, 300);
    EXPECT_GT(draws, 0);
}

constexpr int kSide = 9; // of Hex

// Whether the player's stones join his two edges: X left and right, O bottom and top.
bool joins(const std::map<std::string, char>& stones, char player) {
    const auto has = [&](int x, int y) {
        const auto found = stones.find(static_cast<char>('a' + x) + std::to_string(y + 1));
        return x >= 0 && y >= 0 && found != stones.end() && found->second == player;
    };
    std::set<std::pair<int, int>> reached;
    std::vector<std::pair<int, int>> open;
    open.reserve(kSide);
    for (int i = 0; i < kSide; ++i)
        open.push_back(player == 'X' ? std::pair(0, i) : std::pair(i, 0));
    while (!open.empty()) {
        const auto [x, y] = open.back();
        open.pop_back();
        if (!has(x, y) || !reached.emplace(x, y).second) continue;
        if ((player == 'X' ? x : y) == kSide - 1) return true;
        for (const auto& [dx, dy] : {std::pair{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, -1}, {-1, 1}})
            open.emplace_back(x + dx, y + dy);
    }
    return false;
}

TEST(hex, is_won_by_whoever_joins_his_edges) {
    const auto game = open_for_test("games/examples/hex.json");
    const auto position = game->new_position();
    std::map<char, int> wins;
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        Random random = stream(seed, 0, Purpose::Choice);
        Random nothing = stream(seed, 0, Purpose::Deal);
        position->start(nothing);
        std::map<std::string, char> stones;
        for (char mover = 'X'; position->ending() == Ending::None; mover ^= 'X' ^ 'O') {
            ASSERT_EQ(position->move_count(), kSide * kSide - stones.size());
            const Move move = position->move(random.below(position->move_count()));
            ASSERT_TRUE(stones.emplace(position->text(move), mover).second);
            position->play(move, nothing);
            const bool won = joins(stones, mover);
            ASSERT_EQ(position->ending() == Ending::Over, won) << "seed " << seed;
            if (!won) continue;
            EXPECT_EQ(position->score(mover == 'X' ? 0 : 1), 1);
            EXPECT_EQ(position->score(mover == 'X' ? 1 : 0), 0);
            ++wins[mover];
        }
    }
    EXPECT_EQ(wins['X'] + wins['O'], 200) << "there is no draw";
    EXPECT_GT(wins['O'], 60);
}

} // namespace
} // namespace croupier::games
