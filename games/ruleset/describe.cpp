// Reads players, teams, options and the list of moves.
#include "games/ruleset/describe.h"

#include "engine/api/ruleset.h"
#include "engine/api/state.h"
#include "engine/api/text.h"
#include "games/drawing/wishes.h"
#include "games/ruleset/codes.h"
#include "games/ruleset/ruleset_game.h"

#include <algorithm>
#include <utility>

namespace croupier::games {
namespace {

using engine::Diagnostics;
using engine::Document;
using engine::Domain;
using engine::Member;
using engine::Ruleset;
using engine::Shape;
using engine::ShapeKind;
using engine::Span;

const Shape* root_field(const Ruleset& ruleset, std::string_view name) {
    if (!ruleset.shape) return nullptr;
    for (const auto& [field, shape] : ruleset.shape->fields) {
        if (field == name) return &shape;
    }
    return nullptr;
}

class Description {
  public:
    Description(const Ruleset& ruleset, Diagnostics& diagnostics)
        : ruleset_(ruleset), diagnostics_(diagnostics) {}

    Facts read() {
        if (ruleset_.game.is_string()) {
            facts_.name = ruleset_.game.text();
        } else if (ruleset_.game.is_object()) {
            facts_.name = text_of("name");
            facts_.revision = text_of("revision");
        }
        facts_.option_values = engine::json::object();
        for (const Member& member : ruleset_.rest) {
            if (member.key == "doc" && member.value.is_string()) facts_.doc = member.value.text();
            if (member.key == "option_values") facts_.option_values = member.value;
        }
        players();
        if (!diagnostics_.has_errors()) teams();
        phases();
        options();
        moves();
        groups();
        (void)wishes_of(ruleset_, diagnostics_); // read again by whoever draws
        return std::move(facts_);
    }

  private:
    [[nodiscard]] const Member* in_game(std::string_view key) const {
        return ruleset_.game.is_object() ? ruleset_.game.find(key) : nullptr;
    }

    [[nodiscard]] std::string text_of(std::string_view key) const {
        const Member* member = in_game(key);
        return member != nullptr && member->value.is_string() ? member->value.text()
                                                              : std::string();
    }

    void error(std::string_view code, Span place, std::string message, std::string hint) {
        diagnostics_.error(code, place, std::move(message), std::move(hint));
    }

    // A list of names, a number of them, or a domain; by default the domain of `turn`.
    void players() {
        constexpr std::string_view kHint =
            "write \"game\": {\"players\": [\"A\", \"B\"]}, a number, or the name of a type";
        const Member* member = in_game("players");
        const Shape* turn = root_field(ruleset_, "turn");
        const Domain* domain = nullptr;
        if (member == nullptr && turn != nullptr && turn->kind == ShapeKind::Member)
            domain = ruleset_.domain(turn->domain);
        if (member != nullptr && member->value.is_string())
            domain = ruleset_.domain(member->value.text());
        const Span place = member != nullptr ? member->value.span : ruleset_.game.span;
        if (domain != nullptr) {
            facts_.players = domain->members;
        } else if (member != nullptr && member->value.is_array()) {
            for (const Member& each : member->value.members) {
                if (!each.value.is_string() || each.value.text().empty() ||
                    facts_.seat(each.value.text())) {
                    error(code::kPlayers, each.value.span,
                          "players are different texts, one for each seat", std::string(kHint));
                    return;
                }
                facts_.players.push_back(each.value.text());
            }
        } else if (const auto* count = member == nullptr
                                           ? nullptr
                                           : std::get_if<std::int64_t>(&member->value.scalar)) {
            for (std::int64_t i = 0; i < std::min<std::int64_t>(*count, kMostPlayers + 1); ++i)
                facts_.players.push_back(std::to_string(i));
        } else {
            error(code::kPlayers, place, "the game does not say who its players are",
                  std::string(kHint));
            return;
        }
        // One who can never be at turn is a slip.
        const Domain* const turns = turn != nullptr && turn->kind == ShapeKind::Member
                                        ? ruleset_.domain(turn->domain)
                                        : nullptr;
        for (const std::string& player : facts_.players) {
            if (turns == nullptr || std::find(turns->members.begin(), turns->members.end(),
                                              player) != turns->members.end())
                continue;
            error(code::kPlayers, place,
                  "it can never be the turn of the player " + player + ": the type " +
                      turn->domain + " of the node turn has no such member",
                  "add it to the type, or take it from the players");
            return;
        }
        if (facts_.players.size() < 2 || facts_.players.size() > kMostPlayers) {
            error(code::kPlayers, place,
                  "a game has two to " + std::to_string(kMostPlayers) + " players",
                  std::string(kHint));
        }
    }

    // {"AC": ["A", "C"], "BD": ["B", "D"]}
    void teams() {
        constexpr std::string_view kHint =
            "as in \"teams\": {\"AC\": [\"A\", \"C\"], \"BD\": [\"B\", \"D\"]}";
        const Member* member = in_game("teams");
        if (member == nullptr) return;
        std::vector<bool> taken(facts_.players.size());
        for (const Member& each : member->value.members) {
            Team team{each.key, {}};
            for (const Member& name : each.value.members) {
                const auto seat =
                    name.value.is_string() ? facts_.seat(name.value.text()) : std::nullopt;
                if (!seat || taken[*seat]) {
                    error(code::kTeams, name.value.span,
                          seat ? "this player is in a team already" : "this is not a player",
                          std::string(kHint));
                    return;
                }
                taken[*seat] = true;
                team.seats.push_back(*seat);
            }
            facts_.teams.push_back(std::move(team));
        }
        if (!member->value.is_object() ||
            std::find(taken.begin(), taken.end(), false) != taken.end())
            error(code::kTeams, member->value.span, "every player is in one team",
                  std::string(kHint));
    }

    // What the root's leaf `phase` may be. "auction": "bid", or a list of them.
    void phases() {
        const Shape* phase = root_field(ruleset_, "phase");
        if (phase != nullptr && phase->kind == ShapeKind::Member) {
            for (const std::string& name : ruleset_.domain(phase->domain)->members)
                facts_.phases.push_back({name});
        }
        const Member* member = in_game("auction");
        if (member == nullptr) return;
        if (!member->value.is_array()) return auction(member->value);
        for (const Member& each : member->value.members)
            auction(each.value);
    }

    void auction(const Document& name) {
        const auto known =
            std::find_if(facts_.phases.begin(), facts_.phases.end(), [&](const GamePhase& each) {
                return name.is_string() && each.name == name.text();
            });
        if (known == facts_.phases.end()) {
            error(code::kAuction, name.span, "this is not a phase of the game",
                  "as in \"auction\": [\"bid\"], of what the shape's root leaf `phase` may be");
            return;
        }
        known->auction = true;
    }

    void options() {
        facts_.max_plies = kMaxPlies;
        for (const engine::Option& option : ruleset_.options) {
            facts_.options.push_back({option.name, option.value.scalar});
            if (option.name != "max_plies") continue;
            const auto* plies = std::get_if<std::int64_t>(&option.value.scalar);
            if (plies == nullptr || *plies < 1 || *plies > 100'000'000) {
                error(code::kMaxPlies, option.span, "max_plies is a number of moves from 1", {});
                return;
            }
            facts_.max_plies = static_cast<std::uint32_t>(*plies);
        }
    }

    void moves() {
        const Shape* moves = root_field(ruleset_, "moves");
        if (moves == nullptr || moves->kind != ShapeKind::Map || moves->domain.empty()) return;
        if (const Domain* domain = ruleset_.domain(moves->domain)) facts_.moves = domain->members;
    }

    void groups() {
        for (const std::string_view name : {"moves", "play", "score"}) {
            if (ruleset_.group(name) != nullptr) continue;
            error(code::kMissingGroup, ruleset_.game.span,
                  "a game has the groups moves, play and score; there is no " + std::string(name),
                  "a revision begins with \"@include\": the file of the game that it changes");
        }
        for (const auto& [name, other] : {std::pair{"unseen", "restore"}, {"restore", "unseen"}}) {
            if (ruleset_.group(name) == nullptr || ruleset_.group(other) != nullptr) continue;
            error(code::kMissingGroup, ruleset_.game.span,
                  std::string("there is the group ") + name + ", but no " + other,
                  "what is hidden is drawn by both: unseen lists it, restore puts it back");
        }
        if (ruleset_.group("belief") != nullptr && ruleset_.group("unseen") == nullptr) {
            error(code::kMissingGroup, ruleset_.game.span,
                  "there is the group belief, but nothing is drawn",
                  "belief weighs what unseen and restore have drawn: write these groups");
        }
    }

    const Ruleset& ruleset_;
    Diagnostics& diagnostics_;
    Facts facts_;
};

} // namespace

Facts describe(const Ruleset& ruleset, Diagnostics& diagnostics) {
    return Description(ruleset, diagnostics).read();
}

} // namespace croupier::games
