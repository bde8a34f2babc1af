// Files of tests that the user named, and what stands for them where a game has none.
#pragma once

#include "tournaments/cli/command.h"

#include <string>
#include <vector>

namespace croupier::cli {

// What a word stands for: a file with tests; a game as everywhere (rules_file), for the files of
// the folder 'tests' beside its rules; that folder itself; a folder of games. Names the files to
// the context. Throws Mistake if there are no tests.
struct TestInput {
    std::string path;
    std::string text; // in place of a file: the general checks of a game that has no tests
};
std::vector<TestInput> test_files(const std::string& word, const std::string& games_folder,
                                  const Context& context);

} // namespace croupier::cli
