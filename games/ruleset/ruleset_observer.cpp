// Lets the rules say what is open, draws it, lets the rules put it back.
#include "games/ruleset/ruleset_observer.h"

#include "engine/text/json_build.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

namespace croupier::games {

using engine::Document;
using engine::Member;
using engine::json::add;
using engine::json::text;

namespace {

// How often a draw that the rules reject is made again.
constexpr int kMostTries = 10'000;

// The node is replaced.
void put(Document& document, std::string_view key, Document value) {
    std::erase_if(document.members, [&](const Member& each) { return each.key == key; });
    add(document, std::string(key), std::move(value));
}

const std::vector<Member>& children(const Document& document, std::string_view key) {
    static const std::vector<Member> kNone;
    const Member* node = document.find(key);
    return node == nullptr ? kNone : node->value.members;
}

} // namespace

RulesetObserver::RulesetObserver(const RulesetGame& game)
    : game_(game), view_(game), work_(game), notes_(engine::json::object()) {}

void RulesetObserver::reset(Seat me) {
    notes_ = engine::json::object();
    add(notes_, "me", text(game_.facts().players[me]));
    chance_ = Random(me);
    problem_.clear();
}

bool RulesetObserver::fail(std::string problem) {
    problem_ = std::move(problem);
    return false;
}

void RulesetObserver::observe(const Position& view, Seat player, std::string_view move) {
    if (game_.groups().observe == engine::kNone || view.ending() != Ending::None) return;
    Document seen = engine::json::object();
    add(seen, "player", text(game_.facts().players[player]));
    if (!move.empty()) add(seen, "move", text(move));
    put(notes_, "seen", std::move(seen));
    work_.copy_from(view);
    auto noted = work_.consult(game_.groups().observe, notes_, chance_);
    if (noted)
        notes_ = std::move(*noted);
    else
        problem_ = work_.fault().what;
    std::erase_if(notes_.members, [](const Member& each) { return each.key == "seen"; });
}

bool RulesetObserver::look(const Position& view) {
    view_.copy_from(view);
    work_.copy_from(view);
    const auto said = work_.consult(game_.groups().unseen, notes_, chance_);
    if (!said) return fail(work_.fault().rule + ": " + work_.fault().what);
    return read(*said);
}

// {"unseen": {thing: ..}, "room": {holder: count}, "cannot": {holder: {thing: ..}}}
bool RulesetObserver::read(const Document& said) {
    things_.clear();
    holders_.clear();
    for (const Member& thing : children(said, "unseen"))
        things_.push_back(thing.key);
    std::vector<std::uint32_t> room;
    std::int64_t free = 0;
    for (const Member& holder : children(said, "room")) {
        const auto* count = std::get_if<std::int64_t>(&holder.value.scalar);
        if (count == nullptr || *count < 0)
            return fail(fmt::format("the room of {} is no number from 0", holder.key));
        holders_.push_back(holder.key);
        room.push_back(static_cast<std::uint32_t>(*count));
        free += *count;
    }
    if (holders_.size() >= Deals::kMostHolders || things_.size() > Deals::kMostThings)
        return fail("more is hidden than can be counted");
    const auto nowhere = static_cast<std::int64_t>(things_.size()) - free;
    if (nowhere < 0) {
        return fail(
            fmt::format("{} unseen for a room of {}: not all can be filled", things_.size(), free));
    }
    room.push_back(static_cast<std::uint32_t>(nowhere));
    std::vector<Deals::Mask> may(things_.size(), static_cast<Deals::Mask>((1U << room.size()) - 1));
    for (std::size_t i = 0; i < holders_.size(); ++i) {
        const Member* all = said.find("cannot");
        if (all == nullptr) break;
        for (const Member& thing : children(all->value, holders_[i])) {
            const auto at = std::find(things_.begin(), things_.end(), thing.key);
            if (at == things_.end()) continue;
            may[static_cast<std::size_t>(at - things_.begin())] &=
                static_cast<Deals::Mask>(~(1U << i));
        }
    }
    return deals_.prepare(may, room) || fail("nothing agrees with what was seen");
}

// {thing: holder} of what has one.
Document RulesetObserver::drawn() const {
    Document drawn = engine::json::object();
    for (std::size_t i = 0; i < things_.size(); ++i) {
        if (holder_of_[i] < holders_.size()) add(drawn, things_[i], text(holders_[holder_of_[i]]));
    }
    return drawn;
}

bool RulesetObserver::draw(Position& into, Random& random) {
    auto& position = dynamic_cast<RulesetPosition&>(into);
    for (int tries = 0; tries < kMostTries; ++tries) {
        deals_.draw(random, holder_of_);
        position.copy_from(view_);
        Document notes = notes_;
        put(notes, "drawn", drawn());
        const auto left = position.consult(game_.groups().restore, notes, random);
        if (!left) return fail(position.fault().rule + ": " + position.fault().what);
        if (left->find("rejected") != nullptr) continue;
        return position.derive(random) || fail(position.fault().what);
    }
    return fail("every draw was rejected");
}

} // namespace croupier::games
