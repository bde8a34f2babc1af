// On what terms games are played: what the fault of an agent comes to, and how long they may be.
#pragma once

#include <cstdint>
#include <string_view>

namespace croupier::tournaments {

enum class FaultRule : std::uint8_t {
    Loss, // its side has lost the game
    Void, // the game counts for nobody
    Stop, // its side has lost the game, and the run ends with the block
};

constexpr std::string_view name_of(FaultRule rule) {
    return rule == FaultRule::Loss ? "loss" : rule == FaultRule::Void ? "void" : "stop";
}

struct Terms {
    FaultRule faults = FaultRule::Loss;
    std::uint32_t cut = 0; // a game of so many moves is cut; 0: none is

    friend bool operator==(const Terms&, const Terms&) = default;
};

} // namespace croupier::tournaments
