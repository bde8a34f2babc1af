// Pipes, polls, and the guardian process that kills a program's processes.
#include "agents/process/child.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <signal.h> // kill and masks, missing in <csignal>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ; // passed on unread

namespace croupier::agents {

namespace {

constexpr int kKillingRounds = 500; // of killing; remaining processes are blocked in the system
constexpr int kBetweenRounds = 10;
constexpr int kBetweenLoans = 100; // ms between checks whether the terminal is ours
constexpr unsigned kLastDescriptor = ~0U;

// Between fork and exec of a threaded program only async-signal-safe calls are allowed: this code
// neither allocates nor locks.
void close_between(unsigned first, unsigned last) {
    if (first > last || ::close_range(first, last, 0) == 0) return;
    for (unsigned descriptor = first; descriptor <= std::min(last, 65536U); ++descriptor)
        ::close(static_cast<int>(descriptor));
}

// Closes all other descriptors of ours, whether or not they are close-on-exec.
void close_all_but(std::array<int, 6> kept) {
    std::ranges::sort(kept);
    unsigned next = 0;
    for (const int descriptor : kept) {
        if (descriptor < 0) continue;
        const auto number = static_cast<unsigned>(descriptor);
        if (number > next) close_between(next, number - 1);
        next = number + 1;
    }
    close_between(next, kLastDescriptor);
}

[[noreturn]] void become_program(const GuardedLines& lines, char* const* arguments) {
    ::setpgid(0, 0);
    // For the case that the guardian is killed. The signal is tied to its only thread.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    std::array<int, 3> from{};
    for (std::size_t i = 0; i < from.size(); ++i)
        from[i] = ::fcntl(lines.standard[i], F_DUPFD, STDERR_FILENO + 1);
    for (std::size_t i = 0; i < from.size(); ++i)
        ::dup2(from[i], static_cast<int>(i));
    close_between(STDERR_FILENO + 1, kLastDescriptor);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    ::execve("/bin/sh", arguments, environ);
    ::_exit(127);
}

void tell(int line, GuardianNews::Kind kind, int value) {
    const GuardianNews news{kind, value};
    (void)::send(line, &news, sizeof news, MSG_NOSIGNAL);
}

// The owner of the terminal: we, or for a while the program. The guardian is in the background and
// blocks all signals, so that it may change the owner.
class Terminal {
  public:
    // `harness`: our own process group, which the guardian leaves; it holds the other end of the
    // line.
    Terminal(pid_t harness, int line) : harness_(harness), line_(line) {
        terminal_ = ::open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
    }
    [[nodiscard]] int descriptor() const { return terminal_; }
    // The terminal will be lent as soon as possible.
    [[nodiscard]] bool waits() const { return ordered_ && stopped_ > 0; }

    void order(GuardianOrder order) {
        ordered_ = order == GuardianOrder::Lend;
        if (ordered_)
            lend();
        else
            take_back();
    }
    // Does nothing while we are in the background ourselves.
    void lend() {
        if (!waits() || ::tcgetpgrp(terminal_) != harness_) return;
        if (::tcsetpgrp(terminal_, stopped_) != 0) return;
        lent_ = stopped_;
        stopped_ = 0;
        ::kill(-lent_, SIGCONT);
    }
    void take_back() {
        if (lent_ == 0) return;
        if (::tcgetpgrp(terminal_) != harness_) ::tcsetpgrp(terminal_, harness_);
        lent_ = 0;
    }
    // Call when a process of the program was stopped. True if that is because it uses the terminal.
    bool stopped(pid_t process, int signal) {
        if (terminal_ < 0) return false;
        if (signal == SIGTSTP && lent_ > 0) { // Ctrl-Z stops us, too
            take_back();
            ::kill(-harness_, SIGTSTP);
        } else if (signal != SIGTTIN && signal != SIGTTOU) {
            return false;
        }
        stopped_ = ::getpgid(process);
        lend();
        return true;
    }
    // The program has ended.
    void ended(int status) {
        if (lent_ == 0) return;
        take_back();
        const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
        if ((signal == SIGINT || signal == SIGQUIT) && harness_is_there())
            ::kill(-harness_, signal);
    }

  private:
    [[nodiscard]] bool harness_is_there() const {
        char next = 0;
        return ::recv(line_, &next, sizeof next, MSG_PEEK | MSG_DONTWAIT) != 0;
    }

    pid_t harness_;
    int line_;
    int terminal_ = -1; // -1 if there is none
    bool ordered_ = false;
    pid_t stopped_ = 0; // the group that wants it
    pid_t lent_ = 0;    // the group that has it
};

// Reaps ended processes and handles stopped ones. False if no child is left.
bool reap(int line, pid_t& leader, Terminal& terminal) {
    for (;;) {
        int status = 0;
        const pid_t changed = ::waitpid(-1, &status, WNOHANG | WUNTRACED);
        if (changed < 0 && errno != EINTR) return false;
        if (changed == 0) return true;
        if (changed > 0 && WIFSTOPPED(status)) {
            if (terminal.stopped(changed, WSTOPSIG(status)))
                tell(line, GuardianNews::Kind::WantsTerminal, 0);
            continue;
        }
        if (changed != leader) continue;
        leader = -1;
        terminal.ended(status);
        tell(line, GuardianNews::Kind::Ended, status);
    }
}

void kill_children() {
    const int list = ::open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
    if (list < 0) return;
    std::array<char, 4096> piece{};
    pid_t number = 0;
    for (;;) {
        const ssize_t count = ::read(list, piece.data(), piece.size());
        if (count <= 0) break;
        for (ssize_t i = 0; i < count; ++i) {
            const char c = piece[static_cast<std::size_t>(i)];
            if (c >= '0' && c <= '9') {
                number = number * 10 + (c - '0');
            } else {
                if (number > 0) ::kill(number, SIGKILL);
                number = 0;
            }
        }
    }
    if (number > 0) ::kill(number, SIGKILL);
    ::close(list);
}

// Children of a killed process become ours and are killed next. `reap` returns false when none is
// left.
template <class Reap>
void kill_all(const pid_t& leader, const Reap& reap) {
    for (int round = 0; round < kKillingRounds; ++round) {
        if (leader > 0) ::kill(-leader, SIGKILL);
        kill_children();
        if (!reap()) return;
        ::poll(nullptr, 0, round == 0 ? 1 : kBetweenRounds);
    }
}

[[noreturn]] void guard(const GuardedLines& lines, char* const* arguments) {
    Terminal terminal(::getpgrp(), lines.line);
    // Ctrl-C is for the terminal's group, which this process leaves.
    ::setpgid(0, 0);
    ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    sigset_t children;
    ::sigemptyset(&children);
    ::sigaddset(&children, SIGCHLD);
    ::signal(SIGCHLD, SIG_DFL); // if it was ignored, there would be no notice
    const int ended = ::signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK);
    close_all_but({lines.standard[0], lines.standard[1], lines.standard[2], lines.line, ended,
                   terminal.descriptor()});
    pid_t leader = ::fork();
    if (leader == 0) become_program(lines, arguments);
    for (const int descriptor : lines.standard)
        ::close(descriptor);
    if (leader < 0) {
        tell(lines.line, GuardianNews::Kind::Ended, 127 << 8);
    } else {
        tell(lines.line, GuardianNews::Kind::Started, leader);
        for (;;) {
            std::array<pollfd, 2> watched = {pollfd{lines.line, POLLIN, 0},
                                             pollfd{ended, POLLIN, 0}};
            const int pause = terminal.waits() ? kBetweenLoans : -1;
            if (::poll(watched.data(), watched.size(), pause) < 0 && errno != EINTR) break;
            if (watched[0].revents != 0) {
                GuardianOrder order{};
                if (::recv(lines.line, &order, sizeof order, MSG_DONTWAIT) <= 0) break; // closed
                terminal.order(order);
            }
            terminal.lend();
            if (watched[1].revents == 0) continue;
            signalfd_siginfo info{};
            while (::read(ended, &info, sizeof info) > 0) {
            }
            reap(lines.line, leader, terminal);
        }
        terminal.order(GuardianOrder::TakeBack);
        kill_all(leader, [&] { return reap(lines.line, leader, terminal); });
    }
    ::_exit(0);
}

// The guardian's guardian: if a program kills or stops its parent, the guardian, this process takes
// over; it does nothing else.
[[noreturn]] void guard_guardian(const GuardedLines& lines, char* const* arguments) {
    ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    ::signal(SIGCHLD, SIG_DFL);
    const pid_t guardian = ::fork();
    if (guardian == 0) guard(lines, arguments);
    ::setpgid(0, 0);
    close_between(0, kLastDescriptor);
    while (::waitpid(guardian, nullptr, WUNTRACED) < 0 && errno == EINTR) {
    }
    kill_all(-1, [] {
        pid_t ended = 0;
        while ((ended = ::waitpid(-1, nullptr, WNOHANG)) > 0) {
        }
        return ended == 0;
    });
    ::_exit(0);
}

constexpr std::size_t kKeptErrors = 4096;
constexpr std::chrono::milliseconds kBetweenLooks{1};
constexpr std::chrono::seconds kMaxKilling{6}; // a second more than a guardian tries
constexpr int kSlice = 100;                    // ms of waiting between checks of `abandon`

void close_one(int& descriptor) {
    if (descriptor >= 0) ::close(descriptor);
    descriptor = -1;
}

// Milliseconds for poll, rounded up; 0 if the deadline has passed.
int remaining(std::chrono::nanoseconds now, std::chrono::nanoseconds deadline) {
    if (now >= deadline) return 0;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - now).count();
    return static_cast<int>(std::min<std::int64_t>(left, kSlice));
}

} // namespace

pid_t start_guardian(const GuardedLines& lines, char* const* arguments) {
    // Our signal handlers must not run in the guardian.
    sigset_t all;
    sigset_t before;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    const pid_t guardian = ::fork();
    if (guardian == 0) guard_guardian(lines, arguments);
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return guardian;
}

// Both ends of the three standard lines, and of the guardian's.
struct Child::Pipes {
    std::array<int, 2> line{-1, -1};  // ours first
    std::array<int, 2> input{-1, -1}; // ours first
    std::array<int, 2> output{-1, -1};
    std::array<int, 2> error{-1, -1};

    // Input is a socket, because a write to a closed pipe would kill us by a signal.
    bool open() {
        if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, line.data()) != 0) return false;
        if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, input.data()) != 0) return false;
        return ::pipe2(output.data(), O_CLOEXEC) == 0 && ::pipe2(error.data(), O_CLOEXEC) == 0;
    }
    ~Pipes() {
        for (auto* const ends : {&line, &input, &output, &error}) {
            close_one((*ends)[0]);
            close_one((*ends)[1]);
        }
    }
};

std::optional<std::string> Child::start(const std::string& command) {
    kill();
    buffer_.clear();
    errors_.clear();
    error_bytes_ = 0;
    output_ended_ = ended_ = wants_terminal_ = has_terminal_ = false;
    leader_ = 0;
    Pipes pipes;
    if (!pipes.open()) return fmt::format("no pipe: {}", std::strerror(errno));
    std::string shell = "sh";
    std::string option = "-c";
    std::string text = "exec " + command; // replaces the shell
    const std::array<char*, 4> arguments = {shell.data(), option.data(), text.data(), nullptr};
    guardian_ = start_guardian({{pipes.input[1], pipes.output[1], pipes.error[1]}, pipes.line[1]},
                               arguments.data());
    if (guardian_ < 0) return fmt::format("no process: {}", std::strerror(errno));
    line_ = std::exchange(pipes.line[0], -1);
    input_ = std::exchange(pipes.input[0], -1);
    output_ = std::exchange(pipes.output[0], -1);
    error_ = std::exchange(pipes.error[0], -1);
    for (const int descriptor : {line_, input_, output_, error_})
        ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) | O_NONBLOCK);
    return std::nullopt;
}

// Waits until there is output or input can be written, but at most one slice; false if the deadline
// has passed.
bool Child::wait_for(short what_to_input, Time deadline) {
    if (abandons()) return false;
    std::array<pollfd, 4> watched = {pollfd{output_ended_ ? -1 : output_, POLLIN, 0},
                                     pollfd{error_, POLLIN, 0},
                                     pollfd{what_to_input == 0 ? -1 : input_, what_to_input, 0},
                                     pollfd{ended_ ? -1 : line_, POLLIN, 0}};
    const int left = remaining(clock_.now(), deadline);
    const int ready = ::poll(watched.data(), watched.size(), left);
    if (ready < 0 && errno == EINTR) return true;
    if (watched[0].revents != 0 && !read_output()) output_ended_ = true;
    if (watched[1].revents != 0 && !read_errors()) close_one(error_);
    if (watched[3].revents != 0) read_news();
    return ready > 0 || left > 0;
}

bool Child::read_output() {
    std::array<char, 65536> piece{};
    const ssize_t count = ::read(output_, piece.data(), piece.size());
    if (count > 0) buffer_.append(piece.data(), static_cast<std::size_t>(count));
    return count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR));
}

bool Child::read_errors() {
    std::array<char, 4096> piece{};
    const ssize_t count = ::read(error_, piece.data(), piece.size());
    if (count > 0) {
        errors_.append(piece.data(), static_cast<std::size_t>(count));
        error_bytes_ += static_cast<std::size_t>(count);
        if (errors_.size() > kKeptErrors) errors_.erase(0, errors_.size() - kKeptErrors);
    }
    return count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR));
}

// A program that ended after its answer has answered. Does not wait for other holders of its
// output.
void Child::read_news() {
    GuardianNews news;
    while (!ended_) {
        const ssize_t count = ::recv(line_, &news, sizeof news, MSG_DONTWAIT);
        if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
        if (count == sizeof news && news.kind == GuardianNews::Kind::Started) {
            leader_ = news.value;
            continue;
        }
        if (count == sizeof news && news.kind == GuardianNews::Kind::WantsTerminal) {
            wants_terminal_ = true;
            continue;
        }
        ended_ = true; // also if the guardian is gone, which kills the program
        leader_ = 0;
        status_ = count == sizeof news ? news.value : SIGKILL;
    }
    while (!output_ended_ && buffer_.size() <= kLongestLine) {
        errno = 0;
        if (!read_output() || errno == EAGAIN) output_ended_ = true;
    }
    output_ended_ = true;
}

bool Child::is_flood() const {
    return error_bytes_ > kMaxErrors ||
           (buffer_.size() > kLongestLine && buffer_.find('\n') > kLongestLine);
}

Child::Outcome Child::write_line(std::string_view line, Time deadline) {
    std::string rest(line);
    rest += '\n';
    while (!rest.empty()) {
        const ssize_t sent = ::send(input_, rest.data(), rest.size(), MSG_NOSIGNAL);
        if (sent > 0) {
            rest.erase(0, static_cast<std::size_t>(sent));
            continue;
        }
        if (sent < 0 && errno != EAGAIN && errno != EINTR) return Outcome::Closed;
        if (!wait_for(POLLOUT, deadline)) return Outcome::Late;
        if (ended_) return Outcome::Closed;
        // A program that writes but never reads would fill the memory.
        if (is_flood() || buffer_.size() > kLongestLine) return Outcome::Flood;
    }
    return Outcome::Good;
}

void Child::order(GuardianOrder order) const {
    (void)::send(line_, &order, sizeof order, MSG_NOSIGNAL | MSG_DONTWAIT);
}

// If Ctrl-C was pressed at the program's prompt, its end is not a fault of the program: wait for
// our own stop, which follows.
void Child::wait_for_the_end() const {
    const Time deadline = clock_.now() + kMaxKilling;
    while (!abandons() && clock_.now() < deadline)
        ::poll(nullptr, 0, kSlice);
}

Child::Outcome Child::read_line(std::string& line, Time deadline) {
    has_terminal_ = false;
    const Outcome outcome = next_line(line, deadline);
    if (!has_terminal_) return outcome;
    // Get the exit status first: the guardian passes Ctrl-C on while the terminal is lent.
    if (outcome == Outcome::Closed && has_ended(clock_.now() + kMaxKilling) &&
        WIFSIGNALED(status_) && WTERMSIG(status_) == SIGINT)
        wait_for_the_end();
    order(GuardianOrder::TakeBack);
    return outcome;
}

Child::Outcome Child::next_line(std::string& line, Time deadline) {
    for (;;) {
        const std::size_t end = buffer_.find('\n');
        if (is_flood()) return Outcome::Flood;
        if (end != std::string::npos) {
            line.assign(buffer_, 0, end);
            buffer_.erase(0, end + 1);
            return Outcome::Good;
        }
        if (output_ended_) return Outcome::Closed;
        if (std::exchange(wants_terminal_, false)) {
            has_terminal_ = true;
            order(GuardianOrder::Lend);
        }
        const Time until = has_terminal_ ? clock_.now() + kMaxKilling : deadline;
        if (!wait_for(0, until)) return Outcome::Late;
    }
}

bool Child::has_spoken() {
    if (!output_ended_) wait_for(0, clock_.now());
    return !buffer_.empty();
}

// Waits for the end.
bool Child::has_ended(Time deadline) {
    while (!ended_ && wait_for(0, deadline)) {
    }
    return ended_;
}

std::string Child::how_it_ended(Time deadline) {
    const bool ended = has_ended(deadline);
    while (error_ >= 0 && read_errors() && errno != EAGAIN) {
    }
    const int status = status_;
    kill();
    if (!ended) return "closed its output";
    if (WIFSIGNALED(status)) return fmt::format("was killed by signal {}", WTERMSIG(status));
    return fmt::format("ended with exit code {}", WEXITSTATUS(status));
}

void Child::finish(Time deadline) {
    if (!is_running()) return;
    close_one(input_);
    has_ended(deadline);
    kill();
}

// The guardian kills the program.
void Child::kill() {
    close_all();
    if (!is_running()) return;
    const Time deadline = clock_.now() + kMaxKilling;
    for (;;) {
        const pid_t ended = ::waitpid(guardian_, nullptr, WNOHANG);
        if (ended == guardian_ || (ended < 0 && errno != EINTR) || clock_.now() >= deadline) break;
        ::poll(nullptr, 0, static_cast<int>(kBetweenLooks.count()));
    }
    guardian_ = -1;
    leader_ = 0;
}

void Child::close_all() {
    close_one(line_);
    close_one(input_);
    close_one(output_);
    close_one(error_);
}

} // namespace croupier::agents
