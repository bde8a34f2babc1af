// Plans as instructions of the machine that runs them.
#pragma once

#include "engine/native/frame.h"
#include "engine/plan/program.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace croupier::engine::native {

// Owns memory that can be executed and no longer written. Immutable, shared by threads.
class Code {
  public:
    // `entry` is the place of the function that `run` calls, `places` those of the ops. Null where
    // the system does not let a program run what it has written.
    static std::shared_ptr<const Code> make(std::span<const std::uint8_t> bytes, std::size_t entry,
                                            std::vector<std::uint32_t> places);
    ~Code();
    Code(const Code&) = delete;
    Code& operator=(const Code&) = delete;

    [[nodiscard]] const void* place_of(std::uint32_t pc) const { return memory_ + places_[pc]; }
    // Runs from the op on to the end of its plan; kThrown where an error waits, else kFails.
    [[nodiscard]] std::int32_t run(Frame& frame, std::uint32_t pc) const;
    [[nodiscard]] std::size_t bytes() const { return size_; }

  private:
    Code(std::byte* memory, std::size_t size, std::size_t entry, std::vector<std::uint32_t> places)
        : memory_(memory), size_(size), entry_(entry), places_(std::move(places)) {}

    std::byte* memory_;
    std::size_t size_;
    std::size_t entry_;
    std::vector<std::uint32_t> places_;
};

// All plans of the program, which must stay as and where it is; null where the processor is of
// another kind: then they are interpreted.
std::shared_ptr<const Code> translate(const Program& program);

} // namespace croupier::engine::native
