// Random games of four board games that other general game players have: rules as an author writes
// them first, against plain C++ of the usual kind. Both choose the same moves.
#include "bench/measure.h"
#include "bench/rules.h"
#include "engine/api/random.h"
#include "games/contract/game.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace croupier::bench {
namespace {

using engine::Random;

constexpr std::uint64_t kSeed = 41;
constexpr std::uint64_t kGames = 64;
constexpr int kNobody = -1;

Random choices(std::uint64_t game) {
    return games::stream(kSeed, game, games::Purpose::Choice);
}

// ---- plain -----------------------------------------------------------------------------------

constexpr int kWays[8][2] = {{0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}};

// What all boards have: cells row by row, the player to move, 0 or 1, and how the game ended.
template <int kColumns, int kRows>
class Board {
  public:
    [[nodiscard]] bool over() const { return over_; }
    [[nodiscard]] int winner() const { return winner_; }

  protected:
    static constexpr int kCells = kColumns * kRows;

    void begin() {
        cells_.fill(kNobody);
        turn_ = 0;
        stones_ = 0;
        winner_ = kNobody;
        over_ = false;
    }
    // The cell beside it; kNobody beyond the edge.
    static int beside(int cell, const int (&way)[2]) {
        const int column = cell % kColumns + way[0];
        const int row = cell / kColumns + way[1];
        const bool there = column >= 0 && column < kColumns && row >= 0 && row < kRows;
        return there ? row * kColumns + column : kNobody;
    }
    [[nodiscard]] int at(int cell) const { return cells_[static_cast<std::size_t>(cell)]; }
    void put(int cell, int player) { cells_[static_cast<std::size_t>(cell)] = player; }

    // Puts a stone; a line of that many wins, and a full board ends the game.
    void put_in_line(int cell, int length) {
        put(cell, turn_);
        for (int way = 0; way < 4 && !over_; ++way) {
            int count = 1;
            for (const int side : {way, way + 4})
                for (int next = beside(cell, kWays[side]); next != kNobody && at(next) == turn_;
                     next = beside(next, kWays[side]))
                    ++count;
            if (count >= length) {
                winner_ = turn_;
                over_ = true;
            }
        }
        turn_ = 1 - turn_;
        over_ = over_ || ++stones_ == kCells;
    }
    void list_free(std::vector<int>& moves) const {
        for (int cell = 0; cell < kCells; ++cell)
            if (at(cell) == kNobody) moves.push_back(cell);
    }

    std::array<int, static_cast<std::size_t>(kCells)> cells_{};
    int turn_ = 0;
    int stones_ = 0; // put in lines
    int winner_ = kNobody;
    bool over_ = false;
};

struct TicTacToe : Board<3, 3> {
    using Board::begin;
    void list(std::vector<int>& moves) const { list_free(moves); }
    void play(int cell) { put_in_line(cell, 3); }
};

struct ConnectFour : Board<7, 6> {
    using Board::begin;
    void list(std::vector<int>& moves) const {
        for (int cell = 0; cell < kCells; ++cell)
            if (at(cell) == kNobody && (cell < 7 || at(cell - 7) != kNobody)) moves.push_back(cell);
    }
    void play(int cell) { put_in_line(cell, 4); }
};

struct Reversi : Board<8, 8> {
    void begin() {
        Board::begin();
        put(27, 1); // d4, e4, d5, e5
        put(28, 0);
        put(35, 0);
        put(36, 1);
        passed_ = false;
    }
    void list(std::vector<int>& moves) const {
        for (int cell = 0; cell < kCells; ++cell) {
            if (at(cell) != kNobody) continue;
            for (const auto& way : kWays) {
                if (flips(cell, way) == 0) continue;
                moves.push_back(cell);
                break;
            }
        }
        if (moves.empty()) moves.push_back(kCells); // pass
    }
    void play(int cell) {
        if (cell == kCells) {
            if (passed_) end();
            passed_ = true;
        } else {
            for (const auto& way : kWays) {
                int next = cell;
                for (int count = flips(cell, way); count > 0; --count)
                    put(next = beside(next, way), turn_);
            }
            put(cell, turn_);
            passed_ = false;
        }
        turn_ = 1 - turn_;
    }

  private:
    // The other's stones between the cell and one's own.
    [[nodiscard]] int flips(int cell, const int (&way)[2]) const {
        int count = 0;
        int next = beside(cell, way);
        for (; next != kNobody && at(next) == 1 - turn_; next = beside(next, way))
            ++count;
        return next != kNobody && at(next) == turn_ ? count : 0;
    }
    void end() {
        int lead = 0;
        for (int cell = 0; cell < kCells; ++cell)
            lead += at(cell) == 0 ? 1 : at(cell) == 1 ? -1 : 0;
        winner_ = lead > 0 ? 0 : lead < 0 ? 1 : kNobody;
        over_ = true;
    }

    bool passed_ = false;
};

struct Hex : Board<9, 9> {
    using Board::begin;
    void list(std::vector<int>& moves) const { list_free(moves); }
    // Fills the group of the stone.
    void play(int cell) {
        put(cell, turn_);
        std::array<bool, kCells> seen{};
        seen[static_cast<std::size_t>(cell)] = true;
        std::vector<int>& waiting = waiting_;
        waiting.assign(1, cell);
        bool begins = false;
        bool ends = false;
        while (!waiting.empty()) {
            const int stone = waiting.back();
            waiting.pop_back();
            const int place = turn_ == 0 ? stone % 9 : stone / 9;
            begins = begins || place == 0;
            ends = ends || place == 8;
            for (const auto& way : kNear) {
                const int next = beside(stone, way);
                if (next == kNobody || at(next) != turn_ || seen[static_cast<std::size_t>(next)])
                    continue;
                seen[static_cast<std::size_t>(next)] = true;
                waiting.push_back(next);
            }
        }
        if (begins && ends) {
            winner_ = turn_;
            over_ = true;
        }
        turn_ = 1 - turn_;
    }

  private:
    static constexpr int kNear[6][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}, {1, -1}, {-1, 1}};
    std::vector<int> waiting_;
};

template <typename Of>
class Plain {
  public:
    void play(std::uint64_t game) {
        board_.begin();
        Random pick = choices(game);
        for (plies_ = 0; !board_.over(); ++plies_) {
            moves_.clear();
            board_.list(moves_);
            board_.play(moves_[pick.below(moves_.size())]);
        }
    }
    [[nodiscard]] int winner() const { return board_.winner(); }
    [[nodiscard]] std::uint32_t plies() const { return plies_; }

  private:
    Of board_;
    std::vector<int> moves_;
    std::uint32_t plies_ = 0;
};

// ---- the rules -------------------------------------------------------------------------------

class ByRules {
  public:
    explicit ByRules(const std::string& path) : game_(open_game(path)) {}
    void play(std::uint64_t game) {
        Random chance = games::stream(kSeed, game, games::Purpose::Deal);
        position_->start(chance);
        Random pick = choices(game);
        position_->play_randomly(pick, chance);
    }
    [[nodiscard]] const games::Position& end() const { return *position_; }
    // -1 if both share the first place.
    [[nodiscard]] int winner() const {
        const bool first = position_->place(0) == 1;
        const bool second = position_->place(1) == 1;
        return first == second ? kNobody : first ? 0 : 1;
    }

  private:
    std::shared_ptr<const games::Game> game_;
    std::unique_ptr<games::Position> position_ = game_->new_position();
};

template <typename Of>
void add(const std::string& name, const std::string& path) {
    add_row("peers/" + name + "/rules", [path](benchmark::State& state) {
        Plain<Of> plain;
        ByRules rules(path);
        double plies = 0;
        for (std::uint64_t game = 0; game < kGames; ++game) {
            plain.play(game);
            rules.play(game);
            check(rules.end().ending() == games::Ending::Over, "a game is not over");
            check(rules.end().plies() == plain.plies() && rules.winner() == plain.winner(),
                  "random game " + std::to_string(game) + " differs");
            plies += plain.plies();
        }
        const auto pass = [](auto& of) {
            return [&of] {
                for (std::uint64_t game = 0; game < kGames; ++game) {
                    of.play(game);
                    benchmark::DoNotOptimize(&of);
                    benchmark::ClobberMemory();
                }
            };
        };
        measure(state, static_cast<std::int64_t>(kGames), pass(plain), pass(rules));
        state.counters["plies"] = plies / static_cast<double>(kGames);
        state.counters["games_per_s"] = 1e9 / state.counters["cpu_ns"];
    });
}

} // namespace

void add_peer_rows() {
    add<TicTacToe>("tic_tac_toe", "../bench/peers/tic_tac_toe.json");
    add<ConnectFour>("connect_four", "examples/connect_four.json");
    add<Reversi>("reversi", "../bench/peers/reversi.json");
    add<Hex>("hex", "../bench/peers/hex.json");
}

} // namespace croupier::bench
