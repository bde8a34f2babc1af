// Two ends that exchange messages in order: how one process has blocks played by another.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace croupier::tournaments {

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

} // namespace croupier::tournaments
