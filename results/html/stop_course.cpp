// Keeps each n-th value, and doubles n when there are too many.
#include "results/html/stop_course.h"

namespace croupier::results {
namespace {

constexpr std::size_t kMostPoints = 512; // more than a screen has pixels to tell apart

} // namespace

void StopCourse::add(const StopStatus& status) {
    last_ = status;
    if (!status.value || (added_ > 0 && status.blocks == newest_.blocks)) return;
    newest_ = {status.blocks, *status.value};
    if (added_++ % stride_ == 0) points_.push_back(newest_);
    if (points_.size() < kMostPoints) return;
    for (std::size_t i = 0; 2 * i < points_.size(); ++i)
        points_[i] = points_[2 * i];
    points_.resize((points_.size() + 1) / 2);
    stride_ *= 2;
}

std::vector<StopCourse::Point> StopCourse::points() const {
    std::vector<Point> all = points_;
    if (added_ > 0 && all.back() != newest_) all.push_back(newest_);
    return all;
}

} // namespace croupier::results
