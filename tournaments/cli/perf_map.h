// Names of rules for Linux's profiler perf, which knows nothing of code that was compiled in
// memory.
#pragma once

#include "engine/api/program.h"
#include "tournaments/cli/machine.h"
#include "tournaments/runner/player.h"

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace croupier::cli {

// Remembers whose rules play, and tells at the end where their machine code stands: code is
// compiled when it is first needed. The programs must live until then. Made before the first game.
class PerfMap {
  public:
    void add(const std::string& owner, const engine::Program& program);
    // The agents that `make` makes, by their names.
    tournaments::AgentMaker noting(tournaments::AgentMaker make, std::vector<std::string> names);

    // A line for each piece of code: where it begins, its size, both as hexadecimal numbers, and
    // what it is for, as in "belote:play/card".
    [[nodiscard]] std::string text() const;
    // Puts it where perf looks for what this process has compiled. Says what went wrong.
    [[nodiscard]] std::optional<std::string> write() const;
    // Puts the code itself into that folder, as jit-PID.dump, for `perf inject --jit`. Says what
    // went wrong.
    [[nodiscard]] std::optional<std::string> dump(const std::string& folder) const;

  private:
    struct Piece {
        std::uintptr_t begin = 0;
        std::uintptr_t size = 0;
        std::string name;
    };
    [[nodiscard]] std::vector<Piece> pieces() const;

    const std::uint64_t made_ns_ = nanoseconds_now();
    mutable std::mutex mutex_; // agents are made by several threads
    std::vector<std::pair<std::string, const engine::Program*>> programs_;
};

} // namespace croupier::cli
