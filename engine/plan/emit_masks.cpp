// Loops over the rows of a map, as masks. Tests on the row of a loop that stand anywhere after it
// are folded into its mask, so that rows that fail are never visited.
#include "engine/plan/compiler.h"
#include "engine/plan/planted.h"
#include "engine/plan/reached.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace croupier::engine {

namespace {

// Registers that the step gives a value.
void collect_bound(const Step& step, std::vector<std::uint16_t>& regs) {
    if (step.kind == Step::Kind::Each || step.kind == Step::Kind::Row) {
        regs.push_back(step.reg);
    }
    if ((step.kind == Step::Kind::Leaf || step.kind == Step::Kind::Test ||
         step.kind == Step::Kind::Gather) &&
        step.leaf.fresh) {
        regs.push_back(step.leaf.reg);
    }
}

} // namespace

// True if the step is a test of the row that a mask can do, given what is bound before the loop.
bool Compiler::folds(const Step& step, std::uint16_t row) const {
    if (step.kind != Step::Kind::Exists && step.kind != Step::Kind::Absent &&
        step.kind != Step::Kind::Leaf) {
        return false;
    }
    if (!step.site.ends_in(row)) {
        return false;
    }
    const LeafForm& form = step.leaf;
    const bool literal = form.kind == PatternKind::Value && form.literal;
    const bool same =
        form.kind == PatternKind::Bind && !form.fresh && form.type_free && form.reg != row;
    if (step.site.constant) {
        std::size_t terms = 0;
        for (const Site::Key& key : step.site.keys) {
            terms += key.symbol == kNoSymbol ? 1 : 0;
        }
        if (terms > 2) {
            return false;
        }
        if (step.kind != Step::Kind::Leaf || literal) {
            return true;
        }
        if (same) {
            return terms == 1 && form.domain != 0 && is_told_by_row(step.site, form.domain);
        }
        if (form.kind == PatternKind::Compare && terms == 1) {
            const ExprNode& expr = program_.exprs[form.expr];
            return (expr.op == ExprOp::Variable && expr.reg != row) || expr.op == ExprOp::Literal;
        }
        return false;
    }
    const SchemaNode& node = program_.layout->node(step.site.schema);
    const bool presence =
        step.kind != Step::Kind::Leaf || (node.kind == ShapeKind::Unit && form.is_true());
    if (presence) {
        return node.presence != kNoOffset ||
               (node.column == Column::Code8 && step.kind == Step::Kind::Exists);
    }
    return node.column == Column::Code8 && node.kind == ShapeKind::Member &&
           (literal || (same && form.domain == node.domain));
}

// True if the step binds what a constant says of the row, and of nothing else.
bool Compiler::reads_row(const Step& step, std::uint16_t row) const {
    return step.kind == Step::Kind::Leaf && step.site.constant && step.site.ends_in(row) &&
           step.leaf.kind == PatternKind::Bind && table_terms(step.site).size() == 1;
}

// Keeps the rows of the mask for which the step holds.
void Compiler::fold(const Step& step, const Step& each, std::uint16_t word) {
    note_ = step.note;
    if (step.kind == Step::Kind::Test) {
        CROUPIER_REACHED(KeyTestInMask);
        fold_key(step, each, word);
        return;
    }
    const Site& site = step.site;
    const LeafForm& form = step.leaf;
    if (site.constant) {
        CROUPIER_REACHED(ConstantInMask);
        fold_constant(step, each, word);
        return;
    }
    CROUPIER_REACHED(ColumnInMask);
    const SchemaNode& node = program_.layout->node(site.schema);
    if (step.kind != Step::Kind::Leaf || node.kind == ShapeKind::Unit) {
        if (node.presence != kNoOffset) {
            emit_rows_at(step.kind == Step::Kind::Absent ? OpCode::MaskAndNot : OpCode::MaskAnd,
                         site, word);
        } else {
            emit_rows_at(OpCode::MaskCodeAny, site, word);
        }
        return;
    }
    if (form.kind == PatternKind::Value) {
        const std::uint32_t code = code_of(site.schema, form.value);
        if (code == 0) {
            CROUPIER_REACHED(NoSuchCode);
            jump(own_fail_);
            return;
        }
        emit_rows_at(OpCode::MaskCodeIs, site, word).a = static_cast<std::uint16_t>(code);
    } else {
        emit_rows_at(OpCode::MaskCodeSame, site, word).a = form.reg;
    }
    drop_weaker_mask();
}

// Rows whose byte is one value need not be told from those without any first.
void Compiler::drop_weaker_mask() {
    std::vector<Op>& code = program_.code;
    Op& before = code[code.size() - 2];
    const Op& last = code.back();
    const auto place = [](const Op& op) {
        return std::tie(op.b, op.c, op.x, op.y, op.s, op.t, op.fail);
    };
    if (before.code == OpCode::MaskCodeAny && place(before) == place(last)) {
        CROUPIER_REACHED(WeakerMask);
        before = last;
        code.pop_back();
    }
}

void Compiler::fold_constant(const Step& step, const Step& each, std::uint16_t word) {
    const Site& site = step.site;
    const LeafForm& form = step.leaf;
    if (step.kind == Step::Kind::Leaf && form.kind == PatternKind::Compare) {
        const std::uint32_t limits = limit_table(site, each.reg, form.compare);
        std::uint16_t bound = program_.exprs[form.expr].reg;
        if (program_.exprs[form.expr].op == ExprOp::Literal) {
            bound = new_value();
            program_.values.push_back(program_.exprs[form.expr].literal);
            Op& op = emit(OpCode::ReadTable);
            op.a = bound;
            op.b = op.c = kZeroRow;
            op.x = static_cast<std::uint32_t>(program_.values.size() - 1);
        }
        fold_limit(limits, bound, word);
        return;
    }
    // One mask for each choice of the other term, or of the value that it must equal.
    const MaskTable table = mask_table(step, each.reg);
    if (keeps_all(table, each)) {
        CROUPIER_REACHED(MaskOfAllRows);
        return;
    }
    Op& op = emit(OpCode::MaskTable);
    op.x = table.base;
    op.b = table.index;
    op.c = word;
    op.s = words_of(each);
}

// The only mask of a table, that of all rows.
bool Compiler::keeps_all(const MaskTable& table, const Step& each) const {
    const std::uint32_t rows = program_.layout->domain(each.domain).size();
    std::uint32_t kept = 0;
    for (std::size_t i = table.base; i < program_.masks.size(); ++i) {
        kept += count_rows(program_.masks[i]);
    }
    return table.index == kZeroRow && kept == rows;
}

// Words that a mask of the rows takes.
std::uint32_t Compiler::words_of(const Step& each) const {
    return words_for(program_.layout->domain(each.domain).size());
}

void Compiler::fold_limit(std::uint32_t limits, std::uint16_t bound, std::uint16_t word) {
    if (fold_tabled(limits, bound, word)) {
        return;
    }
    Op& op = emit(OpCode::MaskLimit);
    op.a = bound;
    op.c = word;
    op.x = limits;
}

// A bound that a table gives, as `$H` in `height: {$B: $H}`: the masks by the table's row.
bool Compiler::fold_tabled(std::uint32_t limits, std::uint16_t bound, std::uint16_t word) {
    const auto known = tabled_.find(bound);
    const std::uint32_t words = static_cast<std::uint32_t>(program_.limits.size()) - limits;
    const LimitPlan& limit = program_.limits[limits];
    if (known == tabled_.end() || limit.masks.empty()) {
        return false;
    }
    CROUPIER_REACHED(TabledBound);
    const auto [base, rows, index] = known->second;
    std::vector<std::uint64_t> masks{0}; // of no row, as in mask_table
    for (std::uint32_t row = 0; row < rows; ++row) {
        const Value& value = program_.values[base + row];
        if (value.tag != Tag::Int && value.tag != Tag::None) {
            return false;
        }
        const std::int64_t last = static_cast<std::int64_t>(limit.masks.size()) -
                                  (CROUPIER_PLANTED(LastTabledBoundMissed) ? 3 : 1);
        const std::int64_t place = std::clamp<std::int64_t>(value.integer - limit.low, 0, last);
        for (std::uint32_t i = 0; i < words; ++i) {
            const std::vector<std::uint64_t>& by_bound = program_.limits[limits + i].masks;
            masks.push_back(value.tag == Tag::None ? 0 : by_bound[static_cast<std::size_t>(place)]);
        }
    }
    Op& op = emit(OpCode::MaskTable);
    op.x = static_cast<std::uint32_t>(program_.masks.size()) + 1;
    op.b = index;
    op.c = word;
    op.s = words;
    program_.masks.insert(program_.masks.end(), masks.begin(), masks.end());
    return true;
}

// The mask of the rows over which an Each goes, before any test.
void Compiler::emit_rows(const Step& each, std::uint16_t word) {
    const Site& site = each.site;
    const bool has_bits =
        !site.constant && program_.layout->node(site.schema).presence != kNoOffset;
    if (has_bits) {
        emit_rows_at(OpCode::MaskRows, site, word);
        emit_only(each, word);
        return;
    }
    Op& all = emit(OpCode::MaskAll);
    all.c = word;
    all.y = program_.layout->domain(each.domain).size();
    if (site.constant) {
        Step there;
        there.site = site;
        there.note = each.note;
        fold_constant(there, each, word);
    } else {
        emit_rows_at(OpCode::MaskCodeAny, site, word);
    }
    emit_only(each, word);
}

// Keeps the rows whose keys are of the type that the loop asks for.
void Compiler::emit_only(const Step& each, std::uint16_t word) {
    if (each.only == 0 || CROUPIER_PLANTED(KeysOfAnyType)) {
        return;
    }
    CROUPIER_REACHED(KeysOfOneType);
    const DomainTable& domain = program_.layout->domain(each.domain);
    const DomainTable& only = program_.layout->domain(each.only);
    const auto base = static_cast<std::uint32_t>(program_.masks.size());
    program_.masks.resize(base + words_of(each));
    for (std::uint32_t row = 0; row < domain.size(); ++row) {
        const bool is_member = only.row_of(domain.members[row]) != kNoRow;
        program_.masks[base + row / kWordRows] |= std::uint64_t{is_member} << (row % kWordRows);
    }
    Op& op = emit(OpCode::MaskTable);
    op.b = kZeroRow;
    op.c = word;
    op.x = base;
    op.s = words_of(each);
}

// Where a mask takes several words, a loop over them, with everything after it inside; returns the
// register that counts them. They are kept from cursor `kept` on, if there is one.
std::uint16_t Compiler::emit_words(const Step& each, std::uint16_t kept) {
    const std::uint32_t words = words_of(each);
    if (words == 1) {
        return kZeroRow;
    }
    CROUPIER_REACHED(LoopOverWords);
    const std::uint16_t word = new_value();
    const Label again = new_label();
    for (const OpCode code : {OpCode::WordFirst, OpCode::WordNext}) {
        if (code == OpCode::WordNext) {
            place(again);
        }
        Op& op = emit(code);
        op.a = word;
        op.c = code == OpCode::WordFirst ? kept : kNoRegister;
        op.y = words;
    }
    fail_ = own_fail_ = again;
    return word;
}

// A loop, with everything after it inside.
void Compiler::emit_each(const std::vector<Step>& steps, std::size_t at) {
    const Masked masked = emit_mask(steps, at);
    if (masked.rest.empty() && local_) {
        CROUPIER_REACHED(OneRowIsEnough);
        return;
    }
    emit_loop(steps[at], masked.word);
    emit_steps(masked.rest, 0);
}

// The loop over the rows of the mask; what fails goes on with the next row from here on.
void Compiler::emit_loop(const Step& each, std::uint16_t word) {
    const std::uint16_t cursor = new_cursor();
    const Label again = new_label();
    const std::uint32_t keys = key_table(each.domain);
    for (const OpCode code : {OpCode::MaskEach, OpCode::MaskNext}) {
        if (code == OpCode::MaskNext) {
            place(again);
        }
        Op& op = emit(code);
        op.a = each.reg;
        op.b = word;
        op.c = cursor;
        op.x = keys;
    }
    fail_ = own_fail_ = again;
    loop_domains_[each.reg] = each.domain;
}

// The step says no more of the row than that it is one of the loop's.
bool Compiler::is_row_itself(const Step& step, const Step& each) const {
    if (step.site.constant || each.site.constant || step.site.schema != each.site.schema) {
        return false;
    }
    const auto same = [](const Term& a, const Term& b) {
        return a.reg == b.reg && a.stride == b.stride;
    };
    const bool unit = program_.layout->node(step.site.schema).kind == ShapeKind::Unit;
    const bool presence = step.kind == Step::Kind::Exists ||
                          (step.kind == Step::Kind::Leaf && unit && step.leaf.is_true());
    return presence && (step.site.fixed == each.site.fixed || CROUPIER_PLANTED(AnyRowIsItself)) &&
           std::equal(step.site.terms.begin(), step.site.terms.end(), each.site.terms.begin(),
                      each.site.terms.end(), same);
}

// Which steps after the Each at `at` its mask can do. A test may move to the mask if nothing it
// needs is bound inside the loop, and nothing that it passes over can end in an error.
Compiler::Split Compiler::split(const std::vector<Step>& steps, std::size_t at) const {
    const Step& each = steps[at];
    Split parts;
    std::vector<std::uint16_t> later; // bound inside the loop: a mask cannot know them
    bool pure = true;
    for (std::size_t i = at + 1; i < steps.size(); ++i) {
        const Step& step = steps[i];
        const auto needs_later = [&] {
            return std::any_of(later.begin(), later.end(), [&](std::uint16_t reg) {
                const bool compared = step.leaf.kind == PatternKind::Compare &&
                                      step.leaf.expr != kNone &&
                                      program_.exprs[step.leaf.expr].reg == reg;
                return step.site.depends_on(reg) || step.leaf.reg == reg || compared ||
                       compared_key(step, each) == reg;
            });
        };
        if (is_row_itself(step, each)) {
            CROUPIER_REACHED(RowItself);
            continue;
        }
        const bool can_fold = folds(step, each.reg) || compared_key(step, each) != kNoRegister;
        if (pure && can_fold && !needs_later()) {
            parts.folded.push_back(step);
            continue;
        }
        if (pure && reads_row(step, each.reg) && !needs_later()) {
            CROUPIER_REACHED(RowsThatBind);
            parts.folded.push_back(step); // rows without it need not be visited
            parts.folded.back().kind = Step::Kind::Exists;
        }
        pure = pure && (is_pure(step) || CROUPIER_PLANTED(MasksPassErrors));
        collect_bound(step, later);
        parts.rest.push_back(step);
    }
    return parts;
}

// The rows of the Each at `at` that pass all tests which a mask can do; returns the other steps.
Compiler::Masked Compiler::emit_mask(const std::vector<Step>& steps, std::size_t at,
                                     std::uint16_t kept) {
    note_ = steps[at].note;
    const std::uint16_t word = emit_words(steps[at], kept);
    emit_rows(steps[at], word);
    Split parts = split(steps, at);
    for (const Step& step : parts.folded) {
        fold(step, steps[at], word);
    }
    return {std::move(parts.rest), word};
}

// The steps before the loop.
void Compiler::emit_before(const std::vector<Step>& steps, std::size_t loop) {
    emit_steps({steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(loop)}, 0);
}

// The number of matches: of one loop, all of whose tests are in its mask, the number of its rows.
void Compiler::emit_gather(const Step& step) {
    const auto kind = static_cast<std::uint16_t>(step.gathers);
    const Label outer = fail_;
    const Label none = new_label();
    const Label after = new_label();
    fail_ = own_fail_ = none;
    const auto start = [&] {
        Op& op = emit(OpCode::Start);
        op.a = step.reg;
        op.b = kind;
    };
    const std::size_t loop = first_loop(step.steps);
    const bool all_masked = step.gathers == KeyKind::Count && loop < step.steps.size() &&
                            split(step.steps, loop).rest.empty();
    if (all_masked && words_of(step.steps[loop]) == 1) {
        CROUPIER_REACHED(CountOfMask);
        emit_before(step.steps, loop);
        emit_mask(step.steps, loop);
        emit(OpCode::MaskCount).a = step.reg;
        jump(after);
        place(none);
        start();
        place(after);
    } else if (all_masked) {
        CROUPIER_REACHED(CountOfWords);
        start();
        emit_before(step.steps, loop);
        emit_mask(step.steps, loop);
        emit(OpCode::MaskAdd).a = step.reg;
        place(none);
    } else {
        start();
        const bool outer_local = std::exchange(local_, false);
        emit_steps(step.steps, 0);
        local_ = outer_local;
        Op& gather = emit(OpCode::Gather);
        gather.a = step.reg;
        gather.b = kind;
        gather.x = step.value;
        jump(fail_);
        place(none);
    }
    fail_ = own_fail_ = outer;
    if (step.gathers == KeyKind::Min || step.gathers == KeyKind::Max) {
        Op& finish = emit(OpCode::Finish); // there is none of nothing
        finish.a = step.reg;
        finish.b = kind;
    }
    leaf(step.leaf, step.reg);
}

} // namespace croupier::engine
