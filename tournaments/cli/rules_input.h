// Reads rulesets, conditions and states that the user named, and reports their mistakes.
#pragma once

#include "engine/api/program.h"
#include "engine/api/ruleset.h"
#include "engine/api/run.h"
#include "engine/api/state.h"
#include "engine/api/text.h"
#include "tournaments/cli/command.h"
#include "tournaments/run/asked_rule.h"

#include <memory>
#include <string>

namespace croupier::cli {

// Lines of @print go where the trace goes, so that standard output is the answer alone.
class PrintedLines : public engine::Log {
  public:
    explicit PrintedLines(Page& page) : page_(page) {}
    void line(const std::string& text) override { page_.line({text}); }

  private:
    Page& page_;
};

// The ruleset of a file, of standard input ("-"), or of a game by name or folder; its diagnostics
// go to standard error. Throws Mistake, whose message is the number of errors, when it has any.
std::unique_ptr<engine::Loaded> load_rules(const std::string& word, const std::string& games_folder,
                                           Context& context);

// The same of a condition, or of a rule whose condition is meant.
std::unique_ptr<engine::Loaded> load_condition(const std::string& path, Context& context);

// The state of a file, or of a place in a run (game_input.h), in place of what `state` held.
void load_state(const std::string& path, const engine::Program& program, engine::State& state,
                Context& context);

// Throws Mistake where rules are interpreted.
void need_machine_code();

// A value as a JSON value.
engine::Document to_document(const engine::Value& value, const engine::Symbols& symbols);

} // namespace croupier::cli
