// How a stop rule's value went while a run was played, thinned to what a chart can show.
#pragma once

#include "results/statistics/stop.h"

#include <cstdint>
#include <string>
#include <vector>

namespace croupier::results {

class StopCourse {
  public:
    struct Point {
        std::uint64_t blocks = 0;
        double value = 0;

        friend bool operator==(const Point&, const Point&) = default;
    };

    // The rule's status after a block. A status without a value, or with as many blocks as the one
    // before, adds nothing. Memory does not grow with the number of blocks.
    void add(const StopStatus& status);

    // In the order of blocks; the last one that was added is always among them. A function of what
    // was added, not of when.
    [[nodiscard]] std::vector<Point> points() const;
    // As it was added last: the rule, its bounds, its verdict.
    [[nodiscard]] const StopStatus& status() const { return last_; }

  private:
    std::vector<Point> points_; // each stride_-th
    std::uint64_t stride_ = 1;
    std::uint64_t added_ = 0;
    Point newest_;
    StopStatus last_;
};

} // namespace croupier::results
