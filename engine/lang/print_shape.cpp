// Types and shapes as documents that can be read again.
#include "engine/lang/print.h"
#include "engine/text/json_build.h"

#include <algorithm>

namespace croupier::engine {
namespace {

using json::add;
using json::text;

Document list(const std::vector<std::string>& texts) {
    Document document = json::array();
    for (const std::string& each : texts)
        json::append(document, text(each));
    return document;
}

void add_grid(Document& object, const Grid& grid) {
    Document size = json::array();
    json::append(size, json::integer(grid.columns));
    json::append(size, json::integer(grid.rows));
    add(object, "grid", std::move(size));
    for (const GridRelation& relation : kGridRelations) {
        const Ways ways = grid.*relation.ways;
        if (ways != Ways::None) add(object, std::string(relation.name), text(name_of(ways)));
    }
    if (grid.wrap) add(object, "wrap", json::boolean(true));
}

Document leaf(const Shape& shape, const std::vector<Domain>& types) {
    if (shape.kind == ShapeKind::Unit) return json::boolean(true);
    const bool ranged = shape.low != INT64_MIN || shape.high != INT64_MAX;
    if (shape.kind == ShapeKind::Int && ranged)
        return text(std::to_string(shape.low) + ".." + std::to_string(shape.high));
    if (shape.kind != ShapeKind::Member) return text(name_of(shape.kind));
    const auto domain = std::find_if(types.begin(), types.end(),
                                     [&](const Domain& each) { return each.name == shape.domain; });
    return domain != types.end() && domain->anonymous ? list(domain->members) : text(shape.domain);
}

// A key that begins like a variable or a directive, as it is written.
std::string plain_key(const std::string& name) {
    std::string key;
    for (const char c : name) {
        if (c == '$' || c == '@') key += c;
        key += c;
    }
    return key;
}

} // namespace

Document to_document(const Domain& domain) {
    Document object = json::object();
    if (domain.grid)
        add_grid(object, *domain.grid);
    else if (domain.numbered)
        add(object, "members", json::integer(domain.members.size()));
    else
        add(object, "members", list(domain.members));
    if (domain.order != Domain::Order::None)
        add(object, "order", text(domain.order == Domain::Order::Cyclic ? "cyclic" : "linear"));
    return object;
}

Document to_document(const Shape& shape, const std::vector<Domain>& types) {
    if (shape.kind != ShapeKind::Record && shape.kind != ShapeKind::Map) return leaf(shape, types);
    const std::string& keys = shape.domain.empty() ? shape.key_type : shape.domain;
    Document object = json::object();
    for (const auto& [name, field] : shape.fields) {
        const bool map = shape.kind == ShapeKind::Map;
        add(object,
            !map           ? plain_key(name)
            : keys.empty() ? "$"
                           : "$:" + keys,
            to_document(field, types));
    }
    return object;
}

} // namespace croupier::engine
