// Replaces operator new; standard containers and algorithms need only these variants.
#include "games/testing/allocations.h"

#include <cstdlib>
#include <new>

namespace {

thread_local std::uint64_t count = 0;

void* counted(std::size_t bytes) {
    ++count;
    return std::malloc(bytes == 0 ? 1 : bytes);
}

void* counted_or_throw(std::size_t bytes) {
    if (void* const memory = counted(bytes)) return memory;
    throw std::bad_alloc();
}

} // namespace

std::uint64_t croupier::games::allocations() {
    return count;
}

void* operator new(std::size_t bytes) {
    return counted_or_throw(bytes);
}
void* operator new[](std::size_t bytes) {
    return counted_or_throw(bytes);
}
// std::stable_sort uses this one.
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
    return counted(bytes);
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete[](void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
    std::free(memory);
}
