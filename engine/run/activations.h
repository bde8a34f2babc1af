// The activations of an agenda group that runs by machine code, in the order in which they fire.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

namespace croupier::engine {

// A heap in which each activation knows its place, told to its owner whenever it moves: an owner
// has `place_of(Activation)`, which gives what to write it to. Nothing is allocated once it has
// grown.
struct Activation {
    std::int64_t rank = 0;    // smaller first: by salience, and by how specific its rule is
    std::uint64_t moment = 0; // then
    std::uint64_t age = 0;    // and then
    std::uint32_t rule = 0;
    std::uint32_t match = 0;

    [[nodiscard]] bool is_before(const Activation& other) const {
        return std::tie(rank, moment, age) < std::tie(other.rank, other.moment, other.age);
    }
};

template <typename Owner>
class Activations {
  public:
    explicit Activations(Owner& owner) : owner_(owner) {}

    [[nodiscard]] bool empty() const { return heap_.empty(); }
    [[nodiscard]] const Activation& first() const { return heap_.front(); }
    void clear() { heap_.clear(); }
    void set_match(std::uint32_t place, std::uint32_t match) { heap_[place].match = match; }

    void add(const Activation& made) {
        heap_.push_back(made);
        rise(heap_.size() - 1);
    }
    void remove(std::size_t place) {
        const Activation last = heap_.back();
        heap_.pop_back();
        if (place < heap_.size()) {
            put(place, last);
            rise(place);
            sink(owner_.place_of(last));
        }
    }

  private:
    void put(std::size_t place, const Activation& activation) {
        heap_[place] = activation;
        owner_.place_of(activation) = static_cast<std::uint32_t>(place);
    }
    void rise(std::size_t at) {
        const Activation risen = heap_[at];
        for (; at > 0 && risen.is_before(heap_[(at - 1) / 2]); at = (at - 1) / 2) {
            put(at, heap_[(at - 1) / 2]);
        }
        put(at, risen);
    }
    void sink(std::size_t at) {
        const Activation sunk = heap_[at];
        for (std::size_t below = 2 * at + 1; below < heap_.size(); below = 2 * at + 1) {
            if (below + 1 < heap_.size() && heap_[below + 1].is_before(heap_[below])) {
                ++below;
            }
            if (!heap_[below].is_before(sunk)) {
                break;
            }
            put(at, heap_[below]);
            at = below;
        }
        put(at, sunk);
    }

    Owner& owner_;
    std::vector<Activation> heap_;
};

} // namespace croupier::engine
