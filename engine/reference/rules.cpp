#include "engine/reference/rules.h"

#include "engine/reference/matcher.h"
#include "engine/reference/world.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <tuple>

namespace croupier::engine::reference {

// Agenda groups of the model: finds all matches again before each firing.

void run_agenda(const Group& group, Scope& scope);

// Recognize-act: the activations of each moment with their data, and the one that fires.

namespace {

// ---- how specific a rule is ------------------------------------------------------------------

std::uint64_t tests(const Expr& expr) {
    if (expr.op != ExprOp::And && expr.op != ExprOp::Or && expr.op != ExprOp::Not) return 1;
    std::uint64_t sum = 0;
    for (const Expr& arg : expr.args)
        sum += tests(arg);
    return sum;
}

using Names = std::set<std::string>;

std::uint64_t tests(const Pattern& pattern, Names& bound);

std::uint64_t tests_of_leaf(const Pattern& pattern, Names& bound) {
    switch (pattern.kind) {
    case PatternKind::Value:
    case PatternKind::Compare:
    case PatternKind::OneOf:
        return 1;
    case PatternKind::Expression:
        return tests(pattern.expr);
    case PatternKind::Bind:
    case PatternKind::Assign: {
        const std::uint64_t typed = pattern.type.name.empty() ? 0 : 1;
        return typed + (bound.insert(pattern.variable).second ? 0 : 1);
    }
    default:
        return 0;
    }
}

std::uint64_t tests(const Entry& entry, Names& bound) {
    std::uint64_t sum = 1; // for the key
    switch (entry.kind) {
    case KeyKind::Variable:
        sum = bound.insert(entry.variable).second ? 0 : 1;
        [[fallthrough]];
    case KeyKind::Wildcard:
        if (entry.kind == KeyKind::Wildcard) sum = 0;
        if (!entry.type.name.empty()) ++sum;
        return sum + tests(entry.patterns[0], bound);
    case KeyKind::Name:
    case KeyKind::Parent:
    case KeyKind::Root:
    case KeyKind::Path:
        return sum + tests(entry.patterns[0], bound);
    case KeyKind::Test: {
        const Pattern& test = entry.patterns[0];
        return test.kind == PatternKind::Bind ? 1 : tests_of_leaf(test, bound);
    }
    case KeyKind::Use:
        sum = 0;
        for (const Pattern& used : entry.patterns)
            sum += tests(used, bound);
        return sum;
    case KeyKind::Log:
        return 0;
    case KeyKind::AnyOf: {
        std::map<std::string, std::size_t> times;
        for (const Pattern& alternative : entry.patterns) {
            Names inside = bound;
            sum += tests(alternative, inside);
            for (const std::string& name : inside)
                ++times[name];
        }
        for (const auto& [name, count] : times)
            if (count == entry.patterns.size()) bound.insert(name);
        return sum;
    }
    default: // @not, @exists, @forall, aggregates: their bindings are local
        Names inside = bound;
        for (const Pattern& pattern : entry.patterns)
            sum += tests(pattern, inside);
        for (const Pattern& into : entry.into)
            sum += tests_of_leaf(into, bound);
        return sum;
    }
}

std::uint64_t tests(const Pattern& pattern, Names& bound) {
    std::uint64_t sum = tests_of_leaf(pattern, bound);
    for (const Entry& entry : pattern.entries)
        sum += tests(entry, bound);
    return sum;
}

// ---- what changed ----------------------------------------------------------------------------

using Tree = std::map<Path, std::string>; // every node's value as JSON, "" without one

void list(const Node& node, const Path& path, Tree& tree) {
    tree[path] = node.value ? json_of(*node.value) : "";
    for (const Node& child : node.children) {
        Path below = path;
        below.push_back(child.key);
        list(child, below, tree);
    }
}

std::set<Path> changed(const Node& before, const Node& after) {
    Tree old_tree;
    Tree new_tree;
    list(before, {}, old_tree);
    list(after, {}, new_tree);
    std::set<Path> paths;
    for (const auto& [path, value] : old_tree) {
        const auto now = new_tree.find(path);
        if (now == new_tree.end() || now->second != value) paths.insert(path);
    }
    for (const auto& [path, value] : new_tree)
        if (!old_tree.contains(path)) paths.insert(path);
    return paths;
}

// ---- the agenda ------------------------------------------------------------------------------

struct Activation {
    const Rule* rule = nullptr;
    Standing standing;
    std::int64_t salience = 0;
    std::uint64_t specificity = 0;
    std::uint64_t firing = 0;        // the firing that made it
    std::uint64_t number = 0;        // counts all activations ever made
    std::uint64_t newest = 0;        // last firing that changed a node of the first entry
    std::vector<std::uint64_t> tags; // of all nodes, the newest first
    bool fired = false;
};

bool is_same(const Activation& known, const Rule& rule, const Standing& found) {
    if (known.rule != &rule || known.standing.nodes != found.nodes) return false;
    for (std::size_t i = 0; i < found.match.size(); ++i) {
        const Value& a = known.standing.match[i].second;
        const Value& b = found.match[i].second;
        if (kind_of(a) != kind_of(b) || json_of(a) != json_of(b)) return false;
    }
    return true;
}

class Cycle {
  public:
    Cycle(const Group& group, Scope& scope) : group_(group), scope_(scope), world_(scope.world) {}

    void run() {
        recognize({});
        const auto limit = static_cast<std::uint64_t>(group_.limit.value_or(INT64_MAX));
        while (firings_ < limit) {
            Activation* next = pick();
            if (next == nullptr) return;
            next->fired = true;
            ++firings_;
            const Rule& rule = *next->rule;
            const Match match = next->standing.match;
            world_.outcome.applications.push_back({rule.name, {match}});
            const Node before = world_.state;
            fire(rule, rule.action, match, scope_);
            const std::set<Path> paths = changed(before, world_.state);
            for (const Path& path : paths)
                last_change_[path] = firings_;
            recognize(paths);
        }
    }

  private:
    void recognize(const std::set<Path>& paths) {
        std::vector<Activation> before;
        std::swap(before, all_);
        std::vector<bool> used(before.size());
        for (const Rule& rule : group_.rules) {
            const CurrentRule current(world_, rule);
            world_.count_step();
            for (Standing& found : find_standing(rule, scope_)) {
                std::size_t same = 0;
                while (same < before.size() && (used[same] || !is_same(before[same], rule, found)))
                    ++same;
                const bool touched =
                    std::any_of(found.nodes.begin(), found.nodes.end(),
                                [&](const Path& node) { return paths.contains(node); });
                const bool known = same < before.size();
                if (known) used[same] = true;
                if (known && (!touched || world_.fault == Fault::FiresOnceForEver))
                    all_.push_back(before[same]);
                else
                    all_.push_back(made(rule, std::move(found)));
            }
        }
    }

    Activation made(const Rule& rule, Standing found) {
        Activation activation;
        activation.rule = &rule;
        Names bound;
        activation.specificity = rule.condition ? tests(*rule.condition, bound) : 0;
        activation.firing = firings_;
        activation.number = made_++;
        for (const Path& node : found.nodes) {
            const auto last = last_change_.find(node);
            activation.tags.push_back(last == last_change_.end() ? 0 : last->second);
        }
        for (std::size_t i = 0; i < found.first; ++i)
            activation.newest = std::max(activation.newest, activation.tags[i]);
        std::sort(activation.tags.begin(), activation.tags.end(), std::greater<>());
        if (!rule.salience.empty()) activation.salience = salience(rule, found.match);
        activation.standing = std::move(found);
        return activation;
    }

    std::int64_t salience(const Rule& rule, const Match& match) {
        Scope inside = scope_;
        for (const auto& [name, value] : match)
            inside.bindings.bind(name, value);
        const auto number = number_of(evaluate(rule.salience[0], inside, std::nullopt));
        if (!number || !number->is_int || number->integer < INT32_MIN ||
            number->integer > INT32_MAX)
            world_.fail(RunErrorKind::Type, rule.salience[0].span, "not a salience");
        return world_.fault == Fault::SalienceIgnored ? 0 : number->integer;
    }

    Activation* pick() {
        std::vector<Activation*> highest;
        for (Activation& each : all_) {
            if (each.fired) continue;
            if (!highest.empty() && each.salience > highest[0]->salience) highest.clear();
            if (highest.empty() || each.salience == highest[0]->salience) highest.push_back(&each);
        }
        if (highest.empty()) return nullptr;
        if (group_.strategy == Strategy::Random)
            return highest[world_.random.below(highest.size())];
        return *std::min_element(
            highest.begin(), highest.end(),
            [&](const Activation* a, const Activation* b) { return is_before(*a, *b); });
    }

    bool is_before(const Activation& a, const Activation& b) const {
        const Strategy strategy = group_.strategy;
        if (strategy == Strategy::Depth && world_.fault != Fault::DepthIsBreadth &&
            a.firing != b.firing)
            return a.firing > b.firing;
        if (strategy == Strategy::Simplicity && a.specificity != b.specificity)
            return a.specificity < b.specificity;
        if (strategy == Strategy::Complexity && a.specificity != b.specificity)
            return a.specificity > b.specificity;
        if (strategy == Strategy::Mea && a.newest != b.newest) return a.newest > b.newest;
        if (strategy == Strategy::Lex || strategy == Strategy::Mea) {
            const auto by_recency = [](const Activation& each) {
                return std::tie(each.tags, each.specificity);
            };
            if (by_recency(a) != by_recency(b)) return by_recency(a) > by_recency(b);
        }
        return a.number < b.number;
    }

    const Group& group_;
    Scope& scope_;
    World& world_;
    std::vector<Activation> all_; // in the order of rules and matches
    std::map<Path, std::uint64_t> last_change_;
    std::uint64_t firings_ = 0;
    std::uint64_t made_ = 0;
};

} // namespace

void run_agenda(const Group& group, Scope& scope) {
    Cycle(group, scope).run();
}

void fire(const Rule& rule, const Action& action, const Match& match, const Scope& outer) {
    if (action.kind == Action::Kind::None) return;
    const CurrentRule current(outer.world, rule);
    outer.world.count_step();
    if (++outer.world.firings > outer.world.budgets.firings)
        outer.world.fail(RunErrorKind::BudgetFirings, rule.span, "too many firings");
    Scope scope = outer;
    for (const auto& [name, value] : match)
        scope.bindings.bind(name, value);
    act(action, scope);
}

namespace {

std::vector<Match> search(const Rule& rule, Scope& scope) {
    const CurrentRule current(scope.world, rule);
    scope.world.count_step();
    auto matches = find_matches(rule, scope);
    scope.world.outcome.applications.push_back({rule.name, matches});
    return matches;
}

void fire_all(const Rule& rule, const std::vector<Match>& matches, const Scope& scope) {
    for (const Match& match : matches)
        fire(rule, rule.action, match, scope);
}

void otherwise(const Rule& rule, const Scope& scope) {
    if (scope.world.fault != Fault::ElseForgotten) fire(rule, rule.otherwise, {}, scope);
}

void apply(const Rule& rule, Scope& scope) {
    const std::uint32_t rounds = scope.world.fault == Fault::RepeatIgnored ? 1 : rule.repeat;
    for (std::uint32_t round = 0; round < rounds; ++round) {
        const auto matches = search(rule, scope);
        if (matches.empty()) {
            if (round == 0) otherwise(rule, scope);
            return;
        }
        fire_all(rule, matches, scope);
    }
}

void run_at_once(const Group& group, Scope& scope) {
    std::vector<std::vector<Match>> found;
    for (const Rule& rule : group.rules)
        found.push_back(search(rule, scope));
    for (std::size_t i = 0; i < group.rules.size(); ++i) {
        fire_all(group.rules[i], found[i], scope);
        if (found[i].empty()) otherwise(group.rules[i], scope);
    }
}

} // namespace

void run_rules(const Group& group, Scope& scope) {
    if (group.mode == GroupMode::Agenda) return run_agenda(group, scope);
    if (group.mode == GroupMode::AtOnce && scope.world.fault != Fault::AtOnceIgnored)
        return run_at_once(group, scope);
    for (const Rule& rule : group.rules)
        apply(rule, scope);
}

} // namespace croupier::engine::reference
