// Reads whole files by POSIX calls, since streams do not say why they failed; opens games and
// agents.
#include "tournaments/run/files.h"

#include "agents/advice/advice_agent.h"
#include "engine/api/program.h"
#include "engine/api/text.h"
#include "games/ruleset/ruleset_game.h"
#include "results/report/numbers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <istream>
#include <sstream>
#include <system_error>
#include <vector>

namespace croupier::tournaments {

HostServices quiet(const HostServices& host, std::string& told) {
    HostServices made = host;
    made.diagnose = [&told](const engine::Diagnostics& diagnostics, const auto& sources) {
        for (const engine::Diagnostic& each : diagnostics.sorted())
            told += engine::format(each, sources) + "\n";
    };
    made.note = made.warn = [&told](const std::string& text) { told += text + "\n"; };
    made.progress = [](const auto&) {};
    return made;
}

namespace {

constexpr std::size_t kChunk = std::size_t{64} << 10;

[[noreturn]] void too_large(const std::string& name, std::size_t limit) {
    throw UserError(
        fmt::format("{}: larger than {} MiB, the most that is read", name, limit >> 20));
}

class InputFile {
  public:
    explicit InputFile(const std::string& path)
        : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {} // NOLINT(*-vararg)
    ~InputFile() {
        if (descriptor_ >= 0) ::close(descriptor_);
    }
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;

    [[nodiscard]] int descriptor() const { return descriptor_; }

  private:
    int descriptor_;
};

std::string why(int error_number) {
    return std::generic_category().message(error_number);
}

std::string beside(const std::filesystem::path& path) {
    std::vector<std::string> names;
    std::error_code ignored;
    const auto folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
    for (std::filesystem::directory_iterator entry(folder, ignored), end; !ignored && entry != end;
         entry.increment(ignored))
        names.push_back(entry->path().filename().string());
    return did_you_mean(path.filename().string(), names);
}

std::string read_stream(std::istream& stream, std::size_t limit) {
    std::string text;
    std::vector<char> chunk(kChunk);
    while (stream.read(chunk.data(), static_cast<std::streamsize>(chunk.size())),
           stream.gcount() > 0) {
        text.append(chunk.data(), static_cast<std::size_t>(stream.gcount()));
        if (text.size() > limit) too_large("standard input", limit);
    }
    if (stream.bad()) throw UserError("standard input: cannot be read");
    return text;
}

std::string display_name(const std::string& path) {
    return path == "-" ? "<stdin>" : path;
}

std::unique_ptr<engine::Loaded> accept(engine::Loaded loaded, const HostServices& host) {
    host.diagnose(loaded.diagnostics, loaded.sources);
    if (!loaded.ruleset) throw UserError(errors_in(loaded.diagnostics) + " in the rules");
    return std::make_unique<engine::Loaded>(std::move(loaded));
}

} // namespace

void IncludeRoots::add(const std::filesystem::path& folder) {
    std::error_code failed;
    const auto whole = std::filesystem::canonical(folder.empty() ? "." : folder, failed);
    if (failed) return; // then nothing can be inside
    const std::lock_guard lock(mutex_);
    if (std::find(folders_.begin(), folders_.end(), whole) == folders_.end())
        folders_.push_back(whole);
}

void IncludeRoots::name(const std::filesystem::path& file) {
    std::error_code ignored;
    if (std::filesystem::exists(file, ignored)) {
        add(file.parent_path());
        add_beside(file.parent_path());
    }
    const std::lock_guard lock(mutex_);
    named_.push_back(file.lexically_normal());
}

void IncludeRoots::add_beside(const std::filesystem::path& folder) {
    std::error_code failed;
    const auto whole = std::filesystem::canonical(folder.empty() ? "." : folder, failed);
    if (failed) return;
    const auto around = whole.parent_path();
    const std::lock_guard lock(mutex_);
    if (std::find(around_.begin(), around_.end(), around) == around_.end())
        around_.push_back(around);
}

// Only games: rule files in a folder with its own rules.json. A downloaded file opened in a home
// folder must not reach other files there.
bool IncludeRoots::is_game_beside(const std::filesystem::path& whole) const {
    const auto folder = whole.parent_path();
    std::error_code failed;
    return whole.extension() == ".json" &&
           std::find(around_.begin(), around_.end(), folder.parent_path()) != around_.end() &&
           std::filesystem::is_regular_file(folder / "rules.json", failed);
}

bool IncludeRoots::is_named(const std::filesystem::path& file) const {
    const std::lock_guard lock(mutex_);
    return std::find(named_.begin(), named_.end(), file.lexically_normal()) != named_.end();
}

bool IncludeRoots::hold(const std::filesystem::path& file) const {
    std::error_code failed;
    const auto whole = std::filesystem::weakly_canonical(file, failed);
    if (failed) return false;
    const std::lock_guard lock(mutex_);
    if (is_game_beside(whole)) return true;
    return std::any_of(folders_.begin(), folders_.end(), [&](const auto& folder) {
        return std::mismatch(folder.begin(), folder.end(), whole.begin(), whole.end()).first ==
               folder.end();
    });
}

std::string read_included(const std::string& path, const IncludeRoots& roots) {
    if (!roots.hold(path)) {
        const auto folder = std::filesystem::path(path).parent_path().string();
        throw UserError(
            fmt::format("it is outside the folders of the file that was named, of "
                        "games beside it, of the games and of the agents; --include-from "
                        "{} allows it",
                        folder.empty() ? "." : folder));
    }
    struct stat facts {};
    if (::stat(path.c_str(), &facts) == 0 && !S_ISREG(facts.st_mode))
        throw UserError(S_ISDIR(facts.st_mode) ? "it is a directory, not a file"
                                               : "it is not a regular file");
    std::istringstream nothing;
    return read_input(path, nothing, kIncludeLimit);
}

std::string read_input(const std::string& path, std::istream& standard_input, std::size_t limit) {
    if (path == "-") return read_stream(standard_input, limit);
    if (path.empty()) throw UserError("the name of the file is empty");
    const InputFile file(path);
    if (file.descriptor() < 0) {
        const int error_number = errno;
        if (error_number == ENOENT) throw UserError(path + ": no such file" + beside(path));
        throw UserError(fmt::format("{}: cannot be read: {}", path, why(error_number)));
    }
    struct stat facts {};
    if (::fstat(file.descriptor(), &facts) == 0) {
        if (S_ISDIR(facts.st_mode)) throw UserError(path + ": is a directory, not a file");
        if (facts.st_size > 0 && static_cast<std::size_t>(facts.st_size) > limit)
            too_large(path, limit);
    }
    // The size is only a hint: pipes have none, and files grow.
    std::string text;
    std::vector<char> chunk(kChunk);
    while (true) {
        const ssize_t got = ::read(file.descriptor(), chunk.data(), chunk.size());
        if (got == 0) return text;
        if (got < 0) {
            if (errno == EINTR) continue;
            throw UserError(fmt::format("{}: cannot be read: {}", path, why(errno)));
        }
        text.append(chunk.data(), static_cast<std::size_t>(got));
        if (text.size() > limit) too_large(path, limit);
    }
}

std::size_t count_errors(const engine::Diagnostics& diagnostics) {
    const auto all = diagnostics.sorted();
    return static_cast<std::size_t>(std::count_if(all.begin(), all.end(), [](const auto& each) {
        return each.severity == engine::Severity::Error;
    }));
}

std::string errors_in(const engine::Diagnostics& diagnostics) {
    return results::counted(count_errors(diagnostics), "error");
}

std::vector<std::filesystem::path> entries_of(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> entries;
    std::error_code ignored;
    for (std::filesystem::directory_iterator entry(folder, ignored), end; !ignored && entry != end;
         entry.increment(ignored))
        entries.push_back(entry->path());
    std::sort(entries.begin(), entries.end());
    return entries;
}

engine::FileOpener file_opener(const HostServices& host) {
    host.include_roots->add(host.shipped_games);
    host.include_roots->add(host.shipped_agents);
    return [roots = host.include_roots](const std::string& path) {
        std::istringstream nothing;
        engine::FileText file;
        try {
            file.text =
                roots->is_named(path) ? read_input(path, nothing) : read_included(path, *roots);
        } catch (const UserError& mistake) {
            file.error = mistake.what();
        }
        return file;
    };
}

void include_from(const std::vector<std::string>& folders, const HostServices& host) {
    for (const std::string& folder : folders) {
        std::error_code ignored;
        if (!std::filesystem::is_directory(folder, ignored))
            throw UserError(fmt::format("--include-from: {}: no such folder", folder));
        host.include_roots->add(folder);
    }
}

games::GameOption parse_setting(const std::string& setting) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos || equals == 0)
        throw UserError(fmt::format("--set takes name=value, found '{}'", setting));
    return {setting.substr(0, equals), games::parse_setting_value(setting.substr(equals + 1))};
}

std::string games_folder(const std::string& named, const HostServices& host) {
    return named.empty() ? host.shipped_games : named;
}

std::string agents_folder(const std::string& named, const HostServices& host) {
    return named.empty() ? host.shipped_agents : named;
}

games::Registry open_registry(const std::string& folder, const HostServices& host) {
    const std::string place = games_folder(folder, host);
    host.include_roots->add(place);
    return {place, file_opener(host), host.clips_worker};
}

void name_game(const games::Registry& registry, const games::GameName& name,
               const HostServices& host) {
    std::string ignored;
    if (!registry.has(name)) host.include_roots->name(registry.find(name, ignored));
}

std::string rules_file(const std::string& word, const std::string& games_folder,
                       const HostServices& host) {
    std::error_code ignored;
    if (word.ends_with(".clp"))
        throw UserError(word +
                        " is a program of CLIPS, not a ruleset: croupier clips tells of those");
    const bool there =
        std::filesystem::exists(word, ignored) && !std::filesystem::is_directory(word, ignored);
    if (word == "-" || there) return word;
    std::string unknown;
    std::string path =
        open_registry(games_folder, host).find(games::parse_game_name(word), unknown);
    if (path.empty() && std::filesystem::is_directory(word, ignored)) throw UserError(unknown);
    if (path.empty()) throw UserError(fmt::format("there is no file '{}', and {}", word, unknown));
    return path;
}

std::unique_ptr<engine::Loaded> load_rules(const std::string& word, const std::string& games_folder,
                                           const HostServices& host) {
    const std::string path = rules_file(word, games_folder, host);
    const engine::FileOpener open = file_opener(host);
    host.include_roots->name(path == "-" ? "./-" : path);
    return accept(engine::load_ruleset_text(display_name(path), host.read(path), open), host);
}

std::unique_ptr<engine::Loaded> load_condition(const std::string& path, const HostServices& host) {
    return accept(engine::load_pattern_text(display_name(path), host.read(path)), host);
}

void need_machine_code() {
    if (!engine::runs_machine_code())
        throw UserError("there is no machine code here: rules are interpreted");
}

std::shared_ptr<const games::Game> open_game(const games::Registry& registry,
                                             const games::GameName& name,
                                             std::span<const games::GameOption> options,
                                             const HostServices& host) {
    name_game(registry, name, host);
    games::OpenedGame opened = registry.open(name, options);
    host.diagnose(opened.diagnostics, opened.sources);
    if (opened.game != nullptr) return opened.game;
    if (!opened.error.empty()) throw UserError(opened.error);
    throw UserError(errors_in(opened.diagnostics) + " in the game");
}

std::vector<std::string> rule_files(const std::filesystem::path& folder) {
    std::vector<std::string> names;
    for (const std::filesystem::path& entry : entries_of(folder))
        if (entry.extension() == ".json") names.push_back(entry.stem().string());
    std::sort(names.begin(), names.end());
    return names;
}

std::map<std::string, std::vector<std::string>> shipped_agents(const std::string& folder,
                                                               std::string_view kind) {
    std::map<std::string, std::vector<std::string>> shipped;
    for (const std::filesystem::path& entry : entries_of(std::filesystem::path(folder) / kind)) {
        std::vector<std::string> names = rule_files(entry);
        if (!names.empty()) shipped[entry.filename().string()] = std::move(names);
    }
    return shipped;
}

std::vector<std::string> quick_advisers(const games::Game& game, const std::string& folder) {
    namespace fs = std::filesystem;
    std::vector<std::string> specs;
    // Advice is for endgames, which are small enough to be solved.
    const games::RulesetGame* const rules = game.ruleset_game();
    std::error_code failed;
    if (rules != nullptr &&
        fs::is_directory(fs::path(agents::table_file("", *rules)).parent_path(), failed))
        specs.emplace_back("tablebase");
    // Rules may take a millisecond per move, and there may be hundreds of moves.
    if (game.evaluation() != nullptr) specs.emplace_back("eval:depth=2,nodes=5000");
    // The shipped ones, strongest first, then any others.
    std::vector<std::string> names = {"counting", "table", "naive"};
    const fs::path files = fs::path(folder) / "rules" / game.facts().name;
    for (const std::string& name : rule_files(files))
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    for (const std::string& name : names)
        if (fs::is_regular_file(files / (name + ".json"), failed)) specs.push_back("rules:" + name);
    if (game.facts().hides) {
        if (game.new_observer() != nullptr) specs.emplace_back("pimc:deals=20");
    } else {
        specs.emplace_back("mcts:playouts=1000");
    }
    return specs;
}

std::optional<std::string> unknown_file(const agents::AgentSpec& spec, const games::Game& game,
                                        const std::string& agents_folder) {
    const std::string word = spec.arguments.substr(0, agents::first_piece(spec.arguments));
    const bool path = word.find('/') != std::string::npos || word.ends_with(".json");
    if (word.empty() || path || word.find('=') != std::string::npos) return std::nullopt;
    std::vector<std::string> known;
    if (agents::ships(spec.kind)) {
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

void name_files(std::string_view arguments, const HostServices& host) {
    host.include_roots->name(arguments);
    while (!arguments.empty()) {
        std::string_view word = arguments.substr(0, agents::first_piece(arguments));
        arguments.remove_prefix(std::min(arguments.size(), word.size() + 1));
        host.include_roots->name(word);
        if (const std::size_t equals = word.find('='); equals != std::string_view::npos) {
            const std::string_view value = agents::without_parentheses(word.substr(equals + 1));
            host.include_roots->name(value);
            if (value.size() < word.size() - equals - 1) // else=(eval:FILE,depth=2)
                name_files(agents::parse_agent_spec(value).arguments, host);
        }
        if (const std::size_t colon = word.find(':'); colon != std::string_view::npos)
            host.include_roots->name(word.substr(colon + 1)); // else=rules:FILE
    }
}

std::unique_ptr<agents::Agent> make_agent(const std::string& spec, const std::string& folder,
                                          const games::Game& game, const HostServices& host,
                                          const std::atomic<bool>* abandon,
                                          agents::RulePrograms& programs) {
    const std::string all = agents_folder(folder, host);
    host.include_roots->add(all);
    const agents::AgentSpec wanted = agents::parse_agent_spec(spec);
    if (const auto unknown = unknown_file(wanted, game, all)) throw UserError(*unknown);
    name_files(wanted.arguments, host);
    agents::MadeAgent made = agents::make_agent(wanted, {.game = game,
                                                         .open = file_opener(host),
                                                         .folder = all,
                                                         .clock = host.clock.get(),
                                                         .abandon = abandon,
                                                         .programs = &programs,
                                                         .oracles = true});
    host.diagnose(made.diagnostics, made.sources);
    if (made.agent != nullptr) return std::move(made.agent);
    if (!made.error.empty()) throw UserError(made.error);
    throw UserError(fmt::format("{} in the agent {}", errors_in(made.diagnostics), spec));
}

} // namespace croupier::tournaments
