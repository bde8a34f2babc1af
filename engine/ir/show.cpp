// Builds, runs passes, and prints.
#include "engine/ir/show.h"

#include "engine/ir/build.h"
#include "engine/ir/print.h"

#include <array>

namespace croupier::engine::ir {

std::span<const PassInfo> passes() {
    static constexpr std::array kPasses = {
        PassInfo{"build", "rules as they are written, in their general way"},
    };
    return kPasses;
}

std::string show_after(Program& program, std::string_view pass, GroupId group, RuleId rule) {
    std::string text;
    if (pass != passes().front().name) {
        return text; // there are no others yet
    }
    const std::unique_ptr<Module> module = build(program);
    for (const Function& function : module->functions) {
        if (group == kNone && rule == kNone) {
            text += to_text(*module, function);
            continue;
        }
        for (Id id = 0; id < function.nodes.size(); ++id) {
            const Node& node = function.at(id);
            if ((node.kind == Kind::Group && node.x == group) ||
                (node.kind == Kind::Apply && node.x == rule)) {
                text += statement_to_text(*module, function, id);
            }
        }
    }
    return text;
}

} // namespace croupier::engine::ir
