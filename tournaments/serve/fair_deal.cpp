// Hashes shares, and follows the game again from the seats of one page.
#include "tournaments/serve/fair_deal.h"

#include "tournaments/replay/live_game.h"
#include "tournaments/replay/recorder.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <openssl/sha.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

namespace croupier::serve {
namespace {

using Object = nlohmann::json; // whose members have no order
using tournaments::LiveGame;
using tournaments::Record;
using tournaments::Share;

constexpr std::size_t kDigits = 2 * SHA256_DIGEST_LENGTH;

// A line of a seat's record: members are read as the check needs them.
class OwnLine {
  public:
    OwnLine(const Record& record, std::size_t line)
        : place_(record.place(line)), json_(Object::parse(record.parse(line).dump())) {}

    [[nodiscard]] bool has(const char* member) const { return json_.contains(member); }
    template <class Value>
    [[nodiscard]] Value get(const char* member) const {
        try {
            return json_.at(member).get<Value>();
        } catch (const Object::exception&) {
            throw tournaments::UserError(fmt::format(
                "{}: '{}' is missing or malformed in this record of a seat", place_, member));
        }
    }

  private:
    std::string place_;
    Object json_;
};

std::set<std::string> legal_in(const games::Position& view) {
    std::set<std::string> legal;
    for (std::size_t i = 0; i < view.move_count(); ++i)
        legal.emplace(view.text(view.move(i)));
    return legal;
}

} // namespace

std::string hash_of(std::string_view text) {
    std::array<unsigned char, SHA256_DIGEST_LENGTH> hash{};
    // The library asks for bytes.
    SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(), hash.data());
    return fmt::format("{:02x}", fmt::join(hash, ""));
}

bool is_hash(std::string_view text) {
    return text.size() == kDigits &&
           text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

nlohmann::ordered_json hashes_json(std::span<const Share> shares) {
    auto hashes = nlohmann::ordered_json::array();
    for (const Share& share : shares)
        hashes.push_back({{"by", share.by}, {"hash", share.hash}});
    return hashes;
}

std::uint64_t seed_of(std::span<const Share> shares) {
    std::string all;
    for (const Share& share : shares)
        all += share.share + '\n';
    constexpr std::size_t kBits64 = 16; // digits
    constexpr int kHexadecimal = 16;
    return std::stoull(hash_of(all).substr(0, kBits64), nullptr, kHexadecimal) >> 1;
}

std::optional<std::string> wrong_share(const tournaments::RecordHeader& header) {
    if (header.shares.empty()) return std::nullopt;
    for (const Share& each : header.shares)
        if (hash_of(each.share) != each.hash)
            return fmt::format("the share of {} does not fit its hash", each.by);
    if (seed_of(header.shares) != header.seed) return "the seed is not what the shares give";
    if (header.start != nullptr || header.id) return "the game does not begin with the seed's deal";
    return std::nullopt;
}

bool is_seat_record(const Record& record) {
    return record.lines.front().starts_with("{\"seats\":");
}

std::string SeatCheck::text() const {
    const std::string whom = fmt::format("{}", fmt::join(players, ", "));
    if (wrong) return fmt::format("not what {} was shown: {}", whom, *wrong);
    return fmt::format(
        "the deal follows from the shares of {}, and the {} positions that {} was shown follow "
        "from "
        "the deal and the moves. This does not show whether the host, who knows all hands, told "
        "anybody of them.",
        fmt::join(sharers, ", "), shown, whom);
}

SeatCheck check_seat(const Record& own, const Record& opened,
                     const tournaments::RecordHeader& header,
                     const std::shared_ptr<const games::Game>& game) {
    const OwnLine first(own, 0);
    SeatCheck check{first.get<std::vector<std::string>>("seats"), {}, 0, wrong_share(header)};
    for (const Share& each : header.shares)
        check.sharers.push_back(each.by);
    const auto share = first.get<std::string>("share");
    const auto hashes = first.get<nlohmann::ordered_json>("shares");
    if (check.wrong) return check;
    const std::string mine = fmt::format("{}", fmt::join(check.players, " "));
    const Object opened_first = Object::parse(opened.parse(0).dump());
    if (hashes != hashes_json(header.shares))
        check.wrong =
            "the hashes shown before the deal are not those of the shares that were opened";
    else if (std::ranges::none_of(header.shares, [&](const Share& each) {
                 return each.by == mine && each.share == share;
             }))
        check.wrong = fmt::format("the opened share of {} is not the one that was given", mine);
    for (const char* const member : {"game", "revision", "options"})
        if (!check.wrong && first.get<Object>(member) != opened_first.at(member))
            check.wrong =
                fmt::format("{} differs between what was shown and what was opened", member);
    if (check.wrong) return check;

    LiveGame live(game, header);
    for (std::size_t line = 1; line < opened.lines.size() && !live.ended(); ++line) {
        const auto move = opened.move(line);
        if (!move || !live.play(move->get<std::string>())) break;
    }
    const games::Facts& facts = game->facts();
    const games::Drawer drawer(*game);
    std::map<games::Seat, std::unique_ptr<tournaments::SeatedPerson>> eyes;
    for (const std::string& player : check.players) {
        const auto seat = facts.seat(player);
        if (!seat)
            throw tournaments::UserError(
                fmt::format("{}: no player is called {}", own.place(0), player));
        eyes[*seat] = std::make_unique<tournaments::SeatedPerson>(*game, *seat, header.seed);
    }
    for (std::size_t line = 1; line < own.lines.size(); ++line) {
        const OwnLine shown(own, line);
        const auto ply = shown.get<std::size_t>("ply");
        const auto made = shown.get<std::vector<std::string>>("made");
        const auto viewer = facts.seat(shown.get<std::string>("viewer"));
        const auto differs = [&](const std::string& what) {
            check.wrong = fmt::format("{}: {}", own.place(line), what);
            return check;
        };
        if (!viewer || !eyes.contains(*viewer)) return differs("another player's view was shown");
        if (ply > live.made().size() || made.size() > ply)
            return differs("it shows moves that the opened record does not have");
        // A page that was away is not told of all moves since.
        for (std::size_t i = 0; i < made.size(); ++i) {
            const std::size_t at = ply - made.size() + i;
            const LiveGame::Made& was = live.made()[at];
            const bool hidden = was.secret && !eyes.contains(was.player);
            if (made[i] != (hidden ? std::string() : was.move))
                return differs(fmt::format("move {} was shown as '{}' and is '{}'", at + 1, made[i],
                                           was.move));
        }
        tournaments::SeatedPerson& person = *eyes[*viewer];
        person.follow(std::span(live.moves()).first(ply));
        if (Object::parse(tournaments::scene_json(person.draw(drawer)).dump()) !=
            shown.get<Object>("scene"))
            return differs(
                fmt::format("{} was shown another table after {} moves than the deal gives",
                            facts.players[*viewer], ply));
        if (shown.has("moves")) {
            const auto legal = shown.get<std::set<std::string>>("moves");
            if (legal != legal_in(person.view()))
                return differs("other moves were offered than the rules give");
        }
        ++check.shown;
    }
    return check;
}

} // namespace croupier::serve
