// Counts and picks the members of sets of moves.
#include "games/ruleset/move_set.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <span>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace croupier::games {
namespace {

constexpr std::uint64_t kEach = 0x0101010101010101u; // one in each byte

// By rank and byte: where the set bit of that rank is in the byte.
constexpr auto kInByte = [] {
    std::array<std::array<std::uint8_t, 256>, 8> table{};
    for (unsigned byte = 0; byte < 256; ++byte) {
        unsigned rank = 0;
        for (unsigned bit = 0; bit < 8; ++bit)
            if ((byte >> bit & 1U) != 0) table[rank++][byte] = static_cast<std::uint8_t>(bit);
    }
    return table;
}();

std::uint32_t pick_by_counting(std::uint64_t word, Random& random) {
    return nth_bit(word, static_cast<std::uint32_t>(random.below(engine::count_rows(word))));
}

#if defined(__x86_64__)

// With the instructions that later processors have for it.
[[gnu::target("bmi2,popcnt")]] std::uint32_t pick_by_deposit(std::uint64_t word, Random& random) {
    const auto count = static_cast<std::uint64_t>(__builtin_popcountll(word));
    return static_cast<std::uint32_t>(
        __builtin_ctzll(_pdep_u64(std::uint64_t{1} << random.below(count), word)));
}

// The first two generations of AMD's Zen take hundreds of cycles for it.
const bool kDepositsFast = __builtin_cpu_supports("bmi2") != 0 &&
                           __builtin_cpu_supports("popcnt") != 0 &&
                           __builtin_cpu_is("znver1") == 0 && __builtin_cpu_is("znver2") == 0;

#endif

} // namespace

std::uint32_t pick_bit(std::uint64_t word, Random& random) {
#if defined(__x86_64__)
    if (kDepositsFast) return pick_by_deposit(word, random);
#endif
    return pick_by_counting(word, random);
}

// Without a loop whose end would have to be guessed: finds the byte by the counts of all of them.
std::uint32_t nth_bit(std::uint64_t word, std::uint32_t k) {
    std::uint64_t counts = word - ((word >> 1) & 0x5555555555555555u);
    counts = (counts & 0x3333333333333333u) + ((counts >> 2) & 0x3333333333333333u);
    counts = ((counts + (counts >> 4)) & 0x0f0f0f0f0f0f0f0fu) * kEach; // up to and with each byte
    // A high bit for each byte at whose end at most k were counted: the bit is behind these.
    const std::uint64_t passed = ((k * kEach | 0x80 * kEach) - counts) & 0x80 * kEach;
    const auto place = static_cast<std::uint32_t>((passed >> 7) * kEach >> 56) * 8;
    const auto rank = k - static_cast<std::uint32_t>((counts << 8) >> place & 0xff);
    return place + kInByte[rank][word >> place & 0xff];
}

void MoveSet::read_all(const std::byte* bits) {
    std::memcpy(words_.data(), bits, words_.size() * sizeof(std::uint64_t));
    size_ = 0;
    for (const std::uint64_t word : words_)
        size_ += engine::count_rows(word);
}

Move MoveSet::find(std::size_t i) const {
    std::uint32_t first = 0;
    for (const std::uint64_t word : words_) {
        const std::uint32_t count = engine::count_rows(word);
        if (i < count) return first + nth_bit(word, static_cast<std::uint32_t>(i));
        i -= count;
        first += engine::kWordRows;
    }
    assert(false);
    return first;
}

bool MoveSet::contains(Move move) const {
    if (is_word_) return move < engine::kWordRows && (word_ >> move & 1) != 0;
    if (empty()) return false;
    if (words_.empty()) {
        const auto end = list_.begin() + static_cast<std::ptrdiff_t>(size_);
        return std::find(list_.begin(), end, move) != end;
    }
    const std::size_t word = move / engine::kWordRows;
    return word < words_.size() && (words_[word] >> (move % engine::kWordRows) & 1) != 0;
}

void MoveSet::list(std::vector<Move>& into) const {
    if ((!is_word_ && words_.empty()) || empty()) {
        into.assign(list_.begin(), list_.begin() + static_cast<std::ptrdiff_t>(size_));
        return;
    }
    into.resize(size());
    Move* next = into.data();
    Move first = 0;
    for (std::uint64_t word : is_word_ ? std::span(&word_, 1) : std::span(words_)) {
        for (; word != 0; word &= word - 1)
            *next++ = first + static_cast<Move>(std::countr_zero(word));
        first += engine::kWordRows;
    }
}

void MoveSet::add(Move move) {
    if (size_ == list_.size())
        list_.push_back(move);
    else
        list_[size_] = move;
    ++size_;
}

void MoveSet::copy(const MoveSet& other) {
    assert(words_.size() == other.words_.size());
    assert(is_word_ == other.is_word_);
    word_ = other.word_;
    size_ = other.size_;
    if (size_ == 0) return;
    if (!words_.empty()) {
        std::memcpy(words_.data(), other.words_.data(), words_.size() * sizeof(std::uint64_t));
    } else {
        if (list_.size() < size_) list_.resize(size_);
        std::copy_n(other.list_.begin(), size_, list_.begin());
    }
}

} // namespace croupier::games
