// Games and positions as Python sees them.
#pragma once

#include "games/contract/game.h"
#include "games/ruleset/features.h"
#include "games/ruleset/ruleset_game.h"
#include "tournaments/run/host.h"

#include <pybind11/pybind11.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace croupier::python {

namespace py = pybind11;

// A mistake in a ruleset, as croupier.Error tells it.
struct Mistake {
    std::string code;
    std::string place;
    std::string message;
    std::string hint;
};
// Becomes croupier.Error.
struct Refusal : tournaments::UserError {
    explicit Refusal(const std::string& what, std::vector<Mistake> all = {})
        : UserError(what), mistakes(std::move(all)) {}
    std::vector<Mistake> mistakes;
};

// One thread at a time uses an object; others get a Refusal.
class Use {
  public:
    // `busy`: of the object, which is a `what`.
    Use(std::atomic<bool>& busy, const char* what);
    ~Use() { busy_ = false; }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

  private:
    std::atomic<bool>& busy_;
};

// A game, with its features once somebody has asked. Its positions and threads share it.
class OneGame {
  public:
    explicit OneGame(std::shared_ptr<const games::Game> game) : game_(std::move(game)) {}

    [[nodiscard]] const games::Game& game() const { return *game_; }
    [[nodiscard]] const games::Facts& facts() const { return game_->facts(); }
    // Throw a Refusal if the game is no ruleset.
    [[nodiscard]] const games::Features& features() const;
    [[nodiscard]] const games::RulesetGame& rules() const;
    // Lets rules run on that position. Besides a state they need a hundred times its memory, so
    // they run on a copy at one of few tables. Threads may use it, on other positions.
    void at_table(games::Position& at, const std::function<void(games::Position&)>& work) const;

  private:
    std::shared_ptr<const games::Game> game_;
    mutable std::mutex mutex_;
    mutable std::vector<std::unique_ptr<games::Position>> idle_; // as many as threads at most
    mutable std::once_flag asked_;                               // for features
    mutable std::optional<games::Features> features_;
};

// A position of its own, or one that is lent during a decision of an agent.
class OnePosition {
  public:
    OnePosition(std::shared_ptr<const OneGame> game, std::unique_ptr<games::Position> own,
                const games::Random& chance, games::Memory memory = {},
                std::optional<games::Seat> viewer = {});
    // `choices` and `memory`: the agent's.
    OnePosition(std::shared_ptr<const OneGame> game, const games::Position& lent,
                games::Random& choices, games::Memory memory, games::Seat viewer);

    // The decision is over: from now on every use is a Refusal.
    void give_back() { lent_ = nullptr; }

    [[nodiscard]] const std::shared_ptr<const OneGame>& game() const { return game_; }
    [[nodiscard]] std::optional<games::Seat> turn();
    [[nodiscard]] std::vector<std::string> legal();
    [[nodiscard]] std::vector<std::size_t> legal_numbers();
    void play(const py::object& move);
    void playout(std::uint64_t seed);
    [[nodiscard]] std::shared_ptr<OnePosition> copy(std::optional<std::uint64_t> seed);
    [[nodiscard]] std::shared_ptr<OnePosition> view(const py::object& seat, std::uint64_t seed);
    [[nodiscard]] std::string ending();
    [[nodiscard]] std::string fault();
    [[nodiscard]] std::optional<std::vector<double>> scores();
    [[nodiscard]] std::optional<std::vector<std::uint32_t>> places();
    [[nodiscard]] std::uint32_t plies();
    [[nodiscard]] std::string phase();
    [[nodiscard]] std::uint64_t hash();
    [[nodiscard]] std::string json();
    [[nodiscard]] std::string why(const std::string& move);
    [[nodiscard]] py::bytes bits(const py::object& seat);
    [[nodiscard]] std::uint64_t random(std::uint64_t below);

  private:
    // The position, after the checks that every use needs.
    [[nodiscard]] const games::Position& here() const;
    [[nodiscard]] games::Position& own();
    [[nodiscard]] games::Move move_of(const py::object& move) const;

    std::shared_ptr<const OneGame> game_;
    std::unique_ptr<games::Position> own_;
    const games::Position* lent_ = nullptr;
    games::Random chance_;
    games::Random* choices_ = nullptr;
    games::Memory memory_;
    std::optional<games::Seat> viewer_; // of a view
    std::atomic<bool> busy_ = false;
};

// The names of the legal moves.
std::vector<std::string> legal_in(const games::Position& at);
// A whole number, of numpy as well. Raises TypeError for anything else.
std::int64_t whole(const py::object& number);
// A seat by number or name. Throws a Refusal for any other.
games::Seat seat_of(const games::Facts& facts, const py::object& seat);

// Add the classes Game and Position, and Batch, to the module.
void add_games(py::module_& module);
void add_batch(py::module_& module);

} // namespace croupier::python
