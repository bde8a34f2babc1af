// The pass `facts`: actions, and what rules know of each other.
#include "engine/ir/effects.h"
#include "engine/ir/facts.h"
#include "engine/ir/lists.h"
#include "engine/ir/probe.h"

#include <algorithm>
#include <map>

namespace croupier::engine::ir {

// ---- changes ---------------------------------------------------------------------------------

Changes Facts::no_changes() const {
    const std::vector<char> none(layout_.size());
    return {false, none, none, none};
}

void Facts::add_changes_of(BlockId id, Changes& changes) const {
    for (const Id each : edit_.function().blocks[id].statements) {
        add_changes(each, changes);
    }
}

void Facts::add_changes(Id id, Changes& changes) const {
    const Node& known = node(id);
    switch (known.kind) {
    case Kind::Ensure:
    case Kind::Store:
        changes.written[known.x] = 1;
        for (SchemaId at = known.x; at != kNoSchema; at = layout_.node(at).parent) {
            changes.made[at] = 1;
        }
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
    for (const Id operand : known.operands) {
        add_changes(operand, changes);
    }
    for (const BlockId block : known.blocks) {
        add_changes_of(block, changes);
    }
}

// ---- statements ------------------------------------------------------------------------------

void Facts::action(BlockId id) {
    const std::size_t known = expressions_.size();
    std::vector<Id> made;
    for (const Id each : std::vector<Id>(edit_.block(id).statements)) {
        if (statement(each)) {
            made.push_back(each);
        }
    }
    edit_.block(id).statements = std::move(made);
    expressions_.resize(known);
}

bool Facts::statement(Id id) {
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
    Changes changes = no_changes();
    add_changes(id, changes);
    if (changes.anything) {
        knowledge_.forget_places();
    }
    return true;
}

bool Facts::ensure(Id id) {
    operands(id);
    const auto place = possible_.place_of(id);
    if (place && knowledge_.present(*place) == true) {
        CROUPIER_REWRITE(ThereAlready);
        return false;
    }
    Changes changes = no_changes();
    add_changes(id, changes);
    knowledge_.forget(changes);
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
void Facts::note_presence(Id id, const std::optional<Place>& place) {
    if (const auto known = place ? knowledge_.present(*place) : std::nullopt) {
        CROUPIER_REWRITE_IF(*known, ChangesWhatIsThere);
        CROUPIER_REWRITE_IF(!*known, ChangesWhatIsAbsent);
        edit_.at(id).number = *known ? kThere : kAbsent;
    }
}

void Facts::store(Id id) {
    operands(id);
    const auto place = possible_.place_of(id, 1);
    const bool hangs =
        place && layout_.node(place->schema).parent != 0 && knowledge_.parent_present(*place);
    note_presence(id, place);
    Changes changes = no_changes();
    add_changes(id, changes);
    knowledge_.forget(changes);
    if (!place) {
        return;
    }
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

bool Facts::erase(Id id) {
    operands(id);
    const auto place = possible_.place_of(id);
    if (place && knowledge_.present(*place) == false) {
        CROUPIER_REWRITE(GoneAlready);
        return false;
    }
    note_presence(id, place);
    Changes changes = no_changes();
    add_changes(id, changes);
    knowledge_.forget(changes);
    if (place) {
        knowledge_.set_absent(*place);
    }
    return true;
}

void Facts::choice(Id id) {
    operands(id);
    const Id asked = node(id).operands[0];
    const BlockId first = node(id).blocks[0];
    const BlockId second = node(id).blocks[1];
    const auto known = is_total(edit_.function(), asked) ? possible_.truth(asked) : std::nullopt;
    if (known) {
        CROUPIER_REWRITE(ChoiceByFacts);
        Node made;
        made.kind = Kind::Constant;
        made.type = {TypeKind::Truth};
        made.number = *known ? 1 : 0;
        edit_.replace(asked, std::move(made));
        action(*known ? first : second);
        return;
    }
    const Knowledge before = knowledge_;
    possible_.learn(asked, true);
    action(first);
    const Knowledge held = std::exchange(knowledge_, before);
    possible_.learn(asked, false);
    action(second);
    if (node(id).y == 1) { // nothing follows it
        knowledge_ = held;
    } else {
        knowledge_.meet(held);
    }
}

// ---- rules -----------------------------------------------------------------------------------

void Facts::group(Id id) {
    const std::vector<BlockId> rules = node(id).blocks;
    const GroupMode mode = catalogue_.groups[node(id).x].mode;
    if (mode == GroupMode::Sequential || CROUPIER_MISTAKE(FactsOfTextOrder)) {
        for (const BlockId each : rules) {
            action(each);
        }
        return;
    }
    // Searches of all rules, and actions, in an order that is not that of the text.
    Changes changes = no_changes();
    add_changes(id, changes);
    knowledge_.forget(changes);
    for (const BlockId each : rules) {
        const Knowledge before = knowledge_;
        for (const Id inner : std::vector<Id>(edit_.block(each).statements)) {
            if (node(inner).kind == Kind::Apply) {
                apply(inner, false);
            } else {
                statement(inner);
            }
        }
        knowledge_ = before;
    }
}

// Its search has no loop.
bool Facts::matches_once(const Node& apply) const {
    const auto& all = edit_.function().blocks[apply.blocks[0]].statements;
    return std::none_of(all.begin(), all.end(), [&](Id each) {
        return info_of(node(each).kind).blocks.find('c') != std::string_view::npos;
    });
}

bool Facts::surely_matches(const Node& apply) const {
    const auto& all = edit_.function().blocks[apply.blocks[0]].statements;
    return catalogue_.rules[apply.x].repeat == 1 &&
           std::all_of(all.begin(), all.end(), [&](Id each) {
               return node(each).kind == Kind::Let || node(each).kind == Kind::Yield;
           });
}

// `follows`: right after its search the rule acts, once for each match.
void Facts::apply(Id id, bool follows) {
    const Node known = node(id);
    const RulePlan& rule = catalogue_.rules[known.x];
    Changes changes = no_changes();
    add_changes_of(known.blocks[1], changes);
    const Knowledge before = knowledge_;
    if (rule.repeat != 1 && !CROUPIER_MISTAKE(FactsKeptFromRoundToRound)) {
        knowledge_.forget(changes);
    }
    Results results{known.y, {}, 0, kNothing, Knowledge(layout_)};
    const Numbers own = variables_set(edit_.function(), id);
    inner(known.blocks[0], &results);

    // What the search has found of the state is so while its matches are acted on.
    if (follows && results.places == 1) {
        std::map<VarId, Atom> names;
        for (std::size_t i = 0; i < node(results.yield).operands.size(); ++i) {
            const Node& given = node(node(results.yield).operands[i]);
            const VarId var = known.y + static_cast<VarId>(i);
            if (given.kind == Kind::Variable && given.type == edit_.var(var).type) {
                names[given.x] = {false, 0, var, given.type.list};
            }
        }
        CROUPIER_REWRITE(FactsOfSearch);
        knowledge_.take_places(results.knowledge.of_places(names, own));
    }
    if ((rule.repeat != 1 || !(rule.first || matches_once(known))) &&
        !CROUPIER_MISTAKE(FactsKeptFromMatchToMatch)) {
        knowledge_.forget(changes);
    }
    for (std::size_t i = 0; i < results.codes.size(); ++i) {
        take(known.y + static_cast<VarId>(i), results.codes[i]);
    }
    if (known.blocks.size() > 3) {
        inner(known.blocks[3], nullptr);
    }
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

} // namespace croupier::engine::ir
