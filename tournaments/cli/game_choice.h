// Which games of a run are shown move by move.
#pragma once

#include "results/record.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace croupier::cli {

// Hears of all games in order and keeps those that were asked for; of a run where nobody asked, the
// first, the longest, and the first of each kind of ending.
class GameChoice {
  public:
    // Texts "3.1": block and game; "none". Throws Mistake.
    explicit GameChoice(const std::vector<std::string>& asked);
    // Of a run where nobody asked, this one too.
    void add_blunder(const std::string& game);

    void take(std::span<const results::GameRecord> games);

    struct Chosen {
        results::GameRecord game;
        std::string why; // "the longest"; empty where it was asked for
    };
    // In the order of the schedule. Throws Mistake if one that was asked for is not there.
    [[nodiscard]] std::vector<Chosen> chosen(const std::string& folder) const;

  private:
    using Name = std::pair<std::uint64_t, std::uint32_t>;

    static Name name_of(const std::string& text);
    void take_asked(const results::GameRecord& game);
    void take_typical(const results::GameRecord& game);

    bool none_ = false;
    std::vector<Name> asked_;
    std::vector<Name> blunders_; // games with one
    std::vector<Chosen> found_;
    std::optional<results::GameRecord> longest_;
    std::vector<results::End> endings_; // that were met
};

} // namespace croupier::cli
