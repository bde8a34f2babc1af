// Writes the random parts of a case as JSON: expressions, conditions, actions, groups.
#pragma once

#include "engine/language/ruleset.h"
#include "engine/reference/generator.h"
#include "engine/reference/setting.h"

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace croupier::engine::reference {

// Rules that belong together, as in games: random rulesets consist of some of these, with random
// rules between them.

struct Skeleton {
    // Fields of the root, state or constants; #N requires a deck of at least N cards.
    const char* needs;
    const char* rules; // a list; LASTCARD stands for the deck's last card
};

// For special cases of the compiler: each shows a mistake of engine/reference/mistakes.def, or
// reaches a rewrite of engine/reference/rewrites.def, that other cases rarely do.
std::span<const Skeleton> skeletons_of_passes();

// The same for the intermediate form: engine/reference/mistakes.def, engine/reference/rewrites.def.
std::span<const Skeleton> skeletons_of_form();

// The same, for boards and for tables of constants whose keys come in any order.
std::span<const Skeleton> skeletons_of_boards();

// The same for the rules of an agenda.
std::span<const Skeleton> skeletons_of_agendas();

// The value of a variable, as far as the generator knows.
enum class Sort { Int, Real, Bool, Text, Key, Any };

struct Variable {
    std::string name;
    Sort sort = Sort::Any;
    const DomainPlan* domain = nullptr; // of a key or a leaf
    bool integer_key = false;

    [[nodiscard]] bool is_numeric() const {
        return sort == Sort::Int || sort == Sort::Real || (sort == Sort::Key && integer_key);
    }
};

// The kinds from the state's root to a place; the last is that of the place itself.
using Trail = std::vector<const Kind*>;

// The variables bound at one point of a rule, and the root of the enclosing group.
struct Environment {
    Trail base;
    std::vector<Variable> bound;
    std::vector<std::string> spent; // may or may not be bound, so never mentioned again

    [[nodiscard]] bool is_bound(const std::string& name) const;
    [[nodiscard]] std::string fresh_name() const;
    void bind(Variable variable);
};

// A pattern for @use; it fits every place with the same trail.
struct NamedPattern {
    std::string name;
    Trail at;
    std::vector<Variable> binds;
};

// A random path from a group's root.
struct WrittenPath {
    std::string text;
    Trail at;
};

class Writer {
  public:
    Writer(Dice& dice, const Profile& profile, const Setting& setting)
        : dice_(dice), profile_(profile), setting_(setting) {}

    // The whole ruleset document, without its state.
    Document ruleset(bool table, const Document& state);

  private:
    // ---- expressions (write_condition.cpp)
    std::string number(const Environment& env, std::optional<Sort> current, int depth);
    std::string test(const Environment& env, std::optional<Sort> current, int depth);
    std::string any_value(const Environment& env, std::optional<Sort> current, int depth);
    std::string atom(const Environment& env, std::optional<Sort> current);
    std::string path_text(const Environment& env);
    const Variable* pick_variable(const Environment& env, bool (*wanted)(const Variable&));
    // As the value of a node, with "= " in front if nothing else marks it as an expression.
    static std::string as_value(const std::string& expression);
    static std::string quoted(const std::string& plain);

    // ---- conditions (write_condition.cpp)
    Document pattern(const Trail& at, Environment& env, int depth);
    Document object_pattern(const Trail& at, Environment& env, int depth);
    void add_entry(Document& object, const Trail& at, Environment& env, int depth);
    void add_child(Document& object, const Trail& at, Environment& env, int depth);
    void add_directive(Document& object, const Trail& at, Environment& env, int depth);
    void add_test(Document& object, Environment& env);
    void add_path(Document& object, Environment& env, int depth);
    void add_negation(Document& object, const Trail& at, const Environment& env, int depth);
    void add_alternatives(Document& object, const Trail& at, Environment& env, int depth);
    void add_aggregate(Document& object, const Trail& at, Environment& env, int depth);
    void add_use(Document& object, const Trail& at, Environment& env);
    void add_unique(Document& object, std::string key, Document value);
    Document below(const Trail& at, const Kind& child, Environment& env, int depth,
                   bool may_be_absent);
    // With `strict` writes no pattern that can never match, since that is an error of the ruleset.
    Document leaf_pattern(const Kind& kind, Environment& env, bool strict);
    std::string compared(const Kind& kind, const Environment& env, bool strict);
    Document leaf_literal(const Kind& kind, const Environment& env);
    std::string type_suffix(const Variable& variable);
    std::string child_key(const Kind& map, const Environment& env);
    WrittenPath random_path(const Environment& env, bool may_be_root, bool writable = false);
    // A value for the key `_`.
    std::string bare_test(const Environment& env, int depth);

    // ---- actions (write_rules.cpp)
    Document action(const Environment& env, int depth);
    Document action_tree(const Trail& at, const Environment& env, int depth);
    void add_change(Document& object, const Trail& at, const Environment& env, int depth);
    void add_child_change(Document& object, const Trail& at, const Environment& env, int depth);
    Document change(const Trail& at, const Environment& env, int depth);
    Document new_value(const Trail& at, const Environment& env);
    Document data(const Environment& env, int depth);
    Document call(const Environment& env);
    Document print(const Environment& env);

    // ---- rules (write_rules.cpp)
    Document group(const Environment& env, int depth, bool may_be_at_once = true);
    Document agenda(const Environment& env);
    Document rule(const Environment& env, int depth, GroupMode mode);
    Document table_rules(const Environment& env);
    Document some_skeleton(std::initializer_list<std::span<const Skeleton>> lists);
    [[nodiscard]] bool is_usable(const Skeleton& skeleton) const;
    void add_patterns(Document& ruleset);

    [[nodiscard]] bool has(std::uint32_t wanted) const { return profile_.has(wanted); }
    // `percent` if the feature is on, otherwise 0.
    [[nodiscard]] int if_on(std::uint32_t wanted, int percent) const {
        return has(wanted) ? percent : 0;
    }
    bool chance(std::uint32_t wanted, int percent) { return dice_.chance(if_on(wanted, percent)); }
    [[nodiscard]] bool is_declared(const Trail& at) const;
    [[nodiscard]] bool knows(const std::string& root_field) const;
    // The fields of a node, including constants if it is the state's root.
    [[nodiscard]] std::vector<std::pair<std::string, const Kind*>> fields_of(const Trail& at) const;

    Dice& dice_;
    const Profile& profile_;
    const Setting& setting_;
    std::vector<NamedPattern> patterns_;
    int names_ = 0;     // rules named so far
    int rules_ = 0;     // rules written so far
    bool calm_ = false; // the part being written must not draw random numbers
};

Variable variable_of_leaf(std::string name, const Kind& kind);
Variable variable_of_key(std::string name, const Kind& map);
// As a literal key: special characters doubled.
std::string literal_key(const std::string& key);
Trail operator+(const Trail& trail, const Kind& below);

} // namespace croupier::engine::reference
