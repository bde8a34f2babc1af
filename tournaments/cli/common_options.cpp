// Declares options shared by subcommands.
#include "tournaments/cli/common_options.h"

#include <limits>

namespace croupier::cli {

void add_games_folder(Options& options, std::string& folder) {
    options.add("--games-folder", folder, "Folder of the games, in place of the shipped one")
        .type_name("DIR")
        .offers(Offers::Folders);
}

Option add_game(Options& options, std::string& game) {
    return options
        .add("GAME", game,
             "Name of a game, its folder, or a file of rules; :REVISION for one of its revisions")
        .offers(Offers::Games);
}

void add_game_options(Options& options, tournaments::GameArguments& arguments) {
    add_game(options, arguments.game).required();
    add_game_settings(options, arguments);
}

void add_game_settings(Options& options, tournaments::GameArguments& arguments) {
    add_settings(options, "--set", arguments.set, "Set an option of the game");
    add_games_folder(options, arguments.folder);
}

void add_settings(Options& options, const std::string& name, std::vector<std::string>& set,
                  const std::string& text) {
    options.add(name, set, text).type_name("NAME=VALUE").one_value_each().offers(Offers::Setting);
}

Option add_state(Options& options, std::string& state, const std::string& text) {
    return options.add("--state", state, text).type_name("FILE").offers(Offers::Files);
}

void add_seed(Options& options, std::uint64_t& seed) {
    constexpr auto kMax =
        static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()); // JSON's limit
    options.add("--seed", seed, "Seed of all chance").range(0, kMax).type_name("N").shows_default();
}

std::vector<std::string> AgentArguments::names() const {
    if (texts.empty()) return {"random"};
    if (texts.size() != 1) return texts;
    const std::vector<std::string_view> specs = agents::split_agent_specs(texts[0]);
    return {specs.begin(), specs.end()};
}

void add_agent_options(Options& options, AgentArguments& arguments) {
    add_agent_list(options, "--agents", arguments.texts,
                   "Who plays, seat by seat; or once for each seat")
        .default_text("random");
    add_agents_folder(options, arguments.folder);
}

Option add_agent_list(Options& options, const std::string& name, std::vector<std::string>& agents,
                      const std::string& text) {
    return options.add(name, agents, text)
        .type_name("AGENT,..")
        .one_value_each()
        .offers(Offers::Agents);
}

void add_agents_folder(Options& options, std::string& folder) {
    options
        .add("--agents-folder", folder,
             "Folder of the agents that are files, in place of the shipped one")
        .type_name("DIR")
        .offers(Offers::Folders);
}

void add_profile(Options& options, std::string& profile) {
    options.add("--profile", profile, "Watch what rules cost; full is every step and entry")
        .one_of({"sample", "full", "off"})
        .type_name("HOW")
        .shows_default();
}

void add_faults(Options& options, std::string& faults) {
    options
        .add("--faults", faults,
             "What an agent's fault counts as; stop is a loss that also ends the run")
        .one_of({"loss", "void", "stop"})
        .type_name("HOW")
        .default_text("loss");
}

void add_starts(Options& options, std::string& starts) {
    options.add("--starts", starts, "Begin games with the positions of this file")
        .type_name("FILE[,order=random]")
        .offers(Offers::Files);
}

void add_threads(Options& options, std::size_t& threads) {
    options.add("-j,--threads", threads, "Games to play at once")
        .range(1, 1024)
        .type_name("N")
        .default_text("all cores");
}

Option add_out(Options& options, std::string& folder, const std::string& text) {
    return options.add("-o,--out", folder, text).type_name("DIR").offers(Offers::Folders);
}

void add_progress(Options& options, std::string& progress) {
    options.add("--progress", progress, "Show progress")
        .one_of({"auto", "plain", "none"})
        .type_name("HOW")
        .shows_default();
}

} // namespace croupier::cli
