// croupier test: runs the tests that a ruleset's author writes beside it.
#include "results/report/numbers.h"
#include "tournaments/cli/command.h"
#include "tournaments/cli/common_options.h"
#include "tournaments/cli/options.h"
#include "tournaments/run/own_tests.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace croupier::cli {

namespace {

using nlohmann::ordered_json;
using results::counted;

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
        std::vector<tournaments::TestInput> files;
        for (const std::string& word : folders_) {
            const std::vector<tournaments::TestInput> found =
                test_files(word, games_folder_, context);
            files.insert(files.end(), found.begin(), found.end());
        }
        for (const tournaments::TestInput& file : files)
            run_file(file, context);
        if (json_) {
            context.out().raw(
                ordered_json({{"tests", tests_json_}, {"coverage", coverage_json_}}).dump(2) +
                "\n");
        } else {
            std::string line = counted(tests_, "test") + ", " +
                               (failed_ == 0 ? "all good" : std::to_string(failed_) + " failed");
            if (update_) line += "; " + counted(written_, "value") + " rewritten";
            context.out().line({line});
        }
        if (unreadable_ > 0)
            throw UserError(counted(unreadable_, "file") + " of tests with mistakes");
        return failed_ == 0 ? kGood : kFailed;
    }

  private:
    void run_file(const tournaments::TestInput& input, Context& context) {
        const std::string& path = input.path;
        if (!input.text.empty())
            context.note(path + ": there are no tests, only checks of random games");
        const tournaments::TestedFile tested = run_tests(
            input, only_,
            [&](std::size_t i, std::size_t count, const std::string& name) {
                show_progress(fmt::format("{}: {} of {}, {}", path, i, count, name), context);
            },
            context);
        if (tested.file->diagnostics().has_errors()) {
            context.diagnose(tested.file->diagnostics(), tested.file->sources());
            ++unreadable_;
            return;
        }
        end_progress(context);
        tell(tested, context);
        if (update_) written_ += write_updates(tested);
    }

    void tell(const tournaments::TestedFile& tested, Context& context) {
        const games::TestFile& file = *tested.file;
        const std::vector<games::TestResult>& results = tested.results;
        const std::vector<std::string>& never = tested.never_fired;
        std::size_t failed = 0;
        bool unopened = false;
        for (const games::TestResult& result : results) {
            failed += result.good() ? 0 : 1;
            unopened = unopened || !result.mistakes.empty();
        }
        tests_ += results.size();
        failed_ += failed;
        unreadable_ += unopened ? 1 : 0;
        if (json_) {
            for (const games::TestResult& result : results)
                tests_json_.push_back(to_json(file, result));
            coverage_json_.push_back(
                {{"file", file.path()}, {"rules", tested.rules}, {"never", never}});
            return;
        }
        context.out().line({fmt::format("{}: {}{}, {} of {} rules fired", file.path(),
                                        counted(results.size(), "test"),
                                        failed == 0 ? "" : fmt::format(", {} failed", failed),
                                        tested.rules - never.size(), tested.rules)});
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

    // On a terminal only: overwrites a line.
    static void show_progress(const std::string& line, Context& context) {
        if (context.quiet || !context.err().is_terminal()) return;
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
