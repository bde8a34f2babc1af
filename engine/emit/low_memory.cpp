// Maps memory in the lowest two gigabytes.
#include "engine/emit/low_memory.h"

#include <algorithm>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace croupier::engine::emit {

namespace {

constexpr std::size_t kRoom = std::size_t{64} << 10;
constexpr std::size_t kWord = sizeof(std::uint64_t);

} // namespace

LowMemory::~LowMemory() {
#if defined(__linux__)
    for (const auto& [begin, bytes] : mapped_) {
        munmap(begin, bytes);
    }
#endif
}

std::uint8_t* LowMemory::take(std::size_t bytes) {
    bytes = (bytes + kWord - 1) / kWord * kWord;
    if (bytes > left_) {
        add_room(std::max(bytes, kRoom));
    }
    left_ -= bytes;
    return std::exchange(next_, next_ + bytes);
}

void LowMemory::add_room(std::size_t bytes) {
    left_ = bytes;
#if defined(__linux__) && defined(MAP_32BIT)
    void* const begin = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
    if (begin != MAP_FAILED) {
        mapped_.emplace_back(begin, bytes);
        next_ = static_cast<std::uint8_t*>(begin);
        return;
    }
#endif
    allocated_.push_back(std::make_unique<std::uint64_t[]>(bytes / kWord));
    next_ = reinterpret_cast<std::uint8_t*>(allocated_.back().get());
}

} // namespace croupier::engine::emit
