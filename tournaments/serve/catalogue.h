// What pages may choose: shipped games, rulesets in a folder of the user, and agents.
#pragma once

#include "agents/registry.h"
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
    // `own`: a folder of rule files, and of folders with rules.json; empty if none; read again for
    // each request. `open`: reads files that pages may use. `agents`: the folder of file agents.
    // `programs`: agents of kind `process`, as the user named them; pages start no other programs.
    Catalogue(games::Registry shipped, std::string own, engine::FileOpener open, std::string agents,
              std::vector<std::string> programs = {});

    struct Entry {
        std::string id;       // used by pages: "belote", "belote:contest", "own/uno"
        games::GameName name; // used by the command line
        bool own = false;
    };
    // The user's games first, then by name, each game before its revisions.
    [[nodiscard]] std::vector<Entry> entries() const;
    // Nothing if there is no such game. An id is looked up, never used as a path.
    [[nodiscard]] std::optional<Entry> find(std::string_view id) const;
    // The file that it is read from, which may include others.
    [[nodiscard]] std::string file_of(const Entry& entry) const;
    // The program that runs CLIPS programs; empty if there is none.
    [[nodiscard]] const std::string& clips() const { return shipped_.clips(); }
    // Throws Refused with the errors of the file.
    [[nodiscard]] std::shared_ptr<const games::Game>
    open(const games::GameName& name, std::span<const games::GameOption> options) const;
    [[nodiscard]] const std::string& own() const { return own_; }
    [[nodiscard]] const engine::FileOpener& opener() const { return open_; }

    // The names of the programs.
    [[nodiscard]] std::vector<std::string> programs() const;
    // The command of the program with that name; nothing if there is none.
    [[nodiscard]] std::optional<std::string> program(const std::string& name) const;
    // An agent that a page names. Adds files and programs to the services. Throws Refused.
    [[nodiscard]] std::unique_ptr<agents::Agent> make_agent(const std::string& spec,
                                                            agents::AgentServices around) const;
    // Removes folders from file names, which clients must not see.
    [[nodiscard]] std::string without_folders(std::string text) const;

  private:
    [[noreturn]] void refuse(std::string what, const engine::Diagnostics& diagnostics,
                             const engine::Sources& sources) const;

    games::Registry shipped_;
    std::string own_;
    engine::FileOpener open_;
    std::string agents_;
    std::vector<std::string> programs_;
};

// A game's facts, for a page that sets up a table.
nlohmann::ordered_json facts_json(const games::Game& game);
// Settings by name, from a page. Throws Refused.
std::vector<games::GameOption> options_from(const nlohmann::json& settings);
nlohmann::ordered_json options_json(const std::vector<games::GameOption>& options);
// A word as part of a file name: letters, digits and _; others become -.
std::string file_word(std::string_view word, std::size_t most);

} // namespace croupier::serve
