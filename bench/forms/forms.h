// The forms of the rule language that are measured. To add one, write a group into a file of
// rules/forms, and its plain C++ into the list of that file.
#pragma once

#include "bench/forms/table.h"

#include <span>

namespace croupier::bench::forms {

struct Form {
    const char* name; // of the group
    void (*plain)(Table& table, Random& random);
    bool differs = true; // in some state, from what the two tests alone come to
};

std::span<const Form> conditions(); // rules/forms/conditions.json
std::span<const Form> actions();    // rules/forms/actions.json
std::span<const Form> groups();     // rules/forms/groups.json

// The two tests alone.
inline void base(Table& table, Random&) {
    choose(table, [](int) { return true; });
}

} // namespace croupier::bench::forms
