// Agents that the user named, and what is wrong with them.
#pragma once

#include "agents/registry.h"
#include "tournaments/cli/command.h"
#include "tournaments/cli/options.h"

#include <atomic>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::cli {

// The options that name agents, alike in every subcommand.
struct AgentArguments {
    std::vector<std::string> texts; // as often as --agents was given
    std::string folder;             // --agents-folder

    // One text holds several specs; of several texts each is one. "random" if there are none.
    [[nodiscard]] std::vector<std::string> names() const;
};
void add_agent_options(Options& options, AgentArguments& arguments);
// --agents and its like: lists of agents.
Option add_agent_list(Options& options, const std::string& name, std::vector<std::string>& agents,
                      const std::string& text);
void add_agents_folder(Options& options, std::string& folder);

// Names of the files *.json in a folder, in order.
std::vector<std::string> rule_files(const std::filesystem::path& folder);
// Names of the agents of a kind, "rules" or "eval", that come as files, by game.
std::map<std::string, std::vector<std::string>> shipped_agents(const std::string& folder,
                                                               std::string_view kind);

// What is wrong with the name of an agent that comes as a file, as in rules:tabel; nothing where it
// is a path, or of another kind.
std::optional<std::string> unknown_file(const agents::AgentSpec& spec, const games::Game& game,
                                        const std::string& agents_folder);

// Whatever of an agent's arguments is the path of a file: alone, as a value, or a word of a
// command.
std::vector<std::string> files_among(std::string_view arguments);
// Any of the arguments may be a file: then the user has named it.
void name_files(std::string_view arguments, const Context& context);

// The time of the machine, for agents that must not wait forever.
class SteadyClock : public agents::Clock {
  public:
    [[nodiscard]] std::chrono::nanoseconds now() const override;
    [[nodiscard]] Time processor() const override;
    [[nodiscard]] Time processor_of(std::int64_t process) const override;
};

// The agent, or Mistake; what its file says wrong goes to standard error.
// `abandon`: once it is set, programs are not waited for any more; null: never.
std::unique_ptr<agents::Agent> make_agent(const std::string& spec, const AgentArguments& arguments,
                                          const games::Game& game, const agents::Clock& clock,
                                          Context& context, const std::atomic<bool>* abandon,
                                          agents::RulePrograms& programs);

} // namespace croupier::cli
