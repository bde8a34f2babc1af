// Games to be looked at move by move, as plain values: whoever can play them fills these in.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace croupier::results {

// What stands on a cell of a board.
struct SceneCell {
    std::string letter;      // empty: nothing
    std::uint32_t owner = 0; // whose it is: a seat; where pieces are nobody's, 0

    friend bool operator==(const SceneCell&, const SceneCell&) = default;
};

struct SceneCard {
    std::string label; // "7♠"
    bool red = false;
};

// Cards that lie together: a hand, the trick, what is turned up.
struct SceneCards {
    std::string name;
    std::vector<SceneCard> cards;
    bool hand = false;
};

// One position, as far as it can be drawn; each part may be empty.
struct Scene {
    std::vector<SceneCell> cells;                           // row by row, row 1 first
    std::vector<SceneCards> cards;                          // in the order shown
    std::vector<std::pair<std::string, std::string>> facts; // "trump", "S"
    std::string text; // where there is nothing else: the position as text
};

struct ReplayFrame {
    std::string player; // whose move led here; empty: the beginning
    std::string move;
    std::uint64_t legal = 0;      // how many moves there were to choose from
    Scene scene;                  // afterwards
    std::vector<std::string> log; // why: what the agent, or rules, had to say
};

struct Replay {
    std::uint64_t block = 0;
    std::uint32_t game = 0;
    std::string why;           // it is shown: "the longest"
    std::string problem;       // why it could not be played again; then there are no frames
    std::uint32_t columns = 0; // of the board; 0: there is none
    std::uint32_t rows = 0;
    std::vector<std::string> seats; // "A: rules:naive"
    std::vector<ReplayFrame> frames;
    std::uint32_t plies = 0; // of the whole game, of which `frames` may be the beginning
    std::string ending;      // "over: A 1 point, place 1; ..."
};

} // namespace croupier::results
