// The values of CLIPS: sixteen bytes, equal when both words are.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <string>

namespace croupier::engine::clips {

struct Fact;
struct Multifield;

// A symbol, string or instance name. Interned: one object a text, so that comparing is comparing
// addresses. Owned by the Interner.
struct Text {
    std::string text;
};

enum class Type : std::uint32_t {
    Void, // what an action without a value returns
    Integer,
    Float,
    Symbol,
    String,
    InstanceName,
    FactAddress,
    Multifield,
};

// What a real number is as an integer: what does not fit is the least of them, as CLIPS has it.
inline std::int64_t truncated(double real) {
    const bool fits = real >= -9223372036854775808.0 && real < 9223372036854775808.0;
    return fits ? static_cast<std::int64_t>(real) : std::numeric_limits<std::int64_t>::min();
}

struct Value {
    std::uint64_t bits = 0;
    Type type = Type::Void;

    static Value integer(std::int64_t value) {
        return {static_cast<std::uint64_t>(value), Type::Integer};
    }
    static Value real(double value) { return {std::bit_cast<std::uint64_t>(value), Type::Float}; }
    static Value of(const Text* text, Type type) {
        return {reinterpret_cast<std::uintptr_t>(text), type};
    }
    static Value symbol(const Text* text) { return of(text, Type::Symbol); }
    static Value string(const Text* text) { return of(text, Type::String); }
    static Value fact(const Fact* fact) {
        return {reinterpret_cast<std::uintptr_t>(fact), Type::FactAddress};
    }
    static Value multi(const Multifield* fields) {
        return {reinterpret_cast<std::uintptr_t>(fields), Type::Multifield};
    }

    [[nodiscard]] std::int64_t as_integer() const { return static_cast<std::int64_t>(bits); }
    [[nodiscard]] double as_real() const { return std::bit_cast<double>(bits); }
    // Of a number, whichever it is.
    [[nodiscard]] double to_real() const {
        return type == Type::Integer ? static_cast<double>(as_integer()) : as_real();
    }
    [[nodiscard]] const Text* as_text() const { return std::bit_cast<const Text*>(bits); }
    [[nodiscard]] const std::string& text() const { return as_text()->text; }
    [[nodiscard]] Fact* as_fact() const { return std::bit_cast<Fact*>(bits); }
    [[nodiscard]] const Multifield& fields() const {
        return *std::bit_cast<const Multifield*>(bits);
    }

    [[nodiscard]] bool is_number() const { return type == Type::Integer || type == Type::Float; }
    // What symbol, string and instance name have in common.
    [[nodiscard]] bool is_text() const {
        return type == Type::Symbol || type == Type::String || type == Type::InstanceName;
    }
    [[nodiscard]] bool is_symbol() const { return type == Type::Symbol; }
    [[nodiscard]] bool is_lexeme() const { return type == Type::Symbol || type == Type::String; }

    friend bool operator==(const Value&, const Value&) = default;
};

// Interned like texts. The fields follow the header in memory.
struct Multifield {
    std::uint32_t size;
    bool marked; // by the collector
    std::uint64_t hash;

    [[nodiscard]] const Value* begin() const { return reinterpret_cast<const Value*>(this + 1); }
    [[nodiscard]] const Value* end() const { return begin() + size; }
    const Value& operator[](std::size_t at) const { return begin()[at]; }
};
static_assert(sizeof(Multifield) % alignof(Value) == 0);

inline std::uint64_t mix(std::uint64_t hash, std::uint64_t word) {
    const std::uint64_t product = (hash ^ word) * 0x9e3779b97f4a7c15u;
    return product ^ (product >> 29);
}
inline std::uint64_t hash_of(std::uint64_t hash, const Value& value) {
    return mix(hash, value.bits + (static_cast<std::uint64_t>(value.type) << 59));
}

} // namespace croupier::engine::clips
