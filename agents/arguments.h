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

// Until when a decision may take.
struct TimeLimit {
    // A search asks `is_over` once for so many positions: the clock costs as much as some of them.
    static constexpr std::uint64_t kNodesPerLook = 256;

    const Clock* clock = nullptr; // null: there is no limit
    std::chrono::nanoseconds time{0};
    const std::atomic<bool>* hurry = nullptr; // once it is set, no more rounds; null: never

    [[nodiscard]] std::chrono::nanoseconds from_now() const {
        return clock == nullptr ? time : clock->now() + time;
    }
    [[nodiscard]] bool hurries() const {
        return hurry != nullptr && hurry->load(std::memory_order_relaxed);
    }
    // Whether a search ends with what it has found.
    [[nodiscard]] bool is_over(std::chrono::nanoseconds until) const {
        return hurries() || (clock != nullptr && clock->now() >= until);
    }
    // Whether a decision that has made so many rounds makes another: at most so many; where time is
    // the limit, at least one and until then.
    [[nodiscard]] bool goes_on(std::uint64_t done, std::uint64_t most,
                               std::chrono::nanoseconds until) const {
        if (done > 0 && hurries()) return false;
        if (clock == nullptr) return done < most;
        return done == 0 || clock->now() < until;
    }
};

// When a search gives a game up: it has expected too little of its best move, several times.
class Resignation {
  public:
    // One look may be mistaken: a search with chance in it errs now and then.
    static constexpr int kDecisions = 3;

    Resignation() = default; // never
    // An expectation below `least`, in the unit of the search, is too little.
    explicit Resignation(double least) : least_(least) {}

    [[nodiscard]] bool may_come() const { return least_.has_value(); }
    // A new game begins.
    void reset() { low_ = 0; }
    // A decision has been made, and its best move promises that much: whether to resign instead.
    // Forced moves are no decisions.
    [[nodiscard]] bool comes(double expected) {
        low_ = least_ && expected < *least_ ? low_ + 1 : 0;
        return low_ >= kDecisions;
    }

  private:
    std::optional<double> least_;
    int low_ = 0; // decisions in a row that promised too little
};

// Each kind asks for what it knows; `error` then says what is wrong, or what nobody has asked for.
class Arguments {
  public:
    explicit Arguments(const AgentSpec& spec);

    // The first argument that is no name=value; empty if there is none.
    std::string word();
    // Whether it is there; then `value` is what it says, if that is from `least` to `most`.
    bool number(std::string_view name, std::uint64_t& value, std::uint64_t least,
                std::uint64_t most);
    bool text(std::string_view name, std::string& value);
    // Every name=value that nobody has asked for, for whoever knows what they mean.
    std::vector<std::pair<std::string, std::string>> others();
    // Empty if all is well.
    [[nodiscard]] std::string error() const;
    // `ms`: a limit of time. Whether it is there; without a clock to keep it, that is an error.
    bool time(const AgentServices& services, TimeLimit& limit);
    // So many of what `name` counts, or `ms` in their place.
    void number_or_time(std::string_view name, std::uint64_t& value, std::uint64_t most,
                        const AgentServices& services, TimeLimit& limit);
    // `resign`: below which percentage of its games won a search gives up.
    void percentage_to_resign(Resignation& resignation);

  private:
    struct Argument {
        std::string name; // empty: a word
        std::string value;
        bool used = false;
    };
    Argument* find(std::string_view name);

    std::string kind_;
    std::vector<Argument> arguments_;
    std::vector<std::string> known_;
    std::string error_; // the first mistake in a value
};

} // namespace croupier::agents
