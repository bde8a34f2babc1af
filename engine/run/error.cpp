// Names of what can go wrong while rules run.
#include "engine/run/error.h"

namespace croupier::engine {

std::string_view name_of(RunErrorKind kind) {
    switch (kind) {
    case RunErrorKind::Overflow:
        return "overflow";
    case RunErrorKind::DivisionByZero:
        return "division by zero";
    case RunErrorKind::Type:
        return "type";
    case RunErrorKind::NoValue:
        return "no value";
    case RunErrorKind::NoParent:
        return "no parent";
    case RunErrorKind::Constant:
        return "constant";
    case RunErrorKind::Shape:
        return "shape";
    case RunErrorKind::Call:
        return "call";
    case RunErrorKind::BudgetMatches:
        return "budget: matches";
    case RunErrorKind::BudgetFirings:
        return "budget: firings";
    case RunErrorKind::BudgetSize:
        return "budget: size";
    case RunErrorKind::BudgetSteps:
        return "budget: steps";
    }
    return "unknown";
}

} // namespace croupier::engine
