// Values of leaves and variables at run time, and how they compare.
#pragma once

#include "engine/text/document.h"

#include <bit>
#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace croupier::engine {

// Interned texts: a key or string is a number inside the engine, and equal texts are equal numbers.

using Symbol = std::uint32_t;
inline constexpr Symbol kNoSymbol = 0xffffffff;

// A table of texts, or the extension of one: numbers below the base's size belong to the base. A
// program owns the base, which never changes after compilation and is shared by threads; a state
// owns an extension for texts that its game makes up (joined strings, computed keys).
class Symbols {
  public:
    explicit Symbols(const Symbols* base = nullptr);
    Symbols(const Symbols& other);
    // Fast if neither has texts of its own, as is usual: states are copied by the million.
    Symbols& operator=(const Symbols& other) {
        if (this == &other) return *this;
        const bool nothing_to_copy = own_.empty() && other.own_.empty();
        if (!nothing_to_copy) return copy_texts(other);
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
    // The integer that the text spells ("0", "-7"; no leading zeros), or nullopt.
    [[nodiscard]] std::optional<std::int64_t> integer(Symbol symbol) const {
        const Info& known = info(symbol);
        return known.is_integer ? std::optional(known.integer) : std::nullopt;
    }
    // The hash of the text, whatever its number.
    [[nodiscard]] std::uint64_t hash(Symbol symbol) const { return info(symbol).hash; }
    [[nodiscard]] Symbol size() const { return first_ + static_cast<Symbol>(own_.size()); }
    // Number of its own texts, without the base's.
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
    // Shared by copies: if two tables share the text at an index, they share all before it.
    // Pointers, so that the texts `index_` refers to never move.
    std::vector<std::shared_ptr<const Info>> own_;
    std::unordered_map<std::string_view, Symbol> index_;
};

enum class Tag : std::uint8_t {
    None, // no value: absent, or a node with children
    Null,
    Bool,
    Int,
    Double,
    String,
    Key, // what `$X` as a key binds: a text that is also the integer it spells
};

// 16 bytes. `row` is a hint that speeds up dense maps: the member's row in the domain whose number
// is `domain` (0: no hint). It never changes the meaning of a value.
struct Value {
    Tag tag = Tag::None;
    std::uint8_t unused = 0;
    std::uint16_t row = 0;
    std::uint32_t domain = 0;
    std::int64_t integer = 0; // or the bits of a double, a symbol, 0 or 1

    [[nodiscard]] double real() const { return std::bit_cast<double>(integer); }
    [[nodiscard]] bool truth() const { return integer != 0; }
    [[nodiscard]] Symbol symbol() const { return static_cast<Symbol>(integer); }

    static Value null() { return of(Tag::Null); }
    static Value boolean(bool b) {
        Value v = of(Tag::Bool);
        v.integer = b ? 1 : 0;
        return v;
    }
    static Value number(std::int64_t i) {
        Value v = of(Tag::Int);
        v.integer = i;
        return v;
    }
    static Value number(double d) {
        Value v = of(Tag::Double);
        v.integer = std::bit_cast<std::int64_t>(d);
        return v;
    }
    static Value string(Symbol s) {
        Value v = of(Tag::String);
        v.integer = s;
        return v;
    }
    static Value key(Symbol s) {
        Value v = of(Tag::Key);
        v.integer = s;
        return v;
    }
    static Value key(Symbol s, std::uint32_t domain, std::uint16_t row) {
        Value v = key(s);
        v.domain = domain;
        v.row = row;
        return v;
    }

    [[nodiscard]] bool is_text() const { return tag == Tag::String || tag == Tag::Key; }
    [[nodiscard]] bool is_number() const { return tag == Tag::Int || tag == Tag::Double; }

  private:
    static Value of(Tag tag) {
        Value v;
        v.tag = tag;
        return v;
    }
};
static_assert(sizeof(Value) == 16);

// Same kind and same bits, whatever the hints.
inline bool same_value(const Value& a, const Value& b) {
    return a.tag == b.tag && a.integer == b.integer;
}

bool equal_slow(const Value& a, const Value& b, const Symbols& symbols);

// The language's equality (numbers by value, keys by text or as the integer they spell).
inline bool equal(const Value& a, const Value& b, const Symbols& symbols) {
    if (a.tag == b.tag && a.tag != Tag::Double) return a.tag == Tag::Null || a.integer == b.integer;
    return equal_slow(a, b, symbols);
}

// Order of two numbers or two texts; nullopt for any other pair.
std::optional<std::partial_ordering> compare(const Value& a, const Value& b,
                                             const Symbols& symbols);

// Whether a double has exactly that value.
bool is_exact_double(std::int64_t integer);

// Int, Double, or the integer of a key; None otherwise.
Value as_number(const Value& v, const Symbols& symbols);

// The value as text: in keys, joined strings and @print.
std::string to_text(const Value& v, const Symbols& symbols);

Scalar to_scalar(const Value& v, const Symbols& symbols);
Value to_value(const Scalar& scalar, Symbols& symbols);

} // namespace croupier::engine
