// Random playouts of the playing phase of belote: the game's JSON rules against plain C++ and
// hand-written bit masks, with the same cards from the same deals.
#include "bench/belote_positions.h"
#include "bench/measure.h"
#include "bench/rules.h"
#include "engine/api/program.h"
#include "engine/api/random.h"
#include "engine/api/ruleset.h"
#include "engine/api/state.h"
#include "engine/api/text.h"
#include "games/ruleset/ruleset_game.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

namespace croupier::bench {
namespace {

using engine::NodeRef;
using engine::Random;
using engine::State;

constexpr int kDeals = 256;
constexpr int kPlies = 32;
constexpr std::uint64_t kSeed = 77;

// The choices of a deal: the k-th of n moves, in card order.
Random choices(std::size_t deal) {
    return Random(kSeed).stream(deal);
}

// The result of a deal.
struct Outcome {
    std::array<int, 2> points{};
    std::array<int, 2> tricks{};
    std::array<int, 2> belote{};
    int last = 0;

    friend bool operator==(const Outcome&, const Outcome&) = default;
};

// ---- plain -----------------------------------------------------------------------------------

class Plain {
  public:
    explicit Plain(int deals) {
        const std::vector<plain::Position> positions = belote_positions(deals, kSeed);
        for (std::size_t i = 0; i < positions.size(); i += kPlies) {
            plain::Position position = positions[i];
            for (std::vector<plain::Card>& hand : position.hands) {
                std::sort(hand.begin(), hand.end(), [](const auto& a, const auto& b) {
                    return 8 * a.suit + a.rank < 8 * b.suit + b.rank;
                });
            }
            deals_.push_back(position);
        }
    }
    [[nodiscard]] const std::vector<plain::Position>& deals() const { return deals_; }

    void play(std::size_t deal) {
        work_ = deals_[deal];
        Random random = choices(deal);
        while (!plain::is_over(work_)) {
            plain::legal_moves(work_, moves_);
            plain::play(work_, moves_[random.below(moves_.size())]);
        }
    }
    [[nodiscard]] Outcome outcome() const {
        return {work_.points, work_.tricks, work_.belote, work_.last};
    }

  private:
    std::vector<plain::Position> deals_;
    plain::Position work_;
    std::vector<plain::Card> moves_;
};

// The same with the usual signature: returns a new vector each time.
class PlainNewVector {
  public:
    explicit PlainNewVector(const std::vector<plain::Position>& deals) : deals_(deals) {}

    void play(std::size_t deal) {
        work_ = deals_[deal];
        Random random = choices(deal);
        while (!plain::is_over(work_)) {
            const std::vector<plain::Card> moves = plain::legal_moves(work_);
            plain::play(work_, moves[random.below(moves.size())]);
        }
    }
    [[nodiscard]] Outcome outcome() const {
        return {work_.points, work_.tricks, work_.belote, work_.last};
    }

  private:
    const std::vector<plain::Position>& deals_;
    plain::Position work_;
};

// ---- bit masks -------------------------------------------------------------------------------

class Bits {
  public:
    explicit Bits(const std::vector<plain::Position>& deals) {
        for (const plain::Position& position : deals)
            deals_.push_back(to_bits(position));
    }

    void play(std::size_t deal) {
        work_ = deals_[deal];
        Random random = choices(deal);
        for (int ply = 0; ply < kPlies; ++ply) {
            std::uint32_t moves = bits::legal_moves(work_);
            for (auto k = random.below(static_cast<unsigned>(std::popcount(moves))); k > 0; --k)
                moves &= moves - 1;
            bits::play(work_, static_cast<std::uint32_t>(std::countr_zero(moves)));
        }
    }
    [[nodiscard]] Outcome outcome() const {
        Outcome outcome;
        for (const std::size_t team : {0, 1}) {
            outcome.points[team] = work_.points[team];
            outcome.tricks[team] = work_.tricks[team];
            outcome.belote[team] = work_.belote[team];
        }
        outcome.last = work_.last;
        return outcome;
    }

  private:
    std::vector<bits::Position> deals_;
    bits::Position work_;
};

// ---- the engine ------------------------------------------------------------------------------

template <Way way>
class Engine {
  public:
    explicit Engine(const std::vector<plain::Position>& deals)
        : rules_({"../../games/belote/contest.json"}, Layout::Declared, way),
          moves_(rules_.group("moves")), play_(rules_.group("play")), moves_key_(symbol("moves")),
          move_key_(symbol("move")), work_(rules_.program().catalogue().initial_state()) {
        const engine::GroupId derive = rules_.group("derive");
        for (const plain::Position& position : deals) {
            deals_.push_back(rules_.state(plain::position_json(position)));
            Rules::checked(rules_.run(derive, deals_.back()));
        }
    }

    void play(std::size_t deal) {
        work_ = deals_[deal];
        Random random = choices(deal);
        for (int ply = 0; ply < kPlies; ++ply) {
            if (const NodeRef before = work_.child(work_.root(), moves_key_)) work_.remove(before);
            benchmark::DoNotOptimize(rules_.run(moves_, work_).firings);
            const NodeRef moves = work_.child(work_.root(), moves_key_);
            NodeRef move = work_.first_child(moves);
            for (auto k = random.below(work_.child_count(moves)); k > 0; --k)
                move = work_.next_sibling(move);
            work_.set_child(work_.root(), move_key_, work_.key(move));
            benchmark::DoNotOptimize(rules_.run(play_, work_).firings);
        }
    }
    [[nodiscard]] Outcome outcome() const {
        Outcome outcome;
        for (const std::size_t team : {0, 1}) {
            const std::string name = team == 0 ? "AC" : "BD";
            outcome.points[team] = number({"taken", name, "points"});
            outcome.tricks[team] = number({"taken", name, "tricks"});
            outcome.belote[team] = number({"belote", name});
        }
        const NodeRef last = work_.child(work_.root(), symbol("last"));
        outcome.last = work_.value(last).symbol() == symbol("BD") ? 1 : 0;
        return outcome;
    }

  private:
    [[nodiscard]] engine::Symbol symbol(const std::string& text) const {
        return rules_.program().catalogue().symbols.find(text);
    }
    [[nodiscard]] int number(const std::vector<std::string>& path) const {
        NodeRef node = work_.root();
        for (const std::string& key : path)
            node = work_.child(node, symbol(key));
        return static_cast<int>(work_.value(node).integer);
    }

    Rules rules_;
    engine::GroupId moves_;
    engine::GroupId play_;
    engine::Symbol moves_key_;
    engine::Symbol move_key_;
    State work_;
    std::vector<State> deals_;
};

engine::FileText open_file(const std::string& path) {
    std::ifstream file(path);
    if (!file) return {{}, "cannot be opened"};
    return {std::string{std::istreambuf_iterator<char>(file), {}}, {}};
}

// The same as a game: what a tournament does, including the score.
class Game {
  public:
    explicit Game(const std::vector<plain::Position>& deals)
        : opened_(open()), work_(opened_.game->new_position()) {
        for (const plain::Position& position : deals) {
            deals_.push_back(opened_.game->new_position());
            engine::Diagnostics diagnostics;
            deals_.back()->load(parse(plain::position_json(position)), chance_, diagnostics);
            check(!diagnostics.has_errors(), "the position cannot be loaded");
            deals_.back()->resume(chance_);
        }
    }

    void play(std::size_t deal) {
        work_->copy_from(*deals_[deal]);
        Random random = choices(deal);
        work_->play_randomly(random, chance_);
    }
    [[nodiscard]] Outcome outcome() const {
        check(work_->ending() == games::Ending::Over, "the game is not over");
        const engine::Document state = work_->state();
        const auto number = [&state](const char* node, const char* team) {
            const engine::Document* below = &state.find(node)->value;
            return &below->find(team)->value;
        };
        const auto integer = [](const engine::Document& of) {
            return static_cast<int>(std::get<std::int64_t>(of.scalar));
        };
        Outcome outcome;
        for (const std::size_t team : {0, 1}) {
            const char* name = team == 0 ? "AC" : "BD";
            outcome.points[team] = integer(number("taken", name)->find("points")->value);
            outcome.tricks[team] = integer(number("taken", name)->find("tricks")->value);
            outcome.belote[team] = integer(*number("belote", name));
        }
        outcome.last = state.find("last")->value.text() == "BD" ? 1 : 0;
        return outcome;
    }

  private:
    static games::OpenedRuleset open() {
        games::OpenedRuleset opened =
            games::open_ruleset(in_tree("games/belote/contest.json"), open_file);
        check(opened.game != nullptr, "belote cannot be opened");
        return opened;
    }

    games::OpenedRuleset opened_;
    Random chance_{1};
    std::unique_ptr<games::Position> work_;
    std::vector<std::unique_ptr<games::Position>> deals_;
};

// ---- rows ------------------------------------------------------------------------------------

template <typename Player>
void playouts(benchmark::State& state) {
    Plain plain(kDeals);
    Player player(plain.deals());
    for (std::size_t deal = 0; deal < kDeals; ++deal) {
        plain.play(deal);
        player.play(deal);
        check(player.outcome() == plain.outcome(), "the same cards come to something else in " +
                                                       plain::position_json(plain.deals()[deal]));
    }
    const auto pass = [](auto& of) {
        return [&of] {
            for (std::size_t deal = 0; deal < kDeals; ++deal) {
                of.play(deal);
                benchmark::DoNotOptimize(&of);
                benchmark::ClobberMemory();
            }
        };
    };
    measure(state, kDeals, pass(plain), pass(player));
    state.counters["deals_per_s"] = 1e9 / state.counters["ns"];
}

} // namespace

void add_playout_rows() {
    add_row("belote/playouts/rules", playouts<Engine<Way::MachineCode>>);
    add_row("belote/playouts/interpreted", playouts<Engine<Way::Interpreted>>);
    add_row("belote/playouts/game", playouts<Game>);
    add_row("belote/playouts/plain_new_vector", playouts<PlainNewVector>);
    add_row("belote/playouts/bit_masks", playouts<Bits>);
}

} // namespace croupier::bench
