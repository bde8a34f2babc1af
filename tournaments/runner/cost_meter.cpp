// Chooses steps, and keeps a profile for each phase and seat of each program.
#include "tournaments/runner/cost_meter.h"

#include "engine/api/explain.h"
#include "engine/api/program.h"
#include "results/record.h"

#include <algorithm>
#include <cassert>

namespace croupier::tournaments {
namespace {

using games::Phase;
using games::RuleRun;
using results::CostRow;
using results::kNothing;

static_assert(static_cast<int>(Phase::Setup) == static_cast<int>(results::Phase::Setup) &&
              static_cast<int>(Phase::Observe) == static_cast<int>(results::Phase::Observe));

std::uint64_t mixed(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

CostRow row_of(const engine::RuleCost& cost) {
    return {{},
            {cost.tried, cost.passed, cost.matches, cost.firings, cost.match_ns, cost.act_ns,
             cost.total_ns}};
}

} // namespace

std::uint32_t sampled_step(const agents::GameKey& key, std::uint32_t n, std::uint32_t stretch) {
    const std::uint64_t which =
        mixed(key.seed + 0x9e3779b97f4a7c15u * (key.deal + 1)) ^ (key.round << 32 | n);
    const std::uint64_t begin = std::uint64_t{n} * stretch;
    const std::uint64_t step = begin + mixed(which) % stretch;
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(step, agents::StepWatch::kNever));
}

// The rules of one program, by phase and seat; the last seat is nobody's.
struct CostMeter::Program {
    Program(const RuleRun& run, const engine::GaugeSettings& settings, std::uint32_t first,
            std::uint32_t seats)
        : program(run.program), gauge(run.program, settings), first_rule(first), all_seats(seats),
          profiles(results::kPhases * (seats + 1)) {}

    engine::Profile& profile(Phase phase, games::Seat seat) {
        const std::size_t column = std::min<std::size_t>(seat, all_seats);
        const std::size_t at = static_cast<std::size_t>(phase) * (all_seats + 1) + column;
        if (profiles[at].rules().empty()) profiles[at] = engine::Profile(program);
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
                row.cost = {each.tried, each.passed, 0, 0, each.self_ns, 0, each.self_ns};
                into.push_back(row);
            }
        }
    }

    const engine::Program& program;
    engine::Gauge gauge;
    std::uint32_t first_rule; // in the facts of the run
    std::uint32_t all_seats;
    std::vector<engine::Profile> profiles;
    std::vector<std::size_t> touched; // since it was last drained
};

CostMeter::CostMeter(const ProfileSettings& settings, const games::Game& game)
    : settings_(settings), seats_(game.facts().seats()),
      full_(settings.facts->mode == results::ProfileMode::Full) {
    const auto& rules = settings.facts->rules;
    for (std::uint32_t rule = 0; rule < rules.size(); ++rule) {
        const std::size_t owner = rules[rule].agent ? *rules[rule].agent + std::size_t{1} : 0;
        if (owner >= first_rules_.size()) first_rules_.resize(owner + 1, rule);
    }
}

CostMeter::~CostMeter() = default;

std::uint32_t CostMeter::first(const agents::GameKey& key) {
    key_ = key;
    return full_ ? 0 : sampled_step(key, 0, settings_.stretch);
}

std::uint32_t CostMeter::after(std::uint32_t step) {
    ++watched_;
    return full_ ? step + 1 : sampled_step(key_, step / settings_.stretch + 1, settings_.stretch);
}

CostMeter::Program& CostMeter::program_of(const RuleRun& run) {
    const bool game = run.phase != Phase::Choose && run.phase != Phase::Observe;
    const std::size_t owner = game ? 0 : agents_[run.seat] + std::size_t{1};
    std::unique_ptr<Program>& kept = programs_[{owner, &run.program}];
    if (kept == nullptr) {
        assert(owner < first_rules_.size());
        const engine::GaugeSettings settings{settings_.clock, settings_.clock_cost, full_,
                                             run.budgets};
        kept = std::make_unique<Program>(run, settings, first_rules_[owner], seats_);
    }
    return *kept;
}

void CostMeter::runs(const RuleRun& run) {
    touched_ = true;
    Program& program = program_of(run);
    program.gauge.measure(run.group, run.state, run.random, program.profile(run.phase, run.seat));
}

void CostMeter::drain(std::vector<CostRow>& into) {
    if (watched_ == 0 && !touched_) return; // a step that an agent's fault ends is none
    const std::size_t begin = into.size();
    if (watched_ > 0) into.push_back({{}, {.tried = watched_}});
    for (auto& [whose, program] : programs_)
        program->drain(into);
    // The map is ordered by address, of which nothing may depend.
    std::sort(into.begin() + static_cast<std::ptrdiff_t>(begin), into.end(),
              [](const CostRow& a, const CostRow& b) { return a.key < b.key; });
    watched_ = 0;
    touched_ = false;
}

} // namespace croupier::tournaments
