// The plainest possible state: a node owns its key, its children in order, or a value.
#pragma once

#include "engine/reference/value.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::engine::reference {

struct Node {
    std::string key;
    std::vector<Node> children;
    bool array = false; // written as a JSON array while its keys are 0..n-1
    std::optional<Scalar> value;

    [[nodiscard]] const Node* find(std::string_view name) const;
    [[nodiscard]] Node* find(std::string_view name);
    void clear() {
        children.clear();
        array = false;
        value.reset();
    }
};

// Keys from the root of the whole state downwards.
using Path = std::vector<std::string>;

const Node* find(const Node& root, const Path& path);
std::size_t count_nodes(const Node& node);

Node import_node(const Document& document, std::string key = {});
Document export_node(const Node& node);

} // namespace croupier::engine::reference
