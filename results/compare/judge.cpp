// Tests, then Holm's correction over all of them; see judge.h.
#include "results/compare/judge.h"

#include "results/statistics/normal.h"

#include <algorithm>
#include <cassert>

namespace croupier::results {
namespace {

constexpr double kAlpha = 1 - kConfidence;

// No difference and one beyond the margin are never both there: so they are one group.
void correct(std::vector<Judgement>& judgements) {
    std::vector<double> p_values;
    std::vector<std::size_t> groups;
    std::vector<std::optional<double>*> places;
    for (std::size_t i = 0; i < judgements.size(); ++i) {
        for (auto* p : {&judgements[i].p_value, &judgements[i].equivalence_p_value}) {
            if (!*p) continue;
            p_values.push_back(**p);
            groups.push_back(i);
            places.push_back(p);
        }
    }
    const std::vector<double> corrected = holm(p_values, groups);
    for (std::size_t i = 0; i < places.size(); ++i)
        *places[i] = corrected[i];
}

Change change_of(const PairedMoments& difference, Verdict alone, const Judgement& judgement) {
    if (alone == Verdict::TooFew) return Change::TooFew;
    if (judgement.equivalence_p_value && *judgement.equivalence_p_value < kAlpha)
        return Change::Equivalent;
    if (!judgement.p_value) {
        const bool constant = difference.differing > 0 && difference.blocks.squares == 0;
        return constant && difference.blocks.mean ? Change::Constant : Change::Undecided;
    }
    if (*judgement.p_value >= kAlpha) return Change::Undecided;
    return *difference.blocks.mean > 0 ? Change::Higher : Change::Lower;
}

} // namespace

std::string_view to_string(Change change) {
    switch (change) {
    case Change::TooFew:
        return "too few";
    case Change::Constant:
        return "constant";
    case Change::Higher:
        return "higher";
    case Change::Lower:
        return "lower";
    case Change::Equivalent:
        return "equivalent";
    case Change::Undecided:
        break;
    }
    return "undecided";
}

std::vector<Judgement> judge(std::span<const PairedMoments> differences,
                             std::span<const double> margins) {
    assert(differences.size() == margins.size());
    std::vector<Judgement> judgements;
    std::vector<Verdict> alone;
    std::size_t tested = 0;
    for (std::size_t i = 0; i < differences.size(); ++i) {
        const Comparison found = compare(differences[i], margins[i], kAlpha);
        judgements.push_back({{}, found.p_value, found.equivalence_p_value, {}});
        alone.push_back(found.verdict);
        if (found.p_value || found.equivalence_p_value) ++tested;
    }
    correct(judgements);
    for (std::size_t i = 0; i < differences.size(); ++i) {
        Judgement& judgement = judgements[i];
        judgement.change = change_of(differences[i], alone[i], judgement);
        if (judgement.change != Change::Undecided || tested == 0) continue;
        // As hard as for the one that is corrected most.
        judgement.blocks_to_decide =
            compare(differences[i], margins[i], kAlpha / static_cast<double>(tested))
                .blocks_to_decide;
    }
    return judgements;
}

} // namespace croupier::results
