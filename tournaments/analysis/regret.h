// What the moves of recorded games have lost: against the best move of the true deal, and against
// the best one on average over deals that the player could not tell from it.
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
    std::uint64_t plies = 24;        // solved where no more moves are to come
    std::uint64_t nodes = 5'000'000; // that solving one deal may look at
    std::uint64_t worlds = 0;        // deals drawn for each decision; 0: the true one alone
    std::uint64_t seed = 0;          // of the run
    std::uint64_t passed_over = 0;   // moves that a start makes, which are nobody's
    // Once it is set, nothing more is solved, and the game is not judged; null: never.
    const std::atomic<bool>* abandon = nullptr;
};

// Why a decision with more than one legal move was not judged.
enum class Unsolved : std::uint8_t {
    Auction, // a bid is judged by no solver
    Far,     // too many moves to come
    Hard,    // too many positions
};
inline constexpr std::size_t kUnsolved = 3;

struct Decision {
    std::uint32_t ply = 0; // moves made before it
    games::Seat seat = 0;
    std::uint32_t agent = 0;
    std::string move;
    std::string best; // one that loses nothing; the move itself where it is one
    double loss = 0;
    std::optional<double> known; // against what could be known; absent: not drawn or not solved
    std::optional<Unsolved> unsolved = {}; // then there is no loss
};

struct AnalysedGame {
    results::GameId id;
    std::vector<Decision> decisions;
    std::string problem; // why it could not be replayed; then there are no decisions
};

// Judges each decision of a game that it listens to. One a thread, for one game after the other;
// what it says of a game does not depend on others.
class Analyst final : public agents::Listener {
  public:
    // The game must outlive it.
    explicit Analyst(const games::Game& game);

    // The next game it hears of is this one.
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
    std::vector<agents::Worlds> worlds_; // by seat; none where no deals are drawn
    std::unique_ptr<games::Position> view_;
    std::unique_ptr<games::Position> world_;
    std::vector<double> worth_;
    std::vector<double> sum_;
    std::vector<Decision> decisions_;
    games::Seat player_ = 0; // of the move being made
    std::string move_;       // empty: in secret
    bool secret_ = false;
};

// What an agent has lost, over blocks of games.
struct AgentRegret {
    results::BlockMean loss;
    results::BlockMean known;
    std::uint64_t decisions = 0; // that were judged
    std::uint64_t known_decisions = 0;
    std::uint64_t mistakes = 0; // that lost something
    double worst = 0;
    std::array<std::uint64_t, kUnsolved> unsolved{};
};

struct Blunder {
    results::GameId id;
    Decision decision;
};

// Adds analysed games up, block by block in their order.
class RegretBook {
  public:
    // Keeps so many of the worst decisions.
    RegretBook(std::size_t agents, std::size_t blunders) : agents_(agents), most_(blunders) {}

    void add_block(std::span<const AnalysedGame> games);

    [[nodiscard]] const std::vector<AgentRegret>& agents() const { return agents_; }
    // The worst first; of equal ones the earlier.
    [[nodiscard]] const std::vector<Blunder>& blunders() const { return blunders_; }
    [[nodiscard]] std::uint64_t blocks() const { return blocks_; }
    [[nodiscard]] std::uint64_t games() const { return games_; }
    // Games that could not be replayed, and why the first of them could not.
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

// Goes through the games of a run with some threads, and judges what was played.

struct AnalysisSettings {
    RegretSettings regret;
    std::uint64_t blocks = ~std::uint64_t{0}; // no more than these
    std::size_t threads = 1;
    Pool pool = kDefaultPool;
    const std::atomic<bool>* stop = nullptr; // set: no block is begun any more; null: never
    std::string cannot_play; // why agents cannot be asked again; then only kept games are judged
};

// Games that are kept are read, others are played again by their agents. Adds them to the book in
// their order, whatever threads there are, and calls `told` after each block, on one thread at a
// time. What cannot be read is left to the readers' failures.
void analyse_games(const ReplayRequest& request, results::GamesReader& games,
                   results::KeptGames& kept, const AnalysisSettings& settings, RegretBook& book,
                   const std::function<void(std::span<const AnalysedGame>)>& told);

} // namespace croupier::tournaments
