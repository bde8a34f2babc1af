// Memory that holds instructions: written first, then executed, never both.
#include "engine/native/code.h"

#include <cstring>
#include <utility>

#if defined(__x86_64__) && defined(__linux__)
#include <sys/mman.h>
#endif

namespace croupier::engine::native {

#if defined(__x86_64__) && defined(__linux__)

std::shared_ptr<const Code> Code::make(std::span<const std::uint8_t> bytes, std::size_t entry,
                                       std::vector<std::uint32_t> places) {
    void* const memory =
        mmap(nullptr, bytes.size(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        return nullptr;
    }
    std::shared_ptr<const Code> code(
        new Code(static_cast<std::byte*>(memory), bytes.size(), entry, std::move(places)));
    std::memcpy(memory, bytes.data(), bytes.size());
    return mprotect(memory, bytes.size(), PROT_READ | PROT_EXEC) == 0 ? code : nullptr;
}

Code::~Code() {
    munmap(memory_, size_);
}

#else

std::shared_ptr<const Code> Code::make(std::span<const std::uint8_t>, std::size_t,
                                       std::vector<std::uint32_t>) {
    return nullptr;
}

Code::~Code() = default;

#endif

std::int32_t Code::run(Frame& frame, std::uint32_t pc) const {
    using Entry = std::int32_t (*)(Frame*, const void*);
    Entry entry = nullptr;
    const void* const at = memory_ + entry_;
    std::memcpy(&entry, &at, sizeof entry);
    return entry(&frame, place_of(pc));
}

} // namespace croupier::engine::native
