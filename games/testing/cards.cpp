// Finds cards by the shape, and holds what is there after a move against what was there before.
#include "games/testing/cards.h"

#include "games/ruleset/ruleset_game.h"

#include <algorithm>
#include <array>
#include <optional>

namespace croupier::games {

using engine::Document;
using engine::Member;
using engine::Shape;
using engine::ShapeKind;

namespace {

constexpr std::string_view kCard = "Card";

// Nodes at the root that tell of cards which lie somewhere else. Where `until` is a node, it is a
// place of its own as long as that is absent.
struct Reminder {
    std::string_view game;
    std::string_view node;
    std::string_view until;
};
constexpr std::array kReminders = {
    Reminder{"", "best", ""},              // holds the trick
    Reminder{"belote", "turned", "taker"}, // then it is in the taker's hand
    Reminder{"belote", "shown", ""},       // announcements
    Reminder{"belote", "dealt", ""},       //
    Reminder{"coinche", "shown", ""},      //
    Reminder{"coinche", "dealt", ""},      //
    Reminder{"oldmaid", "row", ""},        // the hand that is held out, in its order
    Reminder{"tarot", "called", ""},       // whose holder is the partner
    Reminder{"tarot", "open", ""},         // taken from the dog
    Reminder{"tarot", "exposed", ""},      // trumps among those put aside
    Reminder{"tarot", "shown", ""},        // of a poignée
    Reminder{"whist", "turned", ""},       // the dealer's
};

const Document* find(const Document& object, std::string_view key) {
    if (!object.is_object()) return nullptr;
    const Member* member = object.find(key);
    return member == nullptr ? nullptr : &member->value;
}

std::size_t size_of(const Document* node) {
    return node == nullptr ? 0 : node->members.size();
}

void collect(const Shape& shape, const Document& node, const std::string& path,
             std::map<std::string, std::vector<std::string>>& places) {
    if (shape.kind == ShapeKind::Member && shape.domain == kCard && node.is_string()) {
        places[node.text()].push_back(path);
    } else if (shape.kind == ShapeKind::Record) {
        for (const auto& [name, field] : shape.fields) {
            if (const Document* child = find(node, name))
                collect(field, *child, path + (path.empty() ? "" : ".") + name, places);
        }
    } else if (shape.kind == ShapeKind::Map && node.is_object()) {
        const Shape& element = shape.fields.front().second;
        const bool set = shape.domain == kCard && element.kind == ShapeKind::Unit;
        for (const Member& child : node.members) {
            if (set)
                places[child.key].push_back(path);
            else
                collect(element, child.value, path + "." + child.key, places);
        }
    } else if (shape.kind == ShapeKind::Map && node.is_array()) { // keys 0, 1, ..
        for (std::size_t i = 0; i < node.members.size(); ++i)
            collect(shape.fields.front().second, node.members[i].value,
                    path + "." + std::to_string(i), places);
    }
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
    std::string game;
};

CardWatch::CardWatch(const Game& game) {
    const RulesetGame* rules = game.ruleset_game();
    if (rules == nullptr || rules->ruleset().domain(kCard) == nullptr || !rules->ruleset().shape)
        return;
    const auto& fields = rules->ruleset().shape->fields;
    const bool hands = std::any_of(fields.begin(), fields.end(),
                                   [](const auto& field) { return field.first == "hands"; });
    if (!hands) return;
    shapes_ = std::make_unique<Shapes>(Shapes{rules->ruleset(), game.facts().name});
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

CardWatch::Places CardWatch::places_of(const Document& state) const {
    Places places;
    for (const auto& [named, field] : shapes_->ruleset.shape->fields) {
        const std::string& name = named; // clang 14 captures no structured binding
        const Document* node = find(state, name);
        const auto reminder =
            std::find_if(kReminders.begin(), kReminders.end(), [&](const Reminder& each) {
                return each.node == name && (each.game.empty() || each.game == shapes_->game);
            });
        const bool counts = reminder == kReminders.end() ||
                            (!reminder->until.empty() && find(state, reminder->until) == nullptr);
        if (node != nullptr && counts && name != "move" && name != "moves")
            collect(field, *node, name, places);
    }
    return places;
}

std::string CardWatch::look(const Document& state) {
    now_ = places_of(state);
    for (const auto& [card, places] : now_) {
        if (!pack_.contains(card)) return card + " is not of this pack";
        if (places.size() > 1) return card + " is in " + places[0] + " and in " + places[1];
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
    std::string problem = look(state);
    if (problem.empty() && now_.size() != pack_.size())
        problem = std::to_string(now_.size()) + " cards of " + std::to_string(pack_.size());
    if (problem.empty()) problem = hands(state);
    trick_.clear();
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
    const Places before = std::move(now_);
    const Document state = position.state();
    std::string problem = look(state);
    if (!problem.empty()) return problem;
    std::set<std::string> lost;
    std::set<std::string> found;
    if (now_.size() != pack_.size()) { // else all of them are there
        for (const auto& each : before) {
            if (!now_.contains(each.first)) lost.insert(each.first);
        }
        for (const auto& each : now_) {
            if (!before.contains(each.first)) found.insert(each.first);
        }
    }
    for (const std::string& card : trick_)
        lost.erase(card);
    lost.erase(std::string(move));
    if (!lost.empty()) return listed(lost) + " was not in the trick, and is nowhere";
    if (!found.empty()) return listed(found) + " had been played, and is there without the others";
    trick_.clear();
    const Document* trick = find(state, "trick");
    for (std::size_t i = 0; i < size_of(trick); ++i) {
        if (const Document* card = find(trick->members[i].value, "card"))
            trick_.insert(card->text());
    }
    if (position.ending() != Ending::None) return {};
    problem = hands(state);
    return problem.empty() ? left_over(state) : problem;
}

std::string watch_cards(const Game& game, std::uint64_t seed, Temper temper) {
    CardWatch watch(game);
    const auto position = game.new_position();
    Random deal = stream(seed, 0, Purpose::Deal);
    Random chance = stream(seed, 0, Purpose::Play);
    Random choices = stream(seed, 0, Purpose::Choice);
    std::string moves;
    position->start(deal);
    std::string problem = position->ending() == Ending::None ? watch.begins(*position) : "";
    // A match in which nobody ever bids does not end.
    const std::uint32_t most = temper == Temper::Silent ? 100 : 2000;
    while (problem.empty() && position->ending() == Ending::None && position->plies() < most) {
        Move move = position->move(choices.below(position->move_count()));
        const auto pass = temper == Temper::Random ? std::nullopt : position->find_move("pass");
        if (pass && (temper == Temper::Silent || choices.below(4) != 0)) move = *pass;
        const std::string name(position->text(move));
        moves += (moves.empty() ? "" : ",") + name;
        position->play(move, chance);
        if (position->ending() == Ending::Aborted)
            problem = "aborted by " + position->fault().rule + ": " + position->fault().what;
        else
            problem = watch.moved(*position, name);
    }
    return problem.empty() ? problem
                           : problem + "\nseed " + std::to_string(seed) + ", after " + moves;
}

} // namespace croupier::games
