// A refused request, with a sentence for people.
#pragma once

#include <atomic>
#include <stdexcept>
#include <string>

namespace croupier::serve {

// Thrown by tables and similar objects; the HTTP server turns it into an answer.
struct Refused : std::runtime_error {
    enum class Reason {
        Wrong,    // the request makes no sense here
        Stranger, // the request needs the token
        Unknown,  // there is no such table, game or seat
        Stale,    // the game has continued since
        Busy,     // too many requests
    };
    Refused(Reason its_reason, const std::string& what)
        : std::runtime_error(what), reason(its_reason) {}
    Reason reason;
};

// Takes one of a limited number of slots. Throws Refused if all are taken.
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
