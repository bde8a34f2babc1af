// What the moves of recorded games lost: against the best move in the true deal, and against the
// best move on average over deals that the player could not distinguish from it.
#pragma once

#include "agents/game_runner.h"
#include "agents/search/worlds.h"
#include "agents/solve/double_dummy.h"
#include "results/record.h"
#include "results/statistics/means.h"
#include "results/store/games_file.h"
#include "tournaments/replay/recorder.h"
#include "tournaments/runner/pool.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace croupier::tournaments {

struct RegretSettings {
    std::uint64_t plies = 24;        // solves with at most that many moves to come
    std::uint64_t nodes = 5'000'000; // limit for solving one deal
    std::uint64_t worlds = 0;        // deals drawn per decision; 0 for only the true one
    std::uint64_t seed = 0;          // of the run
    std::uint64_t passed_over = 0;   // moves of the start position, which no agent chose
    // Once it is set, solving stops, and the game is not judged; may be null.
    const std::atomic<bool>* abandon = nullptr;
};

// Why a decision with several legal moves was not judged.
enum class Unsolved : std::uint8_t {
    Auction, // no solver judges bids
    Far,     // too many moves to come
    Hard,    // too many positions
};
inline constexpr std::size_t kUnsolved = 3;

struct Decision {
    std::uint32_t ply = 0; // moves made before
    games::Seat seat = 0;
    std::uint32_t agent = 0;
    std::string move;
    std::string best; // a move that loses nothing; the one made, if it loses nothing
    double loss = 0;
    std::optional<double> known; // against what could be known; absent if not drawn or solved
    std::optional<Unsolved> unsolved = {}; // then there is no loss
};

struct AnalysedGame {
    results::GameId id;
    std::vector<Decision> decisions;
    std::string problem; // why it could not be replayed; then there are no decisions
};

// Judges each decision of a game that it listens to. Use one per thread, for one game after
// another; its judgement of a game is independent of other games.
class Analyst final : public agents::Listener {
  public:
    // The game must outlive it.
    explicit Analyst(const games::Game& game);

    // Sets the game that it will hear next.
    void expect(const results::GameRecord& recorded, const RegretSettings& settings);
    [[nodiscard]] std::vector<Decision>& decisions() { return decisions_; }

    void begins(const games::Position& position) override;
    void moves(const games::Position& before, games::Move move) override;
    void moved(const games::Position& after) override;

  private:
    void judge(const games::Position& before, std::size_t chosen, Decision& decision);
    [[nodiscard]] std::optional<double> loss_of_known(const games::Position& before,
                                                      std::size_t chosen);
    [[nodiscard]] agents::SolveLimits limits() const {
        return {settings_.nodes, settings_.plies, {.hurry = settings_.abandon}};
    }

    const games::Game& game_;
    const results::GameRecord* recorded_ = nullptr;
    RegretSettings settings_;
    games::Random random_;
    agents::DoubleDummy dummy_;
    std::vector<agents::Worlds> worlds_; // by seat; empty if no deals are drawn
    std::unique_ptr<games::Position> view_;
    std::unique_ptr<games::Position> world_;
    std::vector<double> worth_;
    std::vector<double> sum_;
    std::vector<Decision> decisions_;
    games::Seat player_ = 0; // makes the current move
    std::string move_;       // empty if secret
    bool secret_ = false;
};

// The losses of an agent, over blocks of games.
struct AgentRegret {
    results::BlockMean loss;
    results::BlockMean known;
    std::uint64_t decisions = 0; // those judged
    std::uint64_t known_decisions = 0;
    std::uint64_t mistakes = 0; // decisions that lost something
    double worst = 0;
    std::array<std::uint64_t, kUnsolved> unsolved{};
};

struct Blunder {
    results::GameId id;
    Decision decision;
};

// Sums up analysed games, block by block in order.
class RegretBook {
  public:
    // Keeps the `blunders` worst decisions.
    RegretBook(std::size_t agents, std::size_t blunders) : agents_(agents), most_(blunders) {}

    void add_block(std::span<const AnalysedGame> games);

    [[nodiscard]] const std::vector<AgentRegret>& agents() const { return agents_; }
    // Worst first; equal ones in order.
    [[nodiscard]] const std::vector<Blunder>& blunders() const { return blunders_; }
    [[nodiscard]] std::uint64_t blocks() const { return blocks_; }
    [[nodiscard]] std::uint64_t games() const { return games_; }
    // Number of games that could not be replayed, and the reason for the first.
    [[nodiscard]] std::uint64_t missing() const { return missing_; }
    [[nodiscard]] const std::string& why_missing() const { return why_missing_; }

  private:
    void add_blunder(results::GameId id, const Decision& decision);

    std::vector<AgentRegret> agents_;
    std::vector<Blunder> blunders_;
    std::size_t most_;
    std::uint64_t blocks_ = 0;
    std::uint64_t games_ = 0;
    std::uint64_t missing_ = 0;
    std::string why_missing_;
};

// Replays the games of a run on several threads and judges them.

struct AnalysisSettings {
    RegretSettings regret;
    std::uint64_t blocks = ~std::uint64_t{0}; // limit
    std::size_t threads = 1;
    Pool pool = kDefaultPool;
    const std::atomic<bool>* stop = nullptr; // once set, no block is begun; may be null
    std::string cannot_play; // why agents cannot replay; then only kept games are judged
};

// Reads kept games; agents replay the others. Adds all to the book in order, for any number of
// threads, and calls `told` after each block, on one thread at a time. Read errors are left in the
// readers' failures.
void analyse_games(const ReplayRequest& request, results::GamesReader& games,
                   results::KeptGames& kept, const AnalysisSettings& settings, RegretBook& book,
                   const std::function<void(std::span<const AnalysedGame>)>& told);

} // namespace croupier::tournaments
