// Reads a condition up to the first entry that could end in an error.
#include "engine/catalogue/agenda_guards.h"

#include <algorithm>

namespace croupier::engine {

namespace {

bool never_fails(const Expr& expr) {
    return expr.op == ExprOp::Literal || expr.op == ExprOp::Variable ||
           (is_comparison(expr.op) &&
            std::all_of(expr.args.begin(), expr.args.end(),
                        [](const Expr& arg) { return never_fails(arg); }));
}

bool never_fails(const Pattern& pattern);

bool never_fails(const std::vector<Pattern>& patterns) {
    return std::all_of(patterns.begin(), patterns.end(),
                       [](const Pattern& each) { return never_fails(each); });
}

bool never_fails(const Entry& entry) {
    const bool adds_up =
        entry.kind == KeyKind::Sum || entry.kind == KeyKind::Min || entry.kind == KeyKind::Max;
    return !adds_up && never_fails(entry.patterns) && never_fails(entry.into);
}

bool never_fails(const Pattern& pattern) {
    switch (pattern.kind) {
    case PatternKind::Object:
        return std::all_of(pattern.entries.begin(), pattern.entries.end(),
                           [](const Entry& each) { return never_fails(each); });
    case PatternKind::Value:
    case PatternKind::Compare:
    case PatternKind::Assign:
    case PatternKind::Expression:
        return never_fails(pattern.expr);
    case PatternKind::OneOf:
        return std::all_of(pattern.choices.begin(), pattern.choices.end(),
                           [](const Expr& each) { return never_fails(each); });
    case PatternKind::Bind:
    case PatternKind::Absent:
    case PatternKind::Any:
        break;
    }
    return true;
}

class GuardReading {
  public:
    GuardReading(const Layout& layout, const Symbols& symbols, const State* constants)
        : layout_(layout), symbols_(symbols), constants_(constants) {}

    // False where something could end in an error.
    bool read(const Pattern& pattern) {
        return std::all_of(pattern.entries.begin(), pattern.entries.end(),
                           [&](const Entry& each) { return read(each); });
    }
    [[nodiscard]] const std::vector<AgendaRule::Guard>& guards() const { return guards_; }

  private:
    bool read(const Entry& entry) {
        if (entry.kind == KeyKind::Use) {
            return std::all_of(entry.patterns.begin(), entry.patterns.end(),
                               [&](const Pattern& used) { return read(used); });
        }
        if (entry.kind == KeyKind::Name && entry.key.parts.size() == 1 &&
            !entry.key.parts[0].variable) {
            guard(symbols_.find(entry.key.parts[0].text),
                  entry.patterns[0].kind != PatternKind::Absent);
        }
        return never_fails(entry);
    }

    void guard(Symbol name, bool present) {
        const SchemaNode& root = layout_.node(0);
        const SchemaId field = root.kind == ShapeKind::Record ? root.field(name) : kNoSchema;
        const bool constant = constants_ != nullptr && name != kNoSymbol &&
                              constants_->child(constants_->root(), name);
        if (field == kNoSchema || constant) {
            return;
        }
        const SchemaNode& node = layout_.node(field);
        if (node.column == Column::Code8) {
            guards_.push_back({node.values, 0xff, present});
        } else if (node.presence != kNoOffset &&
                   (node.column == Column::None || node.column == Column::Int)) {
            guards_.push_back({node.presence, 1, present});
        }
    }

    const Layout& layout_;
    const Symbols& symbols_;
    const State* constants_;
    std::vector<AgendaRule::Guard> guards_;
};

} // namespace

std::vector<AgendaRule::Guard> guards_of(const Pattern& condition, const Layout& layout,
                                         const Symbols& symbols, const State* constants) {
    GuardReading reading(layout, symbols, constants);
    reading.read(condition);
    return reading.guards();
}

} // namespace croupier::engine
