// Passes each top-level key of a ruleset to its parser.
#include "engine/language/ruleset_parser.h"

#include "engine/language/types.h"
#include "engine/language/words.h"

#include <cctype>
#include <set>

namespace croupier::engine {

namespace {

// Rules and groups: their keys, modes and limits.

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
            rule_.condition = parse_condition(in_.reading, in_.patterns, value);
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
            if (nested_) misplaced(member); // the overlay has already applied those of outer rules
        } else {
            unknown(member);
        }
    }

    std::optional<bool> flag(const Member& member) {
        if (const bool* const value = member.value.get<bool>()) return *value;
        in_.reading.expected(code::kRuleForm, member.value, member.key + " is true or false");
        return std::nullopt;
    }

    void read_repeat(const Document& value) {
        const auto* number = value.get<std::int64_t>();
        if (number == nullptr || *number < 1 || *number > kMaxRepeat) {
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
        if (auto priority = parse_formula(in_.reading, member.value, "salience"))
            rule_.salience.push_back(std::move(*priority));
    }

    void misplaced(const Member& member) {
        in_.reading.error(code::kUnknownRuleKey, member.key_span,
                          member.key + " has no meaning in a rule inside another rule",
                          "a later file replaces the whole outer rule by its name");
    }

    void unknown(const Member& member) {
        in_.reading.error(code::kUnknownRuleKey, member.key_span,
                          "a rule has no key \"" + member.key + "\"",
                          in_.reading.did_you_mean(member.key, rule_keys(),
                                                   "a rule holds " + list_words(rule_keys())));
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
    // Sets the mode and returns the list of rules.
    const Document* read_object(const Document& document) {
        const Words known = nested_ ? Words{"rules", "at_once", "doc"}
                                    : Words{"rules", "at_once", "strategy", "limit", "doc"};
        const Document* rules = nullptr;
        for (const Member& member : document.members)
            if (member.key == "rules")
                rules = &member.value;
            else if (!contains(known, member.key))
                unknown(member, known);
            else
                read_setting(member);
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
            const bool* const flag = value.get<bool>();
            if (flag == nullptr)
                wrong(member, "true or false");
            else if (*flag)
                set_mode(GroupMode::AtOnce, member);
        } else if (member.key == "strategy") {
            if (!value.is_string()) return wrong(member, "the name of a strategy");
            const auto found = std::ranges::find(kStrategyNames, value.text());
            const Words known(kStrategyNames.begin(), kStrategyNames.end());
            if (found != kStrategyNames.end())
                group_.strategy = static_cast<Strategy>(found - kStrategyNames.begin());
            else
                in_.reading.error(code::kGroupForm, value.span,
                                  "there is no strategy \"" + value.text() + "\"",
                                  in_.reading.did_you_mean(value.text(), known,
                                                           "known are " + list_words(known)));
            set_mode(GroupMode::Agenda, member);
        } else if (member.key == "limit") {
            const auto* number = value.get<std::int64_t>();
            if (number == nullptr || *number < 1) return wrong(member, "a positive integer");
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
        std::string hint =
            in_.reading.did_you_mean(member.key, known, "a group holds " + list_words(known));
        if (nested_ && (member.key == "strategy" || member.key == "limit"))
            hint = "an agenda is a group of the ruleset, never inside a rule";
        in_.reading.error(code::kGroupForm, member.key_span,
                          "a group has no key \"" + member.key + "\"", std::move(hint));
    }

    void read_rules(const Document& rules) {
        if (!rules.is_array()) {
            in_.reading.expected(code::kGroupForm, rules, "a group is a list of rules",
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
            if (in_.reading.expect_object(code::kGroupForm, rule, "a rule is an object"))
                group_.rules.push_back(RuleParser(in_, group_, nested_).parse(rule, i));
        }
        --in_.depth;
    }

    RuleReading& in_;
    bool nested_;
    Group group_;
};

// Checks options against their allowed values in `option_values`.

void report_unknown_option(Reading& reading, const std::string& name, Span place,
                           const std::vector<Option>& known) {
    reading.error(code::kUnknownOption, place, "the ruleset has no option \"" + name + "\"",
                  reading.did_you_mean(name, names_of(known)));
}

// Reads `option_values` and checks the options as set. For each name it has a list of values, a
// leaf as in a shape, or an object with either as `values` and a `doc`.
class OptionChecker {
  public:
    OptionChecker(Reading& reading, Ruleset& ruleset) : reading_(reading), ruleset_(ruleset) {}

    void check(const Member& member) {
        Option* const option = find_named(ruleset_.options, member.key);
        if (option == nullptr) {
            report_unknown_option(reading_, member.key, member.key_span, ruleset_.options);
            return;
        }
        if (member.value.is_object())
            read_parts(*option, member.value);
        else
            option->values = member.value;
        if (!option->values) return;
        if (option->values->is_array())
            check_listed(*option, *option->values);
        else
            check_leaf(*option, *option->values);
    }

  private:
    void read_parts(Option& option, const Document& parts) {
        for (const Member& part : parts.members) {
            if (part.key == "values")
                option.values = part.value;
            else if (part.key != "doc")
                reading_.error(code::kOptionValue, part.key_span,
                               "an option has values and doc, not " + part.key,
                               reading_.did_you_mean(part.key, Words{"values", "doc"}));
            else if (!part.value.is_string() || part.value.text().empty())
                reading_.error(code::kOptionValue, part.value.span, "doc is a sentence for people");
            else
                option.doc = part.value.text();
        }
    }

    void check_listed(const Option& option, const Document& list) {
        Words texts;
        std::string all;
        for (const Member& element : list.members) {
            if (element.value.kind != Document::Kind::Scalar) {
                reading_.error(code::kOptionValue, element.value.span,
                               "the values of an option are texts, numbers, true or false; found " +
                                   std::string(kind_name(element.value)));
                return;
            }
            if (option.value.kind == Document::Kind::Scalar &&
                equal_scalars(option.value.scalar, element.value.scalar))
                return;
            if (element.value.is_string()) texts.push_back(element.value.text());
            all += (all.empty() ? "" : ", ") + scalar_json(element.value.scalar);
        }
        std::string hint;
        if (option.value.is_string()) hint = reading_.did_you_mean(option.value.text(), texts);
        wrong(option, "one of " + all, std::move(hint));
    }

    void check_leaf(const Option& option, const Document& leaf) {
        Ruleset declared;
        declared.types = ruleset_.types;
        const Shape shape = parse_shape(reading_, leaf, declared.types);
        if (shape.kind == ShapeKind::Record || shape.kind == ShapeKind::Map) {
            reading_.error(code::kOptionValue, leaf.span,
                           "what an option may be is a list of values or a leaf, as in \"0..10\"");
            return;
        }
        const bool fits = option.value.kind == Document::Kind::Scalar &&
                          can_hold(declared, shape, option.value.scalar);
        if (!fits) wrong(option, describe(declared, shape), {});
    }

    void wrong(const Option& option, const std::string& expected, std::string hint) {
        const std::string found = option.value.kind == Document::Kind::Scalar
                                      ? scalar_json(option.value.scalar)
                                      : std::string(kind_name(option.value));
        reading_.error(code::kOptionValue, option.value.span,
                       "the option " + option.name + " is " + expected + ", not " + found,
                       std::move(hint));
    }

    Reading& reading_;
    Ruleset& ruleset_;
};

// Whether the text contains "options.NAME", not as part of a longer name.
bool mentions(std::string_view text, std::string_view name) {
    const std::string wanted = "options." + std::string(name);
    for (std::size_t at = text.find(wanted); at != std::string_view::npos;
         at = text.find(wanted, at + 1)) {
        const std::size_t end = at + wanted.size();
        const bool longer =
            end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) != 0 ||
                                  text[end] == '_' || text[end] == '-');
        if (!longer) return true;
    }
    return false;
}

// Whether the document mentions `options.NAME`, or that node under `options`.
bool reads_option(const Document& document, std::string_view name, bool at_top) {
    if (document.is_string()) return mentions(document.text(), name);
    return std::ranges::any_of(document.members, [&](const Member& member) {
        const bool tree = !at_top && member.key == "options" && member.value.is_object();
        const auto names = [&](const Member& each) {
            return each.key == name || each.key.starts_with('$');
        };
        return mentions(member.key, name) ||
               (tree && std::ranges::any_of(member.value.members, names)) ||
               reads_option(member.value, name, false);
    });
}

class RulesetParser {
  public:
    RulesetParser(Reading& reading, const Document& document, const LoadSettings& settings)
        : reading_(reading), document_(document), settings_(settings) {}

    Ruleset parse() {
        // Expressions read options and patterns, so read these first, whatever the file's order.
        if (const Member* types = document_.find("types"))
            ruleset_.types = parse_types(reading_, types->value);
        if (const Member* options = document_.find("options")) read_options(options->value);
        refuse_unread_options();
        apply_settings();
        if (const Member* values = document_.find("option_values")) check_options(values->value);
        reading_.options = ruleset_.options;
        PatternLibrary patterns(reading_);
        if (const Member* named = document_.find("patterns")) read_patterns(named->value, patterns);
        RuleReading rules{reading_, patterns, settings_.functions};
        for (const Member& member : document_.members)
            read(member, rules);
        patterns.finish();
        ruleset_.functions = settings_.functions;
        return std::move(ruleset_);
    }

  private:
    void read(const Member& member, RuleReading& rules) {
        const std::string& key = member.key;
        if (key == "types" || key == "options" || key == "patterns") return;
        if (key == "game") {
            read_game(member);
        } else if (key == "shape") {
            read_shape(member.value);
        } else if (key == "state") {
            ruleset_.state = member.value;
        } else if (key == "constants") {
            if (expect_object(member)) ruleset_.constants = member.value;
        } else if (key == "hidden") {
            ruleset_.hidden = member.value;
        } else if (key == "memory") {
            ruleset_.memory = member.value;
        } else if (key == "doc" || key == "option_values") {
            ruleset_.rest.push_back(member);
        } else if (key == "evaluator") {
            read_evaluator(member, rules);
        } else if (key == "groups") {
            if (expect_object(member))
                for (const Member& group : member.value.members)
                    read_group(group, rules);
        } else if (is_known_group(key)) {
            read_group(member, rules);
        } else {
            read_other(member, rules);
        }
    }

    bool expect_object(const Member& member) {
        return reading_.expect_object(code::kTopForm, member.value,
                                      member.key + " takes an object");
    }

    void read_game(const Member& member) {
        if (!member.value.is_object() && !member.value.is_string()) {
            reading_.error(
                code::kTopForm, member.value.span,
                "game takes a name or an object with name, revision, players, ..; found " +
                    std::string(kind_name(member.value)));
            return;
        }
        ruleset_.game = member.value;
    }

    void read_shape(const Document& value) {
        if (!reading_.expect_object(code::kShapeForm, value,
                                    "shape takes an object with the nodes of the state"))
            return;
        Shape shape = parse_shape(reading_, value, ruleset_.types);
        if (shape.kind == ShapeKind::Map) {
            reading_.error(code::kShapeForm, value.span, "the root of a state has named nodes",
                           "give the children of one kind a node of their own");
            return;
        }
        ruleset_.shape = std::move(shape);
    }

    void read_options(const Document& value) {
        if (!reading_.expect_object(code::kTopForm, value,
                                    "options takes an object of names and defaults"))
            return;
        for (const Member& member : value.members)
            ruleset_.options.push_back({member.key, member.value, member.key_span});
    }

    void check_options(const Document& block) {
        if (!reading_.expect_object(
                code::kTopForm, block,
                "option_values takes an object of options and what they may be"))
            return;
        OptionChecker checker(reading_, ruleset_);
        for (const Member& member : block.members)
            checker.check(member);
    }

    // A revision may add an option; one that nothing reads is probably a misspelled name.
    void refuse_unread_options() {
        for (const auto& [name, place] : reading_.added_options) {
            // Programs that play games read these themselves.
            if (name == "max_plies" || name == "deck" || reads_option(document_, name, true))
                continue;
            std::vector<Option> others = ruleset_.options;
            std::erase_if(others, [&](const Option& option) {
                return std::ranges::any_of(reading_.added_options, [&](const auto& added) {
                    return added.first == option.name;
                });
            });
            report_unknown_option(reading_, name, place, others);
        }
    }

    // Settings of the command line act like a last file laid over the others.
    void apply_settings() {
        const auto source = static_cast<std::uint32_t>(reading_.sources.size());
        for (std::size_t i = 0; i < settings_.options.size(); ++i) {
            const auto& [name, value] = settings_.options[i];
            const Span place = setting_span(settings_, i, source);
            if (Option* const option = find_named(ruleset_.options, name)) {
                option->value = json::scalar(value, place);
                option->span = place;
            } else {
                report_unknown_option(reading_, name, place, ruleset_.options);
            }
        }
    }

    void read_patterns(const Document& value, PatternLibrary& patterns) {
        if (!reading_.expect_object(code::kTopForm, value,
                                    "patterns takes an object of named conditions"))
            return;
        for (const Member& member : value.members)
            patterns.add(member);
        ruleset_.pattern_names = patterns.names();
    }

    void read_evaluator(const Member& member, RuleReading& rules) {
        if (looks_like_group(member.value)) {
            read_group(member, rules);
            return;
        }
        ruleset_.rest.push_back(member);
        if (auto worth = parse_formula(reading_, member.value, "evaluator"))
            ruleset_.evaluator.push_back(std::move(*worth));
    }

    void read_group(const Member& member, RuleReading& rules) {
        if (!group_names_.insert(member.key).second) {
            reading_.error(code::kGroupForm, member.key_span, "a second group named " + member.key);
            return;
        }
        ruleset_.groups.push_back(parse_group(rules, member.value, member.key, false));
    }

    // Any other key names a group, unless it is a misspelled documented one.
    void read_other(const Member& member, RuleReading& rules) {
        const auto known = nearest(member.key, top_keys());
        if (!known && looks_like_group(member.value)) {
            read_group(member, rules);
            return;
        }
        std::string hint =
            "known are " + list_words(top_keys()) + "; any other name holds a list of rules";
        if (known) hint = "did you mean \"" + *known + "\"?";
        if (known && looks_like_group(member.value))
            hint += " A group with a name so near to it goes under groups";
        reading_.error(code::kUnknownTopKey, member.key_span,
                       "a ruleset has no key \"" + member.key + "\"", std::move(hint));
    }

    Reading& reading_;
    const Document& document_;
    const LoadSettings& settings_;
    std::set<std::string> group_names_;
    Ruleset ruleset_;
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
    return std::ranges::all_of(
               document.members, [](const std::string& key) { return contains(rule_keys(), key); },
               &Member::key) &&
           (document.find("condition") != nullptr || document.find("action") != nullptr ||
            document.find("else") != nullptr);
}

bool looks_like_group(const Document& document) {
    if (document.is_object()) return document.find("rules") != nullptr;
    return document.is_array() &&
           std::ranges::all_of(document.members, &Document::is_object, &Member::value);
}

Ruleset parse_ruleset(Reading& reading, const Document& document, const LoadSettings& settings) {
    return RulesetParser(reading, document, settings).parse();
}

} // namespace croupier::engine
