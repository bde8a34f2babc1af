// Plays, undoes, records; follows a game from one seat.
#include "tournaments/replay/live_game.h"

#include <algorithm>
#include <cassert>
#include <stdexcept>
#include <utility>

namespace croupier::tournaments {

LiveGame::LiveGame(std::shared_ptr<const games::Game> game, RecordHeader header,
                   const LiveSettings& settings)
    : game_(std::move(game)), header_(std::move(header)), settings_(settings), replay_(*game_) {
    assert(header_.agents.size() == game_->facts().seats());
    holders_ = header_.agents;
    replay_.take_position().set_log(settings_.log);
    begin();
}

void LiveGame::begin() {
    engine::Diagnostics none;
    replay_.begin(key_of(header_), header_.start, none);
    made_.clear();
    moves_.clear();
    verdict_.reset();
    fault_.reset();
    substitutes_.clear();
    pending_ = {true, {}};
    writer_.emplace(header_, settings_.states,
                    [this](std::string_view line) { pending_.lines.emplace_back(line); });
    writer_->begins(position());
    look_for_end();
    if (header_.start == nullptr) return;
    for (std::size_t i = 0; i < header_.start->moves.size() && !ended(); ++i)
        make(header_.start->moves[i]);
}

void LiveGame::look_for_end() {
    if (!ended() && settings_.cut != 0 && position().plies() >= settings_.cut)
        verdict_ = {agents::Verdict::Kind::Cut, 0};
    if (ended()) write_end();
}

void LiveGame::write_end() {
    if (fault_)
        writer_->faults(position(), *fault_);
    else if (verdict_)
        writer_->judged(position(), *verdict_);
    for (const auto& [seat, other] : substitutes_)
        writer_->substituted(position(), seat, other);
    writer_->ends(position());
}

std::optional<games::Seat> LiveGame::turn() const {
    if (verdict_ || position().ending() != games::Ending::None) return std::nullopt;
    return position().turn();
}

void LiveGame::make(std::string_view move) {
    make(move, holders_[position().turn()]);
}

void LiveGame::make(std::string_view move, const std::string& agent) {
    made_.push_back({position().turn(), std::string(move), position().is_secret(), false, agent});
    writer_->sits(position().turn(), agent);
    moves_.emplace_back(move);
    const std::uint64_t drawn = replay_.chance().counter();
    replay_.play(*position().find_move(move), &*writer_);
    made_.back().chance = replay_.chance().counter() != drawn;
    look_for_end();
}

bool LiveGame::play(std::string_view move) {
    if (ended() || !position().find_move(move)) return false;
    make(move);
    undone_.clear();
    return true;
}

void LiveGame::take(const Choice& choice) {
    if (choice.resigns)
        resign(*turn());
    else if (choice.fault)
        give_up(*turn(), *choice.fault);
    else
        play(choice.move);
}

void LiveGame::end(agents::Verdict::Kind kind, games::Seat seat) {
    assert(!ended());
    verdict_ = {kind, seat};
    write_end();
}

void LiveGame::resign(games::Seat seat) {
    end(agents::Verdict::Kind::Resigned, seat);
}

void LiveGame::leave(games::Seat seat) {
    end(agents::Verdict::Kind::Left, seat);
}

void LiveGame::give_up(games::Seat seat, agents::AgentFault fault) {
    fault_ = std::move(fault);
    end(agents::Verdict::Kind::Fault, seat);
}

// ---- undo ---------------------------------------------------------------------------------------

std::size_t LiveGame::last_move_of(const Seats& mine) const {
    const std::size_t given = header_.start != nullptr ? header_.start->moves.size() : 0;
    for (std::size_t i = made_.size(); i-- > given;)
        if (std::find(mine.begin(), mine.end(), made_[i].player) != mine.end()) return i;
    return made_.size();
}

std::optional<std::string> LiveGame::why_no_undo(const Seats& mine) const {
    if (game_->facts().hides)
        return "No undo where cards are hidden: a card that was seen stays seen.";
    if (!has_moved(mine)) return "There is nothing to undo yet.";
    for (std::size_t i = last_move_of(mine); i < made_.size(); ++i) {
        if (made_[i].chance) return "Your last move cannot be undone: a chance move came after it.";
        const bool other = is_person(made_[i].player) &&
                           std::find(mine.begin(), mine.end(), made_[i].player) == mine.end();
        if (other) return "Your last move cannot be undone: another player has moved since.";
    }
    return std::nullopt;
}

void LiveGame::undo(const Seats& mine) {
    assert(has_moved(mine));
    const std::size_t keep = last_move_of(mine);
    undone_.emplace_back(moves_.begin() + static_cast<std::ptrdiff_t>(keep), moves_.end());
    const std::vector<Made> all = std::move(made_);
    begin();
    while (moves_.size() < keep)
        make(all[moves_.size()].move, all[moves_.size()].agent);
}

void LiveGame::redo() {
    assert(can_redo());
    const std::vector<std::string> again = std::move(undone_.back());
    undone_.pop_back();
    for (const std::string& move : again)
        make(move);
}

// ---- agents -------------------------------------------------------------------------------------

std::unique_ptr<agents::Agent>
make_adviser(std::string& spec, const std::vector<std::string>& specs, const MakeAgent& make) {
    if (!spec.empty()) return make(spec);
    for (const std::string& each : specs) {
        try {
            std::unique_ptr<agents::Agent> made = make(each);
            spec = each;
            return made;
        } catch (const std::runtime_error&) { // it does not play this game: try the next one
        }
    }
    return nullptr;
}

SeatedAgent::SeatedAgent(const games::Game& game, games::Seat seat, std::uint64_t seed,
                         std::unique_ptr<agents::Agent> agent, const Start* start)
    : SeatReplay(game, seat, {.seed = seed}, start), agent_(std::move(agent)) {}

void SeatedAgent::begins() {
    agent_->reset(game(), seat());
    looks_ = agent_->needs_view();
    observes_ = agent_->observes();
}

void SeatedAgent::sees(const games::Position& view, const agents::ObservedMove& seen) {
    if (observes_) agent_->observe(view, seen);
}

Choice SeatedAgent::choose(std::span<const std::string> moves) {
    follow(moves);
    const games::Position& now = view();
    // A stream for each move: what it chooses does not depend on how often it was asked before.
    games::Random random =
        games::stream(key().seed, 0, games::Purpose::Choice, 0, seat()).stream(moves.size());
    const std::size_t chosen =
        looks_ ? agent_->choose(now, random) : agent_->choose_by_count(now.move_count(), random);
    if (chosen < now.move_count()) return {.move = std::string(now.text(now.move(chosen)))};
    if (chosen == agents::kResigns) return {.resigns = true};
    if (const agents::AgentFault* fault = agent_->fault()) return {.fault = *fault};
    return {.fault = agents::AgentFault{agents::FaultKind::Stall, "it took too long"}};
}

void SeatedAgent::ends(std::span<const std::string> moves,
                       const std::optional<agents::Verdict>& verdict) {
    follow(moves);
    if (!observes_) return;
    if (verdict) agent_->judged(*verdict);
    agent_->ends(view());
}

// ---- people -------------------------------------------------------------------------------------

SeatedPerson::SeatedPerson(const games::Game& game, games::Seat seat, std::uint64_t seed,
                           const Start* start)
    : SeatReplay(game, seat, {.seed = seed}, start),
      observer_(game.facts().hides ? game.new_observer() : nullptr),
      likely_(observer_ != nullptr ? game.new_position() : nullptr) {}

void SeatedPerson::begins() {
    if (observer_ != nullptr) observer_->reset(seat());
}

void SeatedPerson::sees(const games::Position& view, const agents::ObservedMove& seen) {
    if (observer_ != nullptr) observer_->observe(view, seen.player, seen.move);
}

games::Drawing SeatedPerson::draw(const games::Drawer& drawer) {
    const games::Position& now = view();
    const games::Position* likely = nullptr;
    if (observer_ != nullptr) {
        // Sizes are the same in all positions that agree with the view: any will do.
        games::Random random(0);
        if (observer_->look(now) && observer_->draw(*likely_, random)) likely = likely_.get();
    }
    return drawer.draw_view(now, seat(), likely);
}

} // namespace croupier::tournaments
