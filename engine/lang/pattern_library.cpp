// Reads named patterns on demand; bounds what their uses can grow to.
#include "engine/lang/pattern_parser.h"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace croupier::engine {
namespace {

// Time and memory of compiling grow with the square of this: some seconds at the limit.
constexpr std::size_t kMaxCondition = 2000;
// A page of patterns has hundreds of entries. These bound what a doubling chain of uses can cost.
constexpr std::size_t kMaxCopied = 100'000;
constexpr std::size_t kMaxHeight = 500;

// What the parts of an entry count beyond the entry itself, so that a few entries of long lists,
// texts or expressions are no way around the limit.
std::size_t parts(const std::string& text) {
    constexpr std::size_t kShort = 64;
    return text.size() / kShort;
}

std::size_t parts(const KeyTemplate& key) {
    std::size_t count = key.parts.empty() ? 0 : key.parts.size() - 1;
    for (const KeyPart& part : key.parts)
        count += parts(part.text);
    return count;
}

std::size_t parts(const PathExpr& path) {
    std::size_t count = path.segments.size();
    for (const KeyTemplate& segment : path.segments)
        count += parts(segment);
    return count;
}

std::size_t parts(const std::vector<Expr>& exprs);

std::size_t parts(const Expr& expr) {
    const auto* text = std::get_if<std::string>(&expr.literal);
    return (text == nullptr ? 0 : parts(*text)) + parts(expr.variable) + parts(expr.option) +
           parts(expr.path) + parts(expr.args);
}

std::size_t parts(const std::vector<Expr>& exprs) {
    std::size_t count = exprs.size();
    for (const Expr& expr : exprs)
        count += parts(expr);
    return count;
}

struct Measure {
    std::size_t size = 0; // entries, and parts of them
    std::size_t height = 0;

    void add(const Pattern& pattern);
};

Measure measure(const Pattern& pattern) {
    Measure result;
    result.size = parts(pattern.expr) + parts(pattern.choices) + parts(pattern.variable);
    for (const Entry& entry : pattern.entries) {
        result.size +=
            1 + parts(entry.key) + parts(entry.variable) + parts(entry.path) + parts(entry.value);
        for (const std::string& name : entry.use_names)
            result.size += parts(name);
        for (const Pattern& inner : entry.patterns)
            result.add(inner);
        for (const Pattern& into : entry.into)
            result.add(into);
    }
    ++result.height;
    return result;
}

void Measure::add(const Pattern& pattern) {
    const Measure inner = measure(pattern);
    size += inner.size;
    height = std::max(height, inner.height);
}

} // namespace

void PatternLibrary::add(const Member& definition) {
    names_.push_back(definition.key);
    named_[definition.key].definition = &definition;
}

void PatternLibrary::finish() {
    for (const std::string& name : names_)
        read(name, named_[name]);
    for (const std::string& name : names_) {
        const Named& named = named_[name];
        if (!named.used) {
            reading_.warning(code::kUnusedPattern, named.definition->key_span,
                             "no rule uses the pattern " + name);
        }
    }
}

Pattern PatternLibrary::use(const std::string& name, Span place) {
    const auto found = named_.find(name);
    if (found == named_.end()) {
        reading_.error(code::kUnknownPattern, place, "there is no pattern \"" + name + "\"",
                       names_.empty() ? "name it under patterns"
                                      : reading_.did_you_mean(name, names_));
        return {};
    }
    Named& named = found->second;
    named.used = true;
    if (named.state == Named::State::Reading) {
        report_cycle(name, place);
        return {};
    }
    if (depth <= kMaxHeight) read(name, named);
    copied_ += named.size + 1;
    if (copied_ > kMaxCopied || std::max<std::size_t>(named.height, depth) > kMaxHeight) {
        if (std::exchange(limit_reported_, true)) return {};
        reading_.error(code::kPatternLimit, place,
                       "the uses of patterns grow too large here: more than " +
                           std::to_string(kMaxCopied) + " entries or " +
                           std::to_string(kMaxHeight) + " levels");
        return {};
    }
    return named.pattern;
}

void PatternLibrary::refuse_large(const Pattern& condition, Span place) {
    const std::size_t size = measure(condition).size;
    if (size <= kMaxCondition || limit_reported_) return;
    reading_.error(code::kPatternLimit, place,
                   "a condition has " + std::to_string(kMaxCondition) +
                       " entries and values at most, this one " + std::to_string(size),
                   "make a domain of the names under types, and ask by a variable");
}

void PatternLibrary::read(const std::string& name, Named& named) {
    if (named.state != Named::State::Unread) return;
    named.state = Named::State::Reading;
    const RuleScope outside(reading_, {}); // its mistakes are its own, not those of the first user
    open_.push_back(name);
    const Document& document = named.definition->value;
    if (document.is_object()) {
        named.pattern = parse_condition(reading_, *this, options_, document);
    } else {
        reading_.error(code::kDirectiveForm, document.span,
                       "a named pattern is an object, found " + std::string(kind_name(document)));
    }
    open_.pop_back();
    const Measure measured = measure(named.pattern);
    named.size = measured.size;
    named.height = measured.height;
    named.state = Named::State::Read;
}

void PatternLibrary::report_cycle(const std::string& name, Span place) {
    std::string chain;
    for (auto at = std::find(open_.begin(), open_.end(), name); at != open_.end(); ++at)
        chain += *at + " -> ";
    reading_.error(code::kPatternCycle, place,
                   "patterns use each other in a circle: " + chain + name,
                   "a pattern cannot contain itself");
}

} // namespace croupier::engine
