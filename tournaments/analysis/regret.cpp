// Solves positions as they come by.
#include "tournaments/analysis/regret.h"

#include <algorithm>

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

// All deals have the same legal moves. Nothing where a deal cannot be drawn or solved.
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

} // namespace croupier::tournaments
