// Takes the executable examples out of a Markdown document: which fenced block is what.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace croupier::engine {

// A fenced block: ```json after play -> language json, kind after, argument play.
struct Block {
    std::string language;
    std::string kind;
    std::string argument;
    std::string text;
    std::size_t line = 0; // of the opening fence, from 1
};

// One subject (```json condition, ```json rules), what it is run on, and what must come of it
// (```json after GROUP, ```text matches RULE, error CODE, warning CODE, stops KIND, why RULE,
// trace, prints). ```json file NAME is a file that can be included, ```json over NAME one laid over
// the rules. A ```json state serves until the next heading of the second level or the next state;
// after expectations it begins a second example of the same subject.
struct Example {
    Block subject;
    std::optional<Block> state;
    std::vector<Block> files;
    std::vector<Block> expected;
};

struct Examples {
    std::vector<Example> all;
    // What makes the document wrong before anything is run, with its line.
    std::vector<std::pair<std::size_t, std::string>> problems;
};

Examples find_examples(std::string_view markdown);

// The document with new texts for the blocks that open on these lines.
std::string with_texts(std::string_view markdown,
                       const std::vector<std::pair<std::size_t, std::string>>& texts);

} // namespace croupier::engine
