// What the model and the compiled engine are compared by: everything a run shows, as plain text.
#pragma once

#include "engine/language/ruleset.h"
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

// Deliberate mistakes of the model, so that a test can show that the differential test would find
// such a mistake in the engine.

enum class Fault {
    None,
    SiblingsReversed,   // children are tried last to first
    FirstIgnored,       // `first` acts on all matches
    AtOnceIgnored,      // an at_once group runs in sequence
    RepeatIgnored,      // `repeat` acts once
    ElseForgotten,      // `else` never runs
    NewNodesFirst,      // a created node goes before its siblings
    KeysAreText,        // an integer key is unequal to its integer
    EmptyIsAbsent,      // "@absent" passes for a node without value
    DomainOrderIgnored, // children of domain maps keep their order of creation
    AnyTakesFirst,      // @any stops at the first alternative that matches
    DivisionRounds,     // 3 / 2 is 1
    FiresOnceForEver,   // a match of an agenda does not fire again when its nodes have changed
    DepthIsBreadth,     // an agenda's oldest activations come first under depth
    SalienceIgnored,    // all activations of an agenda have the same salience
};

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
