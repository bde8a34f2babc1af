// Options shared by several subcommands.
#pragma once

#include "tournaments/cli/options.h"
#include "tournaments/run/named_game.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace croupier::cli {

// ---- games ----

// GAME, a positional argument.
Option add_game(Options& options, std::string& game);
void add_game_options(Options& options, tournaments::GameArguments& arguments);
// All of these except the name of the game.
void add_game_settings(Options& options, tournaments::GameArguments& arguments);
// Adds --set or a similar option.
void add_settings(Options& options, const std::string& name, std::vector<std::string>& set,
                  const std::string& text);
// --state: a file with a position.
Option add_state(Options& options, std::string& state,
                 const std::string& text = "File with the position, or RUN:BLOCK.GAME:PLY");
// --games-folder
void add_games_folder(Options& options, std::string& folder);
// --seed, limited to values that records can hold.
void add_seed(Options& options, std::uint64_t& seed);

// ---- agents ----

// The options that name agents.
struct AgentArguments {
    std::vector<std::string> texts; // one per --agents
    std::string folder;             // --agents-folder

    // A single text holds several specs; with several texts, each is one spec. "random" if there
    // are none.
    [[nodiscard]] std::vector<std::string> names() const;
};
void add_agent_options(Options& options, AgentArguments& arguments);
// Adds --agents or a similar option: a list of agents.
Option add_agent_list(Options& options, const std::string& name, std::vector<std::string>& agents,
                      const std::string& text);
void add_agents_folder(Options& options, std::string& folder);

// ---- how to play ----

void add_faults(Options& options, std::string& faults);     // --faults
void add_starts(Options& options, std::string& starts);     // --starts
void add_threads(Options& options, std::size_t& threads);   // --threads, -j
void add_progress(Options& options, std::string& progress); // --progress
void add_profile(Options& options, std::string& profile);   // --profile
// --out, -o: a folder.
Option add_out(Options& options, std::string& folder, const std::string& text);

} // namespace croupier::cli
