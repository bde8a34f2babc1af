// Checks a function as a whole: the places of its nodes, their blocks, and the variables known
// there.
#include "engine/reference/verify.h"

#include "engine/form/evaluate.h"
#include "engine/form/form.h"
#include "engine/form/to_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace croupier::engine::form {

// Tracks the variables known at a place of a function.

class Scope {
  public:
    explicit Scope(std::size_t variables) : set_(variables), known_(variables) {}

    [[nodiscard]] std::size_t variables() const { return set_.size(); }
    [[nodiscard]] bool knows(VarId var) const { return known_[var] != 0; }
    // Makes the variable known. Returns false if another place has set it.
    bool add(VarId var) {
        known_[var] = 1;
        order_.push_back(var);
        return std::exchange(set_[var], 1) == 0;
    }
    // Remembers the current point for forget().
    [[nodiscard]] std::size_t mark() const { return order_.size(); }
    void forget(std::size_t mark) {
        for (; order_.size() > mark; order_.pop_back())
            known_[order_.back()] = 0;
    }

  private:
    std::vector<char> set_; // by variable
    std::vector<char> known_;
    std::vector<VarId> order_; // those known
};

// Checks a node wherever it is: its operands, its result, the objects its fields refer to.

// Whether a value of that type may be used where `wanted` is expected.
bool fits(const Type& type, const Type& wanted);
inline bool has_list(const Type& type) {
    return type.kind == TypeKind::Code || type.kind == TypeKind::Set;
}

class NodeCheck {
  public:
    NodeCheck(const Module& module, const Function& function)
        : module_(module), function_(function) {}

    // Returns the errors of the node; its operands must be nodes of the function.
    std::vector<std::string> check(const Node& node);
    // Returns the errors of a type by itself.
    std::vector<std::string> check(const Type& type);

  private:
    void operands(const Node& node);
    void result(const Node& node);
    // -- by kind --
    bool fields(const Node& node);
    void kind(const Node& node);
    void constant(const Node& node);
    void operators(const Node& node);
    void variable(VarId var, const Type& type, const char* what);
    void set_variables(const Node& node);
    void total(VarId var, const Type& type, const char* what);
    void gather(const Node& node);
    std::uint64_t entries(const Node& node, std::size_t first, const LookupTable& table);
    void order(const Node& node);
    void table(const Node& node);
    void related(const Node& node);
    void call(const Node& node);
    // -- declared nodes --
    void declared(const Node& node);
    void all_rows(const Node& node, const SchemaNode& schema);
    void rows(const Node& node, SchemaId schema, std::size_t from);
    void loaded(const Node& node, const SchemaNode& schema);
    [[nodiscard]] bool is_of_domain(const Type& type, std::uint32_t domain) const;

    void wrong(std::string text) { faults_.push_back(std::move(text)); }
    // Reports an error unless `index` is below `size`.
    bool in_range(const char* what, std::uint64_t index, std::uint64_t size);
    // The list of the type, or an empty one.
    [[nodiscard]] const CodeList& list_of(const Type& type) const {
        static const CodeList kNoList;
        return type.list < module_.lists.size() ? module_.lists[type.list] : kNoList;
    }
    [[nodiscard]] const Type& type_of(const Node& node, std::size_t operand) const {
        return function_.nodes[node.operands[operand]].type;
    }

    const Module& module_;
    const Function& function_;
    std::vector<std::string> faults_;
};

namespace {

// Whether a node with these letters may have `count` operands, or blocks.
bool takes(std::string_view letters, std::size_t count) {
    return letters.find('*') == std::string_view::npos ? count == letters.size()
                                                       : count + 2 >= letters.size();
}

// The receiver of the results of a search.
struct Taker {
    enum class Wants { NoSearch, Nothing, Values, Variables };
    Wants wants = Wants::NoSearch;
    VarId first = 0; // Variables: of those that get the values
    std::int64_t count = 0;
    bool of_rule = false;
};

class Verifier {
  public:
    Verifier(const Module& module, const Function& function)
        : module_(module), function_(function), check_(module, function),
          placed_(function.nodes.size()), placed_blocks_(function.blocks.size()),
          scope_(function.vars.size()), names_(variable_texts(function)) {}

    std::vector<std::string> verify() {
        for (VarId var = 0; var < function_.vars.size(); ++var)
            for (const std::string& each : check_.check(function_.vars[var].type))
                faults_.push_back(fmt::format("variable {} {}: {}", var, names_[var], each));
        if (!faults_.empty()) return std::move(faults_); // messages name types
        block(function_.body, {});
        body();
        return std::move(faults_);
    }

  private:
    void wrong(const std::string& text) {
        std::string where = "function";
        if (node_ != kNothing) {
            const Node& node = function_.nodes[node_];
            where = fmt::format("node {} {}", node_, info_of(node.kind).name);
        }
        if (rule_ < module_.catalogue->rules.size())
            where += fmt::format(" (rule {})", module_.catalogue->rules[rule_].name);
        faults_.push_back(where + ": " + text);
    }

    // The body must be one group: the function's.
    void body() {
        const Node* group = only(Kind::Group, function_.body);
        if (group == nullptr || group->group() != function_.group ||
            function_.blocks[function_.body].statements.size() != 1)
            wrong(fmt::format("its body is not just group {}", function_.group));
    }

    void block(BlockId id, const Taker& taker) {
        if (id >= function_.blocks.size()) {
            wrong(fmt::format("block {} of {}", id, function_.blocks.size()));
            return;
        }
        if (std::exchange(placed_blocks_[id], 1) != 0) {
            wrong(fmt::format("block {} has a second place", id));
            return;
        }
        const std::size_t before = scope_.mark();
        const Id around = node_;
        bool loop = false; // then only a Fail may follow, for when no way is left
        for (const Id each : function_.blocks[id].statements) {
            if (!place(each)) continue;
            node_ = each;
            const Node& node = function_.nodes[each];
            if (loop && node.kind != Kind::Fail) wrong("it stands behind a loop, not in its block");
            statement(node, taker);
            loop = loop || info_of(node.kind).blocks.find('c') != std::string_view::npos;
            node_ = around;
        }
        scope_.forget(before);
    }

    bool place(Id id) {
        if (id >= function_.nodes.size()) {
            wrong(fmt::format("node {} of {}", id, function_.nodes.size()));
            return false;
        }
        if (std::exchange(placed_[id], 1) != 0) {
            wrong(fmt::format("node {} {} has a second place", id,
                              info_of(function_.nodes[id].kind).name));
            return false;
        }
        return true;
    }

    void statement(const Node& node, const Taker& taker) {
        const bool search = taker.wants != Taker::Wants::NoSearch;
        const KindInfo& info = info_of(node.kind);
        if (info.result != '-')
            wrong("it is an operand, not a statement");
        else if (info.stands.find(search ? 's' : 'b') == std::string_view::npos)
            wrong(search ? "it stands in a search" : "it stands outside all searches");
        const RuleId around = rule_;
        if (node.kind == Kind::Apply) rule_ = node.rule();
        by_itself(node, search);
        if (node.kind == Kind::Yield || node.kind == Kind::YieldRows)
            yield(node, taker);
        else if (node.kind == Kind::Group)
            rules(node);
        else if (node.kind == Kind::GroupBelow)
            group(node);
        blocks(node, taker);
        if (lets_rows(node.kind) || node.kind == Kind::Let || node.kind == Kind::Gather)
            set(node.var(), node.vars());
        rule_ = around;
    }

    // Checks the node and its operands; they must all be nodes for a check of the node itself.
    void by_itself(const Node& node, bool search) {
        bool all = true;
        const Id here = node_;
        for (const Id each : node.operands) {
            all = all && each < function_.nodes.size();
            if (place(each)) {
                node_ = each;
                operand(function_.nodes[each], search);
                node_ = here;
            }
        }
        for (const std::string& each : all ? check_.check(node) : std::vector<std::string>{})
            wrong(each);
    }

    void operand(const Node& node, bool search) {
        if (search && info_of(node.kind).has('W')) wrong("it stands in a search");
        by_itself(node, search);
        if (node.kind == Kind::Variable && node.var() < scope_.variables() &&
            !scope_.knows(node.var()))
            wrong(fmt::format("{} is not known here", names_[node.var()]));
    }

    void set(VarId first, std::int64_t count) {
        for (std::int64_t i = 0; i < count; ++i) {
            const std::uint64_t var = first + static_cast<std::uint64_t>(i);
            if (var >= scope_.variables()) {
                wrong(fmt::format("variable {} of {}", var, scope_.variables()));
                return;
            }
            if (!scope_.add(static_cast<VarId>(var)))
                wrong(fmt::format("{} is set in a second place", names_[var]));
        }
    }

    // Makes the node's variables known in the blocks that its kind names.
    void blocks(const Node& node, const Taker& outer) {
        const std::size_t before = scope_.mark();
        const KindInfo& info = info_of(node.kind);
        const std::size_t count = node.blocks.size();
        for (std::size_t i = 0; takes(info.blocks, count) && i < count; ++i) {
            std::size_t at = i;
            if (node.kind == Kind::Apply && (i == 1 || i == 2))
                at = 3 - i; // first the block for no result: no values are known in it
            if (node.kind == Kind::EachChild && node.key_var() != kNothing) set(node.key_var(), 1);
            if (node.kind == Kind::EachChild || node.kind == Kind::EachRow ||
                (node.kind == Kind::Alternatives && i + 1 == count))
                set(node.var(), node.vars());
            else if (node.kind == Kind::Apply && at == 1)
                set(node.results(), node.vars());
            const char letter = info.block(at, count);
            block(node.blocks[at], letter == 'c'   ? outer
                                   : letter == 's' ? taker_of(node, at)
                                                   : Taker{});
        }
        scope_.forget(before);
    }

    static Taker taker_of(const Node& node, std::size_t block) {
        switch (node.kind) {
        case Kind::Alternatives:
            return {Taker::Wants::Variables, node.var(), node.vars()};
        case Kind::Apply:
            return block == 0 ? Taker{Taker::Wants::Variables, node.results(), node.vars(), true}
                              : Taker{Taker::Wants::Values, 0, 1};
        case Kind::Gather:
            return {Taker::Wants::Values, 0, node.gathers() == KeyKind::Count ? 0 : 1};
        default:
            return {Taker::Wants::Nothing};
        }
    }

    void yield(const Node& node, const Taker& taker) {
        if (taker.wants == Taker::Wants::NoSearch) return;
        const auto count = static_cast<std::int64_t>(node.operands.size());
        if (node.kind == Kind::YieldRows && !taker.of_rule) wrong("no rule takes its rows");
        if (count != taker.count) {
            wrong(fmt::format("it gives {} values; {} are wanted", count, taker.count));
            return;
        }
        for (std::size_t i = 0; taker.wants == Taker::Wants::Variables && i < node.operands.size();
             ++i) {
            const std::uint64_t var = taker.first + i;
            const Id operand = node.operands[i];
            if (var < function_.vars.size() && operand < function_.nodes.size() &&
                !fits(function_.nodes[operand].type, function_.vars[var].type)) {
                wrong(fmt::format("value {} is {}; {} is {}", i + 1,
                                  name_of(module_, function_.nodes[operand].type), names_[var],
                                  name_of(module_, function_.vars[var].type)));
            }
        }
    }

    // The only statement of that kind in the block, or null.
    [[nodiscard]] const Node* only(Kind kind, BlockId id) const {
        const Node* found = nullptr;
        if (id < function_.blocks.size()) {
            for (const Id each : function_.blocks[id].statements) {
                if (each < function_.nodes.size() && function_.nodes[each].kind == kind) {
                    if (found != nullptr) return nullptr;
                    found = &function_.nodes[each];
                }
            }
        }
        return found;
    }

    // Expects a block with an Apply for each rule of the group. Rules that never do anything may be
    // missing, except in an agenda.
    void rules(const Node& node) {
        if (node.group() >= module_.catalogue->groups.size()) return;
        const std::vector<RuleId>& wanted = module_.catalogue->groups[node.group()].rules;
        const bool all = module_.catalogue->groups[node.group()].mode == GroupMode::Agenda;
        if (node.blocks.size() > wanted.size() || (all && node.blocks.size() < wanted.size())) {
            wrong(fmt::format("{} blocks for {} rules", node.blocks.size(), wanted.size()));
            return;
        }
        auto next = wanted.begin();
        for (std::size_t i = 0; i < node.blocks.size(); ++i) {
            const Node* apply = only(Kind::Apply, node.blocks[i]);
            const auto found =
                apply == nullptr ? wanted.end() : std::find(next, wanted.end(), apply->rule());
            if (found == wanted.end() || (all && found != next)) {
                wrong(fmt::format("block {} does not apply {}", i + 1,
                                  next == wanted.end() ? std::string("a rule of the group")
                                                       : fmt::format("rule {}", *next)));
                return;
            }
            next = found + 1;
        }
    }

    void group(const Node& node) {
        if (node.blocks.size() == 1 && only(Kind::Group, node.blocks[0]) == nullptr)
            wrong("its block has no group of its own");
    }

    const Module& module_;
    const Function& function_;
    NodeCheck check_;
    std::vector<std::string> faults_;
    std::vector<char> placed_; // nodes
    std::vector<char> placed_blocks_;
    Scope scope_;
    std::vector<std::string> names_;
    Id node_ = kNothing;  // the current one
    RuleId rule_ = kNone; // of the enclosing Apply
};

} // namespace

std::vector<std::string> verify(const Module& module, const Function& function) {
    return Verifier(module, function).verify();
}

// Checks nodes that refer to declared nodes: their schemas, the rows on the path, their contents.

// Codes of members, in any form, are rows.
bool NodeCheck::is_of_domain(const Type& type, std::uint32_t domain) const {
    const CodeList& list = list_of(type);
    return list.form != CodeList::Form::Truths && list.form != CodeList::Form::Range &&
           list.domain == domain;
}

void NodeCheck::declared(const Node& node) {
    const Layout& layout = *module_.catalogue->layout;
    const SchemaNode& schema = layout.node(node.schema());
    if (!schema.dense) {
        wrong(fmt::format("{} has no place of its own", layout.path(node.schema())));
        return;
    }
    if (node.kind == Kind::StoreRows || node.kind == Kind::EraseRows) {
        all_rows(node, schema);
        return;
    }
    rows(node, node.schema(), node.kind == Kind::Store || node.kind == Kind::RowsWith ? 1 : 0);
    if (node.kind == Kind::Rows || node.kind == Kind::RowsWith) {
        if (schema.kind != ShapeKind::Map || schema.domain == 0) {
            wrong(fmt::format("{} is no map over a domain", layout.path(node.schema())));
        } else if (!is_of_domain(node.type, schema.domain)) {
            wrong(fmt::format("its result is {}; the map's rows are {}",
                              name_of(module_, node.type), layout.domain(schema.domain).name));
        }
    } else if (node.kind == Kind::Load) {
        loaded(node, schema);
    } else if (node.kind == Kind::Store && !schema.is_leaf()) {
        wrong(fmt::format("{} is no leaf", layout.path(node.schema())));
    } else if (node.kind == Kind::Erase && schema.parent == kNoSchema) {
        wrong("the root cannot go");
    }
}

// The set must have rows of the innermost map; the other maps have codes.
void NodeCheck::all_rows(const Node& node, const SchemaNode& schema) {
    const Layout& layout = *module_.catalogue->layout;
    const std::size_t set = node.kind == Kind::StoreRows ? 1 : 0;
    if (schema.parent == kNoSchema || layout.node(schema.parent).kind != ShapeKind::Map) {
        wrong(fmt::format("{} does not stand in a map", layout.path(node.schema())));
        return;
    }
    if (!is_of_domain(type_of(node, set), layout.node(schema.parent).domain)) {
        wrong(fmt::format("operand {} is {}; the map's rows are {}", set + 1,
                          name_of(module_, type_of(node, set)),
                          layout.domain(layout.node(schema.parent).domain).name));
    }
    rows(node, schema.parent, set + 1);
    if (node.kind == Kind::StoreRows && !schema.is_leaf())
        wrong(fmt::format("{} is no leaf", layout.path(node.schema())));
}

// Expects one operand for each map above, the outermost first.
void NodeCheck::rows(const Node& node, SchemaId schema, std::size_t from) {
    const Layout& layout = *module_.catalogue->layout;
    std::vector<std::uint32_t> domains;
    for (SchemaId at = layout.node(schema).parent; at != kNoSchema; at = layout.node(at).parent)
        if (layout.node(at).kind == ShapeKind::Map)
            domains.insert(domains.begin(), layout.node(at).domain);
    if (node.operands.size() - from != domains.size()) {
        wrong(fmt::format("{} rows for {}", node.operands.size() - from, layout.path(schema)));
        return;
    }
    for (std::size_t i = 0; i < domains.size(); ++i) {
        const Type& type = type_of(node, from + i);
        if (!is_of_domain(type, domains[i])) {
            wrong(fmt::format("operand {} is {}; the rows are {}", from + i + 1,
                              name_of(module_, type), layout.domain(domains[i]).name));
        }
    }
}

// Codes must be those of the column; integers have their own column.
void NodeCheck::loaded(const Node& node, const SchemaNode& schema) {
    const Type& type = node.type;
    bool good = schema.is_leaf() || schema.kind == ShapeKind::Any;
    if (type.kind == TypeKind::Int) {
        good = schema.kind == ShapeKind::Int;
    } else if (type.kind == TypeKind::Truth) {
        good = false; // it may be absent
    } else if (type.kind == TypeKind::Code) {
        const CodeList& list = list_of(type);
        switch (schema.kind) {
        case ShapeKind::Member:
            good = is_of_domain(type, schema.domain);
            break;
        case ShapeKind::Unit: // true if present
        case ShapeKind::Bool:
            good = list.form == CodeList::Form::Truths;
            break;
        case ShapeKind::Int:
            good = list.form == CodeList::Form::Range && list.low == schema.low &&
                   list.values.size() - 1 == static_cast<std::uint64_t>(schema.high) -
                                                 static_cast<std::uint64_t>(schema.low);
            break;
        default:
            good = false;
        }
    }
    if (!good) {
        wrong(fmt::format("{} has no value that is {}",
                          module_.catalogue->layout->path(node.schema()), name_of(module_, type)));
    }
}

// Checks one node by itself.

namespace {

bool has_letter(const Type& type, char letter) {
    switch (letter) {
    case 't':
        return type.kind == TypeKind::Truth;
    case 'i':
        return type.kind == TypeKind::Int;
    case 'c':
        return type.kind == TypeKind::Code;
    case 'a':
        return type.kind == TypeKind::Any;
    case 'v':
        return type.is_value();
    case 'k':
        return type.kind == TypeKind::Key;
    case 'n':
        return type.kind == TypeKind::Node;
    case 'x':
        return type.is_value() || type.kind == TypeKind::Node;
    case 's':
        return type.kind == TypeKind::Set;
    case 'r':
        return type.kind == TypeKind::Set || type.is_value();
    case 'd':
        return type.kind == TypeKind::Data;
    case 'w':
        return type.kind == TypeKind::Member;
    case 'q':
        return type.kind == TypeKind::Argument;
    default:
        return type.kind == TypeKind::None;
    }
}

std::string_view meaning_of(char letter) {
    switch (letter) {
    case 't':
        return "truth";
    case 'i':
        return "integer";
    case 'c':
        return "code";
    case 'a':
    case 'v':
        return "value";
    case 'k':
        return "key";
    case 'n':
        return "node";
    case 'x':
        return "value or node";
    case 's':
        return "set";
    case 'r':
        return "set or value";
    case 'd':
        return "data";
    case 'w':
        return "member";
    case 'q':
        return "argument";
    default:
        return "none";
    }
}

} // namespace

bool fits(const Type& type, const Type& wanted) {
    if (wanted.kind == TypeKind::Any) return type.is_value();
    return type.kind == wanted.kind && (!has_list(type) || type.list == wanted.list) &&
           (type.kind != TypeKind::Int || (type.low >= wanted.low && type.high <= wanted.high));
}

std::vector<std::string> NodeCheck::check(const Node& node) {
    faults_.clear();
    operands(node);
    result(node);
    if (node.note != kNothing) in_range("note", node.note, module_.notes.size());
    if (faults_.empty()) // the rest relies on operands of the right number and types
        kind(node);
    return std::move(faults_);
}

std::vector<std::string> NodeCheck::check(const Type& type) {
    faults_.clear();
    if (type.kind == TypeKind::Int && type.low > type.high)
        wrong(fmt::format("no integer is in {}..{}", type.low, type.high));
    if (has_list(type) && in_range("list", type.list, module_.lists.size())) {
        const CodeList& list = module_.lists[type.list];
        const bool of_domain =
            list.form != CodeList::Form::Truths && list.form != CodeList::Form::Range &&
            (list.form != CodeList::Form::Keys || list.domain != 0); // keys of constants
        const Layout& layout = *module_.catalogue->layout;
        if (of_domain && in_range("domain", list.domain, layout.domain_count()) &&
            list.values.size() != layout.domain(list.domain).size()) {
            wrong(fmt::format("list {} has {} values, its domain {} members", type.list,
                              list.values.size(), layout.domain(list.domain).size()));
        }
    }
    return std::move(faults_);
}

bool NodeCheck::in_range(const char* what, std::uint64_t index, std::uint64_t size) {
    if (index >= size)
        wrong(fmt::format("{} {} of {}", what, static_cast<std::int64_t>(index), size));
    return index < size;
}

void NodeCheck::operands(const Node& node) {
    const KindInfo& info = info_of(node.kind);
    const std::size_t count = node.operands.size();
    if (!takes(info.blocks, node.blocks.size()))
        wrong(fmt::format("{} blocks; wanted \"{}\"", node.blocks.size(), info.blocks));
    if (!takes(info.operands, count)) {
        wrong(fmt::format("{} operands; wanted \"{}\"", count, info.operands));
        return;
    }
    for (std::size_t i = 0; i < count; ++i) {
        const char letter = KindInfo::letter(info.operands, i, count);
        // Where any value is wanted, the more special types will do.
        if (!has_letter(type_of(node, i), letter == 'a' ? 'v' : letter)) {
            wrong(fmt::format("operand {} is {}; wanted {}", i + 1,
                              name_of(module_, type_of(node, i)), meaning_of(letter)));
        }
    }
}

void NodeCheck::result(const Node& node) {
    const char letter = info_of(node.kind).result;
    if (!has_letter(node.type, letter)) {
        wrong(fmt::format("its result is {}; wanted {}", name_of(module_, node.type),
                          meaning_of(letter)));
    }
    std::vector<std::string> before = std::move(faults_);
    for (std::string& each : check(node.type))
        before.push_back(std::move(each));
    faults_ = std::move(before);
}

// Checks specific to a node's kind.

void NodeCheck::kind(const Node& node) {
    if (!fields(node)) return;
    if (is_declared(node.kind)) declared(node);
    switch (node.kind) {
    case Kind::Constant:
        constant(node);
        break;
    case Kind::Variable:
        if (in_range("variable", node.var(), function_.vars.size())) {
            const Type& type = function_.vars[node.var()].type;
            if (type.kind != node.type.kind || (has_list(type) && type.list != node.type.list)) {
                wrong(fmt::format("is {}, its variable {}", name_of(module_, node.type),
                                  name_of(module_, type)));
            }
        }
        break;
    case Kind::Spread:
        if (type_of(node, 1).list != node.type.list)
            wrong(fmt::format("is {}, its places {}", name_of(module_, node.type),
                              name_of(module_, type_of(node, 1))));
        break;
    case Kind::Compare:
    case Kind::Arithmetic:
    case Kind::Calculate:
    case Kind::Choose:
    case Kind::Given:
        operators(node);
        break;
    case Kind::Table:
    case Kind::TableRows:
        table(node);
        break;
    case Kind::Let:
    case Kind::LetRows:
    case Kind::EachChild:
    case Kind::EachRow:
        set_variables(node);
        break;
    case Kind::LetTouching:
    case Kind::LetCounts:
        related(node);
        break;
    case Kind::Gather:
        gather(node);
        break;
    case Kind::Apply:
        if (node.blocks.size() > 4)
            wrong(fmt::format("{} blocks; wanted 3 or 4", node.blocks.size()));
        break;
    case Kind::Call:
        call(node);
        break;
    default:
        break;
    }
}

// Checks that the objects its fields refer to exist.
bool NodeCheck::fields(const Node& node) {
    const Catalogue& catalogue = *module_.catalogue;
    const struct {
        char letter;
        const char* what;
        std::size_t size;
    } all[] = {{'b', "y", 2},
               {'f', "call", module_.calls.size()},
               {'g', "group", catalogue.groups.size()},
               {'k', "symbol", catalogue.symbols.size()},
               {'n', "note", module_.notes.size()},
               {'p', "type", catalogue.types.size()},
               {'r', "rule", catalogue.rules.size()},
               {'s', "schema", catalogue.layout->size()},
               {'t', "table", module_.tables.size()}};
    const std::uint64_t fields[] = {node.x, node.y, static_cast<std::uint64_t>(node.number)};
    const std::string_view letters = info_of(node.kind).fields;
    bool good =
        letters[1] != 'z' || node.y == 0 || in_range("order", node.order(), module_.tables.size());
    if (letters[1] == 'e' && node.cuts())
        good = in_range("cut note", node.cut(), module_.notes.size()) && good;
    for (const auto& [letter, what, size] : all)
        if (const std::size_t place = letters.find(letter); place != letters.npos)
            good = in_range(what, fields[place], size) && good;
    return good;
}

void NodeCheck::constant(const Node& node) {
    switch (node.type.kind) {
    case TypeKind::Truth:
        in_range("truth", static_cast<std::uint64_t>(node.literal()), 2);
        break;
    case TypeKind::Int:
        if (node.literal() < node.type.low || node.literal() > node.type.high)
            wrong(fmt::format("{} is no {}", node.literal(), name_of(module_, node.type)));
        break;
    case TypeKind::Code:
        in_range("code", static_cast<std::uint64_t>(node.literal()),
                 list_of(node.type).values.size() + 1);
        break;
    default:
        in_range("value", node.value(), module_.values.size());
        break;
    }
}

void NodeCheck::operators(const Node& node) {
    const auto op = static_cast<ExprOp>(node.x); // only for kinds that have one
    const std::size_t count = node.operands.size();
    if (node.kind == Kind::Compare) {
        if (!is_comparison(op)) wrong(fmt::format("operator {} is no comparison", node.x));
    } else if (node.kind == Kind::Arithmetic || node.kind == Kind::Calculate) {
        const bool two = op >= ExprOp::Add && op <= ExprOp::Modulo;
        const bool one = op == ExprOp::Negate || (op >= ExprOp::Abs && op <= ExprOp::Round);
        const bool more = op == ExprOp::Min || op == ExprOp::Max;
        if (node.kind == Kind::Calculate && !may_calculate(op))
            wrong(fmt::format("operator {} may end in an error", node.x));
        else if (!one && !two && !more)
            wrong(fmt::format("operator {} is no arithmetic", node.x));
        else if (one ? count != 1 : two ? count != 2 : count < 2)
            wrong(fmt::format("{} operands for operator {}", count, node.x));
    } else if (node.kind != Kind::Given || node.type.kind != TypeKind::Int ||
               type_of(node, 0).kind != TypeKind::Any) { // an integer, if it is given
        for (std::size_t i = count == 1 ? 0 : 1; i < count;
             ++i) { // Given's; Choose's second, third
            if (!fits(type_of(node, i), node.type)) {
                wrong(fmt::format("operand {} is {}; its result is {}", i + 1,
                                  name_of(module_, type_of(node, i)), name_of(module_, node.type)));
            }
        }
    }
}

void NodeCheck::variable(VarId var, const Type& type, const char* what) {
    if (in_range("variable", var, function_.vars.size()) && !fits(type, function_.vars[var].type)) {
        wrong(fmt::format("{} is {}; its variable {}", what, name_of(module_, type),
                          name_of(module_, function_.vars[var].type)));
    }
}

void NodeCheck::set_variables(const Node& node) {
    if (node.kind == Kind::Let || node.kind == Kind::LetRows) {
        variable(node.var(), type_of(node, 0), "the value");
    } else if (node.kind == Kind::EachRow) {
        variable(node.var(), {TypeKind::Code, type_of(node, 0).list}, "the code");
        if (node.order() != kNothing) order(node);
    } else {
        variable(node.var(), {TypeKind::Node}, "the child");
        if (node.key_var() != kNothing) variable(node.key_var(), {TypeKind::Any}, "the key");
    }
}

// An integer variable gets its bounds from the search.
void NodeCheck::total(VarId var, const Type& type, const char* what) {
    if (in_range("variable", var, function_.vars.size()) &&
        function_.vars[var].type.kind != TypeKind::Int)
        variable(var, type, what);
}

void NodeCheck::gather(const Node& node) {
    switch (node.gathers()) {
    case KeyKind::Count:
        total(node.var(), {TypeKind::Int, 0, 0, INT64_MAX}, "the number");
        break;
    case KeyKind::Sum:
        total(node.var(), {TypeKind::Any}, "the sum");
        break;
    case KeyKind::Min:
    case KeyKind::Max:
        variable(node.var(), {TypeKind::Any}, "the least or greatest, or none,");
        break;
    default:
        wrong(fmt::format("gathers {}", node.y));
    }
}

// The operands from `first` on choose one of the entries, of which it returns the number.
std::uint64_t NodeCheck::entries(const Node& node, std::size_t first, const LookupTable& table) {
    const std::size_t given = node.operands.size() - first;
    if (given != table.sizes.size()) {
        wrong(fmt::format("{} codes for a table of {}", given, table.sizes.size()));
        return 0;
    }
    std::uint64_t entries = 1;
    for (std::size_t i = 0; i < given; ++i) {
        const std::size_t codes = list_of(type_of(node, first + i)).values.size() + 1;
        if (table.sizes[i] != codes) {
            wrong(fmt::format("operand {} has {} codes, the table {}", first + i + 1, codes,
                              table.sizes[i]));
        }
        entries *= table.sizes[i];
    }
    return entries;
}

// Rows come once each, and none after 0.
void NodeCheck::order(const Node& node) {
    const LookupTable& table = module_.tables[node.order()];
    const std::uint64_t entries = this->entries(node, 1, table);
    if (entries == 0) return;
    const std::size_t words = table.words.size() / entries;
    const std::size_t rows = list_of(type_of(node, 0)).values.size();
    bool good = words > 0 && table.words.size() == words * entries;
    for (std::size_t entry = 0; good && entry < entries; ++entry) {
        std::vector<bool> seen(rows + 1);
        for (std::size_t rank = 0; good; ++rank) {
            const std::uint32_t code = form::row_in_order(&table.words[entry * words], rank);
            good = rank < words * form::kRowsInWord && code <= rows && !seen[code];
            if (code == 0) break;
            seen[code] = true;
        }
    }
    if (!good) wrong(fmt::format("table {} is not an order of rows", node.order()));
}

void NodeCheck::table(const Node& node) {
    const LookupTable& table = module_.tables[node.table()];
    const std::uint64_t entries = this->entries(node, 0, table);
    if (entries == 0) return;
    const bool set = node.kind == Kind::TableRows;
    const std::uint64_t wanted =
        set ? entries * words_for(static_cast<std::uint32_t>(list_of(node.type).values.size()))
            : entries;
    const std::size_t size = set ? table.words.size() : table.values.size();
    if (size != wanted)
        wrong(fmt::format("table {} holds {}; wanted {}", node.table(), size, wanted));
}

// The table must give each row of the variables a set of rows like the operand's.
void NodeCheck::related(const Node& node) {
    const LookupTable& table = module_.tables[node.relation()];
    for (std::int64_t i = 0; i < node.vars(); ++i) {
        const VarId var = node.var() + static_cast<VarId>(i);
        if (!in_range("variable", var, function_.vars.size())) return;
        const Type& type = function_.vars[var].type;
        if (type.kind != TypeKind::Set) {
            wrong(fmt::format("its variable is {}", name_of(module_, type)));
        } else if (table.sizes.size() != 1 || table.sizes[0] != list_of(type).values.size() + 1) {
            wrong(fmt::format("table {} has no set for each {}", node.relation(),
                              name_of(module_, {TypeKind::Code, type.list})));
        }
    }
    const auto rows = static_cast<std::uint32_t>(list_of(type_of(node, 0)).values.size());
    if (table.sizes.size() == 1 &&
        table.words.size() != std::size_t{table.sizes[0]} * words_for(rows))
        wrong(fmt::format("table {} holds {} words", node.relation(), table.words.size()));
}

void NodeCheck::call(const Node& node) {
    for (const Id each : node.operands) {
        in_range("argument", static_cast<std::uint64_t>(function_.nodes[each].number),
                 module_.calls[node.function()].arguments.size());
    }
}

} // namespace croupier::engine::form
