#include "games/clips/worker.h"

#include "games/clips/environment.h"

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>

extern char** environ;

namespace croupier::games::clips {

Worker::Worker(const std::string& program, Outside outside, std::size_t memory)
    : outside_(std::move(outside)) {
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
        throw Ended(std::generic_category().message(errno), {});
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, ends[1], 0);
    posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
    // Ctrl-C at the terminal is ours: we tell the worker. It catches signals as it likes.
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    std::string bytes = std::to_string(memory);
    std::string name = program;
    std::array<char*, 3> words{name.data(), bytes.data(), nullptr};
    const int failed =
        posix_spawn(&process_, program.c_str(), &files, &attributes, words.data(), environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    close(ends[1]);
    socket_ = ends[0];
    if (failed != 0) {
        process_ = -1;
        close(std::exchange(socket_, -1));
        throw Ended(program + ": " + std::generic_category().message(failed), {});
    }
}

Worker::~Worker() {
    if (socket_ >= 0) close(socket_);
    if (process_ < 0) return;
    kill();
    while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
    }
}

void Worker::interrupt() const {
    if (process_ > 0) ::kill(process_, SIGINT);
}

void Worker::kill() const {
    if (process_ > 0) ::kill(process_, SIGKILL);
}

void Worker::ended() {
    close(std::exchange(socket_, -1));
    kill(); // if it still runs, it has said what is no message
    int status = 0;
    while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    process_ = -1;
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV)
        throw Ended("CLIPS crashed, as it does where functions call themselves too deep", {});
    if (WIFEXITED(status) && WEXITSTATUS(status) == kOutOfMemory)
        throw Ended("CLIPS has taken all the memory that it may", {});
    if (WIFSIGNALED(status))
        throw Ended("CLIPS was ended by signal " + std::to_string(WTERMSIG(status)), {});
    throw Ended("CLIPS has ended with code " + std::to_string(WEXITSTATUS(status)), {});
}

Words Worker::ask(const Words& request) {
    if (socket_ < 0) throw Ended("CLIPS has ended", {});
    if (!send_words(socket_, request)) ended();
    for (;;) {
        auto said = receive_words(socket_);
        if (!said || said->empty()) ended();
        Words& words = *said;
        const std::string what = words[0];
        words.erase(words.begin());
        if (what == "done") return words;
        words.resize(1);
        if (what == "exit") {
            int code = 0;
            std::from_chars(words[0].data(), words[0].data() + words[0].size(), code);
            throw Ended("the program has said (exit)", code & 0xff);
        }
        if (what == "out" || what == "error") {
            if (outside_.print) outside_.print(words[0], what == "error");
            continue;
        }
        std::optional<std::string> text;
        if (what == "read" && outside_.read_line) text = outside_.read_line();
        if (what == "open" && outside_.open) text = outside_.open(words[0]);
        if (!send_words(socket_, text ? Words{*text} : Words{})) ended();
    }
}

} // namespace croupier::games::clips
