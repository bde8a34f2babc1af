// Reads named patterns on demand; bounds what their uses can grow to.
#include "engine/lang/pattern_parser.h"

#include <algorithm>
#include <utility>

namespace croupier::engine {
namespace {

// A page of patterns has hundreds of entries. These bound what a doubling chain of uses can cost.
constexpr std::size_t kMaxCopied = 100'000;
constexpr std::size_t kMaxHeight = 500;

struct Measure {
    std::size_t size = 0;
    std::size_t height = 0;
};

Measure measure(const Pattern& pattern) {
    Measure result;
    for (const Entry& entry : pattern.entries) {
        for (const Pattern& inner : entry.patterns) {
            const Measure found = measure(inner);
            result.size += found.size;
            result.height = std::max(result.height, found.height);
        }
    }
    result.size += pattern.entries.size();
    ++result.height;
    return result;
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
