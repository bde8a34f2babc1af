// Random groups and rules, and the ruleset around them.
#include "engine/reference/json.h"
#include "engine/reference/writer.h"

namespace croupier::engine::reference {

namespace {

constexpr int kMostRules = 9;

} // namespace

Document Writer::ruleset(bool table, const Document& state) {
    Document result = object();
    if (!setting_.domains.empty()) add(result, "types", types_of(setting_));
    if (!setting_.declared.empty()) {
        Document shape = object();
        for (const auto& [name, kind] : setting_.root.fields) {
            if (setting_.is_declared(name)) add(shape, name, shape_of(kind));
        }
        add(result, "shape", std::move(shape));
    }
    // A declared root knows only what the shape, the state and the actions name.
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
        // Names that no rule uses, so that nothing is bound when a pattern begins.
        for (char letter = 'A'; letter <= 'T'; ++letter) {
            env.spent.emplace_back(1, letter);
        }
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
    for (std::int64_t i = 0; i < count && (i == 0 || rules_ < kMostRules); ++i) {
        append(rules, rule(env, depth, at_once ? GroupMode::AtOnce : GroupMode::Sequential));
    }
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
    for (std::int64_t i = dice_.between(1, 4); i > 0; --i) {
        append(rules, rule(env, 2, GroupMode::Agenda));
    }
    if (dice_.chance(30)) {
        for (Member& each : some_skeleton({skeletons_of_agendas()}).members) {
            append(rules, std::move(each.value));
        }
    }
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
    if (mode != GroupMode::Agenda && chance(feature::kControl, 15)) {
        add(result, "else", action(env, depth));
    }
    if (chance(feature::kControl, 15)) add(result, "first", boolean(dice_.chance(85)));
    if (mode == GroupMode::Sequential && chance(feature::kControl, 10)) {
        add(result, "repeat", integer(dice_.between(1, 4)));
    }
    return result;
}

} // namespace croupier::engine::reference
