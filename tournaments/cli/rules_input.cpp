// Reads rulesets, conditions and states that the user named.
#include "tournaments/cli/rules_input.h"

#include "engine/api/explain.h"
#include "tournaments/run/files.h"
#include "tournaments/run/named_game.h"

#include <utility>

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
    context.diagnose(loaded.diagnostics, loaded.sources);
    if (!loaded.ruleset)
        throw Mistake(tournaments::errors_in(loaded.diagnostics) + " in the rules");
    return std::make_unique<Loaded>(std::move(loaded));
}

} // namespace

std::unique_ptr<Loaded> load_rules(const std::string& word, const std::string& games_folder,
                                   Context& context) {
    const std::string path = rules_file(word, games_folder, context);
    const engine::FileOpener open = file_opener(context);
    context.include_roots->name(path == "-" ? "./-" : path);
    return accept(engine::load_ruleset_text(display_name(path),
                                            tournaments::read_input(path, context.in), open),
                  context);
}

std::unique_ptr<Loaded> load_condition(const std::string& path, Context& context) {
    return accept(
        engine::load_pattern_text(display_name(path), tournaments::read_input(path, context.in)),
        context);
}

void load_state(const std::string& path, const engine::Program& program, engine::State& state,
                Context& context) {
    Sources sources;
    Diagnostics diagnostics;
    tournaments::NamedText named = read_state(path, context);
    const std::uint32_t file = sources.add(std::move(named.name), std::move(named.text));
    const auto document = engine::read_json(sources, file, diagnostics);
    if (document) program.import(state, *document, diagnostics);
    context.diagnose(diagnostics, sources);
    if (diagnostics.has_errors()) throw Mistake("the state cannot be used");
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
