// Checks conditions and actions against the declared tree: keys, values and types must be possible.
#include "engine/language/check.h"
#include "engine/language/print.h"
#include "engine/language/types.h"

#include <fmt/format.h>

#include <iterator>
#include <map>
#include <tuple>
#include <unordered_map>

namespace croupier::engine {

namespace {

// Steps from declared nodes to their children.

// Nodes that the harness puts at the root of a state or of an agent's view, LANGUAGE.md section 8.
constexpr std::string_view kHarness[] = {"turn",    "over", "move", "moves",  "score", "place",
                                         "options", "me",   "view", "memory", "prefer"};

Words keys_of(const Document& object) {
    Words keys;
    for (const Member& member : object.members)
        keys.push_back(member.key);
    return keys;
}

// A node of the declared tree, or a node that is not declared.
struct Spot {
    enum class Kind { Unknown, Root, Shaped, Constant, Options };
    Kind kind = Kind::Unknown;
    const Shape* shape = nullptr;   // Shaped
    const Document* data = nullptr; // Constant: its contents; null inside near and next
    std::string key = {};           // as written in a condition, without a type
};

Spot shaped(const Shape& shape) {
    if (shape.kind == ShapeKind::Any) return {};
    return {Spot::Kind::Shaped, &shape, nullptr};
}

Spot constant(const Document* data) {
    return {Spot::Kind::Constant, nullptr, data};
}

// The result of a step down to a named child.
struct Descent {
    Spot spot = {};
    bool exists = true;
    Words known = {}; // siblings, when it does not exist
};

// Walks the declared part of the tree that all possible states share.
class Places {
  public:
    explicit Places(const Ruleset& ruleset)
        : ruleset_(ruleset), state_(ruleset.state ? &*ruleset.state : nullptr),
          constants_(ruleset.constants ? &*ruleset.constants : nullptr) {
        if (ruleset.shape) {
            for (const auto& [name, field] : ruleset.shape->fields)
                fields_.emplace(name, &field);
            const RootKeys written = written_root_keys(ruleset);
            open_root_ = written.any;
            for (const auto& [name, place] : written.names)
                written_.insert(name);
        }
        note_relations();
    }

    [[nodiscard]] static Spot root() { return {Spot::Kind::Root, nullptr, nullptr}; }

    // The child with that key.
    [[nodiscard]] Descent child(const Spot& spot, const std::string& key) const {
        switch (spot.kind) {
        case Spot::Kind::Unknown:
            return {};
        case Spot::Kind::Root:
            return root_child(key);
        case Spot::Kind::Shaped:
            return shaped_child(*spot.shape, key);
        case Spot::Kind::Constant:
            if (spot.data == nullptr || !spot.data->is_object()) return {constant(nullptr)};
            if (const Member* member = spot.data->find(key)) return {constant(&member->value)};
            return {constant(nullptr), false, keys_of(*spot.data)};
        case Spot::Kind::Options:
            if (find_named(ruleset_.options, key) != nullptr) return {};
            return {{}, false, names_of(ruleset_.options)};
        }
        return {};
    }

    // Any child: what all children have in common.
    [[nodiscard]] static Spot any_child(const Spot& spot) {
        if (spot.kind == Spot::Kind::Constant) return constant(nullptr);
        if (spot.kind != Spot::Kind::Shaped || spot.shape->kind != ShapeKind::Map) return {};
        return shaped(spot.shape->fields[0].shape);
    }

  private:
    void note_relations() {
        for (const Domain* type : types_as_constants(ruleset_))
            relations_.insert(type->name);
        for (const Domain& domain : ruleset_.types) {
            if (domain.order != Domain::Order::None) relations_.insert("next");
            if (!domain.grid) continue;
            if (domain.grid->near != Ways::None) relations_.insert("near");
            note_directions("step", domain.grid->step);
            note_directions("ray", domain.grid->ray);
        }
    }

    void note_directions(const std::string& relation, Ways ways) {
        if (ways == Ways::None) return;
        relations_.insert(relation);
        Document& known = directions_.try_emplace(relation, json::object()).first->second;
        for (const Direction& direction : kDirections)
            if (lead(ways, direction) && known.find(direction.name) == nullptr)
                json::add(known, std::string(direction.name), {});
    }

    [[nodiscard]] Descent root_child(const std::string& key) const {
        if (const Member* found = constants_.find(key)) return {constant(&found->value)};
        if (relations_.contains(key)) {
            const auto known = directions_.find(key);
            return {constant(known == directions_.end() ? nullptr : &known->second)};
        }
        if (key == "options" && !ruleset_.options.empty())
            return {{Spot::Kind::Options, nullptr, nullptr}};
        if (!ruleset_.shape) return {};
        if (const auto field = fields_.find(key); field != fields_.end())
            return {shaped(*field->second)};
        if (open_root_ || state_.find(key) != nullptr || contains(kHarness, key) ||
            written_.contains(key))
            return {};
        Words known = names_of(ruleset_.shape->fields);
        known.insert(known.end(), written_.begin(), written_.end());
        known.insert(known.end(), std::begin(kHarness), std::end(kHarness));
        for (const auto* const tree : {&ruleset_.state, &ruleset_.constants})
            if (*tree) std::ranges::copy(keys_of(**tree), std::back_inserter(known));
        return {{}, false, std::move(known)};
    }

    [[nodiscard]] Descent shaped_child(const Shape& shape, const std::string& key) const {
        if (shape.kind == ShapeKind::Record) {
            if (const Field* field = find_named(shape.fields, key)) return {shaped(field->shape)};
            return {{}, false, names_of(shape.fields)};
        }
        if (shape.kind != ShapeKind::Map) return {{}, false};
        if (const Domain* domain = ruleset_.domain(shape.domain)) {
            if (!contains(domain->members, key)) return {{}, false, domain->members};
        } else if (shape.key_type == "int" && !canonical_integer(key)) {
            return {{}, false};
        }
        return {shaped(shape.fields[0].shape)};
    }

    const Ruleset& ruleset_;
    MemberIndex state_;
    MemberIndex constants_;
    std::unordered_map<std::string_view, const Shape*> fields_; // of the root
    bool open_root_ = true;           // undeclared, or an action makes keys of any name there
    std::set<std::string> written_;   // keys that actions make at the root
    std::set<std::string> relations_; // near, step, ray, next, and types: those of a domain
    std::map<std::string, Document, std::less<>> directions_; // the children of step and of ray
};

// The path from the root of the state to a node.
using Chain = std::vector<Spot>;

class ShapeChecker {
  public:
    ShapeChecker(Reading& reading, const Ruleset& ruleset)
        : reading_(reading), ruleset_(ruleset), places_(ruleset),
          root_names_(declared_root_names(ruleset)) {}

    void group(const Group& group, const Chain& root) {
        for (const Rule& rule : group.rules) {
            const RuleScope named(reading_, rule.name);
            const auto saved = std::pair{std::exchange(root_, root), keys_of_};
            if (rule.condition) pattern(*rule.condition, root);
            for (const Expr& salience : rule.salience)
                expression(salience);
            action(rule.action);
            action(rule.otherwise);
            std::tie(root_, keys_of_) = saved;
        }
    }

    // Last, since a later rule may be the one that names the children of the root.
    void warn_of_keys_at_root() {
        if (tries_root_ || reading_.diagnostics.has_errors()) return;
        for (const KeyAtRoot& each : keys_at_root_) {
            if (root_shares_keys(each.keys_of)) continue;
            const std::string written = scalar_json("$" + each.variable) + ": ..";
            std::string path;
            std::string below = written;
            for (std::size_t i = each.keys_of.size() - 1; i > 0; --i) {
                const std::string& key = each.keys_of[i].key;
                path = key + (path.empty() ? "" : ".") + path;
                below = scalar_json(key) + ": {" + below + "}";
            }
            const RuleScope named(reading_, each.rule);
            reading_.warning(
                code::kKeyAtRoot, each.place,
                fmt::format("this is the node ${0} of the root, but ${0} is a key below {1}",
                            each.variable, path),
                fmt::format(
                    "for the child of {} write {}, for the node of the root \"@root\": {{{}}}",
                    path, below, written));
        }
    }

  private:
    // ---- conditions ----------------------------------------------------------------------------

    void pattern(const Pattern& pattern, const Chain& at) {
        type(pattern.type);
        expression(pattern.expr);
        for (const Expr& choice : pattern.choices)
            expression(choice);
        if (at.back().kind == Spot::Kind::Shaped) value(pattern, *at.back().shape);
        for (const Entry& each : pattern.entries)
            entry(each, at);
    }

    void value(const Pattern& pattern, const Shape& shape) {
        switch (pattern.kind) {
        case PatternKind::Value:
            if (pattern.expr.is_fixed()) held(pattern.expr, shape, pattern.expr.span);
            break;
        case PatternKind::OneOf:
            for (const Expr& choice : pattern.choices)
                if (choice.is_fixed()) held(choice, shape, choice.span);
            break;
        case PatternKind::Compare:
            if (pattern.expr.is_fixed() &&
                !can_compare(ruleset_, shape, pattern.compare, pattern.expr.literal))
                reading_.error(code::kNeverHeld, pattern.span,
                               "this comparison never holds: the node holds " +
                                   describe(ruleset_, shape));
            break;
        case PatternKind::Bind:
            if (value_can_be(ruleset_, shape, pattern.type.name) || !known_type(pattern.type))
                break;
            if (pattern.type.name.empty())
                reading_.error(code::kTypeNeverMatches, pattern.span,
                               "this node never has a value, only children");
            else
                reading_.error(
                    code::kTypeNeverMatches, pattern.type.span,
                    fmt::format("a value of type {} is never found here: the node holds {}",
                                pattern.type.name, describe(ruleset_, shape)));
            break;
        default:
            break;
        }
    }

    void held(const Expr& literal, const Shape& shape, Span place) {
        if (can_hold(ruleset_, shape, literal.literal)) return;
        reading_.error(code::kNeverHeld, place,
                       fmt::format("{} is never found here: the node holds {}",
                                   scalar_json(literal.literal), describe(ruleset_, shape)),
                       mend(reading_, ruleset_, shape, literal.literal));
    }

    void entry(const Entry& entry, const Chain& at) {
        type(entry.type);
        for (const Expr& value : entry.value)
            expression(value);
        for (const Pattern& into : entry.into)
            pattern(into, unknown_);
        switch (entry.kind) {
        case KeyKind::Name:
            if (at.size() == 1 && entry.key.is_name()) root_names_.insert(entry.key.parts[0].text);
            return below(entry, at, key_child(at.back(), entry.key, entry.key_span));
        case KeyKind::Variable:
            keys_of_.try_emplace(entry.variable, at);
            [[fallthrough]];
        case KeyKind::Wildcard:
            tries_root_ = tries_root_ || at.size() == 1;
            key_type(entry, at.back());
            return below(entry, at, children(at.back(), entry.key_span));
        case KeyKind::Test:
            // It has no node to compare with the shape.
            return pattern(entry.patterns[0], unknown_);
        case KeyKind::Parent:
            if (at.size() > 1) return pattern(entry.patterns[0], Chain(at.begin(), at.end() - 1));
            if (entry.patterns[0].kind != PatternKind::Absent)
                no_parent(entry.key_span, "can never match");
            return;
        case KeyKind::Root:
            return pattern(entry.patterns[0], {Places::root()});
        case KeyKind::Path:
            return pattern(entry.patterns[0], follow(entry.path));
        default:
            for (const Pattern& inner : entry.patterns)
                pattern(inner, at);
        }
    }

    void below(const Entry& entry, Chain at, Spot child) {
        child.key = entry.kind == KeyKind::Variable ? '$' + entry.variable : print_key(entry);
        at.push_back(std::move(child));
        pattern(entry.patterns[0], at);
    }

    // ---- steps ---------------------------------------------------------------------------------

    Spot key_child(const Spot& spot, const KeyTemplate& key, Span place) {
        if (!key.is_name()) return children(spot, place);
        const std::string& name = key.parts[0].text;
        const Descent step = places_.child(spot, name);
        if (step.exists) return step.spot;
        std::string hint = reading_.did_you_mean(name, step.known);
        if (spot.kind == Spot::Kind::Options) {
            reading_.error(code::kUnknownOption, place, "the ruleset has no option " + name,
                           std::move(hint));
        } else if (!leaf(spot, place)) {
            if (hint.empty() && step.known.size() <= 12 && !step.known.empty())
                hint = "known here: " + list_words(step.known);
            const std::string_view none = spot.kind == Spot::Kind::Constant
                                              ? "the constants have no node"
                                              : "no state of the declared shape has the node";
            reading_.error(code::kNoSuchKey, place, fmt::format("{} \"{}\" here", none, name),
                           std::move(hint));
        }
        return step.spot;
    }

    Spot children(const Spot& spot, Span place) {
        leaf(spot, place);
        return Places::any_child(spot);
    }

    // Reports a step below a node that can only hold a value.
    bool leaf(const Spot& spot, Span place) {
        if (spot.kind != Spot::Kind::Shaped || spot.shape->kind == ShapeKind::Record ||
            spot.shape->kind == ShapeKind::Map)
            return false;
        reading_.error(code::kNoSuchKey, place,
                       "there is nothing below this node: it holds " +
                           describe(ruleset_, *spot.shape));
        return true;
    }

    Chain follow(const PathExpr& path) {
        Chain chain = root_;
        for (const KeyTemplate& segment : path.segments) {
            chain.push_back(key_child(chain.back(), segment, segment.span));
            chain.back().key = print(PathExpr{{segment}, segment.span});
        }
        return chain;
    }

    void no_parent(Span place, const std::string& consequence) {
        reading_.error(code::kNoParent, place,
                       "the root of the state has no parent, so this " + consequence,
                       "the rules of a group stand at the root; only @rules begins below it");
    }

    // ---- types ---------------------------------------------------------------------------------

    bool known_type(const TypeName& type) {
        return type.name.empty() || ruleset_.domain(type.name) != nullptr ||
               contains(builtin_types(), type.name);
    }

    void type(const TypeName& type) {
        if (!known_type(type)) report_unknown_type(reading_, type, ruleset_.types);
    }

    void key_type(const Entry& entry, const Spot& spot) {
        const std::string& type = entry.type.name;
        if (type.empty() || !known_type(entry.type)) return;
        if (type == "double" || type == "bool" || type == "null") {
            reading_.error(code::kTypeNeverMatches, entry.type.span,
                           "a key is never of type " + type,
                           "keys are texts; int matches those that read as an integer");
        } else if (spot.kind == Spot::Kind::Shaped && !key_can_be(ruleset_, *spot.shape, type)) {
            reading_.error(code::kTypeNeverMatches, entry.type.span,
                           "no child of this node has a key of type " + type);
        }
    }

    void expression(const Expr& expr) {
        for_each<Expr>(expr, [&](const Expr& each) {
            if (each.op == ExprOp::Size) follow(each.path);
        });
    }

    // ---- actions -------------------------------------------------------------------------------

    void action(const Action& action) {
        if (action.group) group(*action.group, Chain(root_));
        if (action.kind != Action::Kind::Tree) return;
        node(action.tree, root_);
        for (const ActionEntry& entry : action.tree.entries) {
            if (root_.size() > 1 || !entry.key.is_variable()) continue;
            const auto found = keys_of_.find(entry.key.parts[0].text);
            if (found != keys_of_.end())
                keys_at_root_.push_back(
                    {reading_.rule, entry.key_span, found->first, found->second});
        }
    }

    // Whether the node at the end of this path is known to share a key with the root.
    bool root_shares_keys(const Chain& way) const {
        const Spot& node = way.back();
        if (node.kind == Spot::Kind::Shaped) {
            const Domain* domain = ruleset_.domain(node.shape->domain);
            if (domain != nullptr && std::ranges::any_of(domain->members, [&](const auto& key) {
                    return root_names_.contains(key);
                }))
                return true;
        }
        return (ruleset_.state && root_shares_keys(*ruleset_.state, way, 1)) ||
               (ruleset_.constants && root_shares_keys(*ruleset_.constants, way, 1));
    }

    bool root_shares_keys(const Document& tree, const Chain& way, std::size_t depth) const {
        return std::ranges::any_of(tree.members, [&](const Member& member) {
            if (depth == way.size()) return root_names_.contains(member.key);
            return (way[depth].key == member.key || way[depth].key.starts_with('$')) &&
                   root_shares_keys(member.value, way, depth + 1);
        });
    }

    void node(const ActionNode& node, const Chain& at) {
        expression(node.expr);
        const Spot& spot = at.back();
        if (node.kind == ActionKind::Set && spot.kind == Spot::Kind::Shaped)
            written(node, *spot.shape);
        if (node.kind == ActionKind::Array) leaf(spot, node.span);
        for (const ActionNode& element : node.elements)
            this->node(element, unknown_);
        for (const ActionEntry& each : node.entries)
            entry(each, at);
    }

    void written(const ActionNode& node, const Shape& shape) {
        if (node.expr.is_fixed()) {
            if (!can_store(ruleset_, shape, node.expr.literal)) cannot_hold(node, shape);
        } else if (gives_truth(node.expr.op) && !can_hold(ruleset_, shape, Scalar(true))) {
            reading_.error(code::kNeverHeld, node.expr.span,
                           "this expression is true or false, but the node holds " +
                               describe(ruleset_, shape));
        }
    }

    void cannot_hold(const ActionNode& node, const Shape& shape) {
        std::string hint = mend(reading_, ruleset_, shape, node.expr.literal);
        if (shape.kind == ShapeKind::Unit)
            hint = "a node declared true is set with true and removed with \"@remove\"";
        reading_.error(code::kNeverHeld, node.span,
                       fmt::format("{} cannot be written here: the node holds {}",
                                   scalar_json(node.expr.literal), describe(ruleset_, shape)),
                       std::move(hint));
    }

    void entry(const ActionEntry& entry, const Chain& at) {
        switch (entry.kind) {
        case ActionKeyKind::Name: {
            Chain inner = at;
            inner.push_back(key_child(at.back(), entry.key, entry.key_span));
            if (at.back().kind != Spot::Kind::Constant) constant(inner.back(), entry.key_span);
            return node(entry.node, inner);
        }
        case ActionKeyKind::Parent:
            if (at.size() > 1) return node(entry.node, Chain(at.begin(), at.end() - 1));
            return no_parent(entry.key_span, "always fails");
        case ActionKeyKind::Root:
            return node(entry.node, {Places::root()});
        case ActionKeyKind::Path: {
            const Chain inner = follow(entry.path);
            constant(inner.back(), entry.key_span);
            return node(entry.node, inner);
        }
        case ActionKeyKind::Rules:
            return group(*entry.group, Chain(at));
        case ActionKeyKind::Call:
            for (const CallArgument& argument : entry.arguments) {
                for (const PathExpr& path : argument.path)
                    constant(follow(path).back(), path.span);
                for (const Expr& expr : argument.expr)
                    expression(expr);
            }
            return;
        case ActionKeyKind::Print:
            for (const PrintPart& part : entry.print)
                for (const Expr& expr : part.expr)
                    expression(expr);
            return;
        }
    }

    void constant(const Spot& spot, Span place) {
        if (spot.kind != Spot::Kind::Constant) return;
        reading_.error(code::kWritesConstant, place, "constants cannot be written",
                       "what changes belongs to the state");
    }

    Reading& reading_;
    const Ruleset& ruleset_;
    Places places_;
    Chain root_ = {Places::root()}; // of the current group
    const Chain unknown_ = {Spot{}};

    // A variable as a key of an action at the root of the state, and the node whose keys it takes.
    struct KeyAtRoot {
        std::string rule;
        Span place;
        std::string variable;
        Chain keys_of;
    };
    std::vector<KeyAtRoot> keys_at_root_;
    std::map<std::string, Chain> keys_of_; // variable -> the node whose child keys it takes
    std::set<std::string> root_names_; // named at the root by the shape, the state or a condition
    bool tries_root_ = false;          // a condition tries all children of the root
};

} // namespace

void check_shape(Reading& reading, const Ruleset& ruleset) {
    ShapeChecker checker(reading, ruleset);
    for (const Group& group : ruleset.groups)
        checker.group(group, {Places::root()});
    checker.warn_of_keys_at_root();
}

} // namespace croupier::engine
