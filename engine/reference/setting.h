// The random world of a case: what its states look like, declared or not.
#pragma once

#include "engine/reference/dice.h"
#include "engine/reference/generator.h"
#include "engine/text/json_build.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace croupier::engine::reference {

struct DomainPlan {
    std::string name;
    std::vector<std::string> members;
    bool numbered = false;
    bool ordered = false;
    bool near = false;
    std::vector<std::string> step; // directions that the relations of a grid have
    std::vector<std::string> ray;
    Document declaration;
};

enum class Form { Unit, Int, Double, Number, Bool, Text, Member, Mixed, Record, Map, List };

struct KindField;

// What stands at a place of the state. The tree of kinds is the generator's own shape.
struct Kind {
    Form form = Form::Mixed;
    std::int64_t low = -1; // Int
    std::int64_t high = 4;
    bool ranged = false;                // Int: declared as a range
    const DomainPlan* domain = nullptr; // Member; Map over a domain
    std::vector<std::string> keys;      // Map without domain
    bool integer_keys = false;
    int density = 60;              // percent of a map's keys that are present at first
    std::vector<KindField> fields; // Record; Map and List have one

    [[nodiscard]] bool is_leaf() const { return form < Form::Record; }
    [[nodiscard]] const std::vector<std::string>& key_pool() const {
        return domain != nullptr ? domain->members : keys;
    }
};

struct KindField {
    std::string name;
    Kind kind;

    KindField(std::string field, Kind what) : name(std::move(field)), kind(std::move(what)) {}
};

struct Setting {
    std::vector<std::unique_ptr<DomainPlan>> domains;
    Kind root;      // a Record
    Kind constants; // a Record: constants and relations as rules see them
    Document constants_json = json::object();
    Document options = json::object();
    std::vector<std::string> declared; // fields of the root

    [[nodiscard]] bool is_declared(const std::string& field) const;
    // The domain of cards; null where there is none.
    [[nodiscard]] const DomainPlan* deck() const;
};

// A small tree of anything.
Setting make_free_setting(Dice& dice, const Profile& profile);
// Domains, dense maps, constants: hands, tricks, boards. Domains cross 32 and 64 members.
Setting make_table_setting(Dice& dice, const Profile& profile);

// complete: every field and key is there.
Document random_state(const Kind& kind, Dice& dice, bool complete = false);
Scalar random_leaf(const Kind& kind, Dice& dice);
Document shape_of(const Kind& kind);
Document types_of(const Setting& setting);

// Texts and integers that states and rules draw from, so that they meet.
const std::vector<std::string>& common_texts();

} // namespace croupier::engine::reference
