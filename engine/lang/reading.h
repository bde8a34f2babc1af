// What every parser of this folder needs: the files, and where mistakes go.
#pragma once

#include "engine/text/codes.h"
#include "engine/text/diagnostic.h"
#include "engine/text/document.h"
#include "engine/text/source.h"

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace croupier::engine {

using Words = std::vector<std::string>;

// "a, b and c".
std::string list_words(std::span<const std::string> words);

// "a string", "an object": how a message names what was found.
std::string_view kind_name(const Document& document);

// From the beginning of `first` to the end of `last` where they stand in one file in this order.
Span join(Span first, Span last);

struct Reading {
    const Sources& sources;
    Diagnostics& diagnostics;
    std::string rule; // the rule that is being read; empty outside rules
    // Options that a file has beside those of the files that it is laid over: their names, where.
    std::vector<std::pair<std::string, Span>> added_options = {};

    void error(std::string_view code, Span span, std::string message, std::string hint = {}) {
        diagnostics.error(code, span, std::move(message), std::move(hint), rule);
    }
    void warning(std::string_view code, Span span, std::string message, std::string hint = {}) {
        diagnostics.warning(code, span, std::move(message), std::move(hint), rule);
    }
    // "did you mean WORD?", or nothing when no known word is near.
    [[nodiscard]] std::string did_you_mean(std::string_view word,
                                           std::span<const std::string> known) const;
    [[nodiscard]] Quoted quoted(const Document& string) const {
        return {sources, string.text(), string.span};
    }
    [[nodiscard]] Quoted quoted_key(const Member& member) const {
        return {sources, member.key, member.key_span};
    }
};

// Names the rule for the diagnostics of a scope.
class RuleScope {
  public:
    RuleScope(Reading& reading, std::string name)
        : reading_(reading), outer_(std::exchange(reading.rule, std::move(name))) {}
    ~RuleScope() { reading_.rule = std::move(outer_); }
    RuleScope(const RuleScope&) = delete;
    RuleScope& operator=(const RuleScope&) = delete;

  private:
    Reading& reading_;
    std::string outer_;
};

} // namespace croupier::engine
