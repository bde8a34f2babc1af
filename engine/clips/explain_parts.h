// What explaining a rule and counting its costs share.
#pragma once

#include "engine/clips/session.h"

#include <algorithm>
#include <string>
#include <vector>

namespace croupier::engine::clips {

inline std::string text_of(const Session& session, Span span, std::size_t most = 100) {
    if (span.end == 0) return "";
    std::string text(session.sources().text(span.file).substr(span.begin, span.end - span.begin));
    // On one line.
    std::string flat;
    for (const char c : text) {
        const bool space = c == ' ' || c == '\n' || c == '\t' || c == '\r';
        if (!space)
            flat += c;
        else if (!flat.empty() && flat.back() != ' ')
            flat += ' ';
    }
    if (flat.size() > most) flat = flat.substr(0, most) + " ..";
    return flat;
}

inline std::vector<Join*> joins_of(const Rule& rule) {
    std::vector<Join*> joins;
    for (Join* at = rule.last->left; at != nullptr; at = at->left)
        joins.insert(joins.begin(), at);
    return joins;
}

} // namespace croupier::engine::clips
