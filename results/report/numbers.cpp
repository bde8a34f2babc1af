// Numbers as text.
#include "results/report/numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace croupier::results {
namespace {

constexpr const char* kUndefined = "undefined";
constexpr std::array<std::pair<std::string_view, double>, 4> kUnits{
    {{"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"ns", 1}}};

// Avoids the sign of a rounded negative zero.
double rounded(double value, int decimals) {
    const double unit = std::pow(10.0, decimals);
    return std::round(value * unit) == 0 ? 0.0 : value;
}

} // namespace

std::string fixed(std::optional<double> value, int decimals) {
    if (!value) return kUndefined;
    return fmt::format("{:.{}f}", rounded(*value, decimals), decimals);
}

std::string percent(std::optional<double> share) {
    if (!share) return kUndefined;
    return fixed(*share * 100, 1) + " %";
}

std::string signed_fixed(std::optional<double> value, int decimals) {
    if (!value) return kUndefined;
    return fmt::format("{:+.{}f}", rounded(*value, decimals), decimals);
}

std::string interval(const Estimate& estimate, int decimals, double scale, bool sign) {
    if (!estimate.low && !estimate.high) return kUndefined;
    const auto bound = [&](std::optional<double> value) {
        if (value) *value *= scale;
        return sign ? signed_fixed(value, decimals) : fixed(value, decimals);
    };
    return fmt::format("[{}, {}]{}", bound(estimate.low), bound(estimate.high),
                       estimate.doubtful ? "?" : "");
}

std::string elo_text(const Estimate& elo, int decimals) {
    if (!elo.one_sided) return signed_fixed(elo.value, decimals);
    return (elo.low ? ">= " : "<= ") + signed_fixed(elo.low ? elo.low : elo.high, decimals);
}

std::string elo_interval(const Estimate& elo, int decimals) {
    return elo.one_sided ? "95 %, one-sided" : interval(elo, decimals, 1, true);
}

std::string p_value(std::optional<double> p) {
    constexpr double kLeast = 0.0005; // printed as 0.001
    return p && *p < kLeast ? "<0.001" : fixed(p, 3);
}

std::string plus_minus(std::optional<double> reach, int decimals) {
    return reach ? "+/- " + fixed(reach, decimals) : kUndefined;
}

std::string short_time(double ns) {
    constexpr double kMax = 9999.5;
    if (ns < kMax) return fmt::format("{:.0f} ns", ns);
    if (ns < 1e3 * kMax) return fmt::format("{:.0f} us", ns / 1e3);
    return fmt::format("{:.4g} ms", ns / 1e6);
}

std::string_view unit_of(std::span<const std::optional<double>> ns) {
    double least = std::numeric_limits<double>::infinity();
    for (const std::optional<double>& each : ns)
        least = std::min(least, each.value_or(least));
    const auto unit = std::ranges::find_if(
        kUnits, [&](const auto& each) { return std::isfinite(least) && least >= each.second; });
    return unit == kUnits.end() ? "ns" : unit->first;
}

std::string in_unit(std::optional<double> ns, std::string_view unit) {
    if (!ns) return fixed(ns, 0);
    const double size =
        std::ranges::find(kUnits, unit, [](const auto& each) { return each.first; })->second;
    return fixed(*ns / size, size > 1 ? 1 : 0);
}

std::string counted(std::uint64_t count, const std::string& what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string told_starts(std::uint64_t starts) {
    return starts == 0 ? std::string() : ", " + counted(starts, "start position");
}

} // namespace croupier::results
