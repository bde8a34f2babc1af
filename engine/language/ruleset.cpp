// Walks over whole rulesets.
#include "engine/language/ruleset.h"

#include <set>
#include <string>

namespace croupier::engine {

namespace {

// Plain recursion over rules, actions and expressions.

void rules_of(const Group& group, const RuleVisitor& visit) {
    for (const Rule& rule : group.rules) {
        visit(rule);
        const auto inner = [&](const Group& nested) { rules_of(nested, visit); };
        for_each<Group>(rule.action, inner);
        for_each<Group>(rule.otherwise, inner);
    }
}

// Collects the keys that actions make at the root, by their depth only.

class Collector {
  public:
    RootKeys keys;

    void group(const Group& group, std::size_t root_depth) {
        for (const Rule& rule : group.rules) {
            action(rule.action, root_depth);
            action(rule.otherwise, root_depth);
        }
    }

  private:
    void action(const Action& action, std::size_t root_depth) {
        if (action.group) group(*action.group, root_depth);
        node(action.tree, root_depth, root_depth);
    }

    void node(const ActionNode& node, std::size_t depth, std::size_t root_depth) {
        for (const ActionEntry& entry : node.entries) {
            switch (entry.kind) {
            case ActionKeyKind::Name:
                if (depth == 0) add(entry.key);
                this->node(entry.node, depth + 1, root_depth);
                break;
            case ActionKeyKind::Parent:
                this->node(entry.node, depth == 0 ? 0 : depth - 1, root_depth);
                break;
            case ActionKeyKind::Root:
                this->node(entry.node, 0, root_depth);
                break;
            case ActionKeyKind::Path:
                path(entry.path, root_depth);
                this->node(entry.node, root_depth + entry.path.segments.size(), root_depth);
                break;
            case ActionKeyKind::Rules:
                group(*entry.group, depth);
                break;
            case ActionKeyKind::Call:
                for (const CallArgument& argument : entry.arguments)
                    for (const PathExpr& each : argument.path)
                        path(each, root_depth);
                break;
            case ActionKeyKind::Print:
                break;
            }
        }
    }

    void path(const PathExpr& path, std::size_t root_depth) {
        if (root_depth == 0 && !path.segments.empty()) add(path.segments[0]);
    }

    void add(const KeyTemplate& key) {
        if (key.is_name())
            keys.names.try_emplace(key.parts[0].text, key.span);
        else
            keys.any = true;
    }
};

} // namespace

// Questions about expressions.

bool Expr::mentions_this() const {
    bool found = false;
    for_each<Expr>(*this, [&](const Expr& each) { found = found || each.op == ExprOp::This; });
    return found;
}

void for_each_rule(const Ruleset& ruleset, const RuleVisitor& visit) {
    for (const Group& group : ruleset.groups)
        rules_of(group, visit);
}

RootKeys written_root_keys(const Ruleset& ruleset) {
    Collector collector;
    for (const Group& group : ruleset.groups)
        collector.group(group, 0);
    return std::move(collector.keys);
}

std::set<std::string> declared_root_names(const Ruleset& ruleset) {
    std::set<std::string> names;
    if (ruleset.shape)
        for (const auto& [name, field] : ruleset.shape->fields)
            names.insert(name);
    if (ruleset.state)
        for (const Member& member : ruleset.state->members)
            names.insert(member.key);
    return names;
}

std::vector<const Domain*> types_as_constants(const Ruleset& ruleset) {
    const RootKeys written = written_root_keys(ruleset);
    std::set<std::string> taken = declared_root_names(ruleset);
    taken.insert({"near", "step", "ray", "next", "options"});
    const auto is_taken = [&](const std::string& name) {
        return taken.contains(name) || written.names.contains(name) ||
               (ruleset.constants && ruleset.constants->find(name) != nullptr);
    };
    std::vector<const Domain*> all;
    for (const Domain& domain : ruleset.types)
        if (!domain.anonymous && !is_taken(domain.name)) all.push_back(&domain);
    return all;
}

} // namespace croupier::engine
