// Tables for tests: in a folder of their own, with fixed randomness.
#pragma once

#include "agents/registry.h"
#include "games/files.h"
#include "games/registry.h"
#include "games/testing/testing.h"
#include "tournaments/replay/game_record.h"
#include "tournaments/serve/tables.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace croupier::serve {

class TestClock : public agents::Clock {
  public:
    [[nodiscard]] std::chrono::nanoseconds now() const override; // in tables_test.cpp
    // Time stands still from now on.
    void stop() { stopped_ = now(); }

  private:
    std::atomic<std::chrono::nanoseconds> stopped_{std::chrono::nanoseconds(0)}; // 0: it runs
};

class ServeTest : public testing::Test {
  protected:
    using Json = nlohmann::json;

    void SetUp() override {
        const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
        folder_ = std::filesystem::temp_directory_path() /
                  ("croupier-serve-" + std::string(test.name()) + "-" + std::to_string(::getpid()));
        std::filesystem::create_directories(folder_ / "own");
        start();
    }
    void TearDown() override {
        tables_.reset();
        std::filesystem::remove_all(folder_);
    }

    // Restarts with the stored tables.
    void start() {
        tables_.reset();
        catalogue_ = std::make_unique<Catalogue>(
            games::Registry(games::kGamesFolder, games::read_file), (folder_ / "own").string(),
            games::read_file, games::kAgentsFolder, std::vector<std::string>{"Mock=process:true"});
        const TableFolder folder(folder_ / "tables");
        ASSERT_TRUE(folder.make());
        tables_ = std::make_unique<Tables>(*catalogue_, settings(), folder);
    }
    [[nodiscard]] TableSettings settings() {
        return {.clock = clock_,
                .secret =
                    [this] {
                        const std::string number = std::to_string(++secrets_);
                        return "s" + std::string(15 - number.size(), '0') + number;
                    },
                .seed = [this] { return ++seeds_ * 2; },
                .advisers = [](const games::Game&) { return std::vector<std::string>{"random"}; },
                .think = think_,
                .gone = gone_};
    }
    // A page's request: seat 0 is mine, each other seat an agent's.
    static Json table_of(const std::string& game, std::size_t seats,
                         const std::string& agent = "random") {
        Json asked = {{"game", game}, {"seed", "7"}, {"seats", Json::array()}};
        for (std::size_t seat = 0; seat < seats; ++seat)
            asked["seats"].push_back(seat == 0 ? Json{{"who", "me"}}
                                               : Json{{"who", "agent"}, {"agent", agent}});
        return asked;
    }
    std::string lay(const Json& asked) { return tables_->lay(asked)["chair"]; }
    Json look(const std::string& chair) { return Json::parse(*tables_->look(chair).json); }
    // Waits until no agent is to move.
    Json settled(const std::string& chair) {
        for (;;) {
            const Snapshot seen = tables_->look(chair);
            Json json = Json::parse(*seen.json);
            if (!json["thinking"]) return json;
            tables_->wait(chair, seen.version, std::chrono::seconds(5));
        }
    }
    // Plays the first legal move until the end; returns the view before each of them.
    std::vector<Json> play_out(const std::string& chair) {
        std::vector<Json> seen;
        for (;;) {
            seen.push_back(settled(chair));
            if (!seen.back().contains("moves")) return seen;
            tables_->move(chair, seen.back()["ply"], seen.back()["moves"][0]["name"]);
        }
    }
    // Expects that none of the texts, which seat 0 got at these plies of a game of belote with seed
    // 7, names a card that the seat had not seen by then.
    void expect_no_hidden_card(const std::vector<std::pair<std::size_t, std::string>>& told,
                               const std::vector<std::string>& moves) const {
        const auto game = catalogue_->open({"belote", ""}, {});
        std::vector<std::string> cards;
        for (const char suit : std::string("SHDC"))
            for (const char rank : std::string("789TJQKA"))
                cards.push_back({rank, suit});
        const auto cards_in = [&](const std::string& text) {
            std::set<std::string> found;
            for (const std::string& card : cards)
                if (text.find('"' + card + '"') != std::string::npos) found.insert(card);
            return found;
        };
        tournaments::GameReplay replay(*game);
        engine::Diagnostics none;
        replay.begin({.seed = 7}, nullptr, none);
        const auto view = game->new_position();
        std::set<std::string> seen;
        std::size_t hidden = 0;
        for (std::size_t ply = 0; ply <= moves.size(); ++ply) {
            view->view_from(replay.position(), 0);
            seen.merge(cards_in(engine::write_json(view->state(), -1)));
            for (const auto& [at, text] : told) {
                if (at != ply) continue;
                for (const std::string& card : cards_in(text))
                    EXPECT_TRUE(seen.contains(card))
                        << "ply " << ply << ": " << card << " in " << text;
                hidden += cards.size() - seen.size();
            }
            if (ply == moves.size()) break;
            seen.insert(moves[ply]);
            replay.play(*replay.position().find_move(moves[ply]));
        }
        EXPECT_GT(hidden, 100U) << "there was something to hide";
    }
    void write(const std::string& name, const std::string& text) const {
        std::filesystem::create_directories((folder_ / name).parent_path());
        std::ofstream(folder_ / name) << text;
    }

    TestClock clock_;
    std::filesystem::path folder_;
    std::chrono::nanoseconds think_ = std::chrono::seconds(10);
    std::chrono::nanoseconds gone_ = std::chrono::hours(1);
    std::uint64_t seeds_ = 100;
    std::atomic<int> secrets_ = 0;
    std::unique_ptr<Catalogue> catalogue_;
    std::unique_ptr<Tables> tables_;
};

} // namespace croupier::serve
