// Groups of a program that run by the machine code of their intermediate form.
#pragma once

#include "engine/emit/code.h"
#include "engine/ir/ir.h"

#include <memory>

namespace croupier::engine::emit {

// Immutable, shared by threads.
struct Form {
    std::unique_ptr<const ir::Module> module;
    std::shared_ptr<const Code> code;

    [[nodiscard]] bool has(GroupId group) const;
};

// Of the groups that plans are slow at (GroupPlan::is_slow). Null if there are none, or no machine
// code.
std::shared_ptr<const Form> make_form(Program& program);

} // namespace croupier::engine::emit
