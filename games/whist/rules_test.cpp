// Whist compared with a dozen lines of plain code; single positions are in tests/.
#include "games/testing/testing.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace croupier::games {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kRanks = "23456789TJQKA";

// The index of the winner among the four.
std::size_t winner(const std::vector<std::string>& trick, char trump) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < trick.size(); ++i) {
        const bool same = trick[i][1] == trick[best][1];
        const bool higher = kRanks.find(trick[i][0]) > kRanks.find(trick[best][0]);
        if (same ? higher : trick[i][1] == trump) best = i;
    }
    return best;
}

std::vector<std::string> may_play(const Json& hand, const std::vector<std::string>& trick) {
    std::vector<std::string> cards;
    for (const auto& [card, held] : hand.items())
        cards.push_back(card);
    std::vector<std::string> following = cards;
    std::erase_if(following, [&](const std::string& card) {
        return !trick.empty() && card[1] != trick.front()[1];
    });
    return following.empty() ? cards : following;
}

void expect_played_as_by_plain_code(const char* trump_option) {
    const auto game =
        open_for_test("whist", {{"trump", engine::Scalar{std::string(trump_option)}}});
    const auto position = game->new_position();
    for (std::uint64_t deal = 0; deal < 50; ++deal) {
        Random dealt = stream(3, deal, Purpose::Deal);
        Random chance = stream(3, deal, Purpose::Play);
        Random choices = stream(3, deal, Purpose::Choice);
        position->start(dealt);
        const Json start = Json::parse(json(*position));
        ASSERT_EQ(start["hands"]["A"].count(start["turned"].get<std::string>()), 1U);
        const bool turned = trump_option == std::string("turned");
        const char trump = turned ? start["turned"].get<std::string>()[1] : '-';
        std::size_t turn = 1;
        std::vector<std::string> trick;
        std::vector<int> tricks{0, 0};
        while (position->ending() == Ending::None) {
            ASSERT_EQ(position->turn(), turn);
            const Json state = Json::parse(json(*position));
            std::vector<std::string> expected =
                may_play(state["hands"][std::string(1, "ABCD"[turn])], trick);
            std::vector<std::string> moves = legal(*position);
            std::sort(expected.begin(), expected.end());
            std::sort(moves.begin(), moves.end());
            ASSERT_EQ(moves, expected);
            const Move move = position->move(choices.below(position->move_count()));
            trick.emplace_back(position->text(move));
            turn = (turn + 1) % 4;
            if (trick.size() == 4) {
                turn = (turn + winner(trick, trump)) % 4;
                ++tricks[turn % 2];
                trick.clear();
            }
            position->play(move, chance);
        }
        for (Seat seat = 0; seat < 4; ++seat)
            EXPECT_EQ(position->score(seat), std::max(0, tricks[seat % 2] - 6));
    }
}

TEST(whist, is_played_as_by_plain_code) {
    expect_played_as_by_plain_code("turned");
}

TEST(whist, is_played_as_by_plain_code_without_trump) {
    expect_played_as_by_plain_code("none");
}

} // namespace
} // namespace croupier::games
