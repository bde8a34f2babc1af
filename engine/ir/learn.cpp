// What tests tell of nodes and codes, and which are decided by what is known.
#include "engine/ir/possible.h"
#include "engine/ir/probe.h"

namespace croupier::engine::ir {

std::optional<bool> Possible::truth(Id test) const {
    const Node& known = node(test);
    switch (known.kind) {
    case Kind::Constant:
        return known.number != 0;
    case Kind::Not: {
        const auto inner = truth(known.operands[0]);
        return inner ? std::optional(!*inner) : std::nullopt;
    }
    case Kind::Present: {
        const auto place = place_of(test);
        return place ? knowledge_.present(*place) : std::nullopt;
    }
    default: {
        std::vector<Root> roots;
        const auto all = find_roots(test, roots) ? try_all(test, roots) : std::nullopt;
        return all && all->some[0] != all->some[1] ? std::optional(all->some[1]) : std::nullopt;
    }
    }
}

void Possible::narrow(const Root& root, const Codes& codes) {
    const bool none = codes[0] != 0;
    if (root.var == kNothing) {
        knowledge_.set_codes(root.place, codes);
        if (!none) {
            knowledge_.set_present(root.place);
        }
        return;
    }
    knowledge_.set_codes(root.var, codes);
    for (const Place& each : knowledge_.held_by(root.var)) {
        if (!none) {
            knowledge_.set_present(each);
        }
    }
}

// What has a value there is there.
void Possible::learn_present(Id value) {
    if (node(value).kind == Kind::Load) {
        if (const auto place = place_of(value)) {
            knowledge_.set_present(*place);
        }
    } else if (node(value).kind == Kind::Variable) {
        for (const Place& each : knowledge_.held_by(node(value).x)) {
            knowledge_.set_present(each);
        }
    }
}

void Possible::learn(Id test, bool holds) {
    const Node& known = node(test);
    switch (known.kind) {
    case Kind::Not:
        learn(known.operands[0], !holds);
        return;
    case Kind::And:
    case Kind::Or:
        if (holds == (known.kind == Kind::And) || CROUPIER_MISTAKE(BothFailed)) {
            learn(known.operands[0], holds);
            learn(known.operands[1], holds);
            return;
        }
        break;
    case Kind::Present:
        if (const auto place = place_of(test)) {
            holds ? knowledge_.set_present(*place) : knowledge_.set_absent(*place);
        }
        return;
    case Kind::Has:
    case Kind::Compare:
        if (holds &&
            (known.kind == Kind::Has || static_cast<ExprOp>(known.x) != ExprOp::NotEqual)) {
            for (const Id operand : known.operands) {
                learn_present(operand);
            }
        }
        break;
    default:
        break;
    }
    std::vector<Root> roots;
    const auto all = find_roots(test, roots) ? try_all(test, roots) : std::nullopt;
    for (std::size_t i = 0; all && i < roots.size(); ++i) {
        narrow(roots[i], all->when[holds ? 1 : 0][i]);
    }
}

} // namespace croupier::engine::ir
