// A call whose arguments are declared places: what it is about is found before it runs, and it is
// done on the columns.
#pragma once

#include "engine/ir/ir.h"
#include "engine/run/runtime.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace croupier::engine {

// One per node and thread.
class PreparedCall {
  public:
    PreparedCall() = default;
    PreparedCall(const ir::Module& module, const ir::Function& function, const ir::Node& call);

    [[nodiscard]] const ir::Node* node() const { return node_; }
    // Whether `run` may be asked: none of the paths has to be computed.
    [[nodiscard]] bool is_known() const { return function_ != Function::Other; }
    // `values`: of the arguments, in their order. False, and nothing has changed: that is for the
    // general way, errors among it.
    bool run(Runtime& runtime, std::span<const Value> values);
    // What changes places where the call is to shuffle and `is_known`, else none.
    [[nodiscard]] SchemaId shuffled() const { return shuffled_; }
    // The same as `run`, also if the state has a journal, to which nothing is noted.
    bool shuffle(Runtime& runtime);
    // The last one had something to move, even if it stays where it is.
    [[nodiscard]] bool has_moved() const { return has_moved_; }

  private:
    enum class Function : std::uint8_t { Other, Shuffle, Deal };
    static constexpr std::size_t kNoArgument = static_cast<std::size_t>(-1);

    // A map of the shape outside all maps.
    struct Place {
        SchemaId map = kNoSchema;
        bool from_state = false; // else from the root of the group at hand
    };
    bool find(std::string_view name, Place& place) const;
    [[nodiscard]] std::size_t value_of(std::string_view name) const;
    [[nodiscard]] const ir::Node* argument(std::string_view name, bool is_path,
                                           std::size_t& place) const;
    [[nodiscard]] bool holds_bytes(const Place& place) const;
    [[nodiscard]] bool holds_sets_of_cards() const;
    [[nodiscard]] bool is_there(const Runtime& runtime, const Place& place) const;
    [[nodiscard]] std::size_t take(const std::byte* held, std::size_t most);
    bool deal(Runtime& runtime, std::span<const Value> values);

    const ir::Module* module_ = nullptr;
    const ir::Function* function_at_ = nullptr;
    const ir::Node* node_ = nullptr;
    Function function_ = Function::Other;
    Place from_; // what is shuffled, or dealt
    Place to_;
    std::size_t count_ = kNoArgument;
    std::size_t start_ = kNoArgument;
    SchemaId shuffled_ = kNoSchema;
    bool has_moved_ = false;
    std::uint32_t size_ = 0;            // bytes of `from_`
    std::vector<std::uint32_t> places_; // of those that hold something
};

} // namespace croupier::engine
