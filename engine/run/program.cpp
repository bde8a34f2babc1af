// From a ruleset to what runs.
#include "engine/run/program.h"

#include "engine/emit/code.h"
#include "engine/ir/build.h"
#include "engine/ir/passes.h"

namespace croupier::engine {

Program::Program(const Ruleset& ruleset, const std::function<void(Catalogue&)>& before_passes)
    : catalogue_(ruleset) {
    std::unique_ptr<ir::Module> form = ir::build(catalogue_);
    watched_ = ir::build(catalogue_, true);
    if (before_passes) before_passes(catalogue_);
    for (const ir::Pass& pass : ir::passes())
        for (ir::Function& function : form->functions)
            pass.run(*form, function);
    code_ = emit::emit(*form);
    form_ = std::move(form);
}

Program::~Program() = default;

// Rules begin where they are shown: what is left aside for rare cases stands behind the last one.
std::string Program::listing(RuleId rule) const {
    const std::string begins = rule == kNone ? "" : "; rule " + catalogue_.rules[rule].name + ' ';
    std::string text;
    for (std::size_t i = 0; i < form_->functions.size(); ++i) {
        std::string all;
        for (const emit::CodeLine& line : emit::listing(*form_, i))
            all += line.text + '\n';
        if (rule == kNone) {
            text += "group " + catalogue_.groups[form_->functions[i].group].name + '\n' + all;
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
