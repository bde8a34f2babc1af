// The intermediate form of a program after each pass, for engineers.
#pragma once

#include "engine/plan/program.h"

#include <span>
#include <string>
#include <string_view>

namespace croupier::engine::ir {

struct PassInfo {
    std::string_view name;
    std::string_view does;
};

// All passes in the order in which they run; the first builds what the others rewrite.
std::span<const PassInfo> passes();

// As text: all functions, or only the group or the rule of that number, which may stand in an
// action. `pass` is one of passes(); the program may get new symbols and types.
std::string show_after(Program& program, std::string_view pass, GroupId group = kNone,
                       RuleId rule = kNone);

} // namespace croupier::engine::ir
