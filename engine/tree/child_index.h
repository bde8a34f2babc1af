// Finds children by key where a node has so many that searching them in a line would be slow.
#pragma once

#include "engine/tree/symbols.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace croupier::engine {

// One block of memory, at most half full, since states are copied far more often than a key is
// looked up in one of them. A parent is never 0, and so a word that is 0 is a free place.
class ChildIndex {
  public:
    [[nodiscard]] std::uint32_t find(std::uint32_t parent, Symbol key) const {
        return places_.empty() ? 0 : places_[place_of(word(parent, key))].id;
    }

    void put(std::uint32_t parent, Symbol key, std::uint32_t id) {
        if (2 * (used_ + 1) > places_.size()) {
            grow();
        }
        Place& place = places_[place_of(word(parent, key))];
        used_ += place.word == 0 ? 1 : 0;
        place = {word(parent, key), id};
    }

    void erase(std::uint32_t parent, Symbol key) {
        if (places_.empty()) {
            return;
        }
        std::size_t hole = place_of(word(parent, key));
        if (places_[hole].word == 0) {
            return;
        }
        --used_;
        // Whatever follows without a gap may have been meant for the hole.
        for (std::size_t at = next(hole); places_[at].word != 0; at = next(at)) {
            const std::size_t wanted = first_place(places_[at].word);
            const std::size_t mask = places_.size() - 1;
            if (((at - wanted) & mask) < ((at - hole) & mask)) {
                continue;
            }
            places_[hole] = places_[at];
            hole = at;
        }
        places_[hole] = {};
    }

  private:
    struct Place {
        std::uint64_t word = 0;
        std::uint32_t id = 0;
    };

    static constexpr std::size_t kFewest = 64;

    static std::uint64_t word(std::uint32_t parent, Symbol key) {
        return (std::uint64_t{parent} << 32) | key;
    }
    [[nodiscard]] std::size_t next(std::size_t place) const {
        return (place + 1) & (places_.size() - 1);
    }
    [[nodiscard]] std::size_t first_place(std::uint64_t word) const {
        return (word * 0x9e3779b97f4a7c15u >> 32) & (places_.size() - 1);
    }
    // Where the word is, or the free place where it would be.
    [[nodiscard]] std::size_t place_of(std::uint64_t word) const {
        std::size_t place = first_place(word);
        while (places_[place].word != 0 && places_[place].word != word) {
            place = next(place);
        }
        return place;
    }
    void grow() {
        std::vector<Place> old(places_.empty() ? kFewest : 2 * places_.size());
        old.swap(places_);
        for (const Place& place : old) {
            if (place.word != 0) {
                places_[place_of(place.word)] = place;
            }
        }
    }

    std::vector<Place> places_; // a power of two
    std::size_t used_ = 0;
};

} // namespace croupier::engine
