// Groups of a program that run by the machine code of their intermediate form.
#include "engine/emit/form.h"

#include "engine/ir/build.h"
#include "engine/ir/pass.h"

#include <algorithm>

namespace croupier::engine::emit {

bool Form::has(GroupId group) const {
    for (std::size_t i = 0; i < module->functions.size(); ++i) {
        if (module->functions[i].group == group) {
            return code->has(i);
        }
    }
    return false;
}

std::shared_ptr<const Form> make_form(Program& program) {
    const auto wanted = [&](GroupId group) {
        const GroupPlan& plan = program.groups[group];
        return plan.mode != GroupMode::Agenda && plan.is_slow;
    };
    bool any = false;
    for (GroupId group = 0; group < program.ruleset().groups.size(); ++group) {
        any = any || wanted(group);
    }
    if (!any || !can_emit()) {
        return nullptr;
    }
    std::unique_ptr<ir::Module> module = ir::build(program);
    std::erase_if(module->functions,
                  [&](const ir::Function& function) { return !wanted(function.group); });
    for (const ir::Pass& pass : ir::passes()) {
        for (ir::Function& function : module->functions) {
            pass.run(*module, function);
        }
    }
    auto form = std::make_shared<Form>();
    form->code = emit(*module);
    form->module = std::move(module);
    return form->code == nullptr ? nullptr : form;
}

} // namespace croupier::engine::emit
