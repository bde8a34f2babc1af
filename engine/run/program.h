// A compiled ruleset: its catalogue, the intermediate form of its rules, and machine code.
#pragma once

#include "engine/catalogue/catalogue.h"

#include <functional>
#include <memory>
#include <string>

namespace croupier::engine {

namespace form {
struct Module;
}
namespace x86 {
class Code;
}

// Immutable once built, shared by threads.
class Program {
  public:
    // The ruleset must be free of errors and outlive the program. `before_passes` may add names
    // that its caller needs; later additions are not possible, since passes read the catalogue.
    explicit Program(const Ruleset& ruleset,
                     const std::function<void(Catalogue&)>& before_passes = {});
    ~Program();

    [[nodiscard]] const Catalogue& catalogue() const { return catalogue_; }
    // After all passes; runs while there is no observer.
    [[nodiscard]] const form::Module& unwatched() const { return *form_; }
    // The rules as written, with nodes that report events to observers.
    [[nodiscard]] const form::Module& watched() const { return *watched_; }
    // The form's machine code, or null on processors other than x86-64.
    [[nodiscard]] const x86::Code* code() const { return code_.get(); }

    // The code as text, with each statement of the form above its instructions, for all groups or
    // for one rule. Empty if there is no machine code.
    [[nodiscard]] std::string listing(RuleId rule = kNone) const;

  private:
    Catalogue catalogue_; // gets symbols and types only while both modules are built
    std::unique_ptr<const form::Module> form_;
    std::unique_ptr<const form::Module> watched_;
    std::shared_ptr<const x86::Code> code_;
};

// Whether rules run as machine code on this processor.
bool runs_machine_code();

} // namespace croupier::engine
