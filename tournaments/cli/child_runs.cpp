// Starts croupier in process groups of their own.
#include "tournaments/cli/child_runs.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <thread>

namespace croupier::cli {
namespace {

constexpr off_t kMostSaid = 4096;
constexpr int kPatience = 100; // twentieths of a second, for all to end

std::string end_of(int file) {
    struct stat facts {};
    if (::fstat(file, &facts) != 0) return {};
    const off_t size = std::min(facts.st_size, kMostSaid);
    std::string text(static_cast<std::size_t>(size), '\0');
    const ssize_t got = ::pread(file, text.data(), text.size(), facts.st_size - size);
    text.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    return text;
}

} // namespace

ChildRuns::~ChildRuns() {
    for (auto& [name, process] : processes_) {
        look(process);
        if (!process.code) ::kill(process.id, SIGINT);
    }
    for (int i = 0; i < kPatience && running() > 0; ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    for (auto& [name, process] : processes_)
        ::close(process.output);
}

void ChildRuns::look(Process& process) {
    int status = 0;
    if (process.code || ::waitpid(process.id, &status, WNOHANG) != process.id) return;
    process.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

bool ChildRuns::start(const std::string& name, const std::vector<std::string>& arguments) {
    const int output = ::memfd_create("croupier", MFD_CLOEXEC);
    if (output < 0) return false;
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
    // Ctrl-C at the server's terminal is the server's alone: it passes it on. A shell that has
    // started the server in the background has made it deaf to it, which the run must not be.
    posix_spawnattr_t attributes;
    ::posix_spawnattr_init(&attributes);
    sigset_t heard;
    sigemptyset(&heard);
    sigaddset(&heard, SIGINT);
    ::posix_spawnattr_setsigdefault(&attributes, &heard);
    ::posix_spawnattr_setpgroup(&attributes, 0);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
    std::vector<std::string> texts = {"croupier"};
    texts.insert(texts.end(), arguments.begin(), arguments.end());
    std::vector<char*> words;
    words.reserve(texts.size() + 1);
    for (std::string& text : texts)
        words.push_back(text.data());
    words.push_back(nullptr);
    Process process{0, output};
    const int failed =
        ::posix_spawn(&process.id, program_.c_str(), &actions, &attributes, words.data(), environ);
    ::posix_spawnattr_destroy(&attributes);
    ::posix_spawn_file_actions_destroy(&actions);
    if (failed != 0) {
        ::close(output);
        return false;
    }
    const std::lock_guard lock(mutex_);
    const auto [place, is_new] = processes_.try_emplace(name, process);
    if (!is_new) {
        ::close(place->second.output);
        place->second = process;
    }
    return true;
}

std::size_t ChildRuns::running() {
    const std::lock_guard lock(mutex_);
    std::size_t count = 0;
    for (auto& [name, process] : processes_) {
        look(process);
        count += process.code ? 0 : 1;
    }
    return count;
}

std::optional<ChildRuns::Child> ChildRuns::find(const std::string& name) {
    const std::lock_guard lock(mutex_);
    const auto known = processes_.find(name);
    if (known == processes_.end()) return std::nullopt;
    look(known->second);
    return Child{known->second.code, end_of(known->second.output)};
}

bool ChildRuns::interrupt(const std::string& name) {
    const std::lock_guard lock(mutex_);
    const auto known = processes_.find(name);
    if (known == processes_.end()) return false;
    look(known->second);
    return !known->second.code && ::kill(known->second.id, SIGINT) == 0;
}

} // namespace croupier::cli
