// Compares rules by name and their contents entry by entry.
#include "engine/language/diff.h"

#include "engine/language/print.h"

#include <algorithm>
#include <map>
#include <set>

namespace croupier::engine {

namespace {

// Types and shapes as documents, in the syntax of rule files.

using json::object;
using json::text;

Document describe(const Domain& domain) {
    Document document = object(domain.span);
    const auto add = [&](const std::string& key, Document value) {
        value.span = domain.span;
        document.members.push_back({key, domain.span, std::move(value)});
    };
    add("members",
        domain.numbered ? text("0.." + domain.members.back()) : json::texts(domain.members));
    if (domain.order != Domain::Order::None)
        add("order", text(domain.order == Domain::Order::Cyclic ? "cyclic" : "linear"));
    if (domain.grid) {
        for (const GridRelation& relation : kGridRelations) {
            const Ways ways = *domain.grid.*relation.ways;
            if (ways != Ways::None) add(std::string(relation.name), text(name_of(ways)));
        }
        if (domain.grid->wrap) add("wrap", text("true"));
    }
    return document;
}

Document describe(const Shape& shape) {
    if (shape.kind != ShapeKind::Record && shape.kind != ShapeKind::Map)
        return json::scalar(leaf_name(shape), shape.span);
    Document document = object(shape.span);
    for (const auto& [name, field] : shape.fields)
        document.members.push_back(
            {shape.kind == ShapeKind::Map ? map_key(shape) : name, field.span, describe(field)});
    return document;
}

// The `patterns` that rules use, by name: rules contain only the name.
Document used_patterns(const Ruleset& ruleset) {
    std::map<std::string, const Pattern*> found;
    for_each_rule(ruleset, [&](const Rule& rule) {
        if (!rule.condition) return;
        for_each<Entry>(*rule.condition, [&](const Entry& entry) {
            for (std::size_t i = 0; i < entry.use_names.size(); ++i)
                found.emplace(entry.use_names[i], &entry.patterns[i]);
        });
    });
    Document document = object();
    for (const auto& [name, pattern] : found)
        document.members.push_back({name, pattern->span, to_document(*pattern)});
    return document;
}

// Everything of a ruleset except its rules, as one tree for comparing: an object with the keys
// game, types, shape, state, .. and the spans of their sources.
Document parts_of(const Ruleset& ruleset) {
    Document parts = object();
    const auto add = [&](const std::string& name, Document value) {
        parts.members.push_back({name, value.span, std::move(value)});
    };
    if (ruleset.game.kind != DocumentKind::Scalar || ruleset.game.is_string())
        add("game", ruleset.game);
    Document types = object();
    for (const Domain& domain : ruleset.types)
        if (!domain.anonymous) // anonymous ones appear in the shape
            types.members.push_back({domain.name, domain.span, describe(domain)});
    add("types", std::move(types));
    add("shape", ruleset.shape ? describe(*ruleset.shape) : object());
    add("state", ruleset.state.value_or(object()));
    add("constants", ruleset.constants.value_or(object()));
    Document options = object();
    for (const Option& option : ruleset.options)
        options.members.push_back({option.name, option.span, option.value});
    add("options", std::move(options));
    add("patterns", used_patterns(ruleset));
    add("hidden", ruleset.hidden.value_or(object()));
    add("memory", ruleset.memory.value_or(object()));
    for (const Member& member : ruleset.rest)
        add(member.key, member.value);
    return parts;
}

std::string text_of(const Document& document) {
    return write_json(document, -1);
}

// Compares objects key by key and lists element by element; anything else as a whole.
class TreeDifference {
  public:
    std::vector<EntryDifference> entries;

    void compare(const Document& before, const Document& after) {
        if (before.is_object() && after.is_object())
            objects(before, after);
        else if (before.is_array() && after.is_array())
            lists(before, after);
        else if (text_of(before) != text_of(after))
            add(Difference::Changed, &before, &after);
    }

  private:
    void objects(const Document& before, const Document& after) {
        Keys order_before;
        Keys order_after;
        for (const Member& member : before.members) {
            const Member* other = after.find(member.key);
            step(member.key, &member.value, other != nullptr ? &other->value : nullptr);
            if (other != nullptr) order_before.push_back(member.key);
        }
        for (const Member& member : after.members)
            if (before.find(member.key) == nullptr)
                step(member.key, nullptr, &member.value);
            else
                order_after.push_back(member.key);
        // Entries are tried and act in order, so a changed order counts.
        for (std::size_t i = 0; i < order_before.size(); ++i) {
            if (order_before[i] == order_after[i]) continue;
            path_.push_back(order_after[i]);
            add(Difference::Moved, &before.find(order_after[i])->value,
                &after.find(order_after[i])->value);
            path_.pop_back();
            break;
        }
    }

    void lists(const Document& before, const Document& after) {
        const std::size_t count = std::max(before.members.size(), after.members.size());
        for (std::size_t i = 0; i < count; ++i) {
            step(std::to_string(i), i < before.members.size() ? &before.members[i].value : nullptr,
                 i < after.members.size() ? &after.members[i].value : nullptr);
        }
    }

    void step(const std::string& key, const Document* before, const Document* after) {
        path_.push_back(key);
        if (before == nullptr)
            add(Difference::Added, nullptr, after);
        else if (after == nullptr)
            add(Difference::Removed, before, nullptr);
        else
            compare(*before, *after);
        path_.pop_back();
    }

    void add(Difference kind, const Document* before, const Document* after) {
        EntryDifference entry;
        entry.kind = kind;
        entry.path = path_;
        if (before != nullptr) {
            entry.before = text_of(*before);
            entry.before_span = before->span;
        }
        if (after != nullptr) {
            entry.after = text_of(*after);
            entry.after_span = after->span;
        }
        entries.push_back(std::move(entry));
    }

    using Keys = std::vector<std::string>;
    Keys path_;
};

// Identifies a rule: its name, or its whole text.
std::string identity(const Rule& rule) {
    return rule.named ? rule.name : print(rule, -1);
}

class GroupDifference {
  public:
    GroupDifference(const Group* before, const Group* after, std::vector<RuleDifference>& found)
        : found_(found), name_(before != nullptr ? before->name : after->name) {
        if (before != nullptr) index(*before, before_);
        if (after != nullptr) index(*after, after_);
    }

    void compare() {
        const std::set<std::string> moved = moved_rules();
        for (const auto& [key, rule] : before_) {
            const auto other = find(after_, key);
            if (other == nullptr) {
                add(Difference::Removed, rule, nullptr);
                continue;
            }
            TreeDifference tree;
            tree.compare(to_document(*rule), to_document(*other));
            if (!tree.entries.empty()) add(Difference::Changed, rule, other).entries = tree.entries;
            if (moved.contains(key)) add(Difference::Moved, rule, other);
        }
        for (const auto& [key, rule] : after_)
            if (find(before_, key) == nullptr) add(Difference::Added, nullptr, rule);
    }

  private:
    using Index = std::vector<std::pair<std::string, const Rule*>>;

    // Unnamed rules with the same text are numbered.
    static void index(const Group& group, Index& rules) {
        std::map<std::string, unsigned> counts;
        for (const Rule& rule : group.rules) {
            std::string key = identity(rule);
            const unsigned count = ++counts[key];
            if (count > 1) key += '\n' + std::to_string(count);
            rules.emplace_back(std::move(key), &rule);
        }
    }

    static const Rule* find(const Index& rules, const std::string& key) {
        const auto at = std::ranges::find(rules, key, &Index::value_type::first);
        return at == rules.end() ? nullptr : at->second;
    }

    // The smallest set of rules whose removal leaves both orders equal: those outside a longest
    // increasing run of new places.
    [[nodiscard]] std::set<std::string> moved_rules() const {
        std::map<std::string, std::size_t> new_place;
        for (std::size_t i = 0; i < after_.size(); ++i)
            new_place[after_[i].first] = i;
        std::vector<const std::string*> keys;
        std::vector<std::size_t> places;
        for (const auto& [key, rule] : before_) {
            const auto at = new_place.find(key);
            if (at == new_place.end()) continue;
            keys.push_back(&key);
            places.push_back(at->second);
        }
        constexpr std::size_t kNone = static_cast<std::size_t>(-1);
        std::vector<std::size_t> ends; // index of the smallest end of a run of each length
        std::vector<std::size_t> previous(places.size(), kNone);
        for (std::size_t i = 0; i < places.size(); ++i) {
            const auto at = std::lower_bound(
                ends.begin(), ends.end(), places[i],
                [&](std::size_t end, std::size_t place) { return places[end] < place; });
            if (at != ends.begin()) previous[i] = *(at - 1);
            if (at == ends.end())
                ends.push_back(i);
            else
                *at = i;
        }
        std::vector<bool> stays(places.size(), false);
        for (std::size_t i = ends.empty() ? kNone : ends.back(); i != kNone; i = previous[i])
            stays[i] = true;
        std::set<std::string> moved;
        for (std::size_t i = 0; i < places.size(); ++i)
            if (!stays[i]) moved.insert(*keys[i]);
        return moved;
    }

    RuleDifference& add(Difference kind, const Rule* before, const Rule* after) {
        RuleDifference difference;
        difference.kind = kind;
        difference.group = name_;
        difference.name = before != nullptr ? before->name : after->name;
        if (before != nullptr) difference.before_span = before->span;
        if (after != nullptr) difference.after_span = after->span;
        found_.push_back(std::move(difference));
        return found_.back();
    }

    std::vector<RuleDifference>& found_;
    std::string name_;
    Index before_;
    Index after_;
};

std::string mode_of(const Group& group) {
    if (group.mode == GroupMode::Sequential) return "sequential";
    if (group.mode == GroupMode::AtOnce) return "at_once";
    return std::string(name_of(group.strategy)) +
           (group.limit ? ", limit " + std::to_string(*group.limit) : "");
}

void compare_modes(const Group& before, const Group& after, std::vector<PartDifference>& parts) {
    if (mode_of(before) != mode_of(after))
        parts.push_back({"groups",
                         {Difference::Changed,
                          {before.name, "mode"},
                          mode_of(before),
                          mode_of(after),
                          before.span,
                          after.span}});
}

} // namespace

RulesetDifference difference(const Ruleset& before, const Ruleset& after) {
    RulesetDifference result;
    TreeDifference tree;
    tree.compare(parts_of(before), parts_of(after));
    for (EntryDifference& entry : tree.entries) {
        const std::string part = entry.path.front();
        entry.path.erase(entry.path.begin());
        result.parts.push_back({part, std::move(entry)});
    }
    for (const Group& group : before.groups) {
        const Group* other = after.group(group.name);
        if (other != nullptr) compare_modes(group, *other, result.parts);
        GroupDifference(&group, other, result.rules).compare();
    }
    for (const Group& group : after.groups)
        if (before.group(group.name) == nullptr)
            GroupDifference(nullptr, &group, result.rules).compare();
    return result;
}

} // namespace croupier::engine
