// The legal moves of a position: a set of members of a domain, or a list.
#pragma once

#include "engine/api/state.h"
#include "games/contract/game.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace croupier::games {

// The k-th set bit of a word that has more than k of them, from the lowest on.
std::uint32_t nth_bit(std::uint64_t word, std::uint32_t k);
// Any set bit of a word that has one: the `random.below(..)`-th of them.
std::uint32_t pick_bit(std::uint64_t word, Random& random);

// A set is kept as bits; its moves are counted and found only when asked for, since most who play
// want one of them. A list has room that is used again.
class MoveSet {
  public:
    // `words` of 64 members each; 0: a list.
    explicit MoveSet(std::uint32_t words) : is_word_(words == 1), words_(words == 1 ? 0 : words) {}

    [[nodiscard]] std::size_t size() const { return is_word_ ? engine::count_rows(word_) : size_; }
    [[nodiscard]] bool empty() const { return is_word_ ? word_ == 0 : size_ == 0; }
    // In the order of the domain, or of the list.
    [[nodiscard]] Move at(std::size_t i) const {
        if (is_word_) return nth_bit(word_, static_cast<std::uint32_t>(i));
        return words_.empty() ? list_[i] : find(i);
    }
    // Any of them, as `at(random.below(size()))`.
    [[nodiscard]] Move pick(Random& random) const {
        return is_word_ ? pick_bit(word_, random) : at(random.below(size_));
    }
    [[nodiscard]] bool contains(Move move) const;
    void list(std::vector<Move>& into) const;

    void clear() {
        word_ = 0;
        size_ = 0;
    }
    // Takes the members from the presence bits that begin there.
    void read(const std::byte* bits) {
        if (is_word_) {
            std::memcpy(&word_, bits, sizeof word_);
        } else {
            read_all(bits);
        }
    }
    // To a list.
    void add(Move move);
    // `other` is of the same kind.
    void copy(const MoveSet& other);

  private:
    void read_all(const std::byte* bits);
    [[nodiscard]] Move find(std::size_t i) const;

    bool is_word_;                     // a set of one word,
    std::uint64_t word_ = 0;           // which is this
    std::size_t size_ = 0;             // of all others
    std::vector<std::uint64_t> words_; // of a larger set; as they were last read, while it is empty
    std::vector<Move> list_;           // the moves, and behind them room for more
};

} // namespace croupier::games
