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

// A file is one of tests unless it has none and there are some in the folder beside it: what is
// wrong with it is then said as of a file of tests.
bool is_rules(const std::string& path) {
    if (!is_folder(fs::path(path).parent_path() / kTests)) return false;
    std::istringstream nothing;
    engine::Sources sources;
    engine::Diagnostics ignored;
    const std::uint32_t file = sources.add(path, read_input(path, nothing));
    const auto document = engine::read_json(sources, file, ignored);
    return document && document->find("tests") == nullptr;
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

std::vector<std::string> found(const std::string& word, const std::string& games_folder,
                               const Context& context) {
    const games::Registry registry = open_registry(games_folder, context);
    if (word == "-") return {}; // nothing lies beside standard input
    if (is_folder(word) && !registry.has(games::parse_game_name(word))) {
        const fs::path folder = (fs::path(word) / "").parent_path(); // without a slash at its end
        if (folder.filename() == kTests) return json_files_in(folder);
        return is_folder(folder / kTests) ? json_files_in(folder / kTests) : in_folders_of(folder);
    }
    const std::string file = rules_file(word, games_folder, context);
    if (file == word && !is_rules(file)) return {file};
    std::error_code ignored;
    if (!fs::exists(file, ignored)) throw Mistake(fmt::format("there is no file '{}'", file));
    return json_files_in(fs::path(file).parent_path() / kTests);
}

} // namespace

std::vector<std::string> test_files(const std::string& word, const std::string& games_folder,
                                    const Context& context) {
    std::vector<std::string> files = found(word, games_folder, context);
    if (files.empty()) throw Mistake(fmt::format("there are no tests in '{}'", word));
    for (const std::string& file : files) {
        // The ruleset lies a folder above.
        context.include_roots->add(fs::absolute(file).parent_path().parent_path());
        context.include_roots->name(file);
    }
    return files;
}

} // namespace croupier::cli
