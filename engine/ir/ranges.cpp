// The pass `ranges`: which variables are surely integers, and between which bounds. Values are
// asked in ranges_values.cpp, in the order in which rules compute them: what sets a variable comes
// before all that read it.
#include "engine/ir/ranges.h"

#include "engine/ir/pass.h"
#include "engine/ir/probe.h"

#include <algorithm>

namespace croupier::engine::ir {

namespace {

// More than any run has time for; twice that is an integer as well.
constexpr std::int64_t kManyResults = std::int64_t{1} << 61;

std::int64_t product(std::int64_t a, std::int64_t b) {
    std::int64_t all = 0;
    return __builtin_mul_overflow(a, b, &all) ? kManyResults : std::min(all, kManyResults);
}

} // namespace

void find_ranges(Module& module, Function& function) {
    Ranger(module, function).run();
}

void Ranger::block(BlockId id) {
    for (std::size_t i = 0; i < edit_.block(id).statements.size(); ++i) {
        statement(edit_.block(id).statements[i]);
    }
}

void Ranger::statement(Id id) {
    std::vector<Fact> facts;
    for (std::size_t i = 0; i < at(id).operands.size(); ++i) {
        facts.push_back(expression(at(id).operands[i]));
    }
    const Node node = at(id);
    switch (node.kind) {
    case Kind::Let:
        let(id, facts[0]);
        return;
    case Kind::Yield:
        if (results_ != nullptr) {
            results_->push_back({id, std::move(facts)});
        }
        return;
    case Kind::Alternatives: {
        Results all;
        for (std::size_t i = 0; i + 1 < node.blocks.size(); ++i) {
            for (Result& each : searched(node.blocks[i])) {
                all.push_back(std::move(each));
            }
        }
        take(all, node.x);
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
        for (const BlockId each : node.blocks) {
            block(each);
        }
    }
}

Ranger::Results Ranger::searched(BlockId search) {
    Results found;
    Results* const outer = std::exchange(results_, &found);
    block(search);
    results_ = outer;
    return found;
}

void Ranger::let(Id id, const Fact& fact) {
    const VarId var = at(id).x;
    if (is_member(at(id).operands[0], fact)) {
        CROUPIER_REWRITE(IsMember);
        is_given_[var] = true;
        edit_.var(var).sure = true;
    }
    if (!fact) {
        return;
    }
    known_[var] = fact;
    const TypeKind kind = edit_.var(var).type.kind;
    if (!fact->sure) {
        return;
    }
    edit_.var(var).sure = true;
    if (kind == TypeKind::Any || kind == TypeKind::Int) {
        CROUPIER_REWRITE(WholeVariable);
        make_whole(at(id).operands[0], *fact);
        edit_.var(var).type = at(at(id).operands[0]).type;
    }
}

void Ranger::apply(const Node& apply) {
    const Results found = searched(apply.blocks[0]);
    block(apply.blocks[2]);
    take(found, apply.y);
    block(apply.blocks[1]);
    if (apply.blocks.size() > 3) {
        searched(apply.blocks[3]);
    }
}

// ---- results ---------------------------------------------------------------------------------

Ranger::Fact Ranger::joined_fact(const Results& results, std::size_t place) {
    Fact all;
    for (const Result& each : results) {
        const Fact& fact = each.facts[place];
        if (!fact) {
            return std::nullopt;
        }
        all = all ? Integer{joined(all->bounds, fact->bounds), all->sure && fact->sure} : *fact;
        if (CROUPIER_MISTAKE(BoundsOfFirstResult)) return all;
    }
    return all;
}

void Ranger::take(const Results& results, VarId first) {
    const std::size_t count = results.empty() ? 0 : results[0].facts.size();
    for (std::size_t i = 0; i < count; ++i) {
        take_one(results, i, first + static_cast<VarId>(i));
    }
}

void Ranger::take_one(const Results& results, std::size_t place, VarId var) {
    const Fact all = joined_fact(results, place);
    known_[var] = all;
    if (all && all->sure) {
        edit_.var(var).sure = true;
    }
    if (edit_.var(var).type.kind != TypeKind::Any) {
        return;
    }
    const Type& first = at(at(results[0].yield).operands[place]).type;
    const bool same = std::all_of(results.begin(), results.end(), [&](const Result& each) {
        return at(at(each.yield).operands[place]).type == first;
    });
    if (same && first.kind != TypeKind::Any) { // also truths, and codes of one list
        CROUPIER_REWRITE(ResultsOfOneType);
        edit_.var(var).type = first;
    } else if (all && all->sure) {
        CROUPIER_REWRITE(ResultsAreWhole);
        for (const Result& each : results) {
            make_whole(at(each.yield).operands[place], *each.facts[place]);
        }
        edit_.var(var).type = all->bounds.type();
    }
}

void Ranger::gather(Id id) {
    const Results found = searched(at(id).blocks[0]);
    const auto how = static_cast<KeyKind>(at(id).y);
    const VarId total = at(id).x;
    const std::int64_t count = most_results(at(id).blocks[0]);
    if (how == KeyKind::Count) {
        CROUPIER_REWRITE(CountBounded);
        edit_.var(total).type = Bounds{0, count}.type();
        return;
    }
    const Fact all = joined_fact(found, 0);
    if (!all) {
        return;
    }
    for (const Result& each : found) {
        if (each.facts[0]->sure) {
            make_whole(at(each.yield).operands[0], *each.facts[0]);
        }
    }
    if (how == KeyKind::Sum) { // where it overflows, and of none, it is an error
        CROUPIER_REWRITE(SumBounded);
        edit_.var(total).type = summed(all->bounds, count).bounds.type();
    } else {
        CROUPIER_REWRITE(BestBounded);
        known_[total] = Integer{all->bounds, false};
    }
}

// At most so many results, whatever the state.
std::int64_t Ranger::most_results(BlockId search) const {
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
            for (std::size_t i = 0; i + 1 < node.blocks.size(); ++i) {
                ways = std::min(ways + most_results(node.blocks[i]), kManyResults);
            }
            return product(ways, most_results(node.blocks.back()));
        }
        default:
            break;
        }
    }
    return 1;
}

} // namespace croupier::engine::ir
