// Old runs are opened from their copies; rounds take turns, so that both see the same machine.
#include "tournaments/cli/profile_compare.h"

#include "games/ruleset/ruleset_game.h"
#include "results/report/compared.h"
#include "results/report/numbers.h"
#include "results/store/cost_rows.h"
#include "tournaments/cli/kept_run.h"
#include "tournaments/cli/machine.h"
#include "tournaments/runner/rule_facts.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace croupier::cli {
namespace {

using results::CostChange;

constexpr std::size_t kRulesShown = 20;

std::string game_alone(const std::string& title) {
    return title.substr(0, title.find(':'));
}

} // namespace

OldRun::OldRun(std::string folder, const std::string& agents_folder, Context& context)
    : folder_(std::move(folder)), agents_folder_(agents_folder), read_(read_run(folder_, context)) {
    const results::RunFile& file = read_.file;
    if (!file.has_profile)
        throw Mistake(folder_ + ": the run was made before croupier recorded what rules cost");
    if (!file.profile.watches())
        throw Mistake(folder_ + ": no rules were watched in that run: there is nothing to compare");
    recorded_.facts = file.profile;
    if (const auto failure = results::read_rules_file(folder_, file.facts, recorded_))
        throw Mistake(*failure);
}

void OldRun::open(const PreparedRun& now, Context& context) {
    const results::RunFile& file = read_.file;
    if (game_alone(file.facts.game) != game_alone(now.facts.game))
        throw Mistake(fmt::format("{} is a run of {}, and this is {}", folder_, file.facts.game,
                                  now.facts.game));
    run_ = reopen_run(folder_, read_, agents_folder_, context);
    run_.specification = now.specification;
    run_.facts = now.facts;
    run_.profile.mode = results::ProfileMode::Sample;
    const games::RulesetGame& game = *run_.game->ruleset_game();
    if (&game == run_.game.get()) // and is not played in its place
        tournaments::add_rule_facts(game.program(), game.sources(), {}, false, run_.profile);
    const auto& agents = run_.specification.agents;
    for (std::uint32_t agent = 0; agent < agents.size(); ++agent) {
        const agents::MadeAgent made = made_agent(run_, agents[agent].spec);
        if (made.agent == nullptr)
            throw Mistake(fmt::format("{}: the agent {} cannot be made as it was", folder_,
                                      agents[agent].spec.name));
        if (made.agent->rules() != nullptr)
            tournaments::add_rule_facts(*made.agent->rules(), made.sources, agent, false,
                                        run_.profile);
    }
}

namespace {

nlohmann::ordered_json json_of(const std::vector<CostChange>& changes) {
    using Json = nlohmann::ordered_json;
    const auto number = [](const std::optional<double>& value) {
        return value ? Json(*value) : Json(nullptr);
    };
    Json rows = Json::array();
    for (const CostChange& change : changes) {
        rows.push_back({{"owner", change.owner},
                        {"group", change.group},
                        {"name", change.name},
                        {"recorded_ns", number(change.recorded)},
                        {"old_ns", number(change.old)},
                        {"now_ns", number(change.now)},
                        {"ratio", number(change.ratio)},
                        {"low", number(change.low)},
                        {"high", number(change.high)},
                        {"verdict", name_of(change.verdict)}});
    }
    return rows;
}

} // namespace

void print_comparison(const OldRun& old, const PreparedRun& now,
                      const std::vector<results::CostRound>& rounds, bool json, Context& context) {
    const results::Costs& recorded = old.recorded();
    const auto changes =
        results::compare_costs(recorded, now.profile, rounds, game_alone(now.facts.game),
                               old.facts().agents, now.facts.agents);
    if (json) {
        context.out().raw(json_of(changes).dump(2) + "\n");
        return;
    }
    context.out().paragraph(
        fmt::format("CPU time in ns per game, of rules by ticks that found them at work. Old and "
                    "new rules took turns in {} rounds, now and on this machine. Intervals are "
                    "corrected for all rows together; 'same' is no more than {:.0f} % apart. "
                    "'recorded' is what the old run wrote down, '-' where it had fewer than {:.0f} "
                    "ticks of it.",
                    rounds.size(), 100 * results::kSameWithin, results::kFewestOfRule));
    Table table;
    table.columns = {{"rule"},
                     {"recorded", Align::Right},
                     {"old", Align::Right},
                     {"now", Align::Right},
                     {"ratio", Align::Right},
                     {"95 %", Align::Right},
                     {"verdict"}};
    for (std::size_t i = 0; i < std::min(changes.size(), kRulesShown + 2); ++i) {
        const CostChange& change = changes[i];
        const auto number = [](const std::optional<double>& value, int decimals) {
            return value ? results::fixed(value, decimals) : std::string("-");
        };
        table.rows.push_back({change.name, number(change.recorded, 0), number(change.old, 0),
                              number(change.now, 0), number(change.ratio, 2),
                              results::ratio_interval(change),
                              std::string(name_of(change.verdict))});
    }
    context.out().table(table);
    if (changes.size() > kRulesShown + 2)
        context.out().paragraph(fmt::format("and {} rules that changed less; --json has all",
                                            changes.size() - kRulesShown - 2));
}

} // namespace croupier::cli
