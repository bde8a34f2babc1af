// Random games of Old Maid: rules that repeat and call for each draw, against plain C++ that uses
// chance in the same way.
#include "bench/measure.h"
#include "bench/rules.h"
#include "engine/api/random.h"
#include "games/contract/game.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace croupier::bench {
namespace {

using engine::Random;

constexpr std::uint64_t kSeed = 53;
constexpr std::uint64_t kDeals = 32;
constexpr std::size_t kSeats = 4;
constexpr int kCards = 53; // 13 * suit + rank, suits S H D C; then the joker
constexpr int kJoker = 52;

Random dealing(std::uint64_t deal) {
    return games::stream(kSeed, deal, games::Purpose::Deal);
}
Random chance_of(std::uint64_t deal) {
    return games::stream(kSeed, deal, games::Purpose::Play);
}
Random choices(std::uint64_t deal) {
    return games::stream(kSeed, deal, games::Purpose::Choice);
}

// ---- plain -----------------------------------------------------------------------------------

void shuffle(std::vector<int>& cards, Random& random) {
    for (std::size_t i = cards.size(); i > 1; --i)
        std::swap(cards[i - 1], cards[random.below(i)]);
}

bool are_pair(int one, int other) {
    return one != kJoker && other != kJoker && one % 13 == other % 13;
}

// Hands are sorted; places are 1 to 4.
class Plain {
  public:
    void play(std::uint64_t deal) {
        Random random = dealing(deal);
        begin(random);
        Random pick = choices(deal);
        Random chance = chance_of(deal);
        while (in_ > 1) {
            draw(pick);
            if (in_ > 1) hold_out(chance);
        }
        const auto last = static_cast<std::size_t>(std::find(places_.begin(), places_.end(), 0) -
                                                   places_.begin());
        places_[last] = static_cast<int>(kSeats);
    }
    [[nodiscard]] const std::array<int, kSeats>& places() const { return places_; }
    [[nodiscard]] std::uint32_t plies() const { return plies_; }

  private:
    [[nodiscard]] std::size_t next(std::size_t seat) const {
        do {
            seat = (seat + 1) % kSeats;
        } while (places_[seat] != 0);
        return seat;
    }

    void begin(Random& random) {
        row_.resize(kCards);
        for (int card = 0; card < kCards; ++card)
            row_[static_cast<std::size_t>(card)] = card;
        shuffle(row_, random);
        for (std::vector<int>& hand : hands_)
            hand.clear();
        for (std::size_t i = 0; i < row_.size(); ++i)
            hands_[(i + 1) % kSeats].push_back(row_[i]); // A is the dealer
        places_ = {};
        in_ = kSeats;
        plies_ = 0;
        for (std::vector<int>& hand : hands_) {
            std::sort(hand.begin(), hand.end());
            lay_down_all(hand);
        }
        // Players without a card share the first place.
        for (std::size_t seat = 0; seat < kSeats; ++seat) {
            if (hands_[seat].empty()) {
                places_[seat] = 1;
                --in_;
            }
        }
        turn_ = next(0);
        if (in_ > 1) hold_out(random);
    }

    // Among three equal cards the rules determine which one stays: they visit a pair's card of the
    // later suit first.
    static void lay_down_all(std::vector<int>& hand) {
        for (std::size_t i = 0; i < hand.size();) {
            const auto other = std::find_if(hand.begin(), hand.end(), [&](int card) {
                return card < hand[i] && are_pair(card, hand[i]);
            });
            if (other == hand.end()) {
                ++i;
                continue;
            }
            hand.erase(hand.begin() + static_cast<std::ptrdiff_t>(i));
            hand.erase(other);
            i = 0;
        }
    }

    void hold_out(Random& random) {
        row_ = hands_[next(turn_)];
        shuffle(row_, random);
    }

    void draw(Random& pick) {
        const std::size_t drawer = turn_;
        const std::size_t target = next(drawer);
        const int card = row_[pick.below(row_.size())];
        ++plies_;
        std::vector<int>& from = hands_[target];
        from.erase(std::find(from.begin(), from.end(), card));
        std::vector<int>& hand = hands_[drawer];
        const auto other = std::find_if(hand.begin(), hand.end(),
                                        [card](int held) { return are_pair(held, card); });
        if (other != hand.end())
            hand.erase(other);
        else
            hand.insert(std::upper_bound(hand.begin(), hand.end(), card), card);
        turn_ = target;
        leave(target);
        leave(drawer);
        if (in_ > 1 && places_[turn_] != 0) turn_ = next(turn_);
    }
    void leave(std::size_t seat) {
        if (!hands_[seat].empty()) return;
        places_[seat] = static_cast<int>(kSeats - in_) + 1;
        --in_;
    }

    std::array<std::vector<int>, kSeats> hands_;
    std::vector<int> row_;             // the pack, then the cards offered for drawing
    std::array<int, kSeats> places_{}; // 0 while playing
    std::size_t in_ = kSeats;
    std::size_t turn_ = 0;
    std::uint32_t plies_ = 0;
};

// ---- the ruleset -----------------------------------------------------------------------------

class Game {
  public:
    void play(std::uint64_t deal) {
        Random random = dealing(deal);
        position_->start(random);
        Random pick = choices(deal);
        Random chance = chance_of(deal);
        position_->play_randomly(pick, chance);
    }
    [[nodiscard]] const games::Position& position() const { return *position_; }

  private:
    std::shared_ptr<const games::Game> game_ = open_game("oldmaid/rules.json");
    std::unique_ptr<games::Position> position_ = game_->new_position();
};

void random_games(benchmark::State& state) {
    Plain plain;
    Game game;
    double plies = 0;
    for (std::uint64_t deal = 0; deal < kDeals; ++deal) {
        plain.play(deal);
        game.play(deal);
        const games::Position& end = game.position();
        check(end.ending() == games::Ending::Over, "a game is not over");
        bool same = end.plies() == plain.plies();
        for (std::size_t seat = 0; seat < kSeats; ++seat) {
            const auto place = static_cast<int>(end.place(static_cast<games::Seat>(seat)));
            same = same && place == plain.places()[seat];
        }
        check(same, "random game " + std::to_string(deal) + " differs");
        plies += plain.plies();
    }
    const auto pass = [](auto& of) {
        return [&of] {
            for (std::uint64_t deal = 0; deal < kDeals; ++deal) {
                of.play(deal);
                benchmark::DoNotOptimize(&of);
                benchmark::ClobberMemory();
            }
        };
    };
    measure(state, static_cast<std::int64_t>(kDeals), pass(plain), pass(game));
    state.counters["plies"] = plies / static_cast<double>(kDeals);
}

} // namespace

void add_oldmaid_rows() {
    add_row("oldmaid/random_games/game", random_games);
}

} // namespace croupier::bench
