// Shared by the tests of runs.
#pragma once

#include "engine/form/build.h"
#include "engine/form/passes.h"
#include "engine/form/testing.h"
#include "engine/language/testing.h"
#include "engine/reference/verify.h"
#include "engine/run/executor.h"
#include "engine/run/observer.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace croupier::engine {

// Collects the lines of @print.
class Lines : public Log {
  public:
    void line(const std::string& text) override { all += text + ' '; }
    std::string all;
};

// A ruleset whose first group is an agenda, run node by node and as machine code, which calls the
// executor for it; both must do the same.
class AgendaSubject {
  public:
    explicit AgendaSubject(const std::string& rules, const Budgets& budgets = {})
        : loaded_(load_ruleset_text("test", rules)) {
        EXPECT_TRUE(loaded_.ruleset) << shown(loaded_);
        catalogue_ = std::make_unique<Catalogue>(*loaded_.ruleset);
        module_ = form::build(*catalogue_);
        for (const form::Pass& pass : form::passes())
            for (form::Function& function : module_->functions)
                pass.run(*module_, function);
        code_ = x86::emit(*module_);
        EXPECT_EQ(code_ != nullptr, x86::can_emit());
        walked_ = std::make_unique<Executor>(*module_, budgets);
        emitted_ = std::make_unique<Executor>(*module_, budgets, code_.get());
    }

    // The lines that a run prints, then its error, if any.
    std::string run(std::uint64_t seed = 1) {
        const std::string walked = run(*walked_, seed);
        const std::string all = seen_;
        std::string emitted = run(*emitted_, seed);
        EXPECT_EQ(walked, emitted);
        EXPECT_EQ(all, seen_);
        return emitted;
    }

  private:
    std::string run(Executor& executor, std::uint64_t seed) {
        Lines lines;
        executor.set_log(&lines);
        State state = catalogue_->initial_state();
        Random random(seed);
        const RunResult result = executor.run(0, state, random);
        if (result.error) {
            lines.all += std::string(name_of(result.error->kind)) + " " + result.error->rule +
                         " @" + std::to_string(result.error->span.begin);
        }
        EXPECT_FALSE(state.has_journal());
        seen_ = write_json(state.export_document(), -1) + " " + std::to_string(result.matches) +
                " matches, " + std::to_string(result.firings) + " firings, " +
                std::to_string(random.counter()) + " draws";
        return lines.all;
    }

    Loaded loaded_;
    std::unique_ptr<Catalogue> catalogue_;
    std::unique_ptr<form::Module> module_;
    std::shared_ptr<const x86::Code> code_;
    std::unique_ptr<Executor> walked_;
    std::unique_ptr<Executor> emitted_;
    std::string seen_; // other results of the last run
};

// Shared by the tests of the executor: functions made by hand and run on states.

inline constexpr const char* kTable = R"({
    "types": {"Seat": 3, "Card": ["s7", "hA", "hK"], "Suit": ["spade", "heart"], "Many": 70},
    "constants": {"worth": {"s7": 0, "hA": 11}},
    "shape": {"hands": {"$:Seat": {"$:Card": true}}, "suit": {"$:Card": "Suit"}, "trump": "Suit",
              "points": {"$:Seat": "0..200"}, "open": {"$": "any"}, "bag": {"$:Seat": "any"},
              "total": "int", "box": {"lid": "bool"}, "many": {"$:Many": true}, "rate": "number"},
    "play": [{"name": "count", "condition": {}, "action": {"total": 1}, "else": {"total": 2}}]
})";

inline const form::Type kTruth = form::Maker::type(form::TypeKind::Truth);
inline const form::Type kAny = form::Maker::type(form::TypeKind::Any);
inline const form::Type kKey = form::Maker::type(form::TypeKind::Key);
inline const form::Type kNode = form::Maker::type(form::TypeKind::Node);

struct Outcome {
    std::string prints; // lines, each ended by a space
    std::string state;
    std::string error; // "kind: detail @ reported place", if any
    std::uint64_t matches = 0;
    std::uint64_t firings = 0;
};

class Hand : public form::Maker {
  public:
    Hand() : Maker(kTable) { function.group = catalogue().group_id("play"); }

    // A place to report a node's errors at.
    form::NoteId at(std::uint32_t place) {
        module.notes.push_back({Span{0, place, place}, 0, 0});
        return static_cast<form::NoteId>(module.notes.size() - 1);
    }
    form::Id yield(std::vector<form::Id> values = {}) {
        return statement(form::Kind::Yield, std::move(values));
    }
    form::Id print(std::vector<form::Id> values) {
        return statement(form::Kind::Print, std::move(values));
    }
    // Whether an instance of a declared node is present.
    form::Id present(const std::string& path, std::vector<form::Id> rows = {}) {
        return node(form::Kind::Present, type(form::TypeKind::Truth), std::move(rows),
                    {schema(path)});
    }
    form::Id load(const std::string& path, form::Type of, std::vector<form::Id> rows = {}) {
        return node(form::Kind::Load, of, std::move(rows), {schema(path)});
    }
    form::Id text(const std::string& of) { return any(Value::string(symbol(of))); }
    form::Id none() { return any(Value{}); }
    form::Id compare(ExprOp how, form::Id a, form::Id b) {
        return node(form::Kind::Compare, type(form::TypeKind::Truth), {a, b}, {form::op(how)});
    }

    // Runs the body set by `rule` or `body`.
    Outcome run(const std::string& from = "{}", const Budgets& budgets = {}) {
        EXPECT_EQ(form::verify(module, function), std::vector<std::string>{});
        return run_unverified(from, budgets);
    }
    Outcome run_unverified(const std::string& from = "{}", const Budgets& budgets = {}) {
        module.functions = {function};
        Executor executor(module, budgets);
        Lines log;
        executor.set_log(&log);
        State state = imported(from);
        Random random(1);
        const RunResult result = executor.run(function.group, state, random);
        Outcome outcome{log.all, write_json(state.export_document(), -1), "", result.matches,
                        result.firings};
        if (result.error) {
            outcome.error = std::string(name_of(result.error->kind)) + ": " + result.error->detail +
                            " @ " + std::to_string(result.error->span.begin);
        }
        return outcome;
    }
    // Runs a rule that matches once and has this action.
    Outcome act(std::vector<form::Id> action, const std::string& from = "{}") {
        rule({yield()}, std::move(action));
        return run(from);
    }
    // Runs a rule with that search that prints the values of each match.
    Outcome find(std::vector<form::Id> search, form::VarId first, std::int64_t count,
                 const std::string& from = "{}") {
        std::vector<form::Id> shown;
        for (std::int64_t i = 0; i < count; ++i)
            shown.push_back(use(first + static_cast<form::VarId>(i)));
        rule(std::move(search), {print(std::move(shown))}, first, count);
        return run(from);
    }
    // The value's text, or the error.
    std::string value(form::Id of, const std::string& from = "{}") {
        const Outcome outcome = act({print({of})}, from);
        return outcome.error.empty() ? outcome.prints.substr(0, outcome.prints.size() - 1)
                                     : outcome.error;
    }

    State imported(const std::string& json) {
        Sources sources;
        Diagnostics diagnostics;
        const auto document = read_json(sources, sources.add("state", json), diagnostics);
        State state = catalogue().initial_state();
        EXPECT_TRUE(document && state.import(*document, diagnostics)) << json;
        return state;
    }
};

} // namespace croupier::engine
