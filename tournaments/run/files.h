// Opens files, games and agents named by the user.
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

// The whole text. Throws a UserError with the path and the problem: missing (with the nearest name
// beside it), a directory, unreadable, or above the limit.
std::string read_input(const std::string& path, std::istream& standard_input,
                       std::size_t limit = kInputLimit);

// The text of a file included by another: a regular file below the roots. Reads nothing of any
// other. Throws UserError.
std::string read_included(const std::string& path, const IncludeRoots& roots);

// Lets files include others below these folders, too.
void include_from(const std::vector<std::string>& folders, const HostServices& host);
// Opens files that the user named, and files below the folders of these, of the games and of the
// agents.
engine::FileOpener file_opener(const HostServices& host);

std::size_t count_errors(const engine::Diagnostics& diagnostics);
// "2 errors", for a message after they were printed.
std::string errors_in(const engine::Diagnostics& diagnostics);

// The entries of a folder, sorted; empty if it does not exist.
std::vector<std::filesystem::path> entries_of(const std::filesystem::path& folder);

// ---- games ----

// Parses "name=value" of --set, or throws UserError.
games::GameOption parse_setting(const std::string& setting);
// The folder that the user named, or the one that comes with the program.
std::string games_folder(const std::string& named, const HostServices& host);
std::string agents_folder(const std::string& named, const HostServices& host);
// Counts the file of a ruleset outside the folder as named by the user.
void name_game(const games::Registry& registry, const games::GameName& name,
               const HostServices& host);
// The shipped games, or those of `folder` if it is not empty.
games::Registry open_registry(const std::string& folder, const HostServices& host);
// The rule file for a word: the file itself, or that of a game by name or folder; "-" for itself.
// Throws UserError.
std::string rules_file(const std::string& word, const std::string& games_folder,
                       const HostServices& host);
// The ruleset from a file, standard input, or a game by name or folder; reports its errors. If
// there are any, throws a UserError whose message is their number.
std::unique_ptr<engine::Loaded> load_rules(const std::string& word, const std::string& games_folder,
                                           const HostServices& host);
// The same for a condition, or for a rule's condition.
std::unique_ptr<engine::Loaded> load_condition(const std::string& path, const HostServices& host);
// Throws UserError if rules are interpreted.
void need_machine_code();
// The game, or UserError after reporting the errors of its file.
std::shared_ptr<const games::Game> open_game(const games::Registry& registry,
                                             const games::GameName& name,
                                             std::span<const games::GameOption> options,
                                             const HostServices& host);

// ---- agents ----

// Names of the files *.json in a folder, sorted.
std::vector<std::string> rule_files(const std::filesystem::path& folder);
// Names of file agents of a kind, "rules" or "eval", by game.
std::map<std::string, std::vector<std::string>> shipped_agents(const std::string& folder,
                                                               std::string_view kind);

// The game's agents that can advise at once, best first, by agents/README.md. `folder` is that of
// file agents.
std::vector<std::string> quick_advisers(const games::Game& game, const std::string& folder);

// The error in the name of a file agent, as rules:tabel; nothing if it is a path, or of another
// kind.
std::optional<std::string> unknown_file(const agents::AgentSpec& spec, const games::Game& game,
                                        const std::string& agents_folder);

// Those of an agent's arguments that are file paths: a whole argument, a value, or a word of a
// command.
std::vector<std::string> files_among(std::string_view arguments);
// Counts those arguments that are files as named by the user.
void name_files(std::string_view arguments, const HostServices& host);

// The agent, or UserError after reporting the errors of its file. `folder`: of file agents; if
// empty, the shipped one. `abandon`: once it is set, programs are no longer waited for; may be
// null.
std::unique_ptr<agents::Agent> make_agent(const std::string& spec, const std::string& folder,
                                          const games::Game& game, const HostServices& host,
                                          const std::atomic<bool>* abandon,
                                          agents::RulePrograms& programs);

} // namespace croupier::tournaments
