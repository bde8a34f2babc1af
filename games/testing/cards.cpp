// What is said of cards beside their places: the pack, the hands, what a deal leaves.
#include "games/testing/cards.h"

#include "engine/api/ruleset.h"
#include "engine/api/text.h"
#include "games/checks/one_place.h"

#include <algorithm>
#include <array>
#include <optional>

namespace croupier::games {

using engine::Document;
using engine::Member;

namespace {

constexpr std::string_view kCard = "Card";

const Document* find(const Document& object, std::string_view key) {
    if (!object.is_object()) return nullptr;
    const Member* member = object.find(key);
    return member == nullptr ? nullptr : &member->value;
}

std::size_t size_of(const Document* node) {
    return node == nullptr ? 0 : node->members.size();
}

// What a match keeps from deal to deal, and what the first card of a deal sets anew.
constexpr std::array kKept = {"total", "played", "pool", "barred", "at", "pot", "bouts", "kind"};

std::string listed(const std::set<std::string>& cards) {
    std::string text;
    for (const std::string& card : cards)
        text += (text.empty() ? "" : " ") + card;
    return text;
}

} // namespace

struct CardWatch::Shapes {
    const engine::Ruleset& ruleset;
    OnePlace places;
};

CardWatch::CardWatch(const Game& game) {
    const RulesetGame* rules = game.ruleset_game();
    if (rules == nullptr) return;
    for (const OnePlaceRule& rule : declared_one_place(rules->ruleset())) {
        if (rule.type == kCard)
            shapes_ = std::make_unique<Shapes>(Shapes{rules->ruleset(), OnePlace(*rules, rule)});
    }
    if (!shapes_) return;
    // All cards but those that an option takes out of the pack.
    const auto& members = rules->ruleset().domain(kCard)->members;
    pack_.insert(members.begin(), members.end());
    const Document* without =
        rules->ruleset().constants ? find(*rules->ruleset().constants, "without") : nullptr;
    for (const GameOption& option : game.facts().options) {
        const auto* value = std::get_if<std::string>(&option.value);
        const Document* missing =
            without == nullptr || value == nullptr ? nullptr : find(*without, *value);
        for (std::size_t i = 0; i < size_of(missing); ++i)
            pack_.erase(missing->members[i].key);
    }
}

CardWatch::~CardWatch() = default;

bool CardWatch::is_card_game() const {
    return shapes_ != nullptr;
}

// A card of another pack is in no place.
std::string CardWatch::strangers() const {
    for (const auto& each : shapes_->places.places()) {
        if (!pack_.contains(each.first)) return each.first + " is not of this pack";
    }
    return {};
}

// Everybody has as many cards as the others, those in the trick included; but while the taker puts
// some aside.
std::string CardWatch::hands(const Document& state) const {
    const auto& fields = shapes_->ruleset.shape->fields;
    const bool tricks = std::any_of(fields.begin(), fields.end(),
                                    [](const auto& field) { return field.first == "trick"; });
    if (!tricks || find(state, "secret") != nullptr) return {};
    std::optional<std::size_t> others;
    const Document* all = find(state, "hands");
    for (std::size_t i = 0; i < size_of(all); ++i) {
        const Member& hand = all->members[i];
        std::size_t cards = size_of(&hand.value);
        const Document* trick = find(state, "trick");
        for (std::size_t played = 0; played < size_of(trick); ++played) {
            const Document* who = find(trick->members[played].value, "player");
            if (who != nullptr && who->is_string() && who->text() == hand.key) ++cards;
        }
        if (others && *others != cards)
            return hand.key + " has or has played " + std::to_string(cards) + " cards, others " +
                   std::to_string(*others);
        others = cards;
    }
    return {};
}

std::string CardWatch::begins(const Position& position) {
    const Document state = position.state();
    std::string problem = shapes_->places.begins(state);
    const std::size_t cards = shapes_->places.places().size();
    if (problem.empty()) problem = strangers();
    if (problem.empty() && cards != pack_.size())
        problem = std::to_string(cards) + " cards of " + std::to_string(pack_.size());
    if (problem.empty()) problem = hands(state);
    first_.clear();
    for (const Member& member : state.members)
        first_.insert(member.key);
    const Document* dealer = find(state, "dealer");
    dealer_ = dealer != nullptr ? dealer->text() : "";
    return problem;
}

std::string CardWatch::left_over(const Document& state) {
    const Document* dealer = find(state, "dealer");
    if (dealer == nullptr || dealer->text() == dealer_) return {};
    dealer_ = dealer->text();
    std::set<std::string> left;
    for (const Member& member : state.members) {
        if (!first_.contains(member.key) &&
            std::find(kKept.begin(), kKept.end(), member.key) == kKept.end())
            left.insert(member.key);
    }
    return left.empty() ? "" : listed(left) + " is left of the deal before";
}

std::string CardWatch::moved(const Position& position, std::string_view move) {
    const Document state = position.state();
    std::string problem = shapes_->places.moved(state, move);
    if (problem.empty()) problem = strangers();
    if (!problem.empty()) return problem;
    if (position.ending() != Ending::None) return {};
    problem = hands(state);
    return problem.empty() ? left_over(state) : problem;
}

std::string watch_cards(const Game& game, std::uint64_t seed, Temper temper) {
    CardWatch watch(game);
    const auto position = game.new_position();
    GameStreams streams(seed, 0, game.facts().seats());
    std::string moves;
    position->start(streams.deal);
    std::string problem = position->ending() == Ending::None ? watch.begins(*position) : "";
    // A match in which nobody ever bids does not end.
    const std::uint32_t most = temper == Temper::Silent ? 100 : 2000;
    while (problem.empty() && position->ending() == Ending::None && position->plies() < most) {
        Random& choices = streams.choices[position->turn()];
        Move move = position->move(choices.below(position->move_count()));
        const auto pass = temper == Temper::Random ? std::nullopt : position->find_move("pass");
        if (pass && (temper == Temper::Silent || choices.below(4) != 0)) move = *pass;
        const std::string name(position->text(move));
        moves += (moves.empty() ? "" : ",") + name;
        position->play(move, streams.play);
        if (position->ending() == Ending::Aborted)
            problem = "aborted by " + position->fault().rule + ": " + position->fault().what;
        else
            problem = watch.moved(*position, name);
    }
    return problem.empty() ? problem
                           : problem + "\nseed " + std::to_string(seed) + ", after " + moves;
}

} // namespace croupier::games
