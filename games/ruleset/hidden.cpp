// Reads the `hidden` block and removes hidden parts from states.
#include "games/ruleset/hidden.h"

#include "engine/api/ruleset.h"
#include "engine/api/state.h"
#include "engine/api/text.h"
#include "games/ruleset/codes.h"

#include <algorithm>
#include <array>

namespace croupier::games {
namespace {

using engine::Diagnostics;
using engine::Document;
using engine::Member;
using engine::NodeRef;
using engine::Shape;
using engine::ShapeKind;
using engine::State;
using engine::Symbol;
using engine::Value;

// The maximum depth of keys in the block.
constexpr std::size_t kDeepest = 16;

constexpr std::string_view kHiddenHint =
    "as in \"hands\": {\"$P\": \"only $P\"}, \"stock\": \"nobody\"";

std::vector<std::string> split_path(std::string_view path) {
    std::vector<std::string> segments;
    for (;;) {
        const std::size_t dot = path.find('.');
        segments.emplace_back(path.substr(0, dot));
        if (dot == std::string_view::npos) return segments;
        path.remove_prefix(dot + 1);
    }
}

class Reader {
  public:
    Reader(const engine::Ruleset& ruleset, Diagnostics& diagnostics)
        : ruleset_(ruleset), root_keys_(engine::written_root_keys(ruleset)),
          diagnostics_(diagnostics) {}

    std::vector<Hidden> entries() {
        return entries(*ruleset_.hidden, ruleset_.shape ? &*ruleset_.shape : nullptr);
    }

  private:
    // `shape` is that of the nodes that the block is about; null if it is not declared.
    std::vector<Hidden> entries(const Document& block, const Shape* shape) {
        std::vector<Hidden> result;
        if (!block.is_object()) {
            wrong(block.span, "hidden takes an object of nodes and who may see them");
            return result;
        }
        for (const Member& member : block.members) {
            if (member.key.empty() || member.key[0] == '@') {
                wrong(member.key_span, "a key in hidden is a name or a variable");
                continue;
            }
            result.push_back(entry(member, shape));
        }
        return result;
    }

    Hidden entry(const Member& member, const Shape* shape) {
        Hidden hidden;
        hidden.variable = member.key[0] == '$';
        hidden.key = hidden.variable ? member.key.substr(1) : member.key;
        if (hidden.variable) bound_.push_back(hidden.key);
        const Shape* const below =
            hidden.variable ? any_child(member, shape) : child(hidden.key, member.key_span, shape);
        if (member.value.is_string()) {
            leaf(hidden, member.value);
        } else if (depth_ == kDeepest) {
            wrong(member.key_span, "hidden goes too deep");
        } else {
            ++depth_;
            hidden.entries = entries(member.value, below);
            --depth_;
        }
        if (hidden.variable) bound_.pop_back();
        return hidden;
    }

    void leaf(Hidden& hidden, const Document& value) {
        constexpr std::string_view kOnly = "only ";
        const std::string& text = value.text();
        if (text == "nobody") {
            hidden.kind = Hidden::Kind::Nobody;
            return;
        }
        if (!text.starts_with(kOnly) || text.size() == kOnly.size()) {
            wrong(value.span,
                  "who may see a node is \"nobody\" or \"only ..\", found \"" + text + "\"");
            return;
        }
        const std::string who = text.substr(kOnly.size());
        if (who[0] != '$') {
            hidden.kind = Hidden::Kind::OnlyNamed;
            hidden.path = split_path(who);
            const Shape* shape = ruleset_.shape ? &*ruleset_.shape : nullptr;
            for (const std::string& segment : hidden.path)
                shape = child(segment, value.span, shape);
            return;
        }
        hidden.kind = Hidden::Kind::OnlyVariable;
        hidden.who = who.substr(1);
        if (std::ranges::find(bound_, hidden.who) == bound_.end())
            wrong(value.span, "no key above is the variable " + who);
    }

    // The child's shape; reports a name that no state has, as it would hide nothing.
    const Shape* child(const std::string& key, engine::Span place, const Shape* shape) {
        if (shape == nullptr || shape->kind == ShapeKind::Any) return nullptr;
        std::vector<std::string> known;
        if (shape->kind == ShapeKind::Record) {
            for (const auto& [name, field] : shape->fields) {
                if (name == key) return &field;
                known.push_back(name);
            }
            const bool at_root = ruleset_.shape && shape == &*ruleset_.shape;
            if (at_root && is_undeclared(key)) return nullptr;
        } else if (shape->kind == ShapeKind::Map) {
            const engine::Domain* domain = ruleset_.domain(shape->domain);
            if (domain != nullptr) known = domain->members;
            if (domain == nullptr || std::ranges::find(known, key) != known.end())
                return &shape->fields[0].shape;
        }
        diagnostics_.error(code::kHidden, place, "no state has the node \"" + key + "\" here",
                           engine::hint_for(key, known, kHiddenHint));
        return nullptr;
    }

    // A root node that the shape leaves to the rules.
    [[nodiscard]] bool is_undeclared(const std::string& key) const {
        return root_keys_.any || root_keys_.names.contains(key) ||
               (ruleset_.state && ruleset_.state->find(key) != nullptr);
    }

    const Shape* any_child(const Member& member, const Shape* shape) {
        if (shape == nullptr || shape->kind == ShapeKind::Any) return nullptr;
        if (shape->kind == ShapeKind::Map) return &shape->fields[0].shape;
        if (shape->kind != ShapeKind::Record)
            wrong(member.key_span, "the node above " + member.key + " holds a value, not children");
        return nullptr;
    }

    void wrong(engine::Span place, std::string message) {
        diagnostics_.error(code::kHidden, place, std::move(message), std::string(kHiddenHint));
    }

    const engine::Ruleset& ruleset_;
    engine::RootKeys root_keys_;
    Diagnostics& diagnostics_;
    std::vector<std::string> bound_;
    std::size_t depth_ = 1;
};

bool is_name(const Value& value, Symbol player, const State& state) {
    return value.tag != engine::Tag::None &&
           engine::equal(value, Value::key(player), state.symbols());
}

bool names(const State& state, std::span<const Symbol> path, Symbol player) {
    NodeRef node = state.root();
    for (const Symbol key : path) {
        if (!node) return false;
        node = state.child(node, key);
    }
    return node && is_name(state.value(node), player, state);
}

} // namespace

std::vector<Hidden> read_hidden(const engine::Ruleset& ruleset, Diagnostics& diagnostics) {
    return Reader(ruleset, diagnostics).entries();
}

std::vector<HiddenPlan::Node> HiddenPlan::resolve(const std::vector<Hidden>& entries,
                                                  std::vector<std::string>& variables,
                                                  engine::Symbols& symbols) {
    std::vector<Node> nodes;
    for (const Hidden& entry : entries) {
        Node node;
        node.kind = entry.kind;
        if (!entry.variable) node.key = symbols.intern(entry.key);
        variables.push_back(entry.variable ? entry.key : std::string());
        if (entry.kind == Hidden::Kind::OnlyVariable) {
            const auto at = std::find(variables.rbegin(), variables.rend(), entry.who);
            node.depth = static_cast<std::size_t>(variables.rend() - at) - 1;
        }
        for (const std::string& segment : entry.path)
            node.path.push_back(symbols.intern(segment));
        node.below = resolve(entry.entries, variables, symbols);
        variables.pop_back();
        nodes.push_back(std::move(node));
    }
    return nodes;
}

// Lists the places that the entries lead to; false if one cannot be known without a state.
struct HiddenPlan::Lister {
    // Beyond this number, a walk over the existing nodes is faster.
    static constexpr std::size_t kMax = 1024;

    const engine::Layout& layout;
    Symbol player;
    engine::Erasure always{};
    std::vector<Removal> found{};
    std::size_t count = 0;
    std::array<Symbol, kDeepest> keys{};

    bool children(const std::vector<Node>& entries, engine::SchemaId schema, std::uint32_t index,
                  std::size_t depth) {
        const engine::SchemaNode& above = layout.node(schema);
        const bool dense_map = above.kind == ShapeKind::Map && above.domain != 0;
        for (const Node& entry : entries) {
            const bool every = entry.key == engine::kNoSymbol;
            if (dense_map) {
                const engine::DomainTable& domain = layout.domain(above.domain);
                for (std::uint32_t row = 0; row < domain.size(); ++row) {
                    const Symbol key = domain.members[row];
                    const std::uint32_t at = index * domain.size() + row;
                    if ((every || key == entry.key) && !apply(entry, above.element, at, key, depth))
                        return false;
                }
                continue;
            }
            const engine::SchemaId field = every || above.kind != ShapeKind::Record
                                               ? engine::kNoSchema
                                               : above.field(entry.key);
            if (field == engine::kNoSchema || !apply(entry, field, index, entry.key, depth))
                return false;
        }
        return true;
    }

    bool apply(const Node& entry, engine::SchemaId schema, std::uint32_t index, Symbol key,
               std::size_t depth) {
        if (layout.node(schema).column == engine::Column::Arena || ++count > kMax) return false;
        keys[depth] = key;
        if (entry.kind == Hidden::Kind::Below)
            return children(entry.below, schema, index, depth + 1);
        if (entry.kind == Hidden::Kind::OnlyVariable && keys[entry.depth] == player) return true;
        auto gone = layout.erasure(schema, index);
        if (!gone) return false;
        Removal place;
        if (entry.kind == Hidden::Kind::OnlyNamed) {
            place.leaf = leaf_at(entry.path);
            if (!place.leaf) return false;
        } else if (gone->listed == engine::kNoSchema) {
            always.add(*gone);
            return true;
        }
        place.gone = std::move(*gone);
        found.push_back(std::move(place));
        return true;
    }

    // The declared leaf at that path.
    [[nodiscard]] NodeRef leaf_at(std::span<const Symbol> path) const {
        engine::SchemaId schema = 0;
        for (const Symbol key : path) {
            const engine::SchemaNode& above = layout.node(schema);
            if (above.kind != ShapeKind::Record) return {};
            schema = above.field(key);
            if (schema == engine::kNoSchema) return {};
        }
        return layout.node(schema).is_leaf() ? NodeRef{schema, 0} : NodeRef{};
    }
};

HiddenPlan::HiddenPlan(const std::vector<Hidden>& entries, engine::Symbols& symbols,
                       const engine::Layout& layout, std::span<const Symbol> players)
    : players_(players.begin(), players.end()) {
    std::vector<std::string> variables;
    nodes_ = resolve(entries, variables, symbols);
    std::vector<std::vector<Removal>> places;
    for (const Symbol player : players_) {
        Lister lister{layout, player};
        if (!lister.children(nodes_, 0, 0, 0)) return;
        lister.found.push_back({std::move(lister.always), {}});
        places.push_back(std::move(lister.found));
    }
    places_ = std::move(places);
}

// One descent; `keys` are those from the root to the current node.
struct HiddenPlan::Walk {
    State& state;
    Symbol player;
    std::array<Symbol, kDeepest> keys{};

    void children(const std::vector<Node>& entries, NodeRef node, std::size_t depth) {
        for (const Node& entry : entries) {
            if (entry.key != engine::kNoSymbol) {
                const NodeRef child = state.child(node, entry.key);
                if (child) apply(entry, child, depth);
                continue;
            }
            for (NodeRef child = state.first_child(node); child;) {
                const NodeRef next = state.next_sibling(child);
                apply(entry, child, depth);
                child = next;
            }
        }
    }

    void apply(const Node& entry, NodeRef node, std::size_t depth) {
        keys[depth] = state.key(node).symbol();
        switch (entry.kind) {
        case Hidden::Kind::Below:
            children(entry.below, node, depth + 1);
            return;
        case Hidden::Kind::Nobody:
            break;
        case Hidden::Kind::OnlyVariable:
            if (keys[entry.depth] == player) return;
            break;
        case Hidden::Kind::OnlyNamed:
            if (names(state, entry.path, player)) return;
            break;
        }
        state.remove(node);
    }
};

void HiddenPlan::hide(State& state, Seat seat) const {
    const Symbol player = players_[seat];
    if (places_.empty()) {
        Walk{state, player}.children(nodes_, state.root(), 0);
        return;
    }
    for (const Removal& place : places_[seat])
        if (!place.leaf || !is_name(state.value_or_none(place.leaf), player, state))
            state.erase(place.gone);
}

} // namespace croupier::games
