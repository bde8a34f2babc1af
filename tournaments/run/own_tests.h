// The tests that the author of a ruleset writes beside it: found, and run.
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
    std::string text; // in place of a file: the general checks of a game that has no tests
};
// What a word means: a file with tests; a game as everywhere (rules_file), for the files of the
// folder 'tests' beside its rules; that folder itself; a folder of games. The host learns of the
// files. Throws UserError if there are no tests.
std::vector<TestInput> test_files(const std::string& word, const std::string& games_folder,
                                  const HostServices& host);

// A file whose tests were run; with mistakes in it there are no results.
struct TestedFile {
    std::unique_ptr<games::TestFile> file;
    std::vector<games::TestResult> results;
    std::size_t rules = 0;
    std::vector<std::string> never_fired; // of the rules
};
// Runs the tests whose names hold `only`; `told` gets each before: its number from 1, how many
// there are, and its name.
TestedFile run_tests(const TestInput& input, const std::string& only,
                     const std::function<void(std::size_t, std::size_t, const std::string&)>& told,
                     const HostServices& host);
// Writes values that were found in place of those that were expected; returns how many. Throws
// UserError if the file cannot be written.
std::size_t write_updates(const TestedFile& tested);

} // namespace croupier::tournaments
