// What a search has found out about positions, by hash: a table of fixed size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace croupier::agents {

// Entries hold for one decision: the table forgets at once and without being cleared. An entry
// gives way to any later one of its place. Two positions of the same hash are taken for one.
class Transpositions {
  public:
    enum class Bound : std::uint8_t { Exact, AtLeast, AtMost };
    struct Entry {
        std::uint64_t hash = 0;
        double worth = 0;
        std::uint32_t decision = 0;
        std::uint32_t best = 0; // index of the move that was best
        std::uint16_t depth = 0;
        Bound bound = Bound::Exact;
    };

    // 2^bits entries.
    explicit Transpositions(unsigned bits) : entries_(std::size_t{1} << bits) {}

    void forget() {
        if (++decision_ != 0) return;
        entries_.assign(entries_.size(), {}); // the numbers begin again
        decision_ = 1;
    }
    [[nodiscard]] const Entry* find(std::uint64_t hash) const {
        const Entry& entry = entries_[hash & (entries_.size() - 1)];
        return entry.decision == decision_ && entry.hash == hash ? &entry : nullptr;
    }
    void keep(Entry entry) {
        entry.decision = decision_;
        entries_[entry.hash & (entries_.size() - 1)] = entry;
    }

  private:
    std::vector<Entry> entries_;
    std::uint32_t decision_ = 0;
};

} // namespace croupier::agents
