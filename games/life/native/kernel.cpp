// The kernels: one text of the rules, compiled for each kind of processor with its own planes.
#include "games/life/native/kernel.h"

#include <cstring>
#include <vector>

#if defined(__x86_64__)
#define CROUPIER_LIFE_X86 1
#include <immintrin.h>
#endif

namespace croupier::games::life {
namespace {

// ---- any machine: two words at a time, as vectors of GCC and clang that every 64-bit processor
// has ----

namespace portable {

using V [[gnu::vector_size(16)]] = std::uint64_t;
constexpr int kLanes = 2;

[[gnu::always_inline]] inline V last_then_first(V before, V here) {
    return __builtin_shufflevector(before, here, 1, 2);
}
[[gnu::always_inline]] inline V without_first(V here, V after) {
    return __builtin_shufflevector(here, after, 1, 2);
}
// The word before the last at the last place.
[[gnu::always_inline]] inline V word_six(V last) {
    return __builtin_shufflevector(last, last, 0, 0);
}
[[gnu::always_inline]] inline V with_last(V here, V first) {
    return __builtin_shufflevector(here, first, 0, 2);
}
constexpr V kNumbers = {0, 1};

[[gnu::always_inline]] inline unsigned nth_bit(std::uint64_t bits, unsigned n) {
    for (; n > 0; --n) {
        bits &= bits - 1;
    }
    return static_cast<unsigned>(__builtin_ctzll(bits));
}

#include "games/life/native/kernel_chunks.inl"
#include "games/life/native/kernel_rules.inl"

constexpr Kernel kKernel{"portable", tick_board, legal_drops_on, best_drops_on, play_random_on};

} // namespace portable

#if CROUPIER_LIFE_X86

// ---- AVX2: four words at a time
// ------------------------------------------------------------------

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt"))),                \
                             apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,bmi,bmi2,lzcnt,popcnt")
#endif

namespace avx2 {

using V [[gnu::vector_size(32)]] = std::uint64_t;
constexpr int kLanes = 4;

// GCC 12 takes general shuffles of two registers through memory, hence by hand.
[[gnu::always_inline]] inline __m256i raw(V v) {
    return reinterpret_cast<__m256i>(v);
}
[[gnu::always_inline]] inline V last_then_first(V before, V here) {
    const __m256i middle = _mm256_permute2x128_si256(raw(before), raw(here), 0x21);
    return reinterpret_cast<V>(_mm256_alignr_epi8(raw(here), middle, 8));
}
[[gnu::always_inline]] inline V without_first(V here, V after) {
    const __m256i middle = _mm256_permute2x128_si256(raw(here), raw(after), 0x21);
    return reinterpret_cast<V>(_mm256_alignr_epi8(middle, raw(here), 8));
}
[[gnu::always_inline]] inline V word_six(V last) {
    return reinterpret_cast<V>(_mm256_permute4x64_epi64(raw(last), 0xaa));
}
[[gnu::always_inline]] inline V with_last(V here, V first) {
    const __m256i spread = _mm256_permute4x64_epi64(raw(first), 0);
    return reinterpret_cast<V>(_mm256_blend_epi32(raw(here), spread, 0xc0));
}
constexpr V kNumbers = {0, 1, 2, 3};

[[gnu::always_inline]] inline unsigned nth_bit(std::uint64_t bits, unsigned n) {
    return static_cast<unsigned>(__builtin_ctzll(_pdep_u64(std::uint64_t{1} << n, bits)));
}

#include "games/life/native/kernel_chunks.inl"
#include "games/life/native/kernel_rules.inl"

constexpr Kernel kKernel{"avx2", tick_board, legal_drops_on, best_drops_on, play_random_on};

bool usable() {
    return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("bmi2") != 0;
}

} // namespace avx2

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

// ---- AVX-512: a plane is one register, three inputs make one operation
// -----------------------------

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx2,bmi,bmi2,lzcnt,popcnt"))),        \
                             apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx2,bmi,bmi2,lzcnt,popcnt")
#endif

namespace avx512 {

#include "games/life/native/kernel_avx512.inl"
#include "games/life/native/kernel_rules.inl"

constexpr Kernel kKernel{"avx512", tick_board, legal_drops_on, best_drops_on, play_random_on};

bool usable() {
    return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("bmi2") != 0;
}

} // namespace avx512

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#endif // CROUPIER_LIFE_X86

std::vector<const Kernel*> find_kernels() {
    std::vector<const Kernel*> kernels;
#if CROUPIER_LIFE_X86
    if (avx512::usable()) kernels.push_back(&avx512::kKernel);
    if (avx2::usable()) kernels.push_back(&avx2::kKernel);
#endif
    kernels.push_back(&portable::kKernel);
    return kernels;
}

} // namespace

std::span<const Kernel* const> usable_kernels() {
    static const std::vector<const Kernel*> kKernels = find_kernels();
    return kKernels;
}

const Kernel& fastest_kernel() {
    return *usable_kernels().front();
}

} // namespace croupier::games::life
