// A game in progress: what may be taken back, what its record says, how agents follow it.
#include "tournaments/serve/seat_course.h"
#include "tournaments/serve/table.h"
#include "tournaments/serve/table_file.h"
#include "tournaments/serve/testing.h"

#include "agents/random/random_agent.h"
#include "games/testing/testing.h"

#include <nlohmann/json.hpp>

namespace croupier::serve {

std::chrono::nanoseconds TestClock::now() const {
    return std::chrono::steady_clock::now().time_since_epoch();
}

namespace {

std::shared_ptr<const games::Game> game_named(const std::string& name) {
    const games::Registry registry(games::kGamesFolder, games::read_file);
    return registry.open(games::parse_game_name(name)).game;
}

Table two_players(const std::string& game) {
    return {game_named(game), game, "", 3, {std::string(kHuman), "random"}};
}

std::string first_move(const Table& table) {
    return std::string(table.position().text(table.position().move(0)));
}

TEST(table, an_undo_goes_back_before_my_move_and_a_redo_makes_the_same_again) {
    Table table = two_players("life");
    const auto begin = table.position().hash();
    EXPECT_TRUE(table.why_no_undo({0}).has_value()) << "nothing has been played";
    EXPECT_TRUE(table.play(first_move(table)));
    EXPECT_TRUE(table.play(first_move(table)));
    const auto after = table.position().hash();
    const std::vector<std::string> moves = table.moves();
    ASSERT_FALSE(table.why_no_undo({0}));
    table.undo({0});
    EXPECT_EQ(table.position().hash(), begin);
    EXPECT_TRUE(table.can_redo());
    table.redo();
    EXPECT_EQ(table.position().hash(), after);
    EXPECT_EQ(table.moves(), moves);
    table.undo({0});
    table.play(std::string(table.position().text(table.position().move(1))));
    EXPECT_FALSE(table.can_redo()) << "the game has gone another way";
}

TEST(table, nothing_is_taken_back_in_a_game_that_hides_something) {
    Table table(game_named("oldmaid"), "oldmaid", "", 3, {"human", "random", "random", "random"});
    while (table.turn() != games::Seat{0})
        table.play(first_move(table));
    table.play(first_move(table));
    EXPECT_TRUE(table.why_no_undo({0}).has_value());
}

TEST(table, another_persons_move_is_not_taken_back) {
    Table table(game_named("life"), "life", "", 3, {"human", "human"});
    table.play(first_move(table));
    EXPECT_FALSE(table.why_no_undo({0}));
    table.play(first_move(table));
    EXPECT_TRUE(table.why_no_undo({0}).has_value());
    EXPECT_FALSE(table.why_no_undo({1}));
    EXPECT_FALSE(table.why_no_undo({0, 1})) << "who plays both may";
}

TEST(table, a_record_is_written_line_by_line_and_anew_after_an_undo) {
    Table table = two_players("life");
    Table::RecordLines lines = table.take_record_lines();
    EXPECT_TRUE(lines.anew);
    EXPECT_EQ(lines.lines.size(), 1U) << "the header";
    table.play(first_move(table));
    lines = table.take_record_lines();
    EXPECT_FALSE(lines.anew);
    EXPECT_EQ(lines.lines.size(), 1U);
    table.undo({0});
    lines = table.take_record_lines();
    EXPECT_TRUE(lines.anew);
    EXPECT_EQ(lines.lines.size(), 1U);
    table.resign(0);
    lines = table.take_record_lines();
    ASSERT_EQ(lines.lines.size(), 1U);
    EXPECT_NE(lines.lines[0].find(R"("end":"resigned","player":"B")"), std::string::npos);
}

TEST(table, an_illegal_move_changes_nothing) {
    Table table = two_players("life");
    const auto before = table.position().hash();
    EXPECT_FALSE(table.play("zz9"));
    EXPECT_FALSE(table.play(""));
    EXPECT_EQ(table.position().hash(), before);
    EXPECT_TRUE(table.moves().empty());
}

TEST(seat_course, an_agent_chooses_the_same_however_often_it_was_interrupted) {
    const auto game = game_named("belote");
    std::vector<std::string> moves;
    Table table(game, "belote", "", 5, std::vector<std::string>(4, "random"));
    std::vector<std::unique_ptr<SeatedAgent>> agents;
    for (games::Seat seat = 0; seat < 4; ++seat)
        agents.push_back(
            std::make_unique<SeatedAgent>(*game, seat, 5, std::make_unique<agents::RandomAgent>()));
    int asked = 0;
    while (!table.ended()) {
        const games::Seat seat = *table.turn();
        const std::string choice = agents[seat]->choose(table.moves()).move;
        SeatedAgent late(*game, seat, 5, std::make_unique<agents::RandomAgent>());
        EXPECT_EQ(late.choose(table.moves()).move, choice);
        ASSERT_TRUE(table.play(choice));
        ++asked;
    }
    EXPECT_GT(asked, 30);
}

TEST(table_file, a_sheet_whose_members_do_not_agree_is_none) {
    using nlohmann::json;
    TableSheet sheet{"belote-1", 1, "belote", "", {}, 3, true, {}, {}, {}, 100};
    sheet.agents = {"human", "random", "human", "random"};
    sheet.chairs = {{"secret", {0}}};
    sheet.invitations = {{"code", 2}};
    const json good = json::parse(sheet_text(sheet));
    EXPECT_TRUE(read_sheet(good.dump()));
    for (const auto& [member, value] : std::initializer_list<std::pair<const char*, json>>{
             {"/chairs/0/seats", {4}},        // there are four
             {"/chairs/0/seats", {-1}},       //
             {"/chairs/0/seats", {0.5}},      //
             {"/chairs/0/seats", {1}},        // an agent's
             {"/chairs/0/seats", {0, 2}},     // awaited as well
             {"/chairs/0/seats", {0, 0}},     //
             {"/chairs/0/seats", json(5)},    //
             {"/chairs/0/seats", {}},         // would see what the other holds
             {"/chairs", json::array()},      //
             {"/invitations/0/seat", 4},      //
             {"/invitations/0/seat", 1},      //
             {"/invitations", json::array()}, // seat 2 waits for nobody
             {"/agents", {"human"}},
             {"/deal", -1},
             {"/seed", -1},
             {"/seed", 1e30},
             {"/pace_ms", 4294967296},
             {"/options", nullptr},
             {"/game", 7}}) {
        json damaged = good;
        damaged[json::json_pointer(member)] = value;
        EXPECT_EQ(read_sheet(damaged.dump()).has_value(), member == std::string("/options"))
            << member << " " << value;
    }
    EXPECT_EQ(read_sheet(good.dump(1).replace(0, 1, "[")), std::nullopt);
}

TEST(table_file, damaged_ones_are_named_beside_the_others) {
    const std::filesystem::path path = std::filesystem::temp_directory_path() /
                                       ("croupier-table-file-" + std::to_string(::getpid()));
    const TableFolder folder(path);
    ASSERT_TRUE(folder.make());
    ASSERT_TRUE(folder.keep(
        {"life-1", 1, "life", "", {}, 3, true, {"random", "random"}, {{"secret", {}}}, {}, 0}));
    std::ofstream(path / "life-2.table.json") << "{}";
    const TableFolder::Read read = folder.read();
    EXPECT_EQ(read.sheets.size(), 1U);
    EXPECT_EQ(read.damaged, (std::vector{path / "life-2.table.json"}));
    std::filesystem::remove_all(path);
}

TEST(table_file, a_record_whose_end_names_no_player_goes_on) {
    TableSheet sheet{"life-1", 1, "life", "", {}, 3, true, {"human", "random"}, {}, {}, 0};
    for (const char* end : {R"({"end":"resigned","player":5})", R"({"end":7})", "[]", "{"}) {
        const auto table = restored(game_named("life"), sheet, end);
        ASSERT_NE(table, nullptr) << end;
        EXPECT_FALSE(table->ended()) << end;
    }
    EXPECT_TRUE(restored(game_named("life"), sheet, R"({"end":"resigned","player":"B"})")->ended());
}

} // namespace
} // namespace croupier::serve
