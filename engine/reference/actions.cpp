#include "engine/reference/matcher.h"
#include "engine/reference/rules.h"
#include "engine/reference/world.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace croupier::engine::reference {

// Changes of the state by path. Each checks everything first, so a failing one changes nothing.

// Sets the value; creates the node and what is missing above it.
void set_value(World& world, const Path& path, const Value& value, Span span);

// Replaces the node by a copy of `content`.
void set_content(World& world, const Path& path, Node content, Span span);

// Creates the node without value if it is absent.
void create(World& world, const Path& path, Span span);

// Creates the node, or drops its value, so that it can have children.
void make_inner(World& world, const Path& path, Span span);

// Does nothing if the node is absent. The root of the whole state becomes an empty node.
void remove(World& world, const Path& path, Span span);

// Fails if the path leads into constants.
void check_writable(World& world, const Path& path, Span span);

// The declared shape of the node; fails if the shape forbids such a node.
const Shape& shape_at(World& world, const Path& path, Span span);

std::string to_text(const Path& path); // "a.b.c"

namespace {

// The path of the parent: without the last key.
Path above(const Path& path) {
    return {path.begin(), path.end() - 1};
}

// The node at `path`; creates missing nodes and drops the values above it. The caller has checked
// that the shape permits the path.
Node& reach(World& world, const Path& path) {
    Node* node = &world.state;
    for (std::size_t depth = 0; depth < path.size(); ++depth) {
        node->value.reset();
        Node* child = node->find(path[depth]);
        if (child == nullptr) {
            const bool first = world.fault == Fault::NewNodesFirst;
            Node fresh;
            fresh.key = path[depth];
            node->children.insert(first ? node->children.begin() : node->children.end(), fresh);
            const Path parent(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(depth));
            if (world.fault != Fault::DomainOrderIgnored)
                world.shapes.sort_children(*node, *world.shapes.at(parent));
            child = node->find(path[depth]);
        }
        node = child;
    }
    return *node;
}

void check_size(World& world, Span span) {
    if (count_nodes(world.state) > world.budgets.nodes)
        world.fail(RunErrorKind::BudgetSize, span, "the state has too many nodes");
}

} // namespace

std::string to_text(const Path& path) {
    std::string text;
    for (const std::string& key : path)
        text += (text.empty() ? "" : ".") + key;
    return text;
}

void check_writable(World& world, const Path& path, Span span) {
    if (world.is_constant(path))
        world.fail(RunErrorKind::Constant, span, to_text(path) + " cannot be changed");
}

const Shape& shape_at(World& world, const Path& path, Span span) {
    const Shape* shape = world.shapes.at(path);
    if (shape == nullptr)
        world.fail(RunErrorKind::Shape, span, "the shape has no " + to_text(path));
    return *shape;
}

void set_value(World& world, const Path& path, const Value& value, Span span) {
    check_writable(world, path, span);
    const auto stored = world.shapes.stored(shape_at(world, path, span), value);
    if (!stored)
        world.fail(RunErrorKind::Shape, span, to_text(path) + " cannot hold " + json_of(value));
    Node& node = reach(world, path);
    node.clear();
    node.value = *stored;
    check_size(world, span);
}

void set_content(World& world, const Path& path, Node content, Span span) {
    check_writable(world, path, span);
    if (!world.shapes.fit(content, shape_at(world, path, span))) {
        world.fail(RunErrorKind::Shape, span,
                   to_text(path) + " cannot hold " + write_json(export_node(content), -1));
    }
    Node& node = reach(world, path);
    content.key = node.key;
    node = std::move(content);
    check_size(world, span);
}

void create(World& world, const Path& path, Span span) {
    check_writable(world, path, span);
    if (find(world.state, path) != nullptr) return;
    if (holds_value(shape_at(world, path, span)))
        world.fail(RunErrorKind::Shape, span, to_text(path) + " holds a value, not children");
    reach(world, path);
    check_size(world, span);
}

void make_inner(World& world, const Path& path, Span span) {
    create(world, path, span);
    if (holds_value(shape_at(world, path, span)))
        world.fail(RunErrorKind::Shape, span, to_text(path) + " holds a value, not children");
    reach(world, path).value.reset();
}

void remove(World& world, const Path& path, Span span) {
    check_writable(world, path, span);
    if (find(world.state, path) == nullptr) return;
    if (path.empty()) return world.state.clear();
    Node& parent = reach(world, above(path));
    std::erase_if(parent.children, [&](const Node& child) { return child.key == path.back(); });
}

namespace {

class Actor {
  public:
    explicit Actor(Scope& scope) : scope_(scope), world_(scope.world) {}

    // Takes a path, not a node: any entry may remove the node and create it again.
    void object(const ActionNode& node, const Path& path, Span span) {
        const bool changes =
            std::any_of(node.entries.begin(), node.entries.end(), [](const ActionEntry& entry) {
                return entry.kind != ActionKeyKind::Call && entry.kind != ActionKeyKind::Print;
            });
        create(world_, path, span);
        if (changes) make_inner(world_, path, span);
        for (const ActionEntry& entry : node.entries)
            run(entry, path);
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
            if (path.empty())
                world_.fail(RunErrorKind::NoParent, entry.span, "the root has no parent");
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

    // A missing $this is an error only if the expression reads it.
    This old_value(const Path& path) const {
        const Node* node = world_.at(path);
        return node != nullptr && node->value ? This{from_scalar(*node->value)} : This{};
    }

    // Data for the place `path`, built from scratch.
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
            if (Node* same = node.find(child.key))
                *same = std::move(child);
            else
                node.children.push_back(std::move(child));
        }
        return node;
    }

    void print(const ActionEntry& entry) {
        std::string line;
        for (const PrintPart& part : entry.print) {
            line += part.text;
            for (const Expr& expr : part.expr)
                line += text_of(evaluate(expr, scope_, std::nullopt));
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

// The built-in functions of @call: shuffle, choose, sort, deal (D37-D40).

namespace {

class Call {
  public:
    Call(const ActionEntry& entry, Scope& scope)
        : entry_(entry), scope_(scope), world_(scope.world) {
        // In written order, before anything is checked or changed.
        for (const CallArgument& argument : entry.arguments)
            for (const Expr& expr : argument.expr)
                values_.emplace_back(argument.name, evaluate(expr, scope, std::nullopt));
    }

    void run() {
        if (entry_.function == "shuffle") return shuffle();
        if (entry_.function == "choose") return choose();
        if (entry_.function == "sort") return sort();
        if (entry_.function == "deal") return deal();
        host();
    }

  private:
    [[noreturn]] void fail(std::string detail) const {
        world_.fail(RunErrorKind::Call, entry_.span, std::move(detail));
    }

    // ---- arguments ---------------------------------------------------------------------------

    Path path(const std::string& name) const {
        for (const CallArgument& argument : entry_.arguments)
            if (argument.name == name && !argument.path.empty())
                return resolve(argument.path[0], scope_);
        fail(entry_.function + " needs the path " + name);
    }

    const Value* value(const std::string& name) const {
        for (const auto& [known, value] : values_)
            if (known == name) return &value;
        return nullptr;
    }

    std::size_t count(std::size_t otherwise) const {
        const Value* given = value("count");
        if (given == nullptr) return otherwise;
        const auto number = number_of(*given);
        if (!number || !number->is_int || number->integer < 0)
            fail("count is not a number of things: " + json_of(*given));
        return static_cast<std::size_t>(number->integer);
    }

    std::vector<Node> children(const Path& path) const {
        const Node* node = world_.at(path);
        return node != nullptr ? node->children : std::vector<Node>{};
    }

    // Rewrites the node at `path`: its children get the contents of `held` in order.
    void rearrange(const Path& path, const std::vector<Node>& held) {
        const Node* node = find(world_.state, path);
        if (node == nullptr || node->children.empty()) return;
        Node changed = *node;
        for (std::size_t i = 0; i < held.size(); ++i) {
            std::string key = changed.children[i].key;
            changed.children[i] = held[i];
            changed.children[i].key = std::move(key);
        }
        set_content(world_, path, std::move(changed), entry_.span);
    }

    // ---- host functions -----------------------------------------------------------------------

    void host() {
        const HostFunction* function = find_named(world_.ruleset.functions, entry_.function);
        if (function == nullptr || !function->body) fail("unknown function " + entry_.function);
        std::vector<Scalar> values;
        for (const std::string& parameter : function->parameters)
            values.push_back(scalar_of(*value(parameter)));
        const HostResult result = function->body(values);
        if (!result.error.empty()) fail(result.error);
        for (const CallArgument& argument : entry_.arguments) {
            if (argument.name != "into") continue;
            if (!result.value) fail("no value");
            set_value(world_, path("into"), value_of(*result.value), entry_.span);
        }
    }

    static Scalar scalar_of(const Value& value) {
        return std::visit(
            [](const auto& held) -> Scalar {
                if constexpr (std::is_same_v<std::decay_t<decltype(held)>, Key>)
                    return held.text;
                else
                    return held;
            },
            value);
    }
    static Value value_of(const Scalar& scalar) {
        return std::visit([](const auto& held) -> Value { return held; }, scalar);
    }

    // ---- functions ---------------------------------------------------------------------------

    void shuffle() {
        const Path of = path("of");
        check_writable(world_, of, entry_.span);
        const Shape* shape = world_.shapes.at(of);
        if (shape != nullptr && shape->kind == ShapeKind::Map &&
            shape->fields[0].shape.kind == ShapeKind::Unit)
            fail("the children of " + to_text(of) + " are only present or not");
        auto held = children(of);
        for (std::size_t i = held.size(); i-- > 1;)
            std::swap(held[i], held[world_.random.below(i + 1)]);
        rearrange(of, held);
    }

    void choose() {
        auto candidates = children(path("from"));
        const Path into = path("into");
        check_writable(world_, into, entry_.span);
        const std::size_t wanted = count(1);
        if (wanted > candidates.size()) fail("there are only " + std::to_string(candidates.size()));
        for (std::size_t k = 0; k < wanted; ++k)
            std::swap(candidates[k], candidates[k + world_.random.below(candidates.size() - k)]);
        for (std::size_t k = 0; k < wanted; ++k) {
            Path target = into;
            target.push_back(candidates[k].key);
            set_content(world_, target, candidates[k], entry_.span);
        }
    }

    // The value by which a child is sorted.
    Value rank(const Node& child) const {
        const Value* by = value("by");
        const Node* field = by != nullptr ? child.find(text_of(*by)) : &child;
        if (field == nullptr || !field->value) fail(child.key + " has nothing to sort by");
        Value rank = from_scalar(*field->value);
        if (!number_of(rank) && !is_text(rank)) fail("no order: " + json_of(rank));
        return rank;
    }

    bool descending() const {
        const Value* given = value("descending");
        if (given == nullptr) return false;
        const auto* truth = std::get_if<bool>(given);
        if (truth == nullptr) fail("descending is true or false");
        return *truth;
    }

    void sort() {
        const Path of = path("of");
        check_writable(world_, of, entry_.span);
        const bool down = descending();
        std::vector<std::pair<Value, Node>> ranked;
        for (const Node& child : children(of)) {
            ranked.emplace_back(rank(child), child);
            if (!order(ranked.front().first, ranked.back().first)) {
                fail("no order between " + json_of(ranked.front().first) + " and " +
                     json_of(ranked.back().first));
            }
        }
        std::stable_sort(ranked.begin(), ranked.end(), [&](const auto& a, const auto& b) {
            const int sign = *order(a.first, b.first);
            return down ? sign > 0 : sign < 0;
        });
        std::vector<Node> held;
        held.reserve(ranked.size());
        for (auto& [key, node] : ranked)
            held.push_back(std::move(node));
        rearrange(of, held);
    }

    void deal() {
        const Path from = path("from");
        const Path to = path("to");
        check_writable(world_, from, entry_.span);
        check_writable(world_, to, entry_.span);
        const std::size_t each = count(1);
        auto players = children(to);
        if (const Value* start = value("start")) {
            const auto first = std::find_if(players.begin(), players.end(), [&](const Node& p) {
                return p.key == text_of(*start);
            });
            if (first == players.end()) fail("no " + text_of(*start) + " to start with");
            std::rotate(players.begin(), first, players.end());
        }
        const std::size_t stock = children(from).size();
        // each * players, without overflow
        if (!players.empty() && each > stock / players.size()) fail("too few left to deal");
        for (const Node& player : players) {
            Path hand = to;
            hand.push_back(player.key);
            for (std::size_t i = 0; i < each; ++i)
                give_next(from, hand);
        }
    }

    void give_next(const Path& from, const Path& hand) {
        const auto left = children(from);
        if (left.empty()) fail("too few left to deal");
        const Node& card = left.front();
        Path source = from;
        source.push_back(card.key);
        remove(world_, source, entry_.span);
        const Value held = card.value ? from_scalar(*card.value) : Value{};
        Path target = hand;
        if (is_text(held) || number_of(held)) {
            target.push_back(text_of(held));
            set_value(world_, target, true, entry_.span);
        } else {
            target.push_back(card.key);
            set_content(world_, target, card, entry_.span);
        }
    }

    const ActionEntry& entry_;
    Scope& scope_;
    World& world_;
    std::vector<std::pair<std::string, Value>> values_;
};

} // namespace

void call_function(const ActionEntry& entry, Scope& scope) {
    Call(entry, scope).run();
}

} // namespace croupier::engine::reference
