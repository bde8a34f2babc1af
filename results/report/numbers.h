// Numbers as reports write them. An absent number is `undefined`, never nan or 0.
#pragma once

#include "results/statistics/means.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace croupier::results {

// The factor from a share to percent.
inline constexpr double kPercent = 100;

// "0.540"; "undefined" if absent.
std::string fixed(std::optional<double> value, int decimals);
// "54.0 %"
std::string percent(std::optional<double> share);
// "+27.9"
std::string signed_fixed(std::optional<double> value, int decimals);
// "[44.2, 63.4]"; "undefined" if both bounds are absent. If doubtful, "[44.2, 63.4]?", which
// kDoubtful explains.
std::string interval(const Estimate& estimate, int decimals, double scale = 1, bool sign = false);
inline constexpr const char* kDoubtful =
    "Intervals with a question mark may be too narrow: with fewer than 20 blocks, or where one "
    "block has most of the variance, rare extreme blocks may not have been seen yet.";
// "+27.9"; or, if there is only a one-sided bound, ">= +183.3".
std::string elo_text(const Estimate& elo, int decimals);
// "[-3.1, +58.9]"; "95 %, one-sided".
std::string elo_interval(const Estimate& elo, int decimals);
// "0.042", "<0.001": never 0.
std::string p_value(std::optional<double> p);
// "+/- 12.3"
std::string plus_minus(std::optional<double> reach, int decimals);
// "45 ns", "2872 us", "12.3 ms": at most four digits, for narrow screens.
std::string short_time(double ns);
// The unit from "ns" to "s" in which all these times are at least 1, and a time in it: "1.9".
std::string_view unit_of(std::span<const std::optional<double>> ns);
std::string in_unit(std::optional<double> ns, std::string_view unit);
// "1 game", "2 games"
std::string counted(std::uint64_t count, const std::string& what);

// ", 24 start positions"; empty for 0.
std::string told_starts(std::uint64_t starts);

} // namespace croupier::results
