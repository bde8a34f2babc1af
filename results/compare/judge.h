// Verdicts on several differences at once, corrected together.
#pragma once

#include "results/statistics/paired.h"

#include <cstddef>
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
    // Of no difference, and of a difference of at least the margin. Corrected, unless no block
    // differs.
    std::optional<double> p_value;
    std::optional<double> equivalence_p_value;
    // Where undecided: so many blocks would decide with four chances in five, were the difference
    // what it seems. Absent if no number would.
    std::optional<double> blocks_to_decide;
};

struct Judgements {
    std::vector<Judgement> rows;
    std::uint64_t corrected_for = 0; // so many questions together
};

// One error in twenty is allowed for all rows together in which some block differs. Where none
// does, nothing can be called higher or lower, so such rows are not corrected for (Tarone), and
// what they say of equivalence is said of each alone. Rows with the same number in `questions` ask
// the same, and count once; empty: none do. A margin of 0: never equivalent.
Judgements judge(std::span<const PairedMoments> differences, std::span<const double> margins,
                 std::span<const std::size_t> questions = {});

} // namespace croupier::results
