// Writes the ops of conditions over declared paths, step by step.
#include "engine/plan/compiler.h"

#include <algorithm>
#include <utility>

namespace croupier::engine {

// A step whose evaluation cannot end in an error may be skipped, or done earlier.
bool Compiler::is_pure(const Step& step) const {
    const auto leaf_never_fails = [&](const LeafForm& form) {
        switch (form.kind) {
        case PatternKind::Any:
        case PatternKind::Bind:
            return true;
        case PatternKind::Value:
            return form.literal || never_fails(form.expr);
        case PatternKind::Compare:
        case PatternKind::Expression:
        case PatternKind::Assign:
            return never_fails(form.expr);
        case PatternKind::OneOf:
            return std::all_of(program_.lists[form.list].begin(), program_.lists[form.list].end(),
                               [&](ExprId each) { return never_fails(each); });
        default:
            return false;
        }
    };
    switch (step.kind) {
    case Step::Kind::Exists:
    case Step::Kind::Absent:
    case Step::Kind::Each:
    case Step::Kind::Row:
        return true;
    case Step::Kind::Leaf:
    case Step::Kind::Test:
        return leaf_never_fails(step.leaf);
    case Step::Kind::Not:
    case Step::Kind::Some:
        return std::all_of(step.steps.begin(), step.steps.end(),
                           [&](const Step& each) { return is_pure(each); });
    case Step::Kind::Gather:
        return step.gathers == KeyKind::Count && leaf_never_fails(step.leaf) &&
               std::all_of(step.steps.begin(), step.steps.end(),
                           [&](const Step& each) { return is_pure(each); });
    }
    return false;
}

// ---- addresses -------------------------------------------------------------------------------

// An op at the site's place in a column whose entries are `scale` bytes apart, or, with
// `outer_only`, at the group of its innermost map's rows.
Op& Compiler::emit_at(OpCode code, const Site& site, std::uint32_t offset, std::uint32_t scale,
                      bool outer_only) {
    const SchemaNode& node = program_.layout->node(site.schema);
    std::vector<Term> terms = site.terms;
    std::uint32_t fixed = site.fixed;
    if (outer_only) {
        if (site.row_is_term) {
            terms.pop_back();
        }
        for (Term& term : terms) {
            term.stride /= node.group;
        }
        fixed /= node.group;
    }
    Op& op = emit(code);
    op.b = op.c = kZeroRow;
    op.x = offset + fixed * scale;
    if (!terms.empty()) {
        op.b = terms[0].reg;
        op.s = terms[0].stride * scale;
    }
    if (terms.size() > 1) {
        op.c = terms[1].reg;
        op.t = terms[1].stride * scale;
    }
    return op;
}

// An op at a presence bit: the row moves to c and t, the words are addressed by x, b and s.
Op& Compiler::emit_bit(OpCode code, const Site& site) {
    const SchemaNode& node = program_.layout->node(site.schema);
    Op& op = emit_at(code, site, node.presence, node.words * kWordBytes, true);
    op.c = site.row_is_term ? site.terms.back().reg : kZeroRow;
    op.t = site.row_is_term ? 0 : site.row;
    return op;
}

// An op over the rows of the site's innermost map: those of one word, where `word` counts these.
Op& Compiler::emit_rows_at(OpCode code, const Site& site, std::uint16_t word) {
    const SchemaNode& node = program_.layout->node(site.schema);
    const bool bits =
        code == OpCode::MaskRows || code == OpCode::MaskAnd || code == OpCode::MaskAndNot;
    Op& op = bits ? emit_at(code, site, node.presence, node.words * kWordBytes, true)
                  : emit_at(code, site, node.values, node.group, true);
    if (word != kZeroRow) {
        op.c = word;
        op.t = bits ? kWordBytes : kWordRows;
    }
    op.y = bits ? 0 : node.group;
    return op;
}

// The value at the site, in a register; none if there is none.
std::uint16_t Compiler::read(const Site& site) {
    const std::uint16_t value = new_value();
    if (site.constant) {
        read_table(value_table(site), value);
        return value;
    }
    const SchemaNode& node = program_.layout->node(site.schema);
    if (node.column == Column::Code8) {
        const std::uint32_t table = code_table(site.schema);
        Op& op = emit_at(OpCode::ReadCode, site, node.values, 1, false);
        op.a = value;
        op.y = table;
    } else {
        Op& op = emit_at(OpCode::Read, site, 0, 1, false);
        op.a = value;
        op.y = site.schema;
    }
    return value;
}

// The values that the codes of a column stand for, none first.
std::uint32_t Compiler::code_table(SchemaId schema) {
    if (const auto known = code_tables_.find(schema); known != code_tables_.end()) {
        return known->second;
    }
    const auto base = static_cast<std::uint32_t>(program_.values.size());
    const SchemaNode& node = program_.layout->node(schema);
    program_.values.emplace_back();
    if (node.kind == ShapeKind::Bool) {
        program_.values.push_back(Value::boolean(false));
        program_.values.push_back(Value::boolean(true));
    } else if (node.kind == ShapeKind::Int) {
        for (std::int64_t i = node.low; i <= node.high; ++i) {
            program_.values.push_back(Value::number(i));
        }
    } else {
        const DomainTable& domain = program_.layout->domain(node.domain);
        for (std::uint32_t row = 0; row < domain.size(); ++row) {
            Value value = domain.numbered ? Value::number(std::int64_t{row})
                                          : Value::string(domain.members[row]);
            value.domain = node.domain;
            value.row = static_cast<std::uint16_t>(row);
            program_.values.push_back(value);
        }
    }
    code_tables_[schema] = base;
    codes_of_table_[base] = static_cast<std::uint32_t>(program_.values.size()) - base;
    return base;
}

// The keys of a domain's rows.
std::uint32_t Compiler::key_table(std::uint32_t domain) {
    if (const auto known = key_tables_.find(domain); known != key_tables_.end()) {
        return known->second;
    }
    const auto base = static_cast<std::uint32_t>(program_.values.size());
    const DomainTable& table = program_.layout->domain(domain);
    for (std::uint32_t row = 0; row < table.size(); ++row) {
        program_.values.push_back(
            Value::key(table.members[row], domain, static_cast<std::uint16_t>(row)));
    }
    key_tables_[domain] = base;
    return base;
}

// ---- steps -----------------------------------------------------------------------------------

void Compiler::emit_steps(const std::vector<Step>& steps, std::size_t from) {
    for (std::size_t i = from; i < steps.size(); ++i) {
        const Step& step = steps[i];
        own_fail_ = fail_;
        note_ = step.note;
        switch (step.kind) {
        case Step::Kind::Exists:
        case Step::Kind::Absent:
            emit_presence(step, step.kind == Step::Kind::Exists);
            break;
        case Step::Kind::Leaf:
            emit_leaf(step);
            break;
        case Step::Kind::Each:
            emit_each(steps, i);
            return;
        case Step::Kind::Row: {
            Op& op = emit(OpCode::Row);
            op.a = step.reg;
            op.b = step.source;
            op.x = step.domain;
            break;
        }
        case Step::Kind::Test:
            leaf(step.leaf, kNoRegister);
            break;
        case Step::Kind::Not:
            emit_not(step);
            break;
        case Step::Kind::Some: {
            const Label outer = fail_;
            const bool outer_local = std::exchange(local_, true);
            emit_steps(step.steps, 0);
            local_ = outer_local;
            fail_ = outer;
            break;
        }
        case Step::Kind::Gather:
            emit_gather(step);
            break;
        }
    }
    own_fail_ = fail_;
}

void Compiler::emit_presence(const Step& step, bool present) {
    const Site& site = step.site;
    if (site.constant) {
        const std::uint16_t value = new_value();
        read_table(presence_table(site), value);
        emit(present ? OpCode::Has : OpCode::HasNot).a = value;
        return;
    }
    const SchemaNode& node = program_.layout->node(site.schema);
    if (node.parent == kNoSchema) {
        if (!present) {
            jump(fail_); // the root is always there
        }
        return;
    }
    if (node.column == Column::Code8) {
        emit_at(present ? OpCode::CodeAny : OpCode::CodeNone, site, node.values, 1, false);
    } else if (node.presence != kNoOffset) {
        emit_bit(present ? OpCode::BitSet : OpCode::BitClear, site);
    } else {
        Op& op = emit_at(present ? OpCode::Exists : OpCode::Missing, site, 0, 1, false);
        op.y = site.schema;
    }
}

void Compiler::emit_leaf(const Step& step) {
    const Site& site = step.site;
    const LeafForm& form = step.leaf;
    const bool unit = !site.constant && program_.layout->node(site.schema).kind == ShapeKind::Unit;
    if (unit && form.is_true()) {
        emit_presence(step, true); // its only value
        return;
    }
    const bool codes = !site.constant &&
                       program_.layout->node(site.schema).column == Column::Code8 &&
                       program_.layout->node(site.schema).kind == ShapeKind::Member;
    if (codes) {
        const SchemaNode& node = program_.layout->node(site.schema);
        if (form.kind == PatternKind::Value && form.literal) {
            const std::uint32_t code = code_of(site.schema, form.value);
            if (code == 0) {
                jump(fail_);
            } else {
                emit_at(OpCode::CodeIs, site, node.values, 1, false).y = code;
            }
            return;
        }
        const bool same_domain = form.kind == PatternKind::Bind && !form.fresh && form.type_free &&
                                 form.domain == node.domain;
        if (same_domain) {
            emit_at(OpCode::CodeSame, site, node.values, 1, false).a = form.reg;
            return;
        }
    }
    // These need not look at the value, but the node must be there.
    if (form.kind == PatternKind::Expression || form.kind == PatternKind::Assign) {
        emit_presence(step, true);
    }
    const bool binds = form.kind == PatternKind::Bind && form.fresh && form.type_free;
    if (binds && !site.constant) {
        const auto known = cached_.find(site.schema);
        if (known != cached_.end() && known->second == form.reg) {
            emit(OpCode::Has).a = form.reg;
            return;
        }
    }
    if (binds && site.constant) {
        bind_constant(site, form.reg);
        return;
    }
    const std::uint16_t value = read(site);
    if (binds) {
        // Read straight into the variable.
        program_.code.back().a = form.reg;
        emit(OpCode::Has).a = form.reg;
        return;
    }
    leaf(form, value);
}

// A variable that a table of the constants gives. A table without gaps needs no test.
void Compiler::bind_constant(const Site& site, std::uint16_t reg) {
    const ConstTable table = value_table(site);
    read_table(table, reg);
    const auto first = program_.values.begin() + table.base;
    const bool gaps = std::any_of(first, first + table.count,
                                  [](const Value& value) { return value.tag == Tag::None; });
    if (gaps) {
        emit(OpCode::Has).a = reg;
    }
    if (table.terms.size() == 1) {
        tabled_[reg] = {table.base, table.count, table.terms[0].reg};
    }
}

void Compiler::emit_not(const Step& step) {
    const Label outer = fail_;
    const Label after = new_label();
    fail_ = own_fail_ = after;
    const bool outer_local = std::exchange(local_, true);
    emit_steps(step.steps, 0);
    local_ = outer_local;
    jump(outer);
    place(after);
    fail_ = own_fail_ = outer;
}

} // namespace croupier::engine
