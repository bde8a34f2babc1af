// All tables that are open: who may do what there, whose turn it is to think, what is kept.
//
// Threads share it. A table is locked for moments only: agents think, and pages are drawn, on
// copies of the moves, each of which follows the game on its own (seat_course.h).
#pragma once

#include "tournaments/serve/alarm_clock.h"
#include "tournaments/serve/catalogue.h"
#include "tournaments/serve/lent.h"
#include "tournaments/serve/table_file.h"

#include <nlohmann/json_fwd.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace croupier::serve {

struct OpenTable;

class Tables {
  public:
    // Games that are kept in `folder` go on.
    Tables(const Catalogue& catalogue, Lent lent, TableFolder folder);
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

    // What who sits on that chair sees, and the number of that state.
    struct Seen {
        std::uint64_t version = 0;
        std::shared_ptr<const std::string> json;
    };
    Seen look(std::string_view chair);
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
    Lent lent_;
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
