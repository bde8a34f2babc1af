// Coinche as plain C++, written from the rules of the game, not from the ruleset: the auction, the
// play without a trump suit, the count. The parts shared with belote use belote's plain code.
#pragma once

#include "games/testing/belote.h"

#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace croupier::plain {

// An option and its values, the default first.
struct Choice {
    std::string name;
    std::vector<std::string> values;
};

// The rules that differ between tables.
const std::vector<Choice>& coinche_choices();

class CoincheOptions {
  public:
    void set(const std::string& name, const std::string& value) { chosen_[name] = value; }
    [[nodiscard]] std::string text(const std::string& name) const;
    [[nodiscard]] int number(const std::string& name) const { return std::stoi(text(name)); }
    [[nodiscard]] bool yes(const std::string& name) const { return text(name) == "yes"; }
    [[nodiscard]] const std::map<std::string, std::string>& chosen() const { return chosen_; }

  private:
    std::map<std::string, std::string> chosen_;
};

struct Contract {
    int value = 0; // 0 before the first bid
    std::string denomination;
    int by = 0;
    int times = 1; // 2: coinche, 4: surcoinche
};

// A finished deal; teams are 0 and 1.
struct PlayedCoinche {
    Contract contract;
    int last = 0;
    std::array<int, 2> points{}; // of cards, without the last trick's bonus
    std::array<int, 2> tricks{};
    std::array<int, 2> belote{};
    std::array<int, 2> announced{};
    bool alone = true; // the bidder won every trick of that side
};

bool is_made(const PlayedCoinche& deal, const CoincheOptions& options);
std::array<int, 2> coinche_marks(const PlayedCoinche& deal, const CoincheOptions& options);

// One deal, from the first call to the last card.
class CoincheDeal {
  public:
    CoincheDeal(const CoincheOptions& options, int dealer,
                const std::array<std::vector<Card>, 4>& hands);

    [[nodiscard]] bool over() const { return over_; }
    [[nodiscard]] bool bidding() const { return bidding_; }
    [[nodiscard]] bool passed_out() const { return over_ && played_.contract.value == 0; }
    [[nodiscard]] int turn() const { return bidding_ ? speaker_ : position_.turn; }
    [[nodiscard]] std::set<std::string> legal() const;
    void play(const std::string& move);
    [[nodiscard]] const PlayedCoinche& played() const { return played_; }

  private:
    [[nodiscard]] std::set<std::string> legal_calls() const;
    [[nodiscard]] bool may_be_doubled() const;
    void add_bids(std::set<std::string>& calls) const;
    void call(const std::string& word);
    void bid(const std::string& word);
    void pass();
    void begin_play();
    [[nodiscard]] std::vector<Card> legal_cards() const;
    void play_card(const Card& card);
    void take_trick(const std::vector<Played>& trick);
    [[nodiscard]] int points_of(const Card& card) const;

    CoincheOptions options_;
    int dealer_;
    bool bidding_ = true;
    bool over_ = false;
    int speaker_;
    int passes_ = 0;        // in a row
    int asked_before_ = -1; // who speaks after the opponent who was asked out of turn
    Position position_;
    std::vector<Played> trick_; // including its last card
    PlayedCoinche played_;
};

} // namespace croupier::plain
