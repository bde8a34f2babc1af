// Plays along, tells agents and observers what they may hear.
#include "tournaments/serve/seat_course.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace croupier::serve {
namespace {

using games::Position;

// What agents say, as far as a page shows it.
class Reasons : public engine::Log {
  public:
    explicit Reasons(std::vector<std::string>& lines) : lines_(lines) {}
    void line(const std::string& text) override {
        constexpr std::size_t kMostLines = 40;
        if (lines_.size() < kMostLines) lines_.push_back(text);
    }

  private:
    std::vector<std::string>& lines_;
};

} // namespace

SeatCourse::SeatCourse(const games::Game& game, games::Seat seat, std::uint64_t seed)
    : game_(game), seat_(seat), seed_(seed), course_(game),
      view_(game.facts().hides ? game.new_position() : nullptr) {}

void SeatCourse::begin() {
    engine::Diagnostics none;
    course_.begin({.seed = seed_}, nullptr, none);
    heard_.clear();
    begun_ = true;
    begins();
}

void SeatCourse::follow(std::span<const std::string> moves) {
    const bool goes_on = begun_ && heard_.size() <= moves.size() &&
                         std::equal(heard_.begin(), heard_.end(), moves.begin());
    if (!goes_on) begin();
    for (std::size_t i = heard_.size(); i < moves.size(); ++i) {
        const Position& before = course_.position();
        const games::Seat player = before.turn();
        const bool secret = before.is_secret() && player != seat_;
        const auto move = before.find_move(moves[i]);
        assert(move);
        course_.play(*move);
        heard_.push_back(moves[i]);
        sees(view(), {player, secret ? std::string_view() : std::string_view(moves[i]), false});
    }
}

const Position& SeatCourse::view() {
    if (!begun_) begin();
    if (view_ == nullptr) return course_.position();
    view_->view_from(course_.position(), seat_);
    return *view_;
}

// ---- agents -------------------------------------------------------------------------------------

SeatedAgent::SeatedAgent(const games::Game& game, games::Seat seat, std::uint64_t seed,
                         std::unique_ptr<agents::Agent> agent)
    : SeatCourse(game, seat, seed), agent_(std::move(agent)) {}

void SeatedAgent::begins() {
    agent_->reset(game(), seat());
    looks_ = agent_->looks();
    observes_ = agent_->observes();
}

void SeatedAgent::sees(const Position& view, const agents::Seen& seen) {
    if (observes_) agent_->observe(view, seen);
}

SeatedAgent::Choice SeatedAgent::choose(std::span<const std::string> moves) {
    follow(moves);
    const Position& now = view();
    // A stream for each move: what it chooses does not depend on how often it was asked before.
    games::Random random =
        games::stream(seed(), 0, games::Purpose::Choice, 0, seat()).stream(moves.size());
    Choice choice;
    Reasons reasons(choice.reasons);
    agent_->set_log(&reasons);
    const std::size_t chosen =
        looks_ ? agent_->choose(now, random) : agent_->choose_unseen(now.move_count(), random);
    agent_->set_log(nullptr);
    if (chosen < now.move_count())
        choice.move = now.text(now.move(chosen));
    else if (chosen == agents::kResigns)
        choice.resigns = true;
    else if (const agents::AgentFault* fault = agent_->fault())
        choice.fault = *fault;
    else
        choice.fault = agents::AgentFault{agents::FaultKind::Stall, "it took too long"};
    return choice;
}

// ---- people -------------------------------------------------------------------------------------

SeatedPerson::SeatedPerson(const games::Game& game, games::Seat seat, std::uint64_t seed)
    : SeatCourse(game, seat, seed), observer_(game.facts().hides ? game.new_observer() : nullptr),
      likely_(observer_ != nullptr ? game.new_position() : nullptr) {}

void SeatedPerson::begins() {
    if (observer_ != nullptr) observer_->reset(seat());
}

void SeatedPerson::sees(const Position& view, const agents::Seen& seen) {
    if (observer_ != nullptr) observer_->observe(view, seen.player, seen.move);
}

games::Drawing SeatedPerson::draw(const games::Drawer& drawer) {
    const Position& now = view();
    const Position* likely = nullptr;
    if (observer_ != nullptr) {
        // Sizes are the same in all positions that agree with the view: any will do.
        games::Random random(0);
        if (observer_->look(now) && observer_->draw(*likely_, random)) likely = likely_.get();
    }
    return drawer.draw_view(now, seat(), likely);
}

} // namespace croupier::serve
