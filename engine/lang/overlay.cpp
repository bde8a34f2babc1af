// Files over files: objects merge, definitions replace, groups are revised.
#include "engine/lang/overlay.h"

#include "engine/lang/rule_overlay.h"
#include "engine/lang/rule_parser.h"
#include "engine/lang/top_keys.h"
#include "engine/text/member_index.h"

#include <algorithm>

namespace croupier::engine {
namespace {

// The place in `object` of each member of `over`; kNew for new ones. For objects of any size.
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
    return std::any_of(file.members.begin(), file.members.end(), [](const Member& member) {
        const Words& keys = top_keys();
        return member.key != "doc" && std::find(keys.begin(), keys.end(), member.key) != keys.end();
    });
}

// A rule by its keys, or by one unmistakable key when others are mistyped.
bool is_rule_file(const Document& file) {
    const auto has = [&](std::string_view key) { return file.find(key) != nullptr; };
    return looks_like_rule(file) ||
           ((has("condition") || has("action") || has("else")) && !has_top_key(file));
}

Document as_rules(Document file, bool list) {
    Document rules;
    rules.kind = Document::Kind::Array;
    rules.span = file.span;
    if (list) {
        rules.members = std::move(file.members);
    } else {
        rules.members.push_back({{}, rules.span, std::move(file)});
    }
    Document result;
    result.kind = Document::Kind::Object;
    result.span = rules.span;
    result.members.push_back({"rules", rules.span, std::move(rules)});
    return result;
}

// Definitions are whole: a type or a pattern of a later file replaces the earlier one.
void replace_members(Document& base, Document over) {
    const std::vector<std::size_t> places = places_in(base, over);
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (places[i] == kNew) {
            base.members.push_back(std::move(over.members[i]));
        } else {
            base.members[places[i]] = std::move(over.members[i]);
        }
    }
}

// The member for over[i]: the known one, or a new one that is still empty.
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
    for (const Member& option : over.members) {
        if (base.find(option.key) == nullptr)
            reading.added_options.emplace_back(option.key, option.key_span);
    }
}

// The list of rules of a group in either form; nullptr for what is no group.
std::vector<Member>* rules_of(Document& group) {
    if (group.is_array()) return &group.members;
    Member* rules = group.is_object() ? find_member(group, "rules") : nullptr;
    return rules != nullptr && rules->value.is_array() ? &rules->value.members : nullptr;
}

} // namespace

Member* find_member(Document& object, std::string_view key) {
    const auto at = std::find_if(object.members.begin(), object.members.end(),
                                 [&](const Member& member) { return member.key == key; });
    return at == object.members.end() ? nullptr : &*at;
}

void for_each_rule_list(
    Document& file,
    const std::function<void(const std::string& group, std::vector<Member>& rules)>& visit) {
    const auto visit_group = [&](Member& group) {
        if (std::vector<Member>* rules = rules_of(group.value)) visit(group.key, *rules);
    };
    for (Member& member : file.members) {
        if (member.key == "groups") {
            for (Member& group : member.value.members)
                visit_group(group);
        } else if (is_group_key(member.key) ||
                   (member.key == "evaluator" && looks_like_group(member.value))) {
            visit_group(member);
        }
    }
}

bool normalize_file(Reading& reading, Document& file) {
    if (file.is_array()) {
        file = as_rules(std::move(file), true);
    } else if (is_rule_file(file)) {
        file = as_rules(std::move(file), false);
    } else if (!file.is_object()) {
        reading.error(code::kNoRuleset, file.span,
                      "a ruleset is an object, a rule or a list of rules, found " +
                          std::string(kind_name(file)));
        return false;
    }
    return true;
}

void overlay_file(Reading& reading, Document& base, Document over) {
    const std::vector<std::size_t> places = places_in(base, over);
    for (std::size_t i = 0; i < places.size(); ++i) {
        Member& member = over.members[i];
        Member& known = place_for(base, places[i], member);
        Document& below = known.value;
        const bool groups = member.key == "groups" && member.value.is_object();
        if (groups && places[i] == kNew) {
            below.kind = DocumentKind::Object;
            below.span = member.value.span;
        }
        if (is_group_key(member.key) ||
            (member.key == "evaluator" && looks_like_group(member.value))) {
            overlay_group(reading, below, std::move(member.value));
        } else if (!below.is_object() || !member.value.is_object()) {
            known = std::move(member);
        } else if (member.key == "types" || member.key == "patterns") {
            replace_members(below, std::move(member.value));
        } else if (groups) {
            overlay_groups(reading, below, std::move(member.value));
        } else {
            if (member.key == "options") note_added(reading, below, member.value);
            merge_objects(below, std::move(member.value));
        }
    }
}

void overlay_group(Reading& reading, Document& base, Document over) {
    std::vector<Member>* later = rules_of(over);
    // The moves of a table of advice are named data.
    if (later == nullptr && over.is_object() && base.is_object() && rules_of(base) == nullptr) {
        merge_objects(base, std::move(over));
        return;
    }
    if (later == nullptr) { // no group: the parser of groups says so
        base = std::move(over);
        return;
    }
    std::vector<Member> rules;
    if (std::vector<Member>* earlier = rules_of(base)) rules = std::move(*earlier);
    overlay_rules(reading, rules, std::move(*later));
    if (over.is_object() && base.is_object()) {
        merge_objects(base, std::move(over));
    } else if (!base.is_object()) {
        base = std::move(over);
    }
    *rules_of(base) = std::move(rules);
}

void merge_objects(Document& base, Document over) {
    const std::vector<std::size_t> places = places_in(base, over);
    for (std::size_t i = 0; i < places.size(); ++i) {
        Member& member = over.members[i];
        if (places[i] == kNew) {
            base.members.push_back(std::move(member));
            continue;
        }
        Member& known = base.members[places[i]];
        if (known.value.is_object() && member.value.is_object()) {
            merge_objects(known.value, std::move(member.value));
        } else {
            known = std::move(member);
        }
    }
}

} // namespace croupier::engine
