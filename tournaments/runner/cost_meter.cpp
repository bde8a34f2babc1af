// Selects steps, and keeps a profile for each phase and seat of each program.
#include "tournaments/runner/cost_meter.h"

#include "agents/game_runner.h"
#include "agents/random/random_agent.h"
#include "engine/api/explain.h"
#include "engine/api/program.h"
#include "games/ruleset/ruleset_game.h"
#include "results/record.h"

#include <algorithm>
#include <cassert>
#include <optional>
#include <vector>

namespace croupier::tournaments {

namespace {

using games::Phase;
using games::RuleRun;
using results::CostRow;
using results::kNothing;

static_assert(static_cast<int>(Phase::Setup) == static_cast<int>(results::Phase::Setup) &&
              static_cast<int>(Phase::Observe) == static_cast<int>(results::Phase::Observe));

// The nominal time of a tick, a quarter of a millisecond: the system determines the real rate, and
// only shares are reported.
constexpr std::uint64_t kTickUnit = 250'000;

std::uint64_t mixed(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

// The part of an area outside rules. A part of another area is outdated.
results::Outside part_of(agents::Whereabouts::Area area, games::Doing doing) {
    using Area = agents::Whereabouts::Area;
    using games::Doing;
    using results::Outside;
    constexpr auto kPart = [](Doing each) { // both enumerations have the same order
        return static_cast<Outside>(static_cast<int>(Outside::Deal) - 1 + static_cast<int>(each));
    };
    static_assert(kPart(Doing::Deal) == Outside::Deal && kPart(Doing::Rows) == Outside::Rows);
    const Area of = doing < Doing::Look     ? Area::Game
                    : doing < Doing::Record ? Area::Agent
                                            : Area::Harness;
    if (of == area && doing != Doing::Table) return kPart(doing);
    return area == Area::Agent  ? Outside::Agents
           : area == Area::Game ? Outside::Game
                                : Outside::Harness;
}

CostRow row_of(const engine::RuleCost& cost) {
    return {{}, {cost.tried, cost.passed, cost.matches, cost.firings}};
}

constexpr std::uint32_t kSteps = 4;  // watched steps
constexpr std::uint32_t kEvery = 16; // spreads them beyond the game's beginning
// In the games with the cheapest steps, this many unwatched steps take fifty times as long as a
// watched step takes per item that it looks at. Watching a step takes 150,000 instructions in
// Belote, where playing it takes 750, and 18 million in Life. A sample makes runs of random agents
// 2 to 4 % slower.
constexpr std::uint64_t kStepsForOne = 24;

// Counts the work of watching a few steps of a random game.
class WorkCounter : public agents::StepWatch {
  public:
    std::uint32_t first(const agents::GameKey&) override { return 0; }
    std::uint32_t after(std::uint32_t step) override {
        return ++steps_ < kSteps ? step + kEvery : kNever;
    }
    void runs(const games::RuleRun& run) override {
        engine::Gauge gauge(run.program, run.budgets, true);
        engine::Profile profile(run.program.catalogue());
        gauge.measure(run.group, run.state, run.random, profile);
        for (const engine::RuleCost& rule : profile.rules()) {
            work_ += rule.tried + rule.matches;
            for (const engine::EntryCost& entry : rule.entries)
                work_ += entry.tried;
        }
    }

    [[nodiscard]] std::uint64_t work_of_a_step() const {
        return work_ / std::max<std::uint64_t>(steps_, 1);
    }

  private:
    std::uint64_t work_ = 0;
    std::uint32_t steps_ = 0;
};

constexpr double kSlow = 200'000; // nanoseconds: measuring takes less than a hundredth of that
constexpr std::uint64_t kOtherSteps = 0x9e3779b97f4a7c15; // not those where rules are watched

std::uint64_t count_of(std::chrono::nanoseconds time) {
    return static_cast<std::uint64_t>(std::max<std::chrono::nanoseconds::rep>(time.count(), 0));
}

} // namespace

std::uint32_t sampled_step(const agents::GameKey& key, std::uint32_t n, std::uint32_t stretch) {
    const std::uint64_t which =
        mixed(key.seed + 0x9e3779b97f4a7c15u * (key.deal + 1)) ^ (key.round << 32 | n);
    const std::uint64_t begin = std::uint64_t{n} * stretch;
    const std::uint64_t step = begin + mixed(which) % stretch;
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(step, agents::StepWatch::kNever));
}

// The rules of one program, by phase and seat; the last seat stands for none.
struct CostMeter::Program {
    Program(const RuleRun& run, bool entries, std::uint32_t first, std::uint32_t seats)
        : program(run.program), gauge(run.program, run.budgets, entries), first_rule(first),
          all_seats(seats), profiles(results::kPhases * (seats + 1)) {}

    engine::Profile& profile(Phase phase, games::Seat seat) {
        const std::size_t column = std::min<std::size_t>(seat, all_seats);
        const std::size_t at = static_cast<std::size_t>(phase) * (all_seats + 1) + column;
        if (profiles[at].rules().empty()) profiles[at] = engine::Profile(program.catalogue());
        if (std::find(touched.begin(), touched.end(), at) == touched.end()) touched.push_back(at);
        return profiles[at];
    }

    void drain(std::vector<CostRow>& into) {
        for (const std::size_t at : touched) {
            const auto phase = static_cast<results::Phase>(at / (all_seats + 1));
            const auto seat = static_cast<std::uint32_t>(at % (all_seats + 1));
            append(phase, seat == all_seats ? kNothing : seat, profiles[at], into);
            profiles[at].clear();
        }
        touched.clear();
    }

    void append(results::Phase phase, std::uint32_t seat, const engine::Profile& profile,
                std::vector<CostRow>& into) const {
        for (engine::RuleId id = 0; id < profile.rules().size(); ++id) {
            const engine::RuleCost& cost = profile.rules()[id];
            if (cost.tried == 0) continue;
            CostRow row = row_of(cost);
            row.key = {first_rule + id, phase, seat, kNothing};
            into.push_back(row);
            for (std::uint32_t entry = 0; entry < cost.entries.size(); ++entry) {
                const engine::EntryCost& each = cost.entries[entry];
                if (each.tried == 0) continue;
                row.key.entry = entry;
                row.cost = {each.tried, each.passed};
                into.push_back(row);
            }
        }
    }

    const engine::Program& program;
    engine::Gauge gauge;
    std::uint32_t first_rule; // index in the facts of the run
    std::uint32_t all_seats;
    std::vector<engine::Profile> profiles;
    std::vector<std::size_t> touched; // since the last drain
};

// For each rule inside an action, the rule with that action.
struct CostMeter::Rules {
    std::vector<engine::RuleId> around;
};

CostMeter::CostMeter(const ProfileSettings& settings, const games::Game& game)
    : CostMeter(settings, game.facts().seats(),
                game.ruleset_game() != nullptr ? &game.ruleset_game()->program().catalogue()
                                               : nullptr) {}

CostMeter::CostMeter(const ProfileSettings& settings, const engine::Catalogue& rules)
    : CostMeter(settings, 0, &rules) {}

CostMeter::CostMeter(const ProfileSettings& settings, std::uint32_t seats,
                     const engine::Catalogue* rules_of_game)
    : settings_(settings), seats_(seats), full_(settings.facts->mode == results::ProfileMode::Full),
      game_rules_(rules_of_game) {
    const auto& rules = settings.facts->rules;
    for (std::uint32_t rule = 0; rule < rules.size(); ++rule) {
        const std::size_t owner = rules[rule].agent ? *rules[rule].agent + std::size_t{1} : 0;
        if (owner >= first_rules_.size()) first_rules_.resize(owner + 1, rule);
    }
}

CostMeter::~CostMeter() = default;

std::uint32_t CostMeter::first(const agents::GameKey& key) {
    key_ = key;
    if (settings_.stretch == 0) return kNever;
    const bool often = settings_.first_stretch != 0 && key.deal < kFirstDeals;
    stretch_ = often ? settings_.first_stretch : settings_.stretch;
    return full_ ? 0 : sampled_step(key, 0, stretch_);
}

std::uint32_t CostMeter::after(std::uint32_t step) {
    ++watched_;
    return full_ ? step + 1 : sampled_step(key_, step / stretch_ + 1, stretch_);
}

CostMeter::Program& CostMeter::program_of(const RuleRun& run) {
    const bool game = run.phase != Phase::Choose && run.phase != Phase::Observe;
    const std::size_t owner = game ? 0 : agents_[run.seat] + std::size_t{1};
    std::unique_ptr<Program>& kept = programs_[{owner, &run.program}];
    if (kept == nullptr) {
        assert(owner < first_rules_.size());
        kept = std::make_unique<Program>(run, full_, first_rules_[owner], seats_);
    }
    return *kept;
}

void CostMeter::runs(const RuleRun& run) {
    touched_ = true;
    const std::uint64_t begun = buffer_ != nullptr ? settings_.sampler->cpu_ns() : 0;
    std::optional<agents::Whereabouts::Stay> here;
    if (whereabouts_ != nullptr) here.emplace(*whereabouts_, agents::Whereabouts::Area::Watch);
    Program& program = program_of(run);
    program.gauge.measure(run.group, run.state, run.random, program.profile(run.phase, run.seat));
    if (buffer_ != nullptr) watched_ns_ += settings_.sampler->cpu_ns() - begun;
}

void CostMeter::drain(std::vector<CostRow>& into) {
    if (watched_ == 0 && !touched_) return; // a step ended by an agent's fault does not count
    const std::size_t begin = into.size();
    if (watched_ > 0) into.push_back({{}, {.tried = watched_}});
    for (auto& [whose, program] : programs_)
        program->drain(into);
    // The map is ordered by address, which the output must not depend on.
    std::sort(into.begin() + static_cast<std::ptrdiff_t>(begin), into.end(),
              [](const CostRow& a, const CostRow& b) { return a.key < b.key; });
    watched_ = 0;
    touched_ = false;
}

// ---- times -------------------------------------------------------------------------------------

void CostMeter::look_at(agents::Whereabouts& whereabouts) {
    whereabouts_ = &whereabouts;
    if (settings_.sampler != nullptr) buffer_ = std::make_unique<TickBuffer>(whereabouts);
}

void CostMeter::works() {
    if (buffer_ == nullptr) return;
    watched_ns_ = 0;
    begun_ns_ = settings_.sampler->cpu_ns();
    settings_.sampler->sample(buffer_.get());
}

void CostMeter::rests() {
    if (buffer_ == nullptr) return;
    settings_.sampler->sample(nullptr);
    settle();
    const std::uint64_t spent = settings_.sampler->cpu_ns() - begun_ns_;
    add_time({}, {.match_ns = spent - std::min(spent, watched_ns_)});
}

void CostMeter::seat(std::span<const std::uint32_t> numbers,
                     std::span<agents::Agent* const> agents) {
    settle(); // the last game's agents are still seated
    agents_ = numbers;
    agent_rules_.clear();
    for (const agents::Agent* agent : agents)
        agent_rules_.push_back(agent->rules() == nullptr ? nullptr : &agent->rules()->catalogue());
}

// Assigns the ticks so far.
void CostMeter::settle() {
    if (buffer_ == nullptr || buffer_->empty()) return;
    buffer_->drain([this](const Tick& tick, std::uint64_t weight) { take(tick, weight); });
}

void CostMeter::take(const Tick& tick, std::uint64_t weight) {
    using Area = agents::Whereabouts::Area;
    const auto& [area, seat] = tick.place;
    if (area == Area::Watch) return;
    add_time({}, {.matches = 1});
    const engine::Catalogue* const program = tick.glimpse.program;
    const auto at = [&](results::Outside where) {
        add_time({kNothing, {}, kNothing, static_cast<std::uint32_t>(where)},
                 {.match_ns = weight * kTickUnit});
    };
    const bool agents = area == Area::Agent && seat < agent_rules_.size() &&
                        agent_rules_[seat] == program && program != nullptr;
    const std::size_t owner = agents ? agents_[seat] + std::size_t{1} : 0;
    if (program == nullptr || (!agents && program != game_rules_) || owner >= first_rules_.size())
        return at(part_of(area, tick.doing));
    const engine::TickOrigin seen = engine::tick_origin(tick.glimpse);
    if (settings_.code != nullptr && seen.place)
        (*settings_.code)[{owner, seen.place->function, seen.place->offset}] += weight * kTickUnit;
    if (seen.origin.rules.empty()) return at(results::Outside::Engine);
    take_rules(seen, weight * kTickUnit, rules_of(*program), first_rules_[owner]);
}

// Divides shared time among the rules that share it.
void CostMeter::take_rules(const engine::TickOrigin& seen, std::uint64_t all_ns, const Rules& rules,
                           std::uint32_t first) {
    const auto& [sharers, part, entry] = seen.origin;
    const std::uint64_t each = all_ns / sharers.size();
    std::uint64_t rest = all_ns % sharers.size();
    for (const engine::RuleId rule : sharers) {
        const std::uint64_t ns = each + (rest > 0 ? 1 : 0);
        rest -= rest > 0 ? 1 : 0;
        const bool acts = part == engine::x86::Origin::Part::Action;
        results::Cost cost;
        (acts ? cost.act_ns : cost.match_ns) = ns;
        cost.total_ns = ns;
        if (sharers.size() > 1) cost.shared_ns = ns;
        add_time({first + rule, results::Phase::Any, kNothing, kNothing}, cost);
        if (entry < settings_.facts->rules[first + rule].entries.size())
            add_time({first + rule, results::Phase::Any, kNothing, entry}, cost);
        for (engine::RuleId outer = rules.around[rule]; outer != engine::kNone;
             outer = rules.around[outer])
            add_time({first + outer, results::Phase::Any, kNothing, kNothing}, {.total_ns = ns});
    }
}

void CostMeter::add_time(const results::CostKey& key, const results::Cost& cost) {
    times_[key] += cost;
}

const CostMeter::Rules& CostMeter::rules_of(const engine::Catalogue& catalogue) {
    const auto [known, is_new] = rules_.try_emplace(&catalogue);
    if (is_new) known->second.around = engine::enclosing_rules(catalogue);
    return known->second;
}

void CostMeter::drain_times(std::vector<CostRow>& into) {
    for (const auto& [key, cost] : times_)
        into.push_back({key, cost});
    times_.clear();
}

std::uint32_t sample_stretch(const games::Game& game) {
    std::vector<agents::RandomAgent> agents(game.facts().seats());
    std::vector<agents::Agent*> seated(agents.size());
    std::transform(agents.begin(), agents.end(), seated.begin(),
                   [](agents::RandomAgent& each) { return &each; });
    WorkCounter counter;
    agents::GameRunner table(game);
    table.set_watch(&counter);
    table.set_cut(kSteps * kEvery);
    table.play(seated, {});
    return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(
        counter.work_of_a_step() * kStepsForOne, kLeastStretch, kMaxStretch));
}

TimeMeter::TimeMeter(const agents::Clock* clock, std::size_t agents, std::size_t seats)
    : clock_(clock), table_(clock == nullptr ? 0 : agents, seats) {
    if (clock_ != nullptr) find_costs();
}

// The cost of an empty measurement: the minimum of several.
void TimeMeter::find_costs() {
    constexpr int kTimes = 16;
    for (int i = 0; i < kTimes; ++i) {
        const auto processor = clock_->processor();
        const auto begun = clock_->now();
        const auto wall = clock_->now() - begun;
        const auto used = clock_->processor();
        if (i == 0 || wall < clock_cost_) clock_cost_ = wall;
        if (!processor || !used) continue;
        if (i == 0 || *used - *processor < processor_cost_) processor_cost_ = *used - *processor;
    }
}

bool TimeMeter::measures_all(games::Seat seat, const agents::Agent& agent) {
    const results::DecisionTimes& times = table_.at(agents_[seat], seat);
    const bool all =
        !agent.is_reproducible() || times.measured() == 0 || times.mean().value_or(0) >= kSlow;
    all_ = (all_ & ~(std::uint64_t{1} << seat)) | (std::uint64_t{all} << seat);
    return all;
}

std::uint32_t TimeMeter::first(const agents::GameKey& key) {
    key_ = key;
    key_.seed ^= kOtherSteps;
    const std::uint32_t step = sampled_step(key_, 0, kTimeStretch);
    return step == 0 ? after(0) : step; // the deal has no decision
}

std::uint32_t TimeMeter::after(std::uint32_t step) {
    return sampled_step(key_, step / kTimeStretch + 1, kTimeStretch);
}

std::optional<std::chrono::nanoseconds>
TimeMeter::processor_time(const agents::Agent& agent) const {
    const std::int64_t process = agent.process();
    return process == 0 ? clock_->processor() : clock_->processor_of(process);
}

void TimeMeter::decides(games::Seat seat, const agents::Agent& agent) {
    const bool all = ((all_ >> seat) & 1) != 0;
    reads_processor_ = all || samples_++ % kProcessorStretch == 0;
    process_ = agent.process();
    if (reads_processor_) processor_begun_ = processor_time(agent);
    begun_ = clock_->now();
}

void TimeMeter::decided(games::Seat seat, const agents::Agent& agent) {
    const std::chrono::nanoseconds wall = clock_->now() - begun_;
    const bool all = ((all_ >> seat) & 1) != 0;
    const std::uint64_t weight = all ? 1 : kTimeStretch;
    results::DecisionTimes& times = table_.at(agents_[seat], seat);
    times.measure(count_of(wall - clock_cost_), weight);
    if (!reads_processor_) return;
    const auto processor = processor_time(agent);
    // The process may have ended and another one begun.
    if (agent.process() != process_ || !processor || !processor_begun_) return;
    auto used = *processor - *processor_begun_;
    // Reading clocks counts for this thread; for decisions shorter than that, the processor's clock
    // is no better than wall time.
    if (process_ == 0) used = wall < processor_cost_ ? wall - clock_cost_ : used - processor_cost_;
    times.measure_processor(count_of(used), all ? 1 : weight * kProcessorStretch);
}

void TimeMeter::ends(std::span<const std::uint32_t> decisions) {
    for (std::size_t seat = 0; seat < decisions.size(); ++seat)
        table_.at(agents_[seat], seat).count(decisions[seat]);
}

} // namespace croupier::tournaments
