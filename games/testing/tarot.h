// French Tarot as plain C++ (vectors, ifs, piles counted at the end), written from the rules of the
// game and not from the ruleset, to test the ruleset.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace croupier::tarot {

struct Card {
    char suit = 'E'; // S H D C, T for trumps, E for the Excuse
    int rank = 0;    // 1..14, trumps 1..21

    friend bool operator==(const Card&, const Card&) = default;
};

std::string name_of(const Card& card);
Card card_named(const std::string& name);
std::vector<Card> whole_pack();
int half_points(const Card& card);
bool is_bout(const Card& card);
bool holds(const std::vector<Card>& cards, const Card& card);
std::vector<Card> of_suit(const std::vector<Card>& cards, char suit);

// The rules that differ between tables; strings as in the ruleset.
struct Options {
    int players = 4;
    bool play_petit_sec = false;
    bool manual_poignee = false;
    bool poignee_to_shower = false;
    std::string excuse_last = "opponents";
    std::string excuse_slam = "attack";
    bool half_to_nobody = false;
    int misere = 0;
    bool called_suit_lead_free = false;
};

struct Sizes {
    int packet = 3;
    int dog = 6;
    int tricks = 18;
    std::array<int, 3> poignee{10, 13, 15};
};
Sizes sizes_of(int players);

// The results of a deal that its score depends on.
struct Outcome {
    std::string bid;
    int attack_halves = 0;
    int attack_bouts = 0;
    int petit = 0;             // 1: au bout for the attack, -1: for the defence
    std::vector<int> poignees; // 20, 30, 40; negative if the defence showed it
    bool announced = false;
    int slam = 0;    // 1: all tricks for the attack, -1: for the defence
    int miseres = 0; // of the attack, minus those of the defence
};

// What each defender pays.
int per_defender(const Outcome& outcome, const Options& options);

struct Trick {
    std::vector<std::pair<int, Card>> cards;
    int winner = -1;
};
// Its suit, that of its first card except the Excuse; 0 if there is none.
char led(const Trick& trick);
int highest(const Trick& trick, char suit);

class Deal {
  public:
    Deal(Options options, int dealer);
    // Deals from a pack, its first card first.
    void deal(const std::vector<Card>& pack);
    // Sets the hands as they are after the deal.
    void dealt(std::vector<std::vector<Card>> hands, std::vector<Card> dog);
    // An ending: the number of cards left to each player, and what the attack has taken before.
    struct Before {
        int halves = 0;
        int bouts = 0;
        int tricks = 0;
    };
    void ending(std::vector<std::vector<Card>> hands, int turn, int taker, const std::string& bid,
                std::optional<int> partner, const Before& before);

    [[nodiscard]] std::vector<std::string> moves() const;
    void play(const std::string& move);

    [[nodiscard]] bool over() const { return phase_ == Phase::Over; }
    [[nodiscard]] int turn() const { return turn_; }
    [[nodiscard]] bool is_void() const { return taker_ < 0; }
    [[nodiscard]] int taker() const { return taker_; }
    [[nodiscard]] std::optional<int> partner() const { return partner_; }
    [[nodiscard]] const std::vector<Trick>& tricks() const { return tricks_; }
    [[nodiscard]] const Outcome& outcome() const { return outcome_; }
    [[nodiscard]] std::vector<int> scores() const;

  private:
    enum class Phase { Bid, Call, Aside, Slam, Play, Over };
    using Cards = std::vector<Card>;

    Cards& hand(int seat) { return hands_[static_cast<std::size_t>(seat)]; }
    [[nodiscard]] const Cards& hand(int seat) const {
        return hands_[static_cast<std::size_t>(seat)];
    }
    [[nodiscard]] bool attacks(int seat) const { return seat == taker_ || seat == partner_; }
    [[nodiscard]] bool may_show(int seat) const;
    [[nodiscard]] int poignee_of(int seat) const;
    [[nodiscard]] Cards playable() const;
    [[nodiscard]] Cards discardable() const;
    [[nodiscard]] Cards callable() const;
    void bid(const std::string& move);
    void after_auction();
    void begin(bool announced);
    void show(int seat);
    void play_card(const Card& card);
    void end_trick();
    void count();
    void note_miseres();

    Options options_;
    Sizes sizes_;
    std::vector<Cards> hands_;
    Cards dog_;
    Cards aside_;
    int dealer_ = 0;
    int turn_ = 0;
    int spoken_ = 0;
    Phase phase_ = Phase::Bid;
    std::string bid_;
    int taker_ = -1;
    std::optional<Card> called_;
    std::optional<int> partner_;
    std::vector<Trick> tricks_;              // if started from an ending, only its own
    std::vector<bool> asked_;                // for a poignée
    std::vector<std::pair<int, int>> shown_; // the player, and how much it counts
    Before before_;
    Outcome outcome_;
};

} // namespace croupier::tarot
