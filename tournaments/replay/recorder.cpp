// The table plays as it always does; a listener keeps what it sees.
#include "tournaments/replay/recorder.h"

#include "results/store/rows.h"
#include "tournaments/replay/scene.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

namespace croupier::tournaments {
namespace {

using games::Position;
using results::Replay;
using results::ReplayFrame;

constexpr std::size_t kLinesAMove = 200; // of a log, which may have no end

class Lines : public engine::Log {
  public:
    void line(const std::string& text) override {
        if (lines.size() < kLinesAMove) lines.push_back(text);
    }
    std::vector<std::string> lines;
};

class FrameKeeper : public agents::Listener {
  public:
    FrameKeeper(const games::Game& game, std::size_t most, Lines& log, Replay& into)
        : maker_(game), players_(game.facts().players), most_(most), log_(log), into_(into) {
        into.columns = maker_.columns();
        into.rows = maker_.rows();
    }

    void begins(const Position& position) override {
        tally_.begins(position);
        keep(position);
    }
    void moves(const Position& before, games::Move move) override {
        tally_.moves(before, move);
        next_.player = players_[before.turn()];
        next_.move = before.text(move);
        next_.legal = before.move_count();
    }
    void moved(const Position& after) override { keep(after); }

    [[nodiscard]] std::uint64_t line() const { return tally_.line(); }

  private:
    void keep(const Position& position) {
        next_.log = std::exchange(log_.lines, {});
        ReplayFrame frame = std::exchange(next_, {});
        if (into_.frames.size() > most_) return; // the beginning is no move
        frame.scene = maker_.scene(position);
        into_.frames.push_back(std::move(frame));
    }

    SceneMaker maker_;
    const std::vector<std::string>& players_;
    std::size_t most_;
    Lines& log_;
    Replay& into_;
    MoveTally tally_;
    ReplayFrame next_;
};

// "over: A 162, place 1; B 0, place 2", as the run has recorded it.
std::string ending_of(const results::GameRecord& game, const std::vector<std::string>& players) {
    std::string text(results::name_of(game.end));
    if (!game.fault.empty()) text += ": " + game.fault;
    for (std::size_t seat = 0; seat < game.seats.size(); ++seat) {
        const results::SeatRecord& row = game.seats[seat];
        if (row.place == 0) continue;
        text += fmt::format("{} {} {:g}, place {}", seat == 0 ? ":" : ";", players[seat], row.score,
                            row.place);
        if (!row.role.empty()) text += fmt::format(" ({})", row.role);
    }
    return text;
}

} // namespace

Replay record_game(const ReplayRequest& request, const Block& block,
                   const results::GameRecord& recorded) {
    const games::Facts& facts = request.game.facts();
    Replay replay;
    replay.block = recorded.block;
    replay.game = recorded.game;
    replay.plies = recorded.plies;
    replay.ending = ending_of(recorded, facts.players);
    const auto seating = block.seating(recorded.game);
    std::vector<std::unique_ptr<agents::Agent>> owned;
    std::vector<agents::Agent*> seated;
    Lines log;
    for (games::Seat seat = 0; seat < facts.seats(); ++seat) {
        const std::string& name = request.agents[seating[seat]];
        replay.seats.push_back(fmt::format("{}: {}", facts.players[seat], name));
        owned.push_back(request.make(seating[seat]));
        if (!owned.back()->is_reproducible()) {
            replay.problem = fmt::format("{} plays by time, or by something outside: the same "
                                         "game cannot be had again",
                                         name);
            return replay;
        }
        owned.back()->set_log(&log);
        seated.push_back(owned.back().get());
    }
    agents::Table table(request.game);
    table.set_log(&log);
    FrameKeeper keeper(request.game, request.most_frames, log, replay);
    const Position& end = table.play(seated, {request.seed, block.deal, recorded.game}, &keeper);
    if (keeper.line() != recorded.line || end.plies() != recorded.plies) {
        replay.frames.clear();
        replay.problem = "played again, the game went another way: its rules, an agent or the "
                         "program have changed since";
    }
    return replay;
}

} // namespace croupier::tournaments
