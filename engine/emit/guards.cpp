// Rules that follow each other and all ask for codes of one leaf: one test leaves out all of them.
#include "engine/emit/rules.h"

#include <algorithm>
#include <map>

namespace croupier::engine::emit {

namespace {

constexpr std::size_t kFewestRules = 3; // for which a test of its own pays
constexpr std::size_t kMostCodes = 64;

} // namespace

// Whether it reads a code at a place that is known, so that reading it can be done earlier.
bool Rules::is_known_code(Id id) const {
    const Node& node = at(id);
    return node.kind == Kind::Load && node.operands.empty() && node.type.kind == TypeKind::Code;
}

// What the rule asks for before anything else, test by test: nothing between is changed or fails.
std::vector<Rules::Guard> Rules::guards_of(BlockId rule) const {
    std::vector<Guard> guards;
    const auto& statements = function_.blocks[rule].statements;
    if (statements.size() != 1 || at(statements[0]).kind != Kind::Apply) {
        return guards;
    }
    const Node& apply = at(statements[0]);
    if (module_.catalogue->rules[apply.x].source->otherwise.kind != Action::Kind::None) {
        return guards; // it does something without a match
    }
    std::map<VarId, Id> loads; // that variables hold
    for (const Id id : function_.blocks[apply.blocks[0]].statements) {
        const Node& node = at(id);
        if (node.kind == Kind::Let && is_known_code(node.operands[0])) {
            loads.emplace(node.x, node.operands[0]);
            continue;
        }
        if (node.kind != Kind::Test) {
            break;
        }
        const Node* asked = &at(node.operands[0]);
        if (asked->kind == Kind::Table && asked->operands.size() == 1 &&
            asked->type.kind == TypeKind::Truth &&
            module_.tables[asked->x].values.size() <= kMostCodes) {
            Id of = asked->operands[0];
            if (at(of).kind == Kind::Variable && loads.count(at(of).x) != 0) {
                of = loads.at(at(of).x);
            }
            if (!is_known_code(of)) {
                break;
            }
            guards.push_back({of, codes_of(*asked)});
            continue;
        }
        if (asked->kind == Kind::Not) {
            asked = &at(asked->operands[0]);
        }
        const bool is_presence = asked->kind == Kind::Present && asked->operands.empty();
        const bool is_held =
            asked->kind == Kind::Has && at(asked->operands[0]).kind == Kind::Variable;
        if (!is_presence && !is_held) {
            break;
        }
    }
    return guards;
}

// Of the group at hand, from rule `place` on: jumps behind as many rules as can be told at once not
// to match. Gives the place behind them; `place` where it is not worth it.
std::size_t Rules::leave_out(std::size_t place) {
    const auto& rules = group_->blocks;
    std::size_t farthest = place;
    Guard best;
    for (const Guard& first : guards_of(rules[place])) {
        Guard all = first;
        std::size_t end = place + 1;
        for (; end < rules.size(); ++end) {
            const std::vector<Guard> guards = guards_of(rules[end]);
            const auto same = std::find_if(guards.begin(), guards.end(), [&](const Guard& each) {
                return at(each.load).x == at(first.load).x &&
                       at(each.load).type == at(first.load).type;
            });
            if (same == guards.end()) {
                break;
            }
            all.codes |= same->codes;
        }
        if (end - place >= kFewestRules && end > farthest) {
            farthest = end;
            best = all;
        }
    }
    if (farthest != place) {
        const At here(*this);
        std::vector<RuleId> all;
        for (std::size_t i = place; i < farthest; ++i) {
            all.push_back(at(function_.blocks[rules[i]].statements[0]).x);
        }
        go_to({std::move(all)});
        const Gp table = new64();
        code_.mov(table, asmjit::Imm(best.codes));
        code_.bt(table, code_of(best.load).r64());
        code_.jnc(begins_[farthest]);
    }
    return farthest;
}

} // namespace croupier::engine::emit
