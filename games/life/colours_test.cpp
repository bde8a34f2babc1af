// Life for three and four against a plain loop, and the positions that they begin with.
#include "games/testing/testing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::games {
namespace {

constexpr int kSide = 19;

using Cell = std::pair<int, int>; // column and row
using Stones = std::map<Cell, char>;

Stones stones_of(const Position& position) {
    const engine::Document state = position.state();
    Stones stones;
    for (const engine::Member& stone : state.find("board")->value.members)
        stones[{stone.key[0] - 'a', std::stoi(stone.key.substr(1)) - 1}] = stone.value.text()[0];
    return stones;
}

// Which colour most of the stones around the cell have, if one does, and how many stones there are.
struct Around {
    int stones = 0;
    char most = ' ';
    std::string missing; // colours that none of them has
};

Around around(const Stones& stones, Cell cell, std::string_view colours) {
    std::map<char, int> count;
    Around result;
    for (int x = cell.first - 1; x <= cell.first + 1; ++x) {
        for (int y = cell.second - 1; y <= cell.second + 1; ++y) {
            const auto stone = stones.find({x, y});
            if (stone == stones.end() || Cell{x, y} == cell) continue;
            ++count[stone->second];
            ++result.stones;
        }
    }
    for (const char colour : colours) {
        if (count[colour] == 0) result.missing += colour;
        const bool leads = std::all_of(colours.begin(), colours.end(), [&](char other) {
            return other == colour || count[other] < count[colour];
        });
        if (leads) result.most = colour;
    }
    return result;
}

Stones tick(const Stones& stones, std::string_view colours, char mover, const std::string& tie) {
    Stones next;
    for (int x = 0; x < kSide; ++x) {
        for (int y = 0; y < kSide; ++y) {
            const Around near = around(stones, {x, y}, colours);
            const auto stone = stones.find({x, y});
            if (stone != stones.end()) {
                if (near.stones == 2 || near.stones == 3)
                    next[{x, y}] = near.most != ' ' ? near.most : stone->second;
            } else if (near.stones == 3) {
                const char born = near.most != ' '  ? near.most
                                  : tie == "mover"  ? mover
                                  : tie == "fourth" ? near.missing[0]
                                                    : ' ';
                if (born != ' ') next[{x, y}] = born;
            }
        }
    }
    return next;
}

// A game of the loop: who is out, with which place, and whose turn it is.
struct Loop {
    std::string colours;
    std::string tie;
    Stones stones;
    std::map<char, int> out;
    std::size_t turn = 0;
    int ties = 0; // births that three colours had a part in

    [[nodiscard]] bool has(char colour) const {
        return std::any_of(stones.begin(), stones.end(),
                           [&](const auto& each) { return each.second == colour; });
    }
    [[nodiscard]] bool over() const { return out.size() + 1 >= colours.size(); }

    void play(Cell cell) {
        stones[cell] = colours[turn];
        for (int x = 0; x < kSide; ++x) {
            for (int y = 0; y < kSide; ++y) {
                const Around near = around(stones, {x, y}, colours);
                ties += !stones.contains({x, y}) && near.stones == 3 && near.most == ' ' ? 1 : 0;
            }
        }
        stones = tick(stones, colours, colours[turn], tie);
        int left = 0;
        for (const char colour : colours)
            left += has(colour) && !out.contains(colour) ? 1 : 0;
        for (const char colour : colours)
            if (!has(colour)) out.try_emplace(colour, left + 1);
        if (left == 0) return;
        do
            turn = (turn + 1) % colours.size();
        while (out.contains(colours[turn]));
    }
};

struct Sample {
    int ties = 0;
    int outs = 0;  // players who were out before the game was over
    int games = 0; // that came to an end
};

Sample compare_colours(const std::string& title, const std::string& colours, const std::string& tie,
                       std::uint64_t games) {
    const auto game = open_for_test(title, {{"tie", tie}});
    const auto position = game->new_position();
    Sample sample;
    for (std::uint64_t deal = 0; deal < games; ++deal) {
        Random random = stream(21, deal, Purpose::Choice);
        position->start(random);
        Loop loop{colours, tie, stones_of(*position), {}, 0, 0};
        while (position->ending() == Ending::None && position->plies() < 250) {
            EXPECT_EQ(colours[loop.turn], game->facts().players[position->turn()][0]);
            const Move move = position->move(random.below(position->move_count()));
            const std::string name(position->text(move));
            loop.play({name[0] - 'a', std::stoi(name.substr(1)) - 1});
            position->play(move, random);
            EXPECT_EQ(stones_of(*position), loop.stones) << title << " " << tie << " " << name;
            EXPECT_EQ(position->ending() == Ending::Over, loop.over());
            if (testing::Test::HasFailure()) return sample;
        }
        sample.ties += loop.ties;
        if (position->ending() != Ending::Over) continue;
        ++sample.games;
        sample.outs += static_cast<int>(loop.out.size());
        for (Seat seat = 0; seat < colours.size(); ++seat) {
            const auto out = loop.out.find(colours[seat]);
            const int place = out == loop.out.end() ? 1 : out->second;
            EXPECT_EQ(position->place(seat), static_cast<std::uint32_t>(place));
        }
    }
    return sample;
}

TEST(life_colours, three_and_four_play_as_a_loop_over_cells_does) {
    for (const std::string tie : {"mover", "none"}) {
        const Sample three = compare_colours("life:three", "BWR", tie, 4);
        EXPECT_GT(three.ties, 20);
        EXPECT_GE(three.games, 1) << "the end was never reached";
        EXPECT_GE(three.outs, 2 * three.games);
    }
    for (const std::string tie : {"mover", "none", "fourth"}) {
        const Sample four = compare_colours("life:four", "BWRG", tie, 3);
        EXPECT_GT(four.ties, 20);
        EXPECT_GE(four.games, 1) << "the end was never reached";
    }
}

Stones first_stones(const std::string& title) {
    const auto game = open_for_test(title);
    const auto position = game->new_position();
    Random random(1);
    position->start(random);
    return stones_of(*position);
}

TEST(life_colours, nobody_is_better_off_in_the_beginning_than_by_moving_first) {
    const Stones four = first_stones("life:four");
    Stones turned; // by a quarter, and everybody's stones with the next player's
    const std::map<char, char> next = {{'B', 'W'}, {'W', 'R'}, {'R', 'G'}, {'G', 'B'}};
    for (const auto& [cell, colour] : four)
        turned[{kSide - 1 - cell.second, cell.first}] = next.at(colour);
    EXPECT_EQ(turned, four);
    EXPECT_EQ(four.size(), 36U);

    const Stones stable = first_stones("life:stable");
    Stones half; // a turn by a half, and the colours swapped
    for (const auto& [cell, colour] : stable)
        half[{kSide - 1 - cell.first, kSide - 1 - cell.second}] = colour == 'B' ? 'W' : 'B';
    EXPECT_EQ(half, stable);

    std::map<char, int> count;
    for (const auto& [cell, colour] : first_stones("life:three"))
        ++count[colour];
    EXPECT_EQ(count, (std::map<char, int>{{'B', 10}, {'R', 10}, {'W', 10}}));
}

TEST(life_colours, the_first_stones_stand_still_until_somebody_drops_one) {
    for (const auto& [title, colours] : {std::pair{"life:three", "BWR"}, {"life:four", "BWRG"}}) {
        const Stones stones = first_stones(title);
        EXPECT_EQ(tick(stones, colours, 'B', "mover"), stones) << title;
    }
}

} // namespace
} // namespace croupier::games
