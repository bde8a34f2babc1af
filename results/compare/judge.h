// Verdicts on several differences at once, corrected together.
#pragma once

#include "results/statistics/paired.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace croupier::results {

// What becomes of a number from A to B.
enum class Change : std::uint8_t {
    TooFew,     // blocks, to say anything
    Constant,   // different by as much in every block: there is no error to judge by
    Higher,     //
    Lower,      //
    Equivalent, // surely within the margin
    Undecided,  //
};
std::string_view to_string(Change change); // "too few", ..

struct Judgement {
    Change change = Change::Undecided;
    // Corrected: of no difference, and of a difference of at least the margin. What no block speaks
    // against is no question to be corrected for.
    std::optional<double> p_value;
    std::optional<double> equivalence_p_value;
    // Where undecided: so many blocks would decide with four chances in five, were the difference
    // what it seems. Absent if no number would.
    std::optional<double> blocks_to_decide;
};

// A difference that makes none for a margin of 0 is never equivalent. One error in twenty is
// allowed for all of them together.
std::vector<Judgement> judge(std::span<const PairedMoments> differences,
                             std::span<const double> margins);

} // namespace croupier::results
