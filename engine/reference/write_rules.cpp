// Random groups and rules, and the ruleset around them.
#include "engine/reference/json.h"
#include "engine/reference/writer.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <sstream>
#include <string_view>

namespace croupier::engine::reference {

// Random actions: values, removals, new nodes, nested groups.

Document Writer::action(const Environment& env, int depth) {
    if (depth > 0 && chance(feature::kNested, 8)) return group(env, depth - 1, false);
    return action_tree(env.base, env, 3);
}

Document Writer::action_tree(const Trail& at, const Environment& env, int depth) {
    Document result = object();
    for (std::int64_t i = dice_.between(1, 2); i > 0; --i)
        add_change(result, at, env, depth);
    return result;
}

void Writer::add_change(Document& object, const Trail& at, const Environment& env, int depth) {
    const bool has_children = !at.back()->fields.empty();
    const bool nested = at.size() > 1;
    const int around = depth > 1 ? 5 : 0;
    switch (dice_.weighted({has_children ? 75 : 5, if_on(feature::kPaths, nested ? around : 0),
                            if_on(feature::kPaths, around), if_on(feature::kPaths, 6),
                            if_on(feature::kNested, depth > 1 ? 7 : 0), if_on(feature::kCalls, 5),
                            if_on(feature::kPrints, 5)})) {
    case 0:
        return add_child_change(object, at, env, depth);
    case 1: {
        const Trail parent(at.begin(), at.end() - 1);
        Document value = parent.size() > 1 && chance(feature::kRemovals, 10)
                             ? text("@remove")
                             : action_tree(parent, env, depth - 2);
        return add_unique(object, "@parent", std::move(value));
    }
    case 2:
        return add_unique(object, "@root", action_tree({at.front()}, env, depth - 2));
    case 3: {
        const WrittenPath path = random_path(env, false, true);
        if (path.text.empty()) return;
        return add_unique(object, "@path(" + path.text + ")", change(path.at, env, depth - 2));
    }
    case 4: {
        Environment inner = env;
        inner.base = at;
        return add_unique(object, "@rules", group(inner, 0));
    }
    case 5:
        return add_unique(object, "@call", call(env));
    default:
        return add_unique(object, "@print", print(env));
    }
}

void Writer::add_child_change(Document& object, const Trail& at, const Environment& env,
                              int depth) {
    const Kind& kind = *at.back();
    const bool new_node = !is_declared(at) && (kind.fields.empty() || dice_.chance(8));
    if (new_node) {
        const std::string key = dice_.pick({"new", "out", "0", "x"});
        return add_unique(object, key, new_value(at, env));
    }
    if (kind.fields.empty()) return;
    const auto& [name, child] = dice_.pick(kind.fields);
    const std::string key = kind.form == Form::Record ? literal_key(name) : child_key(kind, env);
    add_unique(object, key, change(at + child, env, depth - 1));
}

// The change at a place that the setting knows.
Document Writer::change(const Trail& at, const Environment& env, int depth) {
    const Kind& kind = *at.back();
    const bool declared = is_declared(at);
    if (chance(feature::kRemovals, 12)) return text("@remove");
    if (!declared && dice_.chance(6)) return new_value(at, env);
    if (declared && !env.bound.empty() && chance(feature::kUnfit, 2))
        return text("$" + dice_.pick(env.bound).name);
    if (!kind.is_leaf()) {
        if (kind.form == Form::List && dice_.chance(50)) return data(env, 1);
        if (depth <= 0 || chance(feature::kRemovals, 8)) return object();
        return action_tree(at, env, depth);
    }
    const bool numeric = kind.form == Form::Int || kind.form == Form::Number;
    if (numeric && dice_.chance(declared ? 30 : 50)) {
        const bool reads_old = dice_.chance(35);
        const auto current = reads_old ? std::optional{Sort::Int} : std::nullopt;
        return text(as_value(number(env, current, 2)));
    }
    if (kind.form == Form::Bool && dice_.chance(40))
        return text(as_value(test(env, std::nullopt, 1)));
    return leaf_literal(kind, env);
}

Document Writer::new_value(const Trail& at, const Environment& env) {
    switch (dice_.weighted({30, 30, 15, if_on(feature::kArrays, 12), 13})) {
    case 0:
        return leaf_literal(Kind{}, env);
    case 1:
        return text(as_value(any_value(env, std::nullopt, 1)));
    case 2:
        return object();
    case 3:
        return data(env, 2);
    default: {
        static const Kind kUnknown{};
        return action_tree(at + kUnknown, env, 0);
    }
    }
}

Document Writer::data(const Environment& env, int depth) {
    if (depth == 0) {
        return dice_.chance(60) ? leaf_literal(Kind{}, env)
                                : text(as_value(number(env, std::nullopt, 1)));
    }
    if (depth == 1 && dice_.chance(25)) {
        Document node = entry(dice_.pick({"a", "b", "x"}), data(env, 0));
        if (!env.bound.empty()) add(node, "$" + env.bound.back().name, data(env, 0));
        return node;
    }
    Document list = array();
    for (std::size_t i = dice_.below(4); i > 0; --i)
        append(list, data(env, depth - 1));
    return list;
}

Document Writer::print(const Environment& env) {
    std::string line = dice_.pick({"", "a ", "$$ {{} "});
    for (const Variable& variable : env.bound)
        if (dice_.chance(60)) line += "$" + variable.name + " ";
    if (dice_.chance(40)) line += "{" + any_value(env, std::nullopt, 1) + "}";
    return text(std::move(line));
}

Document Writer::call(const Environment& env) {
    const auto count = [&] {
        return dice_.chance(80) ? integer(dice_.between(0, 2)) : text(number(env, std::nullopt, 0));
    };
    const auto path = [&] { return random_path(env, true, true).text; };
    Document arguments = object();
    switch (dice_.below(5)) {
    case 0:
        add(arguments, "of", text(path()));
        return entry("shuffle", std::move(arguments));
    case 1:
        add(arguments, "from", text(path()));
        add(arguments, "into", text(path()));
        if (dice_.chance(60)) add(arguments, "count", count());
        return entry("choose", std::move(arguments));
    case 2:
        add(arguments, "of", text(path()));
        if (dice_.chance(40)) add(arguments, "by", text(dice_.pick({"a", "b", "rank", "suit"})));
        if (dice_.chance(40)) add(arguments, "descending", boolean(dice_.chance(70)));
        return entry("sort", std::move(arguments));
    case 3:
        add(arguments, "a", text(as_value(any_value(env, std::nullopt, 1))));
        if (dice_.chance(70)) add(arguments, "into", text(path()));
        add(arguments, "b", count());
        return entry("mix", std::move(arguments));
    default:
        add(arguments, "from", text(path()));
        add(arguments, "to", text(path()));
        add(arguments, "count", count());
        if (!env.bound.empty() && dice_.chance(30))
            add(arguments, "start", text("$" + dice_.pick(env.bound).name));
        return entry("deal", std::move(arguments));
    }
}

// Groups as in games: decision lists, joins over declared domains, counts, neighbours.

namespace {

constexpr Skeleton kSkeletons[] = {
    // Follow suit, otherwise play anything.
    {"moves led hands cards turn",
     R"([{"condition": {"turn": "$P", "led": "$S", "hands": {"$P": {"$C": "@any"}},
                       "cards": {"$C": {"suit": "$S"}}},
         "action": {"moves": {"$C": true}}},
        {"condition": {"moves": "@absent", "turn": "$P", "hands": {"$P": {"$C": true}}},
         "action": {"moves": {"$C": true}}}])"},
    // The same with the join reversed, and only while nothing is chosen.
    {"led cards turn hands moves",
     R"([{"condition": {"led": "$S", "cards": {"$C": {"suit": "$S", "rank": "> 2"}}, "turn": "$P",
                       "hands": {"$P": {"$C": {}}}},
         "action": {"moves": {"$C": true}}},
        {"condition": {"@not": {"moves": {"$_": {}}}, "hands": {"$P": {"$C": true}}, "turn": "$P"},
         "action": {"moves": {"$C": true}}}])"},
    // Only cards that beat the best card of the trick.
    {"trick cards turn hands moves",
     R"([{"condition": {"@max": {"of": {"trick": {"$P": "$T"}, "cards": {"$T": {"rank": "$R"}}},
                                "value": "$R", "into": "$BEST"},
                       "turn": "$ME", "hands": {"$ME": {"$C": true}},
                       "cards": {"$C": {"rank": "> $BEST"}}},
         "action": {"moves": {"$C": true}}}])"},
    // Counting: cards of each suit in each hand.
    {"hands cards",
     R"([{"condition": {"hands": {"$P": "@any"},
                       "@count": {"of": {"hands": {"$P": {"$C": true}},
                                         "cards": {"$C": {"suit": "red"}}}, "into": "$N"}},
         "action": {"counted": {"$P": "$N"}}},
        {"condition": {"counted": {"$P": "$N", "$Q": "> $N"}},
         "action": {"longest": "$Q"}}])"},
    {"hands cards",
     R"([{"condition": {"hands": {"$P": {}}, "@sum": {"of": {"hands": {"$P": {"$C": {}}},
                                                 "cards": {"$C": {"rank": "$R"}}},
                                          "value": "$R * 2 + 1", "into": "$SUM"}},
         "action": {"sums": {"$P": "$SUM"}}}])"},
    // Next player.
    {"turn next",
     R"([{"condition": {"turn": "$P", "next": {"$P": "$Q"}}, "action": {"turn": "$Q"}}])"},
    {"turn hands",
     R"([{"condition": {"turn": "$P", "hands": {"$Q": {}}, "_": "$Q != $P"},
         "action": {"turn": "$Q"}, "first": true}])"},
    // Playing and taking.
    {"turn hands trick cards",
     R"([{"condition": {"turn": "$P", "hands": {"$P": {"$C": true}}}, "first": true,
         "action": {"trick": {"$P": "$C"}, "hands": {"$P": {"$C": "@remove"}}}},
        {"condition": {"trick": {"$P": "$C", "$Q": "$D"}, "_": "$P < $Q",
                       "cards": {"$C": {"suit": "$S", "rank": "$R"},
                                 "$D": {"suit": "$S", "rank": "< $R"}}},
         "action": {"won": {"$P": {"$D": true}}, "trick": {"$Q": "@remove"}}}])"},
    // Cards in no hand.
    {"cards hands",
     R"([{"condition": {"cards": {"$C": {"suit": "red"}}, "@not": {"hands": {"$_": {"$C": {}}}}},
         "action": {"gone": {"$C": true}}}])"},
    {"hands cards",
     R"([{"condition": {"hands": {"$P": "@any"}, "@forall": {"of": {"hands": {"$P": {"$C": {}}}},
                       "holds": {"cards": {"$C": {"rank": "<= 5"}}}}},
         "action": {"low": {"$P": true}}}])"},
    // Boards: growth along neighbours, and a step that changes all cells at once.
    {"board near",
     R"([{"condition": {"board": {"$C": "$X"}, "near": {"$C": {"$D": true}},
                       "board@2": {"$D": "@absent"}},
         "action": {"board": {"$D": "$X"}}}])"},
    {"near board",
     R"([{"condition": {"near": {"$C": "@any"}, "board": {"$C": "@absent"},
                       "@count": {"of": {"near": {"$C": {"$D": true}}, "board": {"$D": {}}},
                                  "into": 3}},
         "action": {"born": {"$C": true}}},
        {"condition": {"board": {"$C": {}},
                       "@count": {"of": {"near": {"$C": {"$D": true}}, "board": {"$D": {}}},
                                  "into": "< 2"}},
         "action": {"board": {"$C": "@remove"}}}])"},
    // Along lines: from cell to cell, and as far as the line is free.
    {"board step",
     R"([{"condition": {"board": {"$C": "$X"}, "step": {"$W": {"$C": "$D"}}, "board@2": {"$D": "$X"},
                       "step@2": {"$W": {"$D": "$E"}}, "board@3": {"$E": "@absent"}},
         "action": {"lines": {"$W": {"$C": "$E"}}}}])"},
    {"ray board",
     R"([{"condition": {"board": {"$C": "$X"}, "ray": {"$W": {"$C": {"$D": "$N"}}}, "board@2": {"$D": {}},
                       "@not": {"ray@2": {"$W": {"$C": {"$E": "< $N"}}}, "board@3": {"$E": {}}}},
         "action": {"seen": {"$C": {"$D": "$N"}}}}])"},
    // Rules inside an action: they see its variables and read what earlier ones wrote.
    {"turn hands cards moves",
     R"([{"condition": {"turn": "$P"},
         "action": [
             {"condition": {"hands": {"$P": {"$C": true}}, "cards": {"$C": {"suit": "$S"}}},
              "action": {"moves": {"$C": true}}},
             {"condition": {"moves": {"$C": true}, "hands": {"$Q": {"$C": {}}}, "_": "$Q != $P"},
              "action": {"others": {"$Q": "$C"}}, "else": {"others": 0}},
             {"condition": {"_": "1 == 2", "turn": "$X"}, "action": {"turn": "@remove"}},
             {"condition": {"moves": "@absent", "hands": {"$P": {"$D": true}}},
              "action": {"moves": {"$D": true}}}]}])"},
    {"turn hands next led",
     R"([{"condition": {"hands": {"$P": {"$C": true}}, "next": {"$P": "$Q"}},
         "action": [
             {"condition": {"turn": "$Q", "led": "$S"},
              "action": [{"action": {"turn": "$P"}},
                         {"condition": {"turn": "$R", "_": "$R == $P && $S != $C"},
                          "action": {"led": "@remove", "hands": {"$P": {"$C": "@remove"}}}}]},
             {"condition": {"led": "@absent", "turn": "$T"}, "action": {"last": "$T"}}]}])"},
    // Alternatives of which only one is possible.
    {"led cards hands turn moves",
     R"([{"condition": {"turn": "$P",
                       "@any": [{"_": "1 > 2", "led": "$S"}, {"led": "$S", "_": "$S != $P"},
                                {"_": "2 == 3", "led": "$S"}],
                       "hands": {"$P": {"$C": true}}, "cards": {"$C": {"suit": "$S"}}},
         "action": {"moves": {"$C": true}}}])"},
    // Loops over keys of one type, in maps that may hold others.
    {"moves hands turn",
     R"([{"condition": {"moves": {"$C:Card": {}}, "turn": "$P"},
         "action": {"hands": {"$P": {"$C": true}}}},
        {"condition": {"hands": {"$P:Seat": {"$C:Card": {}}}}, "action": {"odd": {"$P": true}}}])"},
    // Loops that may act on each match at once, in one or two maps; and one that may not, since it
    // reads where it writes.
    {"trick hands moves",
     R"([{"condition": {"trick": {"$P": "$C"}}, "action": {"hands": {"$P": {"$C": true}}}},
        {"condition": {"trick": {"$P": {}}, "moves": {"$C": true}},
         "action": {"hands": {"$P": {"$C": true}}}},
        {"condition": {"hands": {"$P": {"$C": true}}, "trick": {"$P": "$D"}},
         "action": {"trick": {"$P": "$C"}, "moves": {"$D": true}}}])"},
    {"moves hands",
     R"([{"condition": {"hands": {"$P": {"$C": true}}, "moves": {"$C": "@absent"}},
         "action": {"moves": {"$C": true}}},
        {"condition": {"moves": {"$C": true}, "hands": {"$P": {"$C": "@absent"}}},
         "action": {"hands": {"$P": {"$C": true}}}},
        {"condition": {"hands": {"$P": {"@count": {"of": {"$_": true}, "into": "> 1"}}}},
         "action": {"hands": {"$P": "@remove"}}}])"},
    // The first match of a loop, and a group that sees its variables.
    {"hands turn",
     R"([{"condition": {"turn": "$T", "hands": {"$P": {"$C": true}}}, "first": true,
         "action": [{"action": {"turn": "$P"}},
                    {"condition": {"turn": "$Q", "_": "$Q != $T"}, "action": {"last": "$C"}}]}])"},
    // Facts about a byte from the tests and actions before.
    {"turn led",
     R"([{"condition": {"turn": "$P", "led": ["red", "x"]}, "action": {"led": "y"}},
        {"condition": {"led": "y", "turn": "!= 0"}, "action": {"led": "@remove", "turn": 0}},
        {"condition": {"led": "@absent", "turn": "$Q:Seat"}, "action": {"led": "z", "last": "$Q"}},
        {"condition": {"led": "$S", "_": "$S != 'red'", "turn": 0},
         "action": [{"condition": {"led": "z"}, "action": {"last": "$S"}}]}])"},
    {"led best cards turn",
     R"([{"condition": {"best": "$C", "cards": {"$C": {"suit": "$S"}}, "led": "$S"},
         "action": {"turn": 0}},
        {"condition": {"led": "$S", "best": "$C", "cards": {"$C": {"suit": "!= $S", "rank": "> 2"}}},
         "action": {"led": "red", "last": "$C"}},
        {"condition": {"best": "$C:Card", "led": ["red", "z"], "turn": "$P"},
         "action": {"best": "@remove", "hands": {"$P": {"$C": true}}}}])"},
    // Dealing.
    {"trick", R"([{"action": {"@call": {"shuffle": {"of": "trick"}}}}])"},
    {"turn hands moves",
     R"([{"condition": {"turn": "$P"},
         "action": {"@call": {"choose": {"from": "hands.$P", "into": "moves", "count": 2}}}}])"},
};

Document parsed(const std::string& skeleton) {
    Sources sources;
    Diagnostics diagnostics;
    auto document = read_json(sources, sources.add("skeleton", skeleton), diagnostics);
    if (!document) {
        std::fprintf(stderr, "a skeleton of the generator is not JSON: %s\n", skeleton.c_str());
        std::abort();
    }
    return std::move(*document);
}

} // namespace

bool Writer::is_usable(const Skeleton& skeleton) const {
    std::istringstream needs(skeleton.needs);
    return std::all_of(std::istream_iterator<std::string>(needs), {}, [&](const std::string& need) {
        if (!need.starts_with('#')) return knows(need);
        const DomainPlan* deck = setting_.deck();
        return deck != nullptr && deck->members.size() >= std::stoul(need.substr(1));
    });
}

// The rules of a random skeleton whose needs are met, or no rules.
Document Writer::some_skeleton(std::initializer_list<std::span<const Skeleton>> lists) {
    std::vector<const Skeleton*> usable;
    for (const auto& list : lists) {
        for (const Skeleton& each : list)
            if (is_usable(each)) usable.push_back(&each);
    }
    if (usable.empty()) return array();
    constexpr std::string_view kLast = "LASTCARD";
    std::string rules = dice_.pick(usable)->rules;
    for (std::size_t at = 0; (at = rules.find(kLast, at)) != std::string::npos;)
        rules.replace(at, kLast.size(), setting_.deck()->members.back());
    return parsed(rules);
}

Document Writer::table_rules(const Environment& env) {
    Document rules = array();
    for (std::int64_t i = dice_.between(2, 6); i > 0; --i) {
        if (profile_.of_form) {
            for (Member& each : some_skeleton({skeletons_of_form(), skeletons_of_boards()}).members)
                append(rules, std::move(each.value));
            continue;
        }
        if (dice_.chance(25)) {
            append(rules, rule(env, 1, GroupMode::Sequential));
            continue;
        }
        Document some = some_skeleton({kSkeletons, skeletons_of_passes()});
        for (Member& each : some.members) {
            if (dice_.chance(12)) add(each.value, "else", action(env, 0));
            append(rules, std::move(each.value));
        }
    }
    if (!chance(feature::kAtOnce, 25)) return rules;
    for (Member& each : rules.members)
        std::erase_if(each.value.members, [](const Member& part) { return part.key == "repeat"; });
    Document group = entry("at_once", boolean(true));
    add(group, "rules", std::move(rules));
    return group;
}

namespace {

constexpr int kMaxRules = 9;

} // namespace

Document Writer::ruleset(bool table, const Document& state) {
    Document result = object();
    if (!setting_.domains.empty()) add(result, "types", types_of(setting_));
    if (!setting_.declared.empty()) {
        Document shape = object();
        for (const auto& [name, kind] : setting_.root.fields)
            if (setting_.is_declared(name)) add(shape, name, shape_of(kind));
        add(result, "shape", std::move(shape));
    }
    // Under a declared shape only keys named by the shape, the state and the actions are known.
    if (!setting_.declared.empty() || dice_.chance(30)) add(result, "state", state);
    if (!setting_.constants_json.members.empty()) add(result, "constants", setting_.constants_json);
    if (!setting_.options.members.empty()) add(result, "options", setting_.options);
    const bool is_agenda = chance(feature::kAgendas, 20);
    calm_ = is_agenda;
    if (has(feature::kPatterns) && dice_.chance(40)) add_patterns(result);
    calm_ = false;
    Environment env;
    env.base = {&setting_.root};
    if (is_agenda) {
        add(result, "rules", agenda(env));
    } else {
        add(result, "rules",
            table && dice_.chance(profile_.skeleton_percent) ? table_rules(env) : group(env, 2));
    }
    return result;
}

void Writer::add_patterns(Document& ruleset) {
    Document named = object();
    std::vector<NamedPattern> made;
    for (std::int64_t i = dice_.between(1, 2); i > 0; --i) {
        Environment env;
        env.base = {&setting_.root};
        // Mark these names as used: no rule binds them before a pattern begins.
        for (char letter = 'A'; letter <= 'T'; ++letter)
            env.spent.emplace_back(1, letter);
        Trail at = random_path(env, true).at;
        if (at.back()->is_leaf()) at.pop_back();
        Document body = object_pattern(at, env, 2);
        if (body.members.empty()) continue;
        const std::string name = "pattern" + std::to_string(i);
        add(named, name, std::move(body));
        made.push_back({name, std::move(at), env.bound});
    }
    patterns_ = std::move(made);
    if (!named.members.empty()) add(ruleset, "patterns", std::move(named));
}

Document Writer::group(const Environment& env, int depth, bool may_be_at_once) {
    const bool at_once = may_be_at_once && chance(feature::kAtOnce, 20);
    Document rules = array();
    const std::int64_t count = dice_.between(1, depth == 2 ? 4 : 2);
    for (std::int64_t i = 0; i < count && (i == 0 || rules_ < kMaxRules); ++i)
        append(rules, rule(env, depth, at_once ? GroupMode::AtOnce : GroupMode::Sequential));
    if (!at_once) return rules;
    Document result = entry("at_once", boolean(true));
    add(result, "rules", std::move(rules));
    return result;
}

// Most such programs would run for ever, so each has a limit.
Document Writer::agenda(const Environment& env) {
    Document result = object();
    add(result, "strategy",
        text(dice_.pick<std::string>(
            {"depth", "breadth", "random", "simplicity", "complexity", "lex", "mea"})));
    if (dice_.chance(97)) add(result, "limit", integer(dice_.between(1, 12)));
    Document rules = array();
    for (std::int64_t i = dice_.between(1, 4); i > 0; --i)
        append(rules, rule(env, 2, GroupMode::Agenda));
    if (dice_.chance(30))
        for (Member& each : some_skeleton({skeletons_of_agendas()}).members)
            append(rules, std::move(each.value));
    add(result, "rules", std::move(rules));
    return result;
}

Document Writer::rule(const Environment& env, int depth, GroupMode mode) {
    ++rules_;
    Document result = object();
    if (dice_.chance(40)) add(result, "name", text("rule" + std::to_string(names_++)));
    if (dice_.chance(4)) add(result, "doc", text("What it is for."));
    if (dice_.chance(4)) add(result, "@log", boolean(dice_.chance(50)));
    Environment inside = env;
    calm_ = mode == GroupMode::Agenda;
    if (dice_.chance(93)) add(result, "condition", object_pattern(env.base, inside, 4));
    if (calm_ && dice_.chance(40)) {
        add(result, "salience",
            dice_.chance(70) ? integer(dice_.between(-2, 2)) : text(number(inside, {}, 2)));
    }
    calm_ = false;
    if (dice_.chance(93)) add(result, "action", action(inside, depth));
    if (mode != GroupMode::Agenda && chance(feature::kControl, 15))
        add(result, "else", action(env, depth));
    if (chance(feature::kControl, 15)) add(result, "first", boolean(dice_.chance(85)));
    if (mode == GroupMode::Sequential && chance(feature::kControl, 10))
        add(result, "repeat", integer(dice_.between(1, 4)));
    return result;
}

} // namespace croupier::engine::reference
