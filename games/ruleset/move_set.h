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

// A set is kept as bits and counted when it is read; its moves are found only when asked for, since
// most who play want one of them. A list has room that is used again.
class MoveSet {
  public:
    // `words` of 64 members each; 0: a list.
    explicit MoveSet(std::uint32_t words) : words_(words) {}

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] bool empty() const { return size_ == 0; }
    // In the order of the domain, or of the list.
    [[nodiscard]] Move at(std::size_t i) const {
        if (words_.empty()) return list_[i];
        return words_.size() == 1 ? nth_bit(words_[0], static_cast<std::uint32_t>(i)) : find(i);
    }
    [[nodiscard]] bool contains(Move move) const;
    void list(std::vector<Move>& into) const;

    void clear() { size_ = 0; }
    // Takes the members from the presence bits that begin there.
    void read(const std::byte* bits) {
        if (words_.size() != 1) {
            read_all(bits);
            return;
        }
        std::memcpy(words_.data(), bits, sizeof(std::uint64_t));
        size_ = engine::count_rows(words_[0]);
    }
    // To a list.
    void add(Move move);
    // `other` is of the same kind.
    void copy(const MoveSet& other);

  private:
    void read_all(const std::byte* bits);
    [[nodiscard]] Move find(std::size_t i) const;

    std::size_t size_ = 0;
    std::vector<std::uint64_t> words_; // of a set; as they were last read, while it is empty
    std::vector<Move> list_;           // the moves, and behind them room for more
};

} // namespace croupier::games
