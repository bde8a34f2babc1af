// Code shared by positions, and functions of facts.
#include "games/contract/game.h"

#include <algorithm>
#include <array>

namespace croupier::games {

std::uint64_t text_hash(std::string_view text, std::uint64_t before) {
    for (const char letter : text)
        before = (before ^ static_cast<unsigned char>(letter)) * 0x100000001b3u;
    return before;
}

std::string_view name_of(Ending ending) {
    constexpr auto kNames = std::to_array<std::string_view>({"", "over", "aborted", "unfinished"});
    static_assert(kNames.size() == static_cast<std::size_t>(Ending::Unfinished) + 1);
    return kNames[static_cast<std::size_t>(ending)];
}

std::optional<Seat> Facts::seat(std::string_view player) const {
    const auto at = std::ranges::find(players, player);
    if (at == players.end()) return std::nullopt;
    return static_cast<Seat>(at - players.begin());
}

bool Facts::has_auction() const {
    return std::ranges::any_of(phases, &GamePhase::auction);
}

std::vector<Seat> Facts::partners(Seat seat) const {
    for (const Team& team : teams)
        if (std::ranges::find(team.seats, seat) != team.seats.end()) return team.seats;
    return {seat};
}

std::vector<std::string> Facts::names_of(const std::vector<Seat>& seats) const {
    std::vector<std::string> names;
    names.reserve(seats.size());
    for (const Seat seat : seats)
        names.push_back(players[seat]);
    return names;
}

std::string Facts::title() const {
    return revision.empty() ? name : name + ":" + revision;
}

void Position::list_moves(std::vector<Move>& into) const {
    into.clear();
    const std::size_t count = move_count();
    for (std::size_t i = 0; i < count; ++i)
        into.push_back(move(i));
}

std::optional<Move> Position::find_move(std::string_view name) const {
    const std::size_t count = move_count();
    for (std::size_t i = 0; i < count; ++i) {
        const Move each = move(i);
        if (text(each) == name) return each;
    }
    return std::nullopt;
}

std::unique_ptr<Position> Position::clone() const {
    auto copy = game().new_position();
    copy->copy_from(*this);
    return copy;
}

bool Position::is_auction() const {
    const std::size_t now = phase();
    return now != kNoPhase && game().facts().phases[now].auction;
}

std::uint64_t Position::hash_without_gains(std::vector<std::int32_t>& gains) const {
    gains.assign(game().facts().gains.size(), 0);
    return hash();
}

void Position::play_randomly(Random& choices, Random& chance) {
    while (ending() == Ending::None)
        play(move(choices.below(move_count())), chance);
}

} // namespace croupier::games
