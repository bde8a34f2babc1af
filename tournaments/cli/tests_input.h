// Files of tests that the user named.
#pragma once

#include "tournaments/cli/command.h"

#include <string>
#include <vector>

namespace croupier::cli {

// What a word stands for: a file with tests; a game as everywhere (rules_file), for the files of
// the folder 'tests' beside its rules; that folder itself; a folder of games. Names the files to
// the context. Throws Mistake if there are no tests.
std::vector<std::string> test_files(const std::string& word, const std::string& games_folder,
                                    const Context& context);

} // namespace croupier::cli
