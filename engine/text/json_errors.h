// Says in the words of a person what the JSON parser stumbled over, and where.
#pragma once

#include "engine/text/diagnostic.h"

#include <optional>
#include <string_view>

namespace croupier::engine {

struct Skipped {
    std::size_t at = 0;   // where the next token begins, or the end of the text
    char punctuation = 0; // the last ',' or ':' passed
    std::size_t punctuation_at = 0;
};

// Passes over space, comments, commas and colons. An unclosed comment is a token.
Skipped skip_to_token(std::string_view text, std::size_t from);

// Where the parser stopped.
struct Place {
    std::string_view text;
    std::uint32_t file = 0;
    std::size_t end_of_token = 0; // of the last good token
    std::size_t consumed = 0;
    std::optional<Span> open; // the innermost object or array still open
};

Diagnostic explain_json_error(const Place& place, std::string_view parser_message);

} // namespace croupier::engine
