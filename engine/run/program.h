// A ruleset as it runs: its catalogue, the intermediate form of its rules, and machine code.
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
    // The ruleset must be free of errors and outlive the program. `before_passes` may add the names
    // that its caller needs. Passes read the catalogue, so nothing is added later.
    explicit Program(const Ruleset& ruleset,
                     const std::function<void(Catalogue&)>& before_passes = {});
    ~Program();

    [[nodiscard]] const Catalogue& catalogue() const { return catalogue_; }
    // After all passes: what runs where nobody watches.
    [[nodiscard]] const form::Module& unwatched() const { return *form_; }
    // The rules as they are written, with nodes that tell observers what happens.
    [[nodiscard]] const form::Module& watched() const { return *watched_; }
    // The form's machine code; null where there is none, since it needs x86-64.
    [[nodiscard]] const x86::Code* code() const { return code_.get(); }

    // The code as text, statements of the form above the instructions that they became: of all
    // groups, or of one rule. Empty where there is no machine code.
    [[nodiscard]] std::string listing(RuleId rule = kNone) const;

  private:
    Catalogue catalogue_; // gets symbols and types while both modules are built, then no more
    std::unique_ptr<const form::Module> form_;
    std::unique_ptr<const form::Module> watched_;
    std::shared_ptr<const x86::Code> code_;
};

// Rules run as machine code here.
bool runs_machine_code();

} // namespace croupier::engine
