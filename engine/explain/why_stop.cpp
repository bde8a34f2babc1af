// Puts into words where a partial match ended.
#include "engine/explain/why_stop.h"

#include "engine/lang/print.h"

#include <fmt/format.h>

#include <string_view>

namespace croupier::engine {
namespace {

using Reason = WhyStop::Reason;

bool same(const Scalar& a, const Scalar& b) {
    return show(a) == show(b);
}

// "is 5, not > 7"
std::string is_not(const Scalar& found, ExprOp op, const Scalar& wanted) {
    const std::string text = "is " + show(found);
    if (op == ExprOp::NotEqual) return text + ", which it must not be";
    if (op == ExprOp::Equal) return fmt::format("{}, not {}", text, show(wanted));
    return fmt::format("{}, not {} {}", text, sign_of(op), show(wanted));
}

// "`$B > 10`"
std::string quoted_test(const WhyStop& stop, const Sources& sources) {
    std::string test = excerpt(sources, stop.test, 48);
    if (test.size() > 1 && test.front() == '"' && test.back() == '"')
        test = test.substr(1, test.size() - 2);
    return '`' + test + '`';
}

// "`$B > 10` does not hold: 4 > 10"
std::string test_text(const WhyStop& stop, const Sources& sources) {
    std::string text = quoted_test(stop, sources) + " does not hold";
    if (stop.sides)
        text += fmt::format(": {} {} {}", show(stop.sides->first), sign_of(stop.compare),
                            show(stop.sides->second));
    return text;
}

std::string value_text(const WhyStop& stop, const Sources& sources) {
    const bool compares_it =
        stop.sides && stop.found &&
        (same(stop.sides->first, *stop.found) || same(stop.sides->second, *stop.found));
    if (!stop.found) return stop.node + " has no value";
    // "$this > 3" is a comparison of the value itself.
    const bool is_plain =
        compares_it && same(stop.sides->first, *stop.found) &&
        excerpt(sources, stop.test).starts_with("$this " + std::string(sign_of(stop.compare)));
    if (stop.test.end != 0 && !is_plain)
        return fmt::format("{} is {}: {}", stop.node, show(*stop.found), test_text(stop, sources));
    if (compares_it)
        return fmt::format(
            "{} {}", stop.node,
            is_not(*stop.found, stop.compare,
                   same(stop.sides->first, *stop.found) ? stop.sides->second : stop.sides->first));
    if (stop.sides)
        return fmt::format("{} is {}, and {} is not {}", stop.node, show(*stop.found),
                           show(stop.sides->first), show(stop.sides->second));
    return fmt::format("{} is {}{}", stop.node, show(*stop.found),
                       stop.wanted.empty() ? ", which will not do" : ", not " + stop.wanted);
}

std::string with(const NamedValues& values) {
    return values.empty() ? "" : " with " + to_text(values);
}

std::string nearest_text(const WhyStop& stop, const Sources& sources) {
    if (stop.nearest.empty()) return {};
    const WhyStop& nearest = stop.nearest[0];
    const bool tells_inside = nearest.reason == Reason::Match || nearest.reason == Reason::Counter;
    return fmt::format("; nearest{}: {}", tells_inside ? "" : with(nearest.inside),
                       to_sentence(nearest, sources));
}

// What is there that must not be.
std::string match_text(const WhyStop& stop, const Sources& sources) {
    if (stop.test.end != 0)
        return fmt::format("{} holds{}, which it must not", quoted_test(stop, sources),
                           with(stop.inside));
    if (stop.node.empty() && stop.inside.empty() && !stop.nearest.empty())
        return to_sentence(stop.nearest[0], sources);
    std::string text = "something is there that must not be";
    if (!stop.node.empty()) {
        text += fmt::format(": {} is {}{}", stop.node,
                            stop.absent  ? "not there"
                            : stop.found ? show(*stop.found)
                                         : "there",
                            with(stop.inside));
    } else if (!stop.inside.empty()) {
        text += ": " + to_text(stop.inside);
    }
    for (const WhyStop& nothing : stop.nearest)
        text += ", and nothing fits the @not inside" + nearest_text(nothing, sources);
    return text;
}

} // namespace

bool is_nearer(const WhyStop& one, const WhyStop& other) {
    if (one.entry != other.entry) return one.entry > other.entry;
    const bool compares_inside =
        !one.nearest.empty() && !other.nearest.empty() && one.reason != Reason::NoAlternative;
    if (compares_inside) {
        if (is_nearer(one.nearest[0], other.nearest[0])) return true;
        if (is_nearer(other.nearest[0], one.nearest[0])) return false;
    }
    if (one.shared != other.shared) return one.shared > other.shared;
    return one.distance < other.distance;
}

std::string to_sentence(const WhyStop& stop, const Sources& sources) {
    switch (stop.reason) {
    case Reason::NoNode:
        return fmt::format("there is no {}", stop.node);
    case Reason::IsThere:
        return fmt::format("{} is there{}", stop.node,
                           stop.found ? ": " + show(*stop.found) : std::string());
    case Reason::NoValue:
        return fmt::format("{} has no value", stop.node);
    case Reason::Value:
        return value_text(stop, sources);
    case Reason::Type:
        return fmt::format("{} is {}, which is no {}", stop.node,
                           stop.found ? show(*stop.found) : "nothing", stop.wanted);
    case Reason::Test:
        return test_text(stop, sources);
    case Reason::Total:
        if (stop.sides && stop.found && stop.test.end == 0)
            return fmt::format("the {} {}", stop.wanted,
                               is_not(*stop.found, stop.compare,
                                      same(stop.sides->first, *stop.found) ? stop.sides->second
                                                                           : stop.sides->first));
        return fmt::format("the {} is {}{}", stop.wanted, stop.found ? show(*stop.found) : "none",
                           stop.test.end == 0 ? ", which will not do"
                                              : ": " + test_text(stop, sources));
    case Reason::NoTotal:
        return fmt::format("there is nothing to take the {} of", stop.wanted);
    case Reason::Match:
        return match_text(stop, sources);
    case Reason::NoMatch:
        return "nothing there fits" + nearest_text(stop, sources);
    case Reason::Counter:
        return fmt::format("it does not hold{}{}",
                           stop.inside.empty() ? " for all" : " for " + to_text(stop.inside),
                           stop.nearest.empty() ? ""
                                                : ": " + to_sentence(stop.nearest[0], sources));
    case Reason::NoAlternative: {
        std::string text = "no alternative holds";
        for (std::size_t i = 0; i < stop.nearest.size(); ++i)
            text += fmt::format("{} {}",
                                i == 0 ? ":" : "; nor:", to_sentence(stop.nearest[i], sources));
        return text;
    }
    case Reason::NoChild:
        return stop.wanted.empty()
                   ? fmt::format("{} has no children", stop.node)
                   : fmt::format("no child of {} is of type {}", stop.node, stop.wanted);
    }
    return {};
}

std::string show(const Scalar& scalar) {
    return scalar_json(scalar);
}

std::string to_text(const NamedValues& values) {
    std::string text;
    for (const auto& [name, value] : values) {
        const bool plain = std::holds_alternative<std::string>(value);
        text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name,
                            plain ? std::get<std::string>(value) : show(value));
    }
    return text;
}

std::string excerpt(const Sources& sources, Span span, std::size_t longest) {
    std::string text;
    bool space = false;
    for (const char c : sources.text(span.file).substr(span.begin, span.end - span.begin)) {
        const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
        if (!blank) {
            text += space && !text.empty() ? " " : "";
            text += c;
        }
        space = blank;
        if (text.size() > longest) {
            // Not in the middle of a character.
            while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xc0) == 0x80) {
                text.pop_back();
            }
            return text + "..";
        }
    }
    return text;
}

} // namespace croupier::engine
