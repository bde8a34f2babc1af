#include "engine/reference/node.h"

#include <utility>

namespace croupier::engine::reference {

const Node* Node::find(std::string_view name) const {
    for (const Node& child : children) {
        if (child.key == name) return &child;
    }
    return nullptr;
}

Node* Node::find(std::string_view name) {
    return const_cast<Node*>(std::as_const(*this).find(name));
}

const Node* find(const Node& root, const Path& path) {
    const Node* node = &root;
    for (const std::string& key : path) {
        node = node->find(key);
        if (node == nullptr) return nullptr;
    }
    return node;
}

std::size_t count_nodes(const Node& node) {
    std::size_t count = 1;
    for (const Node& child : node.children) {
        count += count_nodes(child);
    }
    return count;
}

Node import_node(const Document& document, std::string key) {
    Node node;
    node.key = std::move(key);
    node.array = document.is_array();
    if (document.kind == Document::Kind::Scalar) node.value = document.scalar;
    for (const Member& member : document.members) {
        std::string name = node.array ? std::to_string(node.children.size()) : member.key;
        node.children.push_back(import_node(member.value, std::move(name)));
    }
    return node;
}

namespace {

bool is_array_now(const Node& node) {
    if (!node.array) return false;
    for (std::size_t i = 0; i < node.children.size(); ++i) {
        if (node.children[i].key != std::to_string(i)) return false;
    }
    return true;
}

} // namespace

Document export_node(const Node& node) {
    Document document;
    if (node.value) {
        document.scalar = *node.value;
        return document;
    }
    const bool array = is_array_now(node);
    document.kind = array ? Document::Kind::Array : Document::Kind::Object;
    for (const Node& child : node.children) {
        document.members.push_back({array ? std::string{} : child.key, {}, export_node(child)});
    }
    return document;
}

} // namespace croupier::engine::reference
