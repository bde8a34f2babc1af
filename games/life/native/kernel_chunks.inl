// Planes of several chunks, for processors whose registers are smaller than a plane. Wants V,
// kLanes (its words), kNumbers (0, 1, ..) and the four moves of words named below.

constexpr int kChunks = CellSet::kWords / kLanes;

struct Plane {
    V chunk[kChunks];
};

[[gnu::always_inline]] inline V xor3(V a, V b, V c) {
    return a ^ b ^ c;
}
[[gnu::always_inline]] inline V majority(V a, V b, V c) {
    return (a & b) | (c & (a ^ b)); // a ^ b is there: xor3 is asked for as well
}
[[gnu::always_inline]] inline V or3(V a, V b, V c) {
    return a | b | c;
}

[[gnu::always_inline]] inline Plane load(const CellSet::Words& words) {
    Plane plane;
    for (int i = 0; i < kChunks; ++i) {
        std::memcpy(&plane.chunk[i], &words[i * kLanes], sizeof(V));
    }
    return plane;
}
[[gnu::always_inline]] inline void store(const Plane& plane, CellSet::Words& words) {
    for (int i = 0; i < kChunks; ++i) {
        std::memcpy(&words[i * kLanes], &plane.chunk[i], sizeof(V));
    }
}

// Word 6 has the rows above those of word 0, one place lower.
[[gnu::always_inline]] inline Plane move_down(const Plane& plane) {
    Plane moved;
    V before = word_six(plane.chunk[kChunks - 1]) << CellSet::kRowBits;
    for (int i = 0; i < kChunks; ++i) {
        moved.chunk[i] = last_then_first(before, plane.chunk[i]);
        before = plane.chunk[i];
    }
    return moved;
}

[[gnu::always_inline]] inline Plane move_up(const Plane& plane) {
    Plane moved;
    for (int i = 0; i < kChunks - 1; ++i) {
        moved.chunk[i] = without_first(plane.chunk[i], plane.chunk[i + 1]);
    }
    const V last = with_last(plane.chunk[kChunks - 1], plane.chunk[0] >> CellSet::kRowBits);
    moved.chunk[kChunks - 1] = without_first(last, last); // the eighth word is nobody's
    return moved;
}

[[gnu::always_inline]] inline Plane one_cell(std::uint64_t word, std::uint64_t bits) {
    Plane plane;
    for (int i = 0; i < kChunks; ++i) {
        const auto chosen = kNumbers == word - static_cast<std::uint64_t>(i * kLanes);
        plane.chunk[i] = reinterpret_cast<V>(chosen) & bits;
    }
    return plane;
}

[[gnu::always_inline]] inline bool any(V cells) {
    std::uint64_t all = 0;
    for (int i = 0; i < kLanes; ++i) {
        all |= cells[i];
    }
    return all != 0;
}
