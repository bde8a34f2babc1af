// Tests of a ruleset by its author: JSON files in a folder `tests` beside the rules. Running them
// reports what is not as expected. games/README.md ("Testing your game") describes the format.
#pragma once

#include "engine/api/explain.h"
#include "engine/api/ruleset.h"
#include "engine/api/text.h"
#include "games/checks/one_place.h"
#include "games/contract/game.h"
#include "games/ruleset/ruleset_game.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace croupier::games {

// One element of `tests`, with references to its parts in the file.
struct TestCase {
    std::string name;
    engine::Span span;                                           // of the name
    std::vector<std::pair<std::string, engine::Scalar>> options; // its own override the file's
    std::uint64_t seed = 1;
    const engine::Document* state = nullptr;     // laid over the initial state
    const engine::Document* play = nullptr;      // moves, and what is expected between them
    const engine::Document* expect = nullptr;    // after these moves
    const engine::Document* sequences = nullptr; // counts of move sequences from there
    const engine::Document* random = nullptr;    // random games, and the checks made in them
};

// Owns the text and the document that its cases point into.
class TestFile {
  public:
    // Reads the file. If it has errors, they are in `diagnostics`, and there are no tests.
    TestFile(const std::string& path, const engine::FileOpener& open);
    TestFile(const TestFile&) = delete;
    TestFile& operator=(const TestFile&) = delete;

    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] const engine::Sources& sources() const { return sources_; }
    [[nodiscard]] const engine::Diagnostics& diagnostics() const { return diagnostics_; }
    // Paths of the rulesets with which every test is run.
    [[nodiscard]] const std::vector<std::string>& games() const { return games_; }
    [[nodiscard]] const std::vector<TestCase>& tests() const { return tests_; }
    // The file's demands about rules that never fire; null if nothing.
    [[nodiscard]] const engine::Document* coverage() const { return coverage_; }
    [[nodiscard]] const engine::Document* one_place() const { return one_place_; }

  private:
    class Reader;

    std::string path_;
    engine::Sources sources_;
    engine::Diagnostics diagnostics_;
    std::optional<engine::Document> document_;
    std::vector<std::string> games_;
    std::vector<TestCase> tests_;
    const engine::Document* coverage_ = nullptr;
    const engine::Document* one_place_ = nullptr;
};

// ---- running ------------------------------------------------------------------------------------

// Which rules of a ruleset fire while it is tested.

// Covers the groups that games run: setup, moves, play and score, with nested rules. Rules are
// identified by name, so that counts with different options add up. Doubles the cost of the rules
// watched.
class RuleUse : public RuleWatch {
  public:
    RuleUse() = default;

    // Watches positions of this game from now on; null for none. The game must live until another
    // is watched or results are read.
    void watch_game(const RulesetGame* game);
    void runs(const RuleRun& run) override;

    // The rules of all games watched, in the games' order.
    [[nodiscard]] const std::vector<std::string>& rules();
    // The rules that found a match, or acted without one (`else`).
    [[nodiscard]] const std::set<std::string>& fired();

  private:
    void take();

    const RulesetGame* game_ = nullptr;
    std::unique_ptr<engine::Gauge> gauge_;
    engine::Profile profile_;
    std::vector<std::string> rules_;
    std::set<std::string> known_;
    std::set<std::string> fired_;
};

// One failed expectation, with its place in the file.
struct TestFailure {
    engine::Span span;
    std::string what; // "turn", "state.hands.A", "play", "views"
    std::string found = {};
    std::string expected = {};
    std::optional<std::string> update = {}; // the right value for `span`, as JSON
};

struct TestResult {
    std::string name;
    std::string game; // the path of the ruleset
    engine::Span span;
    std::vector<TestFailure> failures;
    // If the ruleset cannot be opened for this test: messages with their places.
    std::vector<std::string> mistakes;

    [[nodiscard]] bool good() const { return failures.empty() && mistakes.empty(); }
};

// Results are a function of the files only. Used by one thread.
class TestRun {
  public:
    // The file must have no errors, and must outlive the run.
    TestRun(const TestFile& file, engine::FileOpener open);

    // Number of pairs of a test and a game; a game's tests follow each other.
    [[nodiscard]] std::size_t count() const;
    // Runs the i-th.
    TestResult run(std::size_t i);
    // Call after all tests: checks what the file demands of coverage; nothing if it demands
    // nothing.
    std::optional<TestResult> coverage();
    [[nodiscard]] RuleUse& use() { return use_; }

  private:
    bool open_game(const std::string& path, const TestCase& test, TestResult& result);
    void play(const TestCase& test, TestResult& result);
    bool begin(const TestCase& test, Position& position, Random& chance, TestResult& result);
    void make_moves(const TestCase& test, Position& position, Random& chance, TestResult& result);
    void count_sequences(const TestCase& test, const Position& position, const Random& chance,
                         TestResult& result);
    void play_randomly(const TestCase& test, TestResult& result);
    [[nodiscard]] std::vector<OnePlaceRule> one_place(TestResult& result) const;

    const TestFile& file_;
    engine::FileOpener open_;
    std::string opened_as_; // path and options of `game_`
    std::shared_ptr<const RulesetGame> game_;
    RuleUse use_;
};

} // namespace croupier::games
