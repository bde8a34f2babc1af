// Shared by all parsers of this folder: the sources, and where errors go.
#pragma once

#include "engine/language/ruleset.h"
#include "engine/text/codes.h"
#include "engine/text/diagnostic.h"
#include "engine/text/document.h"
#include "engine/text/source.h"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace croupier::engine {

using Words = std::vector<std::string>;

// "a, b and c".
std::string list_words(std::span<const std::string> words);

// The names of options, types and so on, for suggestions.
template <typename Items>
Words names_of(const Items& items) {
    Words names;
    for (const auto& each : items)
        names.push_back(each.name);
    return names;
}

template <typename Items, typename Item>
bool contains(const Items& items, const Item& item) {
    return std::ranges::find(items, item) != std::ranges::end(items);
}

// "a string", "an object": the name of the found value in messages.
std::string_view kind_name(const Document& document);

// From the beginning of `first` to the end of `last`, which must be in one file in this order.
Span join(Span first, Span last);

struct Reading {
    const Sources& sources;
    Diagnostics& diagnostics;
    std::string rule; // the rule being read; empty outside rules
    // Options that a file adds to those of earlier files: name and place.
    std::vector<std::pair<std::string, Span>> added_options = {};
    std::span<const Option> options = {}; // that expressions may refer to
    bool lacks_files = false; // an included file cannot be read, so rules may be missing

    void error(std::string_view code, Span span, std::string message, std::string hint = {}) {
        diagnostics.error(code, span, std::move(message), std::move(hint), rule);
    }
    void warning(std::string_view code, Span span, std::string message, std::string hint = {}) {
        diagnostics.warning(code, span, std::move(message), std::move(hint), rule);
    }
    // Reports what was expected in place of the document, and its kind.
    void expected(std::string_view code, const Document& document, std::string what,
                  std::string hint = {}) {
        error(code, document.span, std::move(what) + ", found " + std::string(kind_name(document)),
              std::move(hint));
    }
    bool expect_object(std::string_view code, const Document& document, std::string what) {
        if (!document.is_object()) expected(code, document, std::move(what));
        return document.is_object();
    }
    // "did you mean WORD?", or `otherwise` if no known word is near.
    [[nodiscard]] std::string did_you_mean(std::string_view word,
                                           std::span<const std::string> known,
                                           std::string otherwise = {}) const;
    [[nodiscard]] Quoted quoted(const Document& string) const {
        return {sources, string.text(), string.span};
    }
    [[nodiscard]] Quoted quoted_key(const Member& member) const {
        return {sources, member.key, member.key_span};
    }
};

// Names the rule in the diagnostics of a scope.
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
