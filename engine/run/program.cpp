// Compiles a ruleset to the form that runs.
#include "engine/run/program.h"

#include "engine/form/build.h"
#include "engine/form/passes.h"
#include "engine/x86/code.h"

namespace croupier::engine {

Program::Program(const Ruleset& ruleset, const std::function<void(Catalogue&)>& before_passes)
    : catalogue_(ruleset) {
    std::unique_ptr<form::Module> form = form::build(catalogue_);
    watched_ = form::build(catalogue_, true);
    if (before_passes) before_passes(catalogue_);
    for (const form::Pass& pass : form::passes())
        for (form::Function& function : form->functions)
            pass.run(*form, function);
    code_ = x86::emit(*form);
    form_ = std::move(form);
}

Program::~Program() = default;

// Each rule begins at its comment; code for rare cases follows the last rule.
std::string Program::listing(RuleId rule) const {
    const std::string begins = rule == kNone ? "" : "; rule " + catalogue_.rules[rule].name + ' ';
    std::string text;
    for (std::size_t i = 0; i < form_->functions.size(); ++i) {
        std::string all;
        for (const x86::CodeLine& line : x86::listing(*form_, i))
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
    return x86::can_emit();
}

} // namespace croupier::engine
