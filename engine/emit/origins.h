// Which rules the instructions of a function come from.
#pragma once

#include "engine/catalogue/catalogue.h"

#include <compare>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace croupier::engine::emit {

// What an instruction is for.
struct Origin {
    enum class Part : std::uint8_t { Search, Action };

    std::vector<RuleId> rules;   // several share its work; none: it leads from rule to rule
    Part part = Part::Search;    // of the rule
    std::uint32_t entry = kNone; // of the condition, where it is for one

    friend auto operator<=>(const Origin&, const Origin&) = default;
};

// Of all instructions of a function, by how many bytes they stand behind its first. Filled while it
// is written, then only read.
class Origins {
  public:
    // The number of an origin, the same for equal ones.
    std::uint32_t number_of(const Origin& origin);
    // Instructions from there on are of that origin; offsets come in ascending order.
    void begin(std::uint32_t offset, std::uint32_t number);
    // Where the function ends.
    void end(std::uint32_t offset) { end_ = offset; }

    [[nodiscard]] std::uint32_t size() const { return end_; }
    // Null behind the end.
    [[nodiscard]] const Origin* at(std::uint32_t offset) const;
    // `piece` is told offset, size and origin of what stands together, from the beginning on.
    template <typename Piece>
    void each(Piece piece) const {
        std::uint32_t begin = 0;
        const Origin* origin = at(0);
        for (const auto& [next, number] : begins_) {
            if (next > begin) {
                piece(begin, next - begin, origin);
            }
            begin = next;
            origin = origins_[number];
        }
        if (end_ > begin) {
            piece(begin, end_ - begin, origin);
        }
    }

  private:
    std::map<Origin, std::uint32_t> numbers_;
    std::vector<const Origin*> origins_;                          // by number
    std::vector<std::pair<std::uint32_t, std::uint32_t>> begins_; // offset and number
    std::uint32_t end_ = 0;
};

} // namespace croupier::engine::emit
