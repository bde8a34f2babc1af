// Follows each node of the tree to where its way leaves what is declared.
#include "engine/form/walks.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace croupier::engine::form {
namespace {

enum class Reason : std::uint8_t { NoShape, Undeclared, Open, Large, Key, Children };

// The mistake and its cure, for each in the order above.
constexpr std::pair<std::string_view, std::string_view> kReasons[] = {
    {"there is no shape", R"(declare the state, as in "shape": {"hands": {"$:Card": true}})"},
    {"the shape does not declare it",
     R"(declare it, as in "hands": {"$:Card": true} or "over": "bool")"},
    {"the shape leaves open what it holds",
     R"(declare its children, or a type for its keys: {"$:Card": true})"},
    {"this constant has more combinations of keys than a table may have",
     "take the outer keys together, or the inner ones"},
    {"the key need not be one of those declared", "use a variable of the type of the keys"},
    {"a condition tries all its children, and it is no map",
     R"(move them to a map, as in {"$:Card": true})"},
};

// A node as rules reach it.
struct Way {
    std::string path;
    SchemaId schema = kNoSchema;  // if all of the way is declared
    std::optional<Reason> reason; // why it is not
};

class Walker {
  public:
    explicit Walker(const Module& module)
        : module_(module), layout_(*module.catalogue->layout), symbols_(module.catalogue->symbols) {
    }

    void look(const Function& function) {
        function_ = &function;
        ways_.assign(function.vars.size(), {});
        here_ = root();
        block(function.body);
    }
    [[nodiscard]] std::vector<Walk> take() { return std::move(found_); }

  private:
    [[nodiscard]] static Way root() { return {"", 0, {}}; }

    void block(BlockId id) {
        for (const Id each : function_->blocks[id].statements)
            node(each);
    }

    // The node with all below it.
    void node(Id id) {
        const Node& node = function_->at(id);
        const NoteId outer_note = note_;
        const RuleId outer_rule = rule_;
        if (node.note != kNothing) note_ = node.note;
        if (node.kind == Kind::Apply) {
            rule_ = node.rule();
            note_ = kNothing;
        }
        for (const Id each : node.operands)
            this->node(each);
        tell(id);
        const Way outer = here_;
        if (node.kind == Kind::GroupBelow) here_ = way(node.operands[0]);
        const bool fails = node.kind == Kind::If && node.else_fails();
        for (std::size_t i = 0; i < node.blocks.size() && !(fails && i == 1); ++i)
            block(node.blocks[i]);
        here_ = outer;
        note_ = outer_note;
        rule_ = outer_rule;
    }

    void tell(Id id) {
        const Node& node = function_->at(id);
        switch (node.kind) {
        case Kind::Let:
            if (is_node(node.operands[0])) ways_[node.var()] = way(node.operands[0]);
            break;
        case Kind::EachChild:
            ways_[node.var()] = child_of(way(node.operands[0]), std::nullopt);
            add(ways_[node.var()]);
            break;
        case Kind::ValueOf:
        case Kind::SizeOf:
        case Kind::Inner:
            add(way(node.operands[0]));
            break;
        case Kind::Child:
        case Kind::MakeChild:
        case Kind::PathNode:
        case Kind::MakePath:
            add(way(id));
            break;
        case Kind::SetChild:
        case Kind::RemoveChild:
        case Kind::PutChild:
            add(child_of(way(node.operands[0]), node.operands[1]));
            break;
        case Kind::RemovePath:
            add(along(node, 0));
            break;
        case Kind::SetPath:
        case Kind::PutPath:
            add(along(node, 1));
            break;
        default:
            break;
        }
    }

    [[nodiscard]] bool is_node(Id id) const {
        return function_->at(id).type.kind == TypeKind::Node;
    }

    [[nodiscard]] Way way(Id id) const {
        const Node& node = function_->at(id);
        switch (node.kind) {
        case Kind::Root:
            return root();
        case Kind::Here:
            return here_;
        case Kind::NodeAt:
            return {layout_.path(node.schema()), node.schema(), {}};
        case Kind::Variable:
            return ways_[node.var()];
        case Kind::Child:
        case Kind::MakeChild:
            return child_of(way(node.operands[0]), node.operands[1]);
        case Kind::PathNode:
        case Kind::MakePath:
            return along(node, 0);
        default: // a parent, which has a place unless the node has none
            return way(node.operands[0]);
        }
    }

    [[nodiscard]] Way along(const Node& node, std::size_t first) const {
        Way found = node.from_state() ? root() : here_;
        for (std::size_t i = first; i < node.operands.size(); ++i)
            found = child_of(std::move(found), node.operands[i]);
        return found;
    }

    // The child with that key, or any child without one.
    [[nodiscard]] Way child_of(Way above, std::optional<Id> key) const {
        if (above.reason) return above;
        const SchemaNode& holds = layout_.node(above.schema);
        const auto end = [&](Reason reason) {
            above.reason = reason;
            return std::move(above);
        };
        const bool named = key && function_->at(*key).kind == Kind::Name;
        if (holds.kind == ShapeKind::Record || above.schema == 0) {
            if (!key) return end(Reason::Children);
            if (!named) return end(Reason::Key);
            const Symbol name = function_->at(*key).symbol();
            const bool constant = above.schema == 0 && module_.catalogue->has_constant(name);
            if (holds.kind != ShapeKind::Record && !constant) return end(Reason::NoShape);
            above.path += (above.path.empty() ? "" : ".") + std::string(symbols_.text(name));
            if (constant) return end(Reason::Large);
            above.schema = holds.field(name);
            if (above.schema == kNoSchema) return end(Reason::Undeclared);
        } else if (holds.kind == ShapeKind::Map && holds.domain != 0) {
            if (key &&
                !(named &&
                  layout_.domain(holds.domain).row_of(function_->at(*key).symbol()) != kNoRow))
                return end(Reason::Key);
            above.schema = holds.element;
            above.path = layout_.path(holds.element);
        } else {
            return end(Reason::Open);
        }
        return above;
    }

    void add(const Way& way) {
        if (!way.reason) return;
        const auto& why = kReasons[static_cast<std::size_t>(*way.reason)];
        auto known = std::ranges::find_if(found_, [&](const Walk& each) {
            return each.reason == why.first && each.path == way.path;
        });
        if (known == found_.end()) {
            const Span span = note_ != kNothing ? module_.notes[note_].span
                                                : module_.catalogue->rules[rule_].span;
            known = found_.insert(found_.end(), {way.path, why.first, why.second, span, {}});
        }
        if (std::ranges::find(known->rules, rule_) == known->rules.end())
            known->rules.push_back(rule_);
    }

    const Module& module_;
    const Layout& layout_;
    const Symbols& symbols_;
    const Function* function_ = nullptr;
    std::vector<Way> ways_; // of variables that hold nodes
    Way here_;              // the root of the current group
    NoteId note_ = kNothing;
    RuleId rule_ = kNone;
    std::vector<Walk> found_;
};

} // namespace

std::string Walk::text() const {
    return fmt::format("{} is reached node by node: {}", path.empty() ? "the state" : path, reason);
}

std::vector<Walk> walks(const Module& module, std::span<const std::string_view> groups) {
    Walker walker(module);
    for (const Function& function : module.functions)
        if (groups.empty() ||
            std::ranges::find(groups, module.catalogue->groups[function.group].name) !=
                groups.end())
            walker.look(function);
    return walker.take();
}

} // namespace croupier::engine::form
