// Restricted Damerau-Levenshtein distance over three rolling rows.
#include "engine/text/nearest.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace croupier::engine {
namespace {

// Far longer than any name; keeps a pasted file from costing a quadratic comparison.
constexpr std::size_t kLongestWord = 128;

std::string lower_case(std::string_view text) {
    std::string lowered(text);
    // By hand, as std::tolower depends on the locale.
    for (char& c : lowered) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return lowered;
}

std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before_last(b.size() + 1);
    std::vector<std::size_t> last(b.size() + 1);
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        last[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replace = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({replace, last[j] + 1, row[j - 1] + 1});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], before_last[j - 2] + 1);
        }
        std::swap(before_last, last);
        std::swap(last, row);
    }
    return last[b.size()];
}

// One slip in a short word, two in a usual one, then one per four letters.
std::size_t tolerated(std::size_t length) {
    if (length <= 2) return length == 2 ? 1 : 0;
    if (length <= 4) return 1;
    return std::max<std::size_t>(2, length / 4);
}

} // namespace

std::optional<std::string> nearest(std::string_view word, std::span<const std::string> known) {
    if (word.empty() || word.size() > kLongestWord) return std::nullopt;
    const std::string wanted = lower_case(word);
    std::optional<std::string> best;
    std::size_t best_distance = 0;
    for (const std::string& candidate : known) {
        if (candidate.size() > kLongestWord) continue;
        const std::size_t found = distance(wanted, lower_case(candidate));
        if (found > tolerated(std::max(wanted.size(), candidate.size()))) continue;
        if (!best || found < best_distance) {
            best = candidate;
            best_distance = found;
        }
    }
    return best;
}

} // namespace croupier::engine
