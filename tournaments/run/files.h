// Files, games and agents that the user named.
#pragma once

#include "agents/registry.h"
#include "engine/api/ruleset.h"
#include "games/registry.h"
#include "tournaments/run/host.h"

#include <cstddef>
#include <iosfwd>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::tournaments {

using engine::did_you_mean;

constexpr std::size_t kInputLimit = std::size_t{256} << 20;
constexpr std::size_t kIncludeLimit = std::size_t{64} << 20;

// The whole text. Throws UserError with the path and what is wrong: missing (with the nearest name
// beside it), a directory, unreadable, or larger than the limit.
std::string read_input(const std::string& path, std::istream& standard_input,
                       std::size_t limit = kInputLimit);

// The text of a file that another file asks for: a regular file below the roots. Nothing of any
// other is read. Throws UserError.
std::string read_included(const std::string& path, const IncludeRoots& roots);

// Opens what was named, and of all else what lies below the folders of that, of the games and of
// the agents.
engine::FileOpener file_opener(const HostServices& host);

std::size_t count_errors(const engine::Diagnostics& diagnostics);
// "2 errors", once they are told.
std::string errors_in(const engine::Diagnostics& diagnostics);

// What lies in a folder, in order; nothing if there is none.
std::vector<std::filesystem::path> entries_of(const std::filesystem::path& folder);

// ---- games ----

// "name=value" of --set, or UserError.
games::GameOption parse_setting(const std::string& setting);
// The folder that the user named, or what comes with the program.
std::string games_folder(const std::string& named, const HostServices& host);
std::string agents_folder(const std::string& named, const HostServices& host);
// Takes the file of a ruleset outside the folder as one that the user has named.
void name_game(const games::Registry& registry, const games::GameName& name,
               const HostServices& host);
// The shipped games, or those of `folder`, if that is not empty.
games::Registry open_registry(const std::string& folder, const HostServices& host);
// The file of rules that a word names: itself, or that of a game by name or folder, as everywhere;
// "-" is itself. Throws UserError.
std::string rules_file(const std::string& word, const std::string& games_folder,
                       const HostServices& host);
// The ruleset of a file, of standard input, or of a game by name or folder; what is wrong with it
// is told. Throws UserError, whose message is the number of errors, when it has any.
std::unique_ptr<engine::Loaded> load_rules(const std::string& word, const std::string& games_folder,
                                           const HostServices& host);
// The same of a condition, or of a rule whose condition is meant.
std::unique_ptr<engine::Loaded> load_condition(const std::string& path, const HostServices& host);
// Throws UserError where rules are interpreted.
void need_machine_code();
// The game, or UserError; what its file says wrong is told before.
std::shared_ptr<const games::Game> open_game(const games::Registry& registry,
                                             const games::GameName& name,
                                             std::span<const games::GameOption> options,
                                             const HostServices& host);

// ---- agents ----

// Names of the files *.json in a folder, in order.
std::vector<std::string> rule_files(const std::filesystem::path& folder);
// Names of the agents of a kind, "rules" or "eval", that come as files, by game.
std::map<std::string, std::vector<std::string>> shipped_agents(const std::string& folder,
                                                               std::string_view kind);

// What agents the game has for somebody who wants advice at once, the best that is known first: by
// agents/README.md. `folder` is that of agents that come as files.
std::vector<std::string> quick_advisers(const games::Game& game, const std::string& folder);

// What is wrong with the name of an agent that comes as a file, as in rules:tabel; nothing where it
// is a path, or of another kind.
std::optional<std::string> unknown_file(const agents::AgentSpec& spec, const games::Game& game,
                                        const std::string& agents_folder);

// Whatever of an agent's arguments is the path of a file: alone, as a value, or a word of a
// command.
std::vector<std::string> files_among(std::string_view arguments);
// Any of the arguments may be a file: then the user has named it.
void name_files(std::string_view arguments, const HostServices& host);

// The agent, or UserError; what its file says wrong is told before. `folder`: of the agents that
// are files; empty: the shipped one. `abandon`: once it is set, programs are not waited for any
// more; null: never.
std::unique_ptr<agents::Agent> make_agent(const std::string& spec, const std::string& folder,
                                          const games::Game& game, const HostServices& host,
                                          const std::atomic<bool>* abandon,
                                          agents::RulePrograms& programs);

} // namespace croupier::tournaments
