// The intermediate form of a program after each pass, for engineers.
#pragma once

#include "engine/plan/program.h"

#include <string>
#include <string_view>
#include <vector>

namespace croupier::engine::ir {

struct Stage {
    std::string_view name;
    std::string_view does;
};

// What builds the form, and the passes that rewrite it, in the order in which they run.
std::vector<Stage> stages();

// As text: all functions, or only the group or the rule of that number, which may stand in an
// action. `stage` is the name of one; the program may get new symbols and types.
std::string show_after(Program& program, std::string_view stage, GroupId group = kNone,
                       RuleId rule = kNone);

} // namespace croupier::engine::ir
