// Enumerates all positions, then resolves them backwards from the ends, one ply at a time.
#include "agents/tablebase/tablebase.h"

#include "agents/arguments.h"
#include "agents/rules/rule_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <mutex>
#include <numeric>

namespace croupier::agents {

using games::Ending;

Solution::Solution(const Game& game, std::uint64_t most) : game_(game), most_(most) {}

Solution::Entry Solution::entry_of(const Position& position) {
    Entry entry;
    if (position.ending() == Ending::None) {
        entry.turn = static_cast<std::uint8_t>(position.turn());
    } else if (position.place(0) == position.place(1)) {
        entry.known = Known::Drawn;
    } else {
        entry.known = Known::Won;
        entry.winner = position.place(0) < position.place(1) ? 0 : 1;
    }
    return entry;
}

const Solution::Entry* Solution::find(const Position& position) const {
    const auto at = numbers_.find(position.hash());
    return at == numbers_.end() ? nullptr : &entries_[at->second];
}

Solution::Kept& Solution::kept_at(std::size_t depth) {
    Kept& kept = kept_[depth == 0 ? 0 : 1 + depth % (kept_.size() - 1)];
    if (kept.position == nullptr) kept.position = game_.new_position();
    return kept;
}

Solution::Number Solution::number_of(const Position& position, Origin origin) {
    const auto [at, added] =
        numbers_.try_emplace(position.hash(), static_cast<Number>(entries_.size()));
    if (added) {
        entries_.push_back(entry_of(position));
        origins_.push_back(origin);
    }
    return at->second;
}

void Solution::forget() {
    numbers_ = {};
    entries_ = {};
    moves_ = 0;
}

void Solution::solve(const Position& from, const std::atomic<bool>* hurry) {
    // Restarts from the state, so that earlier moves do not count towards the limit.
    engine::Diagnostics ignored;
    const std::unique_ptr<Position> start = game_.new_position();
    const bool loaded = start->load(from.state(), chance_, ignored);
    if (loaded) start->resume(chance_);
    const Position& root = loaded ? *start : from;
    if (next_ == nullptr) next_ = game_.new_position();
    try {
        // Known positions may use up the limit: whether a position can be solved must not depend on
        // earlier requests.
        while (!explore(root, hurry)) {
            const bool alone = first_new_ == 0;
            forget();
            if (alone)
                throw Unsolved(FaultKind::Crash,
                               fmt::format("{} has more than {} positions, or {} moves in them: "
                                           "a tablebase is for games as small as endings of chess "
                                           "(positions=N lets it hold more)",
                                           game_.facts().title(), most_, most_ * kMovesEach));
        }
    } catch (const Unsolved&) {
        forget();
        throw;
    }
    settle();
    if (find(from) == nullptr)
        throw Unsolved(FaultKind::Crash, "the position cannot be read again");
}

// False if there are too many positions. Breadth first, so that no line reaches the game's limit of
// moves.
bool Solution::explore(const Position& root, const std::atomic<bool>* hurry) {
    chance_ = Random();
    origins_.clear();
    begins_.clear();
    leads_to_.clear();
    first_new_ = static_cast<Number>(entries_.size());
    for (Kept& each : kept_)
        each.number = 0xffffffff;
    Kept& first = kept_at(0);
    first.number = first_new_;
    first.position->copy_from(root);
    number_of(root, {});
    std::size_t depth = 0;
    std::size_t deeper = entries_.size(); // from here on one move further away
    for (Number number = first_new_; number < entries_.size(); ++number) {
        if (number == deeper) {
            ++depth;
            deeper = entries_.size();
        }
        begins_.push_back(static_cast<std::uint32_t>(leads_to_.size()));
        if (entries_[number].known != Known::Open) continue;
        if (hurry != nullptr && hurry->load(std::memory_order_relaxed))
            throw Unsolved(FaultKind::Stall,
                           fmt::format("{} was not solved in time", game_.facts().title()));
        const Position& position = reach(number, depth);
        for (std::uint32_t i = 0; i < position.move_count(); ++i) {
            next_->copy_from(position);
            next_->play(position.move(i), chance_);
            leads_to_.push_back(number_of(*next_, {number, i}));
        }
        if (chance_.counter() != 0)
            throw Unsolved(FaultKind::Crash,
                           fmt::format("{} has chance moves", game_.facts().title()));
        if (entries_.size() > most_ || moves_ + leads_to_.size() > most_ * kMovesEach) return false;
    }
    begins_.push_back(static_cast<std::uint32_t>(leads_to_.size()));
    return true;
}

// The position of that number, at that depth. It is recomputed from the nearest loaded position
// before it, since storing all pending positions would take gigabytes; neighbours share most of
// their path, so that costs few moves.
const Position& Solution::reach(Number number, std::size_t depth) {
    missing_.clear();
    for (; kept_at(depth).number != number; --depth) {
        missing_.push_back(number);
        number = origins_[number - first_new_].from;
    }
    const Position* position = kept_at(depth).position.get();
    for (; !missing_.empty(); missing_.pop_back()) {
        Kept& next = kept_at(++depth);
        next.number = missing_.back();
        next.position->copy_from(*position);
        next.position->play(position->move(origins_[next.number - first_new_].move), chance_);
        position = next.position.get();
    }
    return *position;
}

// A player wins if one move wins, and loses if all moves lose. Positions never reached backwards
// are draws.
void Solution::settle() {
    // The origins of moves, ordered by target: those to `n` end at ends[n].
    std::vector<std::uint32_t> ends(entries_.size() + 1);
    for (const Number to : leads_to_)
        ++ends[to + 1];
    std::partial_sum(ends.begin(), ends.end(), ends.begin());
    std::vector<Number> come_from(leads_to_.size());
    std::vector<std::uint32_t> left(origins_.size()); // moves not known to lose
    for (Number i = 0; i < left.size(); ++i) {
        left[i] = begins_[i + 1] - begins_[i];
        for (std::uint32_t move = begins_[i]; move < begins_[i + 1]; ++move)
            come_from[ends[leads_to_[move]]++] = first_new_ + i;
    }
    moves_ += leads_to_.size();
    leads_to_ = {};
    begins_ = {};
    origins_ = {};

    std::vector<Number> layer;
    for (Number number = 0; number < entries_.size(); ++number)
        if (entries_[number].known == Known::Won) layer.push_back(number);
    // Positions solved earlier enter the layer of their plies.
    std::ranges::sort(layer,
                      [&](Number a, Number b) { return entries_[a].plies > entries_[b].plies; });
    for (std::uint32_t plies = 0; !layer.empty(); ++plies) {
        std::vector<Number> later;
        while (!layer.empty() && entries_[layer.back()].plies <= plies) {
            const Number to = layer.back();
            layer.pop_back();
            const std::uint8_t winner = entries_[to].winner;
            for (std::uint32_t move = to == 0 ? 0 : ends[to - 1]; move < ends[to]; ++move) {
                Entry& before = entries_[come_from[move]];
                if (before.known != Known::Open) continue;
                if (before.turn != winner && --left[come_from[move] - first_new_] > 0) continue;
                before.known = Known::Won;
                before.winner = winner;
                before.plies = plies + 1;
                later.push_back(come_from[move]);
            }
        }
        layer.insert(layer.end(), later.begin(), later.end());
    }
    for (Entry& entry : entries_)
        if (entry.known == Known::Open) entry.known = Known::Drawn;
}

// Answers under a shared lock if the position is known; otherwise solves it under an exclusive
// lock.
template <class Answer>
auto Solution::ask(const Position& position, const std::atomic<bool>* hurry, const Answer& answer) {
    {
        const std::shared_lock reads(mutex_);
        if (find(position) != nullptr) return answer();
    }
    const std::unique_lock writes(mutex_);
    if (find(position) == nullptr) solve(position, hurry);
    return answer();
}

Solution::Worth Solution::worth(const Position& position, const std::atomic<bool>* hurry) {
    return ask(position, hurry, [&] { return worth_of(*find(position)); });
}

std::size_t Solution::best_move(const Position& position, Position& next,
                                const std::atomic<bool>* hurry) {
    return ask(position, hurry, [&] { return pick(position, next); });
}

std::size_t Solution::size() const {
    const std::shared_lock reads(mutex_);
    return entries_.size();
}

Solution::Worth Solution::worth_of(const Entry& entry) {
    if (entry.known == Known::Won) return {entry.winner, entry.plies};
    return {};
}

bool Solution::better(const Worth& one, const Worth& other, Seat seat) {
    const auto rank = [&](const Worth& worth) {
        return !worth.winner ? 1 : *worth.winner == seat ? 2 : 0;
    };
    if (rank(one) != rank(other)) return rank(one) > rank(other);
    return rank(one) == 2 ? one.plies < other.plies : one.plies > other.plies;
}

std::size_t Solution::pick(const Position& position, Position& next) const {
    std::size_t best = 0;
    std::optional<Worth> found;
    Random chance;
    for (std::size_t i = 0; i < position.move_count(); ++i) {
        next.copy_from(position);
        next.play(position.move(i), chance);
        // The game's limit of moves may end it here.
        const Entry* const known = next.ending() == Ending::None ? find(next) : nullptr;
        const Worth worth = worth_of(known != nullptr ? *known : entry_of(next));
        if (found && !better(worth, *found, position.turn())) continue;
        found = worth;
        best = i;
    }
    return best;
}

// Plays by the solution.

void TablebaseAgent::reset(const Game& game, Seat) {
    assert(&game == &solution_->game());
    fault_.reset();
}

std::size_t TablebaseAgent::choose(const Position& view, Random&) {
    try {
        return solution_->best_move(view, *next_, hurry_);
    } catch (const Solution::Unsolved& problem) {
        fault_ = {problem.kind, problem.what()};
        return kNoChoice;
    }
}

MadeAgent make_tablebase_agent(const AgentSpec& spec, const AgentServices& services) {
    MadeAgent made;
    const Game& game = services.game;
    Arguments arguments(spec);
    std::uint64_t most = Solution::kMax;
    arguments.number("positions", most, 1, 100'000'000);
    made.error = arguments.error();
    if (made.error.empty() && (game.facts().hides || game.facts().seats() != 2))
        made.error = fmt::format("tablebase plays games of two that hide nothing; {} is none",
                                 game.facts().title());
    if (!made.error.empty()) return made;
    const auto solution = services.programs != nullptr ? services.programs->solution(game, most)
                                                       : std::make_shared<Solution>(game, most);
    // Solve now, so that a game that is too large is refused at once. If solving is abandoned now,
    // the first move solves it.
    const auto start = game.new_position();
    Random deal = games::stream(0, 0, games::Purpose::Deal);
    start->start(deal);
    try {
        if (start->ending() == games::Ending::None) solution->worth(*start, services.abandon);
    } catch (const Solution::Unsolved& problem) {
        if (problem.kind != FaultKind::Stall) made.error = problem.what();
    }
    if (made.error.empty())
        made.agent = std::make_unique<TablebaseAgent>(solution, services.abandon);
    return made;
}

} // namespace croupier::agents
