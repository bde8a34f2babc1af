// The arguments of a spec string: "word,name=value,name=value".
#pragma once

#include "agents/registry.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace croupier::agents {

// The time limit of a decision.
struct TimeLimit {
    // A search calls `is_over` once per that many positions: reading the clock costs as much as
    // some of them.
    static constexpr std::uint64_t kNodesPerLook = 256;

    const Clock* clock = nullptr; // null if there is no limit
    std::chrono::nanoseconds time{0};
    const std::atomic<bool>* hurry = nullptr; // once it is set, no more rounds; may be null

    [[nodiscard]] std::chrono::nanoseconds from_now() const {
        return clock == nullptr ? time : clock->now() + time;
    }
    [[nodiscard]] bool hurries() const {
        return hurry != nullptr && hurry->load(std::memory_order_relaxed);
    }
    // Whether a search must stop and return what it has found.
    [[nodiscard]] bool is_over(std::chrono::nanoseconds until) const {
        return hurries() || (clock != nullptr && clock->now() >= until);
    }
    // Whether a decision makes another round after `done` rounds: at most `most` rounds; under a
    // time limit at least one, then until `until`.
    [[nodiscard]] bool goes_on(std::uint64_t done, std::uint64_t most,
                               std::chrono::nanoseconds until) const {
        if (done > 0 && hurries()) return false;
        if (clock == nullptr) return done < most;
        return done == 0 || clock->now() < until;
    }
};

// When a search resigns: its best move was too weak several times in a row.
class Resignation {
  public:
    // Decisions in a row. One estimate may be wrong, since search has randomness.
    static constexpr int kDecisions = 3;

    Resignation() = default; // never resigns
    // Resigns below `least`, in the unit of the search.
    explicit Resignation(double least) : least_(least) {}

    [[nodiscard]] bool may_come() const { return least_.has_value(); }
    // A new game begins.
    void reset() { low_ = 0; }
    // Call after each decision with the value of its best move; returns whether to resign instead.
    // Do not call it for forced moves.
    [[nodiscard]] bool comes(double expected) {
        low_ = least_ && expected < *least_ ? low_ + 1 : 0;
        return low_ >= kDecisions;
    }

  private:
    std::optional<double> least_;
    int low_ = 0; // decisions in a row that promised too little
};

// Each agent kind reads the arguments it knows; `error` then reports bad values and unread
// arguments.
class Arguments {
  public:
    explicit Arguments(const AgentSpec& spec);

    // The first argument without a name; empty if there is none.
    std::string word();
    // Whether it is present; then sets `value`, if that is from `least` to `most`.
    bool number(std::string_view name, std::uint64_t& value, std::uint64_t least,
                std::uint64_t most);
    bool text(std::string_view name, std::string& value);
    // All unread name=value arguments, for a caller that knows what they mean.
    std::vector<std::pair<std::string, std::string>> others();
    // Empty if there is no error.
    [[nodiscard]] std::string error() const;
    // Reads `ms`, a time limit. Returns whether it is present; it is an error if there is no clock.
    bool time(const AgentServices& services, TimeLimit& limit);
    // Reads a limit `name`, or `ms` in its place.
    void number_or_time(std::string_view name, std::uint64_t& value, std::uint64_t most,
                        const AgentServices& services, TimeLimit& limit);
    // Reads `resign`: the percentage of wins below which a search resigns.
    void percentage_to_resign(Resignation& resignation);

  private:
    struct Argument {
        std::string name; // empty for a word
        std::string value;
        bool used = false;
    };
    Argument* find(std::string_view name);

    std::string kind_;
    std::vector<Argument> arguments_;
    std::vector<std::string> known_;
    std::string error_; // the first error
};

} // namespace croupier::agents
