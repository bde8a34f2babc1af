// An author's mistake as a value: what is wrong, where, what was expected and how to fix it.
#pragma once

#include "engine/text/source.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::engine {

enum class Severity { Error, Warning };

struct Diagnostic {
    std::string code; // stable, "E0103"; each has a page in engine/docs/codes.md
    Severity severity = Severity::Error;
    Span span;
    std::string rule;    // name of the rule it is in; empty outside rules
    std::string message; // one sentence: what was found and what was expected
    std::string hint;    // how to fix it; may be empty
};

// Collects the diagnostics of one load and sorts them by place on request. Never throws them.
class Diagnostics {
  public:
    void add(Diagnostic diagnostic);
    void error(std::string_view code, Span span, std::string message, std::string hint = {},
               std::string rule = {});
    void warning(std::string_view code, Span span, std::string message, std::string hint = {},
                 std::string rule = {});

    [[nodiscard]] bool has_errors() const { return errors_ > 0; }
    [[nodiscard]] bool empty() const { return all_.empty(); }
    [[nodiscard]] std::size_t count() const { return all_.size(); }
    // True once more are recorded than anyone reads; later ones are counted, not kept.
    [[nodiscard]] bool full() const { return all_.size() >= kMax; }
    // By file, offset and code; duplicates are dropped.
    [[nodiscard]] std::vector<Diagnostic> sorted() const;

  private:
    static constexpr std::size_t kMax = 1000;

    std::vector<Diagnostic> all_;
    std::size_t errors_ = 0;
};

// "file:line:column: error[E0103]: message", the source line with a caret below it, "  hint: ...".
std::string format(const Diagnostic& diagnostic, const Sources& sources);

// Returns the word of `known` with the smallest edit distance to `word`, ignoring case and counting
// two swapped neighbours as one edit; the first one wins a tie. Returns nullopt if all are too far
// off to be a useful suggestion.
std::optional<std::string> nearest(std::string_view word, std::span<const std::string> known);
// Returns " (did you mean 'check'?)", to end a message about an unknown word, or "".
std::string did_you_mean(std::string_view word, std::span<const std::string> known);
// The same as a hint, `did you mean "check"?`, or `otherwise` if no known word is near.
std::string hint_for(std::string_view word, std::span<const std::string> known,
                     std::string_view otherwise);

} // namespace croupier::engine
