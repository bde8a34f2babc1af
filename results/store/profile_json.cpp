// Rules, entries and options to and from JSON; what is as usual is left out.
#include "results/store/profile_json.h"

#include <nlohmann/json.hpp>

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

constexpr std::size_t kMostDepth = 100'000; // of entries in conditions: deeper than any can be

std::vector<std::string> read_names(const JsonField& json, const char* name) {
    const auto names = json.find(name);
    return names ? names->texts() : std::vector<std::string>();
}

bool read_truth(const JsonField& json, const char* name, bool otherwise) {
    const auto truth = json.find(name);
    return truth ? truth->truth() : otherwise;
}

EntryFacts read_entry(const JsonField& json) {
    return {json.at("text").text(), json.at("depth").index(kMostDepth),
            read_truth(json, "inverted", false), read_names(json, "binds"),
            read_names(json, "uses")};
}

RuleFacts read_rule(const JsonField& json, std::size_t agents) {
    RuleFacts rule;
    if (const auto agent = json.find("agent")) rule.agent = agent->index(agents);
    rule.group = json.at("group").text();
    rule.name = json.at("name").text();
    rule.place = json.at("place").text();
    rule.acts = read_truth(json, "acts", true);
    rule.ordered = read_truth(json, "ordered", true);
    if (const auto entries = json.find("entries")) {
        for (const JsonField& entry : entries->items())
            rule.entries.push_back(read_entry(entry));
    }
    return rule;
}

OptionFacts read_option(const JsonField& json, const std::vector<RuleFacts>& rules) {
    OptionFacts option{json.at("name").text(), json.at("value").text(), {}};
    for (const JsonField& use : json.at("uses").items()) {
        OptionFacts::Use& read = option.uses.emplace_back();
        read.rule = use.at("rule").index(rules.size());
        const std::size_t entries = rules[read.rule].entries.size(); // 0: not watched
        if (const auto entry = use.find("entry"))
            read.entry = entry->index(entries > 0 ? entries : kNothing);
    }
    return option;
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

ProfileFacts read_profile(const JsonField& json, std::size_t agents) {
    ProfileFacts facts;
    const JsonField mode = json.at("mode");
    const auto known = profile_mode_of(mode.text());
    if (!known) mode.wrong("expected off, sample or full");
    facts.mode = *known;
    for (const JsonField& rule : json.at("rules").items())
        facts.rules.push_back(read_rule(rule, agents));
    for (const JsonField& option : json.at("options").items())
        facts.options.push_back(read_option(option, facts.rules));
    return facts;
}

} // namespace croupier::results
