// Between fork and exec of a program with threads only what a signal handler may call can be
// called: here nothing is allocated and nothing locked.
#include "agents/process/guardian.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h> // kill and masks, which <csignal> has not
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

extern char** environ; // handed on unread

namespace croupier::agents {
namespace {

constexpr int kRounds = 500; // of killing; what the system itself holds up is left to it then
constexpr int kBetweenRounds = 10;
constexpr int kBetweenLoans = 100; // ms, until it is seen again whether the terminal is ours
constexpr unsigned kLastDescriptor = ~0U;

void close_between(unsigned first, unsigned last) {
    if (first > last || ::close_range(first, last, 0) == 0) return;
    for (unsigned descriptor = first; descriptor <= std::min(last, 65536U); ++descriptor)
        ::close(static_cast<int>(descriptor));
}

// Whatever else of ours is open, marked or not.
void close_all_but(std::array<int, 6> kept) {
    std::sort(kept.begin(), kept.end());
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
    // Should somebody kill the guardian. It has one thread, on which this hangs.
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

// Whose the terminal is: ours, or for a while the program's. The guardian is in the background and
// has all signals blocked, so that it may say so.
class Terminal {
  public:
    // `harness`: the process group that we leave, which holds the other end of the line.
    Terminal(pid_t harness, int line) : harness_(harness), line_(line) {
        terminal_ = ::open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
    }
    [[nodiscard]] int descriptor() const { return terminal_; }
    // It will be lent as soon as that can be.
    [[nodiscard]] bool waits() const { return ordered_ && stopped_ > 0; }

    void order(GuardianOrder order) {
        ordered_ = order == GuardianOrder::Lend;
        if (ordered_)
            lend();
        else
            take_back();
    }
    // Unless we are in the background ourselves.
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
    // A process of the program was stopped. True: since it uses the terminal.
    bool stopped(pid_t process, int signal) {
        if (terminal_ < 0) return false;
        if (signal == SIGTSTP && lent_ > 0) { // Ctrl-Z: we are meant, too
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
    int terminal_ = -1; // -1: there is none
    bool ordered_ = false;
    pid_t stopped_ = 0; // the group that wants it
    pid_t lent_ = 0;    // the group that has it
};

// Reaps who has ended, and sees who was stopped. False: there is nobody left.
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

// Whose parent is killed comes to us and is next. `reap` returns false when there is nobody left.
template <class Reap>
void kill_all(const pid_t& leader, const Reap& reap) {
    for (int round = 0; round < kRounds; ++round) {
        if (leader > 0) ::kill(-leader, SIGKILL);
        kill_children();
        if (!reap()) return;
        ::poll(nullptr, 0, round == 0 ? 1 : kBetweenRounds);
    }
}

[[noreturn]] void guard(const GuardedLines& lines, char* const* arguments) {
    Terminal terminal(::getpgrp(), lines.line);
    // Ctrl-C is for the group at the terminal, which this one leaves.
    ::setpgid(0, 0);
    ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    sigset_t children;
    ::sigemptyset(&children);
    ::sigaddset(&children, SIGCHLD);
    ::signal(SIGCHLD, SIG_DFL); // somebody may have had it ignored, and then nobody is told
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

// The guardian's own: a program that kills or stops its parent, the guardian, leaves everything to
// this one, which does nothing else.
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

} // namespace

pid_t start_guardian(const GuardedLines& lines, char* const* arguments) {
    // No handler of ours must run in the guardian.
    sigset_t all;
    sigset_t before;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    const pid_t guardian = ::fork();
    if (guardian == 0) guard_guardian(lines, arguments);
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return guardian;
}

} // namespace croupier::agents
