// Replacement, removal and placement of named rules.
#include "engine/lang/rule_overlay.h"

#include "engine/lang/overlay.h"

#include <algorithm>
#include <map>
#include <set>

namespace croupier::engine {
namespace {

using Rules = std::vector<Member>;

// The rule's name; empty for none.
std::string_view name_of(const Document& rule) {
    const Member* name = rule.find("name");
    return name != nullptr && name->value.is_string() ? std::string_view(name->value.text())
                                                      : std::string_view{};
}

// Lists of rules below an action.
void collect_lists(Document& tree, std::vector<Rules*>& lists) {
    if (!tree.is_object()) return;
    for (Member& member : tree.members) {
        const bool runs = member.key == "@rules" || member.key.starts_with("@rules@");
        Member* const rules =
            member.value.is_object() ? find_member(member.value, "rules") : nullptr;
        if (runs && member.value.is_array())
            lists.push_back(&member.value.members);
        else if (runs && rules != nullptr && rules->value.is_array())
            lists.push_back(&rules->value.members);
        else if (!runs)
            collect_lists(member.value, lists);
    }
}

// A rule that replaces another has that one's name, the place where it was first written included:
// that is how the copies of a rule that was included twice are told apart.
void take_name(Document& rule, const Document& earlier) {
    const Member* name = earlier.find("name");
    if (Member* own = find_member(rule, "name"); own != nullptr && name != nullptr)
        own->value.span = name->value.span;
}

// A rule and the list that it stands in, at any depth.
struct Found {
    Rules* list = nullptr;
    Rules::iterator at;
    explicit operator bool() const { return list != nullptr; }
};

Found find_rule(Rules& rules, std::string_view name) {
    if (name.empty()) return {};
    const auto at = std::find_if(rules.begin(), rules.end(),
                                 [&](const Member& rule) { return name_of(rule.value) == name; });
    if (at != rules.end()) return {&rules, at};
    for (Member& rule : rules) {
        for (Rules* list : rule_lists(rule.value)) {
            if (const Found found = find_rule(*list, name)) return found;
        }
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
        for (Member& rule : over) {
            if (is_removal(rule.value)) remove(rule);
        }
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
    // One file may say one thing about a rule.
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
        for (Member& rule : over) {
            if (!dropped.contains(&rule)) kept.push_back(std::move(rule));
        }
        over = std::move(kept);
    }

    void report_conflict(const Member& first, const Member& second) {
        const std::string name(name_of(second.value));
        const Span place = second.value.find("name")->value.span;
        const std::string where = reading_.sources.place(first.value.find("name")->value.span);
        if (is_removal(first.value) != is_removal(second.value)) {
            reading_.error(
                code::kOverriddenAway, place,
                "the rule " + name +
                    " is both written and removed here, so it can never "
                    "fire; the other place is " +
                    where,
                "to replace a rule of an earlier file, write the new rule without @remove");
        } else {
            reading_.error(code::kDuplicateRule, place,
                           "a second rule named " + name + "; the first is at " + where,
                           "give it another name");
        }
    }

    void remove(const Member& removal) {
        const Document& rule = removal.value;
        const Member* flag = rule.find("@remove");
        const auto* value = std::get_if<bool>(&flag->value.scalar);
        const bool good = flag->value.kind == Document::Kind::Scalar && value != nullptr && *value;
        if (!good || name_of(rule).empty() || rule.members.size() > 2) {
            reading_.error(code::kRemovalForm, flag->key_span,
                           "a rule is removed by its name and \"@remove\": true alone",
                           "as in {\"name\": \"x\", \"@remove\": true}");
            return;
        }
        if (const Found found = find_rule(rules_, name_of(rule))) {
            found.list->erase(found.at);
        } else {
            unknown(rule.find("name")->value);
        }
    }

    bool well_placed(const Document& rule) {
        const Member* where = placement(rule);
        if (rule.find("before") != nullptr && rule.find("after") != nullptr) {
            reading_.error(code::kPlacement, rule.find("after")->key_span,
                           "a rule goes before or after another, not both");
            return false;
        }
        if (where->value.is_string()) return true;
        reading_.error(code::kPlacement, where->value.span,
                       where->key + " takes the name of a rule, found " +
                           std::string(kind_name(where->value)));
        return false;
    }

    // Rules may be placed beside each other, in whatever order they are written.
    void place(Rules waiting) {
        while (!waiting.empty()) {
            Rules still;
            for (Member& rule : waiting) {
                if (!insert(rule)) still.push_back(std::move(rule));
            }
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
            // Several rules after the same one keep the order in which they are written.
            while (at != list.end() &&
                   after_.contains(std::string(name_of(at->value)) + '\n' + target))
                ++at;
            after_.insert(std::string(name_of(rule.value)) + '\n' + target);
        }
        // Where it goes is said; rules inside rules know no such keys.
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
        Words known;
        collect_names(rules_, known);
        std::string hint = reading_.did_you_mean(name.text(), known);
        if (hint.empty() && known.empty()) hint = "no rule of this group has a name so far";
        reading_.error(code::kUnknownTarget, name.span,
                       "no earlier rule of this group is named \"" + name.text() + "\"",
                       std::move(hint));
    }

    Reading& reading_;
    Rules& rules_;
    std::set<std::string, std::less<>> earlier_; // names in the files below
    std::set<std::string> after_;                // "rule\ntarget" of those placed after a target
};

bool revises_a_rule(const Document& rule) {
    return !name_of(rule).empty() &&
           (is_removal(rule) || rule.find("condition") != nullptr ||
            rule.find("action") != nullptr || rule.find("else") != nullptr);
}

} // namespace

std::vector<Rules*> rule_lists(Document& rule) {
    std::vector<Rules*> lists;
    for (const char* part : {"action", "else"}) {
        Member* const member = rule.is_object() ? find_member(rule, part) : nullptr;
        if (member == nullptr) continue;
        if (member->value.is_array())
            lists.push_back(&member->value.members);
        else
            collect_lists(member->value, lists);
    }
    return lists;
}

void overlay_rules(Reading& reading, std::vector<Member>& base, std::vector<Member> over) {
    Overlay(reading, base).apply(std::move(over));
}

void settle_included(std::vector<Member>& list, const std::vector<bool>& included) {
    std::map<std::string, std::size_t, std::less<>> places;
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (included[i] && !name_of(list[i].value).empty())
            places.try_emplace(std::string(name_of(list[i].value)), i);
    }
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
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (!gone[i]) kept.push_back(std::move(list[i]));
    }
    list = std::move(kept);
}

} // namespace croupier::engine
