// A seat's view of a position as a row of bits, for players that learn.
#pragma once

#include "engine/api/state.h"
#include "games/contract/game.h"
#include "games/ruleset/ruleset_game.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace croupier::games {

// One bit or several for each leaf that the shape declares: for a member of a domain and for a
// small number a bit per value, for a larger number its binary digits. Seats count from the viewer
// on, and teams from its own, so that a player learns the same in all seats. Immutable; threads may
// share one.
class Features {
  public:
    // The game must outlive it.
    explicit Features(const RulesetGame& game);

    [[nodiscard]] std::uint32_t size() const { return size_; }
    [[nodiscard]] std::size_t bytes() const { return (size_ + 7) / 8; }
    // "hands.me.7h", "turned=7h", "taken.us.points: 4" for a binary digit.
    [[nodiscard]] std::string name(std::uint32_t bit) const;
    // Declared paths that have no bits, since they hold texts, anything, or too much.
    [[nodiscard]] const std::vector<std::string>& left_out() const { return left_out_; }
    // Writes all bits, the first one as the lowest of the first byte. `view` is a position's
    // ruleset_state(), as seat `me` sees it.
    void write(const engine::State& view, Seat me, std::span<std::uint8_t> into) const;

  private:
    struct Block { // of a declared leaf
        engine::SchemaId schema = engine::kNoSchema;
        std::uint32_t first = 0; // bit of the first instance
        std::uint32_t each = 0;  // bits of one
        bool digits = false;     // "present", then binary digits; else a bit per value
        std::int64_t low = 0;    // of the digits
        bool has_sign = false;   // the second bit
        std::vector<std::vector<std::uint32_t>> places; // by viewer: of each instance; may be empty
        std::vector<std::vector<std::uint32_t>> values; // by viewer: of each value; may be empty
    };
    // How a domain's rows are seen from each seat; empty if it names neither seats nor teams.
    using Turned = std::vector<std::vector<std::uint32_t>>;

    [[nodiscard]] Turned turned(const engine::DomainTable& domain) const;
    [[nodiscard]] std::string name_of(const engine::DomainTable& domain, std::uint32_t row) const;
    [[nodiscard]] std::string path(engine::SchemaId schema, std::uint32_t instance) const;
    void add(engine::SchemaId schema);
    void add_block(engine::SchemaId schema);
    [[nodiscard]] static std::uint64_t digits_of(const Block& block, std::int64_t value);

    const RulesetGame& game_;
    const engine::Layout& layout_;
    std::vector<Block> blocks_;
    std::vector<std::string> left_out_;
    std::vector<Turned> turned_;         // by domain
    std::vector<std::uint32_t> team_of_; // by seat
    std::uint32_t size_ = 0;
};

} // namespace croupier::games
