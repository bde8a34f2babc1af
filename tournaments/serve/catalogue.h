// The games that a table can be laid for: the shipped ones, and rulesets in a folder of the user's.
#pragma once

#include "games/contract/game.h"
#include "games/registry.h"

#include <nlohmann/json_fwd.hpp>

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::serve {

// Threads share it.
class Catalogue {
  public:
    // `own`: a folder of rule files, and of folders with rules.json; empty: none. It is looked
    // through again each time somebody asks. `agents`: the folder of agents that come as files.
    Catalogue(games::Registry shipped, std::string own, engine::FileOpener open,
              std::string agents);

    struct Entry {
        std::string id;       // what a page calls it: "belote", "belote:contest", "own/uno"
        games::GameName name; // what the command line calls it
        bool own = false;
    };
    // Those of the user first, then by name, each game before its revisions.
    [[nodiscard]] std::vector<Entry> entries() const;
    // Nothing: there is no such game. An id is looked up and never taken for a path.
    [[nodiscard]] std::optional<Entry> find(std::string_view id) const;
    // The file that it is read from, which may include others.
    [[nodiscard]] std::string file_of(const Entry& entry) const;
    // The program that runs programs of CLIPS; empty: there is none.
    [[nodiscard]] const std::string& clips() const { return shipped_.clips(); }
    // Throws Refused with what the file says wrong.
    [[nodiscard]] std::shared_ptr<const games::Game>
    open(const games::GameName& name, std::span<const games::GameOption> options) const;
    // Files are called by their names alone: where they lie is nobody's business.
    [[nodiscard]] std::string without_folders(std::string text) const;

  private:
    games::Registry shipped_;
    std::string own_;
    engine::FileOpener open_;
    std::string agents_;
};

// What a page asks of a game before a table is laid.
nlohmann::ordered_json facts_json(const games::Game& game);
// Settings by name, as a page sends them. Throws Refused.
std::vector<games::GameOption> options_from(const nlohmann::json& settings);
nlohmann::ordered_json to_json(const engine::Scalar& value);

} // namespace croupier::serve
