// Builds JSON documents in code, for what is generated and not read.
#pragma once

#include "engine/text/document.h"

#include <string>
#include <utility>

namespace croupier::engine::reference {

inline Document scalar(Scalar value) {
    Document document;
    document.scalar = std::move(value);
    return document;
}
inline Document text(std::string value) {
    return scalar(std::move(value));
}
inline Document integer(std::int64_t value) {
    return scalar(value);
}
inline Document boolean(bool value) {
    return scalar(value);
}

inline Document object() {
    Document document;
    document.kind = Document::Kind::Object;
    return document;
}
inline Document array() {
    Document document;
    document.kind = Document::Kind::Array;
    return document;
}

inline void add(Document& object, std::string key, Document value) {
    object.members.push_back({std::move(key), {}, std::move(value)});
}
inline void append(Document& array, Document value) {
    array.members.push_back({{}, {}, std::move(value)});
}

// An object of one member.
inline Document entry(std::string key, Document value) {
    Document result = object();
    add(result, std::move(key), std::move(value));
    return result;
}

} // namespace croupier::engine::reference
