// All open tables: permissions, the thinking agents, and what is stored.
//
// Threads share it. A table is locked only briefly: agents think, and pages are drawn, on copies of
// the moves, each of which follows the game independently (table.h).
#pragma once

#include "agents/registry.h"
#include "games/contract/game.h"
#include "tournaments/serve/catalogue.h"
#include "tournaments/serve/route_handler.h"
#include "tournaments/serve/table_file.h"

#include <nlohmann/json_fwd.hpp>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace croupier::serve {

// Runs jobs later, on threads of its own, earliest first.

class AlarmClock {
  public:
    using Job = std::function<void()>;

    AlarmClock(const agents::Clock& clock, std::size_t threads);
    // Waits for running jobs; drops pending ones.
    ~AlarmClock();
    AlarmClock(const AlarmClock&) = delete;
    AlarmClock& operator=(const AlarmClock&) = delete;

    void after(std::chrono::nanoseconds delay, Job job);
    // Begins no more jobs.
    void stop();

  private:
    struct Entry {
        std::chrono::nanoseconds due{0};
        std::uint64_t number = 0; // jobs for the same time keep their order
        Job job;
    };
    void work();

    const agents::Clock& clock_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<Entry> entries_;
    std::uint64_t numbers_ = 0;
    bool stopped_ = false;
    std::vector<std::jthread> threads_;
};

// The services of the program for tables: time and randomness, which libraries do not have.

struct TableSettings {
    const agents::Clock& clock; // outlives the tables; threads share it
    // A text that cannot be guessed, of letters and digits.
    std::function<std::string()> secret;
    std::function<std::uint64_t()> seed; // of a random deal
    // Specs of agents that can play the game at a table, best first.
    std::function<std::vector<std::string>(const games::Game&)> advisers;
    std::chrono::nanoseconds think = std::chrono::seconds(10); // limit for a move
    std::size_t thinkers = 4;                                  // threads
    std::size_t most_tables = 1000;                            // limit of kept tables
    // A page that has given no sign of life for so long is gone. Browsers wake hidden pages once a
    // minute.
    std::chrono::nanoseconds gone = std::chrono::seconds(75);
};

struct OpenTable;

class Tables {
  public:
    // Games stored in `folder` continue.
    Tables(const Catalogue& catalogue, TableSettings settings, TableFolder folder);
    ~Tables();
    Tables(const Tables&) = delete;
    Tables& operator=(const Tables&) = delete;

    using Json = nlohmann::ordered_json;
    // All functions throw Refused.

    // Specs of the agents that can be offered for a game.
    [[nodiscard]] std::vector<std::string> agents_for(const games::Game& game) const;
    // Creates a table as requested by a page (README.md lists the members). Returns the caller's
    // chair, and a code for each seat of another person.
    Json lay(const nlohmann::json& asked);
    // Exchanges a code for a chair; the code is then used up.
    Json join(std::string_view code);

    // The chair's view.
    Snapshot look(std::string_view chair);
    // Waits at most `most` for something new; false if there is nothing.
    bool wait(std::string_view chair, std::uint64_t version, std::chrono::milliseconds most);

    // Shares of a deal that nobody chooses (fair_deal.h): hashes first, and when all are there, the
    // shares. With the last one the cards are dealt.
    void give_hash(std::string_view chair, const std::string& hash);
    void give_share(std::string_view chair, const std::string& share);

    // Actions of a person. `ply` is the position that the move is for.
    void move(std::string_view chair, std::size_t ply, const std::string& move);
    void resign(std::string_view chair);
    void undo(std::string_view chair);
    void redo(std::string_view chair);
    // From now on an agent plays for the chair, until it comes back; "": the best that is known.
    void leave(std::string_view chair, const std::string& agent);
    void back(std::string_view chair);
    // A page shows the chair for as long as it has what is returned, which the tables outlive; a
    // hidden page is `here` now and then. Where others are at the table, an agent plays for a chair
    // whose pages are gone, until one shows it again.
    [[nodiscard]] std::shared_ptr<void> enter(std::string_view chair);
    void here(std::string_view chair);
    // Makes the thinking agent play the best move found so far.
    void hurry(std::string_view chair);
    void set_pace(std::string_view chair, std::uint32_t ms);
    // Starts a new game at the same table, with the same deal or another; all players move by `on`
    // seats.
    void again(std::string_view chair, bool same_deal, std::size_t on);
    Json hint(std::string_view chair, std::size_t ply, const std::string& agent);
    Json why(std::string_view chair, const std::string& move);
    // The record's lines. In a game with hidden parts only after the end.
    std::string record(std::string_view chair);

    // Stops thinking and waiting. Stored data stay.
    void stop();
    [[nodiscard]] bool stopped() const { return stopped_; }

  private:
    // Registers a flag for `stop` to set, during its lifetime.
    class Hurried;

    [[nodiscard]] std::shared_ptr<OpenTable> find(std::string_view chair);
    std::shared_ptr<OpenTable> open(TableSheet sheet, bool fresh);
    [[nodiscard]] std::unique_ptr<agents::Agent>
    make_agent(const std::string& spec, OpenTable& table, const std::atomic<bool>& hurry) const;
    // That agent; for "" the best that is known, whose spec `spec` becomes.
    [[nodiscard]] std::unique_ptr<agents::Agent> make_adviser(std::string& spec, OpenTable& table,
                                                              const std::atomic<bool>& hurry) const;
    void seat_agents(OpenTable& table) const;
    // Call with the table locked. No agent: the person plays again.
    void hand_over(const std::shared_ptr<OpenTable>& table, Chair& chair,
                   std::optional<std::string> agent, bool gone = false);
    // Looks later whether pages are gone.
    void watch(const std::shared_ptr<OpenTable>& table);
    void replace_gone(const std::shared_ptr<OpenTable>& table);
    // Whether the agent to move thinks, or is about to, and can be told to move at once. Call with
    // the table locked.
    [[nodiscard]] bool can_hurry(const OpenTable& table) const;
    // A new game at the table. Call with the table locked.
    void deal(const std::shared_ptr<OpenTable>& table, TableSheet sheet);
    void changed(const std::shared_ptr<OpenTable>& table);
    void call(const std::shared_ptr<OpenTable>& table);
    void think(const std::shared_ptr<OpenTable>& table);
    void forget_idle();
    [[nodiscard]] TableSheet sheet_from(const nlohmann::json& asked);

    const Catalogue& catalogue_;
    TableSettings settings_;
    TableFolder folder_;
    std::atomic<bool> stopped_ = false;
    std::atomic<int> hints_ = 0; // being computed

    std::mutex mutex_; // guards the members below
    // By table: stored, and perhaps open.
    struct Kept {
        TableSheet sheet; // as of the last opening, except chairs
        std::shared_ptr<OpenTable> open;
        std::uint64_t used = 0;
    };
    std::map<std::string, Kept> kept_;
    std::map<std::string, std::string, std::less<>> chairs_;      // secret -> table
    std::map<std::string, std::string, std::less<>> invitations_; // code -> table
    std::uint64_t uses_ = 0;
    std::set<std::atomic<bool>*> hurries_; // of agents made or thinking for a request

    AlarmClock timer_;    // for short jobs
    AlarmClock thinkers_; // for agents; ends first
};

} // namespace croupier::serve
