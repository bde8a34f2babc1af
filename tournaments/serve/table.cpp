// Plays, takes back, writes down.
#include "tournaments/serve/table.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace croupier::serve {

Table::Table(std::shared_ptr<const games::Game> game, std::string name, std::string revision,
             std::uint64_t seed, std::vector<std::string> agents)
    : game_(std::move(game)), header_{{},   std::move(name), std::move(revision),
                                      seed, nullptr,         std::move(agents)} {
    assert(header_.agents.size() == game_->facts().seats());
    begin();
}

void Table::begin() {
    course_ = std::make_unique<tournaments::Course>(*game_);
    engine::Diagnostics none;
    course_->begin(tournaments::key_of(header_), nullptr, none);
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

void Table::write_end() {
    if (fault_)
        writer_->faults(position(), *fault_);
    else if (verdict_)
        writer_->judged(position(), *verdict_);
    writer_->ends(position());
}

std::optional<games::Seat> Table::turn() const {
    if (verdict_ || position().ending() != games::Ending::None) return std::nullopt;
    return position().turn();
}

void Table::make(games::Move move) {
    const games::Position& before = course_->position();
    made_.push_back({before.turn(), std::string(before.text(move)), before.is_secret(), false});
    moves_.push_back(made_.back().move);
    writer_->moves(before, move);
    const std::uint64_t drawn = course_->chance().counter();
    course_->play(move);
    made_.back().chance = course_->chance().counter() != drawn;
    if (ended()) write_end();
}

bool Table::play(std::string_view move) {
    if (ended()) return false;
    const auto found = position().find_move(move);
    if (!found) return false;
    make(*found);
    undone_.clear();
    return true;
}

void Table::resign(games::Seat seat) {
    assert(!ended());
    verdict_ = {agents::Verdict::Kind::Resigned, seat};
    write_end();
}

void Table::give_up(games::Seat seat, agents::AgentFault fault) {
    assert(!ended());
    verdict_ = {agents::Verdict::Kind::Fault, seat};
    fault_ = std::move(fault);
    write_end();
}

// ---- undo ---------------------------------------------------------------------------------------

std::size_t Table::last_move_of(const Seats& mine) const {
    for (std::size_t i = made_.size(); i-- > 0;)
        if (std::find(mine.begin(), mine.end(), made_[i].player) != mine.end()) return i;
    return made_.size();
}

std::optional<std::string> Table::why_no_undo(const Seats& mine) const {
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

void Table::undo(const Seats& mine) {
    assert(!why_no_undo(mine));
    const auto keep = static_cast<std::ptrdiff_t>(last_move_of(mine));
    std::vector<std::string> kept(moves_.begin(), moves_.begin() + keep);
    undone_.emplace_back(moves_.begin() + keep, moves_.end());
    begin();
    for (const std::string& move : kept)
        make(*position().find_move(move));
}

void Table::redo() {
    assert(can_redo());
    const std::vector<std::string> again = std::move(undone_.back());
    undone_.pop_back();
    for (const std::string& move : again)
        make(*position().find_move(move));
}

} // namespace croupier::serve
