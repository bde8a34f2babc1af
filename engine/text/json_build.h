// Builds JSON documents in code, for what is computed and not read.
#pragma once

#include "engine/text/document.h"

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace croupier::engine::json {

inline Document scalar(Scalar value) {
    Document document;
    document.scalar = std::move(value);
    return document;
}
inline Document text(std::string_view value) {
    return scalar(std::string(value));
}
inline Document integer(std::integral auto value) {
    return scalar(static_cast<std::int64_t>(value));
}
inline Document boolean(bool value) {
    return scalar(value);
}

inline Document array() {
    Document document;
    document.kind = Document::Kind::Array;
    return document;
}
inline void append(Document& array, Document value) {
    array.members.push_back({{}, {}, std::move(value)});
}

inline Document object() {
    Document document;
    document.kind = Document::Kind::Object;
    return document;
}
inline void add(Document& object, std::string key, Document value) {
    object.members.push_back({std::move(key), {}, std::move(value)});
}
// The value under `key`, an object that is made if nothing is there.
inline Document& child_object(Document& parent, std::string_view key) {
    for (Member& each : parent.members)
        if (each.key == key) return each.value;
    add(parent, std::string(key), object());
    return parent.members.back().value;
}
// The values are copied: for small ones.
inline Document object(std::initializer_list<std::pair<std::string, Document>> members) {
    Document result = object();
    for (const auto& [key, value] : members)
        add(result, key, value);
    return result;
}

} // namespace croupier::engine::json
