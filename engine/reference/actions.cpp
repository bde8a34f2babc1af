#include "engine/reference/actions.h"

#include "engine/reference/edit.h"
#include "engine/reference/evaluate.h"
#include "engine/reference/rules.h"

#include <algorithm>

namespace croupier::engine::reference {

namespace {

class Actor {
  public:
    explicit Actor(Scope& scope) : scope_(scope), world_(scope.world) {}

    // The node is named by its path, never held: any entry may remove it and create it again.
    void object(const ActionNode& node, const Path& path, Span span) {
        const bool changes =
            std::any_of(node.entries.begin(), node.entries.end(), [](const ActionEntry& entry) {
                return entry.kind != ActionKeyKind::Call && entry.kind != ActionKeyKind::Print;
            });
        create(world_, path, span);
        if (changes) make_inner(world_, path, span);
        for (const ActionEntry& entry : node.entries) {
            run(entry, path);
        }
    }

  private:
    void run(const ActionEntry& entry, const Path& path) {
        switch (entry.kind) {
        case ActionKeyKind::Name: {
            Path below = path;
            below.push_back(expand(entry.key, scope_));
            return write(entry.node, below, entry.span);
        }
        case ActionKeyKind::Parent: {
            if (path.empty()) {
                world_.fail(RunErrorKind::NoParent, entry.span, "the root has no parent");
            }
            const Path parent(path.begin(), path.end() - 1);
            return write(entry.node, parent, entry.span);
        }
        case ActionKeyKind::Root:
            return write(entry.node, {}, entry.span);
        case ActionKeyKind::Path:
            return write(entry.node, resolve(entry.path, scope_), entry.span);
        case ActionKeyKind::Rules: {
            create(world_, path, entry.span);
            Scope inner{world_, path, scope_.bindings};
            return run_rules(*entry.group, inner);
        }
        case ActionKeyKind::Call:
            return call_function(entry, scope_);
        case ActionKeyKind::Print:
            return print(entry);
        }
    }

    void write(const ActionNode& node, const Path& path, Span span) {
        switch (node.kind) {
        case ActionKind::Set:
            return set_value(world_, path, evaluate(node.expr, scope_, old_value(path)), span);
        case ActionKind::Object:
            return object(node, path, span);
        case ActionKind::Array:
            return set_content(world_, path, built(node, path, span), span);
        case ActionKind::Remove:
            return remove(world_, path, span);
        }
    }

    // That $this has none is an error only where the expression reaches it.
    This old_value(const Path& path) const {
        const Node* node = world_.at(path);
        return node != nullptr && node->value ? This{from_scalar(*node->value)} : This{};
    }

    // Data made from scratch, for the place `path`.
    Node built(const ActionNode& data, const Path& path, Span span) {
        Node node;
        node.key = path.back();
        if (data.kind == ActionKind::Set) {
            const Value value = evaluate(data.expr, scope_, std::nullopt);
            node.value = world_.shapes.stored(shape_at(world_, path, span), value);
            if (!node.value) {
                world_.fail(RunErrorKind::Shape, span,
                            to_text(path) + " cannot hold " + json_of(value));
            }
        }
        node.array = data.kind == ActionKind::Array;
        Path below = path;
        for (const ActionNode& element : data.elements) {
            below.push_back(std::to_string(node.children.size()));
            node.children.push_back(built(element, below, span));
            below.pop_back();
        }
        for (const ActionEntry& entry : data.entries) {
            below.push_back(expand(entry.key, scope_));
            Node child = built(entry.node, below, span);
            below.pop_back();
            if (Node* same = node.find(child.key)) {
                *same = std::move(child);
            } else {
                node.children.push_back(std::move(child));
            }
        }
        return node;
    }

    void print(const ActionEntry& entry) {
        std::string line;
        for (const PrintPart& part : entry.print) {
            line += part.text;
            for (const Expr& expr : part.expr) {
                line += text_of(evaluate(expr, scope_, std::nullopt));
            }
        }
        world_.outcome.prints.push_back(std::move(line));
    }

    Scope& scope_;
    World& world_;
};

} // namespace

void act(const Action& action, Scope& scope) {
    switch (action.kind) {
    case Action::Kind::None:
        return;
    case Action::Kind::Tree:
        return Actor(scope).object(action.tree, scope.root, action.span);
    case Action::Kind::Group:
        return run_rules(*action.group, scope);
    }
}

} // namespace croupier::engine::reference
