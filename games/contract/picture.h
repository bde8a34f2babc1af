// A position drawn for people, without a word on terminals: lines of pieces, each with a meaning.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace croupier::games {

// What a piece of text stands for; whoever prints it chooses the colours. A drawing says everything
// in its letters, too, for those who see none.
enum class Ink : std::uint8_t {
    Plain,
    Faint, // frame, empty places
    First, // of the first player, the second and so on
    Second,
    Third,
    Fourth,
    Born,  // came by the last move
    Dying, // went by the last move
};

struct Picture {
    struct Stroke {
        std::string text;
        Ink ink = Ink::Plain;
    };
    using Line = std::vector<Stroke>;

    std::vector<Line> lines;

    void line() { lines.emplace_back(); }
    void add(std::string text, Ink ink = Ink::Plain) {
        lines.back().push_back({std::move(text), ink});
    }
};

} // namespace croupier::games
