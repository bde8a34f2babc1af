// Checks the initial state and the constants against the shape, and the names they share.
#include "engine/language/check.h"
#include "engine/language/types.h"

#include <fmt/format.h>

#include <map>
#include <unordered_map>
#include <unordered_set>

namespace croupier::engine {
namespace {

class DataChecker {
  public:
    DataChecker(Reading& reading, const Ruleset& ruleset) : reading_(reading), ruleset_(ruleset) {}

    void check() {
        if (ruleset_.state) root(*ruleset_.state);
        if (ruleset_.constants) {
            root(*ruleset_.constants);
            shared_names();
        }
        relations();
    }

  private:
    // ---- against the shape ---------------------------------------------------------------------

    void root(const Document& tree) {
        if (!reading_.expect_object(code::kTopForm, tree, "the state is an object") ||
            !ruleset_.shape)
            return;
        const MemberIndex members(tree);
        for (const auto& [name, field] : ruleset_.shape->fields)
            if (const Member* member = members.find(name)) node(*member, field);
    }

    void node(const Member& member, const Shape& shape) {
        switch (shape.kind) {
        case ShapeKind::Any:
            return;
        case ShapeKind::Record:
            return record(member.value, shape);
        case ShapeKind::Map:
            return map(member.value, shape);
        default:
            leaf(member.value, shape);
        }
    }

    void leaf(const Document& value, const Shape& shape) {
        if (value.kind == Document::Kind::Scalar && can_store(ruleset_, shape, value.scalar))
            return;
        const std::string found = value.kind == Document::Kind::Scalar
                                      ? scalar_json(value.scalar)
                                      : std::string(kind_name(value));
        misfit(value.span, found + " does not fit the shape: expected " + describe(ruleset_, shape),
               mend(reading_, ruleset_, shape, value.scalar));
    }

    void record(const Document& value, const Shape& shape) {
        if (!has_children(value)) return;
        const Words known = names_of(shape.fields);
        std::unordered_map<std::string_view, const Shape*> fields;
        for (const auto& [name, field] : shape.fields)
            fields.emplace(name, &field);
        for_children(value, [&](const std::string& key, const Member& member) {
            const auto field = fields.find(key);
            if (field == fields.end())
                misfit(member.key_span, "the shape has no node \"" + key + "\" here",
                       reading_.did_you_mean(key, known));
            else
                node(member, *field->second);
        });
    }

    void map(const Document& value, const Shape& shape) {
        if (!has_children(value)) return;
        const Domain* domain = ruleset_.domain(shape.domain);
        const Words known = domain != nullptr ? domain->members : Words{};
        const std::unordered_set<std::string_view> keys(known.begin(), known.end());
        for_children(value, [&](const std::string& key, const Member& member) {
            if (domain != nullptr && !keys.contains(key))
                misfit(member.key_span, "\"" + key + "\" is not a member of " + domain->name,
                       reading_.did_you_mean(key, known));
            else if (shape.key_type == "int" && !canonical_integer(key))
                misfit(member.key_span, "the keys here are integers, found \"" + key + "\"", {});
            node(member, shape.fields[0].shape);
        });
    }

    bool has_children(const Document& value) {
        if (value.kind != Document::Kind::Scalar) return true;
        misfit(value.span,
               scalar_json(value.scalar) +
                   " does not fit the shape: expected children, not a value",
               {});
        return false;
    }

    // A list's elements are the children 0 to n-1.
    template <typename Visit>
    static void for_children(const Document& value, Visit visit) {
        for (std::size_t i = 0; i < value.members.size(); ++i) {
            const Member& member = value.members[i];
            visit(value.is_array() ? std::to_string(i) : member.key, member);
        }
    }

    void misfit(Span place, std::string message, std::string hint) {
        reading_.error(code::kDataMisfit, place, std::move(message), std::move(hint));
    }

    // ---- names ---------------------------------------------------------------------------------

    void shared_names() {
        if (!ruleset_.state) return;
        const MemberIndex state(*ruleset_.state);
        for (const Member& constant : ruleset_.constants->members) {
            const Member* other = state.find(constant.key);
            if (other == nullptr) continue;
            clash(other->key_span, other->key,
                  "a constant at " + reading_.sources.place(constant.key_span));
        }
    }

    void clash(Span place, const std::string& name, const std::string& other) {
        reading_.error(code::kConstantClash, place,
                       "\"" + name + "\" is in the state and also " + other,
                       "both are read under the same name; rename one");
    }

    // Relations are beside the state's own nodes, and all domains share them.
    void relations() {
        for (const GridRelation& relation : kGridRelations)
            grid_relation(relation);
        std::map<std::string, std::pair<const Domain*, std::string>> next;
        for (const Domain& domain : ruleset_.types)
            if (domain.order != Domain::Order::None) successors(domain, next);
        if (!next.empty()) reserved("next", *next.begin()->second.first);
    }

    void successors(const Domain& domain,
                    std::map<std::string, std::pair<const Domain*, std::string>>& next) {
        const std::size_t count = domain.members.size();
        for (std::size_t i = 0; i < count; ++i) {
            const bool last = i + 1 == count;
            const bool cyclic = domain.order == Domain::Order::Cyclic;
            const std::string successor =
                last && !cyclic ? std::string{} : domain.members[(i + 1) % count];
            const auto [known, added] = next.try_emplace(domain.members[i], &domain, successor);
            if (added || known->second.second == successor) continue;
            relation_clash(domain, *known->second.first, "next", domain.members[i]);
            return;
        }
    }

    void grid_relation(const GridRelation& relation) {
        const Domain* last = nullptr;
        for (const Domain& domain : ruleset_.types) {
            if (!domain.grid || *domain.grid.*relation.ways == Ways::None) continue;
            if (last != nullptr && !same_relation(*last->grid, *domain.grid, relation))
                relation_clash(domain, *last, std::string(relation.name), domain.members[0]);
            last = &domain;
        }
        if (last != nullptr) reserved(std::string(relation.name), *last);
    }

    static bool same_relation(const Grid& a, const Grid& b, const GridRelation& relation) {
        return a.columns == b.columns && a.rows == b.rows && a.wrap == b.wrap &&
               a.*relation.ways == b.*relation.ways;
    }

    void relation_clash(const Domain& domain, const Domain& other, const std::string& relation,
                        const std::string& member) {
        reading_.error(
            code::kRelationClash, domain.span,
            fmt::format("{}.{} means one thing by {} and another by {}", relation, member,
                        domain.name, other.name),
            fmt::format(
                "all domains share {}; give the members other names, or leave one without it",
                relation));
    }

    void reserved(const std::string& name, const Domain& domain) {
        for (const auto* const tree : {&ruleset_.state, &ruleset_.constants})
            if (const Member* const member = *tree ? (*tree)->find(name) : nullptr)
                clash(member->key_span, name, "the relation that " + domain.name + " brings");
    }

    Reading& reading_;
    const Ruleset& ruleset_;
};

} // namespace

void check_data(Reading& reading, const Ruleset& ruleset) {
    DataChecker(reading, ruleset).check();
}

} // namespace croupier::engine
