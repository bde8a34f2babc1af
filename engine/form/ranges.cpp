// The pass `ranges`: infers which variables are always integers, and their bounds. It visits values
// in the order in which rules compute them, so a variable is set before it is read.
#include "engine/form/edit.h"
#include "engine/form/effects.h"
#include "engine/form/evaluate.h"
#include "engine/form/form.h"
#include "engine/form/passes.h"
#include "engine/form/probe.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace croupier::engine::form {

// The facts that the pass collects in a function.

namespace {

// More results than any run has time for; twice that still fits an integer.
constexpr std::int64_t kManyResults = std::int64_t{1} << 61;

std::int64_t product(std::int64_t a, std::int64_t b) {
    std::int64_t all = 0;
    return __builtin_mul_overflow(a, b, &all) ? kManyResults : std::min(all, kManyResults);
}

} // namespace

class Ranger {
  public:
    Ranger(Module& module, Function& function)
        : module_(module), edit_(module, function), known_(function.vars.size()),
          is_given_(function.vars.size()) {}
    void run() { block(edit_.function().body); }

  private:
    // An integer between bounds. It may also be none, unless it is sure.
    struct Integer {
        Bounds bounds;
        bool sure = false;
    };
    using Fact = std::optional<Integer>; // nullopt if it may be anything else
    // One result of a search.
    struct Result {
        Id yield;
        std::vector<Fact> facts;
    };
    using Results = std::vector<Result>;
    [[nodiscard]] const Node& at(Id id) const { return edit_.function().at(id); }

    void block(BlockId id) {
        for (std::size_t i = 0; i < edit_.block(id).statements.size(); ++i)
            statement(edit_.block(id).statements[i]);
    }

    void statement(Id id) {
        std::vector<Fact> facts;
        for (std::size_t i = 0; i < at(id).operands.size(); ++i)
            facts.push_back(expression(at(id).operands[i]));
        const Node node = at(id);
        switch (node.kind) {
        case Kind::Let:
            let(id, facts[0]);
            return;
        case Kind::Yield:
            if (results_ != nullptr) results_->push_back({id, std::move(facts)});
            return;
        case Kind::Alternatives: {
            Results all;
            for (std::size_t i = 0; i + 1 < node.blocks.size(); ++i)
                for (Result& each : searched(node.blocks[i]))
                    all.push_back(std::move(each));
            take(all, node.var());
            block(node.blocks.back());
            return;
        }
        case Kind::NoMatch:
        case Kind::SomeMatch:
            searched(node.blocks[0]);
            return;
        case Kind::Gather:
            gather(id);
            return;
        case Kind::Apply:
            apply(node);
            return;
        default:
            for (const BlockId each : node.blocks)
                block(each);
        }
    }

    Results searched(BlockId search) {
        Results found;
        Results* const outer = std::exchange(results_, &found);
        block(search);
        results_ = outer;
        return found;
    }

    void let(Id id, const Fact& fact) {
        const VarId var = at(id).var();
        if (is_member(at(id).operands[0], fact)) {
            CROUPIER_REWRITE(IsMember);
            is_given_[var] = true;
            edit_.var(var).sure = true;
        }
        if (!fact) return;
        known_[var] = fact;
        const TypeKind kind = edit_.var(var).type.kind;
        if (!fact->sure) return;
        edit_.var(var).sure = true;
        if (kind == TypeKind::Any || kind == TypeKind::Int) {
            CROUPIER_REWRITE(WholeVariable);
            make_whole(at(id).operands[0], *fact);
            edit_.var(var).type = at(at(id).operands[0]).type;
        }
    }

    void apply(const Node& apply) {
        const Results found = searched(apply.blocks[0]);
        block(apply.blocks[2]);
        take(found, apply.results());
        block(apply.blocks[1]);
        if (apply.blocks.size() > 3) searched(apply.blocks[3]);
    }

    // ---- results ----

    [[nodiscard]] static Fact joined_fact(const Results& results, std::size_t place) {
        Fact all;
        for (const Result& each : results) {
            const Fact& fact = each.facts[place];
            if (!fact) return std::nullopt;
            all = all ? Integer{joined(all->bounds, fact->bounds), all->sure && fact->sure} : *fact;
            if (CROUPIER_MISTAKE(BoundsOfFirstResult)) return all;
        }
        return all;
    }

    void take(const Results& results, VarId first) {
        const std::size_t count = results.empty() ? 0 : results[0].facts.size();
        for (std::size_t i = 0; i < count; ++i)
            take_one(results, i, first + static_cast<VarId>(i));
    }

    void take_one(const Results& results, std::size_t place, VarId var) {
        const Fact all = joined_fact(results, place);
        known_[var] = all;
        if (all && all->sure) edit_.var(var).sure = true;
        if (edit_.var(var).type.kind != TypeKind::Any) return;
        const Type& first = at(at(results[0].yield).operands[place]).type;
        const bool same = std::all_of(results.begin(), results.end(), [&](const Result& each) {
            return at(at(each.yield).operands[place]).type == first;
        });
        if (same && first.kind != TypeKind::Any) { // also truths, and codes of one list
            CROUPIER_REWRITE(ResultsOfOneType);
            edit_.var(var).type = first;
        } else if (all && all->sure) {
            CROUPIER_REWRITE(ResultsAreWhole);
            for (const Result& each : results)
                make_whole(at(each.yield).operands[place], *each.facts[place]);
            edit_.var(var).type = all->bounds.type();
        }
    }

    void gather(Id id) {
        const Results found = searched(at(id).blocks[0]);
        const auto how = at(id).gathers();
        const VarId total = at(id).var();
        const std::int64_t count = most_results(at(id).blocks[0]);
        if (how == KeyKind::Count) {
            CROUPIER_REWRITE(CountBounded);
            edit_.var(total).type = Bounds{0, count}.type();
            return;
        }
        const Fact all = joined_fact(found, 0);
        if (!all) return;
        for (const Result& each : found)
            if (each.facts[0]->sure) make_whole(at(each.yield).operands[0], *each.facts[0]);
        if (how == KeyKind::Sum) { // overflow and none are errors
            CROUPIER_REWRITE(SumBounded);
            edit_.var(total).type = summed(all->bounds, count).bounds.type();
        } else {
            CROUPIER_REWRITE(BestBounded);
            known_[total] = Integer{all->bounds, false};
        }
    }

    // The most results that the search can have in any state.
    [[nodiscard]] std::int64_t most_results(BlockId search) const {
        for (const Id id : edit_.function().blocks[search].statements) {
            const Node& node = at(id);
            switch (node.kind) {
            case Kind::EachRow: {
                const std::uint32_t list = at(node.operands[0]).type.list;
                const auto rows = static_cast<std::int64_t>(module_.lists[list].values.size());
                return product(rows, most_results(node.blocks[0]));
            }
            case Kind::EachChild:
                return kManyResults;
            case Kind::Alternatives: {
                std::int64_t ways = 0;
                for (std::size_t i = 0; i + 1 < node.blocks.size(); ++i)
                    ways = std::min(ways + most_results(node.blocks[i]), kManyResults);
                return product(ways, most_results(node.blocks.back()));
            }
            default:
                break;
            }
        }
        return 1;
    }

    // Expressions that are always integers, and their bounds.

    Fact expression(Id id) {
        std::vector<Fact> facts;
        for (std::size_t i = 0; i < at(id).operands.size(); ++i)
            facts.push_back(expression(at(id).operands[i]));
        switch (at(id).kind) {
        case Kind::Has:
            has(id, facts[0]);
            return std::nullopt;
        case Kind::Fits:
            fits(id, facts[0]);
            return std::nullopt;
        case Kind::Compare:
            compare(id, facts[0], facts[1]);
            return std::nullopt;
        case Kind::Choose:
            return choose(id, facts[1], facts[2]);
        case Kind::Given:
            return given(id, facts[0]);
        case Kind::Arithmetic:
            return arithmetic(id, facts);
        case Kind::Random:
            return drawn(id, facts[0]);
        case Kind::SizeOf:
            return size(id);
        default:
            return leaf(id);
        }
    }

    // ---- operations on integers ----

    Fact choose(Id id, const Fact& one, const Fact& other) {
        if (!one || !other) return std::nullopt;
        const Integer all{joined(one->bounds, other->bounds), one->sure && other->sure};
        if (all.sure && (at(id).type.kind == TypeKind::Any || at(id).type.kind == TypeKind::Int)) {
            CROUPIER_REWRITE(WholeChoice);
            make_whole(at(id).operands[1], *one);
            make_whole(at(id).operands[2], *other);
            edit_.at(id).type = all.bounds.type();
        }
        return all;
    }

    Fact given(Id id, const Fact& fact) {
        if (!fact) return std::nullopt;
        const Id inner = at(id).operands[0];
        if (at(id).type.kind == TypeKind::Any) edit_.at(id).type = fact->bounds.type();
        if (fact->sure && at(id).type.kind == TypeKind::Int) {
            CROUPIER_REWRITE(GivenAnyway);
            make_whole(inner, *fact);
            edit_.at(id) = Node(at(inner)); // with the errors of that node
        }
        return Integer{fact->bounds, true};
    }

    Fact arithmetic(Id id, const std::vector<Fact>& facts) {
        const auto how = at(id).op();
        const bool rounds = how == ExprOp::Floor || how == ExprOp::Round;
        std::vector<Bounds> of;
        bool sure = true; // an operand that is none is an error
        for (std::size_t i = 0; i < facts.size(); ++i) {
            const Fact fact = as_number(at(id).operands[i], facts[i]);
            if (fact) {
                of.push_back(fact->bounds);
                if (fact->sure) make_whole(at(id).operands[i], *fact);
            }
            sure = sure && fact && fact->sure;
        }
        const auto made = of.size() == facts.size() ? computed(how, of) : std::nullopt;
        if (!made && !rounds) return std::nullopt;
        const Integer all{made ? made->bounds : Bounds{}, true};
        if (at(id).type.kind == TypeKind::Any) edit_.at(id).type = all.bounds.type();
        if (sure && made && made->total && may_calculate(how)) {
            CROUPIER_REWRITE(NoOverflow);
            edit_.at(id).kind = Kind::Calculate;
        }
        return all;
    }

    // Anything but a positive integer is an error.
    Fact drawn(Id id, const Fact& given) {
        const Fact below = as_number(at(id).operands[0], given);
        Integer all{{0, INT64_MAX - 1}, true};
        if (below) {
            CROUPIER_REWRITE(DrawBounded);
            all.bounds.high = std::max<std::int64_t>(below->bounds.high, 1) - 1;
            if (below->sure) make_whole(at(id).operands[0], *below);
        }
        edit_.at(id).type = all.bounds.type();
        return all;
    }

    // A map over a domain has as many children as rows, so these are counted.
    Fact size(Id id) {
        const Node node = at(at(id).operands[0]);
        const Layout& layout = *module_.catalogue->layout;
        if (node.kind == Kind::NodeAt && layout.node(node.schema()).kind == ShapeKind::Map &&
            layout.node(node.schema()).domain != 0) {
            const SchemaNode& element = layout.node(layout.node(node.schema()).element);
            if (element.dense && element.column != Column::Arena) {
                const std::uint32_t list = list_of_domain(edit_.module(), CodeList::Form::Keys,
                                                          layout.node(node.schema()).domain);
                const auto rows = static_cast<std::int64_t>(module_.lists[list].values.size());
                const Id set =
                    edit_.make(Kind::Rows, {TypeKind::Set, list}, node.operands, node.schema());
                CROUPIER_REWRITE(SizeOfRows);
                edit_.become(id, Kind::CountRows, Bounds{0, rows}.type(), {set});
                return Integer{{0, rows}, true};
            }
        }
        edit_.at(id).type = Bounds{0, UINT32_MAX}.type();
        return Integer{{0, UINT32_MAX}, true};
    }

    // ---- tests ----

    // A variable may be marked sure because of this very test, so the mark does not count here.
    void has(Id id, const Fact& fact) {
        const Id asked = at(id).operands[0];
        bool sure = fact && fact->sure;
        if (at(asked).kind == Kind::Variable && at(asked).type.kind != TypeKind::Int) {
            const Fact& set = known_[at(asked).var()];
            sure = (set && set->sure) || is_given_[at(asked).var()];
        }
        if (sure && is_total(edit_.function(), asked)) {
            CROUPIER_REWRITE(IntegerIsThere);
            edit_.become_truth(id, true);
        }
    }

    void fits(Id id, const Fact& fact) {
        using Of = TypePlan::Kind;
        const Of type = module_.catalogue->types[at(id).type_id()].kind;
        if (fact && fact->sure && is_total(edit_.function(), at(id).operands[0]) &&
            (type == Of::Any || type == Of::Int || type == Of::Number)) {
            CROUPIER_REWRITE(IntegerFits);
            edit_.become_truth(id, true);
        }
    }

    // Codes of one list are compared for equality as they are.
    void compare(Id id, const Fact& left, const Fact& right) {
        const Fact a = as_number(at(id).operands[0], left);
        const Fact b = as_number(at(id).operands[1], right);
        if (!a || !b || !a->sure || !b->sure) return;
        const auto how = at(id).op();
        const Id one = at(id).operands[0];
        const Id other = at(id).operands[1];
        const auto decided = compared(how, a->bounds, b->bounds);
        if (decided && is_total(edit_.function(), one) && is_total(edit_.function(), other)) {
            CROUPIER_REWRITE(ComparisonOfBounds);
            edit_.become_truth(id, *decided);
            return;
        }
        const bool codes = at(one).type.kind == TypeKind::Code && at(one).type == at(other).type;
        if (!codes || !is_equality(how)) {
            CROUPIER_REWRITE(WholeComparison);
            make_whole(one, *a);
            make_whole(other, *b);
        }
    }

    // Gives a value that is always an integer the type Int.
    void make_whole(Id id, const Integer& whole) {
        if (at(id).type.kind == TypeKind::Int) return;
        const Type type = whole.bounds.type();
        if (at(id).kind == Kind::Constant)
            edit_.replace(id, edit_.constant_of(type, Value::number(whole.bounds.low)));
        else
            edit_.become(id, Kind::Whole, type, {edit_.add(at(id))});
    }

    // Constants, variables, and values that are read or looked up.

    Fact leaf(Id id) {
        const Type& type = at(id).type;
        switch (at(id).kind) {
        case Kind::Constant:
            return constant(id);
        case Kind::Variable:
            return variable(id);
        case Kind::Table:
            return table(at(id));
        case Kind::Load: {
            const SchemaNode& leaf = module_.catalogue->layout->node(at(id).schema());
            if (type.kind == TypeKind::Any && leaf.column == Column::Int) {
                CROUPIER_REWRITE(BoundsOfLeaf);
                return Integer{{leaf.low, leaf.high}, false};
            }
            break;
        }
        default:
            break;
        }
        return type.kind == TypeKind::Int ? Integer{{type.low, type.high}, true}
                                          : codes(type, is_sure_code(id));
    }

    Fact constant(Id id) {
        const Node& node = at(id);
        Value value;
        if (node.type.kind == TypeKind::Int)
            value = Value::number(node.literal());
        else if (node.type.kind == TypeKind::Any)
            value = module_.values[node.value()];
        else if (node.type.kind == TypeKind::Code && node.literal() != 0)
            value =
                module_.lists[node.type.list].values[static_cast<std::size_t>(node.literal() - 1)];
        if (value.tag != Tag::Int) return std::nullopt;
        const Integer only{{value.integer, value.integer}, true};
        if (node.type.kind == TypeKind::Any) make_whole(id, only);
        return only;
    }

    Fact variable(Id id) {
        const Var& var = edit_.function().vars[at(id).var()];
        edit_.at(id).type = var.type;
        if (var.type.kind == TypeKind::Int) return Integer{{var.type.low, var.type.high}, true};
        Fact fact = known_[at(id).var()];
        if (!fact) fact = codes(var.type, false);
        if (fact) fact->sure = fact->sure || var.sure;
        return fact;
    }

    // The bounds of integers that are codes.
    [[nodiscard]] Fact codes(const Type& type, bool sure) const {
        if (type.kind != TypeKind::Code) return std::nullopt;
        const CodeList& list = module_.lists[type.list];
        const bool numbers =
            list.form == CodeList::Form::Range || list.form == CodeList::Form::Numbers;
        if (!numbers || list.values.empty()) return std::nullopt;
        return Integer{{list.values.front().integer, list.values.back().integer}, sure};
    }

    // The fact where a number is expected: a member of a numbered domain is one, too.
    [[nodiscard]] Fact as_number(Id id, const Fact& fact) const {
        const Type& type = at(id).type;
        if (fact || type.kind != TypeKind::Code) return fact;
        const CodeList& list = module_.lists[type.list];
        const Layout& layout = *module_.catalogue->layout;
        if (list.form != CodeList::Form::Keys || !layout.domain(list.domain).numbered)
            return std::nullopt;
        CROUPIER_REWRITE(BoundsOfMember);
        return Integer{{0, static_cast<std::int64_t>(list.values.size()) - 1}, is_sure_code(id)};
    }

    [[nodiscard]] bool is_sure_code(Id id) const {
        const Node& node = at(id);
        switch (node.kind) {
        case Kind::Constant:
            return node.literal() != 0;
        case Kind::Variable:
            return edit_.function().vars[node.var()].sure;
        case Kind::Given:
            return true;
        default:
            return false;
        }
    }

    // An entry for code 0 counts only if the operand can be 0.
    [[nodiscard]] Fact table(const Node& node) const {
        const LookupTable& table = module_.tables[node.table()];
        Fact all;
        bool sure = true;
        const std::vector<Value>& values = table.values.different();
        std::vector<bool> seen(values.size());
        for (std::size_t i = 0; i < table.values.size(); ++i) {
            const std::uint16_t place = table.values.places()[i];
            if (seen[place]) continue;
            bool reached = true;
            std::size_t rest = i;
            for (std::size_t k = table.sizes.size(); k-- > 0; rest /= table.sizes[k])
                reached =
                    reached && (rest % table.sizes[k] != 0 || !is_sure_code(node.operands[k]));
            if (!reached) continue;
            seen[place] = true;
            const Value& value = values[place];
            if (value.tag == Tag::Int) {
                const Bounds only{value.integer, value.integer};
                all = Integer{all ? joined(all->bounds, only) : only, true};
            } else if (value.tag == Tag::None) {
                sure = false;
            } else {
                return std::nullopt;
            }
        }
        if (all) {
            CROUPIER_REWRITE(BoundsOfTable);
            all->sure = sure;
        }
        return all;
    }

    // Whether a code is never 0: that of an integer within the domain, or of a value that is always
    // an integer.
    [[nodiscard]] bool is_member(Id id, const Fact& fact) const {
        const Node& node = at(id);
        if (node.kind != Kind::KeyCode || node.operands.size() != 1)
            return node.type.kind == TypeKind::Code && fact && fact->sure;
        const Type& number = at(node.operands[0]).type;
        const CodeList& list = module_.lists[node.type.list];
        const bool numbered =
            (list.form == CodeList::Form::Keys || list.form == CodeList::Form::Numbers) &&
            module_.catalogue->layout->domain(list.domain).numbered;
        return numbered && number.kind == TypeKind::Int && number.low >= 0 &&
               number.high < static_cast<std::int64_t>(list.values.size()) +
                                 (CROUPIER_MISTAKE(SizeIsMember) ? 1 : 0);
    }

    const Module& module_;
    Editor edit_;
    std::vector<Fact> known_;    // of variables, as they are set
    std::vector<bool> is_given_; // a variable's code is never 0, tested or not
    Results* results_ = nullptr; // of the current search
};

void find_ranges(Module& module, Function& function) {
    Ranger(module, function).run();
}

} // namespace croupier::engine::form
