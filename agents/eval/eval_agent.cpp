// Alpha-beta with iterative deepening.
#include "agents/eval/eval_agent.h"

#include "agents/codes.h"
#include "agents/eval/learnt_evaluation.h"
#include "agents/rules/rule_agent.h"
#include "agents/rules/rule_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace croupier::agents {
namespace {

using games::Ending;
using games::Evaluation;
using Bound = Transpositions::Bound;

constexpr unsigned kTableBits = 16;
constexpr std::uint64_t kMaxDepth = 64;
constexpr std::uint64_t kMaxBehind = 1'000'000'000;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Later wins are worth less, later losses more.
double delayed(double worth, std::size_t plies) {
    const auto later = static_cast<double>(plies);
    return worth >= Evaluation::kWon    ? worth - later
           : worth <= -Evaluation::kWon ? worth + later
                                        : worth;
}

// The evaluator of the file that the request's path names; nothing, with the reason in `made`, if
// there is none.
std::unique_ptr<const RuleEvaluation>
open_evaluation(RuleRequest request, const AgentServices& services, MadeAgent& made) {
    const games::RulesetGame* game = services.game.ruleset_game();
    if (!services.open) made.error = "eval: no files can be read here";
    if (game == nullptr) {
        made.error = fmt::format("{} has no ruleset that an evaluator could be about",
                                 services.game.facts().title());
    }
    if (!made.error.empty()) return nullptr;
    request.path = agent_file("eval", request.path, services);
    OpenedRules opened = open_rules(request, services, *game);
    made.sources = std::move(opened.sources);
    made.diagnostics = std::move(opened.diagnostics);
    if (opened.program == nullptr) return nullptr;
    return std::make_unique<const RuleEvaluation>(std::move(opened.program));
}

// Null if nothing can be learnt.
std::shared_ptr<const Evaluation> learnt_evaluation(const AgentServices& services,
                                                    MadeAgent& made) {
    const games::RulesetGame* game = services.game.ruleset_game();
    if (game == nullptr) return nullptr;
    const auto learn = [&] { return LearntEvaluation::learn(*game); };
    const auto learnt = services.programs == nullptr ? learn() : services.programs->learnt(learn);
    if (learnt == nullptr) return nullptr;
    made.sources = game->sources();
    made.diagnostics.warning(
        code::kLearnt, game->ruleset().game.span,
        fmt::format("{} does not say what a position is worth: eval goes by {} random games",
                    game->facts().title(), learnt->games()),
        "say it, as in \"material\": {\"board\": 1}, or name a file, as in eval:FILE");
    return learnt;
}

} // namespace

EvalAgent::EvalAgent(std::shared_ptr<const Evaluation> owned, const SearchLimits& limits)
    : owned_(std::move(owned)), limits_(limits), table_(limits.depth > 1 ? kTableBits : 0) {}

void EvalAgent::reset(const Game& game, Seat me) {
    evaluation_ = owned_ != nullptr ? owned_.get() : game.evaluation();
    me_ = me;
    mine_.assign(game.facts().seats(), false);
    for (const Seat partner : game.facts().partners(me))
        mine_[partner] = true;
    limits_.resignation.reset();
    if (game_ == &game) return;
    game_ = &game;
    line_.clear();
}

std::size_t EvalAgent::choose(const Position& view, Random& random) {
    if (view.move_count() == 1) return 0;
    if (limits_.depth == 1) {
        ++nodes_;
        if (const auto best = best_at_once(view, random)) return *best;
    }
    while (line_.size() < limits_.depth + 1)
        line_.push_back(game_->new_position());
    chance_ = random.stream(random.next());
    node_limit_ =
        limits_.nodes == 0 ? std::numeric_limits<std::uint64_t>::max() : nodes_ + limits_.nodes;
    until_ = limits_.time.from_now();
    table_.forget();
    root_.clear();
    for (std::uint32_t i = 0; i < view.move_count(); ++i)
        root_.push_back({i, 0});
    out_ = false;
    std::size_t chosen = 0;
    double expected = 0;
    for (std::uint64_t depth = 1; depth <= limits_.depth; ++depth) {
        // The first depth is always finished, so that there is a move to play.
        if (!search_root(view, depth) && depth > 1) break;
        chosen = pick(random);
        expected = root_[0].worth;
    }
    return limits_.resignation.comes(expected) ? kResigns : chosen;
}

// The best move, if the game can compute it, and its worth if resignation needs it.
std::optional<std::size_t> EvalAgent::best_at_once(const Position& view, Random& random) {
    const bool asks = limits_.resignation.may_come();
    const std::optional<double> worth = asks ? evaluation_->best_worth(view) : 0;
    const auto best = worth ? evaluation_->best_move(view, random) : std::nullopt;
    return best && limits_.resignation.comes(*worth) ? kResigns : best;
}

// Sets `next` to the position after that move; the search continues there unless it is the last.
void EvalAgent::advance(const Position& position, std::uint32_t index, Position& next, bool last) {
    next.copy_from(position);
    if (last && !evaluation_->reads_moves())
        next.play_last(position.move(index), chance_);
    else
        next.play(position.move(index), chance_);
    ++nodes_;
}

// Searches the moves and sorts them, best first; false if a limit was reached.
bool EvalAgent::search_root(const Position& view, std::uint64_t depth) {
    double best = -kInfinity;
    double alpha = -kInfinity; // equally good moves need exact values
    for (RootMove& move : root_) {
        if (depth > 1 && is_out()) return false;
        advance(view, move.index, *line_[0], depth == 1);
        move.worth = search(0, depth - 1, alpha, kInfinity);
        if (out_ && depth > 1) return false;
        if (move.worth > best) {
            best = move.worth;
            alpha = std::nextafter(best, -kInfinity);
        }
    }
    if (limits_.depth == 1) { // other depths need no order of the rest
        std::size_t count = 0;
        for (RootMove& move : root_)
            if (move.worth == best) std::swap(root_[count++], move);
        return !out_;
    }
    // stable_sort would allocate.
    std::ranges::sort(root_, [](const RootMove& a, const RootMove& b) {
        return a.worth > b.worth || (a.worth == b.worth && a.index < b.index);
    });
    return !out_;
}

// A random one of the best moves.
std::size_t EvalAgent::pick(Random& random) {
    std::size_t best = 1;
    while (best < root_.size() && root_[best].worth == root_[0].worth)
        ++best;
    return root_[best == 1 ? 0 : random.below(best)].index;
}

double EvalAgent::worth(const Position& position, std::size_t ply) const {
    if (position.ending() == Ending::None) return evaluation_->worth(position, me_);
    bool behind = false;
    bool ahead = false;
    for (Seat seat = 0; seat < mine_.size(); ++seat) {
        behind = behind || position.place(seat) < position.place(me_);
        ahead = ahead || position.place(seat) > position.place(me_);
    }
    return behind == ahead ? 0 : delayed(ahead ? Evaluation::kWon : -Evaluation::kWon, ply + 1);
}

bool EvalAgent::is_out() {
    if (nodes_ >= node_limit_ ||
        (nodes_ % TimeLimit::kNodesPerLook == 0 && limits_.time.is_over(until_)))
        out_ = true;
    return out_;
}

// The worth for my side of the position line_[ply], searched `left` moves deep. Exact between alpha
// and beta, otherwise a bound.
double EvalAgent::search(std::size_t ply, std::uint64_t left, double alpha, double beta) {
    const Position& position = *line_[ply];
    if (left == 0 || position.ending() != Ending::None) return worth(position, ply);
    if (left == 1 && mine_.size() == 2) {
        ++nodes_;
        if (const auto best = evaluation_->best_worth(position))
            return (position.turn() == me_ ? 1 : -1) * delayed(*best, ply + 2);
    }
    const std::uint64_t hash = position.hash();
    std::uint32_t best = 0;
    if (const Transpositions::Entry* known = table_.find(hash)) {
        best = known->best;
        if (known->depth == left && (known->bound == Bound::Exact ||
                                     (known->bound == Bound::AtLeast && known->worth >= beta) ||
                                     (known->bound == Bound::AtMost && known->worth <= alpha)))
            return known->worth;
    }
    const double found = try_moves(ply, left, alpha, beta, best, best);
    if (out_) return found;
    const Bound bound = found <= alpha  ? Bound::AtMost
                        : found >= beta ? Bound::AtLeast
                                        : Bound::Exact;
    table_.keep({.hash = hash,
                 .worth = found,
                 .best = best,
                 .depth = static_cast<std::uint16_t>(left),
                 .bound = bound});
    return found;
}

// Tries the move `first` first.
double EvalAgent::try_moves(std::size_t ply, std::uint64_t left, double alpha, double beta,
                            std::uint32_t first, std::uint32_t& best) {
    const Position& position = *line_[ply];
    Position& next = *line_[ply + 1];
    const bool mine = mine_[position.turn()];
    const auto count = static_cast<std::uint32_t>(position.move_count());
    double found = mine ? -kInfinity : kInfinity;
    for (std::uint32_t i = 0; i < count; ++i) {
        if (is_out()) break;
        const std::uint32_t index = i == 0 ? first : i <= first ? i - 1 : i;
        advance(position, index, next, left == 1);
        const double worth = search(ply + 1, left - 1, alpha, beta);
        if (mine ? worth > found : worth < found) {
            found = worth;
            best = index;
        }
        (mine ? alpha : beta) = mine ? std::max(alpha, found) : std::min(beta, found);
        if (alpha >= beta) break;
    }
    return found;
}

MadeAgent make_eval_agent(const AgentSpec& spec, const AgentServices& services) {
    MadeAgent made;
    Arguments arguments(spec);
    SearchLimits limits;
    const std::string word = arguments.word();
    arguments.number("depth", limits.depth, 1, kMaxDepth);
    arguments.number("nodes", limits.nodes, 1, std::uint64_t{1} << 40);
    arguments.time(services, limits.time);
    std::uint64_t behind = 0;
    if (arguments.number("resign", behind, 1, kMaxBehind))
        limits.resignation = Resignation(-static_cast<double>(behind));
    RuleRequest request{.path = word, .role = RuleRole::Evaluator};
    if (!word.empty()) request.parameters = parameters_among(arguments);
    made.error = arguments.error();
    if (!made.error.empty()) return made;
    const games::Facts& facts = services.game.facts();
    if (facts.hides) {
        made.error = fmt::format("eval looks ahead, and {} hides things from its players: what is "
                                 "hidden cannot be played on",
                                 facts.title());
    }
    if (!made.error.empty()) return made;
    std::shared_ptr<const Evaluation> own;
    if (!word.empty()) {
        own = open_evaluation(std::move(request), services, made);
        if (own == nullptr) return made;
    } else if (services.game.evaluation() == nullptr) {
        own = learnt_evaluation(services, made);
        if (own == nullptr)
            made.error = fmt::format("{} has no evaluation of its own, and none can be learnt from "
                                     "random games: name a file, as in eval:FILE",
                                     facts.title());
        if (own == nullptr) return made;
    }
    made.agent = std::make_unique<EvalAgent>(std::move(own), limits);
    return made;
}

} // namespace croupier::agents
