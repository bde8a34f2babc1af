// A value in a JSON file with its path, so that every error names the value and its position.
#pragma once

#include "results/store/file.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::results {

// Thrown by fields: the path of the value, and what is wrong with it.
struct JsonMistake : std::runtime_error {
    JsonMistake(std::vector<std::string> to, const std::string& what)
        : std::runtime_error(what), way(std::move(to)) {}
    std::vector<std::string> way;
};

class JsonField {
  public:
    explicit JsonField(const nlohmann::ordered_json& value, std::vector<std::string> way = {})
        : value_(value), way_(std::move(way)) {}

    // Each throws JsonMistake if the value is missing or of another kind.
    [[nodiscard]] JsonField at(const std::string& name) const;
    [[nodiscard]] std::optional<JsonField> find(const std::string& name) const;
    [[nodiscard]] std::vector<JsonField> items() const;
    [[nodiscard]] std::string text() const;
    [[nodiscard]] bool truth() const;
    [[nodiscard]] double real() const;
    [[nodiscard]] std::uint64_t number(std::uint64_t least, std::uint64_t most) const;
    // Must be less than `end`; for indices and counts.
    [[nodiscard]] std::uint32_t index(std::size_t end) const;
    [[nodiscard]] std::vector<std::string> texts() const;
    [[nodiscard]] const nlohmann::ordered_json& value() const { return value_; }

    [[noreturn]] void wrong(const std::string& what) const;

  private:
    [[noreturn]] void expected(std::string_view what) const;

    const nlohmann::ordered_json& value_;
    std::vector<std::string> way_;
};

// Reads the file and passes its root to `take`. Any error in it, including those thrown by its
// fields, is a failure with file, line and column.
Failure read_json_file(const std::string& path,
                       const std::function<void(const JsonField& root)>& take);

// Ends in a newline; bytes that are not UTF-8 are replaced.
std::string json_text(const nlohmann::ordered_json& json, int indent = 2);

// The text of a file with a member `checksum`, which shows changes: CRC-32C of all other members,
// independent of layout.
std::string with_checksum(nlohmann::ordered_json json);
// Throws JsonMistake if the checksum does not match.
void refuse_altered(const JsonField& root);

// "12:7", line and column of a byte position.
std::string place_of(std::string_view text, std::size_t at);
// The position of that value in a JSON text; if it is missing, of its parent.
std::size_t find_value(std::string_view json, const std::vector<std::string>& way);

} // namespace croupier::results
