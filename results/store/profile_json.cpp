// Rules, entries and options to and from JSON; what is as usual is left out.
#include "results/store/profile_json.h"

namespace croupier::results {
namespace {

using nlohmann::ordered_json;

ordered_json entry_json(const EntryFacts& entry) {
    ordered_json json = {{"text", entry.text}, {"depth", entry.depth}};
    if (entry.inverted) json["inverted"] = true;
    if (!entry.binds.empty()) json["binds"] = entry.binds;
    if (!entry.uses.empty()) json["uses"] = entry.uses;
    return json;
}

ordered_json rule_json(const RuleFacts& rule) {
    ordered_json json = {{"group", rule.group}, {"name", rule.name}, {"place", rule.place}};
    if (rule.agent) json["agent"] = *rule.agent;
    if (!rule.acts) json["acts"] = false;
    if (!rule.ordered) json["ordered"] = false;
    for (const EntryFacts& entry : rule.entries)
        json["entries"].push_back(entry_json(entry));
    return json;
}

ordered_json option_json(const OptionFacts& option) {
    ordered_json uses = ordered_json::array();
    for (const OptionFacts::Use& use : option.uses) {
        uses.push_back({{"rule", use.rule}});
        if (use.entry != kNothing) uses.back()["entry"] = use.entry;
    }
    return {{"name", option.name}, {"value", option.value}, {"uses", uses}};
}

template <class List>
List read_list(const ordered_json& json, const char* name) {
    return json.contains(name) ? json.at(name).get<List>() : List();
}

EntryFacts read_entry(const ordered_json& json) {
    return {json.at("text").get<std::string>(), json.at("depth").get<std::uint32_t>(),
            json.value("inverted", false), read_list<std::vector<std::string>>(json, "binds"),
            read_list<std::vector<std::string>>(json, "uses")};
}

RuleFacts read_rule(const ordered_json& json) {
    RuleFacts rule;
    if (json.contains("agent")) rule.agent = json.at("agent").get<std::uint32_t>();
    json.at("group").get_to(rule.group);
    json.at("name").get_to(rule.name);
    json.at("place").get_to(rule.place);
    rule.acts = json.value("acts", true);
    rule.ordered = json.value("ordered", true);
    if (json.contains("entries")) {
        for (const ordered_json& entry : json.at("entries"))
            rule.entries.push_back(read_entry(entry));
    }
    return rule;
}

} // namespace

ordered_json to_json(const ProfileFacts& facts) {
    ordered_json rules = ordered_json::array();
    for (const RuleFacts& rule : facts.rules)
        rules.push_back(rule_json(rule));
    ordered_json options = ordered_json::array();
    for (const OptionFacts& option : facts.options)
        options.push_back(option_json(option));
    return {{"mode", name_of(facts.mode)}, {"rules", rules}, {"options", options}};
}

ProfileFacts read_profile(const ordered_json& json) {
    ProfileFacts facts;
    const auto mode = profile_mode_of(json.at("mode").get<std::string>());
    facts.mode = mode.value_or(ProfileMode::Off);
    for (const ordered_json& rule : json.at("rules"))
        facts.rules.push_back(read_rule(rule));
    for (const ordered_json& option : json.at("options")) {
        facts.options.push_back(
            {option.at("name").get<std::string>(), option.at("value").get<std::string>(), {}});
        for (const ordered_json& use : option.at("uses"))
            facts.options.back().uses.push_back(
                {use.at("rule").get<std::uint32_t>(), use.value("entry", kNothing)});
    }
    return facts;
}

} // namespace croupier::results
