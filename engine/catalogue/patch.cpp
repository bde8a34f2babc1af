// Applies JSON to a state from outside the rules.
#include "engine/catalogue/patch.h"

#include "engine/language/ruleset_parser.h"

namespace croupier::engine {

namespace {

using KeyPath = std::vector<Symbol>; // keys from the state's root

class Patch {
  public:
    Patch(const Catalogue& catalogue, State& state, Diagnostics& diagnostics)
        : catalogue_(catalogue), state_(state), diagnostics_(diagnostics) {}

    void object(const ActionNode& node, const KeyPath& path) {
        const NodeRef here = make(path);
        if (!node.entries.empty()) state_.make_inner(here);
        for (const ActionEntry& entry : node.entries) {
            try {
                this->entry(entry, path);
            } catch (const ShapeFault& fault) {
                diagnostics_.error(code::kDataMisfit, entry.key_span, fault.what(),
                                   "write the state as the ruleset's shape declares it");
            }
        }
    }

  private:
    void entry(const ActionEntry& entry, const KeyPath& here) {
        KeyPath path;
        switch (entry.kind) {
        case ActionKeyKind::Name:
            path = here;
            if (!add_key(entry.key, path)) return;
            break;
        case ActionKeyKind::Parent:
            if (here.empty()) {
                diagnostics_.error(code::kNoParent, entry.key_span,
                                   "the root of the state has no parent");
                return;
            }
            path.assign(here.begin(), here.end() - 1);
            break;
        case ActionKeyKind::Root:
            break;
        case ActionKeyKind::Path:
            for (const KeyTemplate& segment : entry.path.segments)
                if (!add_key(segment, path)) return;
            break;
        case ActionKeyKind::Rules:
        case ActionKeyKind::Call:
        case ActionKeyKind::Print:
            diagnostics_.error(code::kActionForm, entry.key_span,
                               "only the action of a rule can do that, and there is no rule here",
                               "write the changes themselves, or a rule");
            return;
        }
        if (is_constant(path)) {
            diagnostics_.error(code::kWritesConstant, entry.key_span,
                               "'" + std::string(state_.symbols().text(path[0])) +
                                   "' is a constant");
            return;
        }
        change(entry.node, path);
    }

    void change(const ActionNode& node, const KeyPath& path) {
        switch (node.kind) {
        case ActionKind::Object:
            object(node, path);
            break;
        case ActionKind::Remove:
            if (const NodeRef there = find(path)) state_.remove(there);
            break;
        case ActionKind::Set:
        case ActionKind::Array: {
            if (const auto document = data(node))
                state_.put_child(make_above(path), path.back(), *document);
            break;
        }
        }
    }

    // Builds a list with all its contents from scratch. Returns nullopt after an error.
    std::optional<Document> data(const ActionNode& node) {
        Document document;
        switch (node.kind) {
        case ActionKind::Set:
            if (node.expr.op != ExprOp::Literal) {
                diagnostics_.error(code::kValueForm, node.span,
                                   "an expression needs a rule around it",
                                   "write the value itself; a text that looks like an expression "
                                   "begins with '");
                return std::nullopt;
            }
            document.scalar = node.expr.literal;
            break;
        case ActionKind::Array:
            document.kind = Document::Kind::Array;
            for (const ActionNode& element : node.elements) {
                auto below = data(element);
                if (!below) return std::nullopt;
                document.members.push_back({{}, element.span, std::move(*below)});
            }
            break;
        default: // Object; a list has nothing to remove
            document.kind = Document::Kind::Object;
            for (const ActionEntry& entry : node.entries) {
                KeyPath key;
                auto below = data(entry.node);
                if (!below || !add_key(entry.key, key)) return std::nullopt;
                document.members.push_back({std::string(state_.symbols().text(key[0])),
                                            entry.key_span, std::move(*below)});
            }
            break;
        }
        return document;
    }

    bool add_key(const KeyTemplate& key, KeyPath& path) {
        if (!key.is_name()) {
            diagnostics_.error(code::kUnbound, key.span, "no rule is around it to bind a variable",
                               "write the key itself; a key that begins with $ doubles it");
            return false;
        }
        path.push_back(state_.symbols().intern(key.parts[0].text));
        return true;
    }

    [[nodiscard]] bool is_constant(const KeyPath& path) const {
        return !path.empty() && catalogue_.has_constant(path[0]);
    }

    [[nodiscard]] NodeRef find(const KeyPath& path) const {
        NodeRef node = state_.root();
        for (std::size_t i = 0; i < path.size() && node; ++i)
            node = state_.child(node, path[i]);
        return node;
    }

    // Returns the node at the path; makes it and all above it if missing.
    NodeRef make(const KeyPath& path) {
        return path.empty() ? state_.root() : state_.make_child(make_above(path), path.back());
    }

    NodeRef make_above(const KeyPath& path) {
        NodeRef node = state_.root();
        for (std::size_t i = 0; i + 1 < path.size(); ++i) {
            state_.make_inner(node);
            node = state_.make_child(node, path[i]);
        }
        state_.make_inner(node);
        return node;
    }

    const Catalogue& catalogue_;
    State& state_;
    Diagnostics& diagnostics_;
};

} // namespace

bool apply(const Catalogue& catalogue, State& state, const Document& action, const Sources& sources,
           Diagnostics& diagnostics) {
    Diagnostics found;
    if (!action.is_object()) {
        found.error(code::kActionForm, action.span, "changes of a state are an object",
                    "put the nodes that change into { }");
    } else {
        Reading reading{sources, found, {}, {}, catalogue.ruleset().options};
        PatternLibrary no_patterns(reading);
        RuleReading in{reading, no_patterns, {}};
        const Action parsed = parse_action(in, action, {}, "action");
        State changed = state;
        Patch(catalogue, changed, found).object(parsed.tree, {});
        if (!found.has_errors()) state = std::move(changed);
    }
    const bool clean = !found.has_errors();
    for (Diagnostic& diagnostic : found.sorted())
        diagnostics.add(std::move(diagnostic));
    return clean;
}

} // namespace croupier::engine
