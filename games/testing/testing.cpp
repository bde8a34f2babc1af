// Helpers of tests.
#include "games/testing/testing.h"

#include "engine/api/ruleset.h"
#include "engine/api/text.h"
#include "games/checks/one_place.h"
#include "games/ruleset/ruleset_game.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

namespace croupier::games {

// Checks of cards beside their places: the pack, the hands, what a deal leaves.

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

// Nodes that a match keeps from deal to deal, and nodes that the first card of a deal resets.
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
    for (const OnePlaceRule& rule : declared_one_place(rules->ruleset()))
        if (rule.type == kCard)
            shapes_ = std::make_unique<Shapes>(Shapes{rules->ruleset(), OnePlace(*rules, rule)});
    if (!shapes_) return;
    // All cards except those that an option removes from the pack.
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

// Reports a card that is not in the pack.
std::string CardWatch::strangers() const {
    for (const auto& each : shapes_->places.places())
        if (!pack_.contains(each.first)) return each.first + " is not of this pack";
    return {};
}

// All players have equally many cards, including those in the trick, except while the taker
// discards.
std::string CardWatch::hands(const Document& state) const {
    const auto& fields = shapes_->ruleset.shape->fields;
    const bool tricks = std::any_of(fields.begin(), fields.end(),
                                    [](const auto& field) { return field.name == "trick"; });
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
    for (const Member& member : state.members)
        if (!first_.contains(member.key) &&
            std::find(kKept.begin(), kKept.end(), member.key) == kKept.end())
            left.insert(member.key);
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
    // A match without bids does not end.
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

namespace {

const std::string kExamples = "games/examples";
const std::string kTesting = "games/testing";

std::string mistakes(const OpenedGame& opened) {
    std::string text = opened.error;
    for (const engine::Diagnostic& each : opened.diagnostics.sorted())
        text += engine::format(each, opened.sources) + "\n";
    return text;
}

} // namespace

std::string beside_this_program(const std::string& name) {
    return (std::filesystem::read_symlink("/proc/self/exe").parent_path() / name).string();
}

engine::FileOpener test_opener() {
    return [](const std::string& path) {
        engine::FileText file;
        std::ifstream in(path, std::ios::binary);
        if (in)
            file.text.emplace(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
        else
            file.error = "cannot be read";
        return file;
    };
}

std::shared_ptr<const Game> open_for_test(const std::string& title,
                                          std::vector<GameOption> options) {
    const GameName name = parse_game_name(title);
    for (const std::string& folder : {kGamesFolder, kExamples, kTesting}) {
        const Registry registry(folder, test_opener());
        std::string unknown;
        const bool known = !registry.find(name, unknown).empty() || unknown.empty();
        if (!known) continue;
        OpenedGame opened = registry.open(name, options);
        if (opened.game == nullptr) ADD_FAILURE() << mistakes(opened);
        return opened.game;
    }
    ADD_FAILURE() << "no game " << title;
    return nullptr;
}

OpenedGame open_text(const std::string& text, const std::vector<GameOption>& options) {
    RulesetSettings settings;
    for (const GameOption& option : options)
        settings.options.emplace_back(option.name, option.value);
    const auto opener = [&](const std::string&) { return engine::FileText{text, {}}; };
    OpenedRuleset opened = open_ruleset("game.json", opener, settings);
    return {opened.game, std::move(opened.sources), std::move(opened.diagnostics), {}};
}

std::vector<std::string> all_titles() {
    std::vector<std::string> titles;
    for (const std::string& folder : {kGamesFolder, kExamples, kTesting}) {
        const Registry registry(folder, test_opener());
        for (const GameEntry& entry : registry.entries())
            if (std::find(titles.begin(), titles.end(), entry.title()) == titles.end())
                titles.push_back(entry.title());
    }
    return titles;
}

std::string json(const Position& position) {
    return engine::write_json(position.state(), -1);
}

std::vector<std::string> legal(const Position& position) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < position.move_count(); ++i)
        names.emplace_back(position.text(position.move(i)));
    return names;
}

std::string random_game(Position& position, std::uint64_t seed, std::uint64_t deal) {
    GameStreams streams(seed, deal, position.game().facts().seats());
    std::string text;
    position.start(streams.deal);
    while (position.ending() == Ending::None) {
        text += json(position) + " " + std::to_string(position.turn());
        for (const std::string& name : legal(position))
            text += " " + name;
        const Move move =
            position.move(streams.choices[position.turn()].below(position.move_count()));
        text += "\n> " + std::string(position.text(move)) + "\n";
        position.play(move, streams.play);
    }
    text += json(position) + " " + std::string(name_of(position.ending()));
    for (Seat seat = 0; seat < position.game().facts().seats(); ++seat)
        text += " " + std::to_string(position.score(seat)) + "/" +
                std::to_string(position.place(seat)) + position.role(seat);
    return text;
}

std::vector<GameOption> short_game(const std::string& title) {
    const auto game = open_for_test(title);
    if (game == nullptr) return {};
    for (const GameOption& option : game->facts().options)
        if (option.name == "max_plies") return {{"max_plies", std::int64_t{50}}};
    return {};
}

} // namespace croupier::games
