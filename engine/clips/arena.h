// Memory of one running CLIPS program: facts, matches and tables, all in blocks that can be saved
// and put back byte by byte, which is how a reset costs next to nothing.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <vector>

namespace croupier::engine::clips {

// The program needs more memory than it was allowed.
struct MemoryLimit : std::runtime_error {
    MemoryLimit() : std::runtime_error("the program needs more memory than it may have") {}
};

// Hands out pieces of up to kLargest bytes from size classes of 16, larger ones whole; a piece that
// was given back serves the next of its class. Nothing has a destructor.
class Arena {
  public:
    explicit Arena(std::size_t limit) : limit_(limit) {}

    void* take(std::size_t bytes) {
        const std::size_t size_class = (bytes + 15) / 16;
        if (size_class < kClasses) {
            if (Free* piece = free_[size_class]) {
                free_[size_class] = piece->next;
                return piece;
            }
        }
        return take_new(size_class * 16);
    }

    void give(void* piece, std::size_t bytes) {
        const std::size_t size_class = (bytes + 15) / 16;
        if (size_class >= kClasses) return; // tables only grow by doubling: at most half is lost
        auto* free = static_cast<Free*>(piece);
        free->next = free_[size_class];
        free_[size_class] = free;
    }

    template <typename T>
    T* make() {
        return new (take(sizeof(T))) T();
    }

    // All zero, so an array of pointers is null.
    template <typename T>
    T* make_array(std::size_t count) {
        void* memory = take(sizeof(T) * count);
        std::memset(memory, 0, sizeof(T) * count);
        return static_cast<T*>(memory);
    }

    [[nodiscard]] std::size_t bytes() const { return used_; }

    void save();
    // Back to the last save: every byte, every free piece. Addresses are the same as then.
    void restore();
    [[nodiscard]] bool saved() const { return has_saved_; }
    void forget() { has_saved_ = false; }

    // From here on memory is taken from new blocks, and only those are saved; until all of it is
    // given up at once.
    void fence();
    void unfence();

  private:
    struct Free {
        Free* next;
    };
    struct Block {
        std::unique_ptr<std::byte[]> memory;
        std::size_t size = 0;
        std::size_t used = 0;
    };
    static constexpr std::size_t kClasses = 64;
    static constexpr std::size_t kBlock = std::size_t{256} << 10;

    void* take_new(std::size_t bytes);

    std::size_t limit_;
    std::size_t used_ = 0;
    std::vector<Block> blocks_;
    std::size_t current_ = 0; // blocks after it are empty
    std::array<Free*, kClasses> free_{};

    std::size_t fence_ = 0; // the first block behind it
    std::size_t fenced_used_ = 0;
    std::array<Free*, kClasses> fenced_free_{};

    bool has_saved_ = false;
    std::vector<std::byte> saved_bytes_;
    std::vector<std::size_t> saved_used_;
    std::array<Free*, kClasses> saved_free_{};
    std::size_t saved_total_ = 0;
    std::size_t saved_current_ = 0;
};

} // namespace croupier::engine::clips
