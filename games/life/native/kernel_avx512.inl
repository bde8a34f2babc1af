// Planes of one register.

using V [[gnu::vector_size(64)]] = std::uint64_t;
constexpr int kChunks = 1;

struct Plane {
    V chunk[1];
};

[[gnu::always_inline]] inline __m512i raw(V v) {
    return reinterpret_cast<__m512i>(v);
}
[[gnu::always_inline]] inline V plain(__m512i v) {
    return reinterpret_cast<V>(v);
}

// The last operand is the truth table, its bit 4a + 2b + c the result.
[[gnu::always_inline]] inline V xor3(V a, V b, V c) {
    return plain(_mm512_ternarylogic_epi64(raw(a), raw(b), raw(c), 0x96));
}
[[gnu::always_inline]] inline V majority(V a, V b, V c) {
    return plain(_mm512_ternarylogic_epi64(raw(a), raw(b), raw(c), 0xe8));
}
[[gnu::always_inline]] inline V or3(V a, V b, V c) {
    return plain(_mm512_ternarylogic_epi64(raw(a), raw(b), raw(c), 0xfe));
}

[[gnu::always_inline]] inline Plane load(const CellSet::Words& from) {
    return {{plain(_mm512_loadu_si512(from.data()))}};
}
[[gnu::always_inline]] inline void store(const Plane& plane, CellSet::Words& to) {
    _mm512_storeu_si512(to.data(), raw(plane.chunk[0]));
}

// Word 6 has the rows above those of word 0, one place lower.
[[gnu::always_inline]] inline Plane move_down(const Plane& plane) {
    const V here = plane.chunk[0];
    const __m512i moved = raw(__builtin_shufflevector(here, here, 6, 0, 1, 2, 3, 4, 5, 6));
    return {{plain(_mm512_mask_slli_epi64(moved, 0x01, moved, CellSet::kRowBits))}};
}

[[gnu::always_inline]] inline Plane move_up(const Plane& plane) {
    const V here = plane.chunk[0];
    const __m512i moved = raw(__builtin_shufflevector(here, here, 1, 2, 3, 4, 5, 6, 0, 0));
    return {{plain(_mm512_mask_srli_epi64(moved, 0x40, moved, CellSet::kRowBits))}};
}

[[gnu::always_inline]] inline Plane one_cell(unsigned word, std::uint64_t bits) {
    const auto lane = static_cast<__mmask8>(1U << word);
    return {{plain(_mm512_maskz_set1_epi64(lane, static_cast<long long>(bits)))}};
}

[[gnu::always_inline]] inline bool any(V cells) {
    return _mm512_test_epi64_mask(raw(cells), raw(cells)) != 0;
}

[[gnu::always_inline]] inline unsigned nth_bit(std::uint64_t bits, unsigned n) {
    return static_cast<unsigned>(__builtin_ctzll(_pdep_u64(std::uint64_t{1} << n, bits)));
}
