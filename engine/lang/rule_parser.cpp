// Rules and groups: their keys, modes and limits.
#include "engine/lang/rule_parser.h"

#include "engine/lang/action_parser.h"
#include "engine/lang/expression_parser.h"
#include "engine/lang/leaf_parser.h"

#include <algorithm>

namespace croupier::engine {
namespace {

constexpr unsigned kMaxRuleDepth = 64;
constexpr std::int64_t kMaxRepeat = 1'000'000;

void number_entries(Pattern& pattern, std::uint32_t& next) {
    for (Entry& entry : pattern.entries) {
        entry.id = next++;
        for (Pattern& inner : entry.patterns)
            number_entries(inner, next);
    }
}

class RuleParser {
  public:
    RuleParser(RuleReading& in, const Group& group, bool nested)
        : in_(in), group_(group), nested_(nested) {}

    Rule parse(const Document& document, std::size_t index) {
        rule_.span = rule_.name_span = document.span;
        rule_.name = group_.name + '/' + std::to_string(index);
        if (const Member* name = document.find("name")) read_name(*name);
        const RuleScope scope(in_.reading, rule_.name);
        for (const Member& member : document.members)
            read(member);
        if (rule_.condition) number_entries(*rule_.condition, rule_.entry_count);
        return std::move(rule_);
    }

  private:
    void read_name(const Member& member) {
        if (!member.value.is_string() || member.value.text().empty()) {
            in_.reading.error(code::kRuleForm, member.value.span, "a rule's name is a text");
            return;
        }
        rule_.name = member.value.text();
        rule_.named = true;
        rule_.name_span = member.value.span;
    }

    void read(const Member& member) {
        const Document& value = member.value;
        if (member.key == "name") return;
        if (member.key == "condition") {
            rule_.condition = parse_condition(in_.reading, in_.patterns, in_.options, value);
            in_.patterns.refuse_large(*rule_.condition, value.span);
        } else if (member.key == "action") {
            rule_.action = parse_action(in_, value, rule_.name, "action");
        } else if (member.key == "else") {
            rule_.otherwise = parse_action(in_, value, rule_.name, "else");
        } else if (member.key == "first") {
            rule_.first = flag(member).value_or(false);
        } else if (member.key == "repeat") {
            read_repeat(value);
        } else if (member.key == "salience") {
            read_salience(member);
        } else if (member.key == "@log") {
            rule_.log = flag(member);
        } else if (member.key == "doc") {
            if (!value.is_string())
                in_.reading.error(code::kRuleForm, value.span, "doc is a sentence for people");
            else
                rule_.doc = value.text();
        } else if (member.key == "before" || member.key == "after" || member.key == "@remove") {
            if (nested_) misplaced(member); // elsewhere the overlay has done what they say
        } else {
            unknown(member);
        }
    }

    std::optional<bool> flag(const Member& member) {
        const auto* value = std::get_if<bool>(&member.value.scalar);
        if (member.value.kind == Document::Kind::Scalar && value != nullptr) return *value;
        in_.reading.error(code::kRuleForm, member.value.span,
                          member.key + " is true or false, found " +
                              std::string(kind_name(member.value)));
        return std::nullopt;
    }

    void read_repeat(const Document& value) {
        const auto* number = std::get_if<std::int64_t>(&value.scalar);
        if (value.kind != Document::Kind::Scalar || number == nullptr || *number < 1 ||
            *number > kMaxRepeat) {
            in_.reading.error(code::kRepeat, value.span,
                              "repeat is an integer from 1 to " + std::to_string(kMaxRepeat));
            return;
        }
        if (group_.mode != GroupMode::Sequential && *number > 1) {
            in_.reading.error(code::kRepeat, value.span,
                              "a rule of this kind of group matches once; it cannot repeat",
                              "repeat belongs to rules of sequential groups");
            return;
        }
        rule_.repeat = static_cast<std::uint32_t>(*number);
    }

    void read_salience(const Member& member) {
        if (group_.mode != GroupMode::Agenda) {
            in_.reading.error(code::kSalience, member.key_span,
                              "salience counts only in an agenda group",
                              "write the group as {\"strategy\": \"depth\", \"rules\": [..]}, or "
                              "order the rules by their places");
            return;
        }
        std::optional<Expr> priority;
        if (member.value.is_string()) {
            priority =
                parse_expression(in_.reading, in_.reading.quoted(member.value), 0, in_.options);
        } else {
            priority = parse_value(in_.reading, in_.options, member.value, "salience");
        }
        if (priority) rule_.salience.push_back(std::move(*priority));
    }

    void misplaced(const Member& member) {
        in_.reading.error(code::kUnknownRuleKey, member.key_span,
                          member.key + " has no meaning in a rule inside another rule",
                          "a later file replaces the whole outer rule by its name");
    }

    void unknown(const Member& member) {
        std::string hint = in_.reading.did_you_mean(member.key, rule_keys());
        if (hint.empty()) hint = "a rule holds " + list_words(rule_keys());
        in_.reading.error(code::kUnknownRuleKey, member.key_span,
                          "a rule has no key \"" + member.key + "\"", std::move(hint));
    }

    RuleReading& in_;
    const Group& group_;
    bool nested_;
    Rule rule_;
};

class GroupParser {
  public:
    GroupParser(RuleReading& in, std::string name, bool nested) : in_(in), nested_(nested) {
        group_.name = std::move(name);
    }

    Group parse(const Document& document) {
        group_.span = document.span;
        const Document* rules = &document;
        if (document.is_object()) rules = read_object(document);
        if (rules != nullptr) read_rules(*rules);
        return std::move(group_);
    }

  private:
    // Sets the mode; returns the list of rules.
    const Document* read_object(const Document& document) {
        const Words known = nested_ ? Words{"rules", "at_once", "doc"}
                                    : Words{"rules", "at_once", "strategy", "limit", "doc"};
        const Document* rules = nullptr;
        for (const Member& member : document.members) {
            if (member.key == "rules") {
                rules = &member.value;
            } else if (std::find(known.begin(), known.end(), member.key) == known.end()) {
                unknown(member, known);
            } else {
                read_setting(member);
            }
        }
        if (rules == nullptr) {
            in_.reading.error(code::kGroupForm, document.span, "a group needs rules",
                              "as in {\"at_once\": true, \"rules\": [..]}, or simply a list");
        } else if (group_.limit && group_.mode != GroupMode::Agenda) {
            in_.reading.error(code::kGroupForm, document.find("limit")->key_span,
                              "limit counts the firings of an agenda group, and this is not one",
                              "name a strategy, or remove limit");
        }
        return rules;
    }

    void read_setting(const Member& member) {
        const Document& value = member.value;
        if (member.key == "at_once") {
            const auto* flag = std::get_if<bool>(&value.scalar);
            if (value.kind != Document::Kind::Scalar || flag == nullptr)
                wrong(member, "true or false");
            else if (*flag)
                set_mode(GroupMode::AtOnce, member);
        } else if (member.key == "strategy") {
            static const Words kStrategies = {"depth",      "breadth", "random", "simplicity",
                                              "complexity", "lex",     "mea"};
            if (!value.is_string()) return wrong(member, "the name of a strategy");
            if (std::find(kStrategies.begin(), kStrategies.end(), value.text()) ==
                kStrategies.end()) {
                std::string hint = in_.reading.did_you_mean(value.text(), kStrategies);
                if (hint.empty()) hint = "known are " + list_words(kStrategies);
                in_.reading.error(code::kGroupForm, value.span,
                                  "there is no strategy \"" + value.text() + "\"", std::move(hint));
            }
            group_.strategy = value.text();
            set_mode(GroupMode::Agenda, member);
        } else if (member.key == "limit") {
            const auto* number = std::get_if<std::int64_t>(&value.scalar);
            if (value.kind != Document::Kind::Scalar || number == nullptr || *number < 1)
                return wrong(member, "a positive integer");
            group_.limit = *number;
        }
    }

    void set_mode(GroupMode mode, const Member& member) {
        if (group_.mode != GroupMode::Sequential) {
            in_.reading.error(code::kGroupForm, member.key_span,
                              "a group is either at_once or an agenda");
        }
        group_.mode = mode;
    }

    void wrong(const Member& member, std::string_view expected) {
        in_.reading.error(code::kGroupForm, member.value.span,
                          member.key + " takes " + std::string(expected));
    }

    void unknown(const Member& member, const Words& known) {
        std::string hint = in_.reading.did_you_mean(member.key, known);
        if (nested_ && (member.key == "strategy" || member.key == "limit"))
            hint = "an agenda is a group of the ruleset, never inside a rule";
        if (hint.empty()) hint = "a group holds " + list_words(known);
        in_.reading.error(code::kGroupForm, member.key_span,
                          "a group has no key \"" + member.key + "\"", std::move(hint));
    }

    void read_rules(const Document& rules) {
        if (!rules.is_array()) {
            in_.reading.error(code::kGroupForm, rules.span,
                              "a group is a list of rules, found " + std::string(kind_name(rules)),
                              "put the rule in brackets: [{\"condition\": .., \"action\": ..}]");
            return;
        }
        if (in_.depth >= kMaxRuleDepth) {
            in_.reading.error(code::kRuleDepth, rules.span,
                              "rules inside rules deeper than " + std::to_string(kMaxRuleDepth));
            return;
        }
        ++in_.depth;
        for (std::size_t i = 0; i < rules.members.size(); ++i) {
            const Document& rule = rules.members[i].value;
            if (rule.is_object()) {
                group_.rules.push_back(RuleParser(in_, group_, nested_).parse(rule, i));
            } else {
                in_.reading.error(code::kGroupForm, rule.span,
                                  "a rule is an object, found " + std::string(kind_name(rule)));
            }
        }
        --in_.depth;
    }

    RuleReading& in_;
    bool nested_;
    Group group_;
};

} // namespace

Group parse_group(RuleReading& in, const Document& document, std::string name, bool nested) {
    return GroupParser(in, std::move(name), nested).parse(document);
}

const Words& rule_keys() {
    static const Words kKeys = {"name",     "condition", "action", "else",   "first", "repeat",
                                "salience", "@log",      "doc",    "before", "after", "@remove"};
    return kKeys;
}

bool looks_like_rule(const Document& document) {
    if (!document.is_object()) return false;
    const auto is_rule_key = [](const Member& member) {
        const Words& keys = rule_keys();
        return std::find(keys.begin(), keys.end(), member.key) != keys.end();
    };
    return std::all_of(document.members.begin(), document.members.end(), is_rule_key) &&
           (document.find("condition") != nullptr || document.find("action") != nullptr ||
            document.find("else") != nullptr);
}

bool looks_like_group(const Document& document) {
    if (document.is_object()) return document.find("rules") != nullptr;
    return document.is_array() &&
           std::all_of(document.members.begin(), document.members.end(),
                       [](const Member& member) { return member.value.is_object(); });
}

} // namespace croupier::engine
