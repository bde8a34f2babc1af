// The processes started by mpirun, by rank. Without MPI there are none.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace croupier::tournaments {

// Two ends that exchange messages in order, by which one process has blocks played by another.

// One end of a channel. Used by one thread at a time.
class Channel {
  public:
    Channel() = default;
    Channel(const Channel&) = delete;
    Channel& operator=(const Channel&) = delete;
    virtual ~Channel() = default;

    virtual void send(std::string_view message) = 0;
    // Waits for a message. Returns nothing if none will come, or if waiting was given up.
    virtual std::optional<std::string> receive() = 0;
};

// One for the life of the process: MPI can be started only once. Used by any number of threads.
class Ranks {
  public:
    Ranks() = default;
    Ranks(const Ranks&) = delete;
    Ranks& operator=(const Ranks&) = delete;
    // Waits for the other ranks, unless some are lost.
    virtual ~Ranks() = default;

    [[nodiscard]] virtual std::size_t rank() const = 0;
    [[nodiscard]] virtual std::size_t size() const = 0;
    // The number of ranks on this machine.
    [[nodiscard]] virtual std::size_t neighbours() const = 0;
    // The `number`-th channel between this rank and another. While waiting, it calls `give_up` now
    // and then.
    virtual std::unique_ptr<Channel> channel(std::size_t rank, int number,
                                             std::function<bool()> give_up) = 0;
    // Call if a rank does not answer: the destructor will not wait.
    virtual void abandon() = 0;
};

// Whether the program is built with MPI.
bool has_ranks();
// Returns nothing without MPI.
std::unique_ptr<Ranks> join_ranks();

} // namespace croupier::tournaments
