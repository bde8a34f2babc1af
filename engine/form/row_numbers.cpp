// Turns tests of the neighbours of a loop's row into sets of rows.
#include "engine/form/row_numbers.h"

#include "engine/form/edit.h"
#include "engine/form/effects.h"
#include "engine/form/form.h"
#include "engine/form/probe.h"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

namespace croupier::engine::form {

constexpr std::size_t kMaxDigits = 16;

void RowNumbers::enter(VarId row, std::vector<Id>* before) {
    row_ = row;
    before_ = before;
    values_.clear();
    digits_.clear();
}

// ---- neighbours of the row -------------------------------------------------------------------

void RowNumbers::join(std::optional<Id>& all, Id set) {
    if (all && is_part(edit_.module(), edit_.function(), set, *all)) {
        all = set;
        return;
    }
    all = all ? edit_.make(Kind::Both, node(set).type, {*all, set}) : set;
}

// Adds the set to `made`; false if it depends on the row in another way.
bool RowNumbers::find_related(Id set, std::optional<Related>& made) {
    const Node known = node(set);
    if (!tests_.depends(set)) {
        if (!made) {
            made.emplace();
            made->table = kNothing;
        }
        join(made->set, edit_.copy(set));
        return true;
    }
    switch (known.kind) {
    case Kind::Both:
        return find_related(known.operands[0], made) && find_related(known.operands[1], made);
    case Kind::Without: {
        if (tests_.depends(known.operands[1]) || !find_related(known.operands[0], made))
            return false;
        const Id some = made->set ? *made->set : edit_.make(Kind::AllRows, known.type, {});
        made->set = edit_.make(Kind::Without, known.type, {some, edit_.copy(known.operands[1])});
        return true;
    }
    case Kind::TableRows: {
        std::uint32_t table = tests_.by_row(set);
        if (table == kNothing) return false;
        if (made && made->table != kNothing) table = in_both(made->table, table);
        if (!made) made.emplace();
        made->table = table;
        return true;
    }
    default:
        return false;
    }
}

// The table of the rows that both tables have.
std::uint32_t RowNumbers::in_both(std::uint32_t one, std::uint32_t other) {
    LookupTable made = edit_.module().tables[one];
    for (std::size_t i = 0; i < made.words.size(); ++i)
        made.words[i] &= CROUPIER_MISTAKE(RowsOfFirstTable) ? made.words[i]
                                                            : edit_.module().tables[other].words[i];
    return tests_.kept(std::move(made));
}

std::optional<RowNumbers::Related> RowNumbers::related(Id set) {
    std::optional<Related> made;
    if (!find_related(set, made) || !made || made->table == kNothing ||
        !shifts(made->table, node(set).type))
        return std::nullopt;
    if (!made->set) made->set = edit_.make(Kind::AllRows, node(set).type, {});
    return made;
}

const std::optional<Shifts>& RowNumbers::shifts(std::uint32_t table, Type set) {
    const auto [known, is_new] = shifts_.try_emplace(table);
    if (is_new) {
        const Module& module = edit_.module();
        const std::size_t rows = module.lists[set.list].values.size();
        known->second = shifts_of(module.tables[table], static_cast<std::uint32_t>(rows));
    }
    return known->second;
}

std::optional<RowNumbers::Rows> RowNumbers::touching(Id set) {
    const auto found = related(set);
    if (!found) return std::nullopt;
    CROUPIER_REWRITE(TouchingRows);
    return touching(*found->set, node(set).type, found->table);
}

// The rows whose sets in the table share a row with the set.
RowNumbers::Rows RowNumbers::touching(Id set, Type of_set, std::uint32_t table) {
    if (!in_search_) return touching_at_once(set, of_set, table);
    asks_ = true;
    // Shift by shift, the nearest first, so that the next table of a direction adds only one.
    std::vector<Shift> all = shifts(table, of_set)->all;
    std::ranges::sort(all, {}, [](const Shift& each) { return std::abs(each.by); });
    set = once(set);
    Rows made;
    for (const Shift& each : all) {
        made = either(made, touching(set, of_set, each));
        if (made.is == Rows::Is::Some) made.set = once(made.set);
    }
    return made;
}

RowNumbers::Rows RowNumbers::touching_at_once(Id set, Type of_set, std::uint32_t table) {
    asks_ = true;
    cost_ += shifts(table, of_set)->all.size() * here_.size();
    const VarId var = edit_.new_var("touching", type());
    before_->push_back(edit_.make(Kind::LetTouching, {}, {set}, var, table));
    return {Rows::Is::Some, edit_.make(Kind::RowsOf, type(), {}, var)};
}

// The same for one shift. The result may contain rows that the search has already left out.
RowNumbers::Rows RowNumbers::touching(Id set, Type of_set, const Shift& shift) {
    const auto serves = [&](const Touching& each) {
        if (each.shift.by != shift.by ||
            !same_expression(edit_.module(), edit_.function(), each.set, set))
            return false;
        for (std::size_t w = 0; w < here_.size() && !CROUPIER_MISTAKE(TouchingOfOtherRows); ++w)
            if (((each.shift.rows[w] ^ shift.rows[w]) & here_[w]) != 0) return false;
        return true;
    };
    const auto known = std::ranges::find_if(touching_, serves);
    if (known != touching_.end())
        return {Rows::Is::Some, edit_.make(Kind::RowsOf, type(), {}, known->var)};
    cost_ += here_.size();
    const VarId var = edit_.new_var("touching", type());
    const bool in_word =
        here_.size() == 1 && edit_.module().lists[of_set.list].values.size() <= kWordRows;
    before_->push_back(in_word
                           ? edit_.make(Kind::LetRows, {}, {moved(set, of_set, shift)}, var)
                           : edit_.make(Kind::LetTouching, {}, {edit_.copy(set)}, var,
                                        tests_.kept(tests_.relation_of(codes_of(shift), of_set))));
    touching_.push_back({set, shift, var});
    return {Rows::Is::Some, edit_.make(Kind::RowsOf, type(), {}, var)};
}

// The rows of the shift whose other row is in the set, for words.
Id RowNumbers::moved(Id set, Type of_set, const Shift& shift) {
    const std::uint64_t others = moved_rows(shift.rows[0], shift.by);
    const Id some =
        edit_.make(Kind::Both, of_set, {edit_.copy(set), tests_.fixed_rows({others}, of_set)});
    const Id made = edit_.make(Kind::Moved, type(), {some});
    edit_.at(made).by() = -shift.by;
    return made;
}

// The codes of the rows that the rows of the shift find.
std::vector<std::uint32_t> RowNumbers::codes_of(const Shift& shift) const {
    std::vector<std::uint32_t> codes(size() + 1);
    for (std::size_t row = 0; row < size(); ++row)
        if ((shift.rows[row / kWordRows] >> row % kWordRows & 1) != 0)
            codes[row + 1] =
                static_cast<std::uint32_t>(static_cast<std::int64_t>(row) + 1 + shift.by);
    return codes;
}

// Puts the set in a variable, which all parts of the search share.
Id RowNumbers::once(Id set) {
    const Kind kind = node(set).kind;
    if (kind == Kind::RowsOf || kind == Kind::AllRows ||
        (kind == Kind::TableRows && node(set).operands.empty()))
        return set;
    for (const auto& [known, var] : sets_)
        if (same_expression(edit_.module(), edit_.function(), known, set))
            return edit_.make(Kind::RowsOf, node(set).type, {}, var);
    const VarId var = edit_.new_var("rows", node(set).type);
    before_->push_back(edit_.make(Kind::LetRows, {}, {set}, var));
    sets_.emplace_back(set, var);
    return edit_.make(Kind::RowsOf, node(set).type, {}, var);
}

std::optional<RowNumbers::Digits> RowNumbers::counts(Id set) {
    const auto found = related(set);
    if (!found) return std::nullopt;
    CROUPIER_REWRITE(CountsOfRows);
    const auto count =
        static_cast<std::uint32_t>(std::bit_width(shifts(found->table, node(set).type)->most));
    Digits made;
    for (std::uint32_t i = 0; i < count; ++i) {
        const VarId var = edit_.new_var("digit", type());
        made.push_back({Rows::Is::Some, edit_.make(Kind::RowsOf, type(), {}, var)});
    }
    const VarId first = node(made[0].set).var();
    const Id let = edit_.make(Kind::LetCounts, {}, {*found->set}, first, found->table);
    edit_.at(let).number = count; // of digits
    before_->push_back(let);
    return made;
}

std::optional<Id> RowNumbers::number(Id value) {
    if (node(value).kind != Kind::CountRows) return std::nullopt;
    const auto known = digits(value);
    if (!known) return std::nullopt;
    std::vector<Id> operands = {edit_.variable(row_)};
    for (const Rows& digit : *known)
        operands.push_back(again(digit).set);
    return edit_.make(Kind::NumberAt, node(value).type, std::move(operands));
}

// ---- tests -----------------------------------------------------------------------------------

std::optional<Id> RowNumbers::rows(Id test) {
    asks_ = false;
    begin();
    const auto found = truth(test);
    return found && asks_ ? std::optional(expression(kept(*found))) : std::nullopt;
}

// The most shifts for a test of one other row; a test row by row is as fast as more.
constexpr std::size_t kMaxShiftsOfTest = 2;
// The same where codes choose the other row, which a test row by row must look up.
constexpr std::size_t kMaxShiftsOfChoice = 8;

std::optional<RowNumbers::Rows> RowNumbers::truth(Id test) {
    const Node known = node(test);
    switch (known.kind) {
    case Kind::AnyRow:
        return touching(known.operands[0]);
    case Kind::Not: {
        const auto some = truth(known.operands[0]);
        return some ? std::optional(without({Rows::Is::All}, *some)) : std::nullopt;
    }
    case Kind::And:
    case Kind::Or: {
        const auto one = truth(known.operands[0]);
        const auto two = one ? truth(known.operands[1]) : std::nullopt;
        if (!two) return std::nullopt;
        return known.kind == Kind::And ? both(*one, *two) : either(*one, *two);
    }
    case Kind::Compare:
        if (const auto found = compare(known)) return found;
        break;
    default:
        break;
    }
    if (in_search_ && !tests_.depends(test)) {
        const auto truths = tests_.truths(test);
        if (!truths || truths->size() != 1) return std::nullopt;
        return Rows{truths->front() != 0 ? Rows::Is::All : Rows::Is::None};
    }
    auto set = tests_.by_state(test);
    if (!set) set = tests_.by_table(test, type());
    if (set) return Rows{Rows::Is::Some, *set};
    if (const auto found = tests_.by_found(test)) {
        if (const auto rows = touching(*found)) return rows;
    }
    return by_case(test);
}

// The rows that find a row of the set.
std::optional<RowNumbers::Rows> RowNumbers::touching(const TestRows::Found& found) {
    const Type of_set = node(found.set).type;
    const std::size_t codes = size() + 1;
    if (std::ranges::all_of(found.rows, [](std::uint32_t row) { return row == 0; })) return Rows{};
    if (!in_search_ && !has_many_rows()) return std::nullopt;
    if (found.codes.empty()) {
        const std::uint32_t table = tests_.kept(tests_.relation_of(found.rows, of_set));
        const auto& related = shifts(table, of_set);
        if (!related || (!in_search_ && related->all.size() > kMaxShiftsOfTest))
            return std::nullopt;
        return touching(found.set, of_set, table);
    }
    std::map<std::int64_t, LookupTable> masks; // the rows of each shift, by choice
    const std::size_t words = words_for(static_cast<std::uint32_t>(size()));
    for (std::size_t i = 0; i < found.rows.size(); ++i) {
        if (found.rows[i] == 0) continue;
        const std::size_t row = i % codes - 1; // there is none for 0
        LookupTable& mask = masks[std::int64_t{found.rows[i]} - static_cast<std::int64_t>(row) - 1];
        if (masks.size() > kMaxShiftsOfChoice) return std::nullopt;
        mask.sizes = found.sizes;
        mask.words.resize(found.rows.size() / codes * words);
        add_row(mask.words, i / codes * words, row);
    }
    CROUPIER_REWRITE(TouchingByCode);
    asks_ = true;
    const Id set = once(found.set);
    Rows made;
    for (auto& [by, mask] : masks) {
        Shift any{by, std::vector<std::uint64_t>(words)};
        for (std::size_t i = 0; i < mask.words.size(); ++i)
            any.rows[i % words] |= mask.words[i];
        std::vector<Id> chosen;
        for (const Id each : found.codes)
            chosen.push_back(edit_.copy(each));
        const Id there =
            edit_.make(Kind::TableRows, type(), std::move(chosen), tests_.kept(std::move(mask)));
        const Rows may{CROUPIER_MISTAKE(TouchingOfAnyCode) ? Rows::Is::All : Rows::Is::Some, there};
        made = either(made, both(touching(set, of_set, any), may));
    }
    return made;
}

std::optional<RowNumbers::Rows> RowNumbers::compare(const Node& test) {
    const auto a = digits(test.operands[0]);
    const auto b = a ? digits(test.operands[1]) : std::nullopt;
    if (!b) return std::nullopt;
    CROUPIER_REWRITE(CountsCompared);
    asks_ = true;
    const Rows all{Rows::Is::All};
    switch (test.op()) {
    case ExprOp::Equal:
        return equal(*a, *b);
    case ExprOp::NotEqual:
        return without(all, equal(*a, *b));
    case ExprOp::Less:
        return less(*a, *b);
    case ExprOp::Greater:
        return less(*b, *a);
    case ExprOp::LessEqual:
        return CROUPIER_MISTAKE(DigitsLessOrEqual) ? less(*a, *b) : without(all, less(*b, *a));
    default:
        return without(all, less(*a, *b));
    }
}

// ---- searches --------------------------------------------------------------------------------

// The most rows of an inner loop, and codes of a value, to try one by one.
constexpr std::size_t kMaxOfLoop = 16;
constexpr std::size_t kMaxOfValue = 4;
// The most tries of a search, those of inner loops included.
constexpr std::size_t kMaxTries = 4096;

void RowNumbers::begin() {
    cost_ = tries_ = 0;
    touching_.clear();
    sets_.clear();
    here_.assign(words_for(static_cast<std::uint32_t>(size())), ~std::uint64_t{0});
}

std::optional<Id> RowNumbers::rows_of(BlockId search, double most_shifts) {
    const std::size_t before = before_->size();
    in_search_ = true;
    begin();
    most_cost_ = static_cast<std::size_t>(most_shifts * static_cast<double>(size()));
    const auto all = found(search, 0);
    in_search_ = false;
    if (all && cost_ <= most_cost_) return expression(kept(*all));
    before_->resize(before);
    return std::nullopt;
}

// The rows for which the search, from that statement on, has a result.
std::optional<RowNumbers::Rows> RowNumbers::found(BlockId search, std::size_t first) {
    if (++tries_ > kMaxTries) return std::nullopt;
    Rows made{Rows::Is::All};
    const std::vector<Id> statements = edit_.function().blocks[search].statements;
    for (std::size_t i = first; i < statements.size(); ++i) {
        const Node known = node(statements[i]);
        if (cost_ > most_cost_) return std::nullopt;
        std::optional<Rows> rows;
        switch (known.kind) {
        case Kind::Let: {
            if (!is_total(edit_.function(), known.operands[0])) return std::nullopt;
            const Id value = replaced(known.operands[0]);
            if (node(value).kind != Kind::Load || node(value).type.kind != TypeKind::Code ||
                !tests_.depends(value)) {
                known_[known.var()] = value;
                continue;
            }
            rows = each_code(known.var(), value, search, i + 1);
            return rows ? std::optional(both(made, *rows)) : std::nullopt;
        }
        case Kind::LetRows:
            known_[known.var()] = replaced(known.operands[0]);
            continue;
        case Kind::Test:
            if (!known.cuts() && is_total(edit_.function(), known.operands[0]))
                rows = truth(replaced(known.operands[0]));
            break;
        case Kind::NoMatch:
        case Kind::SomeMatch:
            if (!known.cuts()) rows = found(known.blocks[0], 0);
            if (rows && known.kind == Kind::NoMatch) rows = without({Rows::Is::All}, *rows);
            break;
        case Kind::EachRow: {
            const Id set = replaced(known.operands[0]);
            const std::size_t size = edit_.module().lists[node(set).type.list].values.size();
            if (size <= kMaxOfLoop) rows = each_of_few(known, set);
            if (!rows) rows = each_neighbour(known, set);
            return rows ? std::optional(both(made, *rows)) : std::nullopt;
        }
        case Kind::Fail:
            return Rows{};
        case Kind::Yield:
            return made;
        default:
            break;
        }
        if (!rows) return std::nullopt;
        made = both(made, *rows);
        if (made.is == Rows::Is::None) return made;
    }
    return made;
}

// Tries the codes of a value one by one.
std::optional<RowNumbers::Rows> RowNumbers::each_code(VarId var, Id value, BlockId search,
                                                      std::size_t next) {
    const std::uint32_t list = node(value).type.list;
    const std::size_t codes = edit_.module().lists[list].values.size();
    if (codes > kMaxOfValue) return std::nullopt;
    Rows made;
    const std::size_t last = CROUPIER_MISTAKE(LastCodeLeftOut) ? codes - 1 : codes;
    for (std::uint32_t code = edit_.var(var).sure ? 1 : 0; code <= last; ++code) {
        const Id constant = edit_.atom({true, code, kNothing, list});
        const Id is =
            code == 0 ? edit_.make(Kind::Has, {TypeKind::Truth}, {edit_.copy(value)})
                      : edit_.make(Kind::Compare, {TypeKind::Truth}, {edit_.copy(value), constant},
                                   static_cast<std::uint32_t>(ExprOp::Equal));
        auto here = truth(is);
        if (!here) return std::nullopt;
        if (code == 0) here = without({Rows::Is::All}, *here);
        known_[var] = constant;
        const auto rest = found(search, next);
        if (!rest) return std::nullopt;
        made = either(made, both(*here, *rest));
    }
    return made;
}

// Tries the rows of an inner loop one by one.
std::optional<RowNumbers::Rows> RowNumbers::each_of_few(const Node& loop, Id set) {
    const std::uint32_t list = node(set).type.list;
    const std::size_t codes = edit_.module().lists[list].values.size();
    Rows made;
    for (std::uint32_t code = 1; code <= codes; ++code) {
        const auto here = with_code(set, code);
        if (!here) return std::nullopt;
        if (here->is == Rows::Is::None) continue;
        known_[loop.var()] = edit_.atom({true, code, kNothing, list});
        const auto rest = found(loop.blocks[0], 0);
        if (!rest) return std::nullopt;
        made = either(made, both(*here, *rest));
    }
    return made;
}

// The rows whose set has that code.
std::optional<RowNumbers::Rows> RowNumbers::with_code(Id set, std::uint32_t code) {
    const Node known = node(set);
    switch (known.kind) {
    case Kind::AllRows:
        return Rows{Rows::Is::All};
    case Kind::Both:
    case Kind::Without: {
        const auto one = with_code(known.operands[0], code);
        const auto other = one ? with_code(known.operands[1], code) : std::nullopt;
        if (!other) return std::nullopt;
        return known.kind == Kind::Both ? both(*one, *other) : without(*one, *other);
    }
    case Kind::TableRows:
        break;
    default:
        return std::nullopt;
    }
    const std::uint32_t table = tests_.by_row(set);
    if (table == kNothing) return std::nullopt;
    const std::vector<std::uint64_t>& words = edit_.module().tables[table].words;
    const std::size_t rows = size();
    const std::size_t width = words.size() / (rows + 1);
    std::vector<std::uint64_t> has(words_for(static_cast<std::uint32_t>(rows)));
    std::size_t count = 0;
    for (std::size_t row = 0; row < rows; ++row) {
        const std::uint64_t word = words[(row + 1) * width + (code - 1) / kWordRows];
        if ((word >> (code - 1) % kWordRows & 1) == 0) continue;
        add_row(has, 0, row);
        ++count;
    }
    if (count == 0 || count == rows) return Rows{count == 0 ? Rows::Is::None : Rows::Is::All};
    return Rows{Rows::Is::Some, tests_.fixed_rows(std::move(has), type())};
}

// Tries the neighbours of a loop shift by shift; takes all shifts at once if the loop tests
// nothing.
std::optional<RowNumbers::Rows> RowNumbers::each_neighbour(const Node& loop, Id set) {
    const auto all = related(set);
    if (!all) return std::nullopt;
    const Type of_set = node(set).type;
    const auto& body = edit_.function().blocks[loop.blocks[0]].statements;
    if (std::ranges::all_of(body, [&](Id each) {
            return node(each).kind == Kind::Yield ||
                   (node(each).kind == Kind::Let &&
                    is_total(edit_.function(), node(each).operands[0]));
        }))
        return touching_at_once(*all->set, of_set, all->table);
    const std::vector<Value>& values = edit_.module().lists[of_set.list].values;
    const std::size_t rows = size();
    const bool any = node(*all->set).kind == Kind::AllRows;
    const Id neighbours = once(*all->set);
    const std::vector<std::uint64_t> here = here_;
    Rows made;
    for (const Shift& shift : std::vector<Shift>(shifts(all->table, of_set)->all)) {
        LookupTable neighbour; // of each row that has one there
        neighbour.sizes = {static_cast<std::uint32_t>(rows + 1)};
        std::vector<Value> of_rows;
        for (const std::uint32_t code : codes_of(shift))
            of_rows.push_back(code == 0 ? Value{} : values[code - 1]);
        neighbour.values = Entries(of_rows);
        known_[loop.var()] = edit_.make(Kind::Table, code_type(of_set.list), {edit_.variable(row_)},
                                        edit_.new_table(std::move(neighbour)));
        const Rows there = any ? Rows{Rows::Is::Some, tests_.fixed_rows(shift.rows, type())}
                               : touching(neighbours, of_set, shift);
        for (std::size_t w = 0; w < here.size(); ++w)
            here_[w] = here[w] & shift.rows[w];
        const auto rest = found(loop.blocks[0], 0);
        here_ = here;
        if (!rest) return std::nullopt;
        made = either(made, both(there, *rest));
    }
    return made;
}

// A copy of the expression, with the values of the search's variables that are known.
Id RowNumbers::replaced(Id expression) {
    const Node known = node(expression);
    if (known.kind == Kind::Variable || known.kind == Kind::RowsOf) {
        const auto value = known_.find(known.var());
        return edit_.copy(value == known_.end() ? expression : value->second);
    }
    Node made = known;
    for (Id& operand : made.operands)
        operand = replaced(operand);
    return edit_.add(std::move(made));
}

// ---- numbers ---------------------------------------------------------------------------------

// The digits of an integer that is not negative.
std::optional<RowNumbers::Digits> RowNumbers::digits(Id value) {
    if (const auto known = digits_.find(value); known != digits_.end()) return known->second;
    const Node known = node(value);
    std::optional<Digits> made;
    if (known.type.kind != TypeKind::Int) return std::nullopt;
    switch (known.kind) {
    case Kind::Variable:
        if (const auto defined = values_.find(known.var()); defined != values_.end())
            return digits(defined->second);
        break;
    case Kind::Constant:
        if (known.literal() >= 0 && known.literal() < std::int64_t{1} << kMaxDigits) {
            made.emplace();
            for (std::int64_t left = known.literal(); left != 0; left >>= 1)
                made->push_back({(left & 1) != 0 ? Rows::Is::All : Rows::Is::None});
        }
        break;
    case Kind::CountRows:
        made = counts(known.operands[0]);
        break;
    case Kind::NumberAt:
        if (tests_.is_row(known.operands[0])) {
            asks_ = true;
            made.emplace();
            for (std::size_t i = 1; i < known.operands.size(); ++i)
                made->push_back(kept({Rows::Is::Some, edit_.copy(known.operands[i])}));
        }
        break;
    case Kind::Calculate:
        if (known.op() == ExprOp::Add) {
            const auto a = digits(known.operands[0]);
            const auto b = a ? digits(known.operands[1]) : std::nullopt;
            if (b) {
                CROUPIER_REWRITE(SumOfCounts);
                made = sum(*a, *b);
            }
        }
        break;
    default:
        break;
    }
    if (!made || made->size() > kMaxDigits) return std::nullopt;
    digits_.emplace(value, *made);
    return made;
}

// Sums and comparisons of numbers whose binary digits are sets of rows.

RowNumbers::Digits RowNumbers::sum(const Digits& a, const Digits& b) {
    Digits made;
    Rows carry;
    for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
        const Rows one = i < a.size() ? a[i] : Rows{};
        const Rows two = i < b.size() ? b[i] : Rows{};
        const Rows odd = kept(differ(again(one), again(two)));
        const Rows next =
            either(both(again(one), again(two)),
                   CROUPIER_MISTAKE(CarryOfTwoOnly) ? Rows{} : both(again(odd), again(carry)));
        made.push_back(kept(differ(again(odd), again(carry))));
        carry = kept(next);
    }
    if (carry.is != Rows::Is::None) made.push_back(carry);
    return made;
}

RowNumbers::Rows RowNumbers::less(const Digits& a, const Digits& b) {
    Rows made;
    for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
        const Rows one = i < a.size() ? a[i] : Rows{};
        const Rows two = i < b.size() ? b[i] : Rows{};
        const Rows higher = without(again(two), again(one));
        made = either(higher, without(made, differ(again(one), again(two))));
    }
    return made;
}

RowNumbers::Rows RowNumbers::equal(const Digits& a, const Digits& b) {
    Rows made{Rows::Is::All};
    for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
        const Rows one = i < a.size() ? a[i] : Rows{};
        const Rows two = i < b.size() ? b[i] : Rows{};
        made = without(made, differ(again(one), again(two)));
    }
    return made;
}

// ---- sets ------------------------------------------------------------------------------------

RowNumbers::Rows RowNumbers::made(Kind kind, Id a, Id b) {
    return {Rows::Is::Some, edit_.make(kind, type(), {a, b})};
}

Id RowNumbers::expression(const Rows& rows) {
    if (rows.is == Rows::Is::Some) return rows.set;
    const Id all = edit_.make(Kind::AllRows, type(), {});
    return rows.is == Rows::Is::All
               ? all
               : edit_.make(Kind::Without, type(), {all, edit_.make(Kind::AllRows, type(), {})});
}

// A copy for another place.
RowNumbers::Rows RowNumbers::again(const Rows& rows) {
    return rows.is == Rows::Is::Some ? Rows{Rows::Is::Some, edit_.copy(rows.set)} : rows;
}

// Puts the rows in a variable, so that they can be used often.
RowNumbers::Rows RowNumbers::kept(const Rows& rows) {
    if (rows.is != Rows::Is::Some || node(rows.set).kind == Kind::RowsOf) return rows;
    const VarId var = edit_.new_var("rows", type());
    before_->push_back(edit_.make(Kind::LetRows, {}, {rows.set}, var));
    return {Rows::Is::Some, edit_.make(Kind::RowsOf, type(), {}, var)};
}

RowNumbers::Rows RowNumbers::both(Rows a, Rows b) {
    if (a.is == Rows::Is::None || b.is == Rows::Is::None) return {};
    return a.is == Rows::Is::All ? b : b.is == Rows::Is::All ? a : made(Kind::Both, a.set, b.set);
}

RowNumbers::Rows RowNumbers::either(Rows a, Rows b) {
    if (a.is == Rows::Is::All || b.is == Rows::Is::All) return {Rows::Is::All};
    return a.is == Rows::Is::None   ? b
           : b.is == Rows::Is::None ? a
                                    : made(Kind::Either, a.set, b.set);
}

RowNumbers::Rows RowNumbers::without(Rows a, Rows b) {
    if (a.is == Rows::Is::None || b.is == Rows::Is::All) return {};
    if (b.is == Rows::Is::None) return a;
    if (node(b.set).kind == Kind::Without && node(node(b.set).operands[0]).kind == Kind::AllRows)
        return both(a, {Rows::Is::Some, node(b.set).operands[1]});
    return made(Kind::Without, expression(a), b.set);
}

RowNumbers::Rows RowNumbers::differ(Rows a, Rows b) {
    if (a.is == Rows::Is::All) return without(a, b);
    if (b.is == Rows::Is::All) return without(b, a);
    return a.is == Rows::Is::None   ? b
           : b.is == Rows::Is::None ? a
                                    : made(Kind::Differ, a.set, b.set);
}

// Tests of codes and of a number that each row has as binary digits, such as a look-up of the
// number in the table that a row's code chooses. They become sets of rows, digit by digit.

namespace {

// The largest number whose values are each a case of their own.
constexpr std::int64_t kMaxCases = 63;
constexpr std::size_t kMaxNumbers = 2;
// The case of an impossible number: any set will do.
constexpr std::uint32_t kNoCase = 0xffffffff;

using Cases = std::vector<std::uint32_t>;

// Merges both if they differ only where one of them has no case.
std::optional<Cases> merged(const Cases& a, const Cases& b) {
    Cases made;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (a[i] != b[i] && a[i] != kNoCase && b[i] != kNoCase) return std::nullopt;
        made.push_back(a[i] == kNoCase ? b[i] : a[i]);
    }
    return made;
}

} // namespace

// Builds one set from several: a row's number says which of these decides for the row.
class RowNumbers::Chooser {
  public:
    Chooser(RowNumbers& numbers, const Digits& digits, const std::vector<Rows>& sets)
        : numbers_(numbers), digits_(digits), sets_(sets) {}

    // The set for these cases, one for each value of the lower digits that are left.
    Rows rows(const Cases& cases) {
        const auto first = std::find_if(cases.begin(), cases.end(),
                                        [](std::uint32_t each) { return each != kNoCase; });
        if (first == cases.end()) return {};
        if (std::all_of(first, cases.end(),
                        [&](std::uint32_t each) { return each == *first || each == kNoCase; }))
            return numbers_.again(sets_[*first]);
        if (const auto known = made_.find(cases); known != made_.end())
            return numbers_.again(known->second);
        const auto middle = cases.begin() + static_cast<std::ptrdiff_t>(cases.size() / 2);
        const Cases low(cases.begin(), middle);
        const Cases high(middle, cases.end());
        if (const auto either = merged(low, high)) return rows(*either);
        std::size_t digit = 0;
        while (std::size_t{2} << digit < cases.size())
            ++digit;
        const Rows made = numbers_.kept(chosen(digits_[digit], rows(high), rows(low)));
        made_.emplace(cases, made);
        return numbers_.again(made);
    }

  private:
    // One set where the digit is 1, the other where it is 0.
    Rows chosen(const Rows& digit, const Rows& one, const Rows& zero) {
        const auto again = [&] { return numbers_.again(digit); };
        if (one.is == Rows::Is::All) return numbers_.either(again(), zero);
        if (zero.is == Rows::Is::All) return numbers_.either(numbers_.without(zero, again()), one);
        return numbers_.either(numbers_.both(again(), one), numbers_.without(zero, again()));
    }

    RowNumbers& numbers_;
    const Digits& digits_;
    const std::vector<Rows>& sets_;
    std::map<Cases, Rows> made_;
};

// The largest value that the number with these digits can have.
std::int64_t RowNumbers::most_of(Id value, const Digits& digits) {
    const Node known = node(value);
    const auto all = (std::int64_t{1} << digits.size()) - 1;
    if (known.kind == Kind::CountRows) {
        const auto found = related(known.operands[0]);
        return found ? shifts(found->table, node(known.operands[0]).type)->most : all;
    }
    if (known.kind == Kind::Variable) {
        const auto defined = values_.find(known.var());
        return defined == values_.end() ? all : most_of(defined->second, digits);
    }
    if (known.kind == Kind::Calculate) {
        std::int64_t sum = 0;
        for (const Id each : known.operands)
            sum += most_of(each, *this->digits(each));
        return sum;
    }
    return known.kind == Kind::Constant ? known.literal() : all;
}

// A copy of the expression, with the values of the loop's variables, and a code for each number.
Id RowNumbers::with_codes(Id id, std::vector<Number>& numbers) {
    const Node known = node(id);
    if (known.kind != Kind::Constant && known.type.kind == TypeKind::Int) {
        if (const auto found = digits(id)) return code_of_number(id, *found, numbers);
    }
    if (known.kind == Kind::Variable) {
        const auto defined = values_.find(known.var());
        return defined == values_.end() ? edit_.copy(id) : with_codes(defined->second, numbers);
    }
    Node made = known;
    for (Id& operand : made.operands)
        operand = with_codes(operand, numbers);
    return edit_.add(std::move(made));
}

Id RowNumbers::code_of_number(Id value, const Digits& digits, std::vector<Number>& numbers) {
    const auto known = std::find_if(numbers.begin(), numbers.end(), [&](const Number& each) {
        return same_expression(edit_.module(), edit_.function(), each.value, value);
    });
    if (known != numbers.end()) return edit_.variable(known->code);
    const std::int64_t most = most_of(value, digits);
    const std::int64_t cases = std::min(most, kMaxCases);
    const Type type = code_type(list_of_range(edit_.module(), 0, cases));
    numbers.push_back({value, edit_.new_var("number", type), digits, most});
    return edit_.variable(numbers.back().code);
}

// The rows for which a test holds that depends on codes and numbers in any way.
std::optional<RowNumbers::Rows> RowNumbers::by_case(Id test) {
    std::vector<Number> numbers;
    const Id asked = with_codes(test, numbers);
    const bool few = std::all_of(numbers.begin(), numbers.end(),
                                 [](const Number& each) { return each.most <= kMaxCases; });
    if (numbers.empty() || numbers.size() > kMaxNumbers || !few) return std::nullopt;
    const auto made = each_value(asked, numbers, 0);
    if (made) {
        CROUPIER_REWRITE(CountsLookedUp);
        asks_ = true;
    }
    return made;
}

// Tries all values of one number after the other.
std::optional<RowNumbers::Rows> RowNumbers::each_value(Id test, const std::vector<Number>& numbers,
                                                       std::size_t first) {
    if (first == numbers.size()) {
        const auto truths = tests_.truths(test);
        if (truths && std::all_of(truths->begin(), truths->end(),
                                  [&](char each) { return each == truths->front(); }))
            return Rows{truths->front() != 0 ? Rows::Is::All : Rows::Is::None};
        auto set = tests_.by_state(test);
        if (!set) set = tests_.by_table(test, type());
        return set ? std::optional(kept({Rows::Is::Some, *set})) : std::nullopt;
    }
    const Number& number = numbers[first];
    std::map<std::vector<char>, std::uint32_t> known;
    std::vector<Rows> sets;
    Cases cases(std::size_t{1} << number.digits.size(), kNoCase);
    for (std::int64_t value = 0; value <= number.most; ++value) {
        const std::int64_t code = CROUPIER_MISTAKE(CaseOfOneLess) && value > 0 ? value : value + 1;
        const Id of_value = edit_.copy(test);
        put_code(of_value, number.code, code);
        const auto truths = tests_.truths(of_value);
        if (!truths) return std::nullopt;
        const auto [place, is_new] =
            known.try_emplace(*truths, static_cast<std::uint32_t>(sets.size()));
        if (is_new) {
            const auto set = each_value(of_value, numbers, first + 1);
            if (!set) return std::nullopt;
            sets.push_back(*set);
        }
        cases[static_cast<std::size_t>(value)] = place->second;
    }
    return Chooser(*this, number.digits, sets).rows(cases);
}

// Replaces the variable by that code.
void RowNumbers::put_code(Id id, VarId var, std::int64_t code) {
    if (node(id).kind == Kind::Variable && node(id).var() == var)
        static_cast<Fields&>(edit_.at(id)) = {Kind::Constant, 0, 0, code};
    for (const Id operand : std::vector<Id>(node(id).operands))
        put_code(operand, var, code);
}

} // namespace croupier::engine::form
