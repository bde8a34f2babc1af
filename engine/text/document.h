// JSON as written in a file: keeps the order, and the place of every key and value.
#pragma once

#include "engine/text/diagnostic.h"
#include "engine/text/source.h"

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace croupier::engine {

enum class DocumentKind { Scalar, Array, Object };

// A value without children. monostate is JSON's null.
using Scalar = std::variant<std::monostate, bool, std::int64_t, double, std::string>;

struct Member;

struct Document {
    using Kind = DocumentKind;

    Kind kind = Kind::Scalar;
    Span span;                   // of the whole value
    Scalar scalar;               // when Kind::Scalar
    std::vector<Member> members; // of an object, or an array's elements (keys empty)

    [[nodiscard]] bool is_object() const { return kind == Kind::Object; }
    [[nodiscard]] bool is_array() const { return kind == Kind::Array; }
    [[nodiscard]] bool is_string() const {
        return kind == Kind::Scalar && std::holds_alternative<std::string>(scalar);
    }
    [[nodiscard]] const std::string& text() const { return std::get<std::string>(scalar); }
    // The scalar, or nullptr if this is not a scalar of that kind.
    template <typename T>
    [[nodiscard]] const T* get() const {
        return kind == Kind::Scalar ? std::get_if<T>(&scalar) : nullptr;
    }
    [[nodiscard]] bool is_true() const {
        const bool* const truth = get<bool>();
        return truth != nullptr && *truth;
    }
    // The member with that key, or nullptr.
    [[nodiscard]] const Member* find(std::string_view key) const;
    [[nodiscard]] Member* find(std::string_view key) {
        return const_cast<Member*>(std::as_const(*this).find(key));
    }
};

struct Member {
    std::string key;
    Span key_span; // with its quotes; for array elements the element's span
    Document value;
};

struct ReadLimits {
    std::size_t max_depth = 500;
    std::size_t max_bytes = std::size_t{256} << 20;
    std::size_t max_string = std::size_t{16} << 20;
    std::size_t max_values = 16'000'000; // bounds the memory of a document
};

// Parses the text of `file`, comments allowed. On an error adds to `diagnostics` and returns
// nullopt.
std::optional<Document> read_json(const Sources& sources, std::uint32_t file,
                                  Diagnostics& diagnostics, const ReadLimits& limits = {});

// The document as JSON text, key order kept. With indent < 0 it is on one line.
std::string write_json(const Document& document, int indent = 2);

// The pieces of write_json: the shortest text that reads back as the same double ("2.0", "1e+22"),
// a string with quotes and escapes, and any scalar.
std::string number_text(double number);
std::string quoted_json(std::string_view text);
std::string scalar_json(const Scalar& scalar);

// The integer that `text` spells in canonical decimal form ("0", "-7"), or nullopt.
std::optional<std::int64_t> canonical_integer(std::string_view text);

} // namespace croupier::engine

namespace croupier::engine::json {

// Builds JSON documents in code, for computed values.

inline Document scalar(Scalar value, Span span = {}) {
    return {Document::Kind::Scalar, span, std::move(value), {}};
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

inline Document array(Span span = {}) {
    return {Document::Kind::Array, span, {}, {}};
}
inline void append(Document& array, Document value) {
    const Span span = value.span;
    array.members.push_back({{}, span, std::move(value)});
}
// A list of texts.
inline Document texts(const std::vector<std::string>& all) {
    Document list = array();
    for (const std::string& each : all)
        append(list, text(each));
    return list;
}

inline Document object(Span span = {}) {
    return {Document::Kind::Object, span, {}, {}};
}
inline void add(Document& object, std::string key, Document value) {
    object.members.push_back({std::move(key), {}, std::move(value)});
}
// The value under `key`; adds an empty object if there is none.
inline Document& child_object(Document& parent, std::string_view key) {
    if (Member* const known = parent.find(key)) return known->value;
    add(parent, std::string(key), object());
    return parent.members.back().value;
}
// Copies the values, so use it for small ones.
inline Document object(std::initializer_list<std::pair<std::string, Document>> members) {
    Document result = object();
    for (const auto& [key, value] : members)
        add(result, key, value);
    return result;
}

} // namespace croupier::engine::json

namespace croupier::engine {

// Finds the members of one object by key in constant time.

// The object must not change while the index is used. Any other value counts as empty.
class MemberIndex {
  public:
    explicit MemberIndex(const Document* object) {
        if (object == nullptr || !object->is_object()) return;
        members_.reserve(object->members.size());
        for (const Member& member : object->members)
            members_.try_emplace(member.key, &member);
    }
    explicit MemberIndex(const Document& object) : MemberIndex(&object) {}

    // The member with that key, or nullptr.
    [[nodiscard]] const Member* find(std::string_view key) const {
        const auto at = members_.find(key);
        return at == members_.end() ? nullptr : at->second;
    }

  private:
    std::unordered_map<std::string_view, const Member*> members_;
};

} // namespace croupier::engine
