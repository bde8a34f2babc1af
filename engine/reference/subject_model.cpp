// Adapts the model to the interface it shares with the compiled engine, and compares outcomes.
#include "engine/language/ruleset.h"
#include "engine/reference/matcher.h"
#include "engine/reference/rules.h"
#include "engine/reference/subject.h"
#include "engine/reference/world.h"
#include "engine/run/error.h"
#include "engine/run/random.h"

#include <stdexcept>
#include <vector>

namespace croupier::engine::reference {

// The rule language executed slowly and obviously, to check the compiled engine. Written only from
// LANGUAGE.md and its decisions (D1..): plain ordered trees, plain backtracking, every path walked
// from the root. Shares only the reader with the engine.

// All matches of one rule's condition at the root of the state. Throws RunFailure.
std::vector<Match> find_matches(const Ruleset& ruleset, const Rule& rule, const Node& state,
                                Random& random, const Budgets& budgets = {});

// Runs a group at the root of the state. If the declared shape forbids the state, returns an error
// of kind Shape without a rule; otherwise first puts its domain maps in order.
Outcome run_group(const Ruleset& ruleset, const Group& group, Node& state, Random& random,
                  const Budgets& budgets = {}, Fault fault = Fault::None);

std::vector<Match> find_matches(const Ruleset& ruleset, const Rule& rule, const Node& state,
                                Random& random, const Budgets& budgets) {
    Node copy = state;
    World world(ruleset, copy, random, budgets, Fault::None);
    world.shapes.fit_state(copy);
    world.rule = &rule;
    Scope scope{world, {}, {}};
    return find_matches(rule, scope);
}

Outcome run_group(const Ruleset& ruleset, const Group& group, Node& state, Random& random,
                  const Budgets& budgets, Fault fault) {
    World world(ruleset, state, random, budgets, fault);
    Scope scope{world, {}, {}};
    try {
        if (!world.shapes.fit_state(state))
            world.fail(RunErrorKind::Shape, {}, "the state is not of the declared shape");
        run_rules(group, scope);
    } catch (const RunFailure& failure) {
        world.outcome.error = failure.error();
    }
    return std::move(world.outcome);
}

SubjectOutcome run_model(const Ruleset& ruleset, const Sources& /*sources*/, std::string_view group,
                         const Document& state, std::uint64_t seed, const Budgets& budgets,
                         Fault fault) {
    const Group* rules = ruleset.group(group);
    if (rules == nullptr) throw std::logic_error("no group " + std::string(group));
    Random random(seed);
    Node root = import_node(state);
    Outcome outcome = run_group(ruleset, *rules, root, random, budgets, fault);

    SubjectOutcome result;
    for (const Application& application : outcome.applications) {
        auto& [name, matches] = result.applications.emplace_back();
        name = application.rule;
        for (const Match& match : application.matches) {
            SubjectOutcome::Match& shown = matches.emplace_back();
            for (const auto& [variable, value] : match)
                shown.emplace_back(variable, kind_of(value) + ":" + json_of(value));
        }
    }
    result.state_json = write_json(export_node(root), -1);
    result.prints = std::move(outcome.prints);
    result.error = std::move(outcome.error);
    result.draws = random.counter();
    return result;
}

namespace {

std::string show(const SubjectOutcome::Match& match) {
    std::string text;
    for (const auto& [variable, value] : match)
        text += (text.empty() ? "" : ", ") + variable + " = " + value;
    return "(" + text + ")";
}

std::string show(const std::optional<RunError>& error) {
    if (!error) return "no error";
    return std::string(name_of(error->kind)) + " in rule '" + error->rule + "' at " +
           std::to_string(error->span.begin) + ".." + std::to_string(error->span.end) + ": " +
           error->detail;
}

bool same(const std::optional<RunError>& a, const std::optional<RunError>& b) {
    if (!a || !b) return !a && !b;
    return a->kind == b->kind && a->rule == b->rule && a->span == b->span;
}

template <typename T>
std::string at_or_end(const std::vector<T>& items, std::size_t index) {
    return index < items.size() ? show(items[index]) : "nothing";
}

std::string difference_of_applications(const SubjectOutcome& expected,
                                       const SubjectOutcome& actual) {
    for (std::size_t i = 0; i < expected.applications.size(); ++i) {
        const auto& [rule, matches] = expected.applications[i];
        const std::string where = "application " + std::to_string(i) + " (" + rule + ")";
        if (i >= actual.applications.size()) return where + ": missing";
        const auto& [other_rule, others] = actual.applications[i];
        if (rule != other_rule) return where + ": actual is of rule " + other_rule;
        for (std::size_t j = 0; j < std::max(matches.size(), others.size()); ++j) {
            const bool both = j < matches.size() && j < others.size();
            if (both && matches[j] == others[j]) continue;
            return where + ", match " + std::to_string(j) + ": expected " + at_or_end(matches, j) +
                   ", actual " + at_or_end(others, j);
        }
    }
    if (actual.applications.size() > expected.applications.size()) {
        return "one more application, of rule " +
               actual.applications[expected.applications.size()].first;
    }
    return {};
}

} // namespace

std::string difference(const SubjectOutcome& expected, const SubjectOutcome& actual) {
    if (auto found = difference_of_applications(expected, actual); !found.empty()) return found;
    if (!same(expected.error, actual.error))
        return "error: expected " + show(expected.error) + ", actual " + show(actual.error);
    if (expected.state_json != actual.state_json)
        return "state: expected " + expected.state_json + ", actual " + actual.state_json;
    if (expected.prints != actual.prints) {
        return "prints: expected " + std::to_string(expected.prints.size()) + " lines, actual " +
               std::to_string(actual.prints.size()) + ", or others";
    }
    if (expected.draws != actual.draws) {
        return "draws: expected " + std::to_string(expected.draws) + ", actual " +
               std::to_string(actual.draws);
    }
    return {};
}

} // namespace croupier::engine::reference
