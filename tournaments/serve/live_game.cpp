// Plays, takes back, writes down; follows a game from one seat.
#include "tournaments/serve/live_game.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace croupier::serve {

namespace {

using games::Position;

constexpr std::size_t kMaxReasons = 40; // lines that a page shows

} // namespace

LiveGame::LiveGame(std::shared_ptr<const games::Game> game, std::string name, std::string revision,
                   std::uint64_t seed, std::vector<std::string> agents)
    : game_(std::move(game)), header_{{},   std::move(name), std::move(revision),
                                      seed, nullptr,         std::move(agents)} {
    assert(header_.agents.size() == game_->facts().seats());
    begin();
}

void LiveGame::begin() {
    replay_ = std::make_unique<tournaments::GameReplay>(*game_);
    engine::Diagnostics none;
    replay_->begin(tournaments::key_of(header_), nullptr, none);
    made_.clear();
    moves_.clear();
    verdict_.reset();
    fault_.reset();
    pending_ = {true, {}};
    writer_.emplace(header_, false,
                    [this](std::string_view line) { pending_.lines.emplace_back(line); });
    writer_->begins(position());
    if (ended()) write_end();
}

void LiveGame::write_end() {
    if (fault_)
        writer_->faults(position(), *fault_);
    else if (verdict_)
        writer_->judged(position(), *verdict_);
    writer_->ends(position());
}

std::optional<games::Seat> LiveGame::turn() const {
    if (verdict_ || position().ending() != games::Ending::None) return std::nullopt;
    return position().turn();
}

void LiveGame::make(games::Move move) {
    const games::Position& before = replay_->position();
    made_.push_back({before.turn(), std::string(before.text(move)), before.is_secret(), false});
    moves_.push_back(made_.back().move);
    const std::uint64_t drawn = replay_->chance().counter();
    replay_->play(move, &*writer_);
    made_.back().chance = replay_->chance().counter() != drawn;
    if (ended()) write_end();
}

bool LiveGame::play(std::string_view move) {
    if (ended()) return false;
    const auto found = position().find_move(move);
    if (!found) return false;
    make(*found);
    undone_.clear();
    return true;
}

void LiveGame::resign(games::Seat seat) {
    assert(!ended());
    verdict_ = {agents::Verdict::Kind::Resigned, seat};
    write_end();
}

void LiveGame::give_up(games::Seat seat, agents::AgentFault fault) {
    assert(!ended());
    verdict_ = {agents::Verdict::Kind::Fault, seat};
    fault_ = std::move(fault);
    write_end();
}

// ---- undo ---------------------------------------------------------------------------------------

std::size_t LiveGame::last_move_of(const Seats& mine) const {
    for (std::size_t i = made_.size(); i-- > 0;)
        if (std::find(mine.begin(), mine.end(), made_[i].player) != mine.end()) return i;
    return made_.size();
}

std::optional<std::string> LiveGame::why_no_undo(const Seats& mine) const {
    if (game_->facts().hides)
        return "Nothing can be taken back in a game that hides something: a card that was seen "
               "stays seen.";
    const std::size_t last = last_move_of(mine);
    if (last == made_.size()) return "There is nothing to take back yet.";
    for (std::size_t i = last; i < made_.size(); ++i) {
        if (made_[i].chance)
            return "Chance has decided something since your last move, so it stands.";
        const bool other = is_person(made_[i].player) &&
                           std::find(mine.begin(), mine.end(), made_[i].player) == mine.end();
        if (other) return "Somebody else has moved since, so your last move stands.";
    }
    return std::nullopt;
}

void LiveGame::undo(const Seats& mine) {
    assert(!why_no_undo(mine));
    const auto keep = static_cast<std::ptrdiff_t>(last_move_of(mine));
    std::vector<std::string> kept(moves_.begin(), moves_.begin() + keep);
    undone_.emplace_back(moves_.begin() + keep, moves_.end());
    begin();
    for (const std::string& move : kept)
        make(*position().find_move(move));
}

void LiveGame::redo() {
    assert(can_redo());
    const std::vector<std::string> again = std::move(undone_.back());
    undone_.pop_back();
    for (const std::string& move : again)
        make(*position().find_move(move));
}

// ---- agents -------------------------------------------------------------------------------------

SeatedAgent::SeatedAgent(const games::Game& game, games::Seat seat, std::uint64_t seed,
                         std::unique_ptr<agents::Agent> agent)
    : SeatReplay(game, seat, {.seed = seed}), agent_(std::move(agent)) {}

void SeatedAgent::begins() {
    agent_->reset(game(), seat());
    looks_ = agent_->needs_view();
    observes_ = agent_->observes();
}

void SeatedAgent::sees(const Position& view, const agents::ObservedMove& seen) {
    if (observes_) agent_->observe(view, seen);
}

SeatedAgent::Choice SeatedAgent::choose(std::span<const std::string> moves) {
    follow(moves);
    const Position& now = view();
    // A stream for each move: what it chooses does not depend on how often it was asked before.
    games::Random random =
        games::stream(key().seed, 0, games::Purpose::Choice, 0, seat()).stream(moves.size());
    tournaments::FirstLines reasons(kMaxReasons);
    agent_->set_log(&reasons);
    const std::size_t chosen =
        looks_ ? agent_->choose(now, random) : agent_->choose_by_count(now.move_count(), random);
    agent_->set_log(nullptr);
    Choice choice{.reasons = std::move(reasons.lines)};
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
    : SeatReplay(game, seat, {.seed = seed}),
      observer_(game.facts().hides ? game.new_observer() : nullptr),
      likely_(observer_ != nullptr ? game.new_position() : nullptr) {}

void SeatedPerson::begins() {
    if (observer_ != nullptr) observer_->reset(seat());
}

void SeatedPerson::sees(const Position& view, const agents::ObservedMove& seen) {
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
