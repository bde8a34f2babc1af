// Looks for files of tests beside rules.
#include "tournaments/cli/tests_input.h"

#include "engine/api/text.h"
#include "games/registry.h"
#include "tournaments/cli/game_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <system_error>

namespace croupier::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTests = "tests"; // the folder beside the rules
constexpr const char* kRules = "rules.json";

bool is_folder(const fs::path& path) {
    std::error_code ignored;
    return fs::is_directory(path, ignored);
}

std::vector<std::string> json_files_in(const fs::path& folder) {
    std::vector<std::string> files;
    std::error_code ignored;
    for (fs::directory_iterator entry(folder, ignored), end; !ignored && entry != end;
         entry.increment(ignored)) {
        if (entry->path().extension() == ".json") files.push_back(entry->path().generic_string());
    }
    std::sort(files.begin(), files.end());
    return files;
}

// A file is one of tests unless it has none and there are some in the folder beside it, or it has
// groups of a game: what is wrong with it is then said as of a file of tests.
bool is_rules(const std::string& path) {
    std::istringstream nothing;
    engine::Sources sources;
    engine::Diagnostics ignored;
    const std::uint32_t file = sources.add(path, read_input(path, nothing));
    const auto document = engine::read_json(sources, file, ignored);
    if (!document || document->find("tests") != nullptr) return false;
    const auto has = [&](const char* key) { return document->find(key) != nullptr; };
    return is_folder(fs::path(path).parent_path() / kTests) || has("@include") || has("moves") ||
           has("play");
}

// The checks of random games that every game is held to, as a file in place of the folder of tests.
std::vector<TestInput> general_checks(const fs::path& rules) {
    engine::Document name;
    name.scalar = rules.filename().string();
    return {{(rules.parent_path() / kTests).generic_string(),
             fmt::format(R"({{"game": {}, "tests": [{{"name": "random games", "random": {{}}}}]}})",
                         engine::write_json(name, -1))}};
}

std::vector<TestInput> as_files(const std::vector<std::string>& paths) {
    std::vector<TestInput> files;
    for (const std::string& path : paths)
        files.push_back({path, {}});
    return files;
}

// Those in the folder beside the rules.
std::vector<TestInput> beside(const fs::path& rules) {
    const std::vector<std::string> files = json_files_in(rules.parent_path() / kTests);
    return files.empty() ? general_checks(rules) : as_files(files);
}

std::vector<std::string> in_folders_of(const fs::path& folder) {
    std::vector<fs::path> games;
    std::error_code ignored;
    for (fs::directory_iterator entry(folder, ignored), end; !ignored && entry != end;
         entry.increment(ignored))
        games.push_back(entry->path() / kTests);
    std::sort(games.begin(), games.end());
    std::vector<std::string> files;
    for (const fs::path& game : games) {
        const std::vector<std::string> more = json_files_in(game);
        files.insert(files.end(), more.begin(), more.end());
    }
    return files;
}

std::vector<TestInput> found(const std::string& word, const std::string& games_folder,
                             const Context& context) {
    const games::Registry registry = open_registry(games_folder, context);
    if (word == "-") return {}; // nothing lies beside standard input
    if (is_folder(word) && !registry.has(games::parse_game_name(word))) {
        const fs::path folder = (fs::path(word) / "").parent_path(); // without a slash at its end
        std::error_code ignored;
        if (folder.filename() == kTests) return as_files(json_files_in(folder));
        if (is_folder(folder / kTests) || fs::exists(folder / kRules, ignored))
            return beside(folder / kRules);
        return as_files(in_folders_of(folder));
    }
    const std::string file = rules_file(word, games_folder, context);
    if (file == word && !is_rules(file)) return {{file, {}}};
    std::error_code ignored;
    if (!fs::exists(file, ignored)) throw Mistake(fmt::format("there is no file '{}'", file));
    return beside(file);
}

} // namespace

std::vector<TestInput> test_files(const std::string& word, const std::string& games_folder,
                                  const Context& context) {
    std::vector<TestInput> files = found(word, games_folder, context);
    if (files.empty()) throw Mistake(fmt::format("there are no tests in '{}'", word));
    for (const TestInput& file : files) {
        // The ruleset lies a folder above.
        const fs::path folder = fs::absolute(file.path).parent_path();
        context.include_roots->add(file.text.empty() ? folder.parent_path() : folder);
        context.include_roots->name(file.path);
    }
    return files;
}

} // namespace croupier::cli
