// For tests: an agenda group that runs node by node and by machine code, which have to do the same.
#pragma once

#include "engine/ir/build.h"
#include "engine/ir/passes.h"
#include "engine/lang/testing.h"
#include "engine/run/interpreter.h"
#include "engine/run/testing.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace croupier::engine {

// A ruleset whose first group is an agenda.
class AgendaSubject {
  public:
    explicit AgendaSubject(const std::string& rules, const Budgets& budgets = {})
        : loaded_(load_ruleset_text("test", rules)) {
        EXPECT_TRUE(loaded_.ruleset) << shown(loaded_);
        catalogue_ = std::make_unique<Catalogue>(*loaded_.ruleset);
        module_ = ir::build(*catalogue_);
        for (const ir::Pass& pass : ir::passes()) {
            for (ir::Function& function : module_->functions) {
                pass.run(*module_, function);
            }
        }
        code_ = emit::emit(*module_);
        EXPECT_EQ(code_ != nullptr, emit::can_emit());
        walked_ = std::make_unique<Interpreter>(*module_, budgets);
        emitted_ = std::make_unique<Interpreter>(*module_, budgets, code_.get());
    }

    // The lines that a run prints, then its error if there is one.
    std::string run(std::uint64_t seed = 1) {
        const std::string walked = run(*walked_, seed);
        const std::string all = seen_;
        std::string emitted = run(*emitted_, seed);
        EXPECT_EQ(walked, emitted);
        EXPECT_EQ(all, seen_);
        return emitted;
    }

  private:
    std::string run(Interpreter& interpreter, std::uint64_t seed) {
        Lines lines;
        interpreter.set_log(&lines);
        State state = catalogue_->initial_state();
        Random random(seed);
        const RunResult result = interpreter.run(0, state, random);
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
    std::unique_ptr<ir::Module> module_;
    std::shared_ptr<const emit::Code> code_;
    std::unique_ptr<Interpreter> walked_;
    std::unique_ptr<Interpreter> emitted_;
    std::string seen_; // what else came of the last run
};

} // namespace croupier::engine
