// A ruleset after reading: rules, groups, types, shape and the rest, with overlays applied.
#pragma once

#include "engine/language/pattern.h"
#include "engine/language/shape.h"
#include "engine/text/document.h"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
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

// A function that the program around the engine brings for @call.

// What a call came to. With an error, the rule stops there; the value goes where `into` says.
struct HostResult {
    std::optional<Scalar> value = {};
    std::string error = {};
};

// The body gets the values of its parameters in their order; keys are texts. It sees nothing of the
// state, and changes it by its result alone. Machines call it from their threads, at the same time;
// games can be replayed only if the result is a function of the values (chance is handed in, as in
// "seed": "random(1000)") and calls do nothing that others could see. What it throws is its error.
struct HostFunction {
    std::string name;
    std::vector<std::string> parameters; // a call names all of them, and perhaps `into`
    std::function<HostResult(std::span<const Scalar> values)> body = {};
};

struct Rule {
    std::string name; // as written, or "group/index"
    bool named = false;
    std::string doc;
    Span span; // of the whole rule object
    Span name_span;
    std::optional<Pattern> condition; // absent matches once
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

// One named knob; `value` after the command line or a revision set it.
struct Option {
    std::string name;
    Document value;
    Span span;
    std::optional<Document> values = {}; // what it may be, as a list or a leaf; nothing: anything
    std::string doc = {};
};

struct Ruleset {
    Document game; // object or string; kind Scalar null when absent
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
    std::vector<std::string> pattern_names; // of `patterns`, for suggestions
    std::vector<HostFunction> functions;    // that the host has brought

    [[nodiscard]] const Group* group(std::string_view name) const {
        return find_named(groups, name);
    }
    [[nodiscard]] const Domain* domain(std::string_view name) const {
        return find_named(types, name);
    }
};

// Visits the parts of rules that every check needs to see.

using RuleVisitor = std::function<void(const Rule&)>;

// Every rule, outer before inner, in written order.
void for_each_rule(const Ruleset& ruleset, const RuleVisitor& visit);

// Which nodes the actions of a ruleset make directly below the root of the state.

struct RootKeys {
    std::map<std::string, Span> names; // where each is made first
    bool any = false;                  // a computed key stands at the root
};

RootKeys written_root_keys(const Ruleset& ruleset);

} // namespace croupier::engine
