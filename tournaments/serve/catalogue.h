// What pages may choose: games, the shipped ones and rulesets in a folder of the user's, and
// agents.
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
    // `own`: a folder of rule files, and of folders with rules.json; empty: none. It is looked
    // through again each time somebody asks. `open`: what pages may have read. `agents`: the folder
    // of agents that come as files. `programs`: agents of kind `process`, as they were named; no
    // page starts any other program.
    Catalogue(games::Registry shipped, std::string own, engine::FileOpener open, std::string agents,
              std::vector<std::string> programs = {});

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
    [[nodiscard]] const std::string& own() const { return own_; }
    [[nodiscard]] const engine::FileOpener& opener() const { return open_; }

    // The names of the programs.
    [[nodiscard]] std::vector<std::string> programs() const;
    // The program of that name as the command line takes it; nothing: there is none.
    [[nodiscard]] std::optional<std::string> program(const std::string& name) const;
    // An agent that a page names. It gets files and programs from here. Throws Refused.
    [[nodiscard]] std::unique_ptr<agents::Agent> make_agent(const std::string& spec,
                                                            agents::AgentServices around) const;
    // Files are called by their names alone: where they lie is nobody's business.
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

// What a page asks of a game before a table is laid.
nlohmann::ordered_json facts_json(const games::Game& game);
// Settings by name, as a page sends them. Throws Refused.
std::vector<games::GameOption> options_from(const nlohmann::json& settings);
nlohmann::ordered_json to_json(const engine::Scalar& value);
// A word as part of a file's name: letters, digits and _; others become -.
std::string file_word(std::string_view word, std::size_t most);

} // namespace croupier::serve
