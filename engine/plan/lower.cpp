// Takes conditions over declared paths and constants apart into steps. Whatever it does not know
// goes the general way, which knows everything.
#include "engine/plan/bound_names.h"
#include "engine/plan/compiler.h"
#include "engine/plan/planted.h"
#include "engine/plan/reached.h"

#include <algorithm>

namespace croupier::engine {

namespace {

constexpr std::size_t kMostTerms = 2; // that an op can address

} // namespace

bool Site::depends_on(std::uint16_t reg) const {
    const auto is = [reg](const Term& term) { return term.reg == reg; };
    return std::any_of(terms.begin(), terms.end(), is) ||
           std::any_of(keys.begin(), keys.end(), [&](const Key& key) { return is(key.term); });
}

bool Site::ends_in(std::uint16_t reg) const {
    std::size_t count = 0;
    for (const Term& term : terms) {
        count += term.reg == reg ? 1 : 0;
    }
    for (const Key& key : keys) {
        count += key.symbol == kNoSymbol && key.term.reg == reg ? 1 : 0;
    }
    if (count != 1) {
        return false;
    }
    // Of a constant any one key may be the row: tables have it as their mask.
    return constant || (row_is_term && terms.back().reg == reg);
}

namespace {

// What options decide of it may decide it all.
bool may_be_constant(const Expr& expr, const std::map<std::string, std::uint16_t>& bound) {
    const bool open = (expr.op == ExprOp::Variable && !bound.contains(expr.variable)) ||
                      expr.op == ExprOp::This || expr.op == ExprOp::Size ||
                      expr.op == ExprOp::Random;
    return !open && std::all_of(expr.args.begin(), expr.args.end(),
                                [&](const Expr& arg) { return may_be_constant(arg, bound); });
}

} // namespace

// It begins with a test that constants decide against it.
bool Compiler::is_never(const Pattern& pattern) {
    if (pattern.kind != PatternKind::Object || pattern.entries.empty()) {
        return false;
    }
    const Entry& first = pattern.entries[0];
    if (first.kind != KeyKind::Test || first.patterns[0].kind != PatternKind::Expression ||
        !may_be_constant(first.patterns[0].expr, bound_)) {
        return false;
    }
    const ExprNode& known = program_.exprs[expr(first.patterns[0].expr)];
    return known.op == ExprOp::Literal && known.literal.tag == Tag::Bool && !known.literal.truth();
}

// Behind alternatives is known what all of them bind as they are written, whichever are left.
void Compiler::keep_common(const Entry& any, const Registers& before, std::size_t fresh) {
    const std::vector<std::string> common = common_names(any.patterns);
    const auto goes = [&](const std::string& name) {
        return !before.contains(name) && !CROUPIER_PLANTED(CommonNamesKept) &&
               std::find(common.begin(), common.end(), name) == common.end();
    };
    const std::size_t known = bound_.size();
    std::erase_if(bound_, [&](const auto& each) { return goes(each.first); });
    CROUPIER_REACHED_IF(bound_.size() < known, NameOfOneAlternative);
    std::erase_if(fresh_, [&](const Variable& each) { return goes(each.name); });
    const auto place = [&](const Variable& each) {
        return std::find(common.begin(), common.end(), each.name);
    };
    std::sort(fresh_.begin() + static_cast<std::ptrdiff_t>(fresh), fresh_.end(),
              [&](const Variable& a, const Variable& b) { return place(a) < place(b); });
}

// Steps begin at the state's root, which must have its declared fields.
bool Compiler::can_lower() const {
    return !nested_root_ && program_.layout->node(0).kind == ShapeKind::Record;
}

std::optional<std::vector<Step>> Compiler::lower(const Pattern& condition) {
    if (!can_lower()) {
        return std::nullopt;
    }
    Scope outer = scope();
    const auto cached = cached_; // they stand in registers that will be used again
    const std::uint16_t value = next_value_;
    Site root;
    root.schema = 0;
    std::vector<Step> steps;
    if (lower_pattern(condition, root, steps)) {
        CROUPIER_REACHED(ConditionOfSteps);
        return steps;
    }
    restore(std::move(outer));
    cached_ = cached;
    next_value_ = value;
    return std::nullopt;
}

// The steps of the entries that come before the first that needs the general way.
std::vector<Step> Compiler::lower_beginning(const Pattern& condition) {
    std::vector<Step> steps;
    if (!can_lower() || condition.kind != PatternKind::Object) {
        return steps;
    }
    Site root;
    root.schema = 0;
    for (const Entry& entry : condition.entries) {
        const std::size_t done = steps.size();
        note(entry.span, entry.id);
        entry_ = entry.id;
        if (!lower_entry(entry, root, steps)) {
            steps.resize(done);
            break;
        }
    }
    return steps;
}

// ---- sites -----------------------------------------------------------------------------------

bool Compiler::child_by_symbol(const Site& site, Symbol symbol, Site& child) const {
    child = site;
    if (site.constant) {
        child.keys.push_back({symbol, {}});
        return true;
    }
    const SchemaNode& node = program_.layout->node(site.schema);
    if (node.kind == ShapeKind::Map && node.column != Column::Arena) {
        const DomainTable& domain = program_.layout->domain(node.domain);
        const std::uint16_t row = domain.row_of(symbol);
        // A bit has no address that is made of two rows and a number.
        if (row == kNoRow || site.terms.size() == kMostTerms) {
            return false;
        }
        child.schema = node.element;
        child.fixed = site.fixed * domain.size() + row;
        for (Term& term : child.terms) {
            term.stride *= domain.size();
        }
        child.row_is_term = false;
        child.row = row;
        return true;
    }
    if (node.kind != ShapeKind::Record) {
        return false;
    }
    const SchemaId field = node.field(symbol);
    if (field != kNoSchema) {
        child.schema = field;
        return true;
    }
    const bool constant = site.schema == 0 && program_.has_constant(symbol);
    if (constant) {
        child = Site{};
        child.constant = true;
        child.keys.push_back({symbol, {}});
    }
    return constant;
}

bool Compiler::is_prefix(std::uint32_t inner, std::uint32_t outer) const {
    const DomainTable& a = program_.layout->domain(inner);
    const DomainTable& b = program_.layout->domain(outer);
    if (CROUPIER_PLANTED(PrefixWithoutSize)) {
        const auto common = static_cast<std::ptrdiff_t>(std::min(a.size(), b.size()));
        return a.numbered == b.numbered &&
               std::equal(a.members.begin(), a.members.begin() + common, b.members.begin());
    }
    return inner == outer || (a.numbered == b.numbered && a.size() <= b.size() &&
                              std::equal(a.members.begin(), a.members.end(), b.members.begin()));
}

// A register whose value is that of `reg` with its row in the domain.
std::uint16_t Compiler::row_in(std::uint32_t domain, std::uint16_t reg, std::vector<Step>& steps) {
    Step step;
    CROUPIER_REACHED(RowOfValue);
    step.kind = Step::Kind::Row;
    step.reg = new_value();
    step.source = reg;
    step.domain = domain;
    steps.push_back(step);
    domain_of_[step.reg] = domain;
    return step.reg;
}

// The child whose key is the value of a register.
bool Compiler::child_by_row(const Site& site, std::uint16_t reg, Site& child,
                            std::vector<Step>& steps) {
    child = site;
    const auto known = domain_of_.find(reg);
    if (site.constant) {
        if (known != domain_of_.end()) {
            child.keys.push_back({kNoSymbol, {reg, 0, known->second}});
            return has_table(child);
        }
        const std::uint32_t domain = domain_of_keys(site);
        if (domain == 0) {
            return false;
        }
        child.keys.push_back({kNoSymbol, {row_in(domain, reg, steps), 0, domain}});
        return has_table(child);
    }
    const SchemaNode& node = program_.layout->node(site.schema);
    if (node.kind != ShapeKind::Map || node.column == Column::Arena ||
        site.terms.size() == kMostTerms) {
        return false;
    }
    const std::uint32_t size = program_.layout->domain(node.domain).size();
    std::uint16_t row = reg;
    if (known == domain_of_.end() || !is_prefix(known->second, node.domain)) {
        row = row_in(node.domain, reg, steps);
    }
    child.schema = node.element;
    child.fixed *= size;
    for (Term& term : child.terms) {
        term.stride *= size;
    }
    child.terms.push_back({row, 1, node.domain});
    child.row_is_term = true;
    child.row = 0;
    return true;
}

// The same, where the value may be a text that is known.
bool Compiler::child_by_value(const Site& site, std::uint16_t reg, Site& child,
                              std::vector<Step>& steps) {
    const auto literal = literal_of_.find(reg);
    CROUPIER_REACHED_IF(literal != literal_of_.end() && literal->second.tag == Tag::String,
                        KnownTextIsKey);
    return literal != literal_of_.end() && literal->second.tag == Tag::String
               ? child_by_symbol(site, literal->second.symbol(), child)
               : child_by_row(site, reg, child, steps);
}

bool Compiler::child_site(const Site& site, const KeyTemplate& key, Site& child,
                          std::vector<Step>& steps) {
    if (key.is_variable()) {
        return child_by_value(site, bound_.at(key.parts[0].text), child, steps);
    }
    return key.is_name() &&
           child_by_symbol(site, program_.symbols.intern(key.parts[0].text), child);
}

bool Compiler::lower_path(const PathExpr& path, Site& site, std::vector<Step>& steps) {
    return std::all_of(path.segments.begin(), path.segments.end(), [&](const KeyTemplate& segment) {
        const Site above = site;
        return child_site(above, segment, site, steps);
    });
}

// ---- patterns --------------------------------------------------------------------------------

bool Compiler::lower_pattern(const Pattern& pattern, const Site& site, std::vector<Step>& steps) {
    const bool is_leaf = !site.constant && program_.layout->node(site.schema).is_leaf();
    const bool opaque =
        !site.constant && program_.layout->node(site.schema).column == Column::Arena;
    Step step;
    step.site = site;
    step.note = static_cast<std::uint32_t>(program_.notes.size() - 1);
    if (pattern.kind == PatternKind::Any ||
        (pattern.kind == PatternKind::Object && pattern.entries.empty())) {
        step.kind = Step::Kind::Exists;
        steps.push_back(std::move(step));
        return true;
    }
    if (pattern.kind != PatternKind::Object) {
        if ((!is_leaf && !site.constant) || pattern.kind == PatternKind::Absent) {
            return false;
        }
        step.kind = Step::Kind::Leaf;
        cache_column(pattern, site);
        step.leaf = prepare(pattern);
        note_domain(site, step.leaf);
        steps.push_back(std::move(step));
        return true;
    }
    if (is_leaf || opaque) {
        return false;
    }
    // A child that must exist proves that this node does.
    const KeyKind first = pattern.entries[0].kind;
    const bool proven =
        first == KeyKind::Wildcard || ((first == KeyKind::Name || first == KeyKind::Variable) &&
                                       pattern.entries[0].patterns[0].kind != PatternKind::Absent);
    const bool is_root = !site.constant && site.schema == 0;
    if (!proven && !is_root) {
        step.kind = Step::Kind::Exists;
        steps.push_back(std::move(step));
    }
    return std::all_of(pattern.entries.begin(), pattern.entries.end(), [&](const Entry& entry) {
        note(entry.span, entry.id);
        entry_ = entry.id;
        return lower_entry(entry, site, steps);
    });
}

bool Compiler::lower_entry(const Entry& entry, const Site& site, std::vector<Step>& steps) {
    Site child;
    switch (entry.kind) {
    case KeyKind::Name:
        return child_site(site, entry.key, child, steps) && lower_child(entry, child, steps);
    case KeyKind::Variable:
        if (const auto known = bound_.find(entry.variable); known != bound_.end()) {
            return entry.type.name.empty() && child_by_value(site, known->second, child, steps) &&
                   lower_child(entry, child, steps);
        }
        return lower_each(entry, site, steps);
    case KeyKind::Wildcard:
        return lower_each(entry, site, steps);
    case KeyKind::Test: {
        Step step;
        step.kind = Step::Kind::Test;
        step.note = static_cast<std::uint32_t>(program_.notes.size() - 1);
        step.leaf = prepare_test(entry.patterns[0]);
        note_assigned(step.leaf);
        steps.push_back(std::move(step));
        return true;
    }
    case KeyKind::Root:
        child.schema = 0;
        return lower_pattern(entry.patterns[0], child, steps);
    case KeyKind::Path:
        child.schema = 0;
        return lower_path(entry.path, child, steps) && lower_child(entry, child, steps);
    case KeyKind::Not:
    case KeyKind::Exists:
    case KeyKind::Count:
    case KeyKind::Sum:
    case KeyKind::Min:
    case KeyKind::Max:
        return lower_local(entry, site, steps);
    case KeyKind::Use:
        return std::all_of(entry.patterns.begin(), entry.patterns.end(),
                           [&](const Pattern& used) { return lower_pattern(used, site, steps); });
    case KeyKind::Log:
        return true;
    case KeyKind::AnyOf: {
        // Alternatives that options rule out are none; the last one left is a part like others.
        const Pattern* left = nullptr;
        for (const Pattern& each : entry.patterns) {
            if (is_never(each)) {
                continue;
            }
            if (left != nullptr) {
                return false;
            }
            left = &each;
        }
        CROUPIER_REACHED(OneAlternativeLeft);
        const Registers before = bound_;
        const std::size_t fresh = fresh_.size();
        if (left == nullptr || !lower_pattern(*left, site, steps)) {
            return false;
        }
        keep_common(entry, before, fresh);
        return true;
    }
    case KeyKind::Parent:
    case KeyKind::Forall:
        break;
    }
    return false;
}

bool Compiler::lower_child(const Entry& entry, const Site& child, std::vector<Step>& steps) {
    if (entry.patterns[0].kind != PatternKind::Absent) {
        return lower_pattern(entry.patterns[0], child, steps);
    }
    // A key that is not a member of the domain has no child either; a Row step would stop there.
    if (!steps.empty() && steps.back().kind == Step::Kind::Row &&
        !CROUPIER_PLANTED(AbsentNeedsMember)) {
        return false;
    }
    Step step;
    step.kind = Step::Kind::Absent;
    step.note = static_cast<std::uint32_t>(program_.notes.size() - 1);
    step.site = child;
    steps.push_back(std::move(step));
    return true;
}

// The domain whose rows a loop over the site's children visits; 0: it is for the general way.
std::uint32_t Compiler::domain_of_loop(const Entry& entry, const Site& site) const {
    if (site.constant) {
        const bool wished =
            wish_.domain != 0 && entry.kind == KeyKind::Variable &&
            entry.variable == wish_.variable &&
            holds_children(program_.layout->domain(wish_.domain), site, Holds::AllInOrder);
        const std::uint32_t domain = wished ? wish_.domain : domain_of_children(site);
        const std::uint32_t only = program_.layout->domain_id(entry.type.name);
        const bool by_type =
            domain == 0 && only != 0 &&
            holds_children(program_.layout->domain(only), site, Holds::SomeInOrder);
        CROUPIER_REACHED_IF(wished, DomainOfTarget);
        CROUPIER_REACHED_IF(by_type, DomainOfType);
        return by_type ? only : domain;
    }
    const SchemaNode& node = program_.layout->node(site.schema);
    if (node.kind != ShapeKind::Map || node.column == Column::Arena ||
        site.terms.size() == kMostTerms) {
        return 0;
    }
    const SchemaNode& element = program_.layout->node(node.element);
    const bool rows_known = element.presence != kNoOffset || element.column == Column::Code8;
    const bool fits = program_.layout->domain(node.domain).size() <= kMostRows;
    return rows_known && fits ? node.domain : 0;
}

bool Compiler::lower_each(const Entry& entry, const Site& site, std::vector<Step>& steps) {
    const std::uint32_t only =
        entry.type.name.empty() ? 0 : program_.layout->domain_id(entry.type.name);
    const std::uint32_t domain = domain_of_loop(entry, site);
    if (domain == 0 || (only == 0 && !entry.type.name.empty())) {
        return false;
    }
    Step step;
    step.kind = Step::Kind::Each;
    step.note = static_cast<std::uint32_t>(program_.notes.size() - 1);
    step.reg = entry.kind == KeyKind::Wildcard ? new_value() : bind(entry.variable).reg;
    step.domain = domain;
    step.only = only == domain ? 0 : only;
    domain_of_[step.reg] = domain;
    std::vector<Step> nothing;
    if (!child_by_row(site, step.reg, step.site, nothing)) {
        return false;
    }
    const Site child = step.site;
    steps.push_back(std::move(step));
    const Pattern& pattern = entry.patterns[0];
    const bool any = pattern.kind == PatternKind::Any ||
                     (pattern.kind == PatternKind::Object && pattern.entries.empty());
    return any || lower_pattern(pattern, child, steps);
}

// @not, @exists and what gathers: what they bind is theirs alone.
bool Compiler::lower_local(const Entry& entry, const Site& site, std::vector<Step>& steps) {
    const Registers bound = bound_;
    const Registers names = names_;
    const std::size_t fresh = fresh_.size();
    Step step;
    step.kind = entry.kind == KeyKind::Not      ? Step::Kind::Not
                : entry.kind == KeyKind::Exists ? Step::Kind::Some
                                                : Step::Kind::Gather;
    step.note = static_cast<std::uint32_t>(program_.notes.size() - 1);
    if (entry.patterns.empty() || !lower_pattern(entry.patterns[0], site, step.steps)) {
        return false;
    }
    if (!entry.value.empty()) {
        step.value = expr(entry.value[0]);
    }
    bound_ = bound;
    names_ = names; // outside, the same name is another variable
    fresh_.resize(fresh);
    if (step.kind == Step::Kind::Gather) {
        step.gathers = entry.kind;
        step.reg = new_value();
        if (!entry.into.empty()) {
            step.leaf = prepare(entry.into[0]);
        }
    }
    steps.push_back(std::move(step));
    return true;
}

// A variable that reads a column of the root lives where the chain keeps the column.
void Compiler::cache_column(const Pattern& pattern, const Site& site) {
    const bool binds = caching_ && pattern.kind == PatternKind::Bind && pattern.type.name.empty() &&
                       !names_.contains(pattern.variable);
    if (!binds || site.constant || program_.layout->node(site.schema).instances != 1 ||
        program_.layout->node(site.schema).column != Column::Code8) {
        return;
    }
    const auto [place, made] = cached_.try_emplace(site.schema, kNoRegister);
    if (made) {
        place->second = new_value();
    }
    names_[pattern.variable] = place->second;
}

// What is known of the value of a variable that an expression gives.
void Compiler::note_assigned(const LeafForm& form) {
    if (form.kind != PatternKind::Assign || !form.fresh || !form.type_free) {
        return;
    }
    const ExprNode& node = program_.exprs[form.expr];
    note_range(form.reg, range_of(form.expr));
    if (node.op == ExprOp::Literal) {
        literal_of_[form.reg] = node.literal;
    } else if (const std::uint32_t domain = domain_of_value(form.expr); domain != 0) {
        domain_of_[form.reg] = domain;
    }
}

// The domain in which the expression's value has its row: that of the variables it chooses from.
std::uint32_t Compiler::domain_of_value(ExprId id) const {
    const ExprNode& node = program_.exprs[id];
    if (node.op == ExprOp::Variable) {
        const auto known = domain_of_.find(node.reg);
        return known == domain_of_.end() ? 0 : known->second;
    }
    if (node.op != ExprOp::Conditional) {
        return 0;
    }
    CROUPIER_REACHED(DomainOfChoice);
    const std::uint32_t domain = domain_of_value(program_.expr_args[node.first + 1]);
    return domain == domain_of_value(program_.expr_args[node.first + 2]) ? domain : 0;
}

// A variable bound to a leaf that holds members of a domain carries its row.
void Compiler::note_domain(const Site& site, const LeafForm& form) {
    if (form.kind != PatternKind::Bind || !form.fresh) {
        return;
    }
    note_range(form.reg, range_of_leaf(site));
    if (site.constant) {
        if (const ConstTable table = value_table(site); table.domain != 0) {
            domain_of_[form.reg] = table.domain;
        }
        return;
    }
    const SchemaNode& node = program_.layout->node(site.schema);
    if (node.kind == ShapeKind::Member) {
        domain_of_[form.reg] = node.domain;
    }
}

} // namespace croupier::engine
