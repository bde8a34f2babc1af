// What may follow the words of a command line that is not finished: for completion in shells.
#pragma once

#include "tournaments/cli/surface.h"

#include <span>
#include <string>
#include <vector>

namespace croupier::cli {

struct Completion {
    struct Word {
        std::string word;
        std::string text;  // what it is, a line; may be empty
        bool open = false; // more follows it, so that the shell adds no space
    };
    std::vector<Word> words; // all begin with the last of the words that were given
    bool files = false;      // paths may stand there, too
    bool folders = false;    // paths of folders
};

// `words` are those behind the program's name; the last is the one to complete, perhaps empty.
Completion complete(const Surface& surface, std::span<const std::string> words, Context& context);

} // namespace croupier::cli
