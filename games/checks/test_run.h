// Tests of a ruleset as its author writes them: files of JSON in a folder `tests` beside the rules.
// Run one after the other, they say what is not as expected. games/README.md ("Testing your game")
// says what they hold.
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

// One element of `tests`, with its parts as they stand in the file.
struct TestCase {
    std::string name;
    engine::Span span;                                           // of the name
    std::vector<std::pair<std::string, engine::Scalar>> options; // those of the file below its own
    std::uint64_t seed = 1;
    const engine::Document* state = nullptr;     // laid over the initial state
    const engine::Document* play = nullptr;      // moves, and what is expected between them
    const engine::Document* expect = nullptr;    // at the end of these
    const engine::Document* sequences = nullptr; // counts of moves from there
    const engine::Document* random = nullptr;    // random games, and what is checked in them
};

// Owns the text and the document that its cases point into.
class TestFile {
  public:
    // Reads the file. What is wrong with it is in `diagnostics`; then it has no tests.
    TestFile(const std::string& path, const engine::FileOpener& open);
    TestFile(const TestFile&) = delete;
    TestFile& operator=(const TestFile&) = delete;

    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] const engine::Sources& sources() const { return sources_; }
    [[nodiscard]] const engine::Diagnostics& diagnostics() const { return diagnostics_; }
    // Paths of the rulesets that every test is run with.
    [[nodiscard]] const std::vector<std::string>& games() const { return games_; }
    [[nodiscard]] const std::vector<TestCase>& tests() const { return tests_; }
    // What shall be said of rules that never fire; null: nothing.
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

// Which rules of a ruleset do anything while it is tested.

// Use of the groups that games run: setup, moves, play and score, with rules inside their rules.
// Rules are known by their names, so that what is counted with different options adds up. Costs as
// much again as the rules that it watches.
class RuleUse : public RuleWatch {
  public:
    RuleUse() = default;

    // From now on it watches positions of this game, which must live until it watches another or is
    // asked; null: none.
    void watch_game(const RulesetGame* game);
    void runs(const RuleRun& run) override;

    // All rules that were watched in some game, in its order.
    [[nodiscard]] const std::vector<std::string>& rules();
    // Those that have found a match, or have acted without one (`else`).
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

// One thing that is not as expected, and where the file expects it.
struct TestFailure {
    engine::Span span;
    std::string what; // "turn", "state.hands.A", "play", "views"
    std::string found = {};
    std::string expected = {};
    std::optional<std::string> update = {}; // what would be right in place of `span`, as JSON
};

struct TestResult {
    std::string name;
    std::string game; // the path of the ruleset
    engine::Span span;
    std::vector<TestFailure> failures;
    // The test could not be made, since the ruleset cannot be opened so: messages with their
    // places.
    std::vector<std::string> mistakes;

    [[nodiscard]] bool good() const { return failures.empty() && mistakes.empty(); }
};

// Results are a function of the files alone. Used by one thread.
class TestRun {
  public:
    // The file has no mistakes, and outlives it.
    TestRun(const TestFile& file, engine::FileOpener open);

    // Every test with every game; a game's tests follow each other.
    [[nodiscard]] std::size_t count() const;
    // The i-th, in order.
    TestResult run(std::size_t i);
    // After all tests: what the file demands of coverage; nothing if it demands nothing.
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
