// croupier test: the tests that the author of a ruleset writes beside it.
#include "engine/api/ruleset.h"
#include "engine/api/text.h"
#include "games/checks/test_run.h"
#include "games/registry.h"
#include "results/report/numbers.h"
#include "tournaments/cli/command.h"
#include "tournaments/cli/common_options.h"
#include "tournaments/cli/options.h"
#include "tournaments/cli/rules_input.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

namespace croupier::cli {

// Files of tests that the user named, and what stands for them where a game has none.

// What a word stands for: a file with tests; a game as everywhere (rules_file), for the files of
// the folder 'tests' beside its rules; that folder itself; a folder of games. Names the files to
// the context. Throws Mistake if there are no tests.
struct TestInput {
    std::string path;
    std::string text; // in place of a file: the general checks of a game that has no tests
};
std::vector<TestInput> test_files(const std::string& word, const std::string& games_folder,
                                  const Context& context);

// Looks for files of tests beside rules.

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
         entry.increment(ignored))
        if (entry->path().extension() == ".json") files.push_back(entry->path().generic_string());
    std::sort(files.begin(), files.end());
    return files;
}

// A file is one of tests unless it has none and there are some in the folder beside it, or it has
// groups of a game: what is wrong with it is then said as of a file of tests.
bool is_rules(const std::string& path) {
    std::istringstream nothing;
    engine::Sources sources;
    engine::Diagnostics ignored;
    const std::uint32_t file = sources.add(path, tournaments::read_input(path, nothing));
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
    files.reserve(paths.size());
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

namespace {

using nlohmann::ordered_json;
using results::counted;

// Values in place of others in a file, from the last to the first.
std::size_t write_updates(const games::TestFile& file,
                          std::vector<const games::TestFailure*> failures) {
    std::erase_if(failures, [](const games::TestFailure* each) { return !each->update; });
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
    if (!out.flush()) throw Mistake("cannot write " + file.path());
    return written;
}

class Test : public Command {
  public:
    [[nodiscard]] Description describe() const override {
        return {
            "test", "Run the tests beside a ruleset",
            "Each FOLDER is a game by its name, its folder or its file of rules, whose tests "
            "are the files of the folder 'tests' beside its rules; that folder; a folder with "
            "folders of games; or a file with tests. For a game without tests, random games are "
            "checked. What a test can say is in "
            "games/README.md: moves and scores expected "
            "of positions, games move by move, counts of sequences of moves, and what must "
            "hold in random games. With --update values that are not as expected are written "
            "anew: read the difference. Exit code 1 if a test fails, 2 if a file cannot be "
            "read.",
            "croupier test whist\n"
            "croupier test my/game --only dealing\n"
            "croupier test games --json"};
    }

    void declare(Options& options) override {
        options.add("FOLDER", folders_, "Games, folders of games or tests, or files with tests")
            .required()
            .offers(Offers::Rules);
        options.add("--only", only_, "Only tests whose name holds this text").type_name("TEXT");
        options.add_flag("--coverage", coverage_, "List the rules that have never fired");
        options.add_flag("--update", update_, "Write what was found in place of what was expected");
        add_games_folder(options, games_folder_);
        options.add_json_flag(json_);
    }

    int run(Context& context) override {
        std::vector<TestInput> files;
        for (const std::string& word : folders_) {
            const std::vector<TestInput> found = test_files(word, games_folder_, context);
            files.insert(files.end(), found.begin(), found.end());
        }
        for (const TestInput& file : files)
            run_file(file, context);
        if (json_) {
            context.out().raw(
                ordered_json({{"tests", tests_json_}, {"coverage", coverage_json_}}).dump(2) +
                "\n");
        } else {
            std::string line = counted(tests_, "test") + ", " +
                               (failed_ == 0 ? "all good" : std::to_string(failed_) + " failed");
            if (update_) line += "; " + counted(written_, "value") + " written anew";
            context.out().line({line});
        }
        if (unreadable_ > 0)
            throw Mistake(counted(unreadable_, "file") + " of tests with mistakes");
        return failed_ == 0 ? kGood : kFailed;
    }

  private:
    void run_file(const TestInput& input, Context& context) {
        const std::string& path = input.path;
        if (!input.text.empty())
            context.err().line({path + ": there are no tests, only checks of random games"});
        const engine::FileOpener open = [&, files = file_opener(context)](const std::string& name) {
            return !input.text.empty() && name == path ? engine::FileText{input.text, {}}
                                                       : files(name);
        };
        const games::TestFile file(path, open);
        if (file.diagnostics().has_errors()) {
            context.diagnose(file.diagnostics(), file.sources());
            ++unreadable_;
            return;
        }
        for (const std::string& game : file.games())
            context.include_roots->name(game);
        games::TestRun run(file, open);
        std::vector<games::TestResult> results;
        bool all = true;
        for (std::size_t i = 0; i < run.count(); ++i) {
            const std::string& name = file.tests()[i % file.tests().size()].name;
            if (name.find(only_) == std::string::npos) {
                all = false;
                continue;
            }
            show_progress(fmt::format("{}: {} of {}, {}", path, i + 1, run.count(), name), context);
            results.push_back(run.run(i));
        }
        end_progress(context);
        // What some tests leave out is covered by the others.
        if (auto coverage = all ? run.coverage() : std::nullopt) {
            if (!coverage->good()) results.push_back(std::move(*coverage));
        }
        tell(file, results, run, context);
        if (update_) {
            std::vector<const games::TestFailure*> failures;
            for (const games::TestResult& result : results)
                for (const games::TestFailure& failure : result.failures)
                    failures.push_back(&failure);
            written_ += write_updates(file, std::move(failures));
        }
    }

    void tell(const games::TestFile& file, const std::vector<games::TestResult>& results,
              games::TestRun& run, Context& context) {
        std::size_t failed = 0;
        bool unopened = false;
        for (const games::TestResult& result : results) {
            failed += result.good() ? 0 : 1;
            unopened = unopened || !result.mistakes.empty();
        }
        tests_ += results.size();
        failed_ += failed;
        unreadable_ += unopened ? 1 : 0;
        const std::vector<std::string> never = never_fired(run);
        const std::size_t rules = run.use().rules().size();
        if (json_) {
            for (const games::TestResult& result : results)
                tests_json_.push_back(to_json(file, result));
            coverage_json_.push_back({{"file", file.path()}, {"rules", rules}, {"never", never}});
            return;
        }
        context.out().line({fmt::format(
            "{}: {}{}, {} of {} rules fired", file.path(), counted(results.size(), "test"),
            failed == 0 ? "" : fmt::format(", {} failed", failed), rules - never.size(), rules)});
        for (const games::TestResult& result : results)
            tell(file, result, context);
        if (coverage_ && !never.empty())
            context.out().paragraph(fmt::format("never fired: {}", fmt::join(never, ", ")), 2);
    }

    static void tell(const games::TestFile& file, const games::TestResult& result,
                     Context& context) {
        if (result.good()) return;
        const std::string with =
            file.games().size() > 1 ? fmt::format(" with {}", result.game) : std::string();
        context.out().line({"  ", Piece("FAILED", Style::Bad), " " + result.name + with});
        for (const games::TestFailure& failure : result.failures) {
            context.out().line(
                {fmt::format("    {}: {}", file.sources().place(failure.span), failure.what)});
            context.out().line({"      found    " + failure.found});
            if (!failure.expected.empty())
                context.out().line({"      expected " + failure.expected});
        }
        for (const std::string& mistake : result.mistakes)
            context.err().raw(mistake + "\n");
    }

    static std::vector<std::string> never_fired(games::TestRun& run) {
        std::vector<std::string> never;
        for (const std::string& rule : run.use().rules())
            if (!run.use().fired().contains(rule)) never.push_back(rule);
        return never;
    }

    static ordered_json to_json(const games::TestFile& file, const games::TestResult& result) {
        ordered_json failures = ordered_json::array();
        for (const games::TestFailure& failure : result.failures) {
            const auto at = file.sources().line_column(0, failure.span.begin);
            failures.push_back({{"line", at.line},
                                {"column", at.column},
                                {"what", failure.what},
                                {"found", failure.found},
                                {"expected", failure.expected}});
        }
        return {{"file", file.path()},   {"game", result.game},  {"test", result.name},
                {"good", result.good()}, {"failures", failures}, {"mistakes", result.mistakes}};
    }

    // On a terminal alone: a line that is written over.
    static void show_progress(const std::string& line, Context& context) {
        if (!context.err().is_terminal()) return;
        context.err().raw("\r\x1b[K" + line.substr(0, context.err().width() - 1));
        context.err().flush();
    }
    static void end_progress(Context& context) {
        if (context.err().is_terminal()) context.err().raw("\r\x1b[K");
    }

    std::vector<std::string> folders_;
    std::string games_folder_;
    std::string only_;
    bool coverage_ = false;
    bool update_ = false;
    bool json_ = false;
    std::size_t tests_ = 0;
    std::size_t failed_ = 0;
    std::size_t unreadable_ = 0;
    std::size_t written_ = 0;
    ordered_json tests_json_ = ordered_json::array();
    ordered_json coverage_json_ = ordered_json::array();
};

} // namespace

std::unique_ptr<Command> make_test() {
    return std::make_unique<Test>();
}

} // namespace croupier::cli
