// Tables without HTTP: who sees what, who may do what, what stays when the program ends.
#include "agents/game_runner.h"
#include "agents/random/random_agent.h"
#include "games/testing/testing.h"
#include "results/store/file.h"
#include "tournaments/replay/game_record.h"
#include "tournaments/serve/fair_deal.h"
#include "tournaments/serve/refused.h"
#include "tournaments/serve/table_file.h"
#include "tournaments/serve/testing.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <thread>

namespace croupier::serve {

// A game in progress: what may be taken back, what its record says, how agents follow it.

std::chrono::nanoseconds TestClock::now() const {
    const std::chrono::nanoseconds stopped = stopped_;
    return stopped.count() != 0 ? stopped : std::chrono::steady_clock::now().time_since_epoch();
}

namespace {

std::shared_ptr<const games::Game> game_named(const std::string& name) {
    const games::Registry registry(games::kGamesFolder, games::read_file);
    return registry.open(games::parse_game_name(name)).game;
}

LiveGame two_players(const std::string& game) {
    return {game_named(game), {{}, game, "", 3, nullptr, {"human", "random"}}};
}

std::string first_move(const LiveGame& table) {
    return std::string(table.position().text(table.position().move(0)));
}

TEST(table, an_undo_goes_back_before_my_move_and_a_redo_makes_the_same_again) {
    LiveGame table = two_players("life");
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
    LiveGame table(game_named("oldmaid"),
                   {{}, "oldmaid", "", 3, nullptr, {"human", "random", "random", "random"}});
    while (table.turn() != games::Seat{0})
        table.play(first_move(table));
    table.play(first_move(table));
    EXPECT_TRUE(table.why_no_undo({0}).has_value());
}

TEST(table, another_persons_move_is_not_taken_back) {
    LiveGame table(game_named("life"), {{}, "life", "", 3, nullptr, {"human", "human"}});
    table.play(first_move(table));
    EXPECT_FALSE(table.why_no_undo({0}));
    table.play(first_move(table));
    EXPECT_TRUE(table.why_no_undo({0}).has_value());
    EXPECT_FALSE(table.why_no_undo({1}));
    EXPECT_FALSE(table.why_no_undo({0, 1})) << "who plays both may";
}

TEST(table, a_record_is_written_line_by_line_and_anew_after_an_undo) {
    LiveGame table = two_players("life");
    LiveGame::RecordLines lines = table.take_record_lines();
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
    LiveGame table = two_players("life");
    const auto before = table.position().hash();
    EXPECT_FALSE(table.play("zz9"));
    EXPECT_FALSE(table.play(""));
    EXPECT_EQ(table.position().hash(), before);
    EXPECT_TRUE(table.moves().empty());
}

TEST(seat_course, an_agent_chooses_the_same_however_often_it_was_interrupted) {
    const auto game = game_named("belote");
    std::vector<std::string> moves;
    LiveGame table(game, {{}, "belote", "", 5, nullptr, std::vector<std::string>(4, "random")});
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

TEST(seat_course, an_agent_is_told_of_moves_as_in_a_run) {
    struct Witness : agents::Agent {
        explicit Witness(std::string& into) : all(into) {}
        void reset(const games::Game&, games::Seat) override {}
        std::size_t choose(const games::Position&, games::Random&) override { return 0; }
        [[nodiscard]] bool observes() const override { return true; }
        void observe(const games::Position&, const agents::ObservedMove& seen) override {
            all += fmt::format("{} {} {} {}\n", seen.player, seen.move, seen.number, seen.secret);
        }
        std::string& all;
    };
    const auto game = games::open_for_test("exchange");
    std::array<std::string, 4> told;
    std::array<std::string, 4> in_run;
    std::array<std::unique_ptr<Witness>, 4> witnesses;
    std::array<agents::Agent*, 4> seated{};
    LiveGame table(game, {{}, "exchange", "", 5, nullptr, std::vector<std::string>(4, "random")});
    std::vector<std::unique_ptr<SeatedAgent>> agents;
    for (games::Seat seat = 0; seat < 4; ++seat) {
        witnesses[seat] = std::make_unique<Witness>(in_run[seat]);
        seated[seat] = witnesses[seat].get();
        agents.push_back(
            std::make_unique<SeatedAgent>(*game, seat, 5, std::make_unique<Witness>(told[seat])));
    }
    agents::GameRunner(*game).play(seated, {.seed = 5});
    while (!table.ended())
        ASSERT_TRUE(table.play(agents[*table.turn()]->choose(table.moves()).move));
    for (games::Seat seat = 0; seat < 4; ++seat) {
        agents[seat]->ends(table.moves(), {});
        EXPECT_EQ(told[seat], in_run[seat]);
        EXPECT_NE(told[seat].find("true"), std::string::npos);
    }
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

namespace {

using Json = nlohmann::json;

template <class Call>
std::string refusal(const Call& call) {
    try {
        call();
    } catch (const Refused& refused) {
        return refused.what();
    }
    return "";
}

class TablesTest : public ServeTest {};

TEST_F(TablesTest, a_whole_game_is_played_against_agents_and_its_record_is_complete) {
    for (const auto& [name, seats] : {std::pair{"belote", 4U},
                                      {"coinche", 4U},
                                      {"tarot", 4U},
                                      {"oldmaid", 4U},
                                      {"subtraction", 2U},
                                      {"krk", 2U},
                                      {"whist", 4U}}) {
        const std::string chair = lay(table_of(name, seats));
        const std::vector<Json> seen = play_out(chair);
        EXPECT_TRUE(seen.back()["end"].is_object()) << name;
        EXPECT_EQ(seen.back()["end"]["results"].size(), seats) << name;
        const std::string record = tables_->record(chair);
        EXPECT_EQ(tournaments::moves_in(record).size(), seen.back()["ply"]) << name;
        EXPECT_NE(record.find("\n{\"end\":\""), std::string::npos) << name;
    }
}

TEST_F(TablesTest, a_game_of_two_thousand_moves_goes_on_from_its_record) {
    write("own/long.json", R"({"game": {"name": "long", "players": ["A", "B"], "max_plies": 3000},
        "state": {"left": 2001, "turn": "A"},
        "moves": [{"action": {"moves": {"one": true, "1": true}}}],
        "play": [{"condition": {"left": "$L"}, "action": {"left": "$L - 1"}},
                 {"condition": {"left": 0}, "action": {"over": true}}],
        "score": [{"action": {"score": {"A": 1, "B": 0}}}]})");
    const std::string chair = lay(table_of("own/long", 2));
    for (int ply = 0; ply < 2000; ++ply)
        tables_->move(chair, ply, "one");
    const Json before = look(chair);
    EXPECT_LT(before.dump().size(), 10'000U) << "a page is told of the last moves alone";
    start();
    EXPECT_EQ(settled(chair)["ply"], 2000);
    EXPECT_EQ(settled(chair)["scene"], before["scene"]);
    tables_->undo(chair);
    EXPECT_EQ(settled(chair)["ply"], 1999);
    tables_->redo(chair);
    tables_->move(chair, 2000, "1");
    EXPECT_EQ(settled(chair)["end"]["text"], "The game is over");
    EXPECT_EQ(tournaments::moves_in(tables_->record(chair)).size(), 2001U);
}

TEST_F(TablesTest, a_page_is_told_of_no_card_that_its_seat_has_not_seen) {
    const std::string chair = lay(table_of("belote", 4));
    std::vector<std::pair<std::size_t, std::string>> told; // ply and text
    for (;;) {
        settled(chair);
        const std::string text = *tables_->look(chair).json;
        const Json json = Json::parse(text);
        told.emplace_back(json["ply"], text);
        if (!json.contains("moves")) break;
        told.emplace_back(json["ply"], tables_->why(chair, json["moves"][0]["name"]).dump());
        told.emplace_back(json["ply"], tables_->hint(chair, json["ply"], "random").dump());
        tables_->move(chair, json["ply"], json["moves"].back()["name"]);
    }
    ASSERT_GT(told.size(), 15U);
    expect_no_hidden_card(told, tournaments::moves_in(tables_->record(chair)));
}

TEST_F(TablesTest, the_seed_of_a_random_deal_is_told_after_the_end) {
    Json asked = table_of("belote", 4);
    asked.erase("seed");
    const std::string chair = lay(asked);
    EXPECT_FALSE(settled(chair).contains("seed"));
    EXPECT_NE(refusal([&] { tables_->record(chair); }), "") << "it tells what everybody holds";
    EXPECT_TRUE(play_out(chair).back().contains("seed"));
    EXPECT_NE(tables_->record(chair), "");
}

TEST_F(TablesTest, games_go_on_where_they_were_when_the_program_is_started_again) {
    const std::string chair = lay(table_of("belote", 4));
    Json before = settled(chair);
    tables_->move(chair, before["ply"], before["moves"][0]["name"]);
    before = settled(chair);
    start();
    Json after = settled(chair);
    EXPECT_GT(after["version"], before["version"]) << "a page takes no state for one that it has";
    before.erase("version");
    after.erase("version");
    EXPECT_EQ(after, before);
    EXPECT_TRUE(play_out(chair).back()["end"].is_object());
    start();
    EXPECT_TRUE(look(chair)["end"].is_object());
}

TEST_F(TablesTest, a_line_that_was_cut_off_is_played_again) {
    const std::string chair = lay(table_of("life", 2));
    Json seen = settled(chair);
    tables_->move(chair, seen["ply"], seen["moves"][0]["name"]);
    seen = settled(chair);
    tables_.reset();
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / "tables"))
        if (entry.path().extension() == ".jsonl")
            std::filesystem::resize_file(entry.path(),
                                         std::filesystem::file_size(entry.path()) - 20);
    start();
    const Json after = settled(chair);
    EXPECT_EQ(after["made"], seen["made"]) << "the agent has moved as it did";
}

TEST_F(TablesTest, a_game_that_was_resigned_stays_so) {
    const std::string chair = lay(table_of("life", 2));
    settled(chair);
    tables_->resign(chair);
    const Json before = look(chair);
    EXPECT_EQ(before["end"]["results"][0]["place"], 2);
    start();
    EXPECT_EQ(look(chair)["end"], before["end"]);
}

TEST_F(TablesTest, a_seat_goes_to_an_agent_and_back) {
    const std::string chair = lay(table_of("belote", 4));
    Json seen = settled(chair);
    EXPECT_NE(refusal([&] { tables_->back(chair); }), "") << "it was not left";
    EXPECT_NE(refusal([&] { tables_->leave(chair, "human"); }), "");
    EXPECT_NE(refusal([&] { tables_->leave(chair, "nobody"); }), "");
    EXPECT_FALSE(look(chair).contains("away")) << "nothing has happened";
    // The seat comes back before the agent has moved.
    tables_->set_pace(chair, 5000);
    clock_.stop();
    tables_->leave(chair, "random");
    const Json away = look(chair);
    EXPECT_EQ(away["away"], "random");
    EXPECT_FALSE(away.contains("moves"));
    EXPECT_NE(refusal([&] { tables_->move(chair, seen["ply"], seen["moves"][0]["name"]); }), "");
    EXPECT_NE(refusal([&] { tables_->hint(chair, seen["ply"], ""); }), "");
    tables_->back(chair);
    tables_->move(chair, seen["ply"], seen["moves"][0]["name"]);
    EXPECT_EQ(look(chair)["ply"], seen["ply"].get<int>() + 1);
}

TEST_F(TablesTest, who_held_a_seat_is_in_the_record_and_outlives_a_restart) {
    Json asked = table_of("life", 2);
    asked["seats"][1] = {{"who", "person"}};
    const Json laid = tables_->lay(asked);
    const std::string host = laid["chair"];
    const std::string guest = tables_->join(std::string(laid["invitations"][0]["code"]))["chair"];
    const auto move = [&](const std::string& chair) {
        const Json seen = settled(chair);
        ASSERT_TRUE(seen.contains("moves")) << seen["status"];
        tables_->move(chair, seen["ply"], seen["moves"][0]["name"]);
    };
    move(host);
    tables_->leave(host, "");
    EXPECT_EQ(look(host)["away"], "random") << "the best that is known";
    move(guest);
    move(guest); // the agent has moved between
    settled(guest);
    tables_->back(host);
    EXPECT_EQ(settled(host)["turn"], 1) << "the agent had moved";
    tables_->leave(host, "random");
    start();
    EXPECT_EQ(settled(host)["away"], "random");
    move(guest);
    settled(guest);
    tables_->back(host);
    move(guest);
    move(host);
    std::string held;
    const std::string record = tables_->record(host);
    for (const auto& [each, agent] : tournaments::played_in(record))
        held += agent.empty() ? '.' : 'a';
    EXPECT_EQ(held, "..a.a.a..");
    start();
    EXPECT_EQ(settled(guest)["ply"], 9);
    EXPECT_FALSE(look(host).contains("away"));
    move(guest);
    EXPECT_TRUE(tables_->record(host).starts_with(record)) << "read and written as it was";
}

TEST_F(TablesTest, an_agent_plays_for_whoever_is_gone_where_others_wait) {
    gone_ = std::chrono::nanoseconds(0);
    start();
    Json asked = table_of("belote", 4);
    asked["seats"][2] = {{"who", "person"}};
    const Json laid = tables_->lay(asked);
    const std::string host = laid["chair"];
    const std::string guest = tables_->join(std::string(laid["invitations"][0]["code"]))["chair"];
    const auto agent_of = [&](std::size_t seat) {
        return look(host)["seats"][seat].value("agent", "");
    };
    EXPECT_EQ(agent_of(0) + agent_of(2), "") << "nobody waits";
    std::shared_ptr<void> page = tables_->enter(host);
    while (agent_of(2).empty()) // its page was never there
        tables_->wait(host, look(host)["version"], std::chrono::milliseconds(20));
    EXPECT_EQ(agent_of(0), "");
    EXPECT_EQ(look(guest)["away"], "random");
    page.reset(); // before the tables go
    start();
    page = tables_->enter(host);
    EXPECT_EQ(look(guest)["away"], "random") << "after a restart as well";
    std::shared_ptr<void> other = tables_->enter(guest);
    EXPECT_EQ(agent_of(2), "") << "back at once";
    tables_->leave(guest, "random");
    other.reset();
    other = tables_->enter(guest);
    EXPECT_EQ(agent_of(2), "random") << "left by intent: it comes back by intent";
    page.reset();
    while (agent_of(0).empty())
        tables_->wait(host, look(host)["version"], std::chrono::milliseconds(20));
    other.reset();
}

TEST_F(TablesTest, a_person_alone_is_waited_for) {
    gone_ = std::chrono::nanoseconds(0);
    start();
    const std::string chair = lay(table_of("life", 2));
    tables_->enter(chair).reset();
    tables_->here(chair);
    EXPECT_TRUE(settled(chair).contains("moves"));
    EXPECT_FALSE(look(chair).contains("away"));
}

TEST(fair_deal, a_hash_and_a_seed_are_what_any_other_program_gives) {
    EXPECT_EQ(hash_of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_TRUE(is_hash(hash_of("")));
    EXPECT_FALSE(is_hash(std::string(64, 'g')));
    const std::vector<tournaments::Share> shares = {{"host", "", "one"}, {"A", "", "two"}};
    EXPECT_EQ(seed_of(shares), 0xc3f9c8c283a2b1f2U >> 1) << "printf 'one\\ntwo\\n' | sha256sum";
}

class FairDeal : public TablesTest {
  protected:
    void SetUp() override {
        TablesTest::SetUp();
        Json asked = table_of("belote", 4);
        asked.erase("seed");
        asked["seats"][2] = {{"who", "person"}};
        asked["fair"] = true;
        const Json laid = tables_->lay(asked);
        host_ = laid["chair"];
        code_ = laid["invitations"][0]["code"];
    }
    [[nodiscard]] std::string need(const std::string& chair) {
        return look(chair)["shares"]["need"];
    }
    // What a page notes: the chair's share, and each position.
    void note(const std::string& chair, const std::string& share, std::vector<std::string>& lines) {
        const Json seen = settled(chair);
        if (!seen["shares"]["dealt"]) {
            Json first = seen["shares"]["head"];
            first["shares"] = seen["shares"]["hashes"];
            first["share"] = share;
            // Its first member tells what it is.
            nlohmann::ordered_json line = {{"seats", first["seats"]}};
            line.update(nlohmann::ordered_json(first));
            lines.push_back(line.dump());
            return;
        }
        std::size_t known = 0;
        for (std::size_t i = 1; i < lines.size(); ++i)
            known = Json::parse(lines[i])["ply"];
        const std::size_t ply = seen["ply"];
        if (lines.size() > 1 && ply == known) return;
        Json made = Json::array();
        for (std::size_t i = known; i < ply; ++i)
            made.push_back(seen["made"][seen["made"].size() - (ply - i)]["name"]);
        Json line = {{"ply", ply},
                     {"viewer", seen["seats"][seen["viewer"].get<std::size_t>()]["name"]},
                     {"made", made},
                     {"scene", seen["scene"]}};
        for (const Json& move : seen.value("moves", Json::array()))
            line["moves"].push_back(move["name"]);
        lines.push_back(line.dump());
    }
    [[nodiscard]] SeatCheck checked(const std::vector<std::string>& own,
                                    const std::string& record) {
        std::string text;
        for (const std::string& line : own)
            text += line + "\n";
        const auto records = tournaments::split_records("seat.jsonl", text + record);
        EXPECT_TRUE(is_seat_record(records.at(0)));
        const auto header = tournaments::read_header(records.at(1));
        return check_seat(records[0], records[1], header.header,
                          catalogue_->open({"belote", ""}, {}));
    }
    std::string host_;
    std::string code_;
};

TEST_F(FairDeal, is_dealt_when_all_have_given_a_share_and_each_can_prove_it) {
    EXPECT_EQ(need(host_), "hash");
    EXPECT_FALSE(look(host_).contains("moves"));
    EXPECT_TRUE(look(host_)["scene"]["piles"].empty()) << "nothing is dealt";
    EXPECT_NE(refusal([&] { tables_->give_hash(host_, "abc"); }), "");
    tables_->give_hash(host_, hash_of("mine"));
    EXPECT_NE(refusal([&] { tables_->give_hash(host_, hash_of("other")); }), "");
    EXPECT_NE(refusal([&] { tables_->give_share(host_, "mine"); }), "") << "a seat is open";
    const std::string guest = tables_->join(code_)["chair"];
    EXPECT_NE(refusal([&] { tables_->join(code_); }), "") << "two claim one seat";
    EXPECT_EQ(need(host_), "");
    tables_->give_hash(guest, hash_of("yours"));
    start(); // what was given is kept
    EXPECT_EQ(need(guest), "share");
    std::vector<std::string> own;
    note(guest, "yours", own);
    EXPECT_EQ(refusal([&] { tables_->give_share(guest, "his"); }),
              "This share does not fit its hash.");
    for (const std::function<void()>& act : std::vector<std::function<void()>>{
             [&] { tables_->move(host_, 0, "pass"); }, [&] { tables_->resign(host_); },
             [&] { tables_->leave(host_, ""); }, [&] { tables_->hint(host_, 0, ""); },
             [&] { tables_->record(host_); }})
        EXPECT_NE(refusal(act), "") << "nothing is dealt";
    tables_->give_share(guest, "yours");
    EXPECT_FALSE(look(host_)["shares"]["dealt"]);
    tables_->give_share(host_, "mine");
    EXPECT_TRUE(look(host_)["shares"]["dealt"]);
    EXPECT_NE(refusal([&] { tables_->give_share(host_, "mine"); }), "");
    start();
    for (;;) {
        note(guest, "yours", own);
        const Json seen = settled(guest);
        const Json other = settled(host_);
        if (seen["end"].is_object()) break;
        if (seen.contains("moves"))
            tables_->move(guest, seen["ply"], seen["moves"].back()["name"]);
        else if (other.contains("moves"))
            tables_->move(host_, other["ply"], other["moves"].back()["name"]);
    }
    const std::string record = tables_->record(guest);
    const SeatCheck good = checked(own, record);
    EXPECT_EQ(good.wrong, std::nullopt);
    EXPECT_EQ(good.players, (std::vector<std::string>{"C"}));
    EXPECT_EQ(good.sharers, (std::vector<std::string>{"host", "A", "C"}));
    EXPECT_EQ(good.shown, own.size() - 1);
    EXPECT_GT(good.shown, 10U);

    // What a host or a page might change.
    const auto wrong = [&](const std::vector<std::string>& lines, const std::string& opened) {
        return checked(lines, opened).wrong.value_or("");
    };
    const auto replaced = [](std::string text, const std::string& from, const std::string& to) {
        const std::size_t at = text.find(from);
        EXPECT_NE(at, std::string::npos) << from;
        return at == std::string::npos ? text : text.replace(at, from.size(), to);
    };
    EXPECT_EQ(wrong(own, replaced(record, R"("share":"mine")", R"("share":"mind")")),
              "the share of A does not fit its hash");
    EXPECT_EQ(wrong(own, replaced(record, look(host_)["seed"].get<std::string>() + ",", "1,")),
              "the seed is not what the shares give");
    EXPECT_EQ(wrong(own, replaced(record, R"("agents":)", R"("start":{"number":0},"agents":)")),
              "the game does not begin with the seed's deal");
    std::vector<std::string> lines = own;
    lines[0] = replaced(own[0], hash_of("mine"), hash_of("mind"));
    EXPECT_NE(wrong(lines, record).find("hashes shown before the deal"), std::string::npos);
    lines[0] = replaced(own[0], R"("share":"yours")", R"("share":"hers")");
    EXPECT_NE(wrong(lines, record).find("opened share of C"), std::string::npos);
    lines[0] = replaced(own[0], R"("game":"belote")", R"("game":"coinche")");
    EXPECT_NE(wrong(lines, record).find("game differs"), std::string::npos);
    lines = own;
    Json shown = Json::parse(own[3]);
    shown["scene"]["piles"][2]["cards"][0]["name"] = "zz";
    lines[3] = shown.dump();
    EXPECT_NE(wrong(lines, record).find("C was shown another table"), std::string::npos);
    shown = Json::parse(own[3]);
    shown["viewer"] = "B";
    lines[3] = shown.dump();
    EXPECT_NE(wrong(lines, record).find("another player's view"), std::string::npos);
    shown["viewer"] = "C";
    shown["made"][0] = "zz";
    lines[3] = shown.dump();
    EXPECT_NE(wrong(lines, record).find("was shown as 'zz'"), std::string::npos);
    for (std::size_t i = 1; i < own.size(); ++i) {
        shown = Json::parse(own[i]);
        if (!shown.contains("moves") || i == 3) continue;
        shown["moves"].push_back("zz");
        lines = own;
        lines[i] = shown.dump();
        EXPECT_NE(wrong(lines, record).find("other moves were offered"), std::string::npos);
    }
    lines = own;
    lines.erase(lines.begin() + 2); // the page was away, so the next line does not tell all
    EXPECT_EQ(checked(lines, record).wrong, std::nullopt);
    lines = own;
    lines[2] = "{}";
    EXPECT_THROW(wrong(lines, record), tournaments::UserError);
}

TEST_F(FairDeal, is_for_people_who_have_something_to_hide) {
    Json asked = table_of("life", 2);
    asked["fair"] = true;
    EXPECT_NE(refusal([&] { tables_->lay(asked); }), "") << "a seed is named";
    asked.erase("seed");
    EXPECT_NE(refusal([&] { tables_->lay(asked); }), "") << "nothing is hidden";
    asked = table_of("belote", 4);
    asked.erase("seed");
    asked["seats"][0] = asked["seats"][1];
    asked["fair"] = true;
    EXPECT_NE(refusal([&] { tables_->lay(asked); }), "") << "nobody would check";
    const std::string chair = lay(table_of("belote", 4));
    EXPECT_NE(refusal([&] { tables_->give_hash(chair, hash_of("x")); }), "");
}

TEST_F(FairDeal, a_new_deal_takes_new_shares) {
    const std::string guest = tables_->join(code_)["chair"];
    const auto give = [&](const std::string& word) {
        tables_->give_hash(host_, hash_of("a" + word));
        tables_->give_hash(guest, hash_of("b" + word));
        tables_->give_share(guest, "b" + word);
        tables_->give_share(host_, "a" + word);
    };
    give("1");
    tables_->resign(host_);
    const std::string seed = look(host_)["seed"];
    EXPECT_NE(refusal([&] { tables_->again(host_, true, 0); }), "") << "all know the shares";
    tables_->again(host_, false, 0);
    EXPECT_EQ(need(guest), "hash");
    EXPECT_FALSE(look(host_)["end"].is_object());
    give("2");
    tables_->resign(host_);
    EXPECT_NE(look(host_)["seed"], seed);
}

TEST_F(TablesTest, an_invitation_gives_one_seat_to_one_person) {
    Json asked = table_of("belote", 4);
    asked["seats"][2] = {{"who", "person"}};
    const Json laid = tables_->lay(asked);
    const std::string host = laid["chair"];
    const std::string code = laid["invitations"][0]["code"];
    EXPECT_EQ(look(host)["open"][0]["code"], code) << "after a reload as well";
    const std::string guest = tables_->join(code)["chair"];
    EXPECT_NE(refusal([&] { tables_->join(code); }), "");
    EXPECT_TRUE(look(host)["open"].empty());
    EXPECT_EQ(settled(guest)["viewer"], 2);
    const auto hand = [&](const std::string& chair, std::size_t seat) {
        const Json seen = look(chair);
        for (const Json& pile : seen["scene"]["piles"])
            if (pile.value("hand", 99U) == seat) return pile;
        return Json();
    };
    EXPECT_TRUE(hand(guest, 2).contains("cards"));
    EXPECT_TRUE(hand(guest, 0).contains("hidden"));
    EXPECT_TRUE(hand(host, 2).contains("hidden"));
    // Each moves for himself alone.
    const Json seen = settled(host);
    const std::string other = seen["turn"] == 0 ? guest : host;
    EXPECT_EQ(refusal([&] { tables_->move(other, seen["ply"], "pass"); }), "It is not your turn.");
    start();
    EXPECT_EQ(settled(guest)["viewer"], 2);
    EXPECT_NE(refusal([&] { tables_->join(code); }), "") << "nor after a restart";
}

TEST_F(TablesTest, who_sits_nowhere_may_not_look_at_others) {
    Json asked = table_of("belote", 4);
    asked["seats"][0] = {{"who", "person"}};
    EXPECT_NE(refusal([&] { lay(asked); }), "");
    asked["seats"][0] = {{"who", "agent"}, {"agent", "random"}};
    const std::string chair = lay(asked); // nobody there to look at
    EXPECT_TRUE(settled(chair)["end"].is_object());
}

TEST_F(TablesTest, a_move_for_a_position_that_is_gone_is_none) {
    const std::string chair = lay(table_of("life", 2));
    const Json seen = settled(chair);
    tables_->move(chair, seen["ply"], seen["moves"][0]["name"]);
    EXPECT_NE(refusal([&] { tables_->move(chair, seen["ply"], seen["moves"][1]["name"]); }), "");
    const Json next = settled(chair);
    EXPECT_EQ(refusal([&] { tables_->move(chair, next["ply"], "a99"); }),
              "That move is not legal.");
    EXPECT_EQ(look(chair)["ply"], next["ply"]);
}

TEST_F(TablesTest, what_is_taken_back_can_be_made_again) {
    const std::string chair = lay(table_of("life", 2));
    const Json begin = settled(chair);
    tables_->move(chair, begin["ply"], begin["moves"][0]["name"]);
    const Json after = settled(chair);
    tables_->undo(chair);
    EXPECT_EQ(settled(chair)["scene"], begin["scene"]);
    EXPECT_TRUE(look(chair)["redo"]);
    tables_->redo(chair);
    EXPECT_EQ(settled(chair)["scene"], after["scene"]);
    EXPECT_EQ(look(chair)["made"], after["made"]);
}

TEST_F(TablesTest, what_chance_has_decided_is_not_taken_back) {
    write("own/dice.json", R"J({"game": {"name": "dice", "players": ["A", "B"]},
        "state": {"turn": "A", "eyes": 0, "left": 9},
        "moves": [{"action": {"moves": {"hold": true, "roll": true}}}],
        "play": [{"condition": {"move": "roll", "left": "$L"}, "action": {"eyes": "$L * 0 + random(6)"}},
                 {"condition": {"left": "$L"}, "action": {"left": "$L - 1"}},
                 {"condition": {"left": 0}, "action": {"over": true}}],
        "score": [{"action": {"score": {"A": 1, "B": 0}}}]})J");
    const std::string chair = lay(table_of("own/dice", 2));
    tables_->move(chair, 0, "hold");
    EXPECT_TRUE(look(chair)["undo"]);
    tables_->move(chair, 1, "roll");
    EXPECT_FALSE(look(chair)["undo"]);
    EXPECT_NE(refusal([&] { tables_->undo(chair); }), "");
    tables_->move(chair, 2, "hold");
    tables_->undo(chair);
    EXPECT_EQ(look(chair)["ply"], 2) << "what was decided by nobody but me";
}

TEST_F(TablesTest, the_same_deal_can_be_played_from_another_seat) {
    const std::string chair = lay(table_of("belote", 4));
    const Json first = settled(chair);
    tables_->again(chair, true, 1);
    const Json second = settled(chair);
    EXPECT_EQ(second["viewer"], 1);
    EXPECT_EQ(second["deal"], 2);
    EXPECT_EQ(second["seed"], first["seed"]);
    tables_->again(chair, false, 0);
    EXPECT_EQ(settled(chair)["viewer"], 1);
    EXPECT_FALSE(look(chair).contains("seed")) << "a random deal";
}

TEST_F(TablesTest, no_page_starts_a_program) {
    const std::string file = (folder_ / "started").string();
    for (const std::string& spec :
         {"process:touch " + file, "X=process:touch " + file,
          "mix:bid=(process:touch " + file + "),play=random",
          "mcts:playouts=1,policy=(process:touch " + file + ")", std::string("human")}) {
        Json asked = table_of("belote", 4);
        asked["seats"][1]["agent"] = spec;
        EXPECT_NE(refusal([&] { lay(asked); }), "") << spec;
    }
    EXPECT_FALSE(std::filesystem::exists(file));
    // One that was named may play; this one ends at once, and the game by its fault.
    Json asked = table_of("life", 2);
    asked["seats"][1]["agent"] = "Mock";
    const std::string chair = lay(asked);
    const Json seen = settled(chair);
    tables_->move(chair, seen["ply"], seen["moves"][0]["name"]);
    const Json end = settled(chair)["end"];
    ASSERT_TRUE(end.is_object());
    EXPECT_EQ(end["results"][0]["place"], 1);
}

TEST_F(TablesTest, an_agent_that_would_think_for_hours_is_hurried) {
    think_ = std::chrono::milliseconds(100);
    start();
    struct Asked {
        const char* game;
        std::size_t seats;
        const char* agent;
    };
    for (const auto& [game, seats, agent] :
         {Asked{"krk", 2, "mcts:playouts=100000000"},
          Asked{"whist", 4, "pimc:dd=1000,nodes=1000000000000"}}) {
        const std::string chair = lay(table_of(game, seats, agent));
        const Json seen = settled(chair);
        tables_->move(chair, seen["ply"], seen["moves"][0]["name"]);
        EXPECT_GE(settled(chair)["ply"], 2);
        const Json hint = tables_->hint(chair, look(chair)["ply"], agent);
        EXPECT_TRUE(hint.contains("move"));
    }
}

TEST_F(TablesTest, a_refused_agent_is_not_told_by_where_files_lie) {
    start();
    const std::string chair = lay(table_of("whist", 4, "random"));
    const Json seen = settled(chair);
    for (const char* agent :
         {"rules:nobody", "advice:nobody", "rules:table,x=1", "eval:nobody.json"}) {
        const std::string why = refusal([&] { tables_->hint(chair, seen["ply"], agent); });
        EXPECT_NE(why, "") << agent;
        EXPECT_EQ(why.find(games::kAgentsFolder), std::string::npos) << why;
        EXPECT_EQ(why.find(games::kGamesFolder), std::string::npos) << why;
    }
}

TEST_F(TablesTest, who_thinks_plays_when_told_to_and_at_the_end) {
    const std::string endless = "mcts:playouts=100000000";
    think_ = std::chrono::hours(24);
    start();
    const std::string chair = lay(table_of("krk", 2, endless));
    Json seen = settled(chair);
    const auto hurried = [&] { return refusal([&] { tables_->hurry(chair); }); };
    EXPECT_NE(hurried(), "") << "nobody thinks";
    tables_->move(chair, seen["ply"], seen["moves"][0]["name"]);
    seen = look(chair);
    EXPECT_TRUE(seen["hurry"]);
    for (; seen["thinking"]; seen = look(chair)) // it may not have begun yet
        hurried();
    EXPECT_EQ(seen["ply"], 2);
    // Three are advised, so a fourth is refused; the end lets go of them.
    std::vector<std::jthread> advised;
    advised.reserve(3);
    for (int i = 0; i < 3; ++i)
        advised.emplace_back([&] {
            while (!tables_->stopped() &&
                   !refusal([&] { tables_->hint(chair, 2, endless); }).empty()) {
            }
        });
    while (refusal([&] { tables_->hint(chair, 2, "random"); }).empty()) {
    }
    tables_->stop();
}

TEST_F(TablesTest, what_makes_no_sense_is_refused) {
    const auto laid = [&](const Json& asked) { return refusal([&] { lay(asked); }); };
    EXPECT_NE(laid(Json::array()), "");
    EXPECT_NE(laid({{"game", "nothing"}}), "");
    EXPECT_NE(laid({{"game", "../../etc/passwd"}}), "");
    EXPECT_NE(laid({{"game", 5}}), "");
    EXPECT_NE(laid({{"game", "life"}, {"seats", "x"}}), "");
    EXPECT_NE(laid({{"game", "life"}, {"seats", {{{"who", "me"}}}}}), "") << "one seat too few";
    EXPECT_NE(laid(table_of("life", 2, "tablebase:positions=1000")), "") << "too large";
    Json asked = table_of("life", 2);
    asked["seed"] = "-1";
    EXPECT_NE(laid(asked), "");
    asked["seed"] = "18446744073709551615";
    EXPECT_NE(laid(asked), "");
    asked["seed"] = 7.5;
    EXPECT_EQ(laid(asked), "A seed is a whole number of at least 0.");
    asked["seed"] = 7;
    EXPECT_EQ(laid(asked), "");
    asked = table_of("life", 2);
    asked["options"] = {{"nonsense", "1"}};
    EXPECT_NE(laid(asked), "");
    EXPECT_NE(refusal([&] { look("nobody"); }), "");
    EXPECT_NE(refusal([&] { look(""); }), "");
}

TEST_F(TablesTest, a_ruleset_that_was_put_into_the_folder_is_there_at_once) {
    EXPECT_FALSE(catalogue_->find("own/crowded"));
    const std::string life = std::filesystem::absolute(games::kGamesFolder + "/life/rules.json");
    write("own/crowded.json", R"({"@include": ")" + life + R"(", "game": {"revision": "crowded"},
        "patterns": {"dies": {"_": "$N < 2 || $N > 4"}}})");
    ASSERT_TRUE(catalogue_->find("own/crowded"));
    const std::string chair = lay(table_of("own/crowded", 2));
    EXPECT_TRUE(settled(chair).contains("moves"));
    write("own/broken.json", R"({"game": )");
    EXPECT_NE(refusal([&] { lay(table_of("own/broken", 2)); }).find("broken.json:1"),
              std::string::npos);
    // A game whose rules have changed meanwhile is not played on.
    Json seen = settled(chair);
    tables_->move(chair, seen["ply"], seen["moves"][0]["name"]);
    settled(chair);
    write("own/crowded.json", R"({"@include": ")" + life + R"(", "@include@shape": 3})");
    start();
    EXPECT_NE(refusal([&] { look(chair); }), "");
}

TEST_F(TablesTest, names_with_markup_stay_names) {
    write("own/markup.json", R"({"game": {"name": "<b>m</b>", "players": ["<i>A</i>", "B&\""]},
        "state": {"turn": "<i>A</i>", "left": 3},
        "moves": [{"action": {"moves": {"<script>x</script>": true}}}],
        "play": [{"condition": {"left": "$L"}, "action": {"left": "$L - 1"}},
                 {"condition": {"left": 0}, "action": {"over": true}}],
        "score": [{"action": {"score": {"<i>A</i>": 1, "B&\"": 0}}}]})");
    const std::string chair = lay(table_of("own/markup", 2));
    const Json seen = settled(chair);
    EXPECT_EQ(seen["seats"][0]["name"], "<i>A</i>");
    EXPECT_EQ(seen["moves"][0]["name"], "<script>x</script>");
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / "tables"))
        EXPECT_EQ(entry.path().filename().string().find('<'), std::string::npos);
}

} // namespace

} // namespace croupier::serve
