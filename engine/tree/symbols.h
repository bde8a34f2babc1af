// Interned texts: a key or string is a number inside the engine, and equal texts are equal numbers.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace croupier::engine {

using Symbol = std::uint32_t;
inline constexpr Symbol kNoSymbol = 0xffffffff;

// A table of texts, or the extension of one: numbers below the base's size are the base's. A
// program owns the base, which never changes after compilation and is shared by threads; a state
// owns an extension for what its game makes up as it goes (joined strings, computed keys).
class Symbols {
  public:
    explicit Symbols(const Symbols* base = nullptr);
    Symbols(const Symbols& other);
    // Mostly neither has texts of its own, as states are copied by the million.
    Symbols& operator=(const Symbols& other) {
        if (this == &other) {
            return *this;
        }
        const bool nothing_to_copy = own_.empty() && other.own_.empty();
        if (!nothing_to_copy) {
            return copy_texts(other);
        }
        base_ = other.base_;
        first_ = other.first_;
        return *this;
    }
    Symbols(Symbols&&) noexcept = default;
    Symbols& operator=(Symbols&&) noexcept = default;
    ~Symbols() = default;

    Symbol intern(std::string_view text);
    [[nodiscard]] Symbol find(std::string_view text) const; // kNoSymbol if unknown
    [[nodiscard]] std::string_view text(Symbol symbol) const { return info(symbol).text; }
    // The integer that the text spells ("0", "-7"; no leading zeros), if it does.
    [[nodiscard]] std::optional<std::int64_t> integer(Symbol symbol) const {
        const Info& known = info(symbol);
        return known.is_integer ? std::optional(known.integer) : std::nullopt;
    }
    // Of the text: the same whatever its number is.
    [[nodiscard]] std::uint64_t hash(Symbol symbol) const { return info(symbol).hash; }
    [[nodiscard]] Symbol size() const { return first_ + static_cast<Symbol>(own_.size()); }
    // How many texts are its own, not the base's.
    [[nodiscard]] std::size_t own_size() const { return own_.size(); }

  private:
    struct Info {
        std::string text;
        std::int64_t integer = 0;
        bool is_integer = false;
        std::uint64_t hash = 0;
    };
    [[nodiscard]] const Info& info(Symbol symbol) const {
        return symbol < first_ ? base_->info(symbol) : *own_[symbol - first_];
    }
    Symbol add(std::string_view text);
    Symbols& copy_texts(const Symbols& other);

    const Symbols* base_;
    Symbol first_;
    // Copies share them: where two tables have the same one at a place, all before it are the same
    // as well. Pointers, so that the texts that `index_` sees never move.
    std::vector<std::shared_ptr<const Info>> own_;
    std::unordered_map<std::string_view, Symbol> index_;
};

// The integer that `text` spells in canonical decimal form, if any.
std::optional<std::int64_t> canonical_integer(std::string_view text);

} // namespace croupier::engine
