// Shared by the quick and the slow differential tests.
#pragma once

#include "engine/reference/differential.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>

namespace croupier::engine::reference {

// Environment variables choose other cases: CROUPIER_CASES, CROUPIER_SEED.
inline std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
    const char* value = std::getenv(name);
    return value != nullptr ? std::strtoull(value, nullptr, 0) : otherwise;
}

inline Subject model() {
    return [](auto&&... args) { return run_model(args...); };
}

// Writes a failing case to a file that `engine_differential --replay` can run again.
inline void check_cases(std::uint64_t first, std::uint64_t count, const Profile& profile = {}) {
    const Tally tally = run_cases(first, count, profile, model(), run_subject);
    std::string codes;
    for (const auto& [code, diagnostic] : tally.diagnostics)
        codes += diagnostic;
    // Cases that do not load test nothing.
    EXPECT_LE(tally.not_loaded * 10, tally.cases) << codes;
    EXPECT_GE(tally.matched * 3, tally.cases);
    if (!tally.failure) return;
    const Case& shrunk = tally.failure->shrunk;
    const std::string json = write_case(shrunk);
    const std::string file =
        testing::TempDir() + "differential-" + std::to_string(shrunk.seed) + ".json";
    std::ofstream(file) << json << "\n";
    ADD_FAILURE() << tally.failure->difference << "\n"
                  << json << "\nengine_differential --replay " << file;
}

} // namespace croupier::engine::reference
