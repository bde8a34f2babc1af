// A ruleset after reading, with all overlays applied: rules, groups, types, shape and so on.
#pragma once

#include "engine/language/pattern.h"
#include "engine/language/shape.h"
#include "engine/text/document.h"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::engine {

// The item of that name, or nullptr.
template <typename Items>
auto find_named(Items&& items, std::string_view name) -> decltype(items.data()) {
    for (auto& item : items)
        if (item.name == name) return &item;
    return nullptr;
}

// A function of the host program for @call.

// The result of a call. With an error the rule stops; otherwise `into` receives the value.
struct HostResult {
    std::optional<Scalar> value = {};
    std::string error = {};
};

// `body` gets the values of the parameters in order; keys are texts. It cannot see the state and
// changes it only by its result. Machines call it from several threads at once. For games to be
// replayable, the result must depend only on the values (pass chance in, as in "seed":
// "random(1000)") and calls must have no visible side effects. An exception counts as its error.
struct HostFunction {
    std::string name;
    std::vector<std::string> parameters; // a call names all of them, and optionally `into`
    std::function<HostResult(std::span<const Scalar> values)> body = {};
};

struct Rule {
    std::string name; // as written, or "group/index"
    bool named = false;
    std::string doc;
    Span span; // of the whole rule object
    Span name_span;
    std::optional<Pattern> condition; // without one the rule matches once
    Action action;
    Action otherwise; // `else`
    bool first = false;
    std::uint32_t repeat = 1;
    std::vector<Expr> salience;    // zero or one; agenda groups only
    std::optional<bool> log;       // `@log` of the rule
    std::uint32_t entry_count = 0; // condition entries are numbered 0..entry_count-1
};

enum class GroupMode { Sequential, AtOnce, Agenda };

// Orders the activations of an agenda that have the same salience, as CLIPS 6.30 does:
//   Depth       the newest activation first
//   Breadth     the oldest first
//   Random      by chance
//   Simplicity  the least specific rule first, then the oldest
//   Complexity  the most specific rule first, then the oldest
//   Lex         times at which the nodes of the match changed, latest first, compared one by one;
//               then the longer list, the more specific rule, the oldest
//   Mea         the time of the condition's first entry, later first; then as Lex
enum class Strategy : std::uint8_t { Depth, Breadth, Random, Simplicity, Complexity, Lex, Mea };
inline constexpr std::array<std::string_view, 7> kStrategyNames = {
    "depth", "breadth", "random", "simplicity", "complexity", "lex", "mea"};
constexpr std::string_view name_of(Strategy strategy) {
    return kStrategyNames[static_cast<std::size_t>(strategy)];
}

struct Group {
    std::string name; // "moves"; nested groups "rule/action", "rule/@rules"
    GroupMode mode = GroupMode::Sequential;
    Strategy strategy = Strategy::Depth; // Agenda
    std::optional<std::int64_t> limit;   // Agenda
    std::vector<Rule> rules;
    Span span;
};

// One named setting; `value` is what the command line or a revision set last.
struct Option {
    std::string name;
    Document value;
    Span span;
    std::optional<Document> values = {}; // its allowed values, as a list or a leaf; empty: any
    std::string doc = {};
};

struct Ruleset {
    Document game; // object or string; a null scalar if absent
    std::vector<Domain> types;
    std::optional<Shape> shape; // of the state's root: always a Record
    std::optional<Document> state;
    std::optional<Document> constants;
    std::vector<Option> options;
    std::vector<Group> groups; // by name: setup, moves, play, score, observe, choose, derive, ..
    std::optional<Document> hidden; // read by games/
    std::optional<Document> memory; // of a rule agent
    std::vector<Expr> evaluator;    // zero or one; an evaluator that is a group is in `groups`
    std::vector<Member> rest;       // other documented keys (evaluator, doc), unparsed
    std::vector<std::string> pattern_names; // for suggestions
    std::vector<HostFunction> functions;    // of the host program

    [[nodiscard]] const Group* group(std::string_view name) const {
        return find_named(groups, name);
    }
    [[nodiscard]] const Domain* domain(std::string_view name) const {
        return find_named(types, name);
    }
};

// Visits all rules and the keys their actions make.

using RuleVisitor = std::function<void(const Rule&)>;

// Visits every rule, outer before inner, in written order.
void for_each_rule(const Ruleset& ruleset, const RuleVisitor& visit);

// The nodes that the actions of a ruleset make directly below the root of the state.

struct RootKeys {
    std::map<std::string, Span> names; // where each is first made
    bool any = false;                  // a computed key is used at the root
};

RootKeys written_root_keys(const Ruleset& ruleset);

// The names that the shape and the initial state give to nodes of the root.
std::set<std::string> declared_root_names(const Ruleset& ruleset);

// The types whose names are constants, with each member true: those whose names nothing else has at
// the root of the state or the constants.
std::vector<const Domain*> types_as_constants(const Ruleset& ruleset);

} // namespace croupier::engine
