// Solves positions one by one, game after game.
#include "tournaments/analysis/regret.h"

#include <algorithm>
#include <memory>
#include <mutex>

namespace croupier::tournaments {

using games::Position;
using games::Random;
using games::Seat;

Analyst::Analyst(const games::Game& game)
    : game_(game), view_(game.new_position()), world_(game.new_position()) {
    dummy_.reset(game);
}

void Analyst::expect(const results::GameRecord& recorded, const RegretSettings& settings) {
    recorded_ = &recorded;
    settings_ = settings;
    decisions_.clear();
    random_ = Random(settings.seed).stream(recorded.block).stream(recorded.game);
    if (settings.worlds > 0) worlds_.resize(game_.facts().seats());
    for (Seat seat = 0; seat < worlds_.size(); ++seat)
        worlds_[seat].reset(game_, seat);
}

void Analyst::begins(const Position&) {
    decisions_.clear();
}

void Analyst::moves(const Position& before, games::Move move) {
    player_ = before.turn();
    secret_ = before.is_secret();
    move_ = before.text(move);
    const results::SeatRecord& row = recorded_->seats[player_];
    const bool another = row.substitute && before.plies() >= *row.substitute;
    if (before.move_count() < 2 || before.plies() < settings_.passed_over || another) return;
    std::size_t chosen = 0;
    while (before.move(chosen) != move)
        ++chosen;
    Decision decision;
    decision.ply = before.plies();
    decision.seat = player_;
    decision.agent = row.agent;
    decision.move = move_;
    decision.best = move_;
    judge(before, chosen, decision);
    decisions_.push_back(std::move(decision));
}

void Analyst::judge(const Position& before, std::size_t chosen, Decision& decision) {
    const Random course = random_.stream(before.plies());
    if (before.is_auction()) {
        decision.unsolved = Unsolved::Auction;
    } else if (dummy_.moves_to_come(before, course) > settings_.plies) {
        decision.unsolved = Unsolved::Far;
    } else if (const auto found = dummy_.loss(before, chosen, limits(), course)) {
        decision.loss = found->loss;
        decision.best = before.text(before.move(found->best));
        decision.known = loss_of_known(before, chosen);
    } else {
        decision.unsolved = Unsolved::Hard;
    }
}

// All deals have the same legal moves. Nothing if a deal cannot be drawn or solved.
std::optional<double> Analyst::loss_of_known(const Position& before, std::size_t chosen) {
    if (worlds_.empty()) return std::nullopt;
    view_->view_from(before, before.turn());
    agents::Worlds& worlds = worlds_[before.turn()];
    Random draws = random_.stream(before.plies()).stream(1);
    const Random course = draws.stream(1);
    if (!worlds.look(*view_)) return std::nullopt;
    sum_.assign(before.move_count(), 0);
    for (std::uint64_t i = 0; i < settings_.worlds; ++i) {
        if (!worlds.draw(*world_, draws)) return std::nullopt;
        if (!dummy_.solve(*world_, before.turn(), limits(), course, worth_)) return std::nullopt;
        for (std::size_t move = 0; move < sum_.size(); ++move)
            sum_[move] += worth_[move];
    }
    const double best = *std::max_element(sum_.begin(), sum_.end());
    return (best - sum_[chosen]) / static_cast<double>(settings_.worlds);
}

void Analyst::moved(const Position& after) {
    for (Seat seat = 0; seat < worlds_.size(); ++seat) {
        if (!worlds_[seat].observes()) continue;
        view_->view_from(after, seat);
        const bool told = !secret_ || seat == player_;
        worlds_[seat].observe(*view_, {player_, told ? move_ : std::string_view()});
    }
}

void RegretBook::add_block(std::span<const AnalysedGame> games) {
    struct Sums {
        double loss = 0;
        double known = 0;
        double decisions = 0;
        double known_decisions = 0;
    };
    std::vector<Sums> sums(agents_.size());
    ++blocks_;
    for (const AnalysedGame& game : games) {
        ++games_;
        if (!game.problem.empty()) {
            if (missing_++ == 0) why_missing_ = results::text_of(game.id) + ": " + game.problem;
            continue;
        }
        for (const Decision& decision : game.decisions) {
            AgentRegret& agent = agents_[decision.agent];
            if (decision.unsolved) {
                ++agent.unsolved[static_cast<std::size_t>(*decision.unsolved)];
                continue;
            }
            Sums& sum = sums[decision.agent];
            ++agent.decisions;
            sum.decisions += 1;
            sum.loss += decision.loss;
            if (decision.loss > 0) {
                ++agent.mistakes;
                agent.worst = std::max(agent.worst, decision.loss);
                add_blunder(game.id, decision);
            }
            if (!decision.known) continue;
            ++agent.known_decisions;
            sum.known_decisions += 1;
            sum.known += *decision.known;
        }
    }
    for (std::size_t i = 0; i < agents_.size(); ++i) {
        if (sums[i].decisions > 0) agents_[i].loss.add(sums[i].loss, sums[i].decisions);
        if (sums[i].known_decisions > 0)
            agents_[i].known.add(sums[i].known, sums[i].known_decisions);
    }
}

void RegretBook::add_blunder(results::GameId id, const Decision& decision) {
    const auto place = std::upper_bound(
        blunders_.begin(), blunders_.end(), decision.loss,
        [](double loss, const Blunder& each) { return loss > each.decision.loss; });
    if (place == blunders_.end() && blunders_.size() >= most_) return;
    blunders_.insert(place, {id, decision});
    if (blunders_.size() > most_) blunders_.pop_back();
}

// Blocks go through the conveyor; each worker has its own analyst.

namespace {

// The record of one game among those of its block; empty if it was not kept.
std::string_view record_among(std::string_view lines, results::GameId id) {
    const std::string first = "{\"id\":\"" + results::text_of(id) + "\"";
    std::size_t begin = lines.find(first);
    if (begin == std::string_view::npos) return {};
    const std::size_t end = lines.find("\n{\"id\":", begin);
    return lines.substr(begin, end == std::string_view::npos ? end : end + 1 - begin);
}

class RunAnalysis final : public Conveyor {
  public:
    RunAnalysis(const ReplayRequest& request, results::GamesReader& games, results::KeptGames& kept,
                const AnalysisSettings& settings, RegretBook& book,
                const std::function<void(std::span<const AnalysedGame>)>& told)
        : make_([this, &request](std::uint32_t agent) {
              const std::lock_guard lock(making_);
              return request.make(agent);
          }),
          request_{request.game, make_, request.agents, request.seed, request.starts},
          games_(games), kept_(kept), settings_(settings), book_(book), told_(told),
          slots_(4 * settings.threads), analysts_(settings.threads) {}

    [[nodiscard]] std::size_t slots() const { return slots_.size(); }

    bool load(std::size_t slot) override {
        const bool stopped = settings_.stop != nullptr && *settings_.stop;
        if (stopped || loaded_ >= settings_.blocks) return false;
        Slot& into = slots_[slot];
        if (!games_.next(into.games)) return false;
        kept_.take_block(into.games.front().block, into.lines);
        ++loaded_;
        return true;
    }

    void work(std::size_t slot, std::size_t worker) override {
        std::unique_ptr<Analyst>& analyst = analysts_[worker];
        if (analyst == nullptr) analyst = std::make_unique<Analyst>(request_.game);
        Slot& block = slots_[slot];
        block.analysed.clear();
        for (const results::GameRecord& game : block.games)
            block.analysed.push_back(analyse(game, block.lines, *analyst));
        const std::atomic<bool>* const abandon = settings_.regret.abandon;
        if (abandon != nullptr && *abandon) block.analysed.clear();
    }

    void unload(std::size_t slot) override {
        if (slots_[slot].analysed.empty()) broken_off_ = true;
        if (broken_off_) return; // so that the reported blocks are the first ones, without gaps
        book_.add_block(slots_[slot].analysed);
        told_(slots_[slot].analysed);
    }

  private:
    struct Slot {
        std::vector<results::GameRecord> games;
        std::string lines; // of kept games
        std::vector<AnalysedGame> analysed;
    };

    AnalysedGame analyse(const results::GameRecord& game, std::string_view lines,
                         Analyst& analyst) const {
        AnalysedGame analysed{{game.block, game.game}, {}, {}};
        const std::string_view record = record_among(lines, analysed.id);
        if (record.empty() && !settings_.cannot_play.empty()) {
            analysed.problem = settings_.cannot_play;
            return analysed;
        }
        RegretSettings regret = settings_.regret;
        regret.seed = request_.seed;
        if (game.start && request_.starts != nullptr && *game.start < request_.starts->size())
            regret.passed_over = (*request_.starts)[*game.start].moves.size();
        analyst.expect(game, regret);
        analysed.problem = listen_again(request_, game, record, analyst);
        if (analysed.problem.empty()) analysed.decisions = std::move(analyst.decisions());
        return analysed;
    }

    std::mutex making_;
    AgentMaker make_;
    ReplayRequest request_;
    results::GamesReader& games_;
    results::KeptGames& kept_;
    const AnalysisSettings& settings_;
    RegretBook& book_;
    const std::function<void(std::span<const AnalysedGame>)>& told_;
    std::vector<Slot> slots_;
    std::vector<std::unique_ptr<Analyst>> analysts_; // by worker
    std::uint64_t loaded_ = 0;
    bool broken_off_ = false;
};

} // namespace

void analyse_games(const ReplayRequest& request, results::GamesReader& games,
                   results::KeptGames& kept, const AnalysisSettings& settings, RegretBook& book,
                   const std::function<void(std::span<const AnalysedGame>)>& told) {
    RunAnalysis analysis(request, games, kept, settings, book, told);
    convey(analysis, settings.threads, analysis.slots(), settings.pool);
}

} // namespace croupier::tournaments
