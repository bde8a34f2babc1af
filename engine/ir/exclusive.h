// Alternatives of which at most one can hold.
#pragma once

#include "engine/ir/test_rows.h"

#include <optional>
#include <vector>

namespace croupier::engine::ir {

struct OneTest {
    Id test = 0;
    std::vector<Id> lets; // statements that must stand before it
};

// Alternatives that do nothing but test, and of which codes say that no two hold, as one test.
std::optional<OneTest> test_of_alternatives(Editor& edit, TestRows& tests, Id alternatives);

} // namespace croupier::engine::ir
