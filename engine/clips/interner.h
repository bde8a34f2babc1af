// Keeps one copy of every text and multifield that a CLIPS program uses.
#pragma once

#include "engine/clips/value.h"

#include <cstddef>
#include <deque>
#include <memory>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace croupier::engine::clips {

class Interner {
  public:
    Interner();
    ~Interner();
    Interner(const Interner&) = delete;
    Interner& operator=(const Interner&) = delete;

    const Text* text(std::string_view text);
    Value symbol(std::string_view name) { return Value::symbol(text(name)); }
    Value string(std::string_view characters) { return Value::string(text(characters)); }
    Value multifield(std::span<const Value> fields);

    [[nodiscard]] Value boolean(bool value) const { return value ? yes_ : no_; }
    [[nodiscard]] const Value& yes() const { return yes_; }
    [[nodiscard]] const Value& no() const { return no_; }
    [[nodiscard]] const Value& nil() const { return nil_; }
    [[nodiscard]] const Value& empty() const { return empty_; }

    // Bytes held; grows with every new text and multifield.
    [[nodiscard]] std::size_t bytes() const { return bytes_; }

    // Frees multifields that nothing marked since the last sweep. Whoever calls knows all that
    // hold any. Texts stay: they are few, and constants of programs.
    static void mark(const Value& value);
    void sweep();
    [[nodiscard]] std::size_t multifield_bytes() const { return multifield_bytes_; }

  private:
    void grow();

    std::deque<Text> texts_;
    std::unordered_map<std::string_view, const Text*> by_text_;
    std::vector<Multifield*> table_; // open addressing, a power of two
    std::size_t multifields_ = 0;
    std::size_t multifield_bytes_ = 0;
    std::size_t bytes_ = 0;
    Value yes_;
    Value no_;
    Value nil_;
    Value empty_;
};

} // namespace croupier::engine::clips
