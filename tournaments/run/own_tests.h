// Finds and runs the tests that a ruleset's author writes beside it.
#pragma once

#include "games/checks/test_run.h"
#include "tournaments/run/host.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace croupier::tournaments {

struct TestInput {
    std::string path;
    std::string text; // in place of a file: general checks for a game without tests
};
// The test files for a word: a file with tests; a game (as in rules_file), for the files in the
// folder 'tests' beside its rules; that folder; or a folder of games. Registers the files with the
// host. Throws UserError if there are no tests.
std::vector<TestInput> test_files(const std::string& word, const std::string& games_folder,
                                  const HostServices& host);

// A file whose tests were run; if it has errors, there are no results.
struct TestedFile {
    std::unique_ptr<games::TestFile> file;
    std::vector<games::TestResult> results;
    std::size_t rules = 0;
    std::vector<std::string> never_fired; // names of rules
};
// Runs the tests whose names contain `only`. Before each, calls `told` with its number from 1, the
// number of tests, and its name.
TestedFile run_tests(const TestInput& input, const std::string& only,
                     const std::function<void(std::size_t, std::size_t, const std::string&)>& told,
                     const HostServices& host);
// Replaces expected values by those found; returns how many. Throws UserError if the file cannot be
// written.
std::size_t write_updates(const TestedFile& tested);

} // namespace croupier::tournaments
