// Options from their allowed values; games with mixed agents.
#include "agents/testing/variants.h"

#include "agents/game_runner.h"
#include "agents/registry.h"
#include "engine/api/ruleset.h"
#include "engine/api/text.h"
#include "games/ruleset/ruleset_game.h"
#include "games/testing/testing.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <memory>

namespace croupier::agents::testing {
namespace {

namespace fs = std::filesystem;

using engine::Scalar;

// "0..1000000": its ends and some values between. A large end would only make games long.
std::vector<Scalar> of_range(const std::string& text) {
    const std::size_t dots = text.find("..");
    std::int64_t low = 0;
    std::int64_t high = 0;
    const char* const begin = text.data();
    if (dots == std::string::npos || std::from_chars(begin, begin + dots, low).ec != std::errc{} ||
        std::from_chars(begin + dots + 2, begin + text.size(), high).ec != std::errc{})
        return {};
    std::vector<Scalar> values;
    for (const std::int64_t value : {low, low + 1, low + 3, low + 90, high})
        if (value <= high && (value != high || high <= 1000)) values.emplace_back(value);
    return values;
}

std::vector<Scalar> values_of(const games::Game& game, const engine::Member& option) {
    std::vector<Scalar> values;
    if (option.value.is_array()) {
        for (const engine::Member& element : option.value.members)
            values.push_back(element.value.scalar);
    } else if (option.value.is_string()) {
        const engine::Domain* domain = game.ruleset_game()->ruleset().domain(option.value.text());
        if (domain == nullptr) return of_range(option.value.text());
        for (const std::string& member : domain->members)
            values.emplace_back(member);
    }
    return values;
}

// Checks the cards during a game.
class Watch : public Listener {
  public:
    explicit Watch(const games::Game& game) : cards_(game) {}

    void begins(const Position& position) override {
        problem_.clear();
        if (cards_.is_card_game() && position.ending() == games::Ending::None)
            problem_ = cards_.begins(position);
    }
    void moves(const Position& before, Move move) override { move_ = before.text(move); }
    void moved(const Position& after) override {
        if (cards_.is_card_game() && problem_.empty() && after.ending() != games::Ending::Aborted)
            problem_ = cards_.moved(after, move_);
    }
    [[nodiscard]] const std::string& problem() const { return problem_; }

  private:
    games::CardWatch cards_;
    std::string move_;
    std::string problem_;
};

games::OpenedGame open(const Variant& variant) {
    const games::Registry registry("games", games::test_opener());
    return registry.open(games::parse_game_name(variant.title), variant.options);
}

} // namespace

std::string Variant::name() const {
    std::string text = title;
    for (const games::GameOption& option : options) {
        const auto* value = std::get_if<std::string>(&option.value);
        text += " " + option.name + "=" +
                (value != nullptr ? *value : engine::scalar_json(option.value));
    }
    return text;
}

std::vector<std::string> shipped_titles() {
    std::vector<std::string> titles;
    const games::Registry registry("games", games::test_opener());
    for (const games::GameEntry& entry : registry.entries())
        if (entry.path.find("testing") == std::string::npos) titles.push_back(entry.title());
    return titles;
}

std::vector<Variant> single_values(const std::string& title) {
    std::vector<Variant> variants;
    const auto game = games::open_for_test(title);
    for (const engine::Member& option : game->facts().option_values.members)
        for (const Scalar& value : values_of(*game, option))
            variants.push_back({title, {{option.key, value}}});
    return variants;
}

std::vector<Variant> random_pairs(const std::string& title, std::size_t count, std::uint64_t seed) {
    const std::vector<Variant> single = single_values(title);
    std::vector<Variant> pairs;
    Random random(seed);
    for (std::size_t tries = 0; pairs.size() < count && tries < 100 * count; ++tries) {
        const Variant& one = single[random.below(single.size())];
        const Variant& other = single[random.below(single.size())];
        if (one.options[0].name == other.options[0].name) continue;
        pairs.push_back({title, {one.options[0], other.options[0]}});
    }
    return pairs;
}

std::vector<std::string> agents_of(const std::string& title) {
    std::vector<std::string> specs;
    std::error_code none;
    const fs::path folder = fs::path("agents/rules") / games::parse_game_name(title).game;
    for (const auto& entry : fs::directory_iterator(folder, none))
        if (entry.path().extension() == ".json")
            specs.push_back("rules:" + entry.path().stem().string());
    std::sort(specs.begin(), specs.end());
    specs.emplace_back("random");
    return specs;
}

std::string play_variant(const Variant& variant, std::uint64_t games, std::size_t& refused) {
    const games::OpenedGame opened = open(variant);
    if (opened.game == nullptr) {
        std::string said = opened.error;
        bool only_refused = !opened.diagnostics.empty();
        for (const engine::Diagnostic& each : opened.diagnostics.sorted()) {
            only_refused = only_refused && each.code == "E0609";
            said += each.code + " " + each.message + "; ";
        }
        refused += only_refused ? 1 : 0;
        return only_refused ? "" : said;
    }
    const Game& game = *opened.game;
    const AgentServices around{game, games::test_opener(), games::kAgentsFolder};
    const std::vector<std::string> specs = agents_of(variant.title);
    std::vector<std::vector<std::unique_ptr<Agent>>> seats(game.facts().seats());
    for (auto& seat : seats) {
        for (const std::string& spec : specs) {
            MadeAgent made = make_agent(parse_agent_spec(spec), around);
            if (made.agent == nullptr) return spec + " cannot be made: " + made.error;
            seat.push_back(std::move(made.agent));
        }
    }
    GameRunner table(game);
    Watch watch(game);
    for (std::uint64_t number = 0; number < games; ++number) {
        std::vector<Agent*> seated;
        for (std::size_t seat = 0; seat < seats.size(); ++seat)
            seated.push_back(seats[seat][(number + seat) % specs.size()].get());
        const Position& end = table.play(seated, {1, number, 0}, &watch);
        const std::string where = " in game " + std::to_string(number);
        if (!watch.problem().empty()) return watch.problem() + where;
        if (table.fault()) return "fault: " + table.fault()->fault.what + where;
        if (end.ending() == games::Ending::Aborted)
            return "aborted by " + end.fault().rule + ": " + end.fault().what + where;
    }
    return {};
}

} // namespace croupier::agents::testing
