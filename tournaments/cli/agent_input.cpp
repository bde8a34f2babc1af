// Makes agents for the subcommands.
#include "tournaments/cli/agent_input.h"

#include "agents/advice/advice_agent.h"
#include "games/ruleset/ruleset_game.h"
#include "tournaments/cli/game_input.h"
#include "tournaments/cli/input.h"
#include "tournaments/cli/rules_input.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <time.h> // clocks of processes, which <ctime> has not

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace croupier::cli {

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

std::vector<std::string> rule_files(const std::filesystem::path& folder) {
    std::vector<std::string> names;
    std::error_code ignored;
    for (std::filesystem::directory_iterator entry(folder, ignored), end; !ignored && entry != end;
         entry.increment(ignored))
        if (entry->path().extension() == ".json") names.push_back(entry->path().stem().string());
    std::sort(names.begin(), names.end());
    return names;
}

std::map<std::string, std::vector<std::string>> shipped_agents(const std::string& folder,
                                                               std::string_view kind) {
    std::map<std::string, std::vector<std::string>> shipped;
    std::error_code ignored;
    for (std::filesystem::directory_iterator entry(std::filesystem::path(folder) / kind, ignored),
         end;
         !ignored && entry != end; entry.increment(ignored)) {
        std::vector<std::string> names = rule_files(entry->path());
        if (!names.empty()) shipped[entry->path().filename().string()] = std::move(names);
    }
    return shipped;
}

std::optional<std::string> unknown_file(const agents::AgentSpec& spec, const games::Game& game,
                                        const std::string& agents_folder) {
    const std::string word = spec.arguments.substr(0, agents::first_piece(spec.arguments));
    const bool path = word.find('/') != std::string::npos || word.ends_with(".json");
    if (word.empty() || path || word.find('=') != std::string::npos) return std::nullopt;
    std::vector<std::string> known;
    if (spec.kind == "rules" || spec.kind == "eval") {
        const std::filesystem::path all(agents_folder);
        known = rule_files(all / spec.kind / game.facts().name);
    } else if (spec.kind == "advice" && game.ruleset_game() != nullptr) {
        const std::filesystem::path table(agents::table_file(word, *game.ruleset_game()));
        known = rule_files(table.parent_path());
    } else {
        return std::nullopt;
    }
    if (std::find(known.begin(), known.end(), word) != known.end()) return std::nullopt;
    const std::string& name = game.facts().name;
    if (known.empty())
        return fmt::format("no {} agent comes with {}: name a file, as in {}:my/{}.json", spec.kind,
                           name, spec.kind, word);
    return fmt::format("there is no agent {}:{} for {}{}; known: {}", spec.kind, word, name,
                       did_you_mean(word, known), fmt::join(known, ", "));
}

std::vector<std::string> files_among(std::string_view arguments) {
    std::vector<std::string> files;
    while (!arguments.empty()) {
        std::string_view word = arguments.substr(0, arguments.find_first_of(", "));
        arguments.remove_prefix(std::min(arguments.size(), word.size() + 1));
        if (const std::size_t equals = word.find('='); equals != std::string_view::npos)
            word.remove_prefix(equals + 1);
        std::error_code ignored;
        if (!word.empty() && std::filesystem::is_regular_file(word, ignored))
            files.emplace_back(word);
    }
    return files;
}

namespace {

agents::Clock::Time time_of(clockid_t clock) {
    timespec time{};
    if (::clock_gettime(clock, &time) != 0) return {};
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

} // namespace

void name_files(std::string_view arguments, const Context& context) {
    context.include_roots->name(arguments);
    while (!arguments.empty()) {
        std::string_view word = arguments.substr(0, agents::first_piece(arguments));
        arguments.remove_prefix(std::min(arguments.size(), word.size() + 1));
        context.include_roots->name(word);
        if (const std::size_t equals = word.find('='); equals != std::string_view::npos) {
            const std::string_view value = agents::without_parentheses(word.substr(equals + 1));
            context.include_roots->name(value);
            if (value.size() < word.size() - equals - 1) // else=(eval:FILE,depth=2)
                name_files(agents::parse_agent_spec(value).arguments, context);
        }
        if (const std::size_t colon = word.find(':'); colon != std::string_view::npos)
            context.include_roots->name(word.substr(colon + 1)); // else=rules:FILE
    }
}

std::chrono::nanoseconds SteadyClock::now() const {
    return std::chrono::steady_clock::now().time_since_epoch();
}

agents::Clock::Time SteadyClock::processor() const {
    return time_of(CLOCK_THREAD_CPUTIME_ID);
}

agents::Clock::Time SteadyClock::processor_of(std::int64_t process) const {
    clockid_t clock{};
    if (::clock_getcpuclockid(static_cast<pid_t>(process), &clock) != 0) return {};
    return time_of(clock);
}

std::unique_ptr<agents::Agent> make_agent(const std::string& spec, const AgentArguments& arguments,
                                          const games::Game& game, const agents::Clock& clock,
                                          Context& context, const std::atomic<bool>* abandon,
                                          agents::RulePrograms& programs) {
    const std::string folder = agents_folder(arguments.folder, context);
    context.include_roots->add(folder);
    if (const auto unknown = unknown_file(agents::parse_agent_spec(spec), game, folder))
        throw Mistake(*unknown);
    name_files(agents::parse_agent_spec(spec).arguments, context);
    agents::MadeAgent made =
        agents::make_agent(agents::parse_agent_spec(spec), {.game = game,
                                                            .open = file_opener(context),
                                                            .folder = folder,
                                                            .clock = &clock,
                                                            .abandon = abandon,
                                                            .programs = &programs,
                                                            .oracles = true});
    print_diagnostics(made.diagnostics, made.sources, context);
    if (made.agent != nullptr) return std::move(made.agent);
    if (!made.error.empty()) throw Mistake(made.error);
    throw Mistake(fmt::format("{} in the agent {}", errors_in(made.diagnostics), spec));
}

} // namespace croupier::cli
