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

bool are_near(const Cell& a, const Cell& b, const Grid& grid) {
    const std::int64_t across = distance(a.column, b.column, grid.columns, grid.wrap);
    const std::int64_t along = distance(a.row, b.row, grid.rows, grid.wrap);
    if (grid.near == Ways::King) return std::max(across, along) == 1;
    if (grid.near == Ways::Bishop) {
        // Where an axis has a single place, a step along it that wraps leads nowhere else.
        const bool aside = across == 1 || (grid.wrap && grid.columns == 1);
        const bool ahead = along == 1 || (grid.wrap && grid.rows == 1);
        return aside && ahead && across + along > 0;
    }
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

// One step in a direction.
struct Way {
    std::string name;
    std::int64_t east = 0;
    std::int64_t north = 0;
};

std::vector<Way> ways_of_grid(Ways ways) {
    const std::vector<Way> straight = {
        {"north", 0, 1}, {"east", 1, 0}, {"south", 0, -1}, {"west", -1, 0}};
    const std::vector<Way> diagonal = {
        {"northeast", 1, 1}, {"southeast", 1, -1}, {"southwest", -1, -1}, {"northwest", -1, 1}};
    std::vector<Way> all;
    for (std::size_t i = 0; i < 4 && ways != Ways::None; ++i) {
        if (ways != Ways::Bishop) all.push_back(straight[i]);
        if (ways != Ways::Rook) all.push_back(diagonal[i]);
    }
    return all;
}

// The cells from `from` on, one after the other, until the edge or until it is met again.
std::vector<std::string> line_from(const std::string& from, const Way& way, const Domain& domain) {
    const Grid& grid = *domain.grid;
    const Cell start = cell_named(from);
    std::vector<std::string> line;
    for (std::int64_t n = 1;; ++n) {
        std::int64_t column = start.column + n * way.east;
        std::int64_t row = start.row + n * way.north;
        if (grid.wrap) {
            column = ((column % grid.columns) + grid.columns) % grid.columns;
            row = ((row % grid.rows) + grid.rows) % grid.rows;
        }
        if (column < 0 || column >= grid.columns || row < 0 || row >= grid.rows) return line;
        const std::string& name =
            domain.members[static_cast<std::size_t>(row * grid.columns + column)];
        if (name == from) return line;
        line.push_back(name);
    }
}

void add_lines(Node& root, const Domain& domain) {
    for (const Way& way : ways_of_grid(domain.grid->step)) {
        Node& cells = child_of(child_of(root, "step"), way.name);
        for (const std::string& from : domain.members) {
            const auto line = line_from(from, way, domain);
            if (!line.empty()) child_of(cells, from).value = line.front();
        }
    }
    for (const Way& way : ways_of_grid(domain.grid->ray)) {
        Node& cells = child_of(child_of(root, "ray"), way.name);
        for (const std::string& from : domain.members) {
            const auto line = line_from(from, way, domain);
            for (std::size_t i = 0; i < line.size(); ++i)
                child_of(child_of(cells, from), line[i]).value = static_cast<std::int64_t>(i + 1);
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
        if (domain.grid && domain.grid->near != Ways::None) add_near(root, domain);
        if (domain.grid) add_lines(root, domain);
        if (domain.order != Domain::Order::None) add_next(root, domain);
    }
    return root;
}

} // namespace croupier::engine::reference
