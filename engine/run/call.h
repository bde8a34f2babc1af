// One call of a function by rules: shuffle, choose, sort, deal, or a function of the host.
#pragma once

#include "engine/form/form.h"
#include "engine/run/runtime.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::engine {

struct Argument {
    std::string_view name = {};
    bool is_path = false;
    Path path = {}; // if is_path, else `value`
    Value value = {};
};

// Reports errors at `span`. Looks paths up only when needed: an earlier step may move or remove the
// node that a path leads to.
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
    // Null if there is no such argument.
    [[nodiscard]] const Value* value(std::string_view name) const;
    [[nodiscard]] const Path* find_path(std::string_view name) const;
    [[nodiscard]] const Path& path(std::string_view name) const; // calls without it do not load
    [[nodiscard]] std::size_t count() const;
    [[nodiscard]] NodeRef changeable(const Path& path) const;

    void shuffle();
    [[nodiscard]] bool holds_presence_only(const Path& path) const;
    void choose();
    void sort();
    bool permute_codes(const std::vector<NodeRef>& children, const std::vector<std::size_t>& order);
    void permute(const std::vector<NodeRef>& children, const std::vector<std::size_t>& order);
    void host();
    void deal();
    void give(const Path& from, const Path& to, Symbol receiver);

    Runtime& runtime_;
    State& state_;
    std::string_view function_;
    std::span<const Argument> arguments_;
    Span span_;
};

// A call of shuffle or deal whose arguments are declared places. It finds the columns before the
// first run and works on them directly. One per node and thread.
class PreparedCall {
  public:
    PreparedCall() = default;
    PreparedCall(const form::Module& module, const form::Function& function,
                 const form::Node& call);

    [[nodiscard]] const form::Node* node() const { return node_; }
    // Whether `run` may be called: no path has to be computed.
    [[nodiscard]] bool is_known() const { return function_ != Function::Other; }
    // `values` are those of the arguments, in order. Returns false and changes nothing if the
    // general code must do the call, for example because of an error.
    bool run(Runtime& runtime, std::span<const Value> values);
    // Whether the call is a shuffle and is_known().
    [[nodiscard]] bool shuffles() const { return function_ == Function::Shuffle; }
    // The same as `run`, for a state without a journal.
    bool shuffle(Runtime& runtime);

  private:
    enum class Function : std::uint8_t { Other, Shuffle, Deal };
    static constexpr std::size_t kNoArgument = static_cast<std::size_t>(-1);

    // A declared map outside all maps.
    struct MapArgument {
        SchemaId map = kNoSchema;
        bool from_state = false; // false: from the root of the current group
    };
    bool find(std::string_view name, MapArgument& place) const;
    [[nodiscard]] std::size_t argument(std::string_view name, form::Kind kind) const;
    [[nodiscard]] bool holds_bytes(const MapArgument& place) const;
    [[nodiscard]] bool holds_sets_of_cards() const;
    [[nodiscard]] bool is_there(const Runtime& runtime, const MapArgument& place) const;
    [[nodiscard]] std::size_t take(const std::byte* held, std::size_t most);
    bool deal(Runtime& runtime, std::span<const Value> values);

    const form::Module* module_ = nullptr;
    const form::Function* function_at_ = nullptr;
    const form::Node* node_ = nullptr;
    Function function_ = Function::Other;
    MapArgument from_; // the map to shuffle or deal from
    MapArgument to_;
    std::size_t count_ = kNoArgument;
    std::size_t start_ = kNoArgument;
    SchemaId shuffled_ = kNoSchema;
    std::uint32_t size_ = 0;            // bytes of `from_`
    std::vector<std::uint32_t> places_; // of bytes that are not 0
};

} // namespace croupier::engine
