// How much the server of tables takes from its clients.
#pragma once

#include <chrono>
#include <cstddef>

namespace croupier::serve {

struct CrowdLimits {
    std::size_t connections = 128;
    std::chrono::milliseconds request{10'000}; // for a whole request, from its first byte
    std::chrono::milliseconds idle{15'000};    // between two requests
    std::chrono::milliseconds write{10'000};   // for a piece of an answer
    std::size_t request_bytes = 600 * 1024;    // head and body
    std::size_t body_bytes = 512 * 1024;       // a ruleset and a state
    std::size_t requests = 1000;               // of one connection
};

} // namespace croupier::serve
