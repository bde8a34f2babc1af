// An agent that asks a person: it shows what its seat may see, and reads what to play.
#pragma once

#include "tournaments/cli/person/desk.h"
#include "tournaments/cli/person/move_list.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::cli {

class HumanAgent : public agents::Agent {
  public:
    // The desk outlives it.
    explicit HumanAgent(Desk& desk) : desk_(desk) {}

    void reset(const games::Game& game, games::Seat me) override;
    std::size_t choose(const games::Position& view, games::Random& random) override;
    [[nodiscard]] bool observes() const override { return true; }
    void observe(const games::Position& view, const agents::Seen& seen) override;
    void ends(const games::Position& view) override;
    [[nodiscard]] bool is_reproducible() const override { return false; }

  private:
    // A move as it was seen, for those who are asked for advice later.
    struct Happened {
        games::Seat player = 0;
        std::string move;
        bool draw = false;
        std::unique_ptr<games::Position> view; // afterwards
    };
    // What a line of input comes to: a choice, or nothing yet.
    using Answer = std::optional<std::size_t>;

    void show(const games::Position& view);
    void tell_news();
    void show_moves(const MoveList& moves, const std::vector<std::size_t>& places,
                    std::size_t rows);
    Answer answer(const std::string& line, const games::Position& view, const MoveList& moves);
    Answer command(std::string_view word, const std::string& rest, const games::Position& view,
                   const MoveList& moves);
    void explain(const games::Position& view, const std::string& move, const MoveList& moves);
    void give_hint(const games::Position& view, std::string spec);
    Answer take_back();
    void help();

    Desk& desk_;
    const games::Game* game_ = nullptr;
    games::Seat me_ = 0;
    std::vector<Happened> happened_;
    std::size_t told_ = 0;                      // of these, on the screen
    std::unique_ptr<games::Observer> observer_; // counts what is hidden; null: it is not counted
    std::unique_ptr<games::Position> likely_;
    std::optional<games::Drawing> before_; // the last that was drawn
};

} // namespace croupier::cli
