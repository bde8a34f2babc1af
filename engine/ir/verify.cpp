// Checks of a function as a whole: where its nodes stand, what their blocks are, and which
// variables are known there.
#include "engine/ir/verify.h"

#include "engine/ir/names.h"
#include "engine/ir/verify_node.h"
#include "engine/ir/verify_scope.h"

#include <fmt/format.h>

#include <algorithm>

namespace croupier::engine::ir {

namespace {

// Who takes the results of a search.
struct Taker {
    enum class Wants { NoSearch, Nothing, Values, Variables };
    Wants wants = Wants::NoSearch;
    VarId first = 0; // Variables: the values of these
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
        for (VarId var = 0; var < function_.vars.size(); ++var) {
            for (const std::string& each : check_.check(function_.vars[var].type)) {
                faults_.push_back(fmt::format("variable {} {}: {}", var, names_[var], each));
            }
        }
        if (!faults_.empty()) {
            return std::move(faults_); // messages name types
        }
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
        if (rule_ < module_.catalogue->rules.size()) {
            where += fmt::format(" (rule {})", module_.catalogue->rules[rule_].name);
        }
        faults_.push_back(where + ": " + text);
    }

    // The body is one group: the function's.
    void body() {
        const Node* group = only(Kind::Group, function_.body);
        if (group == nullptr || group->x != function_.group ||
            function_.blocks[function_.body].statements.size() != 1) {
            wrong(fmt::format("its body is not just group {}", function_.group));
        }
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
        bool loop = false; // a Fail may follow, of what is cut when no way is left
        for (const Id each : function_.blocks[id].statements) {
            if (!place(each)) {
                continue;
            }
            node_ = each;
            const Node& node = function_.nodes[each];
            if (loop && node.kind != Kind::Fail) {
                wrong("it stands behind a loop, not in its block");
            }
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
        if (info.result != '-') {
            wrong("it is an operand, not a statement");
        } else if (info.stands.find(search ? 's' : 'b') == std::string_view::npos) {
            wrong(search ? "it stands in a search" : "it stands outside all searches");
        }
        const RuleId around = rule_;
        if (node.kind == Kind::Apply) {
            rule_ = node.x;
        }
        by_itself(node, search);
        if (node.kind == Kind::Yield || node.kind == Kind::YieldRows) {
            yield(node, taker);
        } else if (node.kind == Kind::Group) {
            rules(node);
        } else if (node.kind == Kind::GroupBelow) {
            group(node);
        }
        blocks(node, taker);
        if (node.kind == Kind::Let || node.kind == Kind::LetRows || node.kind == Kind::Gather) {
            set(node.x, 1);
        } else if (node.kind == Kind::LetTouching || node.kind == Kind::LetCounts) {
            set(node.x, node.kind == Kind::LetCounts ? node.number : 1);
        }
        rule_ = around;
    }

    // The node and its operands, which must be nodes for anything to be said of it.
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
        for (const std::string& each : all ? check_.check(node) : std::vector<std::string>{}) {
            wrong(each);
        }
    }

    void operand(const Node& node, bool search) {
        if (search && info_of(node.kind).has('W')) {
            wrong("it stands in a search");
        }
        by_itself(node, search);
        if (node.kind == Kind::Variable && node.x < scope_.variables() && !scope_.knows(node.x)) {
            wrong(fmt::format("{} is not known here", names_[node.x]));
        }
    }

    void set(VarId first, std::int64_t count) {
        for (std::int64_t i = 0; i < count; ++i) {
            const std::uint64_t var = first + static_cast<std::uint64_t>(i);
            if (var >= scope_.variables()) {
                wrong(fmt::format("variable {} of {}", var, scope_.variables()));
                return;
            }
            if (!scope_.add(static_cast<VarId>(var))) {
                wrong(fmt::format("{} is set in a second place", names_[var]));
            }
        }
    }

    // The node's variables are known in the blocks that its meaning names.
    void blocks(const Node& node, const Taker& outer) {
        const std::size_t before = scope_.mark();
        const KindInfo& info = info_of(node.kind);
        const std::size_t count = node.blocks.size();
        for (std::size_t i = 0; info.takes_blocks(count) && i < count; ++i) {
            std::size_t at = i;
            if (node.kind == Kind::Apply && (i == 1 || i == 2)) {
                at = 3 - i; // what is done without a result first: there are no values yet
            }
            if (node.kind == Kind::EachChild && node.y != 0) {
                set(node.y - 1, 1);
            }
            if (node.kind == Kind::EachChild || node.kind == Kind::EachRow) {
                set(node.x, 1);
            } else if (node.kind == Kind::Alternatives && i + 1 == count) {
                set(node.x, node.number);
            } else if (node.kind == Kind::Apply && at == 1) {
                set(node.y, node.number);
            }
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
            return {Taker::Wants::Variables, node.x, node.number};
        case Kind::Apply:
            return block == 0 ? Taker{Taker::Wants::Variables, node.y, node.number, true}
                              : Taker{Taker::Wants::Values, 0, 1};
        case Kind::Gather:
            return {Taker::Wants::Values, 0,
                    static_cast<KeyKind>(node.y) == KeyKind::Count ? 0 : 1};
        default:
            return {Taker::Wants::Nothing};
        }
    }

    void yield(const Node& node, const Taker& taker) {
        if (taker.wants == Taker::Wants::NoSearch) {
            return;
        }
        const auto count = static_cast<std::int64_t>(node.operands.size());
        if (node.kind == Kind::YieldRows && !taker.of_rule) {
            wrong("no rule takes its rows");
        }
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

    // The only statement of that kind in the block, if there is one.
    [[nodiscard]] const Node* only(Kind kind, BlockId id) const {
        const Node* found = nullptr;
        if (id < function_.blocks.size()) {
            for (const Id each : function_.blocks[id].statements) {
                if (each < function_.nodes.size() && function_.nodes[each].kind == kind) {
                    if (found != nullptr) {
                        return nullptr;
                    }
                    found = &function_.nodes[each];
                }
            }
        }
        return found;
    }

    // A block for each rule of the group, with its Apply in it. Rules that never do anything may be
    // missing, but not from an agenda.
    void rules(const Node& node) {
        if (node.x >= module_.catalogue->groups.size()) {
            return;
        }
        const std::vector<RuleId>& wanted = module_.catalogue->groups[node.x].rules;
        const bool all = module_.catalogue->groups[node.x].mode == GroupMode::Agenda;
        if (node.blocks.size() > wanted.size() || (all && node.blocks.size() < wanted.size())) {
            wrong(fmt::format("{} blocks for {} rules", node.blocks.size(), wanted.size()));
            return;
        }
        auto next = wanted.begin();
        for (std::size_t i = 0; i < node.blocks.size(); ++i) {
            const Node* apply = only(Kind::Apply, node.blocks[i]);
            const auto found =
                apply == nullptr ? wanted.end() : std::find(next, wanted.end(), apply->x);
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
        if (node.blocks.size() == 1 && only(Kind::Group, node.blocks[0]) == nullptr) {
            wrong("its block has no group of its own");
        }
    }

    const Module& module_;
    const Function& function_;
    NodeCheck check_;
    std::vector<std::string> faults_;
    std::vector<char> placed_; // nodes
    std::vector<char> placed_blocks_;
    Scope scope_;
    std::vector<std::string> names_;
    Id node_ = kNothing;  // at hand
    RuleId rule_ = kNone; // around it
};

} // namespace

std::vector<std::string> verify(const Module& module, const Function& function) {
    return Verifier(module, function).verify();
}

} // namespace croupier::engine::ir
