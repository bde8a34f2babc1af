// The shipped functions of @call: shuffle, choose, sort, deal (D37-D40).
#include "engine/reference/actions.h"
#include "engine/reference/edit.h"
#include "engine/reference/evaluate.h"

#include <algorithm>
#include <optional>

namespace croupier::engine::reference {

namespace {

class Call {
  public:
    Call(const ActionEntry& entry, Scope& scope)
        : entry_(entry), scope_(scope), world_(scope.world) {
        // Written order, before anything is checked or changed.
        for (const CallArgument& argument : entry.arguments) {
            for (const Expr& expr : argument.expr) {
                values_.emplace_back(argument.name, evaluate(expr, scope, std::nullopt));
            }
        }
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
        for (const CallArgument& argument : entry_.arguments) {
            if (argument.name == name && !argument.path.empty()) {
                return resolve(argument.path[0], scope_);
            }
        }
        fail(entry_.function + " needs the path " + name);
    }

    const Value* value(const std::string& name) const {
        for (const auto& [known, value] : values_) {
            if (known == name) return &value;
        }
        return nullptr;
    }

    std::size_t count(std::size_t otherwise) const {
        const Value* given = value("count");
        if (given == nullptr) return otherwise;
        const auto number = number_of(*given);
        if (!number || !number->is_int || number->integer < 0) {
            fail("count is no number of things: " + json_of(*given));
        }
        return static_cast<std::size_t>(number->integer);
    }

    std::vector<Node> children(const Path& path) const {
        const Node* node = world_.at(path);
        return node != nullptr ? node->children : std::vector<Node>{};
    }

    // The node at `path` again, with what its children hold taken from `held` in order.
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

    // ---- the host's ---------------------------------------------------------------------------

    void host() {
        const HostFunction* function = find_function(world_.ruleset.functions, entry_.function);
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
            shape->fields[0].second.kind == ShapeKind::Unit) {
            fail("the children of " + to_text(of) + " are only present or not");
        }
        auto held = children(of);
        for (std::size_t i = held.size(); i-- > 1;) {
            std::swap(held[i], held[world_.random.below(i + 1)]);
        }
        rearrange(of, held);
    }

    void choose() {
        auto candidates = children(path("from"));
        const Path into = path("into");
        check_writable(world_, into, entry_.span);
        const std::size_t wanted = count(1);
        if (wanted > candidates.size()) fail("there are only " + std::to_string(candidates.size()));
        for (std::size_t k = 0; k < wanted; ++k) {
            std::swap(candidates[k], candidates[k + world_.random.below(candidates.size() - k)]);
        }
        for (std::size_t k = 0; k < wanted; ++k) {
            Path target = into;
            target.push_back(candidates[k].key);
            set_content(world_, target, candidates[k], entry_.span);
        }
    }

    // What a child is sorted by.
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
        for (auto& [key, node] : ranked) {
            held.push_back(std::move(node));
        }
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
            for (std::size_t i = 0; i < each; ++i) {
                give_next(from, hand);
            }
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
