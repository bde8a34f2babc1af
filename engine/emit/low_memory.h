// Memory that machine code reads, whose addresses fit into an instruction where that can be had.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace croupier::engine::emit {

// Pieces stay where they are until all go.
class LowMemory {
  public:
    LowMemory() = default;
    LowMemory(const LowMemory&) = delete;
    LowMemory& operator=(const LowMemory&) = delete;
    ~LowMemory();

    // Zeroed, and aligned as words are.
    std::uint8_t* take(std::size_t bytes);

  private:
    void add_room(std::size_t bytes);

    std::uint8_t* next_ = nullptr;
    std::size_t left_ = 0;
    std::vector<std::pair<void*, std::size_t>> mapped_;
    std::vector<std::unique_ptr<std::uint64_t[]>> allocated_; // where the system has none
};

} // namespace croupier::engine::emit
