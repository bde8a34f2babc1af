// Runs the tests of a file, one after the other, and says what is not as expected.
#pragma once

#include "engine/api/explain.h"
#include "engine/api/ruleset.h"
#include "engine/api/text.h"
#include "games/checks/one_place.h"
#include "games/checks/test_file.h"
#include "games/contract/game.h"
#include "games/ruleset/ruleset_game.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace croupier::games {

// Which rules of a ruleset do anything while it is tested.

// Of the groups that games run: setup, moves, play and score, with the rules inside their rules.
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
