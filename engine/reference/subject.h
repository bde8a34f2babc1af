// What the model and the compiled engine are compared by: everything a run shows, as plain text.
#pragma once

#include "engine/lang/ruleset.h"
#include "engine/reference/faults.h"
#include "engine/run/error.h"
#include "engine/text/document.h"
#include "engine/text/source.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace croupier::engine::reference {

struct SubjectOutcome {
    // Each application of a rule whose search came to its end, in order: its name and its matches,
    // each a list of variable -> "kind:json" in the order of their first mention in the condition,
    // without those that an outer rule had bound.
    using Match = std::vector<std::pair<std::string, std::string>>;
    std::vector<std::pair<std::string, std::vector<Match>>> applications;
    std::string state_json; // on one line; after an error the state at that moment
    std::vector<std::string> prints;
    std::optional<RunError> error;
    std::uint64_t draws = 0; // taken from the stream Random(seed)
};

using Subject =
    std::function<SubjectOutcome(const Ruleset&, const Sources&, std::string_view group,
                                 const Document& state, std::uint64_t seed, const Budgets&)>;

// The compiled engine.
SubjectOutcome run_subject(const Ruleset& ruleset, const Sources& sources, std::string_view group,
                           const Document& state, std::uint64_t seed, const Budgets& budgets);

// The same by the intermediate form alone: as it is built, after all passes, and by the machine
// code that is made of it. A part of what the other does, and faster.
SubjectOutcome run_form(const Ruleset& ruleset, const Sources& sources, std::string_view group,
                        const Document& state, std::uint64_t seed, const Budgets& budgets);

// The model, whole or with a deliberate mistake.
SubjectOutcome run_model(const Ruleset& ruleset, const Sources& sources, std::string_view group,
                         const Document& state, std::uint64_t seed, const Budgets& budgets,
                         Fault fault = Fault::None);

// The first difference in words, empty if there is none.
std::string difference(const SubjectOutcome& expected, const SubjectOutcome& actual);

} // namespace croupier::engine::reference
