// Games to be looked at move by move, as plain values: whoever can play them fills these in.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace croupier::results {

struct ReplayFrame {
    std::string player; // whose move led here; empty: the beginning
    std::string move;
    std::uint64_t legal = 0;          // how many moves there were to choose from
    std::string scene;                // the position afterwards, as JSON: README.md has its members
    std::vector<std::string> log;     // why: what the agent, or rules, had to say
    std::vector<std::string> refused; // moves that are not legal here, and why, in lines
};

struct Replay {
    std::uint64_t block = 0;
    std::uint32_t game = 0;
    std::string why;                // it is shown: "the longest"
    std::string problem;            // why it could not be played again; then there are no frames
    std::vector<std::string> seats; // "A: rules:naive"
    std::vector<ReplayFrame> frames;
    std::uint32_t plies = 0; // of the whole game, of which `frames` may be the beginning
    std::string ending;      // "over: A 1 point, place 1; ..."
};

} // namespace croupier::results
