// Measures a row: the candidate and equivalent plain C++, in turn.
#pragma once

#include "games/testing/allocations.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <exception>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <time.h>

namespace croupier::bench {

// True once a row has failed; sets the program's exit code.
inline bool any_failure = false;

// Thrown if an answer is wrong or an input cannot be used.
class WrongAnswer : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

inline void check(bool right, const std::string& message) {
    if (!right) throw WrongAnswer(message);
}

// The meaning of a row's time, which also decides how long the row runs.
enum class Timing {
    Candidate, // only the candidate's time
    Both,      // plain and candidate; for fast candidates, for which plain would run for minutes
};

// Registers a row whose preparation may fail; `body` gets the benchmark::State.
template <typename Body>
void add_row(const std::string& name, Body body, Timing timing = Timing::Candidate) {
    const auto guarded = [body](benchmark::State& state) {
        try {
            body(state);
        } catch (const std::exception& error) {
            any_failure = true;
            state.SkipWithError(error.what());
        }
    };
    auto* const row = benchmark::RegisterBenchmark(name.c_str(), guarded);
    if (timing == Timing::Candidate) row->UseManualTime();
}

template <typename Pass>
double seconds(Pass& pass) {
    const auto begin = std::chrono::steady_clock::now();
    pass();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// Processor time of this thread.
inline double processor_seconds() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

inline double median(std::vector<double> of) {
    const auto middle = of.begin() + static_cast<std::ptrdiff_t>(of.size() / 2);
    std::nth_element(of.begin(), middle, of.end());
    return *middle;
}

// Each pass does `items` pieces of work. The passes alternate, so that other load on the machine
// affects both, and the ratio is the median over pairs of neighbours. Counters:
//   Time      ns per item of the candidate, mean (with Timing::Both of both)
//   ns        the same, median
//   cpu_ns    the same in processor time, which other programs disturb less
//   plain_ns  ns per item of the plain version, median
//   vs_plain  how many times as fast as plain the candidate is
//   allocs    calls of operator new per item of the candidate
// With a `base`, whose passes run in between:
//   over_base  how many times the base's processor time the candidate takes
struct NoBase {
    void operator()() const {}
};
template <typename Plain, typename Candidate, typename Base = NoBase>
void measure(benchmark::State& state, std::int64_t items, Plain plain, Candidate candidate,
             Base base = {}) {
    constexpr bool kHasBase = !std::is_same_v<Base, NoBase>;
    plain();
    base();
    candidate();
    candidate(); // now all buffers have their size
    std::vector<double> ratios;
    std::vector<double> over_base;
    std::vector<double> plain_times;
    std::vector<double> times;
    std::vector<double> processor_times;
    std::uint64_t allocated = 0;
    while (state.KeepRunningBatch(items)) {
        plain_times.push_back(seconds(plain));
        const double base_begin = processor_seconds();
        base();
        const double base_time = processor_seconds() - base_begin;
        const std::uint64_t before = games::allocations();
        const double processor_time = processor_seconds();
        const double time = seconds(candidate);
        processor_times.push_back(processor_seconds() - processor_time);
        allocated += games::allocations() - before;
        times.push_back(time);
        ratios.push_back(plain_times.back() / times.back());
        if (kHasBase) over_base.push_back(processor_times.back() / base_time);
        state.SetIterationTime(times.back());
    }
    const double item_ns = 1e9 / static_cast<double>(items);
    state.counters["ns"] = median(times) * item_ns;
    state.counters["cpu_ns"] = median(processor_times) * item_ns;
    state.counters["plain_ns"] = median(plain_times) * item_ns;
    state.counters["vs_plain"] = median(ratios);
    if (kHasBase) state.counters["over_base"] = median(over_base);
    state.counters["allocs"] = static_cast<double>(allocated) / static_cast<double>(times.size()) /
                               static_cast<double>(items);
}

// The suites of the files bench_*.cpp.

void add_agent_rows();
void add_belote_rows();
void add_form_rows();
void add_life_rows();
void add_match_rows();
void add_oldmaid_rows();
void add_peer_rows();
void add_playout_rows();
void add_search_rows();
void add_state_rows();

} // namespace croupier::bench
