// Tests of a ruleset as its author writes them: files of JSON in a folder `tests` beside the rules.
// games/README.md ("Testing your game") says what they hold.
#pragma once

#include "engine/api/ruleset.h"
#include "engine/api/text.h"
#include "games/contract/game.h"

#include <optional>
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

} // namespace croupier::games
