// One call of a function by rules: shuffle, choose, sort, deal, or one of the host.
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

// A call of shuffle or deal whose arguments are declared places: what it is about is found before
// it runs, and it is done on the columns. One per node and thread.
class PreparedCall {
  public:
    PreparedCall() = default;
    PreparedCall(const form::Module& module, const form::Function& function,
                 const form::Node& call);

    [[nodiscard]] const form::Node* node() const { return node_; }
    // Whether `run` may be asked: none of the paths has to be computed.
    [[nodiscard]] bool is_known() const { return function_ != Function::Other; }
    // `values`: of the arguments, in their order. False, and nothing has changed: that is for the
    // general way, errors among it.
    bool run(Runtime& runtime, std::span<const Value> values);
    // The call is to shuffle, and `is_known`.
    [[nodiscard]] bool shuffles() const { return function_ == Function::Shuffle; }
    // The same as `run`, for a state without a journal.
    bool shuffle(Runtime& runtime);

  private:
    enum class Function : std::uint8_t { Other, Shuffle, Deal };
    static constexpr std::size_t kNoArgument = static_cast<std::size_t>(-1);

    // A map of the shape outside all maps.
    struct MapArgument {
        SchemaId map = kNoSchema;
        bool from_state = false; // else from the root of the current group
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
    MapArgument from_; // what is shuffled, or dealt
    MapArgument to_;
    std::size_t count_ = kNoArgument;
    std::size_t start_ = kNoArgument;
    SchemaId shuffled_ = kNoSchema;
    std::uint32_t size_ = 0;            // bytes of `from_`
    std::vector<std::uint32_t> places_; // of those that hold something
};

} // namespace croupier::engine
