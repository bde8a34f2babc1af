// One readable game per revision: the files beside the rulesets must match play.
//
// After an intended change, rewrite them and read the difference:
//   games_playthrough_test --gtest_also_run_disabled_tests --gtest_filter='*write*'
#include "games/drawing/drawer.h"
#include "games/drawing/text.h"
#include "games/testing/testing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace croupier::games {
namespace {

constexpr std::uint64_t kSeed = 1;
constexpr std::uint32_t kEvery = 10; // how often positions are drawn

std::vector<std::string> shipped() {
    std::vector<std::string> titles;
    const Registry registry("games", test_opener());
    for (const GameEntry& entry : registry.entries())
        titles.push_back(entry.title());
    return titles;
}

// "games/life/playthroughs/torus.txt"
std::string file_of(const std::string& title) {
    const GameName name = parse_game_name(title);
    return "games/" + name.game + "/playthroughs/" +
           (name.revision.empty() ? name.game : name.revision) + ".txt";
}

// Its boards, or its whole state.
std::string drawing(const Drawer& drawer, const Position& position, const Position* before) {
    const Drawing now = drawer.draw(position);
    if (now.boards.empty()) return json(position) + "\n";
    const Drawing old = before != nullptr ? drawer.draw(*before) : now;
    std::string text;
    for (std::size_t i = 0; i < now.boards.size(); ++i) {
        for (const TextLine& line : text_of(now.boards[i], &old.boards[i])) {
            for (const Stroke& stroke : line)
                text += stroke.text;
            text += "\n";
        }
    }
    return text;
}

std::string playthrough(const std::string& title) {
    const auto game = open_for_test(title);
    const Facts& facts = game->facts();
    const auto position = game->new_position();
    const auto before = game->new_position();
    const Drawer drawer(*game);
    GameStreams streams(kSeed, 0, facts.seats());
    std::string text = title + ", seed " + std::to_string(kSeed) + ", all agents random\n";
    for (const GameOption& option : facts.options)
        text += "option " + option.name + " = " + engine::scalar_json(option.value) + "\n";
    position->start(streams.deal);
    text += "\n" + drawing(drawer, *position, nullptr);
    while (position->ending() == Ending::None) {
        const std::size_t legal = position->move_count();
        const Move move = position->move(streams.choices[position->turn()].below(legal));
        const std::string number = std::to_string(position->plies() + 1);
        before->copy_from(*position);
        const std::string line = number + ". " + facts.players[position->turn()] + " " +
                                 std::string(position->text(move)) + ", one of " +
                                 std::to_string(legal) + "\n";
        position->play(move, streams.play);
        text += (position->plies() % kEvery == 1 ? "\n" : "") + line;
        const bool drawn = position->plies() % kEvery == 0 || position->ending() != Ending::None;
        if (drawn) text += "\n" + drawing(drawer, *position, before.get());
    }
    text += "\n" + std::string(name_of(position->ending()));
    for (Seat seat = 0; seat < facts.seats(); ++seat) {
        text += ", " + facts.players[seat] + " " + std::to_string(position->score(seat)) +
                " (place " + std::to_string(position->place(seat)) + ")";
    }
    return text + "\n";
}

class Playthrough : public testing::TestWithParam<std::string> {};

TEST_P(Playthrough, is_as_written) {
    std::ifstream in(file_of(GetParam()), std::ios::binary);
    ASSERT_TRUE(in) << file_of(GetParam()) << " is missing";
    const std::string written{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    const std::string now = playthrough(GetParam());
    const auto differs = std::mismatch(written.begin(), written.end(), now.begin(), now.end());
    EXPECT_TRUE(written == now) << file_of(GetParam()) << " differs from line "
                                << 1 + std::count(written.begin(), differs.first, '\n');
}

TEST_P(Playthrough, DISABLED_write) {
    std::filesystem::create_directories(std::filesystem::path(file_of(GetParam())).parent_path());
    std::ofstream(file_of(GetParam()), std::ios::binary) << playthrough(GetParam());
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
    std::string name = info.param;
    std::replace(name.begin(), name.end(), ':', '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(games, Playthrough, testing::ValuesIn(shipped()), test_name);

} // namespace
} // namespace croupier::games
