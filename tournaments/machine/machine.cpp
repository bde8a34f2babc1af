// Reads clocks and /proc; uses counters and timers of the system, with a handler for their signal.
#include "tournaments/machine/machine.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <fstream>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h> // clocks of processes, missing in <ctime>
#include <ucontext.h>
#include <unistd.h>

namespace croupier::tournaments {

std::string describe_machine() {
    utsname name{};
    ::uname(&name);
    std::string model;
    std::ifstream facts("/proc/cpuinfo");
    for (std::string line; model.empty() && std::getline(facts, line);)
        if (line.starts_with("model name"))
            model = line.substr(std::min(line.find(": "), line.size()));
    const std::size_t cores = machine_threads();
    return fmt::format("{} {}, {} core{}{}{}", name.sysname, name.machine, cores,
                       cores == 1 ? "" : "s", model.empty() ? "" : ", ",
                       model.empty() ? "" : model.substr(2));
}

// Less than the machine's number if the process is restricted to some cores.
std::size_t machine_threads() {
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    const int mine =
        ::sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : 0;
    if (mine > 0) return static_cast<std::size_t>(mine);
    return std::max<std::size_t>(std::thread::hardware_concurrency(), 1);
}

std::string time_now() {
    return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

namespace {

agents::Clock::Time time_of(clockid_t clock) {
    timespec time{};
    if (::clock_gettime(clock, &time) != 0) return {};
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

// Not a divisor of usual periods, so that ticks do not synchronize with games.
constexpr std::uint64_t kFineNs = 249'989;
constexpr std::uint64_t kCoarseNs = 3'999'971;
constexpr int kSignal = SIGPROF;

// The buffer for the ticks of this thread.
constinit thread_local std::atomic<TickBuffer*> target = nullptr;

std::uintptr_t place_of([[maybe_unused]] const void* context) {
#if defined(__x86_64__)
    return static_cast<std::uintptr_t>(
        static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
    return static_cast<std::uintptr_t>(static_cast<const ucontext_t*>(context)->uc_mcontext.pc);
#else
    return 1; // no code address: only the interpreter's state is known
#endif
}

void take_signal(int, siginfo_t*, void* context) {
    const int kept = errno;
    if (TickBuffer* const buffer = target.load(std::memory_order_relaxed))
        buffer->note(place_of(context));
    errno = kept;
}

bool install() {
    struct sigaction action = {};
    action.sa_sigaction = take_signal;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    sigemptyset(&action.sa_mask);
    return ::sigaction(kSignal, &action, nullptr) == 0;
}

// Opens a counter of this thread in user mode. Negative if not permitted.
int open_counter(perf_event_attr wanted, int group = -1) {
    wanted.size = sizeof wanted;
    wanted.exclude_kernel = 1;
    wanted.exclude_hv = 1;
    return static_cast<int>(
        ::syscall(SYS_perf_event_open, &wanted, 0, -1, group, PERF_FLAG_FD_CLOEXEC));
}

// Counts processor events of the thread that created it.
class CounterGroup {
  public:
    CounterGroup() {
        for (const std::uint64_t kind : {PERF_COUNT_HW_INSTRUCTIONS, PERF_COUNT_HW_CPU_CYCLES,
                                         PERF_COUNT_HW_BRANCH_MISSES, PERF_COUNT_HW_CACHE_MISSES}) {
            perf_event_attr wanted = {};
            wanted.type = PERF_TYPE_HARDWARE;
            wanted.config = kind;
            wanted.read_format =
                PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
            counters_.push_back(open_counter(wanted, counters_.empty() ? -1 : counters_[0]));
            if (counters_.back() < 0) return;
        }
    }
    CounterGroup(const CounterGroup&) = delete;
    CounterGroup& operator=(const CounterGroup&) = delete;
    ~CounterGroup() {
        for (const int counter : counters_)
            if (counter >= 0) ::close(counter);
    }

    [[nodiscard]] std::optional<results::HardwareCounts> read() const {
        std::array<std::uint64_t, 3 + std::tuple_size_v<results::HardwareCounts>> words{};
        const auto bytes = ::read(counters_[0], words.data(), sizeof words);
        if (bytes < 0) return std::nullopt;
        return decode_counters({words.data(), static_cast<std::size_t>(bytes) / sizeof words[0]});
    }

  private:
    std::vector<int> counters_;
};

// Interrupts one thread during its lifetime.
class Interrupter {
  public:
    Interrupter() = default;
    Interrupter(const Interrupter&) = delete;
    Interrupter& operator=(const Interrupter&) = delete;
    ~Interrupter() {
        if (counter_ >= 0) ::close(counter_);
        if (has_timer_) ::timer_delete(timer_);
    }

    // For the current thread.
    bool count_task_time(std::uint64_t every_ns) {
        perf_event_attr wanted = {};
        wanted.type = PERF_TYPE_SOFTWARE;
        wanted.config = PERF_COUNT_SW_TASK_CLOCK;
        wanted.sample_period = every_ns;
        wanted.wakeup_events = 1;
        counter_ = open_counter(wanted);
        if (counter_ < 0) return false;
        const f_owner_ex owner = {F_OWNER_TID, static_cast<pid_t>(::syscall(SYS_gettid))};
        return ::fcntl(counter_, F_SETSIG, kSignal) == 0 &&
               ::fcntl(counter_, F_SETOWN_EX, &owner) == 0 &&
               ::fcntl(counter_, F_SETFL, O_ASYNC | O_NONBLOCK) == 0;
    }
    bool set_timer() {
        sigevent event = {};
        event.sigev_notify = SIGEV_THREAD_ID;
        event.sigev_signo = kSignal;
        event._sigev_un._tid = static_cast<pid_t>(::syscall(SYS_gettid));
        has_timer_ = ::timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer_) == 0;
        const itimerspec every = {{0, kFineNs}, {0, kFineNs}};
        return has_timer_ && ::timer_settime(timer_, 0, &every, nullptr) == 0;
    }

  private:
    int counter_ = -1;
    bool has_timer_ = false;
    timer_t timer_{};
};

class SignalSampler : public Sampler {
  public:
    SignalSampler(Ticks ticks, std::optional<results::HardwareCounts>* counted)
        : kind_(ticks), counted_(counted) {}

    void sample(TickBuffer* into) override {
        if (kind_ == Ticks::None) {
            if (counted_ != nullptr) count(into != nullptr);
            return;
        }
        if (into != nullptr) interrupt();
        target.store(into, std::memory_order_relaxed);
    }
    [[nodiscard]] std::uint64_t cpu_ns() const override {
        timespec now = {};
        ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
        return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000u +
               static_cast<std::uint64_t>(now.tv_nsec);
    }

  private:
    // Makes the current thread be interrupted; once per thread.
    void interrupt() {
        static constinit thread_local std::uint64_t known = 0; // the current sampler of this thread
        if (known == number_) return;
        known = number_;
        auto made = std::make_unique<Interrupter>();
        if (!made->count_task_time(kind_ == Ticks::Fine ? kFineNs : kCoarseNs)) {
            made = std::make_unique<Interrupter>();
            if (!made->set_timer()) return;
        }
        const std::lock_guard lock(mutex_);
        all_.push_back(std::move(made));
    }

    void count(bool begin) {
        if (begin) {
            group_ = std::make_unique<CounterGroup>();
            return;
        }
        const auto more = std::exchange(group_, nullptr)->read();
        if (!more) return;
        if (!*counted_) counted_->emplace();
        for (std::size_t i = 0; i < more->size(); ++i)
            (**counted_)[i] += (*more)[i];
    }

    static std::uint64_t next_number() {
        static constinit std::atomic<std::uint64_t> last = 0;
        return ++last;
    }

    Ticks kind_;
    std::optional<results::HardwareCounts>* counted_; // may be null
    std::unique_ptr<CounterGroup> group_;
    std::uint64_t number_ = next_number();
    std::mutex mutex_; // guards the members below
    std::vector<std::unique_ptr<Interrupter>> all_;
};

} // namespace

std::chrono::nanoseconds SteadyClock::now() const {
    return std::chrono::steady_clock::now().time_since_epoch();
}

agents::Clock::Time SteadyClock::processor() const {
    return time_of(CLOCK_THREAD_CPUTIME_ID);
}

agents::Clock::Time SteadyClock::processor_of(std::int64_t process) const {
    clockid_t clock{};
    if (::clock_getcpuclockid(static_cast<pid_t>(process), &clock) != 0) return {};
    return time_of(clock);
}

std::unique_ptr<Sampler> make_sampler(Ticks ticks,
                                      std::optional<results::HardwareCounts>* counted) {
    if (ticks != Ticks::None && !install()) return nullptr;
    return std::make_unique<SignalSampler>(ticks, counted);
}

std::optional<results::HardwareCounts> decode_counters(std::span<const std::uint64_t> words) {
    results::HardwareCounts counts;
    if (words.size() != 3 + counts.size() || words[0] != counts.size() || words[2] == 0)
        return std::nullopt;
    for (std::size_t i = 0; i < counts.size(); ++i)
        counts[i] = static_cast<double>(words[3 + i]) * static_cast<double>(words[1]) /
                    static_cast<double>(words[2]);
    return counts;
}

} // namespace croupier::tournaments
