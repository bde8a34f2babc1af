// The progress line; see progress.h.
#include "results/report/progress.h"

#include "results/report/layout.h"
#include "results/report/numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace croupier::results {
namespace {

struct Part {
    std::string text;
    int rank; // the highest goes first
};

std::string ratio_of(const StopStatus& stop) {
    if (stop.rule == "sprt")
        return fmt::format("LLR {} [{:.2f}, {:.2f}]", fixed(stop.value, 2), stop.low, stop.high);
    return fmt::format("{} {} of {:.4g}", stop.rule, fixed(stop.value, 4), stop.high);
}

std::vector<Part> parts_of(const Progress& progress) {
    std::vector<Part> parts;
    const double played = static_cast<double>(progress.games - progress.games_before);
    const double rate = progress.seconds > 0 ? played / progress.seconds : 0;
    if (progress.games_planned) {
        parts.push_back({fmt::format("{}/{} games", progress.games, *progress.games_planned), 0});
        if (*progress.games_planned > 0)
            parts.push_back(
                {fmt::format("{} %", 100 * progress.games / *progress.games_planned), 6});
    } else {
        parts.push_back({counted(progress.games, "game"), 0});
    }
    if (rate > 0) parts.push_back({fmt::format("{:.{}f}/s", rate, rate < 10 ? 1 : 0), 3});
    if (rate > 0 && progress.games_planned && progress.games < *progress.games_planned) {
        const auto left = static_cast<double>(*progress.games_planned - progress.games);
        parts.push_back({duration(left / rate) + " left", 1});
    }
    int rank = 4; // the leader is missed more than the others
    for (const auto& [name, share] : progress.standing) {
        parts.push_back({fmt::format("{} {}", printable(name), percent(share)), rank});
        rank = std::min(rank + 1, 5);
    }
    for (const std::string& each : progress.told)
        parts.push_back({printable(each), 4});
    if (progress.stop) parts.push_back({ratio_of(*progress.stop), 2});
    return parts;
}

std::string joined(const std::vector<Part>& parts) {
    std::string line;
    for (const Part& part : parts)
        line += (line.empty() ? "" : "  ") + part.text;
    return line;
}

} // namespace

std::string duration(double seconds) {
    const auto whole = static_cast<std::uint64_t>(std::llround(std::clamp(seconds, 0.0, 1e15)));
    if (whole == 0) return fmt::format("{:.1f} s", std::max(0.0, seconds));
    if (whole < 60) return fmt::format("{} s", whole);
    if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
    return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

std::string progress_line(const Progress& progress, std::size_t width) {
    std::vector<Part> parts = parts_of(progress);
    std::string line = joined(parts);
    while (width > 0 && display_width(line) > width && parts.size() > 1) {
        // Of those alike the last goes: it stands furthest behind.
        const auto least =
            std::max_element(parts.rbegin(), parts.rend(), [](const Part& one, const Part& other) {
                return one.rank < other.rank;
            });
        parts.erase(std::next(least).base());
        line = joined(parts);
    }
    if (width > 0 && display_width(line) > width) line = wrap(line, width, LongWords::Break)[0];
    return line;
}

} // namespace croupier::results
