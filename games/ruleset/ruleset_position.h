// A game of a ruleset in progress: a state, and the groups of the ruleset run on it.
#pragma once

#include "engine/api/program.h"
#include "engine/api/run.h"
#include "engine/api/state.h"
#include "engine/api/text.h"
#include "games/contract/game.h"
#include "games/ruleset/ruleset_game.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

namespace croupier::games {

// The legal moves of a position: a set of members of a domain, or a list.

// The k-th set bit of a word, from the lowest on; the word must have more than k.
std::uint32_t nth_bit(std::uint64_t word, std::uint32_t k);
std::uint32_t nth_by_counting(std::uint64_t word, std::uint32_t k); // the same on any processor
// A random set bit of a word that has one: the `random.below(..)`-th.
std::uint32_t pick_bit(std::uint64_t word, Random& random);

// A set is kept as bits; its moves are counted and found on demand, since most callers want only
// one of them. A list reuses its memory.
class MoveSet {
  public:
    // `words` of 64 members each; 0 for a list.
    explicit MoveSet(std::uint32_t words) : is_word_(words == 1), words_(words == 1 ? 0 : words) {}

    [[nodiscard]] std::size_t size() const { return is_word_ ? engine::count_rows(word_) : size_; }
    [[nodiscard]] bool empty() const { return is_word_ ? word_ == 0 : size_ == 0; }
    // In the order of the domain, or of the list.
    [[nodiscard]] Move at(std::size_t i) const {
        if (is_word_) return nth_bit(word_, static_cast<std::uint32_t>(i));
        return words_.empty() ? list_[i] : find(i);
    }
    // A random move, as `at(random.below(size()))`.
    [[nodiscard]] Move pick(Random& random) const {
        return is_word_ ? pick_bit(word_, random) : at(random.below(size_));
    }
    [[nodiscard]] bool is_word() const { return is_word_; }
    [[nodiscard]] std::uint64_t word() const { return word_; } // if it is one
    [[nodiscard]] bool contains(Move move) const;
    void list(std::vector<Move>& into) const;

    void clear() {
        word_ = 0;
        size_ = 0;
    }
    // Reads the members from the presence bits at that address.
    void read(const std::byte* bits) {
        if (is_word_)
            std::memcpy(&word_, bits, sizeof word_);
        else
            read_all(bits);
    }
    // Adds to a list.
    void add(Move move);
    // `other` must be of the same kind.
    void copy(const MoveSet& other);

  private:
    void read_all(const std::byte* bits);
    [[nodiscard]] Move find(std::size_t i) const;

    bool is_word_;                     // a set of one word
    std::uint64_t word_ = 0;           // that word
    std::size_t size_ = 0;             // of the other kinds
    std::vector<std::uint64_t> words_; // of a larger set; if empty, as last read
    std::vector<Move> list_;           // the moves, then spare room
};

// A ply: writes the chosen key to `move`, runs `play`, removes `move` and the old `moves`, then
// runs `moves`, or `score` if `over` has become true.
class RulesetPosition final : public Position {
  public:
    // The game must outlive it.
    explicit RulesetPosition(const RulesetGame& game);

    [[nodiscard]] const Game& game() const override { return game_; }

    void start(Random& deal) override;
    void play(Move move, Random& chance) override;
    void play_last(Move move, Random& chance) override;
    [[nodiscard]] Ending ending() const override { return ending_; }
    [[nodiscard]] const Fault& fault() const override { return fault_; }
    [[nodiscard]] std::uint32_t plies() const override { return plies_; }
    [[nodiscard]] Seat turn() const override { return turn_; }
    [[nodiscard]] std::size_t phase() const override;

    [[nodiscard]] std::size_t move_count() const override { return legal_.size(); }
    [[nodiscard]] Move move(std::size_t i) const override { return legal_.at(i); }
    void list_moves(std::vector<Move>& into) const override { legal_.list(into); }
    [[nodiscard]] std::string_view text(Move move) const override;
    [[nodiscard]] std::uint64_t fingerprint(Move move) const override;
    [[nodiscard]] bool is_secret() const override;

    [[nodiscard]] double score(Seat seat) const override { return results_[seat].score; }
    [[nodiscard]] std::uint32_t place(Seat seat) const override { return results_[seat].place; }
    [[nodiscard]] std::string role(Seat seat) const override;

    void copy_from(const Position& other) override;
    void view_from(const Position& other, Seat seat) override;
    [[nodiscard]] std::uint64_t hash() const override { return state_.hash(); }
    [[nodiscard]] std::uint64_t
    hash_without_gains(std::vector<std::int32_t>& gains) const override {
        return game_.solving().hash(state_, gains);
    }
    [[nodiscard]] std::uint32_t side(Seat seat) const override {
        return game_.solving().side(state_, seat);
    }

    [[nodiscard]] engine::Document state() const override;
    bool load(const engine::Document& over, Random& chance,
              engine::Diagnostics& diagnostics) override;
    void resume(Random& chance) override;
    void evaluate(Random& chance) override;

    void play_randomly(Random& choices, Random& chance) override;

    void set_watch(RuleWatch* watch) override { watch_ = watch; }
    void set_log(engine::Log* log) override;

    [[nodiscard]] const engine::State* ruleset_state() const override { return &state_; }
    // The state, for callers that add nodes of their own to it.
    [[nodiscard]] const engine::State& tree() const { return state_; }
    [[nodiscard]] engine::State& tree() { return state_; }

    // Puts an observer's document under `observer`, for its rules. False if the shape forbids it;
    // the game is then aborted.
    bool put_observer(const engine::Document& observer);
    // The observer's node; false if there is none.
    [[nodiscard]] engine::NodeRef observer() const { return find(game_.slots().observer); }
    void drop_observer() { drop(game_.slots().observer); }
    // Runs the group. False if its rules failed; the game is then aborted.
    bool consult(engine::GroupId group, Random& chance) { return run(group, chance); }
    // Recomputes derived nodes after the caller changed others. False if the rules failed; the game
    // is then aborted.
    bool derive(Random& chance) { return run(game_.groups().derive, chance); }
    // The same, but resets the game as after `load`.
    void begin_anew(Random& chance);

  private:
    struct Result {
        double score = 0;
        std::uint32_t place = 1;
    };

    void forget();
    // Runs a group, if the ruleset has it. False if it failed; the game is then aborted.
    [[gnu::always_inline]] bool run(engine::GroupId group, Random& chance) {
        if (group == engine::kNone) return true;
        if (machine_ == nullptr) make_machine();
        if (machine_->run(group, state_, chance, why_not_)) return true;
        return fail();
    }
    [[gnu::noinline]] void tell_watch(Phase phase, Seat seat, engine::GroupId group,
                                      const Random& chance);
    // The same, but informs the watch first.
    [[gnu::always_inline]] bool run_watched(Phase phase, Seat seat, engine::GroupId group,
                                            Random& chance) {
        if (watch_ != nullptr) tell_watch(phase, seat, group, chance);
        return run(group, chance);
    }
    [[gnu::always_inline]] bool make_move(Move move, Random& chance);
    [[gnu::always_inline]] bool find_turn();
    [[gnu::always_inline]] void ply(Move move, Random& chance);
    void play_words(Random& choices, Random& chance); // with instructions of newer processors
    [[gnu::noinline]] void settle(Random& chance);
    [[gnu::always_inline]] void go_on(Random& chance);
    [[gnu::always_inline]] void find_moves(Random& chance);
    [[gnu::noinline]] void take_listed_moves();
    void finish(Ending ending, Random& chance);
    void abort(std::string rule, std::string what, std::string place = {});
    void abort(const engine::RunError& error);
    [[gnu::noinline]] bool fail() {
        abort(*why_not_);
        return false;
    }
    [[gnu::noinline]] void abort_by(const char* what); // for errors outside rules
    void read_results();
    void rank();
    [[gnu::noinline]] bool put_any_move(Move move);
    void put_move(Move move);
    void drop(const RulesetGame::Slot& slot);
    [[gnu::always_inline]] void drop_move_and_moves();
    [[gnu::noinline]] void drop_undeclared(const RulesetGame::Slot& slot);
    [[nodiscard]] engine::Symbol symbol_of(Move move) const;
    [[nodiscard]] engine::NodeRef find(const RulesetGame::Slot& slot) const;
    [[nodiscard]] engine::Value value_of(const RulesetGame::Slot& slot) const;
    [[nodiscard]] bool is_true(const RulesetGame::Slot& slot) const;
    [[nodiscard]] std::uint8_t code_of(const RulesetGame::Slot& slot) const;
    [[nodiscard]] bool is_over() const;
    [[nodiscard]] Seat seat_at_turn() const;
    [[nodiscard, gnu::noinline]] Seat seat_named() const;
    [[gnu::noinline]] void make_machine();

    const RulesetGame& game_;
    engine::State state_;
    // Created when rules first run here: a position that is only stored, copied and read needs
    // none.
    std::unique_ptr<engine::Machine> machine_;
    engine::Log* log_ = nullptr;
    RuleWatch* watch_ = nullptr;
    MoveSet legal_;
    Seat turn_ = 0;
    Ending ending_ = Ending::None;
    std::uint32_t plies_ = 0;
    std::array<Result, kMaxPlayers> results_{};
    Fault fault_;
    std::unique_ptr<const engine::RunError> why_not_; // of the last failed run
};

} // namespace croupier::games
