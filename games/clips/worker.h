// A program of CLIPS in a process of its own (worker_main.cpp): a crash, a hang or a flood there is
// told here and harms nobody.
#pragma once

#include "games/clips/wire.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace croupier::games::clips {

// The worker is no more: the program has said (exit), or something went wrong.
struct Ended : std::runtime_error {
    Ended(const std::string& how, std::optional<int> exit_code)
        : std::runtime_error(how), code(exit_code) {}
    std::optional<int> code; // of (exit)
};

// What a program gets from outside; all may be empty.
struct Outside {
    std::function<void(std::string_view text, bool error)> print;
    std::function<std::optional<std::string>()> read_line; // with its line feed
    std::function<std::optional<std::string>(const std::string& name)> open;
};

// One thread asks, any may interrupt. worker_main.cpp has the requests.
class Worker {
  public:
    static constexpr std::size_t kMemory = std::size_t{2} << 30;

    // `program` is the worker's; throws Ended if it cannot be started.
    Worker(const std::string& program, Outside outside, std::size_t memory = kMemory);
    ~Worker();
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    // The answer. Throws Ended.
    Words ask(const Words& request);
    // What runs ends at its next firing or turn of a loop; the answer is as usual.
    void interrupt() const;
    // For one that does not listen: whoever asks it hears that it has ended.
    void kill() const;

  private:
    [[noreturn]] void ended();

    Outside outside_;
    pid_t process_ = -1;
    int socket_ = -1;
};

} // namespace croupier::games::clips
