// Copies one state into a part of another that has the same shape, such as a view into the tree of
// the agent that reads it.
#pragma once

#include "engine/state/state.h"

#include <cstdint>
#include <vector>

namespace croupier::engine {

// The constructor works out where the declared part is in both blocks, so that a copy is a few
// memcpys. Undeclared nodes and texts are copied one by one.
class Graft {
  public:
    // `at` is the root or one of its fields, `to_at` is a field of the root; both must have the
    // same shape, and the layouts the same domains. Both layouts must outlive the graft.
    Graft(const Layout& from, SchemaId at, const Layout& to, SchemaId to_at);

    // Makes the node of `to` equal to the node of `from`, or absent if that is absent. Leaves out
    // undeclared keys at the root.
    void copy(const State& from, State& to) const;

  private:
    struct Bytes {
        std::uint32_t from = 0;
        std::uint32_t to = 0;
        std::uint32_t count = 0;
    };
    struct Subtrees { // a column of undeclared subtrees
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
    std::vector<Bytes> values_; // `count` values each; the two states number texts differently
    std::vector<Subtrees> subtrees_;
};

} // namespace croupier::engine
