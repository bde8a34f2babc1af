// Fields, and a walk through JSON that is known to be valid.
#include "results/store/json_field.h"

#include "results/store/file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace croupier::results {
namespace {

std::vector<std::string> longer(std::vector<std::string> way, std::string name) {
    way.push_back(std::move(name));
    return way;
}

// Steps over values of a valid JSON text.
class Walk {
  public:
    explicit Walk(std::string_view text) : text_(text) { spaces(); }

    [[nodiscard]] std::size_t at() const { return at_; }

    // Goes to the member's or element's value; false, with the position undefined, if it is
    // missing.
    bool enter(const std::string& name) {
        const bool object = text_[at_] == '{';
        if (!object && text_[at_] != '[') return false;
        token();
        for (std::size_t index = 0; !closes(); ++index) {
            bool found = std::to_string(index) == name;
            if (object) {
                const std::size_t begin = at_;
                string();
                found = text_.substr(begin + 1, at_ - begin - 2) == name;
                spaces();
                token(); // :
            }
            if (found) return true;
            value();
            if (text_[at_] == ',') token();
        }
        return false;
    }

  private:
    [[nodiscard]] bool closes() const { return text_[at_] == '}' || text_[at_] == ']'; }

    void spaces() {
        while (at_ < text_.size() &&
               std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos)
            ++at_;
    }
    void token() {
        ++at_;
        spaces();
    }
    void string() {
        for (++at_; text_[at_] != '"'; ++at_)
            if (text_[at_] == '\\') ++at_;
        ++at_;
    }
    // Not recursive: files may be nested to any depth.
    void value() {
        std::size_t depth = 0;
        do {
            const char c = text_[at_];
            if (c == '"') {
                string();
            } else {
                if (c == '{' || c == '[') ++depth;
                if (c == '}' || c == ']') --depth;
                ++at_;
            }
        } while (at_ < text_.size() &&
                 (depth > 0 || (text_[at_] != ',' && text_[at_] != '}' && text_[at_] != ']')));
        spaces();
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

std::string shown(const nlohmann::ordered_json& value) {
    constexpr std::size_t kMax = 40;
    if (value.is_object()) return "an object";
    if (value.is_array()) return "a list";
    const std::string text =
        value.dump(-1, ' ', true, nlohmann::ordered_json::error_handler_t::replace); // ASCII
    return text.size() > kMax ? text.substr(0, kMax) + ".." : text;
}

std::string dumped(const nlohmann::ordered_json& json, int indent = 2) {
    return json.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

std::string checksum_of(nlohmann::ordered_json json) {
    json.erase("checksum");
    return fmt::format("{:08x}", crc32c(dumped(json)));
}

} // namespace

void JsonField::wrong(const std::string& what) const {
    throw JsonMistake(way_, what);
}

void JsonField::expected(std::string_view what) const {
    wrong(fmt::format("expected {}, found {}", what, shown(value_)));
}

std::optional<JsonField> JsonField::find(const std::string& name) const {
    if (!value_.is_object()) expected("an object");
    const auto member = value_.find(name);
    if (member == value_.end()) return std::nullopt;
    return JsonField(*member, longer(way_, name));
}

JsonField JsonField::at(const std::string& name) const {
    auto found = find(name);
    if (!found) throw JsonMistake(longer(way_, name), "is missing");
    return *std::move(found);
}

std::vector<JsonField> JsonField::items() const {
    if (!value_.is_array()) expected("a list");
    std::vector<JsonField> items;
    for (std::size_t i = 0; i < value_.size(); ++i)
        items.emplace_back(value_[i], longer(way_, std::to_string(i)));
    return items;
}

std::string JsonField::text() const {
    if (!value_.is_string()) expected("a text");
    return value_.get<std::string>();
}

bool JsonField::truth() const {
    if (!value_.is_boolean()) expected("true or false");
    return value_.get<bool>();
}

double JsonField::real() const {
    if (!value_.is_number()) expected("a number");
    return value_.get<double>();
}

std::uint64_t JsonField::number(std::uint64_t least, std::uint64_t most) const {
    const bool whole = value_.is_number_unsigned() ||
                       (value_.is_number_integer() && value_.get<std::int64_t>() >= 0);
    const auto number = whole ? value_.get<std::uint64_t>() : 0;
    if (!whole || number < least || number > most)
        expected(fmt::format("a whole number from {} to {}", least, most));
    return number;
}

std::uint32_t JsonField::index(std::size_t end) const {
    const auto most = std::min<std::size_t>(end, std::size_t{1} << 31);
    if (most == 0) wrong("there is nothing that it could name");
    return static_cast<std::uint32_t>(number(0, most - 1));
}

std::vector<std::string> JsonField::texts() const {
    std::vector<std::string> texts;
    for (const JsonField& item : items())
        texts.push_back(item.text());
    return texts;
}

std::string json_text(const nlohmann::ordered_json& json, int indent) {
    return dumped(json, indent) + "\n";
}

std::string with_checksum(nlohmann::ordered_json json) {
    json["checksum"] = checksum_of(json);
    return json_text(json);
}

void refuse_altered(const JsonField& root) {
    const std::string now = checksum_of(root.value());
    if (const JsonField then = root.at("checksum"); then.text() != now) {
        then.wrong(fmt::format("the file was altered since it was written: the checksum of what it "
                               "says is {}",
                               now));
    }
}

Failure read_json_file(const std::string& path,
                       const std::function<void(const JsonField& root)>& take) {
    std::string text;
    if (Failure failure = read_file(path, text)) return failure;
    nlohmann::ordered_json json;
    try {
        json = nlohmann::ordered_json::parse(text);
    } catch (const nlohmann::ordered_json::parse_error& error) {
        const std::size_t at = error.byte > 0 ? error.byte - 1 : 0;
        return fmt::format("{}:{}: the file is not valid JSON from here on", path,
                           place_of(text, at));
    } catch (const nlohmann::ordered_json::exception&) {
        return path + ": is not valid JSON: a number is too large";
    }
    try {
        take(JsonField(json));
    } catch (const JsonMistake& mistake) {
        return fmt::format("{}:{}: {}{}{}", path, place_of(text, find_value(text, mistake.way)),
                           fmt::join(mistake.way, "."), mistake.way.empty() ? "" : ": ",
                           mistake.what());
    }
    return {};
}

std::string place_of(std::string_view text, std::size_t at) {
    const std::string_view before = text.substr(0, at);
    const auto lines = std::ranges::count(before, '\n');
    const std::string_view line = before.substr(before.rfind('\n') + 1);
    const auto characters = std::ranges::count_if(
        line, [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; });
    return fmt::format("{}:{}", lines + 1, characters + 1);
}

std::size_t find_value(std::string_view json, const std::vector<std::string>& way) {
    Walk walk(json);
    std::size_t found = walk.at();
    for (const std::string& name : way) {
        if (!walk.enter(name)) break;
        found = walk.at();
    }
    return found;
}

} // namespace croupier::results
