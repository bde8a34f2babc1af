// Interned texts.
#include "engine/tree/symbols.h"

#include <algorithm>
#include <charconv>

namespace croupier::engine {

std::optional<std::int64_t> canonical_integer(std::string_view text) {
    const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
    if (digits.empty() || (digits[0] == '0' && text.size() > 1)) {
        return std::nullopt;
    }
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) {
        return std::nullopt;
    }
    return value;
}

namespace {

std::uint64_t hash_of(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325u ^ text.size();
    for (const char c : text) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    return hash;
}

} // namespace

Symbols::Symbols(const Symbols* base) : base_(base), first_(base == nullptr ? 0 : base->size()) {}

Symbols::Symbols(const Symbols& other) : base_(other.base_), first_(other.first_) {
    copy_texts(other);
}

// What both have in common stays. Mostly that is all: a search copies the same state many times.
Symbols& Symbols::copy_texts(const Symbols& other) {
    std::size_t common = base_ == other.base_ && first_ == other.first_
                             ? std::min(own_.size(), other.own_.size())
                             : 0;
    while (common > 0 && own_[common - 1] != other.own_[common - 1]) {
        --common;
    }
    for (std::size_t i = common; i < own_.size(); ++i) {
        index_.erase(own_[i]->text);
    }
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
        // The base may have grown after this extension was made; what it learnt since is not ours.
        if (known != kNoSymbol && known < first_) {
            return known;
        }
    }
    const auto found = index_.find(text);
    return found == index_.end() ? kNoSymbol : found->second;
}

Symbol Symbols::intern(std::string_view text) {
    const Symbol known = find(text);
    return known != kNoSymbol ? known : add(text);
}

} // namespace croupier::engine
