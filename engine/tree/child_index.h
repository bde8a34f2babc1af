// Finds children by key where a node has so many that searching them in a line would be slow.
#pragma once

#include "engine/tree/symbols.h"

#include <cstdint>
#include <unordered_map>

namespace croupier::engine {

class ChildIndex {
  public:
    [[nodiscard]] std::uint32_t find(std::uint32_t parent, Symbol key) const {
        const auto found = ids_.find(word(parent, key));
        return found == ids_.end() ? 0 : found->second;
    }
    void put(std::uint32_t parent, Symbol key, std::uint32_t id) { ids_[word(parent, key)] = id; }
    void erase(std::uint32_t parent, Symbol key) { ids_.erase(word(parent, key)); }

  private:
    static std::uint64_t word(std::uint32_t parent, Symbol key) {
        return (std::uint64_t{parent} << 32) | key;
    }
    std::unordered_map<std::uint64_t, std::uint32_t> ids_;
};

} // namespace croupier::engine
