// One call of a function by rules: shuffle, choose, sort, deal, or one of the host.
#pragma once

#include "engine/run/runtime.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace croupier::engine {

struct Argument {
    std::string_view name = {};
    bool is_path = false;
    Path path = {}; // else
    Value value = {};
};

// Errors are said to be at `span`. Paths are looked up when they are needed: what a function does
// may move or remove what another one leads to.
class Call {
  public:
    Call(Runtime& runtime, std::string_view function, std::span<const Argument> arguments,
         Span span)
        : runtime_(runtime), state_(runtime.state()), function_(function), arguments_(arguments),
          span_(span) {}

    void run();

  private:
    [[noreturn]] void fail(const std::string& detail) const {
        runtime_.fail(RunErrorKind::Call, span_, detail);
    }
    // Null if there is none of that name.
    [[nodiscard]] const Value* value(std::string_view name) const;
    [[nodiscard]] const Path* find_path(std::string_view name) const;
    [[nodiscard]] const Path& path(std::string_view name) const; // calls without it do not load
    [[nodiscard]] std::size_t count() const;
    [[nodiscard]] NodeRef changeable(const Path& path) const;

    void shuffle();
    void shuffle_bytes(std::span<std::byte> held);
    [[nodiscard]] bool holds_presence_only(const Path& path) const;
    void choose();
    void sort();
    bool permute_codes(const std::vector<NodeRef>& children, const std::vector<std::size_t>& order);
    void permute(const std::vector<NodeRef>& children, const std::vector<std::size_t>& order);
    void host();
    // deal.cpp
    void deal();
    bool deal_members(NodeRef from, NodeRef to, const Value* start, std::size_t count);
    void give(const Path& from, const Path& to, Symbol receiver);

    Runtime& runtime_;
    State& state_;
    std::string_view function_;
    std::span<const Argument> arguments_;
    Span span_;
};

} // namespace croupier::engine
