// A game as JSON lines: a header, a line a move, a last line. Written while it is played.
#pragma once

#include "agents/table.h"
#include "games/contract/game.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::cli {

struct RecordHeader {
    std::string game; // as the user named it
    std::string revision;
    std::uint64_t seed = 0;
    std::vector<std::string> agents; // by seat
};

// Writes each line as soon as it is known. The bytes depend on header, rules and moves alone.
class RecordWriter : public agents::Listener {
  public:
    using Sink = std::function<void(std::string_view line)>;

    // With `states`, every line of a move has the full state before it.
    RecordWriter(RecordHeader header, bool states, Sink sink);

    void begins(const games::Position& position) override;
    void moves(const games::Position& before, games::Move move) override;
    void faults(const games::Position& position, const agents::AgentFault& fault) override;
    void judged(const games::Position& position, const agents::Verdict& verdict) override;
    void substituted(const games::Position& position, games::Seat seat,
                     const agents::Substitution& other) override;
    void ends(const games::Position& position) override;

  private:
    RecordHeader header_;
    bool states_;
    Sink sink_;
    std::optional<agents::AgentFault> fault_;
    std::optional<agents::Verdict> verdict_;
    std::optional<engine::Document> substitutes_;
};

} // namespace croupier::cli
