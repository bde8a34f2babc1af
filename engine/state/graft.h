// Copies what one state holds into a part of another whose shape is the same: a view into the tree
// of the agent that reads it.
#pragma once

#include "engine/state/state.h"

#include <cstdint>
#include <vector>

namespace croupier::engine {

// Where the declared part of the shape lies in both blocks is worked out once, so that a copy is a
// few memcpys. What is not declared, and texts, are copied node by node.
class Graft {
  public:
    // `at` is the root or one of its fields, `to_at` a field of the root; both have the same shape
    // below them, and the layouts the same domains. Both layouts outlive the graft.
    Graft(const Layout& from, SchemaId at, const Layout& to, SchemaId to_at);

    // The node of `to` then holds what the node of `from` holds, and is absent where that is. Keys
    // at the root that no shape declares are left out.
    void copy(const State& from, State& to) const;

  private:
    struct Bytes {
        std::uint32_t from = 0;
        std::uint32_t to = 0;
        std::uint32_t count = 0;
    };
    struct Subtrees { // a column of undeclared ones
        SchemaId from = kNoSchema;
        SchemaId to = kNoSchema;
        std::uint32_t count = 0;
    };

    void pair(SchemaId from, SchemaId to);
    void add(std::uint32_t from, std::uint32_t to, std::size_t count);
    void copy_columns(const State& from, State& to) const;
    void copy_order(const State& from, State& to) const;
    void copy_subtrees(const State& from, State& to) const;

    const Layout& from_;
    const Layout& to_;
    SchemaId at_;
    SchemaId to_at_;
    std::vector<Bytes> bytes_;
    std::vector<Bytes> values_; // of `count` values, whose texts are known by other numbers there
    std::vector<Subtrees> subtrees_;
};

} // namespace croupier::engine
