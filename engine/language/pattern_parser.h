// Parses JSON into conditions.
#pragma once

#include "engine/language/pattern.h"
#include "engine/language/reading.h"
#include "engine/language/ruleset.h"

#include <map>
#include <optional>

namespace croupier::engine {

// Parses a number, true, false, null or a string that means a value, never a binding. `what` names
// the place in messages. Reports anything else and returns nullopt.
std::optional<Expr> parse_value(Reading& reading, const Document& document, std::string_view what);

// The same where only expressions are allowed: a string needs no $ to be one.
std::optional<Expr> parse_formula(Reading& reading, const Document& document,
                                  std::string_view what);

// The named patterns of a ruleset. Each is parsed once, when first used, and copied at every @use.
class PatternLibrary {
  public:
    explicit PatternLibrary(Reading& reading) : reading_(reading) {}

    // `patterns` of the ruleset, which must outlive the library.
    void add(const Member& definition);
    // Parses the unused ones, so that all their errors are reported.
    void finish();

    // The entries of the pattern for a use at `place`, or an empty pattern after an error.
    Pattern use(const std::string& name, Span place);

    // Reports an error if a rule's condition, with all patterns it uses, would take too long to
    // compile.
    void refuse_large(const Pattern& condition, Span place);

    [[nodiscard]] const Words& names() const { return names_; }

    // Current depth of the parser of conditions, including all open uses.
    unsigned depth = 0;

  private:
    struct Named {
        const Member* definition = nullptr;
        enum class State { Unread, Reading, Read } state = State::Unread;
        Pattern pattern;
        std::size_t size = 0; // entries and their parts, including used patterns
        std::size_t height = 0;
        bool used = false;
    };
    void read(const std::string& name, Named& named);
    void report_cycle(const std::string& name, Span place);

    Reading& reading_;
    std::map<std::string, Named> named_;
    Words names_;                   // in the order of the file
    std::vector<std::string> open_; // names being read, the outermost first
    std::size_t copied_ = 0;        // entries copied by uses
    bool limit_reported_ = false;
};

// Parses a condition. After errors returns the parts that could be read.
Pattern parse_condition(Reading& reading, PatternLibrary& patterns, const Document& document);

} // namespace croupier::engine
