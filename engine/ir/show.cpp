// Builds, runs passes, and prints.
#include "engine/ir/show.h"

#include "engine/ir/build.h"
#include "engine/ir/pass.h"
#include "engine/ir/print.h"

namespace croupier::engine::ir {

std::vector<Stage> stages() {
    std::vector<Stage> all = {{"build", "rules as they are written, in their general way"}};
    for (const Pass& pass : passes()) {
        all.push_back({pass.name, pass.meaning});
    }
    return all;
}

std::string show_after(Program& program, std::string_view stage, GroupId group, RuleId rule) {
    std::string text;
    const std::unique_ptr<Module> module = build(program);
    for (const Pass& pass : passes()) {
        if (stage == "build") {
            break;
        }
        for (Function& function : module->functions) {
            pass.run(*module, function);
        }
        if (stage == pass.name) {
            break;
        }
    }
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
