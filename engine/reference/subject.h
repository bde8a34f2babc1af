// The outcome by which the model and the compiled engine are compared, as plain text.
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

// Deliberate mistakes of the model, to show that the differential test would find such a mistake in
// the engine.

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
    FiresOnceForEver,   // a match of an agenda does not fire again when its nodes change
    DepthIsBreadth,     // an agenda's oldest activations come first under depth
    SalienceIgnored,    // all activations of an agenda have the same salience
};

struct SubjectOutcome {
    // Each application of a rule whose search was not cut short, in order: its name and its
    // matches. A match lists variable -> "kind:json" in the order of first mention in the
    // condition, without the variables that an outer rule had bound.
    using Match = std::vector<std::pair<std::string, std::string>>;
    std::vector<std::pair<std::string, std::vector<Match>>> applications;
    std::string state_json; // on one line; after an error the state at that moment
    std::vector<std::string> prints;
    std::optional<RunError> error;
    std::uint64_t draws = 0; // draws from the stream Random(seed)
};

using Subject =
    std::function<SubjectOutcome(const Ruleset&, const Sources&, std::string_view group,
                                 const Document& state, std::uint64_t seed, const Budgets&)>;

// The compiled engine.
SubjectOutcome run_subject(const Ruleset& ruleset, const Sources& sources, std::string_view group,
                           const Document& state, std::uint64_t seed, const Budgets& budgets);

// Runs only the intermediate form: as built, after all passes, and as its machine code. Checks a
// part of what run_subject does, and is faster.
SubjectOutcome run_form(const Ruleset& ruleset, const Sources& sources, std::string_view group,
                        const Document& state, std::uint64_t seed, const Budgets& budgets);

// The model, correct or with a deliberate mistake.
SubjectOutcome run_model(const Ruleset& ruleset, const Sources& sources, std::string_view group,
                         const Document& state, std::uint64_t seed, const Budgets& budgets,
                         Fault fault = Fault::None);

// Describes the first difference; empty if there is none.
std::string difference(const SubjectOutcome& expected, const SubjectOutcome& actual);

} // namespace croupier::engine::reference
