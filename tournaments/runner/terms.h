// The terms of games: the consequence of an agent's fault, and the limit of moves.
#pragma once

#include <cstdint>
#include <string_view>

namespace croupier::tournaments {

enum class FaultRule : std::uint8_t {
    Loss, // its side loses the game
    Void, // the game does not count
    Stop, // its side loses the game, and the run ends with the block
};

constexpr std::string_view name_of(FaultRule rule) {
    return rule == FaultRule::Loss ? "loss" : rule == FaultRule::Void ? "void" : "stop";
}

struct Terms {
    FaultRule faults = FaultRule::Loss;
    std::uint32_t cut = 0; // games are cut after that many moves; 0 for no limit

    friend bool operator==(const Terms&, const Terms&) = default;
};

} // namespace croupier::tournaments
