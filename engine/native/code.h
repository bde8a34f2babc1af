// Plans as instructions of the machine that runs them.
#pragma once

#include "engine/native/frame.h"
#include "engine/plan/program.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace croupier::engine::native {

// A LimitPlan as translated code reads it: a mask for each bound from `low` on; null: row by row.
struct LimitTable {
    std::int64_t low = 0;
    std::int64_t last = 0;
    const std::uint64_t* masks = nullptr;
};

// Owns memory that can be executed and no longer written. Immutable, shared by threads.
class Code {
  public:
    // The bytes begin with the function that `run` calls; `places` are those of the ops, and the
    // code reads `limits`. Null where the system does not let a program run what it has written.
    static std::shared_ptr<const Code> make(std::span<const std::uint8_t> bytes,
                                            std::vector<std::uint32_t> places,
                                            std::vector<LimitTable> limits);
    ~Code();
    Code(const Code&) = delete;
    Code& operator=(const Code&) = delete;

    [[nodiscard]] const void* place_of(std::uint32_t pc) const { return memory_ + places_[pc]; }
    // Runs from the op on to the end of its plan; kThrown where an error waits, else kFails.
    [[nodiscard]] std::int32_t run(Frame& frame, std::uint32_t pc) const;
    [[nodiscard]] std::size_t bytes() const { return size_; }

  private:
    Code(std::byte* memory, std::size_t size, std::vector<std::uint32_t> places,
         std::vector<LimitTable> limits)
        : memory_(memory), size_(size), places_(std::move(places)), limits_(std::move(limits)) {}

    std::byte* memory_;
    std::size_t size_;
    std::vector<std::uint32_t> places_;
    std::vector<LimitTable> limits_;
};

// All plans of the program, which must stay as and where it is; null where the processor is of
// another kind: then they are interpreted.
std::shared_ptr<const Code> translate(const Program& program);

} // namespace croupier::engine::native
