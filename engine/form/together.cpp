// The pass `together`: rules that do the same at each row of a set do it for all rows at once, and
// others keep only those values of their matches that they read. After it, matches cannot be
// reported.
#include "engine/form/edit.h"
#include "engine/form/effects.h"
#include "engine/form/form.h"
#include "engine/form/passes.h"
#include "engine/form/probe.h"
#include "engine/form/row_numbers.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace croupier::engine::form {

// Rewrites a rule that does the same at each row of a set to do it for all rows at once.

// Replaces the results of the rule by new variables with consecutive numbers, also where its action
// reads them.
void number_together(Editor& edit, const std::vector<VarId>& vars, Id apply) {
    std::unordered_map<VarId, VarId> names;
    const auto first = static_cast<VarId>(edit.function().vars.size());
    for (const VarId each : vars) {
        const Var known = edit.var(each);
        names[each] = edit.new_var(known.name, known.type);
        edit.var(names[each]) = known;
    }
    edit.at(apply).set_results(first, vars.size());
    for_each_node_in(edit.function(), edit.at(apply).blocks[1], [&](Id id) {
        Node& node = edit.at(id);
        if (node.kind != Kind::Variable && node.kind != Kind::RowsOf) return;
        if (const auto name = names.find(node.var()); name != names.end())
            node.var() = name->second;
    });
}

// The most words of a set that rows of one word are spread over.
constexpr std::uint32_t kMostWordsSpread = 8;

class RuleOfRows {
  public:
    RuleOfRows(Editor& edit, Id apply)
        : edit_(edit), tests_(edit), numbers_(edit, tests_), apply_(apply) {}

    // Leaves a rule that does not fit as it is. `shares` if others may make the same sets.
    void rewrite(bool shares) {
        if (!find_loop()) return;
        for (const Id each : statements(node(apply_).blocks[1]))
            if (!change(each)) return;
        if (writes_) replace(shares);
    }

  private:
    [[nodiscard]] const Node& node(Id id) const { return edit_.function().at(id); }
    [[nodiscard]] std::vector<Id> statements(BlockId block) const {
        return edit_.function().blocks[block].statements;
    }
    [[nodiscard]] Type rows_of_loop() const { return node(node(loop_).operands[0]).type; }

    // ---- the search ----

    // Whether the last statement is a loop without tests.
    bool find_loop() {
        const std::vector<Id> search = statements(node(apply_).blocks[0]);
        if (search.empty() || node(search.back()).kind != Kind::EachRow ||
            node(search.back()).order() != kNothing)
            return false;
        loop_ = search.back();
        const std::vector<Id> body = statements(node(loop_).blocks[0]);
        if (node(body.back()).kind != Kind::Yield ||
            !std::all_of(body.begin(), body.end() - 1, [&](Id each) {
                return node(each).kind == Kind::Let &&
                       is_total(edit_.function(), node(each).operands[0]);
            }))
            return false;
        tests_.enter(node(loop_).var());
        numbers_.enter(node(loop_).var(), &before_);
        for (const Id each : body) {
            if (node(each).kind == Kind::Let) {
                numbers_.define(node(each).var(), node(each).operands[0]);
                tests_.define(node(each).var(), node(each).operands[0]);
            }
        }
        const std::vector<Id> yielded = node(body.back()).operands;
        for (std::uint32_t i = 0; i < yielded.size(); ++i)
            meaning_[node(apply_).results() + i] = yielded[i];
        set_ = taken(node(loop_).operands[0]);
        return true;
    }

    // An expression of the action in terms of the search; nullopt if it reads what may change.
    std::optional<Id> in_search(Id id) {
        if (!info_of(node(id).kind).is_pure()) return std::nullopt;
        if (node(id).kind == Kind::Variable) {
            const auto known = meaning_.find(node(id).var());
            return known == meaning_.end() ? std::nullopt
                                           : std::optional(edit_.copy(known->second));
        }
        Node made = node(id);
        for (Id& operand : made.operands) {
            const auto found = in_search(operand);
            if (!found) return std::nullopt;
            operand = *found;
        }
        return edit_.add(std::move(made));
    }

    // ---- values for the action ----

    // Makes the search yield another value, and returns it as the action reads it.
    Id taken(Id value) {
        const Type type = node(value).type;
        const bool set = type.kind == TypeKind::Set;
        const VarId var = edit_.new_var(set ? "each" : "value", type);
        if (node(value).kind == Kind::Variable) {
            edit_.var(var) = edit_.var(node(value).var());
            edit_.var(var).entry = kNothing;
        }
        yielded_.push_back(value);
        taken_.push_back(var);
        return edit_.make(set ? Kind::RowsOf : Kind::Variable, type, {}, var);
    }

    // A value that does not depend on the row, as the action reads it.
    std::optional<Id> outer(Id id) {
        const auto found = in_search(id);
        if (!found || tests_.depends(*found) || !node(*found).type.is_value()) return std::nullopt;
        return node(*found).kind == Kind::Constant ? *found : taken(*found);
    }

    // The rows for which a truth of the action holds.
    std::optional<Id> rows_of(Id truth) {
        const auto found = in_search(truth);
        if (!found || !tests_.depends(*found)) return std::nullopt;
        if (const auto set = tests_.by_state(*found)) return set;
        if (const auto set = tests_.by_table(*found, rows_of_loop())) return set;
        return numbers_.rows(*found);
    }

    // ---- the action ----

    bool change(Id id) {
        switch (node(id).kind) {
        case Kind::Let: {
            const auto found = in_search(node(id).operands[0]);
            if (found) meaning_[node(id).var()] = *found;
            return found.has_value();
        }
        case Kind::Ensure:
            return ensure(id);
        case Kind::Store:
        case Kind::Erase: {
            const Id before = set_;
            const bool written = node(id).kind == Kind::Erase ? erase(id) : store(id);
            set_ = edit_.copy(before);
            return written;
        }
        default:
            return false;
        }
    }

    bool erase(Id id) {
        if (!find_place(id, 0)) return false;
        std::vector<Id> operands = outer_;
        operands.insert(operands.begin(), set_);
        write(id, Kind::EraseRows, std::move(operands));
        return true;
    }

    bool store(Id id) {
        return node(id).hangs() && find_place(id, 1) && store(id, node(id).operands[0], set_);
    }

    bool ensure(Id id) {
        std::vector<Id> operands;
        for (const Id each : std::vector<Id>(node(id).operands)) {
            const auto known = outer(each);
            if (!known) return false;
            operands.push_back(*known);
        }
        made_.push_back(edit_.make(Kind::Ensure, {}, std::move(operands), node(id).x, node(id).y));
        edit_.at(made_.back()).note = node(id).note;
        return true;
    }

    // ---- the new rule ----

    // Puts the sets that the node reads from the state into variables, which are set before it.
    void share(Id parent, std::vector<Id>& before) {
        for (std::size_t i = 0; i < node(parent).operands.size(); ++i) {
            const Id id = node(parent).operands[i];
            if (node(id).kind == Kind::Rows || node(id).kind == Kind::RowsWith) {
                const VarId var = edit_.new_var("rows", node(id).type);
                before.push_back(edit_.make(Kind::LetRows, {}, {id}, var));
                edit_.at(parent).operands[i] = edit_.make(Kind::RowsOf, node(id).type, {}, var);
            } else if (node(id).type.kind == TypeKind::Set) {
                share(id, before);
            }
        }
    }

    void replace(bool shares) {
        CROUPIER_REWRITE(RuleOfRows);
        const Node known = node(apply_);
        std::vector<Id> search = statements(known.blocks[0]);
        search.pop_back();
        search.insert(search.end(), before_.begin(), before_.end());
        search.push_back(edit_.make(Kind::YieldRows, {}, yielded_));
        // Sets of several words are too costly to make twice, even within a rule; one word stays in
        // its register.
        const std::size_t rows = edit_.module().lists[rows_of_loop().list].values.size();
        const bool splits = shares || rows > 2 * kWordRows || rows <= kWordRows;
        std::vector<Id> all;
        for (const Id each : search) {
            const Kind kind = node(each).kind;
            const bool lets =
                kind == Kind::LetCounts || kind == Kind::LetTouching ||
                (kind == Kind::LetRows && node(node(each).operands[0]).kind != Kind::Rows &&
                 node(node(each).operands[0]).kind != Kind::RowsWith);
            if (splits && (lets || kind == Kind::YieldRows)) share(each, all);
            all.push_back(each);
        }
        edit_.block(known.blocks[0]).statements = std::move(all);
        edit_.block(known.blocks[1]).statements = made_;
        number_together(edit_, taken_, apply_);
    }

    // Where a rule on all rows of a set writes, and which values.

    // Finds the instances to write, which must be different for each row.
    bool find_place(Id id, std::size_t first) {
        const Layout& layout = edit_.layout();
        const SchemaNode& leaf = layout.node(node(id).schema());
        const bool in_bits = leaf.column == Column::None && leaf.kind == ShapeKind::Unit;
        const bool in_codes = leaf.column == Column::Code8 || leaf.column == Column::Code16;
        const std::vector<Id> operands = node(id).operands;
        if (operands.size() == first || layout.node(leaf.parent).kind != ShapeKind::Map ||
            (!in_bits && !in_codes))
            return false;
        outer_.clear();
        for (std::size_t i = first; i + 1 < operands.size(); ++i) {
            const auto known = outer(operands[i]);
            if (!known) return false;
            outer_.push_back(*known);
        }
        const auto row = in_search(operands.back());
        if (!row || tests_.is_row(*row)) return row.has_value();
        const Type there{TypeKind::Set, node(*row).type.list};
        if (const auto by = moved_by(*row)) {
            CROUPIER_REWRITE(RowsMoved);
            set_ = edit_.make(Kind::Moved, there, {edit_.copy(set_)});
            edit_.at(set_).by() = *by;
            return true;
        }
        const auto places = in_bits ? places_of(*row, there) : std::nullopt;
        if (!places) return false;
        CROUPIER_REWRITE(RowsSpread);
        set_ = edit_.make(Kind::Spread, there, {edit_.copy(set_), *places});
        return true;
    }

    // The rows that a value names for all rows of the loop, if they rise with these; codes outside
    // the loop may choose them.
    std::optional<Id> places_of(Id value, Type there) {
        const std::size_t rows = edit_.module().lists[rows_of_loop().list].values.size();
        const auto words =
            words_for(static_cast<std::uint32_t>(edit_.module().lists[there.list].values.size()));
        TestRows::Found chosen;
        const auto codes = rows <= kWordRows && words <= kMostWordsSpread
                               ? tests_.codes_by_row(value, chosen)
                               : std::nullopt;
        if (!codes) return std::nullopt;
        LookupTable table;
        table.sizes = chosen.sizes;
        table.words.resize(codes->size() / (rows + 1) * words);
        for (std::size_t i = 0; i < codes->size(); ++i) {
            const std::uint32_t code = (*codes)[i];
            const std::size_t row = i % (rows + 1);
            if (row > 1 && (code == 0) != ((*codes)[i - 1] == 0)) return std::nullopt;
            if (row == 0 || code == 0) continue;
            if (row > 1 && code <= (*codes)[i - 1]) return std::nullopt;
            const std::size_t last = edit_.module().lists[there.list].values.size();
            add_row(table.words, i / (rows + 1) * words,
                    code - (CROUPIER_MISTAKE(RowsSpreadTooFar) && code < last ? 0 : 1));
        }
        std::vector<Id> outer;
        for (const Id each : chosen.codes)
            outer.push_back(taken(edit_.copy(each)));
        return edit_.make(Kind::TableRows, there, std::move(outer), tests_.kept(std::move(table)));
    }

    // By how many rows a value moves all rows of the loop; nullopt if not all by the same number.
    std::optional<std::int64_t> moved_by(Id value) {
        const auto codes = tests_.codes_by_row(value);
        std::optional<std::int64_t> by;
        for (std::size_t row = 1; codes && row < codes->size(); ++row) {
            const std::int64_t code = (*codes)[row];
            if (code == 0 && lacks(node(loop_).operands[0], row - 1)) continue;
            const std::int64_t here = code - static_cast<std::int64_t>(row);
            if (code == 0 || (by && *by != here)) return std::nullopt;
            by = here;
        }
        return CROUPIER_MISTAKE(RowsMovedTooLittle) && by && *by > 0 ? *by - 1 : by;
    }

    // Whether a table says that the set does not have the row.
    [[nodiscard]] bool lacks(Id set, std::size_t row) const {
        const Node& known = node(set);
        if (known.kind == Kind::Both || known.kind == Kind::Without)
            return lacks(known.operands[0], row) ||
                   (known.kind == Kind::Both && lacks(known.operands[1], row));
        return known.kind == Kind::TableRows && known.operands.empty() &&
               (edit_.module().tables[known.table()].words[row / kWordRows] >> row % kWordRows &
                1) == 0;
    }

    // Stores the value for the rows of the set, which it copies; a choice splits the set.
    bool store(Id id, Id value, Id set) {
        const bool moved = node(set_).kind == Kind::Moved || node(set_).kind == Kind::Spread;
        const Node choice = node(value);
        if (const auto rows = choice.kind == Kind::Choose && !moved ? rows_of(choice.operands[0])
                                                                    : std::nullopt) {
            CROUPIER_REWRITE(ChoiceOfRows);
            const Type type = node(set).type;
            const Id chosen = taken(*rows);
            const bool turned = CROUPIER_MISTAKE(ChoiceOfRowsTurned);
            const auto part = [&](Kind how) {
                return edit_.make(how, type, {edit_.copy(set), edit_.copy(chosen)});
            };
            return store(id, choice.operands[turned ? 2 : 1], part(Kind::Both)) &&
                   store(id, choice.operands[turned ? 1 : 2], part(Kind::Without));
        }
        const auto known = outer(value);
        if (!known || !surely_fits(edit_.layout().node(node(id).schema()), *known)) return false;
        std::vector<Id> operands = {*known, edit_.copy(set)};
        for (const Id each : outer_)
            operands.push_back(edit_.copy(each));
        write(id, Kind::StoreRows, std::move(operands));
        return true;
    }

    // Whether the leaf can hold all values that it may get.
    [[nodiscard]] bool surely_fits(const SchemaNode& leaf, Id value) const {
        const Node& known = node(value);
        const auto holds = [&](const Value& each) {
            return leaf.column == Column::None ? each.tag == Tag::Bool && each.truth()
                                               : edit_.layout().code_of(leaf, each) != 0;
        };
        if (known.type.kind == TypeKind::Code) {
            const std::vector<Value>& values = edit_.module().lists[known.type.list].values;
            const bool sure = known.kind == Kind::Constant
                                  ? known.literal() != 0
                                  : edit_.function().vars[known.var()].sure;
            return sure && leaf.column != Column::None &&
                   std::all_of(values.begin(), values.end(), holds);
        }
        return known.kind == Kind::Constant && known.type.kind == TypeKind::Any &&
               holds(edit_.module().values[known.value()]);
    }

    void write(Id id, Kind kind, std::vector<Id> operands) {
        writes_ = true;
        made_.push_back(edit_.make(kind, {}, std::move(operands), node(id).x, node(id).y));
        edit_.at(made_.back()).note = node(id).note;
    }

    Editor& edit_;
    TestRows tests_;
    RowNumbers numbers_;
    Id apply_;
    Id loop_ = 0;
    std::unordered_map<VarId, Id> meaning_; // of the action's variables, in the search
    std::vector<Id> before_;                // sets that are made before the loop
    std::vector<Id> yielded_;               // the first is the set of the loop
    std::vector<VarId> taken_;              // as the action reads them
    std::vector<Id> made_;                  // the action's statements
    Id set_ = 0;                            // the rows to write
    std::vector<Id> outer_;                 // the codes of the outer maps
    bool writes_ = false;
};

namespace {

// Lines of a board that a search finds from both of their ends, where only the first row counts:
// sets of one word that are others moved up.
class OtherEnds {
  public:
    // `before` are the statements that set the variables.
    OtherEnds(Editor& edit, const std::vector<Id>& before) : edit_(edit) {
        for (const Id each : before)
            if (node(each).kind == Kind::LetRows)
                values_[node(each).var()] = node(each).operands[0];
    }

    // The union without the sets that have no first row of their own.
    Id leave_out(Id set) {
        if (edit_.module().lists[node(set).type.list].values.size() > kWordRows) return set;
        find_lines(set, {});
        for (Line& line : lines_) {
            line.goes = std::ranges::any_of(lines_, [&](const Line& other) {
                const std::int64_t up = line.parts[0].second - other.parts[0].second;
                return (CROUPIER_MISTAKE(UpperEndOfLine) ? up < 0 : up > 0) &&
                       is_moved(other, up, line);
            });
        }
        return *rest(set);
    }

  private:
    // An intersection: sets, by how many rows each is moved, and the rows that it may have.
    struct Line {
        Id set = 0;
        std::vector<std::pair<std::size_t, std::int64_t>> parts; // in `atoms_`
        std::uint64_t rows = ~std::uint64_t{0};
        bool goes = false;
    };
    [[nodiscard]] const Node& node(Id id) const { return edit_.function().at(id); }

    // Whether the line is the other one, all of it, moved up. Parts are sorted.
    [[nodiscard]] static bool is_moved(const Line& other, std::int64_t up, const Line& line) {
        return moved_rows(other.rows, up) == line.rows &&
               moved_rows(line.rows, -up) == other.rows &&
               std::ranges::equal(line.parts, other.parts, [&](const auto& a, const auto& b) {
                   return a.first == b.first && a.second == b.second + up;
               });
    }

    [[nodiscard]] bool has_union(Id set) const {
        const Node& known = node(set);
        return known.kind == Kind::Either ||
               (known.kind == Kind::Both &&
                (has_union(known.operands[0]) || has_union(known.operands[1])));
    }

    void find_lines(Id set, const Line& around) {
        const Node known = node(set);
        if (known.kind == Kind::Either) {
            find_lines(known.operands[0], around);
            find_lines(known.operands[1], around);
            return;
        }
        Line line = around;
        if (known.kind == Kind::Both && has_union(set)) {
            const bool first = has_union(known.operands[0]);
            add(line, known.operands[first ? 1 : 0], 0);
            find_lines(known.operands[first ? 0 : 1], line);
            return;
        }
        add(line, set, 0);
        line.set = set;
        std::ranges::sort(line.parts);
        if (line.parts.empty()) line.parts.emplace_back(atoms_.size(), 0);
        lines_.push_back(std::move(line));
    }

    void add(Line& line, Id set, std::int64_t by) {
        const Node& known = node(set);
        if (known.kind == Kind::Both) {
            add(line, known.operands[0], by);
            add(line, known.operands[1], by);
        } else if (known.kind == Kind::Moved) {
            add(line, known.operands[0], by + known.by());
        } else if (known.kind == Kind::TableRows && known.operands.empty()) {
            line.rows &= moved_rows(edit_.module().tables[known.table()].words[0], by);
        } else if (known.kind == Kind::RowsOf && values_.contains(known.var())) {
            add(line, values_.at(known.var()), by);
        } else {
            line.parts.emplace_back(atom(set), by);
        }
    }

    std::size_t atom(Id set) {
        const auto known = std::ranges::find_if(atoms_, [&](Id each) {
            return same_expression(edit_.module(), edit_.function(), each, set);
        });
        const auto place = static_cast<std::size_t>(known - atoms_.begin());
        if (place == atoms_.size()) atoms_.push_back(set);
        return place;
    }

    // What is left of the expression; nullopt for nothing.
    std::optional<Id> rest(Id set) {
        const Node known = node(set);
        if (known.kind != Kind::Either && !(known.kind == Kind::Both && has_union(set))) {
            const auto line = std::ranges::find(lines_, set, &Line::set);
            CROUPIER_REWRITE_IF(line->goes, OtherEndOfLine);
            return line->goes ? std::nullopt : std::optional(set);
        }
        std::vector<Id> left;
        for (const Id each : known.operands) {
            const bool is_part = known.kind == Kind::Either || has_union(each);
            if (const auto one = is_part ? rest(each) : std::optional(each)) left.push_back(*one);
        }
        if (left.size() < 2 && (known.kind == Kind::Both || left.empty())) return std::nullopt;
        if (left.size() < 2) return left[0];
        edit_.at(set).operands = std::move(left);
        return set;
    }

    Editor& edit_;
    std::unordered_map<VarId, Id> values_;
    std::vector<Id> atoms_; // sets that are not taken apart
    std::vector<Line> lines_;
};

// The same where many of the rows may be left out already.
constexpr double kShiftsToNarrow = 0.25;

class Gatherer {
  public:
    Gatherer(Module& module, Function& function) : edit_(module, function) {}

    void run() {
        block(edit_.function().body, false);
        read_.assign(edit_.function().vars.size(), false);
        note_reads(edit_.function().body);
        for (const Id each : loops_) {
            forget_unread(each);
            find_rows(each, edit_.module().catalogue->rules[node(each).rule()].first);
        }
    }

  private:
    [[nodiscard]] const Node& node(Id id) const { return edit_.function().at(id); }
    [[nodiscard]] std::vector<Id> statements(BlockId block) const {
        return edit_.function().blocks[block].statements;
    }

    void block(BlockId id, bool at_once) {
        for (const Id each : statements(id))
            statement(each, at_once);
    }

    void statement(Id id, bool at_once) {
        const Kind kind = node(id).kind;
        if (kind == Kind::Group) {
            const GroupMode mode = edit_.module().catalogue->groups[node(id).group()].mode;
            if (mode == GroupMode::Agenda) return; // agendas need every match and write
            at_once = mode == GroupMode::AtOnce;
        } else if (kind == Kind::Apply) {
            rule(id, at_once);
            block(node(id).blocks[1], false);
            block(node(id).blocks[2], false);
            return;
        }
        for (std::size_t i = 0; i < node(id).blocks.size(); ++i)
            block(node(id).blocks[i], at_once);
    }

    void rule(Id apply, bool at_once) {
        const RulePlan& plan = edit_.module().catalogue->rules[node(apply).rule()];
        if (!plan.first && plan.repeat == 1) RuleOfRows(edit_, apply).rewrite(at_once);
        loops_.push_back(apply);
    }

    // ---- matches with values that the action does not read ----

    void note_reads(BlockId block) {
        for_each_node_in(edit_.function(), block, [&](Id id) {
            if (node(id).kind == Kind::Variable || node(id).kind == Kind::RowsOf)
                read_[node(id).var()] = true;
        });
    }

    void forget_unread(Id apply) {
        const Node known = node(apply);
        std::vector<Id> yields;
        for_each_yield(edit_.function(), known.blocks[0],
                       [&](Id yield, BlockId) { yields.push_back(yield); });
        std::vector<std::size_t> kept;
        std::vector<VarId> vars;
        for (std::size_t i = 0; i < known.count(); ++i) {
            const VarId var = known.results() + static_cast<VarId>(i);
            const bool total = std::all_of(yields.begin(), yields.end(), [&](Id each) {
                return is_total(edit_.function(), node(each).operands[i]);
            });
            if (read_[var] || !total) {
                kept.push_back(i);
                vars.push_back(var);
            }
        }
        if (yields.empty() || vars.size() == known.count()) return;
        CROUPIER_REWRITE(UnreadValue);
        for (const Id each : yields) {
            std::vector<Id> operands;
            for (const std::size_t i : kept) {
                const std::size_t place = CROUPIER_MISTAKE(FirstValuesKept) ? operands.size() : i;
                operands.push_back(node(each).operands[place]);
            }
            edit_.at(each).operands = std::move(operands);
        }
        number_together(edit_, vars, apply);
    }

    // Limits a loop over rows to those for which the loops in it have a result, if sets can tell.
    // If the rule acts on its first match, and reads nothing of the inner loops, these go.
    void find_rows(Id apply, bool first) {
        const BlockId search = node(apply).blocks[0];
        const std::vector<Id> all = statements(search);
        if (all.empty() || node(all.back()).kind != Kind::EachRow) return;
        const Id loop = all.back();
        const BlockId body = node(loop).blocks[0];
        const std::vector<Id> inside = statements(body);
        if (std::ranges::none_of(inside, [&](Id each) { return node(each).kind == Kind::EachRow; }))
            return;
        const std::size_t size =
            edit_.module().lists[node(node(loop).operands[0]).type.list].values.size();
        std::vector<Id> kept = first ? read_of_row(body) : std::vector<Id>();
        if (kept.empty() && size <= kWordRows) return; // few rows are as fast
        TestRows tests(edit_);
        RowNumbers numbers(edit_, tests);
        std::vector<Id> before;
        tests.enter(node(loop).var());
        numbers.enter(node(loop).var(), &before);
        const auto rows = numbers.rows_of(body, kept.empty() ? kShiftsToNarrow : kShiftsToFind);
        if (!rows) return;
        CROUPIER_REWRITE_EITHER(kept.empty(), RowsWithMatches, FirstRowOfSearch);
        const Id set = node(loop).operands[0];
        const bool is_let = !before.empty() && node(before.back()).kind == Kind::LetRows &&
                            node(*rows).kind == Kind::RowsOf &&
                            node(*rows).var() == node(before.back()).var();
        const Id made = is_let ? node(before.back()).operands[0] : *rows;
        if (!is_part(edit_.module(), edit_.function(), made, set)) {
            edit_.at(loop).operands[0] = edit_.make(Kind::Both, node(set).type, {set, *rows});
        } else {
            edit_.at(loop).operands[0] = *rows;
            if (is_let && !kept.empty() && node(loop).order() == kNothing)
                edit_.at(before.back()).operands[0] = OtherEnds(edit_, before).leave_out(made);
        }
        if (!kept.empty()) edit_.block(body).statements = std::move(kept);
        std::vector<Id>& outer = edit_.block(search).statements;
        outer.insert(outer.end() - 1, before.begin(), before.end());
    }

    // The statements of a loop's body that set variables without the loops in it, and its only
    // Yield, if that reads nothing else; empty if it does.
    std::vector<Id> read_of_row(BlockId body) {
        std::vector<Id> kept;
        std::vector<bool> inner(edit_.function().vars.size());
        for (const Id each : statements(body)) {
            if (node(each).kind == Kind::Let && stays(node(each).operands[0], inner)) {
                kept.push_back(each);
                continue;
            }
            for (const VarId var : variables_set(edit_.function(), each))
                inner[var] = true;
        }
        std::vector<Id> yields;
        for_each_yield(edit_.function(), body, [&](Id yield, BlockId) { yields.push_back(yield); });
        if (yields.size() != 1 || !std::ranges::all_of(node(yields[0]).operands, [&](Id each) {
                return stays(each, inner) || CROUPIER_MISTAKE(FirstRowIsEnough);
            }))
            return {};
        kept.push_back(yields[0]);
        return kept;
    }

    // Whether the value is the same without the inner loops and tests.
    [[nodiscard]] bool stays(Id id, const std::vector<bool>& inner) const {
        bool reads = false;
        for_each_node(edit_.function(), id, [&](Id each) {
            reads = reads || (node(each).kind == Kind::Variable && inner[node(each).var()]);
        });
        return !reads && may_come_early(edit_.function(), id);
    }

    Editor edit_;
    std::vector<Id> loops_; // rules whose matches may have unread values
    std::vector<bool> read_;
};

} // namespace

void together(Module& module, Function& function) {
    Gatherer(module, function).run();
    share_sets(module, function);
    sweep(module, function);
}

} // namespace croupier::engine::form
