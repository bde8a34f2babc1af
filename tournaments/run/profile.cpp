// Plays games only to measure their times, and writes maps for perf.
#include "tournaments/run/profile.h"

#include "engine/api/explain.h"
#include "engine/api/origins.h"
#include "games/ruleset/ruleset_game.h"
#include "results/store/file.h"
#include "tournaments/run/run_folder.h"
#include "tournaments/runner/ledger.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <iterator>
#include <map>
#include <memory>
#include <system_error>
#include <utility>

#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace croupier::tournaments {

// Rounds alternate, so that both see the same machine.

namespace {

constexpr std::uint64_t kRounds = 9;
constexpr std::uint64_t kCountedGames = 10;  // per side: finds the rules that are tried
constexpr std::uint32_t kCountedStretch = 8; // counts one of that many steps
constexpr double kRoundNs = 60e6;            // of CPU time
constexpr double kLotNs = 100e6;             // of CPU time per call, with ticks
constexpr std::uint64_t kUndisturbed = 4;    // games with ticks per game without

// Watches one of `stretch` steps; none if it is 0.
results::CostTable play_games(const PreparedRun& run, const AgentMaker& make, std::uint64_t round,
                              std::uint64_t games, std::uint32_t stretch, Sampler* sampler,
                              const Over& over = {}, CodeTimes* code = nullptr) {
    Specification wanted = run.specification;
    wanted.seed += round;
    wanted.games = games;
    wanted.blocks.reset();
    results::RunFacts facts = run.facts;
    facts.seed = wanted.seed;
    const auto schedule = schedule_of(wanted, facts).schedule;
    LedgerSettings settings;
    settings.schedule = schedule.get();
    std::atomic<bool> stop = false;
    if (over) settings.paused = [&] { stop = stop || over(); };
    Ledger ledger(facts, std::move(settings));
    results::ProfileFacts sampled = run.profile;
    sampled.mode = results::ProfileMode::Sample;
    ProfileSettings profile;
    if (sampled.watches()) profile = {&sampled, sampler, stretch, 0, code};
    const LocalWorkers workers(
        *run.game, facts, make, 1, profile,
        {.terms = run.specification.terms, .abandon = run.abandon, .starts = run.starts.get()});
    RunnerSettings runner;
    runner.clock = [&run] {
        return seconds_of(*run.clock);
    }; // many short games share one start and end
    runner.stop = &stop;
    play_blocks(*schedule, workers.all(), runner, ledger);
    return ledger.costs();
}

constexpr std::size_t kMaxNamed = 3; // named rules that share a piece

class Names {
  public:
    Names(const std::string& owner, const engine::Catalogue& catalogue) : owner_(owner) {
        for (const engine::RuleRow& row : engine::rows(catalogue, engine::Profile(catalogue)))
            rules_[row.rule] = fmt::format("{}/{}", row.group, row.name);
    }

    [[nodiscard]] std::string of(const engine::x86::Origin& origin) const {
        if (origin.rules.empty()) return owner_ + ":between rules";
        std::string name = owner_ + ":";
        const std::size_t named = std::min(origin.rules.size(), kMaxNamed);
        for (std::size_t i = 0; i < named; ++i)
            name += (i == 0 ? "" : "+") + rules_.at(origin.rules[i]);
        if (named < origin.rules.size())
            name += fmt::format("+{} more", origin.rules.size() - named);
        return origin.part == engine::x86::Origin::Part::Action ? name + " action" : name;
    }

  private:
    std::string owner_;
    std::map<engine::RuleId, std::string> rules_;
};

} // namespace

Timing timing_of(const HostServices& host) {
    Timing timing;
    timing.sampler = host.sampler;
    timing.clock = [clock = host.clock] { return seconds_of(*clock); };
    return timing;
}

TimedGames time_games(const PreparedRun& run, const AgentMaker& make, const Timing& timing) {
    return time_games(
        [&](std::uint64_t round, std::uint64_t games, Sampler* sampler, const Over& over) {
            return play_games(run, make, round, games, 0, sampler, over, timing.code);
        },
        timing);
}

TimedGames time_games(const PlayGames& play_games, const Timing& timing) {
    const double end = timing.clock() + timing.seconds;
    const Over over = [&] {
        return (timing.stop != nullptr && *timing.stop) || timing.clock() >= end;
    };
    TimedGames timed;
    const std::unique_ptr<Sampler> clock = timing.sampler(Ticks::None, &timed.hardware);
    const auto play = [&](std::uint64_t round, std::uint64_t count, Sampler* sampler) {
        results::CostTable table = play_games(round, count, sampler, over);
        timed.played += table.games();
        return table;
    };
    play(0, 1, clock.get()); // warm up
    timed.hardware.reset();
    results::CostTable undisturbed;
    std::uint64_t undisturbed_games = 0;
    std::uint64_t games = 1;
    for (std::uint64_t round = 0; timed.times.ticks() < timing.ticks && !over(); ++round) {
        // Ticks show the shares, games without ticks the total time.
        const std::unique_ptr<Sampler> ticks = timing.sampler(Ticks::Fine, nullptr);
        if (ticks == nullptr) break;
        const results::CostTable more = play(round, games, ticks.get());
        timed.times.take_times(more);
        if (more.cpu_ns() == 0) break;
        const results::CostTable fewer = play(round, (games - 1) / kUndisturbed + 1, clock.get());
        undisturbed.take_times(fewer);
        undisturbed_games += fewer.games();
        games = std::max(games, static_cast<std::uint64_t>(kLotNs / *more.cpu_per_game()));
    }
    if (undisturbed.cpu_per_game()) timed.times.set_cpu_per_game(*undisturbed.cpu_per_game());
    if (timed.hardware)
        for (double& count : *timed.hardware)
            count /= static_cast<double>(undisturbed_games);
    return timed;
}

std::vector<results::HotCode> hot_code(const PreparedRun& run, const AgentMaker& make,
                                       const CodeTimes& times) {
    std::map<std::pair<std::size_t, std::vector<engine::RuleId>>, results::HotCode> found;
    const auto& rules = run.profile.rules;
    for (auto next = times.begin(); next != times.end();) {
        const auto [owner, function, any] = next->first;
        std::optional<std::uint32_t> who;
        if (owner > 0) who = static_cast<std::uint32_t>(owner - 1);
        const auto agent = who ? make(*who) : nullptr;
        const engine::Program& program =
            who ? *agent->rules() : run.game->ruleset_game()->program();
        const auto first = std::find_if(rules.begin(), rules.end(),
                                        [&](const auto& rule) { return rule.agent == who; });
        const auto begin = reinterpret_cast<std::uintptr_t>(program.code()->entry(function));
        const auto lines = engine::x86::listing(program.unwatched(), function);
        const auto last = times.lower_bound({owner, function + 1, 0});
        for (std::size_t i = 0; i < lines.size(); ++i) {
            const auto* const origin = program.code()->origin(begin + lines[i].offset);
            if (origin == nullptr) continue;
            results::HotCode& code = found[{owner, origin->rules}];
            if (code.lines.empty()) {
                code.agent = who;
                for (const engine::RuleId rule : origin->rules)
                    code.rules.push_back(static_cast<std::uint32_t>(first - rules.begin()) + rule);
            }
            results::HotCode::Line line{lines[i].text, lines[i].is_instruction()};
            if (!origin->rules.empty() && origin->entry < rules[code.rules[0]].entries.size())
                line.entry = origin->entry;
            const auto end = i + 1 < lines.size() ? lines[i + 1].offset : ~std::uint32_t{0};
            for (; next != last && std::get<2>(next->first) < end; ++next)
                line.ns += next->second;
            code.ns += line.ns;
            code.lines.push_back(std::move(line));
        }
        next = last;
    }
    std::vector<results::HotCode> hottest;
    for (auto& [whose, code] : found)
        if (code.ns > 0) hottest.push_back(std::move(code));
    std::stable_sort(hottest.begin(), hottest.end(),
                     [](const auto& a, const auto& b) { return a.ns > b.ns; });
    return hottest;
}

std::vector<results::CostRound> measure_in_turn(const PreparedRun& old, const PreparedRun& now,
                                                std::uint64_t games,
                                                const MakeSampler& make_sampler) {
    const std::unique_ptr<Sampler> sampler = make_sampler(Ticks::Fine, nullptr);
    const AgentMaker make_old = agent_maker(old);
    const AgentMaker make_now = agent_maker(now);
    const auto play_old = [&](std::uint64_t round, std::uint64_t count) {
        return play_games(old, make_old, round, count, 0, sampler.get());
    };
    const auto play_now = [&](std::uint64_t round, std::uint64_t count) {
        return play_games(now, make_now, round, count, 0, sampler.get());
    };
    play_old(0, 1); // warm up
    play_now(0, 1);
    std::uint64_t each = std::max<std::uint64_t>(games / kRounds, 1);
    const double least = std::min(play_old(0, each).cpu_per_game().value_or(kRoundNs),
                                  play_now(0, each).cpu_per_game().value_or(kRoundNs));
    each = std::max(each, static_cast<std::uint64_t>(std::ceil(kRoundNs / least)));
    std::vector<results::CostRound> rounds(kRounds);
    for (std::uint64_t round = 0; round < kRounds; ++round) {
        // The order alternates as well.
        if (round % 2 == 0) rounds[round].old = play_old(round, each);
        rounds[round].now = play_now(round, each);
        if (round % 2 == 1) rounds[round].old = play_old(round, each);
    }
    // A watched step may take as long as a hundred games: watch few, in separate games.
    const auto add_counts = [](const PreparedRun& run, const AgentMaker& make,
                               results::CostTable& times) {
        results::CostTable counted =
            play_games(run, make, 0, kCountedGames, kCountedStretch, nullptr);
        counted.take_times(times);
        times = std::move(counted);
    };
    add_counts(old, make_old, rounds.front().old);
    add_counts(now, make_now, rounds.front().now);
    return rounds;
}

void PerfMap::add(const std::string& owner, const engine::Program& program) {
    const std::lock_guard lock(mutex_);
    const bool known = std::any_of(programs_.begin(), programs_.end(),
                                   [&](const auto& each) { return each.second == &program; });
    if (!known) programs_.emplace_back(owner, &program);
}

AgentMaker PerfMap::noting(AgentMaker make, std::vector<std::string> names) {
    return [this, make = std::move(make), names = std::move(names)](std::uint32_t agent) {
        auto made = make(agent);
        if (made->rules() != nullptr) add(names.at(agent), *made->rules());
        return made;
    };
}

std::vector<PerfMap::Piece> PerfMap::pieces() const {
    const std::lock_guard lock(mutex_);
    std::vector<Piece> found;
    for (const auto& [owner, program] : programs_) {
        if (program->code() == nullptr) continue;
        const Names names(owner, program->catalogue());
        std::uintptr_t end = 0; // of the previous piece
        for (const engine::x86::CodePiece& piece : program->code()->pieces()) {
            std::string name = names.of(*piece.origin);
            if (piece.address != end || name != found.back().name)
                found.push_back({piece.address, 0, std::move(name)});
            found.back().size += piece.bytes;
            end = piece.address + piece.bytes;
        }
    }
    return found;
}

std::string PerfMap::text() const {
    std::string lines;
    for (const auto& [begin, size, name] : pieces())
        fmt::format_to(std::back_inserter(lines), "{:x} {:x} {}\n", begin, size, name);
    return lines;
}

std::optional<std::string> PerfMap::write() const {
    return results::replace_file(fmt::format("/tmp/perf-{}.map", ::getpid()), text());
}

// The format is described by Linux in tools/perf/Documentation/jitdump-specification.txt. Code
// never moves or disappears, so all of it may count as written before the first game.
std::optional<std::string> PerfMap::dump(const std::string& folder) const {
    const auto pid = static_cast<std::uint32_t>(::getpid());
    std::string bytes;
    const auto add = [&](auto... numbers) {
        (bytes.append(reinterpret_cast<const char*>(&numbers), sizeof numbers), ...);
    };
    constexpr std::uint32_t kHead = 40;
    add(std::uint32_t{0x4a695444}, std::uint32_t{1}, kHead, std::uint32_t{EM_X86_64},
        std::uint32_t{0}, pid, made_ns_, std::uint64_t{0});
    constexpr std::uint32_t kLoad = 0; // the record type
    constexpr std::size_t kLoadHead = 56;
    std::uint64_t index = 0;
    for (const auto& [begin, size, name] : pieces()) {
        const auto all = static_cast<std::uint32_t>(kLoadHead + name.size() + 1 + size);
        add(kLoad, all, made_ns_, pid, pid, std::uint64_t{begin}, std::uint64_t{begin},
            std::uint64_t{size}, index++);
        bytes.append(name.c_str(), name.size() + 1);
        // NOLINTNEXTLINE(performance-no-int-to-ptr): the address of code, a number in maps of perf
        bytes.append(reinterpret_cast<const char*>(begin), size);
    }
    const std::string path = fmt::format("{}/jit-{}.dump", folder, pid);
    if (auto failure = results::replace_file(path, bytes)) return failure;
    // `perf record` notices the file because it is mapped as code.
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    void* const mapped = ::mmap(nullptr, kHead, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0);
    std::optional<std::string> failure;
    if (mapped == MAP_FAILED)
        failure = fmt::format("{}: {}", path, std::system_category().message(errno));
    else
        ::munmap(mapped, kHead);
    if (file >= 0) ::close(file);
    return failure;
}

} // namespace croupier::tournaments
