// Reads rulesets, conditions and states that the user named.
#include "tournaments/cli/rules_input.h"

#include "engine/api/explain.h"
#include "results/report/numbers.h"
#include "tournaments/cli/game_input.h"
#include "tournaments/cli/input.h"
#include "tournaments/cli/named_game.h"
#include "tournaments/cli/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

namespace croupier::cli {

using engine::Diagnostics;
using engine::Document;
using engine::Loaded;
using engine::Sources;

namespace {

std::string display_name(const std::string& path) {
    return path == "-" ? "<stdin>" : path;
}

std::unique_ptr<Loaded> accept(Loaded loaded, Context& context) {
    print_diagnostics(loaded.diagnostics, loaded.sources, context);
    if (!loaded.ruleset) throw Mistake(errors_in(loaded.diagnostics) + " in the rules");
    return std::make_unique<Loaded>(std::move(loaded));
}

} // namespace

std::size_t count_errors(const Diagnostics& diagnostics) {
    const auto all = diagnostics.sorted();
    return static_cast<std::size_t>(std::count_if(all.begin(), all.end(), [](const auto& each) {
        return each.severity == engine::Severity::Error;
    }));
}

std::string errors_in(const Diagnostics& diagnostics) {
    return results::counted(count_errors(diagnostics), "error");
}

engine::FileOpener file_opener(const Context& context) {
    context.include_roots->add(shipped("games", context));
    context.include_roots->add(shipped("agents", context));
    return [roots = context.include_roots](const std::string& path) {
        std::istringstream nothing;
        engine::FileText file;
        try {
            file.text =
                roots->is_named(path) ? read_input(path, nothing) : read_included(path, *roots);
        } catch (const Mistake& mistake) {
            file.error = mistake.what();
        }
        return file;
    };
}

std::unique_ptr<Loaded> load_rules(const std::string& word, const std::string& games_folder,
                                   Context& context) {
    const std::string path = rules_file(word, games_folder, context);
    const engine::FileOpener open = file_opener(context);
    context.include_roots->name(path == "-" ? "./-" : path);
    return accept(engine::load_ruleset_text(display_name(path), read_input(path, context.in), open),
                  context);
}

std::unique_ptr<Loaded> load_condition(const std::string& path, Context& context) {
    return accept(engine::load_pattern_text(display_name(path), read_input(path, context.in)),
                  context);
}

void load_state(const std::string& path, const engine::Program& program, engine::State& state,
                Context& context) {
    Sources sources;
    Diagnostics diagnostics;
    NamedText named = read_state(path, context);
    const std::uint32_t file = sources.add(std::move(named.name), std::move(named.text));
    const auto document = engine::read_json(sources, file, diagnostics);
    if (document) {
        program.import(state, *document, diagnostics);
    }
    print_diagnostics(diagnostics, sources, context);
    if (diagnostics.has_errors()) {
        throw Mistake("the state cannot be used");
    }
}

void print_diagnostics(const Diagnostics& diagnostics, const Sources& sources, Context& context) {
    // Only the ends of names are compared: one may be GROUP/NAME, as it was asked, and the other is
    // as it is written.
    const auto short_name = [](const std::string& name) {
        return name.substr(name.rfind('/') + 1);
    };
    for (const engine::Diagnostic& diagnostic : diagnostics.sorted()) {
        if (!context.warned_rule.empty() && diagnostic.severity == engine::Severity::Warning &&
            short_name(diagnostic.rule) != short_name(context.warned_rule)) {
            ++context.warnings_left_out;
            continue;
        }
        context.err().raw(engine::format(diagnostic, sources) + "\n");
    }
}

void throw_run_error(const engine::RunError& error, const Sources& sources) {
    throw Mistake(fmt::format("{}: rule {} stopped: {}: {}", sources.place(error.span), error.rule,
                              engine::name_of(error.kind), error.detail));
}

engine::RuleId known_rule(const engine::Program& program, const std::string& name) {
    const engine::RuleId id = program.rule_id(name);
    const std::size_t slash = name.rfind('/');
    if (id != engine::kNone || slash == std::string::npos) return id;
    const engine::RuleId last = program.rule_id(name.substr(slash + 1));
    if (last == engine::kNone) return last;
    const engine::GroupPlan& group = program.groups[engine::place_of(program, last).group];
    return group.name == name.substr(0, slash) ? last : engine::kNone;
}

engine::RuleId find_rule(const engine::Program& program, const std::string& name) {
    const engine::RuleId id = known_rule(program, name);
    if (id == engine::kNone) {
        std::vector<std::string> known;
        for (const engine::RulePlan& rule : program.rules) {
            known.push_back(rule.name);
        }
        throw Mistake(fmt::format("there is no rule '{}'{}", name, did_you_mean(name, known)));
    }
    return id;
}

void need_machine_code() {
    if (!engine::runs_machine_code())
        throw Mistake("there is no machine code here: rules are interpreted");
}

Document to_document(const engine::Value& value, const engine::Symbols& symbols) {
    Document document;
    document.scalar = engine::to_scalar(value, symbols);
    return document;
}

} // namespace croupier::cli
