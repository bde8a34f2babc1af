// When a search gives a game up: it has expected too little of its best move, several times.
#pragma once

#include <optional>

namespace croupier::agents {

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

} // namespace croupier::agents
