// Which moves a search tries in a position, and in which order.
#include "agents/advice/search.h"
#include "engine/api/run.h"
#include "engine/api/state.h"

#include <algorithm>

namespace croupier::agents::advice {

using engine::Value;
using games::Move;
using games::RulesetPosition;

void Search::list_generated(const Moves& moves, std::size_t ply, Candidates& into) {
    RulesetPosition& position = *line_[ply];
    const engine::RunResult result = machine_.match(moves.generator, position.tree(), chance_);
    check(result);
    const engine::DomainTable& listed = *table_.game().move_domain();
    const std::size_t count = position.move_count();
    for (std::uint64_t i = 0; i < result.matches; ++i) {
        const Value& key = machine_.matched(i)[moves.variable];
        if (!key.is_text()) continue;
        const Move move = listed.row_of(key.symbol());
        std::size_t legal = 0;
        while (legal < count && position.move(legal) != move)
            ++legal;
        if (legal < count) into.push_back({move, nullptr});
    }
}

// Both tests as one; made once for each pair.
const Goal* Search::both_of(const Goal* one, const Goal* other) {
    if (one == nullptr || other == nullptr || one == other) return one != nullptr ? one : other;
    const auto [at, added] = pairs_.try_emplace({one, other});
    if (added) at->second.parts = {*one, *other};
    return &at->second;
}

// Of the first list what the others admit.
void Search::list_all(const Moves& moves, std::size_t ply, Candidates& into) {
    for (const Moves& part : moves.parts) {
        if (part.op == Moves::Op::None ||
            (part.op == Moves::Op::Depth &&
             !compares(part.compare, static_cast<std::int64_t>(ply), part.depth)))
            return;
    }
    const std::size_t begin = into.size();
    bool first = true;
    for (const Moves& part : moves.parts) {
        if (part.op == Moves::Op::Depth) continue;
        if (first) {
            list(part, ply, into);
            first = false;
        } else if (part.op != Moves::Op::Legal) {
            Candidates admitted;
            list(part, ply, admitted);
            Candidates both;
            for (auto each = into.begin() + static_cast<std::ptrdiff_t>(begin); each != into.end();
                 ++each) {
                for (const Candidate& other : admitted) {
                    if (other.move != each->move) continue;
                    both.push_back({each->move, both_of(each->test, other.test)});
                    break;
                }
            }
            into.resize(begin);
            into.insert(into.end(), both.begin(), both.end());
        }
    }
    if (first) list(Moves{}, ply, into);
}

void Search::list_then(const Moves& moves, std::size_t ply, Candidates& into) {
    for (const Moves& part : moves.parts) {
        const std::size_t begin = into.size();
        list(part, ply, into);
        if (begin == 0) continue;
        // What came before, and without a condition, is not tried again.
        const auto known = into.begin() + static_cast<std::ptrdiff_t>(begin);
        into.erase(
            std::remove_if(known, into.end(),
                           [&](const Candidate& each) {
                               return std::any_of(into.begin(), known, [&](const Candidate& other) {
                                   return other.move == each.move && other.test == nullptr;
                               });
                           }),
            into.end());
    }
}

void Search::list(const Moves& moves, std::size_t ply, Candidates& into) {
    const RulesetPosition& position = *line_[ply];
    const Goal* test = nullptr;
    switch (moves.op) {
    case Moves::Op::None:
        return;
    case Moves::Op::Generator:
        return list_generated(moves, ply, into);
    case Moves::Op::And:
        return list_all(moves, ply, into);
    case Moves::Op::Then:
        return list_then(moves, ply, into);
    case Moves::Op::Depth:
        if (!compares(moves.compare, static_cast<std::int64_t>(ply), moves.depth)) return;
        break;
    case Moves::Op::Test:
        test = &moves.goal;
        break;
    case Moves::Op::Legal:
        break;
    }
    for (std::size_t i = 0; i < position.move_count(); ++i)
        into.push_back({position.move(i), test});
}

} // namespace croupier::agents::advice
