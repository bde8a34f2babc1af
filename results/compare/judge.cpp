// Tests, then Holm's correction over all of them; see judge.h.
#include "results/compare/judge.h"

#include "results/statistics/normal.h"

#include <cassert>
#include <set>

namespace croupier::results {
namespace {

constexpr double kAlpha = 1 - kConfidence;

// No difference and one beyond the margin are never both there: so they are one group.
void correct(std::span<const PairedMoments> differences, std::span<const std::size_t> questions,
             Judgements& judgements) {
    std::vector<double> p_values;
    std::vector<std::size_t> groups;
    std::vector<std::optional<double>*> places;
    for (std::size_t i = 0; i < differences.size(); ++i) {
        if (differences[i].differing == 0) continue;
        Judgement& judgement = judgements.rows[i];
        for (auto* p : {&judgement.p_value, &judgement.equivalence_p_value}) {
            if (!*p) continue;
            p_values.push_back(**p);
            groups.push_back(questions.empty() ? i : questions[i]);
            places.push_back(p);
        }
    }
    const std::vector<double> corrected = holm(p_values, groups);
    for (std::size_t i = 0; i < places.size(); ++i)
        *places[i] = corrected[i];
    judgements.corrected_for = std::set(groups.begin(), groups.end()).size();
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

Judgements judge(std::span<const PairedMoments> differences, std::span<const double> margins,
                 std::span<const std::size_t> questions) {
    assert(differences.size() == margins.size());
    assert(questions.empty() || questions.size() == differences.size());
    Judgements judgements;
    std::vector<Verdict> alone;
    for (std::size_t i = 0; i < differences.size(); ++i) {
        const Comparison found = compare(differences[i], margins[i], kAlpha);
        judgements.rows.push_back({{}, found.p_value, found.equivalence_p_value, {}});
        alone.push_back(found.verdict);
    }
    correct(differences, questions, judgements);
    for (std::size_t i = 0; i < differences.size(); ++i) {
        Judgement& judgement = judgements.rows[i];
        judgement.change = change_of(differences[i], alone[i], judgement);
        if (judgement.change != Change::Undecided) continue;
        // As hard as for the one that is corrected most.
        const bool corrected = differences[i].differing > 0 && judgements.corrected_for > 0;
        const double share = corrected ? static_cast<double>(judgements.corrected_for) : 1;
        judgement.blocks_to_decide = blocks_to_decide(differences[i], margins[i], kAlpha / share);
    }
    return judgements;
}

} // namespace croupier::results
