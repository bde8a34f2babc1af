// Where a partial match of a condition ended, and what was found there.
#pragma once

#include "engine/lang/expr.h"
#include "engine/text/document.h"
#include "engine/text/source.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace croupier::engine {

using NamedValues = std::vector<std::pair<std::string, Scalar>>;

struct WhyStop {
    enum class Reason : std::uint8_t {
        NoNode,        // `node` is not there
        IsThere,       // it is, and must not be
        NoValue,       // it has none
        Value,         // its value will not do: `found`
        Type,          // nor has its value, or key, the type `wanted`
        Test,          // an expression is not true
        Total,         // what an aggregate came to, `found`, will not do
        NoTotal,       // there was nothing to take the least or greatest of
        Match,         // @not: there is a match, `inside`; `node` is the last that it came to
        NoMatch,       // @exists: there is none; `nearest` came closest
        Counter,       // @forall: the match `inside` fails as `nearest` says
        NoAlternative, // @any: `nearest`, one for each
        NoChild,       // no child of `node` could be tried
    };

    std::uint32_t entry = 0;
    Span span;
    Reason reason = Reason::NoNode;
    NamedValues bound;           // before the entry, those of the rules around first
    bool absent = false;         // Match: what it asked of `node` is that it is not there
    std::string node;            // its path from the root of the state; of that "the root"
    std::optional<Scalar> found; // the value that stood there
    // What was compared, and how, where it was a comparison.
    std::optional<std::pair<Scalar, Scalar>> sides;
    ExprOp compare = ExprOp::Equal;
    Span test;          // Test: the part that is false; Match: that holds
    std::string wanted; // Type, NoChild: a type; Total: what it is, as in "count"
    NamedValues inside; // what the match inside has bound
    // Match: of the @nots in it, which have found nothing.
    std::vector<WhyStop> nearest;
    // How near it is to a match. Of two at the same entry: more of what stands beside it holds,
    // then the value is less far from one that would do.
    std::uint32_t shared = 0;
    double distance = 0;
};

// Whether the first is nearer to a match.
bool is_nearer(const WhyStop& one, const WhyStop& other);

// One sentence without a full stop: "hand.s7.rank is 5, not > 7".
std::string to_sentence(const WhyStop& stop, const Sources& sources);

// As a value in a sentence: texts in quotes.
std::string show(const Scalar& scalar);
// "X = 1, NAME = Ada"
std::string to_text(const NamedValues& values);

// One line of a ruleset's text, shortened for display.
std::string excerpt(const Sources& sources, Span span, std::size_t longest = 72);

} // namespace croupier::engine
