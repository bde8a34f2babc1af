// Starts runs for pages: what a page asks for becomes a command line, and nothing that it may not
// name gets into one.
#include "tournaments/cli/served_runs.h"

#include "agents/registry.h"
#include "results/store/run_file.h"
#include "tournaments/cli/game_input.h"
#include "tournaments/cli/machine.h"
#include "tournaments/schedule/schedule.h"
#include "tournaments/serve/refused.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <system_error>
#include <thread>

namespace croupier::cli {
namespace {

namespace fs = std::filesystem;
using serve::Refused;
using Why = serve::Refused::Why;

constexpr std::size_t kMostRunning = 4;
constexpr std::size_t kMostAgents = 32;
constexpr std::size_t kMostWord = 300;

[[noreturn]] void refuse(const std::string& what) {
    throw Refused(Why::Wrong, what);
}

std::string word_in(const nlohmann::json& asked, const char* name) {
    const auto found = asked.find(name);
    if (found == asked.end()) return {};
    auto text = found->is_number() ? found->dump() : found->get<std::string>();
    if (text.size() > kMostWord) refuse(fmt::format("{}: that is too long", name));
    return text;
}

// Digits and what stands between them; whether it makes sense the command says.
void add_numbers(const nlohmann::json& asked, const char* name, std::string_view besides,
                 std::vector<std::string>& arguments) {
    const std::string text = word_in(asked, name);
    if (text.empty()) return;
    for (const char letter : text)
        if ((letter < '0' || letter > '9') && besides.find(letter) == besides.npos)
            refuse(fmt::format("{}: '{}' is no number", name, text));
    arguments.push_back(fmt::format("--{}={}", name, text));
}

// What a shell has said last, without who said it.
std::string complaint(const std::string& said) {
    std::string text = said;
    while (!text.empty() && text.back() == '\n')
        text.pop_back();
    return text.empty() ? "croupier has ended without a word" : text;
}

} // namespace

std::string ServedRuns::agent_for(const std::string& spec, const games::Game& game) const {
    if (spec.size() > kMostWord) refuse("That is too long for an agent.");
    for (const std::string& program : settings_.programs)
        if (agents::parse_agent_spec(program).name == spec) return program;
    const agents::Surroundings surroundings{.game = game,
                                            .open = settings_.open,
                                            .folder = settings_.agents_place,
                                            .starts_programs = false};
    const agents::MadeAgent made = agents::make_agent(agents::parse_agent_spec(spec), surroundings);
    if (made.agent != nullptr) return spec;
    std::string what = made.error;
    for (const engine::Diagnostic& diagnostic : made.diagnostics.sorted())
        what += (what.empty() ? "" : "\n") + engine::format(diagnostic, made.sources);
    refuse(catalogue_.without_folders(what));
}

std::vector<std::string> ServedRuns::arguments_for(const nlohmann::json& asked,
                                                   std::string& title) const {
    const std::string kind = asked.value("kind", "run");
    if (kind != "run" && kind != "compare" && kind != "ablate")
        refuse("A run, a comparison or an ablation can be started.");
    std::vector<std::string> arguments = {kind};
    const auto game_named = [&](const char* name) {
        const auto entry = catalogue_.find(word_in(asked, name));
        if (!entry) throw Refused(Why::Unknown, "There is no such game.");
        title += (title.empty() ? "" : "-") + entry->id;
        arguments.push_back((kind == "run" ? "--game=" : "") + entry->name.game +
                            (entry->name.revision.empty() ? "" : ":" + entry->name.revision));
        return catalogue_.open(entry->name, {});
    };
    const auto game = game_named("game");
    if (kind == "compare") game_named("other");
    const nlohmann::json specs = asked.value("agents", nlohmann::json::array());
    if (!specs.is_array() || specs.size() > kMostAgents) refuse("There are too many agents.");
    for (const nlohmann::json& each : specs) {
        const char* const option = kind == "compare" ? "agents" : "agent";
        arguments.push_back(
            fmt::format("--{}={}", option, agent_for(each.get<std::string>(), *game)));
    }
    const nlohmann::json options = asked.value("options", nlohmann::json::object());
    for (const games::GameOption& option : serve::options_from(options)) {
        const std::string value = options.at(option.name).get<std::string>();
        if (value.size() > kMostWord || option.name.size() > kMostWord)
            refuse("That is too long for an option.");
        arguments.push_back(fmt::format("--set={}={}", option.name, value));
    }
    add_numbers(asked, "games", "", arguments);
    add_numbers(asked, "seed", "", arguments);
    if (kind == "run") {
        add_numbers(asked, "sprt", ".,-", arguments);
        const std::string schedule = word_in(asked, "schedule");
        const auto kinds = tournaments::schedule_kinds();
        const auto is_it = [&](const auto& each) { return name_of(each) == schedule; };
        if (!schedule.empty() && std::none_of(kinds.begin(), kinds.end(), is_it))
            refuse("There is no such schedule.");
        if (!schedule.empty()) arguments.push_back("--schedule=" + schedule);
    }
    const auto threads = asked.value("threads", std::size_t{0});
    if (threads > machine_threads()) refuse("This machine has not so many threads.");
    if (threads > 0) arguments.push_back(fmt::format("--threads={}", threads));
    if (!settings_.games_folder.empty())
        arguments.push_back("--games-folder=" + settings_.games_folder);
    if (!settings_.agents_folder.empty())
        arguments.push_back("--agents-folder=" + settings_.agents_folder);
    arguments.emplace_back("--progress=none");
    return arguments;
}

std::string ServedRuns::new_folder(const std::string& title) {
    std::string word = title.substr(0, 60);
    std::replace_if(
        word.begin(), word.end(),
        [](unsigned char letter) { return std::isalnum(letter) == 0 && letter != '_'; }, '-');
    for (int number = 1;; ++number) {
        std::string name = fmt::format("{}-{}", word, number);
        std::error_code failed;
        if (fs::create_directory(settings_.folder / name, failed)) return name;
        if (failed) throw Refused(Why::Busy, "The folder of runs cannot be written to.");
    }
}

std::string ServedRuns::start(const nlohmann::json& asked) {
    const std::lock_guard one(starting_);
    std::string title;
    std::vector<std::string> arguments = arguments_for(asked, title);
    if (children_.running() >= kMostRunning)
        throw Refused(Why::Busy, fmt::format("{} are running already; stop one.", kMostRunning));
    std::string name = new_folder(title);
    arguments.push_back("--out=" + (settings_.folder / name).string());
    if (!children_.start(name, arguments))
        throw Refused(Why::Busy, "croupier cannot be started once more.");
    await_beginning(name, arguments.front() == "run");
    return name;
}

// Until it has begun, or has said what it does not like.
void ServedRuns::await_beginning(const std::string& name, bool is_run) {
    const fs::path folder = settings_.folder / name;
    constexpr int kMost = 500; // fiftieths of a second
    for (int i = 0; i < kMost; ++i) {
        std::error_code failed;
        if (is_run && fs::exists(folder / results::kRunFile, failed)) return;
        const auto child = children_.find(name);
        if (child && child->code) {
            if (*child->code == 0) return;
            fs::remove(folder, failed); // if nothing is in it
            refuse(catalogue_.without_folders(complaint(child->said)));
        }
        if (!is_run && i == 25) return;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
}

void ServedRuns::stop(const std::string& name) {
    static_cast<void>(find(name)); // or there is no such run
    if (!children_.interrupt(name))
        refuse("It does not run here: whoever has started it can end it.");
}

void ServedRuns::resume(const std::string& name) {
    const std::lock_guard one(starting_);
    const fs::path folder = find(name);
    if (state_of(name, folder) != "stopped") refuse("This run is not stopped.");
    if (children_.running() >= kMostRunning)
        throw Refused(Why::Busy, fmt::format("{} are running already; stop one.", kMostRunning));
    std::vector<std::string> arguments = {"resume", folder.string(), "--progress=none"};
    if (!settings_.games_folder.empty())
        arguments.push_back("--games-folder=" + settings_.games_folder);
    if (!settings_.agents_folder.empty())
        arguments.push_back("--agents-folder=" + settings_.agents_folder);
    if (!children_.start(name, arguments))
        throw Refused(Why::Busy, "croupier cannot be started once more.");
}

} // namespace croupier::cli
