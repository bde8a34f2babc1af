// Pipes, groups and polls.
#include "agents/process/child.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <poll.h>
#include <signal.h> // kill, which <csignal> has not
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

extern char** environ; // handed on unread

namespace croupier::agents {
namespace {

constexpr std::size_t kKeptErrors = 4096;
constexpr std::chrono::milliseconds kBetweenLooks{2};

void close_one(int& descriptor) {
    if (descriptor >= 0) ::close(descriptor);
    descriptor = -1;
}

// Milliseconds for poll, rounded up; 0 if it is too late.
int remaining(std::chrono::nanoseconds now, std::chrono::nanoseconds deadline) {
    if (now >= deadline) return 0;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - now).count();
    return static_cast<int>(std::min<std::int64_t>(left, 60'000));
}

} // namespace

// Both ends of the three lines.
struct Child::Pipes {
    std::array<int, 2> input{-1, -1}; // ours first
    std::array<int, 2> output{-1, -1};
    std::array<int, 2> error{-1, -1};

    // Input is a socket, because a write to a closed pipe would end us by a signal.
    bool open() {
        if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, input.data()) != 0) return false;
        return ::pipe2(output.data(), O_CLOEXEC) == 0 && ::pipe2(error.data(), O_CLOEXEC) == 0;
    }
    ~Pipes() {
        for (auto* const ends : {&input, &output, &error}) {
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
    output_ended_ = false;
    Pipes pipes;
    if (!pipes.open()) return fmt::format("no pipe: {}", std::strerror(errno));
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawnattr_init(&attributes);
    ::posix_spawn_file_actions_adddup2(&actions, pipes.input[1], STDIN_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, pipes.output[1], STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, pipes.error[1], STDERR_FILENO);
    // Whatever else of ours is open, marked or not.
    ::posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
    sigset_t signals;
    ::sigemptyset(&signals);
    ::posix_spawnattr_setsigmask(&attributes, &signals);
    ::posix_spawnattr_setpgroup(&attributes, 0);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    std::string shell = "sh";
    std::string option = "-c";
    std::string text = "exec " + command; // so that the shell is not there any more
    const std::array<char*, 4> arguments = {shell.data(), option.data(), text.data(), nullptr};
    const int failed =
        ::posix_spawn(&pid_, "/bin/sh", &actions, &attributes, arguments.data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    ::posix_spawnattr_destroy(&attributes);
    if (failed != 0) {
        pid_ = -1;
        return fmt::format("/bin/sh: {}", std::strerror(failed));
    }
    input_ = std::exchange(pipes.input[0], -1);
    output_ = std::exchange(pipes.output[0], -1);
    error_ = std::exchange(pipes.error[0], -1);
    for (const int descriptor : {input_, output_, error_})
        ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) | O_NONBLOCK);
    return std::nullopt;
}

// Until there is something to read, or input takes more; false if it is too late.
bool Child::wait_for(short what_to_input, Time deadline) {
    std::array<pollfd, 3> watched = {pollfd{output_ended_ ? -1 : output_, POLLIN, 0},
                                     pollfd{error_, POLLIN, 0},
                                     pollfd{what_to_input == 0 ? -1 : input_, what_to_input, 0}};
    const int left = remaining(clock_.now(), deadline);
    const int ready = ::poll(watched.data(), watched.size(), left);
    if (ready < 0 && errno == EINTR) return true;
    if (watched[0].revents != 0 && !read_output()) output_ended_ = true;
    if (watched[1].revents != 0 && !read_errors()) close_one(error_);
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

bool Child::is_flood() const {
    return error_bytes_ > kMostErrors ||
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
        // Who talks and does not listen would fill the memory.
        if (is_flood() || buffer_.size() > kLongestLine) return Outcome::Flood;
    }
    return Outcome::Good;
}

Child::Outcome Child::read_line(std::string& line, Time deadline) {
    for (;;) {
        const std::size_t end = buffer_.find('\n');
        if (is_flood()) return Outcome::Flood;
        if (end != std::string::npos) {
            line.assign(buffer_, 0, end);
            buffer_.erase(0, end + 1);
            return Outcome::Good;
        }
        if (output_ended_) return Outcome::Closed;
        if (!wait_for(0, deadline)) return Outcome::Late;
    }
}

bool Child::has_spoken() {
    if (!output_ended_) wait_for(0, clock_.now());
    return !buffer_.empty();
}

bool Child::reap(Time deadline) {
    for (;;) {
        const pid_t ended = ::waitpid(pid_, &status_, WNOHANG);
        if (ended == pid_ || (ended < 0 && errno != EINTR)) return true;
        if (clock_.now() >= deadline) return false;
        ::poll(nullptr, 0, static_cast<int>(kBetweenLooks.count()));
    }
}

std::string Child::how_it_ended(Time deadline) {
    const bool ended = reap(deadline);
    while (error_ >= 0 && read_errors() && errno != EAGAIN) {
    }
    const int status = status_;
    // What it has started and left behind is in its group.
    if (ended) ::kill(-pid_, SIGKILL);
    if (ended) pid_ = -1;
    kill();
    if (!ended) return "closed its output";
    if (WIFSIGNALED(status)) return fmt::format("was killed by signal {}", WTERMSIG(status));
    return fmt::format("ended with exit code {}", WEXITSTATUS(status));
}

void Child::finish(Time deadline) {
    if (pid_ <= 0) return;
    close_one(input_);
    reap(deadline);
    kill();
}

void Child::kill() {
    if (pid_ > 0) {
        ::kill(-pid_, SIGKILL);
        ::waitpid(pid_, &status_, 0);
        pid_ = -1;
    }
    close_all();
}

void Child::close_all() {
    close_one(input_);
    close_one(output_);
    close_one(error_);
}

} // namespace croupier::agents
