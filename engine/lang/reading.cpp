// Wording that all diagnostics of the reader share.
#include "engine/lang/reading.h"

#include "engine/text/nearest.h"

#include <algorithm>

namespace croupier::engine {

std::string Reading::did_you_mean(std::string_view word, std::span<const std::string> known) const {
    if (diagnostics.full()) return {}; // nobody will read it, and it takes time
    const auto found = nearest(word, known);
    return found ? "did you mean \"" + *found + "\"?" : std::string{};
}

std::string list_words(std::span<const std::string> words) {
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (i > 0) text += i + 1 == words.size() ? " and " : ", ";
        text += words[i];
    }
    return text;
}

std::string_view kind_name(const Document& document) {
    if (document.is_object()) return "an object";
    if (document.is_array()) return "an array";
    constexpr std::string_view kNames[] = {"null", "a truth value", "an integer", "a double",
                                           "a string"};
    return kNames[document.scalar.index()];
}

Span join(Span first, Span last) {
    if (first.file != last.file || last.end < first.begin) return first;
    return {first.file, first.begin, std::max(first.end, last.end)};
}

} // namespace croupier::engine
