// Random small CLIPS programs, to be run by CLIPS itself and by us.
#pragma once

#include <cstdint>
#include <string>

namespace croupier::engine::clips {

// Rules, then commands that assert, retract, run and list under watch. The same seed gives the same
// program. Values come from a small set, so that facts meet; every run has a limit.
std::string generate_program(std::uint64_t seed);

// Rules and deffacts of relations r s u v and the template t, for games at random; the facts that a
// rule rests on often go when it fires.
std::string generate_game(std::uint64_t seed);

} // namespace croupier::engine::clips
