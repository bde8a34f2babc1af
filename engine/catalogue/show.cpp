// Where a state lies in memory, as text and as JSON.
#include "engine/catalogue/show.h"

#include "engine/text/json_build.h"

#include <fmt/format.h>

namespace croupier::engine {

std::string show_layout(const Layout& layout) {
    std::string text = fmt::format("layout: {} bytes declared\n", layout.dense_bytes());
    for (SchemaId id = 0; id < layout.size(); ++id) {
        const SchemaNode& node = layout.node(id);
        if (!node.dense) {
            continue;
        }
        const std::string path = layout.path(id).empty() ? "(root)" : layout.path(id);
        std::string kind(name_of(node.kind));
        if (node.domain != 0) {
            kind += " of " + layout.domain(node.domain).name;
        }
        text += fmt::format("  {:<32} {:<20} {:>6} x", path, kind, node.instances);
        if (node.column == Column::Arena) {
            text += " in the arena";
        } else if (node.values != kNoOffset) {
            text += fmt::format(" values at {}", node.values);
        }
        if (node.presence != kNoOffset) {
            text += fmt::format(" bits at {}", node.presence);
        }
        text += "\n";
    }
    return text;
}

Document layout_document(const Layout& layout) {
    Document nodes = json::array();
    for (SchemaId id = 0; id < layout.size(); ++id) {
        const SchemaNode& node = layout.node(id);
        if (!node.dense) {
            continue;
        }
        Document shown = json::object({{"path", json::text(layout.path(id))},
                                       {"kind", json::text(name_of(node.kind))},
                                       {"instances", json::integer(node.instances)},
                                       {"arena", json::boolean(node.column == Column::Arena)}});
        if (node.domain != 0) {
            json::add(shown, "domain", json::text(layout.domain(node.domain).name));
        }
        if (node.column != Column::Arena && node.values != kNoOffset) {
            json::add(shown, "values_at", json::integer(node.values));
        }
        if (node.presence != kNoOffset) {
            json::add(shown, "bits_at", json::integer(node.presence));
        }
        json::append(nodes, std::move(shown));
    }
    Document made = json::object({{"bytes", json::integer(layout.dense_bytes())}});
    json::add(made, "nodes", std::move(nodes));
    return made;
}

} // namespace croupier::engine
