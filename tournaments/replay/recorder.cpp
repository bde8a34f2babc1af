// Agents play as usual; a listener keeps what it sees.
#include "tournaments/replay/recorder.h"

#include "engine/api/explain.h"
#include "engine/api/run.h"
#include "engine/api/text.h"
#include "games/contract/game.h"
#include "games/drawing/drawer.h"
#include "games/drawing/text.h"
#include "results/store/games_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <memory>
#include <utility>

namespace croupier::tournaments {

namespace {

using games::DrawnBoard;
using games::DrawnCards;
using games::Look;
using games::Position;
using nlohmann::ordered_json;
using results::Replay;
using results::ReplayFrame;

constexpr std::size_t kLinesAMove = 200; // of a log, which may be endless
constexpr std::size_t kReasonsAMove = 12;
constexpr std::size_t kReasonBytes = 200;

// Limits reasons, to keep a page small.
std::vector<std::string> shortened(std::vector<std::string> reasons) {
    const std::size_t all = reasons.size();
    if (all > kReasonsAMove) reasons.resize(kReasonsAMove);
    for (std::string& reason : reasons)
        if (reason.size() > kReasonBytes) reason = engine::valid_utf8(reason, kReasonBytes) + " ..";
    if (all > kReasonsAMove) reasons.push_back(fmt::format("and {} more", all - kReasonsAMove));
    return reasons;
}

// Runs the rules of an agent that is about to choose on a copy of its state, and records the
// firings.
class Firings : public games::RuleWatch, private engine::Observer {
  public:
    void runs(const games::RuleRun& run) override {
        if (run.phase != games::Phase::Choose) return;
        fired_.clear();
        catalogue_ = &run.program.catalogue();
        engine::State state = run.state;
        engine::Random random = run.random;
        engine::Machine machine(run.program, run.budgets);
        machine.set_observer(this);
        machine.run(run.group, state, random);
    }
    // One line each for firings whose match contains the move; if there are none, for those that
    // contain no other move, since "take" may be written into a rule. Resets the list.
    std::vector<std::string> for_move(const Position& before, games::Move move) {
        std::vector<std::string> with;
        std::vector<std::string> without;
        for (const auto& [rule, values] : std::exchange(fired_, {})) {
            const auto has = [&values = values](const auto& wanted) {
                return std::any_of(values.begin(), values.end(), [&](const auto& each) {
                    const auto* const text = std::get_if<std::string>(&each.second);
                    return text != nullptr && wanted(*text);
                });
            };
            std::vector<std::string>* lines = nullptr;
            if (has([&](const std::string& text) { return text == before.text(move); }))
                lines = &with;
            else if (!has([&](const std::string& text) {
                         return before.find_move(text).has_value();
                     }))
                lines = &without;
            if (lines != nullptr)
                lines->push_back(values.empty()
                                     ? rule
                                     : fmt::format("{} with {}", rule, engine::to_text(values)));
        }
        return with.empty() ? without : with;
    }

  private:
    void rule_fires(engine::RuleId rule, std::span<const engine::Value> match,
                    const engine::State& state) override {
        constexpr std::size_t kMax = 10'000;
        const engine::RulePlan& plan = catalogue_->rules[rule];
        if (fired_.size() < kMax)
            fired_.emplace_back(plan.name, engine::named_values(plan, match, state));
    }

    const engine::Catalogue* catalogue_ = nullptr;
    std::vector<std::pair<std::string, engine::NamedValues>> fired_;
};

class FrameKeeper : public agents::Listener {
  public:
    FrameKeeper(const ReplayRequest& request, FirstLines& log, Firings& firings, Replay& into)
        : drawer_(request.game), players_(request.game.facts().players), request_(request),
          log_(log), firings_(firings), into_(into) {}

    void begins(const Position& position) override { keep(position); }
    void moves(const Position& before, games::Move move) override {
        next_.player = players_[before.turn()];
        next_.move = before.text(move);
        next_.legal = before.move_count();
        for (const std::string& firing : shortened(firings_.for_move(before, move)))
            log_.line("fired: " + firing);
    }
    void moved(const Position& after) override { keep(after); }

  private:
    void keep(const Position& position) {
        next_.log = std::exchange(log_.lines, {});
        ReplayFrame frame = std::exchange(next_, {});
        if (into_.frames.size() > request_.most_frames) return; // the first frame has no move
        const games::Drawing drawing = drawer_.draw(position);
        nlohmann::ordered_json scene = scene_json(drawing);
        scene["turn"] = drawing.turn ? nlohmann::ordered_json(players_[*drawing.turn]) : nullptr;
        frame.scene = scene.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
        if (request_.refusals && position.ending() == games::Ending::None)
            frame.refused = shortened(request_.refusals(position, drawing));
        into_.frames.push_back(std::move(frame));
    }

    games::Drawer drawer_;
    const std::vector<std::string>& players_;
    const ReplayRequest& request_;
    FirstLines& log_;
    Firings& firings_;
    Replay& into_;
    ReplayFrame next_;
};

// "over: A 162, place 1; B 0, place 2", from the run's record.
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

constexpr std::string_view kOtherWay =
    "played again, the game went another way: its rules, an agent "
    "or the program have changed since";

// The seating of a recorded game.
std::vector<std::uint32_t> seating_of(const results::GameRecord& recorded) {
    std::vector<std::uint32_t> seating;
    for (const results::SeatRecord& row : recorded.seats)
        seating.push_back(row.agent);
    return seating;
}

const Start* start_of(const ReplayRequest& request, const results::GameRecord& recorded) {
    if (request.starts == nullptr || !recorded.start) return nullptr;
    return *recorded.start < request.starts->size() ? &(*request.starts)[*recorded.start] : nullptr;
}

agents::GameKey key_of(const ReplayRequest& request, const results::GameRecord& recorded) {
    return {request.seed, recorded.block, recorded.game};
}

// Whether a game that ended in that position, with tallied moves, equals the recorded one.
bool was_it(const results::GameRecord& recorded, const MoveTally& tally, const Position& end) {
    return tally.line() == recorded.line && end.plies() == recorded.plies;
}

// The agents of a recorded game in a runner of their own.
class Again {
  public:
    Again(const ReplayRequest& request, const results::GameRecord& recorded)
        : request_(request), recorded_(recorded), start_(start_of(request, recorded)),
          opener_(request.game), table_(request.game) {
        for (const std::uint32_t agent : seating_of(recorded)) {
            owned_.push_back(request.make(agent));
            if (!owned_.back()->is_reproducible() && by_time_.empty())
                by_time_ = request.agents[agent];
            seated_.push_back(owned_.back().get());
        }
    }

    // An agent that cannot replay; empty if all can.
    [[nodiscard]] const std::string& by_time() const { return by_time_; }
    [[nodiscard]] const agents::GameRunner& table() const { return table_; }
    [[nodiscard]] const Start* start() const { return start_; }
    void set_log(engine::Log& log) {
        table_.set_log(&log);
        for (const auto& agent : owned_)
            agent->set_log(&log);
    }
    void set_watch(games::RuleWatch& watch) {
        for (const auto& agent : owned_)
            agent->set_watch(&watch);
    }
    // False if the game differed. The listener may be null.
    bool play(agents::Listener* listener) {
        const agents::Opening* const opening =
            start_ != nullptr ? &opener_.open(*start_, request_.seed) : nullptr;
        MoveTally tally;
        Listeners all = {&tally, listener};
        return was_it(recorded_, tally,
                      table_.play(seated_, key_of(request_, recorded_), &all, opening));
    }

  private:
    const ReplayRequest& request_;
    const results::GameRecord& recorded_;
    const Start* start_;
    Opener opener_;
    agents::GameRunner table_;
    std::vector<std::unique_ptr<agents::Agent>> owned_;
    std::vector<agents::Agent*> seated_;
    std::string by_time_;
};

// Replays a record. False if it is not of that game. The listener may be null.
bool walk(std::string_view kept, const ReplayRequest& request, const results::GameRecord& recorded,
          agents::Listener* listener) {
    GameReplay replay(request.game);
    engine::Diagnostics none;
    if (!replay.begin(key_of(request, recorded), start_of(request, recorded), none)) return false;
    MoveTally tally;
    Listeners all = {&tally, listener};
    all.begins(replay.position());
    const std::vector<std::string> moves = moves_in(kept);
    replay.go(moves, moves.size(), &all);
    return was_it(recorded, tally, replay.position());
}

// The chess symbol of a piece with a chess name; otherwise the name.
std::string sign_of(const std::string& piece) {
    static constexpr std::array<std::pair<char, const char*>, 6> kSigns{
        {{'K', "♚"}, {'Q', "♛"}, {'R', "♜"}, {'B', "♝"}, {'N', "♞"}, {'P', "♟"}}};
    for (const auto& [letter, sign] : kSigns)
        if (piece.size() == 1 && std::toupper(static_cast<unsigned char>(piece[0])) == letter)
            return sign;
    return piece;
}

ordered_json board_json(const DrawnBoard& board) {
    ordered_json pieces = ordered_json::array();
    for (std::size_t cell = 0; cell < board.cells.size(); ++cell) {
        const games::DrawnCell& drawn = board.cells[cell];
        if (drawn.piece.empty()) continue;
        pieces.push_back(
            {cell, board.look == Look::Chess ? sign_of(drawn.piece) : drawn.piece, drawn.owner});
    }
    ordered_json names = ordered_json::array();
    for (std::uint32_t column = 0; column < board.columns; ++column)
        names.push_back(games::column_name(column));
    ordered_json json = {{"name", board.name},
                         {"rows", board.rows},
                         {"columns", std::move(names)},
                         {"look", name_of(board.look)},
                         {"pieces", std::move(pieces)}};
    if (board.hex) json["hex"] = true;
    return json;
}

ordered_json pile_json(const DrawnCards& drawn) {
    ordered_json json = {{"name", drawn.name}};
    if (drawn.hand) json["hand"] = *drawn.hand;
    if (!drawn.notes.empty()) json["notes"] = drawn.notes;
    if (drawn.hidden) {
        json["hidden"] = drawn.hidden_count ? ordered_json(*drawn.hidden_count) : ordered_json();
        return json;
    }
    json["cards"] = ordered_json::array();
    for (const games::DrawnCard& card : drawn.cards)
        json["cards"].push_back(card_json(card));
    return json;
}

} // namespace

Replay record_game(const ReplayRequest& request, const results::GameRecord& recorded,
                   std::string_view kept) {
    const games::Facts& facts = request.game.facts();
    Replay replay;
    replay.block = recorded.block;
    replay.game = recorded.game;
    replay.plies = recorded.plies;
    replay.ending = ending_of(recorded, facts.players);
    const auto seating = seating_of(recorded);
    for (games::Seat seat = 0; seat < facts.seats(); ++seat)
        replay.seats.push_back(
            fmt::format("{}: {}", facts.players[seat], request.agents[seating[seat]]));
    Again again(request, recorded);
    if (!again.by_time().empty() && kept.empty()) {
        replay.problem = fmt::format("{} depends on time or on something outside, and the game was "
                                     "not kept: it cannot be reproduced",
                                     again.by_time());
        return replay;
    }
    FirstLines log(kLinesAMove);
    Firings firings;
    FrameKeeper keeper(request, log, firings, replay);
    if (again.by_time().empty()) {
        again.set_log(log);
        again.set_watch(firings);
    }
    const bool same =
        again.by_time().empty() ? again.play(&keeper) : walk(kept, request, recorded, &keeper);
    if (!same) {
        replay.frames.clear();
        replay.problem = kOtherWay;
    }
    return replay;
}

Retold retell(const ReplayRequest& request, const results::GameRecord& recorded,
              const KeepSettings& names) {
    Again again(request, recorded);
    if (!again.by_time().empty())
        return {{},
                fmt::format("it was not kept, and {} depends on time or on something outside: it "
                            "cannot be reproduced",
                            again.by_time())};
    if (!again.play(nullptr)) return {{}, std::string(kOtherWay)};
    Retold retold;
    GameKeeper keeper(request.game, names, request.seed, request.agents);
    keeper.append({recorded.block, recorded.game}, seating_of(recorded), again.start(),
                  again.table(), retold.lines);
    return retold;
}

std::string listen_again(const ReplayRequest& request, const results::GameRecord& recorded,
                         std::string_view kept, agents::Listener& listener) {
    bool same = false;
    if (kept.empty()) {
        Again again(request, recorded);
        if (!again.by_time().empty())
            return fmt::format("it was not kept, and {} depends on time or on something outside",
                               again.by_time());
        same = again.play(&listener);
    } else {
        same = walk(kept, request, recorded, &listener);
    }
    return same ? std::string() : std::string(kOtherWay);
}

bool tells_of(std::string_view kept, const ReplayRequest& request,
              const results::GameRecord& recorded) {
    return walk(kept, request, recorded, nullptr);
}

// ---- drawings as JSON ---------------------------------------------------------------------------

ordered_json card_json(const games::DrawnCard& card) {
    ordered_json json = {{"name", card.name}, {"rank", card.rank}};
    if (card.suit != 0) json["suit"] = std::string(1, card.suit);
    if (!card.player.empty()) json["by"] = card.player;
    return json;
}

ordered_json scene_json(const games::Drawing& drawing) {
    ordered_json json = {{"boards", ordered_json::array()},
                         {"piles", ordered_json::array()},
                         {"facts", ordered_json::array()}};
    for (const DrawnBoard& board : drawing.boards)
        json["boards"].push_back(board_json(board));
    for (const DrawnCards& cards : drawing.cards)
        json["piles"].push_back(pile_json(cards));
    for (const games::DrawnFact& fact : drawing.facts) {
        ordered_json one = {{"name", fact.name}, {"text", fact.text}};
        if (fact.suit != 0) one["suit"] = std::string(1, fact.suit);
        json["facts"].push_back(std::move(one));
    }
    return json;
}

} // namespace croupier::tournaments
