// Counters and timers of the system, and the handler of their signal.
#include "tournaments/cli/sampler.h"

#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace croupier::cli {
namespace {

using tournaments::TickBuffer;

// No whole part of anything that games do, so that ticks do not fall into step with them.
constexpr std::uint64_t kFineNs = 249'989;
constexpr std::uint64_t kCoarseNs = 3'999'971;
constexpr int kSignal = SIGPROF;

// Where the ticks of this thread go.
constinit thread_local std::atomic<TickBuffer*> target = nullptr;

std::uintptr_t place_of([[maybe_unused]] const void* context) {
#if defined(__x86_64__)
    return static_cast<std::uintptr_t>(
        static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
    return static_cast<std::uintptr_t>(static_cast<const ucontext_t*>(context)->uc_mcontext.pc);
#else
    return 1; // of no code: what the interpreter knows has to do
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

// What interrupts one thread, as long as it lives.
class Interrupter {
  public:
    Interrupter() = default;
    Interrupter(const Interrupter&) = delete;
    Interrupter& operator=(const Interrupter&) = delete;
    ~Interrupter() {
        if (counter_ >= 0) ::close(counter_);
        if (has_timer_) ::timer_delete(timer_);
    }

    // For the thread at hand.
    bool count_task_time(std::uint64_t every_ns) {
        perf_event_attr wanted = {};
        wanted.size = sizeof wanted;
        wanted.type = PERF_TYPE_SOFTWARE;
        wanted.config = PERF_COUNT_SW_TASK_CLOCK;
        wanted.sample_period = every_ns;
        wanted.wakeup_events = 1;
        wanted.exclude_kernel = 1;
        wanted.exclude_hv = 1;
        counter_ = static_cast<int>(
            ::syscall(SYS_perf_event_open, &wanted, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
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

class SignalSampler : public tournaments::Sampler {
  public:
    explicit SignalSampler(Ticks ticks) : kind_(ticks) {}

    void sample(TickBuffer* into) override {
        if (kind_ == Ticks::None) return;
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
    // The thread at hand, once.
    void interrupt() {
        static constinit thread_local std::uint64_t known = 0; // the sampler that has
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

    static std::uint64_t next_number() {
        static constinit std::atomic<std::uint64_t> last = 0;
        return ++last;
    }

    Ticks kind_;
    std::uint64_t number_ = next_number();
    std::mutex mutex_; // of what follows
    std::vector<std::unique_ptr<Interrupter>> all_;
};

} // namespace

std::unique_ptr<tournaments::Sampler> make_sampler(Ticks ticks) {
    if (ticks != Ticks::None && !install()) return nullptr;
    return std::make_unique<SignalSampler>(ticks);
}

} // namespace croupier::cli
