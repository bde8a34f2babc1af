// Commits to a rule, tries its advice, and tells why.
#include "agents/advice/strategy.h"

#include "engine/api/random.h"
#include "engine/api/text.h"

#include <fmt/format.h>

namespace croupier::agents::advice {

Strategy::Strategy(std::shared_ptr<const AdviceTable> table, const SearchSettings& settings)
    : table_(std::move(table)), search_(*table_, settings) {}

void Strategy::look(const games::Position& position) {
    engine::Diagnostics diagnostics;
    engine::Random chance;
    games::RulesetPosition& root = search_.root();
    if (!root.load(position.state(), chance, diagnostics))
        throw AdviceFault(diagnostics.sorted().front().message);
    root.resume(chance);
}

const Decision& Strategy::decide(games::Seat us) {
    decision_ = {};
    search_.begin(us);
    for (std::uint32_t i = 0; i < table_->rules().size(); ++i) {
        const AdviceRule& rule = table_->rules()[i];
        if (!search_.holds(rule.when)) continue;
        decision_.rule = i;
        for (const std::uint32_t number : rule.tries) {
            const bool found = search_.satisfy(table_->advice()[number], decision_.tree);
            decision_.nodes += search_.nodes();
            decision_.attempts.push_back({number, search_.nodes(), search_.failure()});
            if (!found) continue;
            decision_.advice = number;
            break;
        }
        break;
    }
    return decision_;
}

std::string_view Strategy::move_name(games::Move move) const {
    const games::RulesetGame& game = table_->game();
    return game.program().symbols.text(game.move_domain()->members[move]);
}

std::string Strategy::tree_text() const {
    return decision_.tree.text([&](games::Move move) { return std::string(move_name(move)); });
}

std::string describe(const Failure& failure) {
    const std::string what = failure.what == nullptr ? "" : failure.what->text;
    const std::string line = fmt::to_string(fmt::join(failure.moves, " "));
    const std::string where = failure.moves.empty()
                                  ? std::string("here")
                                  : fmt::format("after {}, at depth {}", line, failure.depth);
    switch (failure.why) {
    case Failure::Why::None:
        return {};
    case Failure::Why::Hold:
        return fmt::format("{}: it must hold that {}", where, what);
    case Failure::Why::NoMove:
        return fmt::format("{}: we have no move that the advice allows", where);
    case Failure::Why::NoReply:
        return fmt::format("{}: the goal is missed, {} does not hold", where, what);
    case Failure::Why::Over:
        return fmt::format("{}: the game is over, {} does not hold", where, what);
    case Failure::Why::TooDeep:
        return fmt::format("{}: the advice looks no further, {} does not hold", where, what);
    case Failure::Why::HeldAlready:
        return "here: the goal holds already, there is nothing to do";
    }
    return {};
}

std::vector<std::string> Strategy::explain() const {
    std::vector<std::string> lines;
    if (decision_.rule == Decision::kNone) return {"no rule applies"};
    lines.push_back(fmt::format("rule {}", table_->rules()[decision_.rule].name));
    for (const Decision::Attempt& attempt : decision_.attempts) {
        const std::string& name = table_->advice()[attempt.advice].name;
        const std::string nodes =
            fmt::format("{} node{}", attempt.nodes, attempt.nodes == 1 ? "" : "s");
        if (attempt.advice == decision_.advice)
            lines.push_back(fmt::format("advice {} ({})", name, nodes));
        else
            lines.push_back(fmt::format("not {} ({}), {}", name, nodes, describe(attempt.failure)));
    }
    if (decision_.found())
        lines.push_back(fmt::format("tree {}", tree_text()));
    else
        lines.emplace_back("none of its advice can be followed");
    return lines;
}

} // namespace croupier::agents::advice
