// Plants wrong rules into a copy of the games and runs the tests there: each must be noticed. The
// playthroughs would notice most of them as well, but they only compare with earlier play; these
// tests know what is right.
#include "engine/api/text.h"
#include "games/testing/testing.h"

#include <gtest/gtest.h>

#include <array>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <span>
#include <string_view>

#include <unistd.h>

namespace croupier::games {

// Plausible wrong rules, which the tests of games must notice.

struct Mistake {
    std::string_view name;
    std::string_view
        test; // which program notices it: "belote", "coinche", "tarot", "oldmaid", "whist"
    std::string_view file;  // below games/
    std::string_view right; // must occur; the first occurrence is changed
    std::string_view wrong;
};

std::span<const Mistake> mistakes();

// The list of wrong rules. If an added one passes, write a test that notices it.

namespace {

constexpr std::string_view kMatch = "belote/parts/match.json";
constexpr std::string_view kSettle = "belote/parts/settle.json";
constexpr std::string_view kPlay = "belote/parts/play.json";
constexpr std::string_view kBidding = "belote/parts/bidding.json";
constexpr std::string_view kDeal = "belote/parts/deal.json";
constexpr std::string_view kAuction = "coinche/parts/auction.json";
constexpr std::string_view kCoinche = "coinche/parts/settle.json";
constexpr std::string_view kTarot = "tarot/rules.json";
constexpr std::string_view kTarotNext = "tarot/parts/next.json";
constexpr std::string_view kTarotCount = "tarot/parts/count.json";
constexpr std::string_view kTarotSettle = "tarot/parts/settle.json";
constexpr std::string_view kTarotDeal = "tarot/parts/deal.json";
constexpr std::string_view kOldMaid = "oldmaid/rules.json";
constexpr std::string_view kWhist = "whist/rules.json";

constexpr std::array kMistakes = {
    // From deal to deal.
    Mistake{"a match ends beyond the target alone", "belote", kMatch,
            "$X > options.target || $X == options.target && options.end_rule == 'reach'",
            "$X > options.target"},
    Mistake{"end_rule does not matter", "belote", kMatch,
            "$X > options.target || $X == options.target && options.end_rule == 'reach'",
            "$X >= options.target"},
    Mistake{"a side that is barred ends the match", "belote", kMatch,
            R"("@not": {"barred": {"$M": true}},)", ""},
    Mistake{"a side is barred without its belote", "belote", kMatch,
            R"("$X - $B < options.target")", R"("$X < options.target")"},
    Mistake{"a side is barred that was there before", "belote", kMatch,
            R"("_@only": "$X - $B < options.target")",
            R"("_@only": "$X - $B < 2 * options.target")"},
    Mistake{"a side stays barred for good", "belote", kMatch,
            R"("taken": {"$M": {"tricks": "> 0"}}})", R"("taken": {"$M": {"tricks": "> 7"}}})"},
    Mistake{"the dealer stays", "belote", kMatch, R"("action": {"dealer": "$E"})",
            R"("action": {"dealer": "$D"})"},
    Mistake{"hands are kept after a deal that all pass", "contract", kMatch,
            R"("else": {"deck": "@remove", "hands": "@remove"})", R"("else": {"deck": "@remove"})"},
    Mistake{"the deck is kept", "contract", kMatch,
            R"("else": {"deck": "@remove", "hands": "@remove"})",
            R"("else": {"hands": "@remove"})"},
    Mistake{"of equal sides one wins", "belote", kMatch, R"("total": {"$O": ">= $X"})",
            R"("total": {"$O": "> $X"})"},
    Mistake{"one deal too many", "belote", kMatch, R"("played": ">= options.deals")",
            R"("played": "> options.deals")"},
    Mistake{"the loser is first", "belote", kMatch, "$W == $M ? 1 : 2", "$W == $M ? 2 : 1"},
    Mistake{"cards are lost in gathering", "contract", kMatch, "($SIZE + $N + $CUT) % 32",
            "($N + $CUT) % 32"},
    Mistake{"the pack is cut too near its end", "belote", kMatch, "3 + random(27)", "random(32)"},
    Mistake{"the pack is not cut", "belote", kMatch, "3 + random(27)", "3 + 0 * random(27)"},
    Mistake{"belote is kept for the next deal", "contract", kMatch, R"("belote": "@remove", )", ""},
    Mistake{"announcements are kept for the next deal", "contract", kMatch,
            R"("announced": "@remove", )", ""},
    Mistake{"tricks are kept for the next deal", "contract", kMatch, R"("taken": "@remove", )", ""},
    Mistake{"what was said is kept for the next deal", "contract", kMatch,
            R"("declared": "@remove",)", ""},
    Mistake{"what was shown is kept for the next deal", "contract", kMatch,
            R"("shown": "@remove", )", ""},

    // Belote: the count.
    Mistake{"nothing for the last trick", "belote", kSettle, "$M == $L ? 10 : 0",
            "$M == $L ? 0 : 0"},
    Mistake{"the last trick is the other side's", "belote", kSettle, "$M == $L ? 10 : 0",
            "$M == $L ? 0 : 10"},
    Mistake{"all tricks are not paid", "belote", kSettle, R"({"base": "= options.capot_points"})",
            R"({"base": 162})"},
    Mistake{
        "belote is marked by the other side", "belote", kSettle,
        R"("belote": {"$M": "$X"}}, "action": {"count": {"$M": {"belote": "$X"}}})",
        R"("belote": {"$N": "$X"}, "opponents": {"$N": "$M"}}, "action": {"count": {"$M": {"belote": "$X"}}})"},
    Mistake{"all tricks leave the announcements", "belote", kSettle,
            "$TO = $N == 8 && options.capot_takes_annonces == 'yes' ? $O : $M",
            "$TO = $N == 9 ? $O : $M"},
    Mistake{"who fails loses his belote", "belote", kSettle,
            "options.belote_on_fail == 'kept' ? $B : 0",
            "options.belote_on_fail == 'kept' ? 0 : $B"},
    Mistake{"dedans without a trick is paid as any", "belote", kSettle,
            "$N == 8 ? options.capot_points : options.fail_points",
            "$N == 9 ? 0 : options.fail_points"},
    Mistake{"who fails keeps his announcements out of the count", "belote", kSettle,
            "$ALL + $X + $Y + $C + $B - $KEPT", "$ALL + 0 * $X + $Y + $C + $B - $KEPT"},
    Mistake{"the pool goes to the loser", "belote", kSettle, "$TO = $R == 'made' ? $A : $D",
            "$TO = $R == 'made' ? $D : $A"},
    Mistake{"the pool is paid again and again", "belote", kSettle,
            R"("marks": {"$TO": "$this + $X"}, "pool": "@remove")",
            R"("marks": {"$TO": "$this + $X"})"},
    Mistake{"a litige is marked at once and in the pool", "belote", kSettle,
            R"("left": "$X", "marks": {"$A": 0})", R"("left": "$X")"},
    Mistake{"5 is rounded down where it goes up", "belote", kSettle,
            "options.rounding == '5up' ? 5 : 4", "options.rounding == '5up' ? 4 : 5"},
    Mistake{"the attack needs no more than the defence", "belote", kSettle,
            "$X > $Y ? 'made' : $EVEN", "$X >= $Y ? 'made' : $EVEN"},
    Mistake{"all basis is cards", "belote", kSettle, "options.contract_basis == 'all' ? $Y : 0",
            "options.contract_basis == 'none' ? $Y : 0"},

    // Belote: dealing, trump.
    Mistake{"the first packet is that of the other way", "belote", kDeal,
            "options.packets == '3-2' ? 3 : 2", "options.packets == '3-2' ? 2 : 3"},
    Mistake{"both packets are exchanged", "belote", kDeal,
            "\"count\": \"options.packets == '3-2' ? 3 : 2\"\n                }\n            },\n"
            "            \"@call@2\": {\n                \"deal\": {\n                    "
            "\"from\": \"deck\", \"to\": "
            "\"hands\", \"start\": \"$FIRST\",\n                    \"count\": \"options.packets "
            "== '3-2' ? 2 : 3\"",
            "\"count\": \"options.packets == '3-2' ? 2 : 3\"\n                }\n            },\n"
            "            \"@call@2\": {\n                \"deal\": {\n                    "
            "\"from\": \"deck\", \"to\": "
            "\"hands\", \"start\": \"$FIRST\",\n                    \"count\": \"options.packets "
            "== '3-2' ? 3 : 2\""},
    Mistake{"the dealer is dealt to first", "belote", kDeal,
            R"({"dealer": "$D", "next": {"$D": "$FIRST"}})", R"({"dealer": "$FIRST"})"},
    Mistake{
        "the last card is turned up", "belote", kDeal,
        R"("condition": {"deck": {"20": "$C"}}, "action": {"turned": "$C", "deck": {"20": "@remove"}})",
        R"("condition": {"deck": {"31": "$C"}}, "action": {"turned": "$C", "deck": {"31": "@remove"}})"},
    Mistake{"a card too few is dealt", "contract", kBidding, R"("into": "< 8")",
            R"("into": "< 7")"},
    Mistake{"the card turned up goes to the first", "belote", kBidding,
            R"("hands": {"$TAKER": {"$C": true}})", R"("hands": {"$FIRST": {"$C": true}})"},
    Mistake{"the second deal begins on the other side", "belote", kBidding,
            "options.second_deal_start == 'taker' ? $TAKER : $FIRST",
            "options.second_deal_start == 'taker' ? $FIRST : $TAKER"},
    Mistake{"the suit turned up may be named", "belote", kBidding, R"("$S": "@remove", )", ""},
    Mistake{"who is forced may pass", "belote", kBidding, R"({"moves": {"pass": "@remove"}})",
            R"({"moves": {"pass": true}})"},
    Mistake{"the taker leads", "belote", kBidding,
            R"({"deck": "@remove", "turn": "$FIRST", "phase": "start"})",
            R"({"deck": "@remove", "turn": "$TAKER", "phase": "start"})"},

    // Belote: the table.
    Mistake{"belote wants the queen first", "belote", kPlay,
            R"("_": "options.belote_order == 'any' || $C == 'K' + $T", "@use@worth")",
            R"("_": "options.belote_order == 'any' || $C == 'Q' + $T", "@use@worth")"},
    Mistake{"a trump run counts as a plain one", "belote", kPlay, "($K == 'trump' ? 1 : 0)",
            "($K == 'trump' ? 0 : 0)"},
    Mistake{"a run is above a four", "belote", kPlay, "max($this, 1000 * $V + 500 + $H)",
            "max($this, 1000 * $V + $H)"},
    Mistake{"the last of equal announcements wins", "belote", kPlay,
            R"("worth": {"$P": "$X", "@not": {"$_": "> $X"}}, "_": "$X > 0",)",
            R"("worth": {"$P": "$X", "@not": {"$_": "< 0"}}, "_": "$X > 0",)"},
    Mistake{"the last trick is not remembered", "belote", "tricks/tricks.json",
            R"("last": "$M", "turn": "$W",)", R"("last": "AC", "turn": "$W",)"},
    Mistake{"the winner does not lead", "belote", "tricks/tricks.json",
            R"("last": "$M", "turn": "$W",)", R"("last": "$M",)"},

    // Coinche.
    Mistake{"a bid must be beaten, not reached", "coinche", kCoinche, "$X >= $NEED", "$X > $NEED"},
    Mistake{"surcoinche is four times", "coinche", kCoinche, "$N == 4 ? options.surcoinche : $N",
            "$N == 4 ? 4 : $N"},
    Mistake{"the attack does not mark its bid", "coinche", kCoinche,
            R"("marks": {"$A": "$this + $BID"})", R"("marks": {"$A": "$this"})"},
    Mistake{"a capot that was bid is paid twice", "coinche", kCoinche, "$this - $X + 500",
            "$this + 500"},
    Mistake{"100 for all tricks without a double", "coinche", kCoinche,
            "$M > 1 && $N == 8 ? 100 : 0", "$M >= 1 && $N == 8 ? 100 : 0"},
    Mistake{"all tricks need not be one's own for generale", "coinche", kCoinche,
            R"("helped": true},
        "action": {"result": "failed"})",
            R"("helped": true},
        "action": {"result": "made"})"},
    Mistake{"all trump is converted as 152", "coinche", kCoinche, "round($X * 162 / 258)",
            "round($X * 152 / 258)"},
    Mistake{"a capot that fails counts as one", "coinche", kCoinche,
            "options.capot_fail_base == 'capot'", "options.capot_fail_base != 'none'"},
    Mistake{"belote is doubled", "coinche", kCoinche, "$S + $B + $C - $KEPT",
            "$S + 2 * $B + $C - $KEPT"},
    Mistake{"the loser's belote is kept where it is taken", "coinche", kCoinche,
            "options.belote_loser == 'kept' ? $C : 0", "options.belote_loser != 'none' ? $C : 0"},
    Mistake{"all tricks are no contract of capot", "coinche", kCoinche,
            R"("action": {"result": "$N == 8 ? 'made' : 'failed'"})",
            R"("action": {"result": "$N >= 7 ? 'made' : 'failed'"})"},
    Mistake{"80 is made with 80 where it needs 82", "coinche", kCoinche,
            "$BID == 80 && options.eighty_needs_82 == 'yes' ? 82 : $BID", "$BID"},
    Mistake{"the auction ends after two passes", "coinche", kAuction,
            R"("waits": "= options.self_raise_other_suit == 'yes' ? 4 : 3"
                    }
                },
                {
                    "name": "bid-value")",
            R"("waits": "= options.self_raise_other_suit == 'yes' ? 4 : 2"
                    }
                },
                {
                    "name": "bid-value")"},
    Mistake{"after coinche one pass ends it", "coinche", kAuction,
            "= options.coinche_freezes == 'yes' ? 2 : 3",
            "= options.coinche_freezes == 'yes' ? 1 : 3"},
    Mistake{"partners double each other", "coinche", kAuction,
            R"("contract": {"team": "!= $M", "double": 1, "value": "$V"})",
            R"("contract": {"double": 1, "value": "$V"})"},
    Mistake{"the bidder leads", "coinche", kAuction, "options.generale_leads == 'bidder'", "true"},
    Mistake{"the last packet is short", "contract", "coinche/parts/deal.json",
            "options.packets == '3-3-2' ? 2 : 3", "options.packets == '3-3-2' ? 3 : 2"},
    Mistake{"the contract is kept for the next deal", "contract", "coinche/rules.json",
            R"("contract": "@remove", "kind": "@remove",)", R"("kind": "@remove",)"},
    Mistake{"a generale is forgiven for good", "coinche", "coinche/rules.json",
            R"("helped": "@remove", )", ""},

    // Tarot.
    Mistake{"the dog of a garde contre is the attack's", "tarot", kTarotCount,
            "$NAME == 'garde-contre' ? 'defence' : 'attack'",
            "$NAME == 'garde-contre' ? 'attack' : 'attack'"},
    Mistake{"the dog of a garde sans is the defence's", "tarot", kTarotCount,
            "$NAME == 'garde-contre' ? 'defence' : 'attack'",
            "$NAME == 'garde-contre' || $NAME == 'garde-sans' ? 'defence' : 'attack'"},
    Mistake{"bouts in the dog are nobody's", "tarot", kTarotCount, R"("bouts": "$this + $B")",
            R"("bouts": "$this + 0 * $B")"},
    Mistake{"what was put aside is not counted", "tarot", kTarotCount, "($A + $D) / 2",
            "(0 * $A + $D) / 2"},
    Mistake{"the petit is au bout one trick early", "tarot", kTarotCount, R"("petit_left": 0, )",
            R"("petit_left": 1, )"},
    Mistake{"the contract must be beaten, not reached", "tarot", kTarotSettle, "$GAP >= 0 ? 1 : -1",
            "$GAP > 0 ? 1 : -1"},
    Mistake{"the half point goes down", "tarot", kTarotSettle, "-floor(-abs($GAP))",
            "floor(abs($GAP))"},
    Mistake{"the base is 20", "tarot", kTarotSettle, "(25 + $SIZE)", "(20 + $SIZE)"},
    Mistake{"the petit is not multiplied", "tarot", kTarotSettle,
            "$S == 'attack' ? 10 * $MULT : -10 * $MULT", "$S == 'attack' ? 10 : 0 * $MULT - 10"},
    Mistake{"a slam that fails costs nothing", "tarot", kTarotSettle,
            R"("@not": {"slam": {"made": "attack"}}},
        "action": {"count": {"slam": "$this - 200"}})",
            R"("@not": {"slam": {"made": "attack"}}},
        "action": {"count": {"slam": "$this"}})"},
    Mistake{"the defence's slam is the attack's", "tarot", kTarotSettle,
            R"({"made": "defence"}},
        "action": {"count": {"slam": "$this - 200"}})",
            R"({"made": "defence"}},
        "action": {"count": {"slam": "$this + 200"}})"},
    Mistake{"a poignée is paid to who shows it", "tarot", kTarotSettle,
            "options.poignee_to == 'winner' ? $SIGN", "options.poignee_to == 'none' ? $SIGN"},
    Mistake{"the partner gets two parts", "tarot", kTarotSettle,
            R"("total": {"$P": "$this + $X", "$TAKER": "$this - $X"})",
            R"("total": {"$P": "$this + 2 * $X", "$TAKER": "$this - 2 * $X"})"},
    Mistake{"one deal too many", "tarot", kTarot, R"("played": ">= options.deals")",
            R"("played": "> options.deals")"},
    Mistake{"the dealer stays", "tarot", kTarotNext, R"("action": {"dealer": "$E"})",
            R"("action": {"dealer": "$D"})"},
    Mistake{"a slam is kept for the next deal", "contract", kTarotNext, R"("slam": "@remove", )",
            ""},
    Mistake{"poignées are kept for the next deal", "contract", kTarotNext,
            R"("poignees": "@remove", )", ""},
    Mistake{"the petit is kept for the next deal", "contract", kTarotNext,
            R"("petit": "@remove", )", ""},
    Mistake{"the petit's place is kept for the next deal", "contract", kTarotNext,
            R"("petit_left": "@remove", )", ""},
    Mistake{"who has shown a poignée shows none again", "contract", kTarotNext,
            R"("showed": "@remove", )", ""},
    Mistake{"a misère is kept for the next deal", "tarot", kTarotNext, R"("misere": "@remove",)",
            ""},
    Mistake{"tricks are kept for the next deal", "contract", kTarotNext, R"("taken": "@remove",)",
            ""},
    Mistake{"the dog is kept for the next deal", "contract", kTarotNext, R"("dog": "@remove", )",
            ""},
    Mistake{"what was put aside is kept for the next deal", "contract", kTarotNext,
            R"("aside": "@remove", )", ""},
    Mistake{"trumps put aside are kept for the next deal", "tarot", kTarotNext,
            R"("exposed": "@remove", )", ""},
    Mistake{"the Excuse does not save from petit sec", "tarot", kTarotDeal,
            R"({"T1": true, "EX": "@absent"})", R"({"T1": true})"},
    Mistake{"the dog is the top of the pack", "tarot", kTarot, "[3, 16, 29, 42, 55, 68]",
            "[0, 1, 2, 3, 4, 5]"},
    Mistake{"packets are of four", "tarot", kTarot, R"("packet": 3, "dog": 6, "tricks": 18)",
            R"("packet": 4, "dog": 6, "tricks": 18)"},
    Mistake{"the Excuse costs a point and a half", "tarot", kTarot,
            R"("$this + 4"}, "$T": {"points": "$this - 4"})",
            R"("$this + 3"}, "$T": {"points": "$this - 3"})"},
    Mistake{"kings may be put aside", "tarot", "tarot/parts/cards.json", R"("S13": true,
            "H1": true)",
            R"("S13": true, "S14": true,
            "H1": true)"},
    Mistake{"two bouts need 40", "tarot", "tarot/parts/cards.json", R"("2": 41)", R"("2": 40)"},

    // Old Maid and whist.
    Mistake{"who lays down the last pair is out second", "oldmaid", kOldMaid,
            R"(($P == $D) == (options)", R"(($P != $D) == (options)"},
    Mistake{"the dealer begins", "oldmaid", kOldMaid,
            R"("condition": {"dealer": "$D", "next": {"$D": "$F"}},
            "action": {"turn": "$F", "deck": "@remove"})",
            R"("condition": {"dealer": "$F"},
            "action": {"turn": "$F", "deck": "@remove"})"},
    Mistake{"the dealer is dealt to first", "oldmaid", kOldMaid,
            R"("condition": {"dealer": "$D", "next": {"$D": "$F"}}, "action": {"turn": "$F"})",
            R"("condition": {"dealer": "$F"}, "action": {"turn": "$F"})"},
    Mistake{"nobody passes for a drawer who is out", "oldmaid", kOldMaid,
            "options.skip_after_out == 'yes' && options.draw_from == 'previous'",
            "options.skip_after_out == 'no' && options.draw_from == 'previous'"},
    Mistake{"the loser is safe", "oldmaid", kOldMaid,
            R"({"score": {"$P": 0}, "place": {"$P": "$N"}})",
            R"({"score": {"$P": 1}, "place": {"$P": "$N"}})"},
    Mistake{"seven tricks are the book", "whist", kWhist, "max(0, $N - 6)", "max(0, $N - 7)"},
    Mistake{"the first card is turned up", "whist", kWhist, R"("deck": {"51": "$C"})",
            R"("deck": {"0": "$C"})"},
    Mistake{"hands are dealt at once", "whist", kWhist, R"("repeat": 13,
                    "action": {
                        "@call": {"deal": {"from": "deck", "to": "hands", "count": 1,)",
            R"("repeat": 1,
                    "action": {
                        "@call": {"deal": {"from": "deck", "to": "hands", "count": 13,)"},
    Mistake{"the dealer leads", "whist", kWhist, R"("phase": "play", "turn": "$FIRST",)",
            R"("phase": "play", "turn": "$D",)"},
};

} // namespace

std::span<const Mistake> mistakes() {
    return kMistakes;
}

namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::string program_of(std::string_view test) {
    return beside_this_program("games_" + std::string(test) + "_test") +
           (test == "contract" ? " '--gtest_filter=*every_card*'" : "");
}

// A copy of all rulesets, with at most one error in it.
class Copy {
  public:
    // Tests may run concurrently.
    Copy()
        : folder_(fs::path(testing::TempDir()) /
                  ("croupier_mistakes_" + std::to_string(getpid()))) {
        fs::remove_all(folder_);
        for (const auto& entry : fs::recursive_directory_iterator("games")) {
            if (entry.path().extension() != ".json") continue;
            fs::create_directories((folder_ / entry.path()).parent_path());
            fs::copy_file(entry.path(), folder_ / entry.path());
        }
    }
    ~Copy() {
        std::error_code ignored;
        fs::remove_all(folder_, ignored);
    }
    Copy(const Copy&) = delete;
    Copy& operator=(const Copy&) = delete;

    // False if the text to change is missing.
    [[nodiscard]] bool plant(const Mistake& mistake) const {
        std::string text = read(fs::path("games") / mistake.file);
        const std::size_t at = text.find(mistake.right);
        if (at == std::string::npos) return false;
        text.replace(at, mistake.right.size(), mistake.wrong);
        write(mistake, text);
        return true;
    }
    // Load errors of the games: an error that prevents loading shows nothing.
    [[nodiscard]] std::string problems() const {
        std::string text;
        const Registry registry((folder_ / "games").string(), test_opener());
        for (const char* name : {"belote", "coinche", "tarot", "tarot:five", "oldmaid", "whist"}) {
            const OpenedGame opened = registry.open(parse_game_name(name));
            for (const engine::Diagnostic& each : opened.diagnostics.sorted())
                if (each.severity == engine::Severity::Error)
                    text += engine::format(each, opened.sources);
        }
        return text;
    }
    // Whether the test program fails, or the game's own test files do.
    [[nodiscard]] bool fails(std::string_view test) const {
        if (!is_good(program_of(test) + " --gtest_fail_fast --gtest_brief=1")) return true;
        const std::string game = "games/" + std::string(test);
        return fs::exists(folder_ / game / "tests") &&
               !is_good(beside_this_program("../croupier") + " test " + game +
                        " --include-from games");
    }

  private:
    [[nodiscard]] bool is_good(const std::string& program) const {
        const std::string command =
            "cd '" + folder_.string() + "' && " + program + " >/dev/null 2>&1";
        return std::system(command.c_str()) == 0; // NOLINT: one test runs another
    }

    void write(const Mistake& mistake, const std::string& text) const {
        std::ofstream(folder_ / "games" / mistake.file, std::ios::binary) << text;
    }

    fs::path folder_;
};

TEST(mistakes, tests_are_good_without_them) {
    const Copy copy;
    std::set<std::string_view> tests;
    for (const Mistake& mistake : mistakes())
        tests.insert(mistake.test);
    for (const std::string_view test : tests)
        EXPECT_FALSE(copy.fails(test)) << test;
}

} // namespace

// The test library finds it by the namespace of Mistake.
static void PrintTo(const Mistake& mistake, std::ostream* out) {
    *out << mistake.file;
}

namespace {

class OneMistake : public testing::TestWithParam<Mistake> {};

TEST_P(OneMistake, is_noticed) {
    const Mistake& mistake = GetParam();
    const Copy copy;
    ASSERT_TRUE(copy.plant(mistake)) << mistake.file << " has changed";
    ASSERT_EQ(copy.problems(), "");
    EXPECT_TRUE(copy.fails(mistake.test)) << mistake.test << ": " << mistake.name;
}

INSTANTIATE_TEST_SUITE_P(mistakes, OneMistake, testing::ValuesIn(mistakes()), [](const auto& each) {
    std::string name = std::to_string(each.index) + "_" + std::string(each.param.test) + "_";
    for (const char c : each.param.name)
        name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    return name;
});

} // namespace

} // namespace croupier::games
