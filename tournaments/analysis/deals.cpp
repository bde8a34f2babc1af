// Tries all hands of one seat, or deals at random.
#include "tournaments/analysis/deals.h"

#include "engine/api/program.h"
#include "engine/api/ruleset.h"
#include "engine/api/run.h"
#include "engine/api/state.h"
#include "games/ruleset/ruleset_game.h"
#include "games/ruleset/ruleset_position.h"
#include "results/statistics/means.h"
#include "tournaments/run/asked_rule.h"
#include "tournaments/run/files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace croupier::tournaments {
namespace {

using engine::Document;
using engine::Member;
using engine::NodeRef;
using engine::Symbol;
using engine::Value;
using games::Random;
using games::RulesetGame;
using games::RulesetPosition;

constexpr const char* kWhere = "--where"; // the condition's file in messages
constexpr std::uint64_t kMostHands = 100'000'000;
constexpr std::uint64_t kDealsToSee = 5000; // so that a hand has had each card of the pack
constexpr std::uint64_t kDealsToCheck = 200;
constexpr std::uint64_t kBetweenLooks = 1 << 12; // deals or hands between looks at the clock

// The condition by itself; throws if it is none.
Document read_condition(const std::string& text, const HostServices& host) {
    engine::Sources sources;
    engine::Diagnostics diagnostics;
    auto condition = engine::read_json(sources, sources.add(kWhere, text), diagnostics);
    if (condition && condition->is_object()) return std::move(*condition);
    host.diagnose(diagnostics, sources);
    throw UserError("--where takes a condition, as in {\"turn\": \"A\"}, or @FILE");
}

// The game with a rule in the group `where` that has the condition.
std::shared_ptr<const RulesetGame> open_with(const AskedDeals& asked, const std::string& deck,
                                             const HostServices& host) {
    const games::Registry registry = open_registry(asked.game.folder, host);
    const games::GameName name = games::parse_game_name(asked.game.game);
    std::string unknown;
    const std::string path = registry.find(name, unknown);
    if (path.empty()) throw UserError(unknown);
    if (path.ends_with(".clp"))
        throw UserError(path + " is a program of CLIPS: its deals cannot be asked by conditions");
    name_game(registry, name, host);
    games::RulesetSettings settings;
    for (const std::string& each : asked.game.set) {
        games::GameOption option = parse_setting(each);
        settings.options.emplace_back(std::move(option.name), std::move(option.value));
    }
    if (!deck.empty()) settings.options.emplace_back("deck", deck);
    const std::string rule = fmt::format(
        "{{\"where\": [{{\"name\": \"where\", \"first\": true, \"condition\":\n{}\n}}]}}",
        asked.where);
    const engine::FileOpener files = file_opener(host);
    const auto open = [&](const std::string& file) {
        return file == kWhere ? engine::FileText{rule, {}} : files(file);
    };
    games::OpenedRuleset opened =
        games::open_ruleset(std::vector<std::string>{path, kWhere}, open, settings);
    if (opened.game == nullptr) {
        host.diagnose(opened.diagnostics, opened.sources);
        throw UserError("the condition, or the game, cannot be used");
    }
    return opened.game;
}

// Whether the condition holds in a state.
class Asker {
  public:
    explicit Asker(const RulesetGame& game)
        : game_(game), machine_(game.program(), game.budgets()),
          where_(game.program().catalogue().group_id("where")) {}

    bool holds(engine::State& state, Random& random) {
        const engine::RunResult result = machine_.run(where_, state, random);
        if (result.error) throw_run_error(*result.error, game_.sources());
        return result.matches != 0;
    }

  private:
    const RulesetGame& game_;
    engine::Machine machine_;
    engine::GroupId where_;
};

// ---- conditions on one hand ----

struct Hand {
    std::string node; // "hands"
    std::string seat;
};

// Finds the one hand that a condition reads: the child of a root node that a player's name picks.
// Cautious: the name of any other root node, wherever it stands, counts as one that is read.
class HandFinder {
  public:
    explicit HandFinder(const RulesetGame& game)
        : players_(game.facts().players), fields_(engine::declared_root_names(game.ruleset())) {
        const engine::RootKeys written = engine::written_root_keys(game.ruleset());
        for (const auto& [name, place] : written.names)
            fields_.insert(name);
        fields_.insert("random");
        known_ = !written.any;
    }

    std::optional<Hand> find(const Document& condition) {
        return known_ && reads(condition, true) ? hand_ : std::nullopt;
    }

  private:
    // Whether it reads nothing but the hand. `root`: its keys are those of root nodes, and of what
    // stands at the same place: blocks and their parts, alternatives.
    bool reads(const Document& pattern, bool root) {
        if (pattern.is_string()) return !names_field(pattern.text());
        return std::ranges::all_of(pattern.members, [&](const Member& member) {
            const std::string base = member.key.substr(0, member.key.find('@', 1));
            if (fields_.contains(base)) return is_hand(base, member.value);
            const bool word = member.key.starts_with('@'); // of the language
            const bool same = pattern.is_array() || word || base == "of" || base == "holds";
            return member.key != "@use" && (word || !names_field(base)) &&
                   !(root && base.starts_with('$')) &&
                   reads(member.value, (root && same) || member.key == "@root");
        });
    }

    bool is_hand(const std::string& node, const Document& below) {
        if (!below.is_object() || below.members.size() != 1) return false;
        const std::string& seat = below.members.front().key;
        if (hand_ && (hand_->node != node || hand_->seat != seat)) return false;
        hand_ = {node, seat};
        return std::ranges::find(players_, seat) != players_.end() &&
               reads(below.members.front().value, false);
    }

    [[nodiscard]] bool names_field(std::string_view text) const {
        const auto in_name = [](char letter) {
            return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
        };
        for (auto at = text.begin(); at != text.end();) {
            const auto begin = std::find_if(at, text.end(), in_name);
            at = std::find_if_not(begin, text.end(), in_name);
            if (fields_.contains(std::string(begin, at))) return true;
        }
        return false;
    }

    const std::vector<std::string>& players_;
    std::set<std::string> fields_;
    bool known_ = false;
    std::optional<Hand> hand_;
};

// A hand that gets the cards at certain places of a pack which is in any order equally likely.
class CountableHand {
  public:
    // Null if the ruleset has no option `deck`, or does not deal like that.
    static std::unique_ptr<CountableHand> find(const AskedDeals& asked, const Document& condition,
                                               const RulesetGame& game, const HostServices& host) {
        const auto hand = HandFinder(game).find(condition);
        const auto& options = game.ruleset().options;
        const auto deck = std::ranges::find(options, "deck", &engine::Option::name);
        if (!hand || deck == options.end() || !deck->value.is_string() ||
            !deck->value.text().empty())
            return nullptr;
        std::set<std::string> cards;
        std::size_t size = 0;
        RulesetPosition position(game);
        for (std::uint64_t deal = 0; deal < kDealsToSee; ++deal) {
            Random random = games::stream(asked.seed, deal, games::Purpose::Deal);
            position.start(random);
            const std::vector<std::string> held = cards_of(position.tree(), *hand);
            if (held.empty() || (deal > 0 && held.size() != size)) return nullptr;
            size = held.size();
            cards.insert(held.begin(), held.end());
        }
        const std::vector<std::string> pack(cards.begin(), cards.end());
        if (ways(pack.size(), size) > kMostHands) return nullptr;
        auto made = std::make_unique<CountableHand>();
        made->hand_ = *hand;
        made->pack_ = pack;
        made->fixed_ = open_with(asked, fmt::to_string(fmt::join(pack, ",")), host);
        return made->deals_by_place(asked.seed, size) ? std::move(made) : nullptr;
    }

    CountedDeals count(const AskedDeals& asked, const HostServices& host) {
        CountedDeals counted;
        counted.hand =
            fmt::format("{} of {} cards for {}", places_.size(), pack_.size(), hand_.seat);
        const std::uint64_t all = ways(pack_.size(), places_.size());
        Asker asker(*fixed_);
        Random random(asked.seed);
        RulesetPosition position(*fixed_);
        deal(position, pack_, asked.seed, 0);
        engine::State& state = position.tree();
        const NodeRef node = hand_of(state, hand_);
        std::vector<Symbol> names;
        for (const std::string& card : pack_)
            names.push_back(state.symbols().intern(card));
        std::vector<std::size_t> chosen(places_.size());
        std::iota(chosen.begin(), chosen.end(), 0);
        const auto put = [&](std::size_t from) {
            for (std::size_t i = from; i < chosen.size(); ++i)
                state.set_child(node, names[chosen[i]], Value::boolean(true));
        };
        const auto take = [&](std::size_t from) {
            for (std::size_t i = from; i < chosen.size(); ++i)
                state.remove(state.child(node, names[chosen[i]]));
        };
        while (const NodeRef child = state.first_child(node))
            state.remove(child);
        put(0);
        while (true) {
            if (counted.of % kBetweenLooks == 0 && looked(host, counted, all)) return counted;
            ++counted.of;
            if (asker.holds(state, random)) {
                if (counted.found++ < asked.keep)
                    counted.examples.push_back(example(chosen, asked));
            }
            std::size_t last = chosen.size();
            while (last > 0 && chosen[last - 1] == pack_.size() - chosen.size() + last - 1)
                --last;
            if (last == 0) return counted;
            take(last - 1);
            ++chosen[last - 1];
            for (std::size_t i = last; i < chosen.size(); ++i)
                chosen[i] = chosen[i - 1] + 1;
            put(last - 1);
        }
    }

    // Tells the progress; true if it is to end.
    static bool looked(const HostServices& host, CountedDeals& counted, std::uint64_t all) {
        host.progress([&] {
            results::Progress progress;
            progress.games = counted.of;
            progress.games_planned = all;
            progress.told = {fmt::format("{} found", counted.found)};
            return progress;
        });
        counted.interrupted = host.stop != nullptr && host.stop->load();
        return counted.interrupted;
    }

  private:
    static NodeRef hand_of(engine::State& state, const Hand& hand) {
        const NodeRef all = state.child(state.root(), state.symbols().intern(hand.node));
        return all ? state.child(all, state.symbols().intern(hand.seat)) : all;
    }

    // None if they are not the keys of a map.
    static std::vector<std::string> cards_of(engine::State& state, const Hand& hand) {
        std::vector<std::string> cards;
        const NodeRef node = hand_of(state, hand);
        for (NodeRef child = node ? state.first_child(node) : node; child;
             child = state.next_sibling(child)) {
            const Value value = state.value(child);
            if (value.tag != engine::Tag::Bool || !value.truth()) return {};
            cards.push_back(engine::to_text(state.key(child), state.symbols()));
        }
        return cards;
    }

    // The number of hands; too many if it is beyond what is counted.
    static std::uint64_t ways(std::size_t cards, std::size_t size) {
        double made = 1;
        for (std::size_t i = 0; i < size; ++i)
            made = made * static_cast<double>(cards - i) / static_cast<double>(i + 1);
        return made > 1e18 ? kMostHands + 1 : static_cast<std::uint64_t>(std::llround(made));
    }

    // Deals the pack in that order; all other chance is that of the deal's number.
    void deal(RulesetPosition& position, const std::vector<std::string>& pack, std::uint64_t seed,
              std::uint64_t number) const {
        Document list = engine::json::array();
        for (const std::string& card : pack)
            engine::json::append(list, engine::json::text(card));
        Random random = games::stream(seed, number, games::Purpose::Deal);
        engine::State& state = position.tree();
        state = fixed_->initial();
        state.put_child(state.root(), state.symbols().intern("deck"), list);
        if (!position.consult(fixed_->groups().setup, random))
            throw UserError("the game is aborted by its deal: " + position.fault().what);
    }

    static void shuffle(std::vector<std::string>& cards, Random& random) {
        for (std::size_t i = cards.size(); i > 1; --i)
            std::swap(cards[i - 1], cards[random.below(i)]);
    }

    // Finds the places of the pack that the hand gets; false if these depend on the cards.
    bool deals_by_place(std::uint64_t seed, std::size_t size) {
        RulesetPosition position(*fixed_);
        for (std::uint64_t number = 0; number < kDealsToCheck; ++number) {
            std::vector<std::string> pack = pack_;
            Random random = games::stream(seed, number, games::Purpose::Play);
            std::vector<std::size_t> places;
            for (int order = 0; order < 2; ++order) {
                shuffle(pack, random);
                deal(position, pack, seed, number);
                std::vector<std::size_t> found;
                for (const std::string& card : cards_of(position.tree(), hand_))
                    found.push_back(
                        static_cast<std::size_t>(std::ranges::find(pack, card) - pack.begin()));
                std::ranges::sort(found);
                if (found.size() != size || (order > 0 && found != places)) return false;
                places = found;
            }
            if (number == 0) places_ = places;
        }
        return true;
    }

    // A deal in which the seat has these cards of the pack and the others lie in any order.
    Document example(const std::vector<std::size_t>& chosen, const AskedDeals& asked) const {
        std::vector<std::string> held;
        std::vector<std::string> others;
        for (std::size_t i = 0; i < pack_.size(); ++i)
            (std::ranges::binary_search(chosen, i) ? held : others).push_back(pack_[i]);
        Random random(asked.seed);
        shuffle(held, random);
        shuffle(others, random);
        std::vector<std::string> pack(pack_.size());
        for (std::size_t i = 0; i < pack.size(); ++i) {
            auto& from = std::ranges::binary_search(places_, i) ? held : others;
            pack[i] = std::move(from.back());
            from.pop_back();
        }
        RulesetPosition position(*fixed_);
        deal(position, pack, asked.seed, 0);
        return position.state();
    }

    std::shared_ptr<const RulesetGame> fixed_; // its initial state has a pack
    Hand hand_;
    std::vector<std::string> pack_;
    std::vector<std::size_t> places_; // in the pack, of deal 0
};

CountedDeals try_deals(const AskedDeals& asked, const RulesetGame& game, const HostServices& host) {
    CountedDeals counted;
    Asker asker(game);
    RulesetPosition position(game);
    for (; counted.of < asked.deals; ++counted.of) {
        if (counted.of % kBetweenLooks == 0 && CountableHand::looked(host, counted, asked.deals))
            break;
        Random random = games::stream(asked.seed, counted.of, games::Purpose::Deal);
        position.start(random);
        if (position.ending() == games::Ending::Aborted)
            throw UserError(fmt::format("deal {} of seed {} is aborted: {}", counted.of, asked.seed,
                                        position.fault().what));
        if (asker.holds(position.tree(), random) && counted.found++ < asked.keep)
            counted.examples.push_back(position.state());
    }
    return counted;
}

} // namespace

CountedDeals::Chance CountedDeals::chance() const {
    const auto n = static_cast<double>(of);
    const auto k = static_cast<double>(found);
    const double rate = of == 0 ? 0 : k / n;
    if (!hand.empty() || of == 0) return {rate, rate, hand.empty() ? 1 : rate};
    constexpr double kTail = (1 - results::kConfidence) / 2;
    // With none found all of the error is on one side.
    const double upper = found == 0 ? 2 * kTail : kTail;
    return {rate, found == 0 ? 0 : results::beta_quantile(kTail, k, n - k + 1),
            found == of ? 1 : results::beta_quantile(1 - upper, k + 1, n - k)};
}

CountedDeals count_deals(const AskedDeals& asked, const HostServices& host) {
    const Document condition = read_condition(asked.where, host);
    const auto game = open_with(asked, {}, host);
    if (const auto hand = CountableHand::find(asked, condition, *game, host))
        return hand->count(asked, host);
    return try_deals(asked, *game, host);
}

} // namespace croupier::tournaments
