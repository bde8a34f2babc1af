// An open table: the game, its agents, and what each chair was shown.
#pragma once

#include "agents/rules/rule_program.h"
#include "games/drawing/drawer.h"
#include "tournaments/serve/table_file.h"
#include "tournaments/serve/tables.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::serve {

constexpr std::uint32_t kMaxPace = 5000; // in milliseconds

inline bool holds(const std::vector<games::Seat>& seats, games::Seat seat) {
    return std::find(seats.begin(), seats.end(), seat) != seats.end();
}

class Tables::Hurried {
  public:
    Hurried(Tables& tables, std::atomic<bool>& flag) : tables_(tables), flag_(flag) {
        const std::lock_guard lock(tables_.mutex_);
        tables_.hurries_.insert(&flag_);
        if (tables_.stopped_) flag_ = true;
    }
    ~Hurried() {
        const std::lock_guard lock(tables_.mutex_);
        tables_.hurries_.erase(&flag_);
    }
    Hurried(const Hurried&) = delete;
    Hurried& operator=(const Hurried&) = delete;

  private:
    Tables& tables_;
    std::atomic<bool>& flag_;
};

struct OpenTable {
    OpenTable(std::unique_ptr<LiveGame> its_game, TableSheet its_sheet)
        : game(its_game->shared_game()), drawer(*game), live(std::move(its_game)),
          sheet(std::move(its_sheet)) {}

    const std::shared_ptr<const games::Game> game; // the same in every deal
    const games::Drawer drawer;
    std::vector<std::string> advisers; // agents for hints
    agents::RulePrograms programs;     // shared by all agents, so that a game is solved once
    std::atomic<bool> hurry = false;   // once set, thinking agents end soon; outlives the agents

    std::mutex mutex; // guards the members below
    std::condition_variable changed;
    std::unique_ptr<LiveGame> live;
    TableSheet sheet;
    std::uint64_t version = 1;
    bool kept = true;    // whether its files could be written
    bool called = false; // an agent is about to think
    bool thinking = false;
    std::uint64_t thoughts = 0;                       // number of decisions begun
    std::vector<std::shared_ptr<SeatedAgent>> agents; // by seat, null for people
    // Pages of a chair, and the time of its last sign of life.
    struct Presence {
        int pages = 0;
        std::chrono::nanoseconds seen{0};
    };
    std::map<std::string, Presence, std::less<>> present;

    // What each chair was last shown. Lock it before `mutex`, if both.
    struct Shown {
        std::size_t deal = 0;
        std::uint64_t version = 0;
        std::map<games::Seat, std::unique_ptr<SeatedPerson>> eyes;
        games::Seat viewer = 0;
        std::shared_ptr<const std::string> json;
    };
    std::mutex looking;
    std::map<std::string, Shown, std::less<>> shown;

    // Call with `mutex` locked:
    // Pages are to be drawn anew.
    void tell() {
        ++version;
        changed.notify_all();
    }
    [[nodiscard]] Chair& chair_of(std::string_view secret) {
        return *std::find_if(sheet.chairs.begin(), sheet.chairs.end(),
                             [&](const Chair& each) { return each.secret == secret; });
    }
    [[nodiscard]] const std::vector<games::Seat>& seats_of(std::string_view chair) {
        return chair_of(chair).seats;
    }
    // Whether shares of the deal can be given: no seat waits for a person, each has shown its hash.
    [[nodiscard]] bool all_hashes() const {
        return sheet.invitations.empty() &&
               std::none_of(sheet.chairs.begin(), sheet.chairs.end(),
                            [](const Chair& each) { return each.hash.empty(); });
    }
    // The number of people that have a seat here or are invited.
    [[nodiscard]] std::size_t people() const {
        return sheet.chairs.size() + sheet.invitations.size();
    }
};

} // namespace croupier::serve
