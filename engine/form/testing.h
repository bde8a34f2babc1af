// Shared by the tests of the intermediate form: a module over a small ruleset, and functions made
// by hand.
#pragma once

#include "engine/form/build.h"
#include "engine/form/passes.h"
#include "engine/form/to_text.h"
#include "engine/language/testing.h"
#include "engine/reference/verify.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace croupier::engine::form {

// Cards in hands, a trump suit, a number; the rules are only there to be named.
inline constexpr const char* kCards = R"({
    "types": {"Seat": ["north", "south"], "Card": ["s7", "hA", "hK"], "Suit": ["spade", "heart"]},
    "constants": {"worth": {"s7": 0, "hA": 11, "hK": 4}},
    "shape": {"hands": {"$:Seat": {"$:Card": true}}, "suit": {"$:Card": "Suit"}, "trump": "Suit",
              "points": {"$:Seat": "0..200"}, "open": {"$": "any"}, "total": "int", "box": {"lid": "bool"}},
    "play": [{"name": "count", "condition": {"hands": {"$P": {"$C": true}}}, "action": {"total": "$this + 1"}}],
    "setup": [{"name": "again", "condition": {"total": "< 9"}, "action": {"total": "$this + 1"}, "repeat": 5},
             {"name": "one", "condition": {"trump": "$S"}, "first": true}],
    "score": {"at_once": true, "rules": [{"name": "reckon", "condition": {"total": "$T"}}]},
    "urgency": {"strategy": "depth", "rules": [{"name": "urgent", "condition": {"total": "$T"}, "salience": "$T"}]}
})";

// The data of a node besides operands and blocks.
struct NodeFields {
    std::uint32_t x = 0;
    std::uint32_t y = 0;
    std::int64_t number = 0;
    NoteId note = kNothing;
};

// As a field of a node.
inline std::uint32_t op(ExprOp which) {
    return static_cast<std::uint32_t>(which);
}
inline std::uint32_t op(KeyKind which) {
    return static_cast<std::uint32_t>(which);
}

class Maker {
  public:
    explicit Maker(std::string rules = kCards)
        : ruleset_(load_good(std::move(rules))), catalogue_(ruleset_) {
        module.catalogue = &catalogue_;
        function.blocks.emplace_back();
    }

    Module module;
    Function function; // block 0 is its body

    [[nodiscard]] Catalogue& catalogue() { return catalogue_; }

    // -- types --
    [[nodiscard]] static Type type(TypeKind kind) {
        Type made;
        made.kind = kind;
        return made;
    }
    [[nodiscard]] static Type integer(std::int64_t low = INT64_MIN, std::int64_t high = INT64_MAX) {
        return {TypeKind::Int, 0, low, high};
    }
    // Members of a domain as keys.
    std::uint32_t list(const std::string& domain, CodeList::Form form = CodeList::Form::Keys) {
        CodeList made;
        made.form = form;
        made.domain = catalogue_.layout->domain_id(domain);
        for (const Symbol member : catalogue_.layout->domain(made.domain).members) {
            made.values.push_back(form == CodeList::Form::Keys ? Value::key(member)
                                                               : Value::string(member));
        }
        return add_list(std::move(made));
    }
    std::uint32_t add_list(CodeList made) {
        for (std::uint32_t i = 0; i < module.lists.size(); ++i)
            if (module.lists[i].form == made.form && module.lists[i].domain == made.domain &&
                module.lists[i].low == made.low)
                return i;
        module.lists.push_back(std::move(made));
        return static_cast<std::uint32_t>(module.lists.size() - 1);
    }
    [[nodiscard]] Type code(const std::string& domain, CodeList::Form form = CodeList::Form::Keys) {
        return {TypeKind::Code, list(domain, form)};
    }
    [[nodiscard]] Type set(const std::string& domain) { return {TypeKind::Set, list(domain)}; }

    // -- names --
    [[nodiscard]] SchemaId schema(const std::string& path) const {
        for (SchemaId id = 0; id < catalogue_.layout->size(); ++id)
            if (catalogue_.layout->path(id) == path) return id;
        ADD_FAILURE() << path;
        return kNoSchema;
    }
    std::uint32_t symbol(const std::string& text) { return catalogue_.symbols.intern(text); }
    VarId var(std::string name, Type of) {
        function.vars.push_back({std::move(name), of});
        return static_cast<VarId>(function.vars.size() - 1);
    }
    std::uint32_t value(Value of) {
        module.values.push_back(of);
        return static_cast<std::uint32_t>(module.values.size() - 1);
    }
    NoteId note(const std::string& rule, std::uint32_t entry) {
        module.notes.push_back({Span{}, catalogue_.rule_id(rule), entry});
        return static_cast<NoteId>(module.notes.size() - 1);
    }

    // -- nodes --
    Id node(Kind kind, Type of, std::vector<Id> operands = {}, NodeFields fields = {},
            std::vector<BlockId> blocks = {}) {
        function.nodes.push_back({{kind, fields.x, fields.y, fields.number},
                                  of,
                                  fields.note,
                                  std::move(operands),
                                  std::move(blocks)});
        return static_cast<Id>(function.nodes.size() - 1);
    }
    Id statement(Kind kind, std::vector<Id> operands = {}, NodeFields fields = {},
                 std::vector<BlockId> blocks = {}) {
        return node(kind, {}, std::move(operands), fields, std::move(blocks));
    }
    BlockId block(std::vector<Id> statements) {
        function.blocks.push_back({std::move(statements)});
        return static_cast<BlockId>(function.blocks.size() - 1);
    }
    // Uses of variables, and constants.
    Id use(VarId of) { return node(Kind::Variable, function.vars.at(of).type, {}, {of}); }
    Id truth(bool is) {
        return node(Kind::Constant, type(TypeKind::Truth), {}, {0, 0, is ? 1 : 0});
    }
    Id number(std::int64_t n) { return node(Kind::Constant, integer(n, n), {}, {0, 0, n}); }
    Id any(Value of) { return node(Kind::Constant, type(TypeKind::Any), {}, {value(of)}); }
    Id row(const std::string& domain, std::int64_t code_of) {
        return node(Kind::Constant, code(domain), {}, {0, 0, code_of});
    }
    Id name(const std::string& text) {
        return node(Kind::Name, type(TypeKind::Key), {}, {symbol(text)});
    }
    Id root() { return node(Kind::Root, type(TypeKind::Node)); }

    // Sets the body: a group whose first rule has this search and action. Variables `first` and
    // following have the values of the search's results.
    void rule(std::vector<Id> search, std::vector<Id> action, VarId first = 0,
              std::int64_t count = 0) {
        apply_ = statement(Kind::Apply, {}, {catalogue_.rule_id("count"), first, count},
                           {block(std::move(search)), block(std::move(action)), block({})});
        function.group = catalogue_.group_id("play");
        body({statement(Kind::Group, {}, {function.group}, {block({apply_})})});
    }
    [[nodiscard]] Id apply() const { return apply_; } // of that rule
    void body(std::vector<Id> statements) { function.blocks[0].statements = std::move(statements); }

  private:
    Ruleset ruleset_;
    Catalogue catalogue_;
    Id apply_ = kNothing;
};

inline const Type kTruth = Maker::type(TypeKind::Truth);
inline const Type kAny = Maker::type(TypeKind::Any);
inline const Type kKey = Maker::type(TypeKind::Key);
inline const Type kNode = Maker::type(TypeKind::Node);
inline const Type kArgument = Maker::type(TypeKind::Argument);

// The verifier's messages, without the numbers of the nodes.
inline std::string faults(const Maker& made) {
    std::string all;
    for (const std::string& each : verify(made.module, made.function)) {
        const bool numbered = each.rfind("node ", 0) == 0;
        all += (all.empty() ? "" : "\n") + each.substr(numbered ? each.find(' ', 5) + 1 : 0);
    }
    return all;
}

// The faults of a rule with this action, or with this search.
inline std::string faults_in_action(Maker& m, std::vector<Id> statements) {
    m.rule({m.statement(Kind::Yield)}, std::move(statements));
    return faults(m);
}

inline std::string faults_in_search(Maker& m, std::vector<Id> statements) {
    statements.push_back(m.statement(Kind::Yield));
    m.rule(std::move(statements), {});
    return faults(m);
}

// The faults of a value, or of a node of the tree.
inline std::string faults_of(Maker& m, Id operand) {
    const Kind user =
        m.function.nodes[operand].type.kind == TypeKind::Node ? Kind::Do : Kind::Print;
    return faults_in_action(m, {m.statement(user, {operand})});
}

// The text of the form that is built from rules.

struct Shown {
    bool observed = false;
    bool notes = false;
};

// All groups of a ruleset.
inline std::string built(const std::string& rules, Shown shown = {}) {
    const Ruleset ruleset = load_good(rules);
    Catalogue catalogue(ruleset);
    const std::unique_ptr<Module> module = build(catalogue, shown.observed);
    std::string text = "\n";
    for (const Function& function : module->functions) {
        EXPECT_EQ(verify(*module, function), std::vector<std::string>{});
        text += to_text(*module, function, shown.notes);
    }
    return text;
}

// All groups of a ruleset after all passes up to that one.
inline std::string after(std::string_view last, const std::string& rules) {
    const Ruleset ruleset = load_good(rules);
    Catalogue catalogue(ruleset);
    const std::unique_ptr<Module> module = build(catalogue);
    for (const Pass& pass : passes()) {
        for (Function& function : module->functions) {
            pass.run(*module, function);
            EXPECT_EQ(verify(*module, function), std::vector<std::string>{}) << pass.name;
        }
        if (pass.name == last) break;
    }
    std::string text = "\n";
    for (const Function& function : module->functions)
        text += to_text(*module, function);
    return text;
}

// The lines between the first that begins with `from` and the next that begins with `to`, without
// the indentation that they share.
inline std::string lines_between(const std::string& text, const std::string& from,
                                 const std::string& to) {
    constexpr std::size_t kIndent = 8;
    const std::size_t head = text.find("\n    " + from);
    const std::size_t end = text.find("\n    " + to, head + 1);
    std::string lines = "\n";
    std::size_t begin = text.find('\n', head + 1) + 1;
    while (begin < end && end != std::string::npos) {
        const std::size_t next = text.find('\n', begin) + 1;
        lines += text.substr(begin + kIndent, next - begin - kIndent);
        begin = next;
    }
    return lines;
}

// The search of a rule with that condition.
inline std::string searched(const std::string& condition) {
    return lines_between(built(R"([{"name": "r", "condition": )" + condition + "}]"), "rule r {",
                         "} do");
}

// The action of a rule that binds $X.
inline std::string acted(const std::string& action) {
    return lines_between(
        built(R"([{"name": "r", "condition": {"x": "$X"}, "action": )" + action + "}]"), "} do",
        "}");
}

} // namespace croupier::engine::form
