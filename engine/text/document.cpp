// Looks up members of a document and writes documents as JSON text.
#include "engine/text/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace croupier::engine {
namespace {

bool holds_only_scalars(const Document& document) {
    return std::ranges::all_of(document.members, [](const Member& member) {
        return member.value.kind == Document::Kind::Scalar;
    });
}

class Writer {
  public:
    explicit Writer(int indent) : indent_(indent) {}

    void write(const Document& document, int depth) {
        if (document.kind == Document::Kind::Scalar) {
            text += scalar_json(document.scalar);
            return;
        }
        const bool array = document.is_array();
        text += array ? '[' : '{';
        // A list of plain values is easiest to read on one line.
        const bool spread = indent_ >= 0 && !(array && holds_only_scalars(document));
        for (std::size_t i = 0; i < document.members.size(); ++i) {
            if (i > 0) text += spread || indent_ < 0 ? "," : ", ";
            if (spread) new_line(depth + 1);
            if (!array) {
                text += quoted_json(document.members[i].key);
                text += indent_ < 0 ? ":" : ": ";
            }
            write(document.members[i].value, depth + 1);
        }
        if (spread && !document.members.empty()) new_line(depth);
        text += array ? ']' : '}';
    }

    std::string text;

  private:
    void new_line(int depth) {
        text += '\n';
        text.append(static_cast<std::size_t>(depth) * static_cast<std::size_t>(indent_), ' ');
    }

    int indent_;
};

void append_escaped(std::string& out, char c) {
    constexpr std::string_view kEscaped = "\"\\\n\r\t\b\f";
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && c != '"' && c != '\\')
        out += c;
    else if (const std::size_t at = kEscaped.find(c); at != std::string_view::npos)
        (out += '\\') += "\"\\nrtbf"[at];
    else
        out += fmt::format("\\u{:04x}", byte);
}

} // namespace

const Member* Document::find(std::string_view key) const {
    if (!is_object()) return nullptr;
    const auto at = std::ranges::find(members, key, &Member::key);
    return at == members.end() ? nullptr : &*at;
}

std::string number_text(double number) {
    std::array<char, 32> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number).ptr;
    std::string text(buffer.data(), end);
    // Without a point or an exponent it would be read back as an integer.
    if (text.find_first_not_of("-0123456789") == std::string::npos) text += ".0";
    return text;
}

std::string quoted_json(std::string_view text) {
    std::string out = "\"";
    for (const char c : text)
        append_escaped(out, c);
    return out + '"';
}

std::string scalar_json(const Scalar& scalar) {
    struct {
        std::string operator()(std::monostate) const { return "null"; }
        std::string operator()(bool value) const { return value ? "true" : "false"; }
        std::string operator()(std::int64_t value) const { return std::to_string(value); }
        std::string operator()(double value) const { return number_text(value); }
        std::string operator()(const std::string& value) const { return quoted_json(value); }
    } writer;
    return std::visit(writer, scalar);
}

std::optional<std::int64_t> canonical_integer(std::string_view text) {
    const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
    if (digits.empty() || (digits[0] == '0' && text.size() > 1)) return std::nullopt;
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

std::string write_json(const Document& document, int indent) {
    Writer writer(indent);
    writer.write(document, 0);
    return std::move(writer.text);
}

} // namespace croupier::engine
