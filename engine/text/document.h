// JSON as it stands in a file: order kept, and every key and value with its place.
#pragma once

#include "engine/text/diagnostic.h"
#include "engine/text/source.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
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
    // The member with that key, or nullptr.
    [[nodiscard]] const Member* find(std::string_view key) const;
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
    std::size_t max_values = 16'000'000; // what bounds the memory of a document
};

// Parses the text of `file`, comments allowed. Mistakes go to `diagnostics` and give nullopt.
std::optional<Document> read_json(const Sources& sources, std::uint32_t file,
                                  Diagnostics& diagnostics, const ReadLimits& limits = {});

// The document as JSON text, key order kept. indent < 0: on one line.
std::string write_json(const Document& document, int indent = 2);

// The pieces of write_json: the shortest text that reads back as the same double ("2.0", "1e+22"),
// a string with quotes and escapes, any scalar.
std::string number_text(double number);
std::string quoted_json(std::string_view text);
std::string scalar_json(const Scalar& scalar);

} // namespace croupier::engine
