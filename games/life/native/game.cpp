// Boards and kernels behind the contract of games.
#include "games/life/native/game.h"

#include "games/life/native/kernel.h"
#include "games/life/native/material.h"
#include "games/life/native/mirror.h"
#include "games/ruleset/codes.h"
#include "games/ruleset/ruleset_game.h"

#include <algorithm>
#include <cassert>

namespace croupier::games::life {
namespace {

using engine::Diagnostics;
using engine::Document;
namespace json = engine::json;

constexpr Move kPass = kCells; // the moves are the cells in their order, then the pass

class LifeEvaluation : public Evaluation {
  public:
    [[nodiscard]] double worth(const Position& position, Seat seat) const override;
    [[nodiscard]] std::optional<double> best_worth(const Position& position) const override;
    [[nodiscard]] std::optional<std::size_t> best_move(const Position& position,
                                                       Random& choices) const override;
};

class LifeGame : public Game {
  public:
    explicit LifeGame(std::shared_ptr<const RulesetGame> in_place_of)
        : ruleset_(std::move(in_place_of)), facts_(ruleset_->facts()) {
        assert(facts_.moves.size() == kCells + 1 && facts_.max_plies > 0);
    }

    [[nodiscard]] const Facts& facts() const override { return facts_; }
    [[nodiscard]] std::unique_ptr<Position> new_position() const override;
    [[nodiscard]] const Evaluation* evaluation() const override { return &evaluation_; }
    [[nodiscard]] const RulesetGame* ruleset_game() const override { return ruleset_.get(); }

  private:
    std::shared_ptr<const RulesetGame> ruleset_;
    Facts facts_;
    LifeEvaluation evaluation_;
};

// All that a position is. Small and flat: a copy is a few registers.
struct Now {
    Board board;
    CellSet legal;
    std::uint32_t move_count = 0;
    std::uint32_t plies = 0;
    Colour turn = Colour::Black;
    games::Ending ending = games::Ending::None;
    bool over = false;
    bool scored = false;
};

std::string_view name_of(Colour colour) {
    return colour == Colour::Black ? "B" : "W";
}

// The colour that a state names at that place; else a diagnostic.
std::optional<Colour> read_colour(const Document& document, Diagnostics& diagnostics) {
    if (document.is_string() && document.text() == "B") return Colour::Black;
    if (document.is_string() && document.text() == "W") return Colour::White;
    diagnostics.error(code::kUnknownNode, document.span, "expected a player, \"B\" or \"W\"");
    return std::nullopt;
}

bool read_truth(const Document& document, Diagnostics& diagnostics) {
    const bool* const truth = std::get_if<bool>(&document.scalar);
    if (document.kind != Document::Kind::Scalar || truth == nullptr)
        diagnostics.error(code::kUnknownNode, document.span, "expected true or false");
    return truth != nullptr && *truth;
}

void read_board(const Document& document, Board& board, Diagnostics& diagnostics) {
    if (!document.is_object()) {
        diagnostics.error(code::kUnknownNode, document.span,
                          "expected the board as an object of cells, {\"a1\": \"B\", ..}");
        return;
    }
    for (const engine::Member& member : document.members) {
        const std::optional<Cell> cell = Cell::named(member.key);
        if (!cell) {
            diagnostics.error(code::kUnknownNode, member.key_span, "there is no cell " + member.key,
                              "cells are a1 to s19");
        } else if (const auto colour = read_colour(member.value, diagnostics)) {
            board.put(*cell, *colour);
        }
    }
}

class LifePosition : public Position {
  public:
    explicit LifePosition(const LifeGame& game) : game_(game), kernel_(fastest_kernel()) {}

    [[nodiscard]] const Game& game() const override { return game_; }

    void start(Random&) override {
        now_ = {};
        now_.board = Board::start();
        settle();
    }

    void play(Move move, Random&) override {
        assert(now_.ending == games::Ending::None);
        if (move != kPass) {
            assert(now_.legal.contains(Cell(static_cast<int>(move))));
            now_.board.put(Cell(static_cast<int>(move)), now_.turn);
        }
        kernel_.tick(now_.board, now_.board);
        after_moves(1);
    }

    void play_randomly(Random& choices, Random&) override {
        if (now_.ending != games::Ending::None) return;
        const int left = static_cast<int>(game_.facts().max_plies - now_.plies);
        const Outcome outcome = kernel_.play_random(now_.board, now_.turn, left, choices);
        after_moves(static_cast<std::uint32_t>(outcome.plies));
    }

    [[nodiscard]] games::Ending ending() const override { return now_.ending; }
    [[nodiscard]] const Fault& fault() const override { return fault_; }
    [[nodiscard]] std::uint32_t plies() const override { return now_.plies; }
    [[nodiscard]] Seat turn() const override { return static_cast<Seat>(now_.turn); }

    [[nodiscard]] std::size_t move_count() const override { return now_.move_count; }
    [[nodiscard]] Move move(std::size_t i) const override {
        assert(i < now_.move_count);
        if (now_.legal.empty()) return kPass;
        return static_cast<Move>(now_.legal.nth(static_cast<int>(i)).index());
    }
    [[nodiscard]] std::string_view text(Move move) const override {
        return game_.facts().moves[move];
    }
    [[nodiscard]] std::optional<Move> find_move(std::string_view text) const override {
        if (const auto cell = Cell::named(text); cell && now_.legal.contains(*cell)) {
            return static_cast<Move>(cell->index());
        }
        if (text == "pass" && now_.move_count == 1 && now_.legal.empty()) return kPass;
        return std::nullopt;
    }

    [[nodiscard]] double score(Seat seat) const override {
        if (!now_.scored) return 0;
        const bool own = !now_.board.stones[seat].empty();
        const bool others = !now_.board.stones[1 - seat].empty();
        return own == others ? 0.5 : own ? 1 : 0;
    }
    [[nodiscard]] std::uint32_t place(Seat seat) const override {
        return score(seat) < score(1 - seat) ? 2 : 1;
    }

    void copy_from(const Position& other) override { now_ = same_kind(other).now_; }
    void view_from(const Position& other, Seat) override { copy_from(other); }

    [[nodiscard]] std::uint64_t hash() const override {
        Random chain(2 * static_cast<std::uint64_t>(now_.turn) + (now_.over ? 1 : 0));
        for (const CellSet& set : now_.board.stones) {
            for (const std::uint64_t word : set.words()) {
                chain = chain.stream(word);
            }
        }
        return chain.next();
    }

    [[nodiscard]] Document state() const override {
        Document board = json::object();
        for (int index = 0; index < kCells; ++index) {
            if (const auto stone = now_.board.at(Cell(index)))
                json::add(board, Cell(index).name(), json::text(name_of(*stone)));
        }
        Document state = json::object();
        json::add(state, "board", std::move(board));
        json::add(state, "turn", json::text(name_of(now_.turn)));
        if (now_.over) json::add(state, "over", json::boolean(true));
        if (now_.scored) {
            Document scores = json::object();
            for (const Seat seat : {0U, 1U}) {
                const double points = score(seat);
                json::add(scores, game_.facts().players[seat],
                          points == 0.5 ? json::scalar(points)
                                        : json::integer(static_cast<int>(points)));
            }
            json::add(state, "score", std::move(scores));
        }
        return state;
    }

    [[nodiscard]] const engine::State* ruleset_state() const override {
        if (now_.ending != games::Ending::None) return nullptr;
        if (mirror_ == nullptr) mirror_ = std::make_unique<Mirror>(*game_.ruleset_game());
        return &mirror_->show(now_.board, now_.turn, now_.legal);
    }

    bool load(const Document& over, Random&, Diagnostics& diagnostics) override {
        now_ = {};
        if (!over.is_object()) {
            diagnostics.error(code::kUnknownNode, over.span, "a state is an object",
                              "put the state's nodes into { }");
            return false;
        }
        for (const engine::Member& member : over.members) {
            if (member.key == "board") {
                read_board(member.value, now_.board, diagnostics);
            } else if (member.key == "turn") {
                if (const auto turn = read_colour(member.value, diagnostics)) now_.turn = *turn;
            } else if (member.key == "over") {
                now_.over = read_truth(member.value, diagnostics);
            } else if (member.key == "score") { // which is computed again
                if (!member.value.is_object())
                    diagnostics.error(code::kUnknownNode, member.value.span,
                                      "expected the scores as an object of players");
            } else {
                const std::vector<std::string> known = {"board", "turn", "over", "score"};
                const auto meant = engine::nearest(member.key, known);
                diagnostics.error(code::kUnknownNode, member.key_span,
                                  "a state of life has no \"" + member.key + "\"",
                                  meant ? "did you mean \"" + *meant + "\"?"
                                        : "it has board, turn, over and score");
            }
        }
        return !diagnostics.has_errors();
    }
    void resume(Random&) override { settle(); }
    void evaluate(Random&) override { now_.scored = true; }

    [[nodiscard]] const Now& now() const { return now_; }
    static const LifePosition& same_kind(const Position& other) {
        assert(dynamic_cast<const LifePosition*>(&other) != nullptr);
        return static_cast<const LifePosition&>(other);
    }

  private:
    // The moves are made and the board has ticked.
    void after_moves(std::uint32_t count) {
        now_.plies += count;
        if (count % 2 == 1) now_.turn = opponent(now_.turn);
        now_.over = now_.board.stones[0].empty() || now_.board.stones[1].empty();
        settle();
    }

    // The game is over, or these are the legal moves.
    void settle() {
        now_.legal = {};
        now_.move_count = 0;
        if (now_.over || now_.plies >= game_.facts().max_plies) {
            now_.ending = now_.over ? games::Ending::Over : games::Ending::Unfinished;
            now_.scored = true;
            return;
        }
        now_.legal = kernel_.legal_drops(now_.board);
        now_.move_count = std::max(1U, static_cast<std::uint32_t>(now_.legal.count()));
    }

    const LifeGame& game_;
    const Kernel& kernel_;
    Fault fault_; // never: nothing here can fail
    Now now_;
    mutable std::unique_ptr<Mirror> mirror_; // made when somebody first asks
};

double LifeEvaluation::worth(const Position& position, Seat seat) const {
    return Material::lead(LifePosition::same_kind(position).now().board, static_cast<Colour>(seat));
}

std::optional<double> LifeEvaluation::best_worth(const Position& position) const {
    const Now& now = LifePosition::same_kind(position).now();
    if (now.legal.empty()) return {};
    return Material::best(fastest_kernel(), now.board, now.turn, now.legal).worth;
}

std::optional<std::size_t> LifeEvaluation::best_move(const Position& position,
                                                     Random& choices) const {
    const Now& now = LifePosition::same_kind(position).now();
    if (now.legal.empty()) return {};
    const CellSet best = Material::best(fastest_kernel(), now.board, now.turn, now.legal).cells;
    const Cell cell = best.nth(static_cast<int>(choices.below(best.count())));
    return now.legal.rank(cell);
}

std::unique_ptr<Position> LifeGame::new_position() const {
    return std::make_unique<LifePosition>(*this);
}

} // namespace

std::shared_ptr<const Game> make_native_life(std::shared_ptr<const RulesetGame> in_place_of) {
    return std::make_shared<LifeGame>(std::move(in_place_of));
}

} // namespace croupier::games::life
