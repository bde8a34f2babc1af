// Compares and prints values.
#include "engine/state/value.h"

#include <algorithm>
#include <cmath>

namespace croupier::engine {

namespace {

std::uint64_t hash_of(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325u ^ text.size();
    for (const char c : text) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    return hash;
}

// Exact: a double beyond 2^53 does not equal the integers near it.
std::partial_ordering compare_mixed(std::int64_t i, double d) {
    if (std::isnan(d)) return std::partial_ordering::unordered;
    if (d >= 9223372036854775808.0) return std::partial_ordering::less;
    if (d < -9223372036854775808.0) return std::partial_ordering::greater;
    const double whole = std::floor(d);
    const auto truncated = static_cast<std::int64_t>(whole);
    if (i != truncated) return i <=> truncated;
    return whole < d ? std::partial_ordering::less : std::partial_ordering::equivalent;
}

std::partial_ordering compare_numbers(const Value& a, const Value& b) {
    if (a.tag == Tag::Int && b.tag == Tag::Int) return a.integer <=> b.integer;
    if (a.tag == Tag::Double && b.tag == Tag::Double) return a.real() <=> b.real();
    if (a.tag == Tag::Int) return compare_mixed(a.integer, b.real());
    return 0 <=> compare_mixed(b.integer, a.real());
}

} // namespace

// Interned texts.

Symbols::Symbols(const Symbols* base) : base_(base), first_(base == nullptr ? 0 : base->size()) {}

Symbols::Symbols(const Symbols& other) : base_(other.base_), first_(other.first_) {
    copy_texts(other);
}

// Keeps the texts that both share. Mostly that is all: a search copies the same state many times.
Symbols& Symbols::copy_texts(const Symbols& other) {
    std::size_t common = base_ == other.base_ && first_ == other.first_
                             ? std::min(own_.size(), other.own_.size())
                             : 0;
    while (common > 0 && own_[common - 1] != other.own_[common - 1])
        --common;
    for (std::size_t i = common; i < own_.size(); ++i)
        index_.erase(own_[i]->text);
    own_.resize(common);
    base_ = other.base_;
    first_ = other.first_;
    for (std::size_t i = common; i < other.own_.size(); ++i) {
        own_.push_back(other.own_[i]);
        index_.emplace(own_[i]->text, static_cast<Symbol>(first_ + i));
    }
    return *this;
}

Symbol Symbols::add(std::string_view text) {
    const auto symbol = static_cast<Symbol>(first_ + own_.size());
    const std::optional<std::int64_t> integer = canonical_integer(text);
    own_.push_back(std::make_shared<const Info>(
        Info{std::string(text), integer.value_or(0), integer.has_value(), hash_of(text)}));
    index_.emplace(own_.back()->text, symbol);
    return symbol;
}

Symbol Symbols::find(std::string_view text) const {
    if (base_ != nullptr) {
        const Symbol known = base_->find(text);
        // The base may have grown after this extension was made; texts added since do not count.
        if (known != kNoSymbol && known < first_) return known;
    }
    const auto found = index_.find(text);
    return found == index_.end() ? kNoSymbol : found->second;
}

Symbol Symbols::intern(std::string_view text) {
    const Symbol known = find(text);
    return known != kNoSymbol ? known : add(text);
}

bool is_exact_double(std::int64_t integer) {
    const auto rounded = static_cast<double>(integer);
    return rounded < 0x1p63 && static_cast<std::int64_t>(rounded) == integer;
}

Value as_number(const Value& v, const Symbols& symbols) {
    if (v.is_number()) return v;
    if (v.tag == Tag::Key) {
        if (const auto integer = symbols.integer(v.symbol())) return Value::number(*integer);
    }
    return {};
}

bool equal_slow(const Value& a, const Value& b, const Symbols& symbols) {
    if (a.is_text() && b.is_text()) return a.symbol() == b.symbol();
    // A key counts as a number only in a comparison with one.
    if ((a.is_number() || a.tag == Tag::Key) && (b.is_number() || b.tag == Tag::Key)) {
        const Value x = as_number(a, symbols);
        const Value y = as_number(b, symbols);
        return x.tag != Tag::None && y.tag != Tag::None && compare_numbers(x, y) == 0;
    }
    return false;
}

std::optional<std::partial_ordering> compare(const Value& a, const Value& b,
                                             const Symbols& symbols) {
    const Value x = as_number(a, symbols);
    const Value y = as_number(b, symbols);
    if (x.tag != Tag::None && y.tag != Tag::None) return compare_numbers(x, y);
    if (a.is_text() && b.is_text())
        return symbols.text(a.symbol()).compare(symbols.text(b.symbol())) <=> 0;
    return std::nullopt;
}

std::string to_text(const Value& v, const Symbols& symbols) {
    switch (v.tag) {
    case Tag::None:
        return "";
    case Tag::Null:
        return "null";
    case Tag::Bool:
        return v.truth() ? "true" : "false";
    case Tag::Int:
        return std::to_string(v.integer);
    case Tag::Double:
        return number_text(v.real());
    case Tag::String:
    case Tag::Key:
        return std::string(symbols.text(v.symbol()));
    }
    return "";
}

Scalar to_scalar(const Value& v, const Symbols& symbols) {
    switch (v.tag) {
    case Tag::None:
    case Tag::Null:
        return std::monostate{};
    case Tag::Bool:
        return v.truth();
    case Tag::Int:
        return v.integer;
    case Tag::Double:
        return v.real();
    case Tag::String:
    case Tag::Key:
        return std::string(symbols.text(v.symbol()));
    }
    return std::monostate{};
}

Value to_value(const Scalar& scalar, Symbols& symbols) {
    struct Visitor {
        Symbols& symbols;
        Value operator()(std::monostate) const { return Value::null(); }
        Value operator()(bool b) const { return Value::boolean(b); }
        Value operator()(std::int64_t i) const { return Value::number(i); }
        Value operator()(double d) const { return Value::number(d); }
        Value operator()(const std::string& s) const { return Value::string(symbols.intern(s)); }
    };
    return std::visit(Visitor{symbols}, scalar);
}

} // namespace croupier::engine
