#include "games/clips/clips_game.h"

#include "games/clips/program.h"
#include "games/ruleset/codes.h"
#include "games/ruleset/ruleset_game.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <charconv>
#include <filesystem>
#include <string_view>

namespace croupier::games::clips {
namespace {

// Limit of periodic tasks per turn (Environment::set_budget): seconds of firings and loops.
constexpr std::uint64_t kBudget = 10'000'000;
constexpr std::size_t kMaxSaid = 400; // characters of errors

// Removes the first word from a text without parentheses, and returns it.
std::string_view take_word(std::string_view& text) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return word;
}

// A program's facts about a position.
struct Told {
    std::vector<std::string> players;
    std::string strategy;
    std::string turn;
    std::vector<std::string> moves;
    std::vector<std::pair<std::string, double>> scores;
    std::vector<std::pair<std::string, std::string>> seen; // for whom, and what
    std::string mistake;
};

Told read_told(const Words& facts, std::size_t from) {
    Told told;
    for (std::size_t i = from; i < facts.size(); ++i) {
        std::string_view rest = facts[i];
        rest = rest.substr(1, rest.size() - 2);
        const std::string_view what = take_word(rest);
        if (what == "game-players") {
            while (!rest.empty())
                told.players.emplace_back(take_word(rest));
        } else if (what == "game-strategy") {
            told.strategy = rest;
        } else if (what == "game-turn") {
            if (!told.turn.empty()) told.mistake = "two facts (game-turn ..)";
            told.turn = rest;
        } else if (what == "game-move") {
            told.moves.emplace_back(rest);
        } else if (what == "game-sees") {
            const std::string_view who = take_word(rest);
            told.seen.emplace_back(who, rest);
        } else if (what == "game-wins" || what == "game-loses") {
            told.scores.emplace_back(rest, what == "game-wins" ? 1 : -1);
        } else if (what == "game-score") {
            const std::string_view who = take_word(rest);
            double points = 0;
            const auto read = std::from_chars(rest.data(), rest.data() + rest.size(), points);
            if (read.ec != std::errc() || read.ptr != rest.data() + rest.size())
                told.mistake = facts[i] + " has no number of points";
            told.scores.emplace_back(who, points);
        }
    }
    return told;
}

class ClipsGame : public Game {
  public:
    ClipsGame(std::string worker, SourceText source, engine::FileOpener open, Facts facts,
              std::string strategy)
        : worker_(std::move(worker)), source_(std::move(source)), open_(std::move(open)),
          facts_(std::move(facts)), strategy_(std::move(strategy)) {}

    [[nodiscard]] const Facts& facts() const override { return facts_; }
    [[nodiscard]] std::unique_ptr<Position> new_position() const override;

    using Print = std::function<void(std::string_view text, bool error)>;
    [[nodiscard]] std::unique_ptr<Program> begin(Print print, bool& good) const {
        const auto beside =
            [open = open_, folder = std::filesystem::path(source_.name).parent_path()](
                const std::string& name) { return open((folder / name).string()).text; };
        auto program = std::make_unique<Program>(worker_, Outside{std::move(print), {}, beside});
        good = program->load(source_);
        if (!strategy_.empty()) program->set_strategy(strategy_);
        return program;
    }
    // The facts after a reset; throws Ended.
    [[nodiscard]] Told first(const Print& print, bool& good) const {
        const auto program = begin(print, good);
        program->reset();
        Words texts;
        for (ListedFact& fact : program->facts())
            if (fact.text.starts_with("(game-")) texts.push_back(std::move(fact.text));
        Told told = read_told(texts, 0);
        if (!told.strategy.empty() && !program->set_strategy(told.strategy))
            told.mistake = "there is no strategy '" + told.strategy + "'";
        return told;
    }

  private:
    std::string worker_;
    SourceText source_;
    engine::FileOpener open_;
    Facts facts_;
    std::string strategy_;
};

class ClipsPosition : public Position {
  public:
    explicit ClipsPosition(const ClipsGame& game)
        : game_(game), scores_(game.facts().players.size()), seen_(scores_.size()) {}

    [[nodiscard]] const Game& game() const override { return game_; }

    void start(Random& deal) override {
        clear();
        history_.push_back({{}, static_cast<std::uint32_t>(deal.next() >> 32)});
        catch_up(history_.size() - 1);
    }

    void play(Move move, Random& chance) override {
        assert(!view_ && ending_ == Ending::None && move < moves_.size());
        const std::size_t before = history_.size();
        history_.push_back(
            {fmt::format("(game-chosen {} {})", game_.facts().players[turn_], moves_[move]),
             static_cast<std::uint32_t>(chance.next() >> 32)});
        catch_up(in_step_ ? before : 0);
        if (ending_ == Ending::None && plies() >= game_.facts().max_plies) end(Ending::Unfinished);
    }

    [[nodiscard]] Ending ending() const override { return ending_; }
    [[nodiscard]] const Fault& fault() const override { return fault_; }
    [[nodiscard]] std::uint32_t plies() const override { return plies_; }
    [[nodiscard]] Seat turn() const override { return turn_; }
    [[nodiscard]] std::size_t move_count() const override { return moves_.size(); }
    [[nodiscard]] Move move(std::size_t i) const override { return static_cast<Move>(i); }
    [[nodiscard]] std::string_view text(Move move) const override { return moves_[move]; }
    [[nodiscard]] std::uint64_t fingerprint(Move move) const override {
        return text_hash(moves_[move]);
    }
    [[nodiscard]] double score(Seat seat) const override { return scores_[seat]; }
    [[nodiscard]] std::uint32_t place(Seat seat) const override {
        return static_cast<std::uint32_t>(1 + std::ranges::count_if(scores_, [&](double other) {
                                              return other > scores_[seat];
                                          }));
    }

    // The other position keeps its program; ours replays the turns when needed.
    void copy_from(const Position& other) override {
        const auto& from = dynamic_cast<const ClipsPosition&>(other);
        if (&from == this) return;
        look_like(from);
        history_ = from.history_;
        view_ = from.view_;
        hash_ = from.hash_;
    }

    void view_from(const Position& other, Seat seat) override {
        const auto& from = dynamic_cast<const ClipsPosition&>(other);
        look_like(from);
        history_.clear();
        view_ = true;
        for (Seat one = 0; one < seen_.size(); ++one)
            if (one != seat) seen_[one].clear();
        if (seat != turn_) moves_.clear();
        hash_ = text_hash(engine::write_json(state(), -1));
    }

    [[nodiscard]] std::uint64_t hash() const override { return hash_; }

    [[nodiscard]] engine::Document state() const override {
        namespace json = engine::json;
        const std::vector<std::string>& players = game_.facts().players;
        const auto texts = [](const std::vector<std::string>& all) {
            engine::Document array = json::array();
            for (const std::string& one : all)
                json::append(array, json::text(one));
            return array;
        };
        engine::Document state = json::object();
        if (ending_ == Ending::None) {
            json::add(state, "turn", json::text(players[turn_]));
            json::add(state, "moves", texts(moves_));
        } else {
            json::add(state, "over", json::boolean(true));
            for (Seat seat = 0; seat < players.size(); ++seat)
                json::add(json::child_object(state, "score"), players[seat],
                          json::scalar(scores_[seat]));
        }
        for (Seat seat = 0; seat < players.size(); ++seat)
            if (!seen_[seat].empty())
                json::add(json::child_object(state, "sees"), players[seat], texts(seen_[seat]));
        return state;
    }
    bool load(const engine::Document& over, Random&, engine::Diagnostics& diagnostics) override {
        diagnostics.error(code::kRefusedState, over.span,
                          "a program of CLIPS has no states from outside: a position is its moves");
        return false;
    }
    void resume(Random&) override { assert(false); }
    void evaluate(Random&) override { assert(false); }
    void set_log(engine::Log* log) override { log_ = log; }

  private:
    // A turn: the fact asserted, empty at the beginning, and the seed.
    struct Turn {
        std::string chosen;
        std::uint32_t seed;
    };

    void clear() {
        history_.clear();
        ending_ = Ending::None;
        fault_ = {};
        plies_ = 0;
        view_ = false;
    }

    void look_like(const ClipsPosition& from) {
        ending_ = from.ending_;
        fault_ = from.fault_;
        plies_ = from.plies_;
        turn_ = from.turn_;
        moves_ = from.moves_;
        scores_ = from.scores_;
        seen_ = from.seen_;
        in_step_ = false;
    }

    void end(Ending how, std::string what = {}) {
        ending_ = how;
        moves_.clear();
        if (how != Ending::Aborted) return;
        fault_.what = std::move(what);
        std::ranges::fill(scores_, 0);
    }

    // Plays the turns from that one on; all but the last were played before.
    void catch_up(std::size_t from) {
        try {
            Words answer;
            for (std::size_t i = from; i < history_.size(); ++i) {
                said_.clear();
                if (!program_) begin();
                answer = program_->play(history_[i].seed, kBudget, history_[i].chosen);
                if (answer.at(0) != "changed") continue;
                begin(); // an earlier game has changed the program
                answer = program_->play(history_[i].seed, kBudget, history_[i].chosen);
            }
            in_step_ = true;
            plies_ = static_cast<std::uint32_t>(history_.size() - 1);
            take(answer);
        } catch (const Ended& gone) {
            program_.reset();
            in_step_ = false;
            end(Ending::Aborted, gone.what());
        }
    }

    void begin() {
        bool good = true;
        program_ = game_.begin(
            [this](std::string_view text, bool error) {
                if (error && said_.size() < kMaxSaid) said_ += text;
                if (!error && log_ != nullptr) say(text);
            },
            good);
        if (log_ == nullptr) program_->be_silent();
    }

    // Logs whole lines.
    void say(std::string_view text) {
        line_ += text;
        for (std::size_t end = line_.find('\n'); end != std::string::npos; end = line_.find('\n')) {
            log_->line(line_.substr(0, end));
            line_.erase(0, end + 1);
        }
    }

    void take(const Words& answer) {
        hash_ = 0;
        std::from_chars(answer.at(1).data(), answer.at(1).data() + answer.at(1).size(), hash_);
        if (answer[0] == "failed") {
            std::ranges::replace(said_, '\n', ' ');
            const std::size_t begin = std::min(said_.find_first_not_of(' '), said_.size());
            return end(Ending::Aborted,
                       said_.substr(begin, said_.find_last_not_of(' ') + 1 - begin));
        }
        if (answer[0] == "budget")
            return end(Ending::Aborted,
                       fmt::format("CLIPS has taken more than {} steps in a turn", kBudget));
        const Told told = read_told(answer, 2);
        const Facts& facts = game_.facts();
        if (!told.mistake.empty()) return end(Ending::Aborted, told.mistake);
        std::ranges::fill(scores_, 0);
        for (auto& seen : seen_)
            seen.clear();
        for (const auto& [who, points] : told.scores)
            if (const auto seat = facts.seat(who)) scores_[*seat] += points;
        for (const auto& [who, what] : told.seen)
            if (const auto seat = facts.seat(who)) seen_[*seat].push_back(what);
        moves_ = told.moves;
        if (moves_.empty()) return end(Ending::Over);
        const auto seat = facts.seat(told.turn);
        if (!seat)
            return end(Ending::Aborted, "there are moves, and no (game-turn ..) names a player");
        turn_ = *seat;
    }

    const ClipsGame& game_;
    std::unique_ptr<Program> program_;
    bool in_step_ = false; // the program is at our position
    bool view_ = false;
    std::vector<Turn> history_;
    Ending ending_ = Ending::None;
    Fault fault_;
    std::uint32_t plies_ = 0;
    Seat turn_ = 0;
    std::vector<std::string> moves_;
    std::vector<double> scores_;
    std::vector<std::vector<std::string>> seen_; // by seat
    std::uint64_t hash_ = 0;
    std::string said_; // errors of this turn
    std::string line_;
    engine::Log* log_ = nullptr;
};

std::unique_ptr<Position> ClipsGame::new_position() const {
    return std::make_unique<ClipsPosition>(*this);
}

} // namespace

std::shared_ptr<const Game> open_clips_game(const std::string& worker, const std::string& path,
                                            const engine::FileOpener& open, const std::string& name,
                                            const std::string& revision, engine::Sources& sources,
                                            std::string& error) {
    engine::FileText file = open(path);
    if (!file.text) {
        error = file.error;
        return nullptr;
    }
    sources.add(path, *file.text);
    if (worker.empty()) {
        error = path + ": there is no library of CLIPS in this build";
        return nullptr;
    }
    Facts facts;
    facts.name = name;
    facts.revision = revision;
    facts.ruleset = fmt::format("{:016x}", text_hash(*file.text));
    facts.max_plies = kMaxPlies;
    facts.hides = true;
    facts.replays = true;
    const SourceText source{path, std::move(*file.text)};
    try {
        std::string said;
        bool good = true;
        const Told told = ClipsGame(worker, source, open, facts, {})
                              .first(
                                  [&](std::string_view text, bool is_error) {
                                      if (is_error && said.size() < kMaxSaid) said += text;
                                  },
                                  good);
        if (!good || !said.empty()) {
            error = said.substr(0, said.find_last_not_of('\n') + 1);
            return nullptr;
        }
        if (!told.mistake.empty()) {
            error = path + ": " + told.mistake;
            return nullptr;
        }
        facts.players = told.players;
        if (facts.players.size() < 2 || facts.players.size() > kMaxPlayers) {
            error = fmt::format(
                "{}: the fact (game-players ..) names two to {} players, and here are {}", path,
                kMaxPlayers, facts.players.size());
            return nullptr;
        }
        return std::make_shared<ClipsGame>(worker, source, open, facts, told.strategy);
    } catch (const Ended& end) {
        error = path + ": " + end.what();
        return nullptr;
    }
}

} // namespace croupier::games::clips
