// Memory that holds instructions: written first, then executed, never both.
#include "engine/native/code.h"

#include <cstring>
#include <utility>

#if defined(__x86_64__) && defined(__linux__)
#include <sys/mman.h>
#endif

// A sanitizer that looks for the type of a called function before its first byte finds none.
#if defined(__clang__)
#define CROUPIER_CALLS_BYTES [[clang::no_sanitize("function")]]
#else
#define CROUPIER_CALLS_BYTES
#endif

namespace croupier::engine::native {

#if defined(__x86_64__) && defined(__linux__)

std::shared_ptr<const Code> Code::make(std::span<const std::uint8_t> bytes,
                                       std::vector<std::uint32_t> places,
                                       std::vector<LimitTable> limits) {
    void* const memory =
        mmap(nullptr, bytes.size(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        return nullptr;
    }
    std::shared_ptr<const Code> code(new Code(static_cast<std::byte*>(memory), bytes.size(),
                                              std::move(places), std::move(limits)));
    std::memcpy(memory, bytes.data(), bytes.size());
    return mprotect(memory, bytes.size(), PROT_READ | PROT_EXEC) == 0 ? code : nullptr;
}

Code::~Code() {
    munmap(memory_, size_);
}

#else

std::shared_ptr<const Code> Code::make(std::span<const std::uint8_t>, std::vector<std::uint32_t>,
                                       std::vector<LimitTable>) {
    return nullptr;
}

Code::~Code() = default;

#endif

CROUPIER_CALLS_BYTES std::int32_t Code::run(Frame& frame, std::uint32_t pc) const {
    using Entry = std::int32_t (*)(Frame*, const void*);
    Entry entry = nullptr;
    std::memcpy(&entry, &memory_, sizeof entry);
    return entry(&frame, place_of(pc));
}

} // namespace croupier::engine::native
