// The processes that mpirun starts, by rank. Built without MPI there are none.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace croupier::tournaments {

// Two ends that exchange messages in order: how one process has blocks played by another.

// One end. Used by one thread at a time.
class Channel {
  public:
    Channel() = default;
    Channel(const Channel&) = delete;
    Channel& operator=(const Channel&) = delete;
    virtual ~Channel() = default;

    virtual void send(std::string_view message) = 0;
    // Waits. Nothing: there will be no message, or nobody wants to wait any longer.
    virtual std::optional<std::string> receive() = 0;
};

// One for the life of the process: MPI is begun once. Used by any number of threads.
class Ranks {
  public:
    Ranks() = default;
    Ranks(const Ranks&) = delete;
    Ranks& operator=(const Ranks&) = delete;
    // Waits for the other ranks, unless some are lost.
    virtual ~Ranks() = default;

    [[nodiscard]] virtual std::size_t rank() const = 0;
    [[nodiscard]] virtual std::size_t size() const = 0;
    // How many of them share this machine.
    [[nodiscard]] virtual std::size_t neighbours() const = 0;
    // The `number`-th channel between this rank and another. While it waits, a channel asks now and
    // then whether to give up.
    virtual std::unique_ptr<Channel> channel(std::size_t rank, int number,
                                             std::function<bool()> give_up) = 0;
    // Somebody does not answer: do not wait for anybody in the end.
    virtual void abandon() = 0;
};

// Whether the program is built with MPI.
bool has_ranks();
// Nothing without it.
std::unique_ptr<Ranks> join_ranks();

} // namespace croupier::tournaments
