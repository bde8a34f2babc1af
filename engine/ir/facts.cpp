// The pass `facts`: tests whose outcome is known by what has been tested before go, and what has
// been read or looked up is not read again.
#include "engine/ir/edit.h"
#include "engine/ir/effects.h"
#include "engine/ir/ir.h"
#include "engine/ir/knowledge.h"
#include "engine/ir/passes.h"
#include "engine/ir/probe.h"

#include <algorithm>
#include <map>
#include <span>
#include <unordered_map>
#include <utility>

namespace croupier::engine::ir {

// The pass `facts`: what it knows on its way through a function.

class Facts {
  public:
    Facts(Module& module, Function& function)
        : layout_(*module.catalogue->layout), catalogue_(*module.catalogue),
          edit_(module, function), knowledge_(layout_), possible_(edit_, knowledge_) {}
    void run() { action(edit_.function().body); }

  private:
    [[nodiscard]] const Node& node(Id id) const { return edit_.function().at(id); }
    // -- searches (facts.cpp) --
    // What is known of the values that a search gives, and of the state when it gives them.
    struct Results {
        VarId first = 0;
        std::vector<std::optional<Codes>> codes; // of each value
        std::size_t places = 0;                  // that give them
        Id yield = kNothing;                     // the last of these
        Knowledge knowledge;                     // there
    };

    void search(BlockId id, Results* results) {
        std::vector<Id> made;
        for (const Id each : std::vector<Id>(edit_.block(id).statements)) {
            switch (node(each).kind) {
            case Kind::Let:
                let(each);
                break;
            case Kind::Test:
                if (!test(each)) continue;
                break;
            case Kind::EachRow:
                each_row(each, results);
                break;
            case Kind::EachChild:
                operands(each);
                inner(node(each).blocks[0], results);
                break;
            case Kind::Alternatives:
                alternatives(each, results);
                break;
            case Kind::NoMatch:
            case Kind::SomeMatch:
            case Kind::Gather:
                inner(node(each).blocks[0], nullptr);
                break;
            case Kind::Yield:
                yield(each, results);
                break;
            default:
                operands(each);
                break;
            }
            made.push_back(each);
        }
        edit_.block(id).statements = std::move(made);
    }

    // In a search within it, whose facts end with it.
    void inner(BlockId id, Results* results) {
        const Knowledge before = knowledge_;
        const std::size_t known = expressions_.size();
        search(id, results);
        expressions_.resize(known);
        if (CROUPIER_MISTAKE(FactsOfInnerSearch)) return;
        knowledge_ = before;
    }

    bool test(Id id) {
        operands(id);
        const Id asked = node(id).operands[0];
        if (is_total(edit_.function(), asked)) {
            if (const auto known = possible_.truth(asked)) {
                CROUPIER_REWRITE_IF(*known, HoldsByFacts);
                CROUPIER_REWRITE_IF(!*known, FailsByFacts);
                if (*known) return false;
                edit_.become_truth(asked, false);
                return true;
            }
        }
        possible_.learn(asked, true);
        return true;
    }

    void let(Id id) {
        const VarId var = node(id).x;
        const Id value = node(id).operands[0];
        expression(value);
        const Type type = edit_.var(var).type;
        if (!type.is_value() || !(node(value).type == type) || !is_total(edit_.function(), value))
            return;
        if (node(value).kind == Kind::Variable) {
            CROUPIER_REWRITE(SameVariable);
            aliases_[var] = node(value).x;
        }
        if (type.kind == TypeKind::Code) take(var, possible_.codes_of(value, type.list));
        possible_.define(var, value);
        const auto place =
            node(value).kind == Kind::Load ? possible_.place_of(value) : std::nullopt;
        if (place) {
            if (!knowledge_.holder(*place)) {
                CROUPIER_REWRITE(HeldByVariable);
                knowledge_.set_holder(*place, var);
            }
        } else if (!node(value).operands.empty() &&
                   effects_of(edit_.module(), edit_.function(), value).reads.empty()) {
            expressions_.emplace_back(value, var);
        }
    }

    // What the variable, which is set here, may be.
    void take(VarId var, const std::optional<Codes>& codes) {
        if (codes) {
            knowledge_.set_codes(var, *codes);
            if ((*codes)[0] == 0) {
                CROUPIER_REWRITE(SurelyCode);
                edit_.var(var).sure = true;
            }
        }
    }

    // ---- loops and results ----

    void each_row(Id id, Results* results) {
        operands(id);
        const VarId row = node(id).x;
        const Type type = edit_.var(row).type;
        const Knowledge before = knowledge_;
        if (type.kind == TypeKind::Code && type.list == node(node(id).operands[0]).type.list) {
            auto codes = rows_of(node(id).operands[0]);
            take(row, codes ? codes : Codes(edit_.module().lists[type.list].values.size() + 1, 1));
            Codes rows = *knowledge_.codes(row);
            rows[0] = 0;
            knowledge_.set_codes(row, std::move(rows));
            rows_present(node(id).operands[0], {false, 0, row, type.list});
        }
        inner(node(id).blocks[0], results);
        knowledge_ = before;
    }

    // What is known of a row of the set.
    void rows_present(Id set, const Atom& row) {
        const Node& known = node(set);
        switch (known.kind) {
        case Kind::Both:
            rows_present(known.operands[1], row);
            [[fallthrough]];
        case Kind::Without:
            rows_present(known.operands[0], row);
            break;
        case Kind::Rows:
        case Kind::RowsWith:
            if (auto place = possible_.place_of(set, known.kind == Kind::Rows ? 0 : 1)) {
                place->schema = layout_.node(place->schema).element;
                place->rows.push_back(row);
                knowledge_.set_present(*place);
            }
            break;
        default:
            break;
        }
    }

    // The rows that a set can have at all.
    [[nodiscard]] std::optional<Codes> rows_of(Id set) const {
        const Node& known = node(set);
        switch (known.kind) {
        case Kind::Both: {
            auto one = rows_of(known.operands[0]);
            const auto two = rows_of(known.operands[1]);
            for (std::size_t i = 0; one && two && i < one->size(); ++i)
                (*one)[i] = (*one)[i] != 0 && (*two)[i] != 0 ? 1 : 0;
            return one ? one : two;
        }
        case Kind::Without:
            return rows_of(known.operands[0]);
        case Kind::TableRows: {
            const std::size_t size = edit_.module().lists[known.type.list].values.size();
            const auto& words = edit_.module().tables[known.x].words;
            const std::size_t each = words_for(static_cast<std::uint32_t>(size));
            std::vector<std::uint64_t> all(each);
            for (std::size_t i = 0; i < words.size(); ++i)
                all[i % each] |= words[i];
            Codes codes(size + 1);
            for (std::size_t row = 0; row < size; ++row)
                codes[row + 1] = static_cast<char>(all[row / kWordRows] >> row % kWordRows & 1);
            return codes;
        }
        default:
            return std::nullopt;
        }
    }

    void alternatives(Id id, Results* results) {
        const std::vector<BlockId> blocks = node(id).blocks;
        Results given{node(id).x, {}, 0, kNothing, Knowledge(layout_)};
        for (std::size_t i = 0; i + 1 < blocks.size(); ++i)
            inner(blocks[i], &given);
        const Knowledge before = knowledge_;
        for (std::size_t i = 0; i < given.codes.size(); ++i)
            take(given.first + static_cast<VarId>(i), given.codes[i]);
        inner(blocks.back(), results);
        knowledge_ = before;
    }

    void yield(Id id, Results* results) {
        operands(id);
        if (results == nullptr) return;
        for (std::size_t i = 0; i < node(id).operands.size(); ++i) {
            const Type type = edit_.var(results->first + static_cast<VarId>(i)).type;
            auto codes = type.kind == TypeKind::Code
                             ? possible_.codes_of(node(id).operands[i], type.list)
                             : std::nullopt;
            if (results->places == 0) {
                results->codes.push_back(std::move(codes));
                continue;
            }
            auto& joined = results->codes[i];
            for (std::size_t c = 0; codes && joined && c < codes->size(); ++c)
                (*joined)[c] = (*joined)[c] != 0 || (*codes)[c] != 0 ? 1 : 0;
            if (!codes) joined = std::nullopt;
        }
        ++results->places;
        results->yield = id;
        results->knowledge = knowledge_;
    }

    // ---- expressions ----

    void operands(Id id) {
        for (std::size_t i = 0; i < node(id).operands.size(); ++i)
            expression(node(id).operands[i]);
    }

    // Where a variable is read that is surely a code, it must be one.
    [[nodiscard]] bool may_read(VarId var) const {
        return !edit_.function().vars[var].sure || possible_.is_code(var);
    }

    // The values that are the same by now are read where they are.
    void expression(Id id) {
        operands(id);
        if (node(id).kind == Kind::Both) join_sets(id);
        std::optional<VarId> same;
        const Node& known = node(id);
        if (known.kind == Kind::Variable) {
            const auto found = aliases_.find(known.x);
            if (found != aliases_.end() &&
                (!edit_.var(known.x).sure || edit_.var(found->second).sure))
                same = found->second;
        } else if (known.kind == Kind::Load) {
            const auto place = possible_.place_of(id);
            same = place ? knowledge_.holder(*place) : std::nullopt;
        } else if (known.type.is_value() && !known.operands.empty()) {
            const auto found =
                std::find_if(expressions_.begin(), expressions_.end(), [&](const auto& each) {
                    return same_expression(edit_.module(), edit_.function(), each.first, id);
                });
            if (found != expressions_.end()) same = found->second;
        }
        if (same && edit_.var(*same).type == node(id).type && may_read(*same)) {
            CROUPIER_REWRITE_IF(node(id).kind == Kind::Load, LoadedBefore);
            CROUPIER_REWRITE_IF(node(id).kind != Kind::Load && node(id).kind != Kind::Variable,
                                ComputedBefore);
            edit_.become(id, Kind::Variable, node(id).type, {}, *same);
        }
    }

    // The pass `facts`: rows that are in two sets of tables, where one code chooses both.

    // One table says it of both, and a code that only chose one of them is not asked.
    void join_sets(Id both) {
        const auto is_chosen = [&](Id set) {
            return node(set).kind == Kind::TableRows && node(set).operands.size() == 1 &&
                   node(node(set).operands[0]).kind == Kind::Variable;
        };
        const Id second = node(both).operands[1];
        Id first = node(both).operands[0];
        const bool chained = node(first).kind == Kind::Both && is_chosen(node(first).operands[1]);
        first = chained ? node(first).operands[1] : first;
        if (!is_chosen(first) || !is_chosen(second)) return;
        // `other` by the code that chooses `kept`.
        Id kept = second;
        Id other = first;
        const auto var_of = [&](Id set) { return node(node(set).operands[0]).x; };
        std::optional<std::vector<std::uint32_t>> codes;
        if (var_of(kept) == var_of(other)) {
            codes.emplace();
            for (std::uint32_t code = 0; code < edit_.module().tables[node(kept).x].sizes[0];
                 ++code)
                codes->push_back(code);
        } else if (codes = possible_.codes_by(var_of(other), var_of(kept)); !codes) {
            std::swap(kept, other);
            codes = possible_.codes_by(var_of(other), var_of(kept));
        }
        if (!codes) return;
        CROUPIER_REWRITE(SetsByOneCode);
        Table joined = edit_.module().tables[node(kept).x];
        const Table& by_image = edit_.module().tables[node(other).x];
        const std::size_t words = joined.words.size() / joined.sizes[0];
        for (std::size_t code = 0; code < codes->size(); ++code) {
            const std::size_t from = (*codes)[code] * words;
            for (std::size_t w = 0; w < words && !CROUPIER_MISTAKE(FirstSetForgotten); ++w)
                joined.words[code * words + w] &= by_image.words[from + w];
        }
        edit_.at(kept).x = edit_.new_table(std::move(joined));
        if (chained)
            edit_.at(both).operands = {node(node(both).operands[0]).operands[0], kept};
        else
            edit_.replace(both, Node(node(kept)));
    }

    // The pass `facts`: actions, and what rules know of each other.

    // ---- changes ----

    // Adds what the node itself changes, without those below it.
    void add_changes(Id id, Changes& changes) const {
        const Node& known = node(id);
        switch (known.kind) {
        case Kind::Ensure:
        case Kind::Store:
            changes.written[known.x] = 1;
            for (SchemaId at = known.x; at != kNoSchema; at = layout_.node(at).parent)
                changes.made[at] = 1;
            break;
        case Kind::Erase:
            layout_.each_below(known.x, [&](SchemaId below) {
                changes.removed[CROUPIER_MISTAKE(ErasedAlone) ? known.x : below] = 1;
            });
            break;
        default:
            changes.anything = changes.anything || info_of(known.kind).has('W');
            break;
        }
    }

    [[nodiscard]] Changes changes_of(std::span<const Id> statements) const {
        const std::vector<char> none(layout_.size());
        Changes made{false, none, none, none};
        for (const Id each : statements)
            for_each_node(edit_.function(), each, [&](Id id) { add_changes(id, made); });
        return made;
    }

    // ---- statements ----

    void action(BlockId id) {
        const std::size_t known = expressions_.size();
        std::vector<Id> made;
        for (const Id each : std::vector<Id>(edit_.block(id).statements))
            if (statement(each)) made.push_back(each);
        edit_.block(id).statements = std::move(made);
        expressions_.resize(known);
    }

    // false: it has no effect any more
    bool statement(Id id) {
        switch (node(id).kind) {
        case Kind::Let:
            let(id);
            break;
        case Kind::Ensure:
            return ensure(id);
        case Kind::Store:
            store(id);
            return true;
        case Kind::Erase:
            return erase(id);
        case Kind::If:
            choice(id);
            return true;
        case Kind::Group:
            group(id);
            return true;
        case Kind::Apply:
            apply(id, true);
            return true;
        case Kind::GroupBelow:
            operands(id);
            action(node(id).blocks[0]);
            return true;
        default:
            operands(id);
            break;
        }
        knowledge_.forget(changes_of({&id, 1}));
        return true;
    }

    bool ensure(Id id) {
        operands(id);
        const auto place = possible_.place_of(id);
        if (place && knowledge_.present(*place) == true) {
            CROUPIER_REWRITE(ThereAlready);
            return false;
        }
        knowledge_.forget(changes_of({&id, 1}));
        if (place) {
            if (layout_.node(place->schema).parent != 0 && knowledge_.parent_present(*place)) {
                CROUPIER_REWRITE(EnsureBelowKnown);
                edit_.at(id).y = 1;
            }
            knowledge_.set_present(*place);
        }
        return true;
    }

    // What is known of it before it is changed.
    void note_presence(Id id, const std::optional<Place>& place) {
        if (const auto known = place ? knowledge_.present(*place) : std::nullopt) {
            CROUPIER_REWRITE_IF(*known, ChangesWhatIsThere);
            CROUPIER_REWRITE_IF(!*known, ChangesWhatIsAbsent);
            edit_.at(id).number = *known ? kThere : kAbsent;
        }
    }

    void store(Id id) {
        operands(id);
        const auto place = possible_.place_of(id, 1);
        const bool hangs =
            place && layout_.node(place->schema).parent != 0 && knowledge_.parent_present(*place);
        note_presence(id, place);
        knowledge_.forget(changes_of({&id, 1}));
        if (!place) return;
        if (hangs) {
            CROUPIER_REWRITE(StoreBelowKnown);
            edit_.at(id).y = 1;
        }
        knowledge_.set_present(*place);
        const Node& value = node(node(id).operands[0]);
        if (value.kind == Kind::Variable && value.type.kind == TypeKind::Code &&
            possible_.is_code(value.x) &&
            value.type == type_of_leaf(edit_.module(), layout_.node(place->schema))) {
            CROUPIER_REWRITE(HeldByStored);
            knowledge_.set_holder(*place, value.x);
        }
    }

    bool erase(Id id) {
        operands(id);
        const auto place = possible_.place_of(id);
        if (place && knowledge_.present(*place) == false) {
            CROUPIER_REWRITE(GoneAlready);
            return false;
        }
        note_presence(id, place);
        knowledge_.forget(changes_of({&id, 1}));
        if (place) knowledge_.set_absent(*place);
        return true;
    }

    void choice(Id id) {
        operands(id);
        const Id asked = node(id).operands[0];
        const BlockId first = node(id).blocks[0];
        const BlockId second = node(id).blocks[1];
        const auto known =
            is_total(edit_.function(), asked) ? possible_.truth(asked) : std::nullopt;
        if (known) {
            CROUPIER_REWRITE(ChoiceByFacts);
            edit_.become_truth(asked, *known);
            action(*known ? first : second);
            return;
        }
        const Knowledge before = knowledge_;
        possible_.learn(asked, true);
        action(first);
        const Knowledge held = std::exchange(knowledge_, before);
        possible_.learn(asked, false);
        action(second);
        if (node(id).y == 1) // nothing follows it
            knowledge_ = held;
        else
            knowledge_.meet(held);
    }

    // ---- rules ----

    void group(Id id) {
        const std::vector<BlockId> rules = node(id).blocks;
        const GroupMode mode = catalogue_.groups[node(id).x].mode;
        if (mode == GroupMode::Sequential || CROUPIER_MISTAKE(FactsOfTextOrder)) {
            for (const BlockId each : rules)
                action(each);
            return;
        }
        // Searches of all rules, and actions, in an order that is not that of the text.
        knowledge_.forget(changes_of({&id, 1}));
        for (const BlockId each : rules) {
            const Knowledge before = knowledge_;
            for (const Id inner : std::vector<Id>(edit_.block(each).statements))
                if (node(inner).kind == Kind::Apply)
                    apply(inner, false);
                else
                    statement(inner);
            knowledge_ = before;
        }
    }

    // Its search has no loop.
    [[nodiscard]] bool matches_once(const Node& apply) const {
        const auto& all = edit_.function().blocks[apply.blocks[0]].statements;
        return std::none_of(all.begin(), all.end(), [&](Id each) {
            return info_of(node(each).kind).blocks.find('c') != std::string_view::npos;
        });
    }

    [[nodiscard]] bool surely_matches(const Node& apply) const {
        const auto& all = edit_.function().blocks[apply.blocks[0]].statements;
        return catalogue_.rules[apply.x].repeat == 1 &&
               std::all_of(all.begin(), all.end(), [&](Id each) {
                   return node(each).kind == Kind::Let || node(each).kind == Kind::Yield;
               });
    }

    // `follows`: right after its search the rule acts, once for each match.
    void apply(Id id, bool follows) {
        const Node known = node(id);
        const RulePlan& rule = catalogue_.rules[known.x];
        const Changes changes = changes_of(edit_.block(known.blocks[1]).statements);
        const Knowledge before = knowledge_;
        if (rule.repeat != 1 && !CROUPIER_MISTAKE(FactsKeptFromRoundToRound))
            knowledge_.forget(changes);
        Results results{known.y, {}, 0, kNothing, Knowledge(layout_)};
        const Numbers own = variables_set(edit_.function(), id);
        inner(known.blocks[0], &results);

        // What the search has found of the state is so while its matches are acted on.
        if (follows && results.places == 1) {
            std::map<VarId, Atom> names;
            for (std::size_t i = 0; i < node(results.yield).operands.size(); ++i) {
                const Node& given = node(node(results.yield).operands[i]);
                const VarId var = known.y + static_cast<VarId>(i);
                if (given.kind == Kind::Variable && given.type == edit_.var(var).type)
                    names[given.x] = {false, 0, var, given.type.list};
            }
            CROUPIER_REWRITE(FactsOfSearch);
            knowledge_.take_places(results.knowledge.of_places(names, own));
        }
        if ((rule.repeat != 1 || !(rule.first || matches_once(known))) &&
            !CROUPIER_MISTAKE(FactsKeptFromMatchToMatch))
            knowledge_.forget(changes);
        for (std::size_t i = 0; i < results.codes.size(); ++i)
            take(known.y + static_cast<VarId>(i), results.codes[i]);
        if (known.blocks.size() > 3) inner(known.blocks[3], nullptr);
        action(known.blocks[1]);
        const Knowledge acted = std::exchange(knowledge_, before);
        action(known.blocks[2]);
        if (surely_matches(known)) {
            CROUPIER_REWRITE(SurelyActs);
            knowledge_ = acted;
        } else {
            knowledge_.meet(acted);
        }
        const Knowledge outer = knowledge_.of_places({}, own);
        knowledge_ = before;
        knowledge_.forget_places();
        knowledge_.take_places(outer);
    }

    const Layout& layout_;
    const Catalogue& catalogue_;
    Editor edit_;
    Knowledge knowledge_;
    Possible possible_;
    std::unordered_map<VarId, VarId> aliases_;      // a variable that is another
    std::vector<std::pair<Id, VarId>> expressions_; // that variables in reach hold
};

void facts(Module& module, Function& function) {
    drop_implied(module, function);
    Facts(module, function).run();
    fold(module, function);
}

} // namespace croupier::engine::ir
