#include "engine/reference/relations.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <utility>

namespace croupier::engine::reference {

namespace {

Node& child_of(Node& parent, const std::string& key) {
    if (Node* known = parent.find(key)) return *known;
    Node child;
    child.key = key;
    parent.children.push_back(std::move(child));
    return parent.children.back();
}

struct Cell {
    std::int64_t column = 0;
    std::int64_t row = 0;
};

// "c7" -> {2, 6}; columns past z are aa, ab, ..
Cell cell_named(const std::string& name) {
    Cell cell;
    std::size_t i = 0;
    for (; name[i] >= 'a' && name[i] <= 'z'; ++i) {
        cell.column = cell.column * 26 + (name[i] - 'a' + 1);
    }
    return {cell.column - 1, std::stoll(name.substr(i)) - 1};
}

// Steps from `a` to `b` along an axis of that size, the shorter way round if it wraps.
std::int64_t distance(std::int64_t a, std::int64_t b, std::int64_t size, bool wrap) {
    const std::int64_t direct = std::abs(a - b);
    return wrap ? std::min(direct, size - direct) : direct;
}

bool are_near(const Cell& a, const Cell& b, const Domain::Grid& grid) {
    const std::int64_t across = distance(a.column, b.column, grid.columns, grid.wrap);
    const std::int64_t along = distance(a.row, b.row, grid.rows, grid.wrap);
    if (grid.near == Domain::Grid::Near::King) return std::max(across, along) == 1;
    return across + along == 1;
}

void add_near(Node& root, const Domain& domain) {
    Node& near = child_of(root, "near");
    for (const std::string& from : domain.members) {
        Node& neighbours = child_of(near, from);
        for (const std::string& to : domain.members) {
            if (are_near(cell_named(from), cell_named(to), *domain.grid)) {
                child_of(neighbours, to).value = true;
            }
        }
    }
}

void add_next(Node& root, const Domain& domain) {
    Node& next = child_of(root, "next");
    const std::size_t count = domain.members.size();
    for (std::size_t i = 0; i < count; ++i) {
        if (i + 1 == count && domain.order == Domain::Order::Linear) break;
        const std::size_t after = (i + 1) % count;
        Node& entry = child_of(next, domain.members[i]);
        entry.value = domain.numbered ? Scalar{static_cast<std::int64_t>(after)}
                                      : Scalar{domain.members[after]};
    }
}

} // namespace

Node build_constants(const Ruleset& ruleset) {
    Node root = ruleset.constants ? import_node(*ruleset.constants) : Node{};
    for (const Domain& domain : ruleset.types) {
        if (domain.grid && domain.grid->near != Domain::Grid::Near::None) add_near(root, domain);
        if (domain.order != Domain::Order::None) add_next(root, domain);
    }
    return root;
}

} // namespace croupier::engine::reference
