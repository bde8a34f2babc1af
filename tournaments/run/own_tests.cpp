// Finds test files beside rules, and runs them.
#include "tournaments/run/own_tests.h"

#include "engine/api/text.h"
#include "tournaments/run/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <system_error>
#include <utility>

namespace croupier::tournaments {

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
    for (const fs::path& entry : entries_of(folder))
        if (entry.extension() == ".json") files.push_back(entry.generic_string());
    return files;
}

// A file without tests is rules if there are tests in the folder beside it, or if it has groups of
// a game. Other files are read as test files, which reports their errors.
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

// Checks of random games for any game, in place of test files.
std::vector<TestInput> general_checks(const fs::path& rules) {
    engine::Document name;
    name.scalar = rules.filename().string();
    return {{(rules.parent_path() / kTests).generic_string(),
             fmt::format(R"({{"game": {}, "tests": [{{"name": "random games", "random": {{}}}}]}})",
                         engine::write_json(name, -1))}};
}

std::vector<TestInput> as_files(const std::vector<std::string>& paths) {
    std::vector<TestInput> files;
    files.reserve(paths.size());
    for (const std::string& path : paths)
        files.push_back({path, {}});
    return files;
}

// The test files in the folder beside the rules.
std::vector<TestInput> beside_rules(const fs::path& rules) {
    const std::vector<std::string> files = json_files_in(rules.parent_path() / kTests);
    return files.empty() ? general_checks(rules) : as_files(files);
}

std::vector<std::string> in_folders_of(const fs::path& folder) {
    std::vector<std::string> files;
    for (const fs::path& game : entries_of(folder)) {
        const std::vector<std::string> more = json_files_in(game / kTests);
        files.insert(files.end(), more.begin(), more.end());
    }
    return files;
}

std::vector<TestInput> found(const std::string& word, const std::string& games_folder,
                             const HostServices& host) {
    const games::Registry registry = open_registry(games_folder, host);
    if (word == "-") return {}; // there is no folder beside standard input
    if (is_folder(word) && !registry.has(games::parse_game_name(word))) {
        const fs::path folder = (fs::path(word) / "").parent_path(); // without a trailing slash
        std::error_code ignored;
        if (folder.filename() == kTests) return as_files(json_files_in(folder));
        if (is_folder(folder / kTests) || fs::exists(folder / kRules, ignored))
            return beside_rules(folder / kRules);
        return as_files(in_folders_of(folder));
    }
    const std::string file = rules_file(word, games_folder, host);
    if (file == word && !is_rules(file)) return {{file, {}}};
    std::error_code ignored;
    if (!fs::exists(file, ignored)) throw UserError(fmt::format("there is no file '{}'", file));
    return beside_rules(file);
}

} // namespace

std::vector<TestInput> test_files(const std::string& word, const std::string& games_folder,
                                  const HostServices& host) {
    std::vector<TestInput> files = found(word, games_folder, host);
    if (files.empty()) throw UserError(fmt::format("there are no tests in '{}'", word));
    for (const TestInput& file : files) {
        // The ruleset is in the parent folder.
        const fs::path folder = fs::absolute(file.path).parent_path();
        host.include_roots->add(file.text.empty() ? folder.parent_path() : folder);
        host.include_roots->name(file.path);
    }
    return files;
}

TestedFile run_tests(const TestInput& input, const std::string& only,
                     const std::function<void(std::size_t, std::size_t, const std::string&)>& told,
                     const HostServices& host) {
    const engine::FileOpener open = [&, files = file_opener(host)](const std::string& name) {
        return !input.text.empty() && name == input.path ? engine::FileText{input.text, {}}
                                                         : files(name);
    };
    TestedFile tested;
    tested.file = std::make_unique<games::TestFile>(input.path, open);
    const games::TestFile& file = *tested.file;
    if (file.diagnostics().has_errors()) return tested;
    for (const std::string& game : file.games())
        host.include_roots->name(game);
    games::TestRun run(file, open);
    bool all = true;
    for (std::size_t i = 0; i < run.count(); ++i) {
        const std::string& name = file.tests()[i % file.tests().size()].name;
        if (name.find(only) == std::string::npos) {
            all = false;
            continue;
        }
        told(i + 1, run.count(), name);
        tested.results.push_back(run.run(i));
    }
    // Coverage is over all tests.
    if (auto coverage = all ? run.coverage() : std::nullopt)
        if (!coverage->good()) tested.results.push_back(std::move(*coverage));
    tested.rules = run.use().rules().size();
    for (const std::string& rule : run.use().rules())
        if (!run.use().fired().contains(rule)) tested.never_fired.push_back(rule);
    return tested;
}

// From last to first, so that earlier positions stay valid.
std::size_t write_updates(const TestedFile& tested) {
    const games::TestFile& file = *tested.file;
    std::vector<const games::TestFailure*> failures;
    for (const games::TestResult& result : tested.results)
        for (const games::TestFailure& failure : result.failures)
            if (failure.update) failures.push_back(&failure);
    std::sort(failures.begin(), failures.end(),
              [](const auto* a, const auto* b) { return a->span.begin > b->span.begin; });
    if (failures.empty()) return 0;
    std::string text(file.sources().text(0));
    std::size_t written = 0;
    std::size_t from = text.size();
    for (const games::TestFailure* failure : failures) {
        if (failure->span.end > from) continue; // another game expects something else there
        from = failure->span.begin;
        text.replace(from, failure->span.end - from, *failure->update);
        ++written;
    }
    std::ofstream out(file.path(), std::ios::binary);
    out << text;
    if (!out.flush()) throw UserError("cannot write " + file.path());
    return written;
}

} // namespace croupier::tournaments
