// From a ruleset to what runs.
#include "engine/run/program.h"

#include "engine/emit/code.h"
#include "engine/ir/build.h"
#include "engine/ir/passes.h"

#include <algorithm>

namespace croupier::engine {

Program::Program(const Ruleset& ruleset) : Catalogue(ruleset) {
    std::unique_ptr<ir::Module> form = ir::build(*this);
    for (const ir::Pass& pass : ir::passes())
        for (ir::Function& function : form->functions)
            pass.run(*form, function);
    code_ = emit::emit(*form);
    form_ = std::move(form);
    watched_ = ir::build(*this, true);
    rule_out();
}

Program::~Program() = default;

// Rules of agendas whose search the passes have found to fail, whatever the state.
void Program::rule_out() {
    for (const ir::Function& function : form_->functions) {
        GroupPlan& group = groups[function.group];
        if (group.agenda == nullptr) continue;
        for (const ir::Node& node : function.nodes) {
            if (node.kind != ir::Kind::Apply) continue;
            const auto place = std::find(group.rules.begin(), group.rules.end(), node.x);
            const std::vector<ir::Id>& search = function.blocks[node.blocks[0]].statements;
            if (place != group.rules.end() && !search.empty() &&
                function.at(search[0]).kind == ir::Kind::Fail) {
                group.agenda->rules[static_cast<std::size_t>(place - group.rules.begin())].never =
                    true;
            }
        }
    }
}

// Rules begin where they are shown: what is left aside for rare cases stands behind the last one.
std::string Program::listing(RuleId rule) const {
    const std::string begins = rule == kNone ? "" : "; rule " + rules[rule].name + ' ';
    std::string text;
    for (std::size_t i = 0; i < form_->functions.size(); ++i) {
        std::string all;
        for (const emit::CodeLine& line : emit::listing(*form_, i))
            all += line.text + '\n';
        if (rule == kNone) {
            text += "group " + groups[form_->functions[i].group].name + '\n' + all;
            continue;
        }
        const std::size_t begin = all.find(begins);
        if (begin != std::string::npos) {
            const std::size_t end = all.find("; rule ", begin + 1);
            text += all.substr(begin, end == std::string::npos ? end : end - begin);
        }
    }
    return text;
}

bool runs_machine_code() {
    return emit::can_emit();
}

} // namespace croupier::engine
