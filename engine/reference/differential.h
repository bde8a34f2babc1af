// Runs random cases on two executors of the language and reports where they disagree.
#pragma once

#include "engine/reference/generator.h"
#include "engine/reference/subject.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace croupier::engine::reference {

struct Verdict {
    enum class Kind { Same, Different, NotLoaded, TooLong };
    Kind kind = Kind::Same;
    std::string detail;             // the difference, or the first diagnostic
    std::string code;               // the code of that diagnostic
    std::uint64_t applications = 0; // of rules
    std::uint64_t fruitful = 0;     // applications with a match, which make a case useful
    bool ended_in_error = false;
};

// Loads the case and runs it on both. Skips cases for which `expected` needs too many steps or that
// make too large a state.
Verdict judge(const Case& random_case, const Subject& expected, const Subject& actual);

struct Failure {
    Case shrunk;
    std::string difference;
};

struct Tally {
    std::uint64_t cases = 0;
    std::uint64_t not_loaded = 0;
    std::uint64_t too_long = 0;
    std::uint64_t matched = 0; // cases in which a rule matched
    std::uint64_t applications = 0;
    std::uint64_t fruitful = 0;
    std::uint64_t errors = 0;
    std::map<std::string, std::string> diagnostics; // code -> the first diagnostic with it
    std::map<std::string, std::uint64_t> codes;     // code -> number of cases it kept from loading
    std::optional<Failure> failure;                 // the first; no case is tried after it
};

// Runs the cases of the seeds first .. first + count - 1.
Tally run_cases(std::uint64_t first, std::uint64_t count, const Profile& profile,
                const Subject& expected, const Subject& actual);

// A case as one JSON file, and back.
std::string write_case(const Case& random_case);
std::optional<Case> read_case(const std::string& json, std::string& error);

} // namespace croupier::engine::reference
