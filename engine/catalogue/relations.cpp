// Relations as documents; the order of their children is the order of matches.
#include "engine/catalogue/relations.h"

#include "engine/lang/grid.h"
#include "engine/text/json_build.h"

#include <algorithm>

namespace croupier::engine {
namespace {

// near.<cell>.<cell>: true, neighbours in the domain's order.
void add_near(const Domain& domain, Document& near) {
    for (std::uint32_t cell = 0; cell < domain.members.size(); ++cell) {
        std::vector<std::uint32_t> around;
        for (const Direction& direction : kDirections) {
            if (!lead(domain.grid->near, direction)) continue;
            if (const auto other = domain.grid->beyond(cell, direction)) around.push_back(*other);
        }
        std::sort(around.begin(), around.end());
        around.erase(std::unique(around.begin(), around.end()), around.end());
        Document neighbours = json::object();
        for (const std::uint32_t other : around)
            json::add(neighbours, domain.members[other], json::boolean(true));
        json::add(near, domain.members[cell], std::move(neighbours));
    }
}

// step.<direction>.<cell>: the next cell.
void add_step(const Domain& domain, Document& step) {
    for (const Direction& direction : kDirections) {
        if (!lead(domain.grid->step, direction)) continue;
        Document& cells = json::child_object(step, direction.name);
        for (std::uint32_t cell = 0; cell < domain.members.size(); ++cell) {
            if (const auto other = domain.grid->beyond(cell, direction))
                json::add(cells, domain.members[cell], json::text(domain.members[*other]));
        }
    }
}

// ray.<direction>.<cell>.<cell>: the number of steps, up to the edge or once around.
void add_ray(const Domain& domain, Document& ray) {
    for (const Direction& direction : kDirections) {
        if (!lead(domain.grid->ray, direction)) continue;
        Document& cells = json::child_object(ray, direction.name);
        for (std::uint32_t cell = 0; cell < domain.members.size(); ++cell) {
            Document line = json::object();
            auto reached = domain.grid->beyond(cell, direction);
            for (int steps = 1; reached && *reached != cell; ++steps) {
                json::add(line, domain.members[*reached], json::integer(steps));
                reached = domain.grid->beyond(*reached, direction);
            }
            if (!line.members.empty()) json::add(cells, domain.members[cell], std::move(line));
        }
    }
}

// next.<member>: the member after it.
void add_next(const Domain& domain, Document& next) {
    const std::size_t count = domain.members.size();
    for (std::size_t i = 0; i < count; ++i) {
        if (i + 1 == count && domain.order == Domain::Order::Linear) break;
        const std::size_t after = (i + 1) % count;
        json::add(next, domain.members[i],
                  domain.numbered ? json::integer(after) : json::text(domain.members[after]));
    }
}

} // namespace

void add_relations(const std::vector<Domain>& domains, Document& constants) {
    for (const Domain& domain : domains) {
        if (domain.grid && domain.grid->near != Ways::None)
            add_near(domain, json::child_object(constants, "near"));
        if (domain.grid && domain.grid->step != Ways::None)
            add_step(domain, json::child_object(constants, "step"));
        if (domain.grid && domain.grid->ray != Ways::None)
            add_ray(domain, json::child_object(constants, "ray"));
        if (domain.order != Domain::Order::None)
            add_next(domain, json::child_object(constants, "next"));
    }
}

} // namespace croupier::engine
