// What a seat sees and remembers as a row of bits, for players that learn.
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

// The moves of a game as its seats remember them, for games that hide something. Used by one
// thread.
class Memory {
  public:
    struct Made {
        Seat seat = 0;
        Move move = 0;
        bool secret = false; // only that seat knows it
    };

    void clear();
    // Call after a move, with the position that it led to. An auction after other moves is that of
    // a new deal, so all is forgotten.
    void note(const Made& made, const Position& after);
    [[nodiscard]] const std::vector<Made>& made() const { return made_; }

  private:
    std::vector<Made> made_;
    bool bids_are_over_ = false;
};

// One bit or several for each leaf that the shape declares: for a member of a domain and for a
// small number a bit per value, for a larger number its binary digits. Seats count from the viewer
// on, and teams from its own, so that a player learns the same in all seats. If the game hides
// something and lists its moves, a bit for each move that each seat has made follows. Immutable;
// threads may share one.
class Features {
  public:
    // The game must outlive it.
    explicit Features(const RulesetGame& game);

    [[nodiscard]] std::uint32_t size() const { return size_; }
    [[nodiscard]] std::size_t bytes() const { return (size_ + 7) / 8; }
    // "hands.me.7h", "turned=7h", "taken.us.points: 4" for a binary digit, "made.me+1.7h".
    [[nodiscard]] std::string name(std::uint32_t bit) const;
    // Declared paths that have no bits, since they hold texts, anything, or too much.
    [[nodiscard]] const std::vector<std::string>& left_out() const { return left_out_; }
    // Whether there are bits of moves made, so that somebody must note them.
    [[nodiscard]] bool remembers() const { return remembers_; }
    // Writes all bits, the first one as the lowest of the first byte. `view` is a position's
    // ruleset_state(), as seat `me` sees it.
    void write(const engine::State& view, const Memory& memory, Seat me,
               std::span<std::uint8_t> into) const;

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
    std::uint32_t seen_ = 0; // the first bit of moves made
    bool remembers_ = false;
};

} // namespace croupier::games
