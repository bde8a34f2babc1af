// Random rulesets with states that fit them: the cases of the differential test.
#pragma once

#include "engine/run/error.h"

#include <cstdint>
#include <span>
#include <string>

namespace croupier::engine::reference {

// Features of cases, so that a growing engine can enable them one by one.
namespace feature {
inline constexpr std::uint32_t kExpressions = 1u << 0;  // beyond literals and plain variables
inline constexpr std::uint32_t kTests = 1u << 1;        // `_`
inline constexpr std::uint32_t kPaths = 1u << 2;        // @parent, @root, @path, size()
inline constexpr std::uint32_t kNegation = 1u << 3;     // @not, @exists, @forall, @absent
inline constexpr std::uint32_t kAlternatives = 1u << 4; // @any
inline constexpr std::uint32_t kAggregates = 1u << 5;   // @count, @sum, @min, @max
inline constexpr std::uint32_t kPatterns = 1u << 6;     // `patterns`, @use
inline constexpr std::uint32_t kKeyForms = 1u << 7;     // templates, key@id, $_
inline constexpr std::uint32_t kTypes = 1u << 8;        // $X:type
inline constexpr std::uint32_t kNested = 1u << 9;       // @rules, a group as action
inline constexpr std::uint32_t kAtOnce = 1u << 10;
inline constexpr std::uint32_t kControl = 1u << 11;   // first, repeat, else
inline constexpr std::uint32_t kRemovals = 1u << 12;  // @remove, {}
inline constexpr std::uint32_t kArrays = 1u << 13;    // arrays in states and actions
inline constexpr std::uint32_t kCalls = 1u << 14;     // @call
inline constexpr std::uint32_t kPrints = 1u << 15;    // @print
inline constexpr std::uint32_t kConstants = 1u << 16; // constants, options, relations
inline constexpr std::uint32_t kShapes = 1u << 17;    // declared parts
inline constexpr std::uint32_t kChance = 1u << 18;    // random()
inline constexpr std::uint32_t kErrors = 1u << 19;    // run-time errors at low probability
inline constexpr std::uint32_t kBudgets = 1u << 20;   // limits low enough to be reached
inline constexpr std::uint32_t kUnfit = 1u << 21;     // values and keys of the wrong kind
inline constexpr std::uint32_t kAgendas = 1u << 22;   // recognize-act groups
inline constexpr std::uint32_t kAll = (1u << 23) - 1;
} // namespace feature

struct Profile {
    std::uint32_t features = feature::kAll;
    int table_percent = 40;    // cases that look like a declared card or board game
    int skeleton_percent = 60; // of those, the cases whose rules are mostly skeletons
    bool of_form = false;      // of those, only skeletons of the intermediate form

    [[nodiscard]] bool has(std::uint32_t wanted) const { return (features & wanted) == wanted; }
};

// All inputs of a run, as text: a case is a file that replays through the reader.
struct Case {
    std::string ruleset;
    std::string state;
    std::string group = "rules";
    std::uint64_t seed = 0;
    Budgets budgets;
};

// The same seed and profile give the same case on every machine.
Case generate_case(std::uint64_t seed, const Profile& profile = {});

// The bytes decide the case choice by choice; choices after the last byte are always the same.
Case generate_case(std::span<const std::uint8_t> choices, const Profile& profile = {});

} // namespace croupier::engine::reference
