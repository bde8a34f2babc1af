// Lays files over files: merges objects, replaces definitions, revises groups.
#include "engine/language/overlay.h"

#include "engine/language/ruleset_parser.h"
#include "engine/language/words.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <tuple>

namespace croupier::engine {

namespace {

// The index in `object` of each member of `over`, kNew for new ones. Fast for large objects too.
constexpr std::size_t kNew = static_cast<std::size_t>(-1);
std::vector<std::size_t> places_in(const Document& object, const Document& over) {
    const MemberIndex index(object);
    std::vector<std::size_t> places;
    for (const Member& member : over.members) {
        const Member* known = index.find(member.key);
        places.push_back(
            known == nullptr ? kNew : static_cast<std::size_t>(known - object.members.data()));
    }
    return places;
}

bool has_top_key(const Document& file) {
    return std::ranges::any_of(file.members, [](const Member& member) {
        return member.key != "doc" && contains(top_keys(), member.key);
    });
}

// Recognizes a rule by its keys, or by one distinctive key if others are misspelled.
bool is_rule_file(const Document& file) {
    const auto has = [&](std::string_view key) { return file.find(key) != nullptr; };
    return looks_like_rule(file) ||
           ((has("condition") || has("action") || has("else")) && !has_top_key(file));
}

Document as_rules(Document file) {
    Document rules = json::array(file.span);
    if (file.is_array())
        rules = std::move(file);
    else
        json::append(rules, std::move(file));
    Document result = json::object(rules.span);
    result.members.push_back({"rules", rules.span, std::move(rules)});
    return result;
}

bool holds_group(const Member& member) {
    return is_group_key(member.key) ||
           (member.key == "evaluator" && looks_like_group(member.value));
}

// The member of `base` for over[i]: the known one, or a new empty one.
Member& place_for(Document& base, std::size_t place, const Member& member) {
    if (place != kNew) return base.members[place];
    base.members.push_back({member.key, member.key_span, {}});
    return base.members.back();
}

void overlay_groups(Reading& reading, Document& base, Document over) {
    const std::vector<std::size_t> places = places_in(base, over);
    for (std::size_t i = 0; i < places.size(); ++i) {
        Member& group = over.members[i];
        overlay_group(reading, place_for(base, places[i], group).value, std::move(group.value));
    }
}

void note_added(Reading& reading, const Document& base, const Document& over) {
    for (const Member& option : over.members)
        if (base.find(option.key) == nullptr)
            reading.added_options.emplace_back(option.key, option.key_span);
}

// If one file gives an option's values in the short form and the other as an object, makes both
// objects: new values then keep the old doc, and a new doc keeps the old values.
void match_forms(Document& base, Document& over) {
    for (Member& later : over.members) {
        Member* const known = base.find(later.key);
        if (known == nullptr || known->value.is_object() == later.value.is_object()) continue;
        Document& brief = known->value.is_object() ? later.value : known->value;
        Document full = json::object(brief.span);
        json::add(full, "values", std::move(brief));
        brief = std::move(full);
    }
}

using Rules = std::vector<Member>;

// The list of rules of a group in either form, or nullptr if it is not a group.
Rules* rules_of(Document& group) {
    if (group.is_array()) return &group.members;
    Member* rules = group.find("rules");
    return rules != nullptr && rules->value.is_array() ? &rules->value.members : nullptr;
}

// Replacement, removal and placement of named rules.

// The rule's name, empty if it has none.
std::string_view name_of(const Document& rule) {
    const Member* name = rule.find("name");
    return name != nullptr && name->value.is_string() ? std::string_view(name->value.text())
                                                      : std::string_view{};
}

// Collects the lists of rules below an action.
void collect_lists(Document& tree, std::vector<Rules*>& lists) {
    if (!tree.is_object()) return;
    for (Member& member : tree.members) {
        const bool runs = member.key == "@rules" || member.key.starts_with("@rules@");
        if (!runs)
            collect_lists(member.value, lists);
        else if (Rules* const rules = rules_of(member.value))
            lists.push_back(rules);
    }
}

// The lists of rules in a rule's action and else.
std::vector<Rules*> rule_lists(Document& rule) {
    std::vector<Rules*> lists;
    for (const char* part : {"action", "else"}) {
        Member* const member = rule.find(part);
        if (member == nullptr) continue;
        if (member->value.is_array())
            lists.push_back(&member->value.members);
        else
            collect_lists(member->value, lists);
    }
    return lists;
}

// A rule that replaces another also takes the place where that name was first written, which tells
// apart the copies of a rule that is included twice.
void take_name(Document& rule, const Document& earlier) {
    const Member* name = earlier.find("name");
    if (Member* own = rule.find("name"); own != nullptr && name != nullptr)
        own->value.span = name->value.span;
}

// A rule and the list that contains it, at any depth.
struct Found {
    Rules* list = nullptr;
    Rules::iterator at;
    explicit operator bool() const { return list != nullptr; }
};

Found find_rule(Rules& rules, std::string_view name) {
    if (name.empty()) return {};
    const auto at =
        std::ranges::find(rules, name, [](const Member& rule) { return name_of(rule.value); });
    if (at != rules.end()) return {&rules, at};
    for (Member& rule : rules) {
        for (Rules* list : rule_lists(rule.value))
            if (const Found found = find_rule(*list, name)) return found;
    }
    return {};
}

void collect_names(Rules& rules, Words& names) {
    for (Member& rule : rules) {
        if (!name_of(rule.value).empty()) names.emplace_back(name_of(rule.value));
        for (Rules* list : rule_lists(rule.value))
            collect_names(*list, names);
    }
}

bool is_removal(const Document& rule) {
    return rule.find("@remove") != nullptr;
}

bool is_placement(const Member& member) {
    return member.key == "before" || member.key == "after";
}

const Member* placement(const Document& rule) {
    const Member* before = rule.find("before");
    return before != nullptr ? before : rule.find("after");
}

class Overlay {
  public:
    Overlay(Reading& reading, Rules& base) : reading_(reading), rules_(base) {
        Words names;
        collect_names(base, names);
        earlier_.insert(names.begin(), names.end());
    }

    void apply(Rules over) {
        drop_conflicts(over);
        for (Member& rule : over)
            if (is_removal(rule.value)) remove(rule);
        Rules placed;
        for (Member& rule : over) {
            if (is_removal(rule.value)) continue;
            const std::string_view name = name_of(rule.value);
            const Found earlier = earlier_.contains(name) ? find_rule(rules_, name) : Found{};
            const bool moves = placement(rule.value) != nullptr && well_placed(rule.value);
            if (earlier) take_name(rule.value, earlier.at->value);
            if (moves) {
                if (earlier) earlier.list->erase(earlier.at);
                placed.push_back(std::move(rule));
            } else if (earlier) {
                *earlier.at = std::move(rule);
            } else {
                rules_.push_back(std::move(rule));
            }
        }
        place(std::move(placed));
    }

  private:
    // One file may revise a rule only once.
    void drop_conflicts(Rules& over) {
        std::map<std::string, Member*, std::less<>> seen;
        std::set<const Member*> dropped;
        for (Member& rule : over) {
            const std::string_view name = name_of(rule.value);
            if (name.empty()) continue;
            const auto [first, added] = seen.try_emplace(std::string(name), &rule);
            if (added) continue;
            report_conflict(*first->second, rule);
            dropped.insert(&rule);
        }
        Rules kept;
        for (Member& rule : over)
            if (!dropped.contains(&rule)) kept.push_back(std::move(rule));
        over = std::move(kept);
    }

    void report_conflict(const Member& first, const Member& second) {
        const std::string_view name = name_of(second.value);
        const Span place = second.value.find("name")->value.span;
        const std::string where = reading_.sources.place(first.value.find("name")->value.span);
        if (is_removal(first.value) != is_removal(second.value)) {
            reading_.error(
                code::kOverriddenAway, place,
                fmt::format("the rule {} is both written and removed here, so it can never fire; "
                            "the other place is {}",
                            name, where),
                "to replace a rule of an earlier file, write the new rule without @remove");
        } else {
            reading_.error(code::kDuplicateRule, place,
                           fmt::format("a second rule named {}; the first is at {}", name, where),
                           "give it another name");
        }
    }

    void remove(const Member& removal) {
        const Document& rule = removal.value;
        const Member* flag = rule.find("@remove");
        const bool* const value = flag->value.get<bool>();
        if (value == nullptr || !*value || name_of(rule).empty() || rule.members.size() > 2) {
            reading_.error(code::kRemovalForm, flag->key_span,
                           "a rule is removed by its name and \"@remove\": true alone",
                           "as in {\"name\": \"x\", \"@remove\": true}");
            return;
        }
        if (const Found found = find_rule(rules_, name_of(rule)))
            found.list->erase(found.at);
        else
            unknown(rule.find("name")->value);
    }

    bool well_placed(const Document& rule) {
        const Member* where = placement(rule);
        if (rule.find("before") != nullptr && rule.find("after") != nullptr) {
            reading_.error(code::kPlacement, rule.find("after")->key_span,
                           "a rule goes before or after another, not both");
            return false;
        }
        if (where->value.is_string()) return true;
        reading_.expected(code::kPlacement, where->value, where->key + " takes the name of a rule");
        return false;
    }

    // Rules may be placed beside each other, in any written order.
    void place(Rules waiting) {
        while (!waiting.empty()) {
            Rules still;
            for (Member& rule : waiting)
                if (!insert(rule)) still.push_back(std::move(rule));
            if (still.size() == waiting.size()) {
                for (const Member& rule : still)
                    report_unplaced(rule, still);
                return;
            }
            waiting = std::move(still);
        }
    }

    bool insert(Member& rule) {
        const Member* where = placement(rule.value);
        const std::string target = where->value.text();
        Found found = find_rule(rules_, target);
        if (!found) return false;
        Rules& list = *found.list;
        auto at = found.at;
        if (where->key == "after") {
            ++at;
            // Several rules placed after the same one keep their written order.
            while (at != list.end() &&
                   after_.contains(std::string(name_of(at->value)) + '\n' + target))
                ++at;
            after_.insert(std::string(name_of(rule.value)) + '\n' + target);
        }
        // Placement is done, and nested rules must not have such keys.
        if (&list != &rules_) std::erase_if(rule.value.members, is_placement);
        list.insert(at, std::move(rule));
        return true;
    }

    void report_unplaced(const Member& rule, Rules& waiting) {
        const Document& target = placement(rule.value)->value;
        if (!find_rule(waiting, target.text())) return unknown(target);
        reading_.error(code::kPlacement, target.span,
                       "rules are placed around each other in a circle",
                       "one of them needs a place of its own");
    }

    void unknown(const Document& name) {
        if (reading_.lacks_files) return; // it may be in one of them
        Words known;
        collect_names(rules_, known);
        reading_.error(code::kUnknownTarget, name.span,
                       "no earlier rule of this group is named \"" + name.text() + "\"",
                       known.empty() ? "no rule of this group has a name so far"
                                     : reading_.did_you_mean(name.text(), known));
    }

    Reading& reading_;
    Rules& rules_;
    std::set<std::string, std::less<>> earlier_; // names in the earlier files
    std::set<std::string> after_;                // "rule\ntarget" for rules placed after a target
};

bool revises_a_rule(const Document& rule) {
    return !name_of(rule).empty() &&
           (is_removal(rule) || rule.find("condition") != nullptr ||
            rule.find("action") != nullptr || rule.find("else") != nullptr);
}

// Visits rules in written order and remembers the places of their names.

class RepeatedRules {
  public:
    void visit(Rules& rules, const std::string& around) {
        for (Member& rule : rules) {
            if (!rule.value.is_object()) continue;
            const std::string own = name(rule.value, around);
            for (Rules* inside : rule_lists(rule.value))
                visit(*inside, own.empty() ? around : own);
        }
    }

  private:
    // The name of the rule from now on.
    std::string name(Document& rule, const std::string& around) {
        Member* const member = rule.find("name");
        if (member == nullptr || !member->value.is_string()) return {};
        const Span place = member->value.span;
        std::string written = member->value.text();
        if (seen_.emplace(place.file, place.begin, written).second) return written;
        member->value.scalar = around + '/' + written;
        return member->value.text();
    }

    // File, offset and text of each name: rules that a host makes have no places.
    std::set<std::tuple<std::uint32_t, std::uint32_t, std::string>> seen_;
};

} // namespace

void for_each_rule_list(
    Document& file,
    const std::function<void(const std::string& group, std::vector<Member>& rules)>& visit) {
    const auto visit_group = [&](Member& group) {
        if (std::vector<Member>* rules = rules_of(group.value)) visit(group.key, *rules);
    };
    for (Member& member : file.members) {
        if (member.key == "groups")
            for (Member& group : member.value.members)
                visit_group(group);
        else if (holds_group(member))
            visit_group(member);
    }
}

bool normalize_file(Reading& reading, Document& file) {
    if (file.is_array() || is_rule_file(file)) file = as_rules(std::move(file));
    return reading.expect_object(code::kNoRuleset, file,
                                 "a ruleset is an object, a rule or a list of rules");
}

void overlay_file(Reading& reading, Document& base, Document over) {
    const std::vector<std::size_t> places = places_in(base, over);
    for (std::size_t i = 0; i < places.size(); ++i) {
        Member& member = over.members[i];
        Member& known = place_for(base, places[i], member);
        Document& below = known.value;
        const bool groups = member.key == "groups" && member.value.is_object();
        if (groups && places[i] == kNew) below = json::object(member.value.span);
        if (holds_group(member)) {
            overlay_group(reading, below, std::move(member.value));
        } else if (!below.is_object() || !member.value.is_object()) {
            known = std::move(member);
        } else if (groups) {
            overlay_groups(reading, below, std::move(member.value));
        } else {
            if (member.key == "options") note_added(reading, below, member.value);
            if (member.key == "option_values") match_forms(below, member.value);
            // A type or a pattern of a later file replaces the whole earlier one.
            const bool deep = member.key != "types" && member.key != "patterns";
            merge_objects(below, std::move(member.value), deep);
        }
    }
}

void overlay_group(Reading& reading, Document& base, Document over) {
    std::vector<Member>* later = rules_of(over);
    // Neither is a list of rules: the moves of a table of advice, which merge by name.
    if (later == nullptr && over.is_object() && base.is_object() && rules_of(base) == nullptr) {
        merge_objects(base, std::move(over));
        return;
    }
    if (later == nullptr) { // not a group: the parser of groups reports it
        base = std::move(over);
        return;
    }
    std::vector<Member> rules;
    if (std::vector<Member>* earlier = rules_of(base)) rules = std::move(*earlier);
    Overlay(reading, rules).apply(std::move(*later));
    if (over.is_object() && base.is_object())
        merge_objects(base, std::move(over));
    else if (!base.is_object())
        base = std::move(over);
    *rules_of(base) = std::move(rules);
}

void merge_objects(Document& base, Document over, bool deep) {
    const std::vector<std::size_t> places = places_in(base, over);
    for (std::size_t i = 0; i < places.size(); ++i) {
        Member& member = over.members[i];
        if (places[i] == kNew) {
            base.members.push_back(std::move(member));
            continue;
        }
        Member& known = base.members[places[i]];
        if (deep && known.value.is_object() && member.value.is_object())
            merge_objects(known.value, std::move(member.value));
        else
            known = std::move(member);
    }
}

void settle_included(std::vector<Member>& list, const std::vector<bool>& included) {
    std::map<std::string, std::size_t, std::less<>> places;
    for (std::size_t i = 0; i < list.size(); ++i)
        if (included[i] && !name_of(list[i].value).empty())
            places.try_emplace(std::string(name_of(list[i].value)), i);
    std::vector<bool> gone(list.size(), false);
    for (std::size_t i = 0; i < list.size() && !places.empty(); ++i) {
        if (included[i] || !revises_a_rule(list[i].value)) continue;
        const auto place = places.find(name_of(list[i].value));
        if (place == places.end()) continue;
        gone[i] = true;
        if (is_removal(list[i].value)) {
            gone[place->second] = true;
        } else {
            take_name(list[i].value, list[place->second].value);
            list[place->second] = std::move(list[i]);
        }
        places.erase(place);
    }
    std::vector<Member> kept;
    for (std::size_t i = 0; i < list.size(); ++i)
        if (!gone[i]) kept.push_back(std::move(list[i]));
    list = std::move(kept);
}

void name_repeated_rules(Document& whole) {
    RepeatedRules rules;
    for_each_rule_list(whole, [&](const std::string& group, std::vector<Member>& list) {
        rules.visit(list, group);
    });
}

} // namespace croupier::engine
