// The pass `facts`: drops tests whose outcome follows from earlier ones, and reuses values that
// were read or computed before.
#include "engine/form/code_tables.h"
#include "engine/form/edit.h"
#include "engine/form/effects.h"
#include "engine/form/evaluate.h"
#include "engine/form/form.h"
#include "engine/form/passes.h"
#include "engine/form/probe.h"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace croupier::engine::form {

namespace {

// An instance of a declared node whose rows are known or in variables.
struct NodeInstance {
    SchemaId schema = kNoSchema;
    std::vector<Atom> rows;
    friend bool operator==(const NodeInstance&, const NodeInstance&) = default;
};

// For each code of a list, and 0, whether it is possible.
using Codes = std::vector<char>;

// Possible changes of nodes of the tree, for any rows.
struct Changes {
    bool anything = false;
    std::vector<char> made; // by schema
    std::vector<char> written;
    std::vector<char> removed;
};

// Facts at a point of a function: which nodes exist, which codes things may have.
class Knowledge {
  public:
    explicit Knowledge(const Layout& layout) : layout_(&layout) {}

    // Whether the node exists; nullopt if unknown.
    [[nodiscard]] std::optional<bool> present(const NodeInstance& place) const {
        if (std::any_of(present_.begin(), present_.end(),
                        [&](const NodeInstance& each) { return is_below(each, place); }))
            return true;
        if (std::any_of(absent_.begin(), absent_.end(),
                        [&](const NodeInstance& each) { return is_below(place, each); }))
            return false;
        return std::nullopt;
    }

    [[nodiscard]] bool parent_present(const NodeInstance& place) const {
        NodeInstance above = place;
        above.schema = layout_->node(place.schema).parent;
        if (layout_->node(above.schema).kind == ShapeKind::Map) above.rows.pop_back();
        return above.schema == 0 || present(above) == true;
    }

    void set_present(const NodeInstance& place) {
        if (present(place) != true) present_.push_back(place);
    }

    void set_absent(const NodeInstance& place) {
        if (present(place) != false) absent_.push_back(place);
    }

    [[nodiscard]] const Codes* codes(VarId var) const {
        const auto found = of_vars_.find(var);
        return found == of_vars_.end() ? nullptr : &found->second;
    }

    [[nodiscard]] const Codes* codes(const NodeInstance& leaf) const {
        const auto found = std::find_if(of_places_.begin(), of_places_.end(),
                                        [&](const auto& each) { return each.first == leaf; });
        return found == of_places_.end() ? nullptr : &found->second;
    }

    void set_codes(VarId var, Codes codes) { of_vars_[var] = std::move(codes); }

    void set_codes(const NodeInstance& leaf, Codes codes) {
        std::erase_if(of_places_, [&](const auto& each) { return each.first == leaf; });
        of_places_.emplace_back(leaf, std::move(codes));
    }

    // A variable that has the value of the leaf; nullopt if there is none.
    [[nodiscard]] std::optional<VarId> holder(const NodeInstance& leaf) const {
        const auto found = std::find_if(held_.begin(), held_.end(),
                                        [&](const auto& each) { return each.first == leaf; });
        return found == held_.end() ? std::nullopt : std::optional(found->second);
    }

    [[nodiscard]] std::vector<NodeInstance> held_by(VarId var) const {
        std::vector<NodeInstance> places;
        for (const auto& [place, holder] : held_)
            if (holder == var) places.push_back(place);
        return places;
    }

    void set_holder(const NodeInstance& leaf, VarId var) {
        std::erase_if(held_, [&](const auto& each) { return each.first == leaf; });
        held_.emplace_back(leaf, var);
    }

    void forget(const Changes& changes) {
        if (changes.anything) {
            forget_places();
            return;
        }
        std::erase_if(present_,
                      [&](const NodeInstance& each) { return changes.removed[each.schema] != 0; });
        std::erase_if(absent_, [&](const NodeInstance& each) {
            return changes.made[each.schema] != 0 && !CROUPIER_MISTAKE(AbsentForEver);
        });
        const auto changed = [&](const auto& each) {
            const SchemaId schema = each.first.schema;
            return changes.removed[schema] != 0 || changes.made[schema] != 0 ||
                   changes.written[schema] != 0;
        };
        std::erase_if(of_places_, changed);
        if (!CROUPIER_MISTAKE(HeldPastWrites)) std::erase_if(held_, changed);
    }

    void forget_places() {
        present_.clear();
        absent_.clear();
        of_places_.clear();
        held_.clear();
    }

    // Drops what does not hold in `other` as well.
    void meet(const Knowledge& other) {
        if (CROUPIER_MISTAKE(MeetingKeepsFacts)) return;
        std::erase_if(present_,
                      [&](const NodeInstance& each) { return other.present(each) != true; });
        std::erase_if(absent_,
                      [&](const NodeInstance& each) { return other.present(each) != false; });
        std::erase_if(held_,
                      [&](const auto& each) { return other.holder(each.first) != each.second; });
        const auto join = [](Codes& codes, const Codes* more) {
            for (std::size_t i = 0; more != nullptr && i < codes.size(); ++i)
                codes[i] = codes[i] != 0 || (*more)[i] != 0 ? 1 : 0;
            return more != nullptr;
        };
        const auto meet_all = [&](auto& all) {
            for (auto at = all.begin(); at != all.end();) {
                at = join(at->second, other.codes(at->first)) ? std::next(at) : all.erase(at);
            }
        };
        meet_all(of_places_);
        meet_all(of_vars_);
    }

    // The facts about nodes, with variables renamed by `names`; those that depend on other
    // variables in `own` are dropped.
    [[nodiscard]] Knowledge of_places(const std::map<VarId, Atom>& names,
                                      const std::vector<std::uint32_t>& own) const {
        Knowledge made(*layout_);
        const auto rename = [&](Atom& atom) {
            const auto found = atom.known ? names.end() : names.find(atom.var);
            if (found != names.end()) {
                atom = found->second;
                return true;
            }
            return atom.known || !std::binary_search(own.begin(), own.end(), atom.var);
        };
        const auto renamed = [&](NodeInstance& place) {
            return std::all_of(place.rows.begin(), place.rows.end(), rename);
        };
        for (NodeInstance each : present_)
            if (renamed(each)) made.present_.push_back(std::move(each));
        for (NodeInstance each : absent_)
            if (renamed(each)) made.absent_.push_back(std::move(each));
        for (auto each : of_places_)
            if (renamed(each.first)) made.of_places_.push_back(std::move(each));
        for (auto each : held_) {
            Atom var{false, 0, each.second, 0};
            if (renamed(each.first) && rename(var) && !var.known)
                made.held_.emplace_back(std::move(each.first), var.var);
        }
        return made;
    }

    // Adds the facts about nodes in `other`.
    void take_places(const Knowledge& other) {
        for (const NodeInstance& each : other.present_)
            set_present(each);
        for (const NodeInstance& each : other.absent_)
            set_absent(each);
        for (const auto& [place, codes] : other.of_places_)
            set_codes(place, codes);
        for (const auto& [place, var] : other.held_)
            set_holder(place, var);
    }

  private:
    // Whether it is the same node, or one below.
    [[nodiscard]] bool is_below(const NodeInstance& place, const NodeInstance& above) const {
        SchemaId at = place.schema;
        while (at != kNoSchema && at != above.schema)
            at = layout_->node(at).parent;
        return at != kNoSchema && place.rows.size() >= above.rows.size() &&
               (CROUPIER_MISTAKE(BelowAnyRow) ||
                std::equal(above.rows.begin(), above.rows.end(), place.rows.begin()));
    }

    const Layout* layout_;
    std::vector<NodeInstance> present_;
    std::vector<NodeInstance> absent_;
    std::vector<std::pair<NodeInstance, Codes>> of_places_;
    std::vector<std::pair<NodeInstance, VarId>> held_;
    std::map<VarId, Codes> of_vars_;
};

// The most choices of codes that are tried.
constexpr std::size_t kMaxChoices = 2048;
constexpr std::size_t kMaxRoots = 2;

// Whether its leaves have codes: 0 if absent; a leaf without a column is absent or 2 (true).
bool keeps_codes(Column column) {
    return column == Column::Code8 || column == Column::Code16 || column == Column::None;
}

// Derives which values expressions may have from facts, and facts from tests.
class Possible {
  public:
    Possible(Editor& edit, Knowledge& knowledge) : edit_(edit), knowledge_(knowledge) {}

    // The instance that a declared node addresses by its operands from `first` on; nullopt if one
    // is not a constant or a variable.
    [[nodiscard]] std::optional<NodeInstance> place_of(Id declared, std::size_t first = 0) const {
        NodeInstance place;
        place.schema = node(declared).schema();
        for (std::size_t i = first; i < node(declared).operands.size(); ++i) {
            const Node& row = node(node(declared).operands[i]);
            if (row.kind == Kind::Constant) {
                place.rows.push_back(
                    {true, static_cast<std::uint32_t>(row.literal()), kNothing, row.type.list});
            } else if (row.kind == Kind::Variable) {
                place.rows.push_back({false, 0, row.var(), row.type.list});
            } else {
                return std::nullopt;
            }
        }
        return place;
    }

    // Records the value of the variable for each code of another, if it depends on one only.
    void define(VarId var, Id value) {
        std::vector<Root> roots;
        if (!node(value).type.is_value() || node(value).type.kind == TypeKind::Truth ||
            !(node(value).type == edit_.function().vars[var].type) || !find_roots(value, roots) ||
            roots.size() != 1 || roots[0].var == kNothing)
            return;
        Image image{roots[0], {}};
        const OutcomesPtr all = outcomes_of(value, roots);
        for (const std::uint32_t place : all->places)
            image.values.push_back(all->values[place]);
        images_.insert_or_assign(var, std::move(image));
    }

    // The codes of the list that the expression may have; nullopt if unknown.
    [[nodiscard]] std::optional<Codes> codes_of(Id id, std::uint32_t list) const {
        const std::size_t size = edit_.module().lists[list].values.size() + 1;
        const Node& known = node(id);
        if (!(known.type == code_type(list))) return std::nullopt;
        Codes found(size);
        if (known.kind == Kind::Constant) {
            found[static_cast<std::size_t>(known.literal())] = 1;
            return found;
        }
        std::vector<Root> roots;
        if (!find_roots(id, roots) || roots.empty() ||
            (roots.size() > 1 && choices_of(roots) > kMaxChoices))
            return std::nullopt;
        const OutcomesPtr all = outcomes_of(id, roots);
        std::vector<char> can(all->values.size());
        each_possible(roots,
                      [&](std::size_t choice, const auto&) { can[all->places[choice]] = 1; });
        for (std::size_t i = 0; i < can.size(); ++i) {
            if (can[i] == 0) continue;
            const auto& each = all->values[i];
            const std::uint32_t other = each ? code_of(edit_.module(), list, *each) : 0;
            if (!each || (other == 0 && each->tag != Tag::None)) return std::nullopt;
            found[other] = 1;
        }
        return found;
    }

    // The code of `var` for each code of `by`; nullopt if `var` depends on anything else.
    [[nodiscard]] std::optional<std::vector<std::uint32_t>> codes_by(VarId var, VarId by) const {
        const Module& module = edit_.module();
        const Type& type = edit_.function().vars[var].type;
        const auto image = images_.find(var);
        if (image == images_.end() || type.kind != TypeKind::Code ||
            !(image->second.root == Root{by, {}, edit_.function().vars[by].type.list}))
            return std::nullopt;
        std::vector<std::uint32_t> codes;
        for (const std::optional<Value>& each : image->second.values) {
            const std::uint32_t code = each ? code_of(module, type.list, *each) : 0;
            if (!each || (code == 0 && each->tag != Tag::None)) return std::nullopt;
            codes.push_back(code);
        }
        return codes;
    }

    // Whether the variable is never none here.
    [[nodiscard]] bool is_code(VarId var) const {
        const auto image = images_.find(var);
        if (image == images_.end()) {
            const Codes* const known = knowledge_.codes(var);
            return known != nullptr && (*known)[0] == 0;
        }
        const Codes possible = codes(image->second.root);
        for (std::size_t code = 0; code < possible.size(); ++code) {
            const auto& value = image->second.values[code];
            if (possible[code] != 0 && (!value || value->tag == Tag::None)) return false;
        }
        return true;
    }

    // Whether the test holds; nullopt if unknown.
    [[nodiscard]] std::optional<bool> truth(Id test) const {
        const Node& known = node(test);
        switch (known.kind) {
        case Kind::Constant:
            return known.literal() != 0;
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

    void learn(Id test, bool holds) {
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
            if (const auto place = place_of(test))
                holds ? knowledge_.set_present(*place) : knowledge_.set_absent(*place);
            return;
        case Kind::Has:
        case Kind::Compare:
            if (holds && (known.kind == Kind::Has || known.op() != ExprOp::NotEqual))
                for (const Id operand : known.operands)
                    learn_present(operand);
            break;
        default:
            break;
        }
        std::vector<Root> roots;
        const auto all = find_roots(test, roots) ? try_all(test, roots) : std::nullopt;
        for (std::size_t i = 0; all && i < roots.size(); ++i)
            narrow(roots[i], all->when[holds ? 1 : 0][i]);
    }

  private:
    // An input of an expression: the code of a variable or of a leaf.
    struct Root {
        VarId var = kNothing;
        NodeInstance place;
        std::uint32_t list = 0;
        friend bool operator==(const Root&, const Root&) = default;
    };
    struct Image {
        Root root;
        std::vector<std::optional<Value>> values; // for each code of the root
    };
    // By outcome of the test: codes of each root that allow it, and whether any do.
    struct Outcome {
        std::vector<Codes> when[2];
        bool some[2] = {false, false};
    };

    [[nodiscard]] const Node& node(Id id) const { return edit_.function().at(id); }

    // ---- what an expression depends on ----

    [[nodiscard]] std::optional<Root> root_of(Id id) const {
        const Node& known = node(id);
        if (known.kind == Kind::Variable) {
            if (const auto image = images_.find(known.var()); image != images_.end())
                return image->second.root;
            return known.type.kind == TypeKind::Code
                       ? std::optional(Root{known.var(), {}, known.type.list})
                       : std::nullopt;
        }
        const bool leaf =
            known.kind == Kind::Load && known.type.kind == TypeKind::Code &&
            keeps_codes(edit_.module().catalogue->layout->node(known.schema()).column);
        const auto place = leaf ? place_of(id) : std::nullopt;
        if (!place) return std::nullopt;
        const auto holder = knowledge_.holder(*place);
        if (holder && edit_.function().vars[*holder].type == known.type &&
            !images_.contains(*holder))
            return Root{*holder, {}, known.type.list};
        return Root{kNothing, *place, known.type.list};
    }

    [[nodiscard]] bool find_roots(Id id, std::vector<Root>& roots) const {
        const Node& known = node(id);
        switch (known.kind) {
        case Kind::Variable:
        case Kind::Load: {
            const auto root = root_of(id);
            if (root && std::find(roots.begin(), roots.end(), *root) == roots.end())
                roots.push_back(*root);
            return root && roots.size() <= kMaxRoots;
        }
        case Kind::Given:
        case Kind::Truth:
        case Kind::Arithmetic:
        case Kind::Whole:
        case Kind::Calculate:
            return false;
        default:
            return can_evaluate(known.kind) &&
                   std::all_of(known.operands.begin(), known.operands.end(),
                               [&](Id operand) { return find_roots(operand, roots); });
        }
    }

    // The values of the expression for all codes of the roots.
    [[nodiscard]] OutcomesPtr outcomes_of(Id id, const std::vector<Root>& roots) const {
        const auto leaf = [&](Id each) -> OutcomesPtr {
            const Node& known = node(each);
            if (known.kind != Kind::Variable && known.kind != Kind::Load) return nullptr;
            const auto root = root_of(each);
            const auto found = root ? std::find(roots.begin(), roots.end(), *root) : roots.end();
            if (found == roots.end()) return nullptr;
            const auto number = static_cast<std::uint32_t>(found - roots.begin());
            const auto image =
                known.kind == Kind::Variable ? images_.find(known.var()) : images_.end();
            return image != images_.end()
                       ? OutcomeMaker::of_values(number, image->second.values)
                       : OutcomeMaker::of_list(number, edit_.module().lists[found->list]);
        };
        std::vector<std::uint32_t> sizes;
        sizes.reserve(roots.size());
        for (const Root& root : roots) {
            sizes.push_back(
                static_cast<std::uint32_t>(edit_.module().lists[root.list].values.size() + 1));
        }
        return OutcomeMaker(edit_.module(), edit_.function(), std::move(sizes), leaf).of(id);
    }

    [[nodiscard]] Codes codes(const Root& root) const {
        const bool is_var = root.var != kNothing;
        const Codes* const known =
            is_var ? knowledge_.codes(root.var) : knowledge_.codes(root.place);
        Codes codes =
            known != nullptr ? *known : Codes(edit_.module().lists[root.list].values.size() + 1, 1);
        if (!is_var) {
            const auto there = knowledge_.present(root.place);
            const Column column = edit_.module().catalogue->layout->node(root.place.schema).column;
            if (column == Column::None && codes.size() == 3) codes[1] = 0;
            if (there == true)
                codes[0] = 0;
            else if (there == false)
                std::fill(codes.begin() + 1, codes.end(), 0);
        }
        return codes;
    }

    [[nodiscard]] std::size_t choices_of(const std::vector<Root>& roots) const {
        std::size_t choices = 1;
        for (const Root& root : roots)
            choices *= edit_.module().lists[root.list].values.size() + 1;
        return choices;
    }

    // Calls `visit` with each choice of codes that the roots may have.
    template <class Visit>
    void each_possible(const std::vector<Root>& roots, const Visit& visit) const {
        std::vector<Codes> possible;
        possible.reserve(roots.size());
        for (const Root& root : roots)
            possible.push_back(codes(root));
        const std::size_t choices = choices_of(roots);
        std::vector<std::size_t> chosen(roots.size());
        for (std::size_t choice = 0; choice < choices; ++choice) {
            std::size_t rest = choice;
            bool can = true;
            for (std::size_t i = roots.size(); i-- > 0;) {
                chosen[i] = rest % possible[i].size();
                rest /= possible[i].size();
                can = can && possible[i][chosen[i]] != 0;
            }
            if (can) visit(choice, chosen);
        }
    }

    // Returns nullopt if the outcome is unknown for some codes.
    [[nodiscard]] std::optional<Outcome> try_all(Id test, const std::vector<Root>& roots) const {
        if (roots.empty() || choices_of(roots) > kMaxChoices) return std::nullopt;
        Outcome outcome;
        for (const Root& root : roots)
            for (auto& when : outcome.when)
                when.emplace_back(edit_.module().lists[root.list].values.size() + 1);
        const OutcomesPtr all = outcomes_of(test, roots);
        bool known = true;
        each_possible(roots, [&](std::size_t choice, const auto& chosen) {
            const auto& found = (*all)[choice];
            known = known && found && found->tag == Tag::Bool;
            if (!known) return;
            const std::size_t which = found->truth() ? 1 : 0;
            outcome.some[which] = true;
            for (std::size_t i = 0; i < roots.size(); ++i)
                outcome.when[which][i][chosen[i]] = 1;
        });
        return known ? std::optional(std::move(outcome)) : std::nullopt;
    }

    // ---- facts about nodes and codes from tests ----

    void narrow(const Root& root, const Codes& codes) {
        const bool none = codes[0] != 0;
        if (root.var == kNothing) {
            knowledge_.set_codes(root.place, codes);
            if (!none) knowledge_.set_present(root.place);
            return;
        }
        knowledge_.set_codes(root.var, codes);
        for (const NodeInstance& each : knowledge_.held_by(root.var))
            if (!none) knowledge_.set_present(each);
    }

    // A leaf that has a value exists.
    void learn_present(Id value) {
        if (node(value).kind == Kind::Load) {
            if (const auto place = place_of(value)) knowledge_.set_present(*place);
        } else if (node(value).kind == Kind::Variable) {
            for (const NodeInstance& each : knowledge_.held_by(node(value).var()))
                knowledge_.set_present(each);
        }
    }

    Editor& edit_;
    Knowledge& knowledge_;
    std::unordered_map<VarId, Image> images_;
};

// Follows a function with the facts that hold at each point.
class Facts {
  public:
    Facts(Module& module, Function& function)
        : layout_(*module.catalogue->layout), catalogue_(*module.catalogue),
          edit_(module, function), knowledge_(layout_), possible_(edit_, knowledge_) {}
    void run() { action(edit_.function().body); }

  private:
    [[nodiscard]] const Node& node(Id id) const { return edit_.function().at(id); }

    // ---- searches ----

    // Facts about the values that a search gives, and about the state when it gives them.
    struct Results {
        VarId first = 0;
        std::vector<std::optional<Codes>> codes; // of each value
        std::size_t places = 0;                  // Yields that give them
        Id yield = kNothing;                     // the last of these Yields
        Knowledge knowledge;                     // at that Yield
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

    // Visits an inner search and then drops its facts.
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
                CROUPIER_REWRITE_EITHER(*known, HoldsByFacts, FailsByFacts);
                if (*known) return false;
                edit_.become_truth(asked, false);
                return true;
            }
        }
        possible_.learn(asked, true);
        return true;
    }

    void let(Id id) {
        const VarId var = node(id).var();
        const Id value = node(id).operands[0];
        expression(value);
        const Type type = edit_.var(var).type;
        if (!type.is_value() || !(node(value).type == type) || !is_total(edit_.function(), value))
            return;
        if (node(value).kind == Kind::Variable) {
            CROUPIER_REWRITE(SameVariable);
            aliases_[var] = node(value).var();
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

    // Records the possible codes of a variable that is set here.
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
        const VarId row = node(id).var();
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

    // Records the nodes that exist for a row of the set.
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

    // The rows that a set may contain; nullopt if unknown.
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
            const auto& words = edit_.module().tables[known.table()].words;
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
        Results given{node(id).var(), {}, 0, kNothing, Knowledge(layout_)};
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

    // A variable marked `sure` may be read only where it is known to be a code.
    [[nodiscard]] bool may_read(VarId var) const {
        return !edit_.function().vars[var].sure || possible_.is_code(var);
    }

    // Replaces expressions by variables that hold the same value already.
    void expression(Id id) {
        operands(id);
        if (node(id).kind == Kind::Both) join_sets(id);
        std::optional<VarId> same;
        const Node& known = node(id);
        if (known.kind == Kind::Variable) {
            const auto found = aliases_.find(known.var());
            if (found != aliases_.end() &&
                (!edit_.var(known.var()).sure || edit_.var(found->second).sure))
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

    // ---- intersections of two sets from tables, where one code chooses both ----

    // One table holds the intersection, so a code that only chose one of them is not read.
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
        // The codes that choose `other`, by the code that chooses `kept`.
        Id kept = second;
        Id other = first;
        const auto var_of = [&](Id set) { return node(node(set).operands[0]).var(); };
        std::optional<std::vector<std::uint32_t>> codes;
        if (var_of(kept) == var_of(other)) {
            codes.emplace();
            for (std::uint32_t code = 0; code < edit_.module().tables[node(kept).table()].sizes[0];
                 ++code)
                codes->push_back(code);
        } else if (codes = possible_.codes_by(var_of(other), var_of(kept)); !codes) {
            std::swap(kept, other);
            codes = possible_.codes_by(var_of(other), var_of(kept));
        }
        if (!codes) return;
        CROUPIER_REWRITE(SetsByOneCode);
        LookupTable joined = edit_.module().tables[node(kept).table()];
        const LookupTable& by_image = edit_.module().tables[node(other).table()];
        const std::size_t words = joined.words.size() / joined.sizes[0];
        for (std::size_t code = 0; code < codes->size(); ++code) {
            const std::size_t from = (*codes)[code] * words;
            for (std::size_t w = 0; w < words && !CROUPIER_MISTAKE(FirstSetForgotten); ++w)
                joined.words[code * words + w] &= by_image.words[from + w];
        }
        edit_.at(kept).table() = edit_.new_table(std::move(joined));
        if (chained)
            edit_.at(both).operands = {node(node(both).operands[0]).operands[0], kept};
        else
            edit_.replace(both, Node(node(kept)));
    }

    // ---- changes ----

    // Adds what the node itself changes, without those below it.
    void add_changes(Id id, Changes& changes) const {
        const Node& known = node(id);
        switch (known.kind) {
        case Kind::Ensure:
        case Kind::Store:
            changes.written[known.schema()] = 1;
            for (SchemaId at = known.schema(); at != kNoSchema; at = layout_.node(at).parent)
                changes.made[at] = 1;
            break;
        case Kind::Erase:
            layout_.each_below(known.schema(), [&](SchemaId below) {
                changes.removed[CROUPIER_MISTAKE(ErasedAlone) ? known.schema() : below] = 1;
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

    // Returns false if it has no effect any more.
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
                edit_.at(id).set_hangs();
            }
            knowledge_.set_present(*place);
        }
        return true;
    }

    // Marks in the change whether its instance is known to exist before.
    void note_presence(Id id, const std::optional<NodeInstance>& place) {
        if (const auto known = place ? knowledge_.present(*place) : std::nullopt) {
            CROUPIER_REWRITE_EITHER(*known, ChangesWhatIsThere, ChangesWhatIsAbsent);
            edit_.at(id).presence() = *known ? kPresent : kAbsent;
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
            edit_.at(id).set_hangs();
        }
        knowledge_.set_present(*place);
        const Node& value = node(node(id).operands[0]);
        if (value.kind == Kind::Variable && value.type.kind == TypeKind::Code &&
            possible_.is_code(value.var()) &&
            value.type == type_of_leaf(edit_.module(), layout_.node(place->schema))) {
            CROUPIER_REWRITE(HeldByStored);
            knowledge_.set_holder(*place, value.var());
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
        if (node(id).else_fails()) // nothing runs after the second
            knowledge_ = held;
        else
            knowledge_.meet(held);
    }

    // ---- rules ----

    void group(Id id) {
        const std::vector<BlockId> rules = node(id).blocks;
        const GroupMode mode = catalogue_.groups[node(id).group()].mode;
        if (mode == GroupMode::Sequential || CROUPIER_MISTAKE(FactsOfTextOrder)) {
            for (const BlockId each : rules)
                action(each);
            return;
        }
        // The searches and actions of the rules do not run in the order of the text.
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

    // Whether its search has no loop and no alternatives.
    [[nodiscard]] bool matches_once(const Node& apply) const {
        const auto& all = edit_.function().blocks[apply.blocks[0]].statements;
        return std::none_of(all.begin(), all.end(), [&](Id each) {
            return info_of(node(each).kind).blocks.find('c') != std::string_view::npos;
        });
    }

    [[nodiscard]] bool surely_matches(const Node& apply) const {
        const auto& all = edit_.function().blocks[apply.blocks[0]].statements;
        return catalogue_.rules[apply.rule()].repeat == 1 &&
               std::all_of(all.begin(), all.end(), [&](Id each) {
                   return node(each).kind == Kind::Let || node(each).kind == Kind::Yield;
               });
    }

    // `follows` if the rule acts right after its search, once for each match.
    void apply(Id id, bool follows) {
        const Node known = node(id);
        const RulePlan& rule = catalogue_.rules[known.rule()];
        const Changes changes = changes_of(edit_.block(known.blocks[1]).statements);
        const Knowledge before = knowledge_;
        if (rule.repeat != 1 && !CROUPIER_MISTAKE(FactsKeptFromRoundToRound))
            knowledge_.forget(changes);
        Results results{known.results(), {}, 0, kNothing, Knowledge(layout_)};
        const Numbers own = variables_set(edit_.function(), id);
        inner(known.blocks[0], &results);

        // Facts of the search about the state hold while its matches are acted on.
        if (follows && results.places == 1) {
            std::map<VarId, Atom> names;
            for (std::size_t i = 0; i < node(results.yield).operands.size(); ++i) {
                const Node& given = node(node(results.yield).operands[i]);
                const VarId var = known.results() + static_cast<VarId>(i);
                if (given.kind == Kind::Variable && given.type == edit_.var(var).type)
                    names[given.var()] = {false, 0, var, given.type.list};
            }
            CROUPIER_REWRITE(FactsOfSearch);
            knowledge_.take_places(results.knowledge.of_places(names, own));
        }
        if ((rule.repeat != 1 || !(rule.first || matches_once(known))) &&
            !CROUPIER_MISTAKE(FactsKeptFromMatchToMatch))
            knowledge_.forget(changes);
        for (std::size_t i = 0; i < results.codes.size(); ++i)
            take(known.results() + static_cast<VarId>(i), results.codes[i]);
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
    std::unordered_map<VarId, VarId> aliases_;      // variables that equal another
    std::vector<std::pair<Id, VarId>> expressions_; // that variables in scope hold
};

} // namespace

void facts(Module& module, Function& function) {
    drop_implied(module, function);
    Facts(module, function).run();
    fold(module, function);
}

} // namespace croupier::engine::form
