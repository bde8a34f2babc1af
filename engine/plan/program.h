// A compiled ruleset: layout, plans and tables. Immutable once built, shared by threads.
#pragma once

#include "engine/lang/ruleset.h"
#include "engine/plan/agenda_plan.h"
#include "engine/plan/op.h"
#include "engine/tree/layout.h"
#include "engine/tree/state.h"
#include "engine/tree/symbols.h"
#include "engine/tree/value.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace croupier::engine {

namespace native {
class Code;
}
namespace emit {
struct Form;
}

using ExprId = std::uint32_t;
using GroupId = std::uint32_t;
using RuleId = std::uint32_t;
inline constexpr std::uint32_t kNone = 0xffffffff;

// A node of a compiled expression; arguments are in `Program::expr_args`.
struct ExprNode {
    ExprOp op = ExprOp::Literal;
    std::uint16_t reg = kNoRegister; // Variable
    std::uint32_t first = 0;         // arguments, or the path of Size
    std::uint32_t count = 0;
    bool needs_this = false;
    Value literal;
    Span span;
};

// A key made of parts; a single part is a plain key or a variable.
struct KeyPlan {
    struct Part {
        Symbol text = kNoSymbol;
        std::uint16_t reg = kNoRegister;
    };
    std::vector<Part> parts;
};

// A path from the root of the group at hand, from `up` levels above it, or from the state's root.
// Segments are indices into `Program::keys`.
struct PathPlan {
    bool from_state = false;
    std::uint32_t up = 0;
    std::vector<std::uint32_t> segments;
    SchemaId fixed = kNoSchema; // whatever the state, it leads to the only instance of that schema
};

struct TypePlan {
    enum class Kind : std::uint8_t { Any, Int, Double, Number, String, Bool, Null, Domain };
    Kind kind = Kind::Any;
    std::uint32_t domain = 0;
};

struct CallPlan {
    std::string function;
    struct Argument {
        std::string name;
        std::uint32_t path = kNone;
        ExprId expr = kNone;
    };
    std::vector<Argument> arguments;
    [[nodiscard]] const Argument* find(std::string_view name) const;
};

// Data made from scratch: a value, or children whose keys are in `Program::keys`.
struct DataPlan {
    ActionKind kind = ActionKind::Set;
    ExprId expr = kNone;
    struct Child {
        std::uint32_t key = kNone;
        std::uint32_t data = kNone;
    };
    std::vector<Child> children;
};

struct PrintPlan {
    struct Part {
        std::string text;
        ExprId expr = kNone;
    };
    std::vector<Part> parts;
};

// Rows of a map by how a number of the constants compares with a bound: where the numbers are small
// integers, a mask for each bound from `low` (below all of them) on; else row by row.
struct LimitPlan {
    ExprOp compare = ExprOp::Equal;
    std::vector<Value> values; // by row
    std::int64_t low = 0;
    std::vector<std::uint64_t> masks;
};

struct Variable {
    std::string name;
    std::uint16_t reg = kNoRegister;
    std::uint32_t entry = 0; // of the condition, that binds it
};

struct RulePlan {
    std::string name;
    Span span;
    std::uint32_t match = kNone; // where its condition's ops begin; none: matches once
    std::uint32_t action = kNone;
    std::uint32_t otherwise = kNone;
    std::uint32_t repeat = 1;
    bool first = false;
    std::optional<bool> log;
    ExprId salience = kNone;         // none: 0
    std::vector<Variable> variables; // that its condition binds, in order of first binding
    const Rule* source = nullptr;
};

struct GroupPlan {
    std::string name;
    GroupMode mode = GroupMode::Sequential;
    std::uint16_t root = 0; // the node register that holds the group's root
    std::vector<RuleId> rules;
    Span span;
    std::uint32_t chain = kNone; // all its rules as one piece of code; unused while observed
    bool is_slow = false; // a rule goes the general way, or an action runs a group without chain
    std::shared_ptr<const AgendaPlan> agenda; // of an agenda group
};

// What an op stands for in the ruleset.
struct Note {
    Span span;
    RuleId rule = kNone;
    std::uint32_t entry = kNone; // condition entry of the rule
};

struct CompileOptions {
    // The twin with Try, Pass, Cut, Before, After: for trace, why and profile.
    bool observed = false;
    // Conditions over declared paths by masks of rows. Off only to test that it changes nothing.
    bool rows = true;
    // Groups that plans take apart by their intermediate form. Off only to test plans.
    bool form = true;
};

class Program {
  public:
    // The ruleset must be free of errors and outlive the program.
    Program(const Ruleset& ruleset, const CompileOptions& options = {});
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    [[nodiscard]] const Ruleset& ruleset() const { return *ruleset_; }
    [[nodiscard]] const GroupPlan* group(std::string_view name) const;
    [[nodiscard]] GroupId group_id(std::string_view name) const; // kNone if there is none
    [[nodiscard]] RuleId rule_id(std::string_view name) const;
    // The number of a type as rules write it, in `types`, where it is added if it is not there yet.
    std::uint32_t type_id(const TypeName& name);
    // A fresh state holding the ruleset's `state`.
    [[nodiscard]] State initial_state() const;
    // Whether the constants have a node of that name, which the state's root then cannot have.
    [[nodiscard]] bool has_constant(Symbol name) const {
        return constants != nullptr && constants->child(constants->root(), name);
    }
    // Replaces the state with a document from outside; what is wrong with it goes to `diagnostics`.
    bool import(State& state, const Document& document, Diagnostics& diagnostics) const;

    Symbols symbols;
    std::unique_ptr<Layout> layout;
    std::unique_ptr<Layout> constants_layout;
    std::unique_ptr<State> constants; // null if there are none

    std::vector<Op> code;
    std::vector<ExprNode> exprs;
    std::vector<ExprId> expr_args;
    std::vector<KeyPlan> keys;
    std::vector<PathPlan> paths;
    std::vector<TypePlan> types;
    std::vector<Value> values; // constants of tests, tables of the constants, keys of domains
    std::vector<std::uint64_t> masks; // rows of domains for which a constant has some value
    std::vector<std::vector<ExprId>> lists;
    std::vector<LimitPlan> limits;
    std::vector<std::uint32_t> jumps;
    std::vector<DataPlan> data;
    std::vector<CallPlan> calls;
    std::vector<PrintPlan> prints;
    std::vector<Note> notes;
    std::vector<RulePlan> rules;
    std::vector<GroupPlan> groups;
    std::unordered_map<const Group*, GroupId> inner_groups; // those in actions
    std::uint16_t value_registers = 1;
    std::uint16_t node_registers = 0;
    std::uint16_t cursor_registers = 0;

    std::deque<Group> agendas; // agenda groups as they are compiled; they stay where they are
    std::shared_ptr<const native::Code> native; // null: plans can only be interpreted
    std::shared_ptr<const emit::Form> form; // of groups that run another way; null: there are none

  private:
    const Ruleset* ruleset_;
};

} // namespace croupier::engine
