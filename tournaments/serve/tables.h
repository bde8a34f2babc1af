// All tables that are open: who may do what there, whose turn it is to think, what is kept.
//
// Threads share it. A table is locked for moments only: agents think, and pages are drawn, on
// copies of the moves, each of which follows the game on its own (table.h).
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
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace croupier::serve {

// Does things later, on threads of its own, the earliest first.

class AlarmClock {
  public:
    using Job = std::function<void()>;

    AlarmClock(const agents::Clock& clock, std::size_t threads);
    // Waits for what is being done; what is still to come is dropped.
    ~AlarmClock();
    AlarmClock(const AlarmClock&) = delete;
    AlarmClock& operator=(const AlarmClock&) = delete;

    void after(std::chrono::nanoseconds delay, Job job);
    // Nothing more is begun.
    void stop();

  private:
    struct Entry {
        std::chrono::nanoseconds due{0};
        std::uint64_t number = 0; // jobs of the same time keep their order
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

// What tables get from the program around them: time and chance, which libraries do not have.

struct TableSettings {
    const agents::Clock& clock; // outlives the tables; threads share it
    // A text that nobody can guess, letters and digits only.
    std::function<std::string()> secret;
    std::function<std::uint64_t()> seed; // of a random deal
    // Specs of agents that can play the game at a table, the best first.
    std::function<std::vector<std::string>(const games::Game&)> advisers;
    std::chrono::nanoseconds think = std::chrono::seconds(10); // the longest for a move
    std::size_t thinkers = 4;                                  // threads
    std::size_t most_tables = 1000;                            // that are kept
};

struct OpenTable;

class Tables {
  public:
    // Games that are kept in `folder` go on.
    Tables(const Catalogue& catalogue, TableSettings settings, TableFolder folder);
    ~Tables();
    Tables(const Tables&) = delete;
    Tables& operator=(const Tables&) = delete;

    using Json = nlohmann::ordered_json;
    // Everything throws Refused.

    // The agents that can be offered for a game, by their specs.
    [[nodiscard]] std::vector<std::string> agents_for(const games::Game& game) const;
    // Lays a table as a page asks for it (README.md has the members): the chair of who asked, and
    // a code for each seat that waits for somebody.
    Json lay(const nlohmann::json& asked);
    // The chair for a code, which is spent.
    Json join(std::string_view code);

    // The chair's view.
    Snapshot look(std::string_view chair);
    // Waits until there is something new, for so long at most; false: there is not.
    bool wait(std::string_view chair, std::uint64_t version, std::chrono::milliseconds most);

    // What a person does. `ply` says which position it was meant for.
    void move(std::string_view chair, std::size_t ply, const std::string& move);
    void resign(std::string_view chair);
    void undo(std::string_view chair);
    void redo(std::string_view chair);
    // The agent that thinks plays what it has found.
    void hurry(std::string_view chair);
    void set_pace(std::string_view chair, std::uint32_t ms);
    // A new game at the same table: the same deal or another; everybody moves `on` seats on.
    void again(std::string_view chair, bool same_deal, std::size_t on);
    Json hint(std::string_view chair, std::size_t ply, const std::string& agent);
    Json why(std::string_view chair, const std::string& move);
    // Lines of the record. Not before the end of a game that hides something.
    std::string record(std::string_view chair);

    // No more thinking, nobody waits any longer. What is kept stays.
    void stop();
    [[nodiscard]] bool stopped() const { return stopped_; }

  private:
    // While it lives, `stop` also sets its flag.
    class Hurried;

    [[nodiscard]] std::shared_ptr<OpenTable> find(std::string_view chair);
    std::shared_ptr<OpenTable> open(TableSheet sheet, bool fresh);
    [[nodiscard]] std::unique_ptr<agents::Agent>
    make_agent(const std::string& spec, OpenTable& table, const std::atomic<bool>& hurry) const;
    void seat_agents(OpenTable& table) const;
    // Whether the agent at turn thinks, or is about to, and has a move at any time. Call it with
    // the table locked.
    [[nodiscard]] bool can_hurry(const OpenTable& table) const;
    void changed(const std::shared_ptr<OpenTable>& table);
    void call(const std::shared_ptr<OpenTable>& table);
    void think(const std::shared_ptr<OpenTable>& table);
    void forget_idle();
    [[nodiscard]] TableSheet sheet_from(const nlohmann::json& asked);

    const Catalogue& catalogue_;
    TableSettings settings_;
    TableFolder folder_;
    std::atomic<bool> stopped_ = false;
    std::atomic<int> hints_ = 0; // that are being thought of

    std::mutex mutex_; // of what follows
    // By table: on file alone, or open as well.
    struct Kept {
        TableSheet sheet; // as it was when the table was opened last, but for chairs
        std::shared_ptr<OpenTable> open;
        std::uint64_t used = 0;
    };
    std::map<std::string, Kept> kept_;
    std::map<std::string, std::string, std::less<>> chairs_;      // secret -> table
    std::map<std::string, std::string, std::less<>> invitations_; // code -> table
    std::uint64_t uses_ = 0;
    std::set<std::atomic<bool>*> hurries_; // of agents that are made or think for a request

    AlarmClock timer_;    // for what takes no time
    AlarmClock thinkers_; // for agents; ends first
};

} // namespace croupier::serve
