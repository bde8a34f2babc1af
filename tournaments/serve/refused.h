// What somebody asked of a table and cannot have, in a sentence for people.
#pragma once

#include <atomic>
#include <stdexcept>
#include <string>

namespace croupier::serve {

// Thrown by tables and their like; whoever speaks HTTP makes an answer of it.
struct Refused : std::runtime_error {
    enum class Reason {
        Wrong,    // what was asked makes no sense here
        Stranger, // who has no token may not ask it
        Unknown,  // there is no such table, game or seat
        Stale,    // the game has gone on since
        Busy,     // too much is going on
    };
    Refused(Reason its_reason, const std::string& what)
        : std::runtime_error(what), reason(its_reason) {}
    Reason reason;
};

// One of those that may do something at a time. Throws Refused if they are as many already.
class Slot {
  public:
    Slot(std::atomic<int>& taken, int most, const std::string& busy) : taken_(taken) {
        if (++taken_ <= most) return;
        --taken_;
        throw Refused(Refused::Reason::Busy, busy);
    }
    ~Slot() { --taken_; }
    Slot(const Slot&) = delete;
    Slot& operator=(const Slot&) = delete;

  private:
    std::atomic<int>& taken_;
};

} // namespace croupier::serve
