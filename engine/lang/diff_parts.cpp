// Types and shapes as documents, in the words of the rule language.
#include "engine/lang/diff_parts.h"

#include "engine/lang/print.h"
#include "engine/lang/walk.h"
#include "engine/text/json_build.h"

#include <map>

namespace croupier::engine {
namespace {

using json::object;
using json::text;

Document list_of(const std::vector<std::string>& texts) {
    Document document = json::array();
    for (const std::string& each : texts)
        json::append(document, text(each));
    return document;
}

Document describe(const Domain& domain) {
    Document document = object();
    document.span = domain.span;
    const auto add = [&](const std::string& key, Document value) {
        value.span = domain.span;
        document.members.push_back({key, domain.span, std::move(value)});
    };
    add("members", domain.numbered ? text("0.." + domain.members.back()) : list_of(domain.members));
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

std::string leaf_name(const Shape& shape) {
    if (shape.kind == ShapeKind::Member) return shape.domain;
    const bool ranged = shape.low != INT64_MIN || shape.high != INT64_MAX;
    if (shape.kind == ShapeKind::Int && ranged)
        return std::to_string(shape.low) + ".." + std::to_string(shape.high);
    return std::string(name_of(shape.kind));
}

Document describe(const Shape& shape) {
    if (shape.kind != ShapeKind::Record && shape.kind != ShapeKind::Map) {
        Document leaf = text(leaf_name(shape));
        leaf.span = shape.span;
        return leaf;
    }
    const std::string& keys = shape.domain.empty() ? shape.key_type : shape.domain;
    const std::string map_key = keys.empty() ? "$" : "$:" + keys;
    Document document = object();
    document.span = shape.span;
    for (const auto& [name, field] : shape.fields) {
        document.members.push_back(
            {shape.kind == ShapeKind::Map ? map_key : name, field.span, describe(field)});
    }
    return document;
}

// What the rules use of `patterns`, by name: the rules name it and do not say it.
class UsedPatterns {
  public:
    explicit UsedPatterns(const Ruleset& ruleset) {
        for_each_rule(ruleset, [this](const Rule& rule) {
            if (rule.condition) find(*rule.condition);
        });
    }
    [[nodiscard]] Document describe() const {
        Document document = object();
        for (const auto& [name, pattern] : found_)
            document.members.push_back({name, pattern->span, to_document(*pattern)});
        return document;
    }

  private:
    void find(const Pattern& pattern) {
        for (const Entry& entry : pattern.entries) {
            for (std::size_t i = 0; i < entry.patterns.size(); ++i) {
                if (entry.kind == KeyKind::Use && i < entry.use_names.size())
                    found_.emplace(entry.use_names[i], &entry.patterns[i]);
                find(entry.patterns[i]);
            }
        }
    }

    std::map<std::string, const Pattern*> found_;
};

} // namespace

Document parts_of(const Ruleset& ruleset) {
    Document parts = object();
    const auto add = [&](const std::string& name, Document value) {
        parts.members.push_back({name, value.span, std::move(value)});
    };
    if (ruleset.game.kind != DocumentKind::Scalar || ruleset.game.is_string())
        add("game", ruleset.game);
    Document types = object();
    for (const Domain& domain : ruleset.types) {
        if (!domain.anonymous) // those show in the shape
            types.members.push_back({domain.name, domain.span, describe(domain)});
    }
    add("types", std::move(types));
    add("shape", ruleset.shape ? describe(*ruleset.shape) : object());
    add("state", ruleset.state.value_or(object()));
    add("constants", ruleset.constants.value_or(object()));
    Document options = object();
    for (const Option& option : ruleset.options)
        options.members.push_back({option.name, option.span, option.value});
    add("options", std::move(options));
    add("patterns", UsedPatterns(ruleset).describe());
    add("hidden", ruleset.hidden.value_or(object()));
    add("memory", ruleset.memory.value_or(object()));
    for (const Member& member : ruleset.rest)
        add(member.key, member.value);
    return parts;
}

} // namespace croupier::engine
