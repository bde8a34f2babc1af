// Formats differences, prepares comparisons, and measures the costs of their rules.
#include "tournaments/compare/compared.h"

#include "engine/api/text.h"
#include "games/registry.h"
#include "games/ruleset/ruleset_game.h"
#include "tournaments/run/profile.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace croupier::tournaments {

namespace {

using agents::RuleAgent;
using agents::RuleAt;
using engine::Difference;
using nlohmann::ordered_json;

constexpr std::size_t kShownText = 60;
constexpr std::uint64_t kWatchedGames = 54; // limit for each, to find costs of rules
constexpr double kMinTicks = 25;            // of a rule: its time is then known to 40 %

std::string_view name_of(Difference kind) {
    switch (kind) {
    case Difference::Added:
        return "added";
    case Difference::Removed:
        return "removed";
    case Difference::Changed:
        return "changed";
    case Difference::Moved:
        break;
    }
    return "moved";
}

std::string shortened(const std::string& text) {
    if (text.size() <= kShownText) return text;
    std::size_t end = kShownText;
    while (end > 0 && !engine::starts_character(text[end]))
        --end; // never splits a character
    return text.substr(0, end) + "...";
}

std::string entry_line(const engine::EntryDifference& entry, std::string_view name) {
    switch (entry.kind) {
    case Difference::Added:
        return fmt::format("+ {}: {}", name, shortened(entry.after));
    case Difference::Removed:
        return fmt::format("- {}: {}", name, shortened(entry.before));
    case Difference::Changed:
        return fmt::format("~ {}: {} -> {}", name, shortened(entry.before), shortened(entry.after));
    case Difference::Moved:
        break;
    }
    return fmt::format("> {}: moved", name);
}

ordered_json to_json(const engine::EntryDifference& entry) {
    ordered_json made = {{"kind", name_of(entry.kind)}, {"path", entry.path}};
    if (!entry.before.empty()) made["before"] = entry.before;
    if (!entry.after.empty()) made["after"] = entry.after;
    return made;
}

ComparedSide side_of(const AskedRevisions& asked, std::size_t which) {
    ComparedSide side;
    side.game = asked.games[std::min(which, asked.games.size() - 1)];
    side.set = asked.set;
    const auto& own = which == 0 ? asked.set_a : asked.set_b;
    side.set.insert(side.set.end(), own.begin(), own.end());
    side.agents = split_agents(asked.agents);
    if (side.agents.empty()) side.agents = {"random"};
    const std::string& agent = which == 0 ? asked.agent_a : asked.agent_b;
    if (agent.empty()) return side;
    // Both have the same name: the part that the two play in turn.
    const agents::AgentSpec spec = agents::parse_agent_spec(agent);
    side.agents.insert(side.agents.begin(),
                       fmt::format("{}={}{}{}", results::kComparedAgent, spec.kind,
                                   spec.arguments.empty() ? "" : ":", spec.arguments));
    side.gauntlet = true;
    return side;
}

std::array<std::string, 2> names_of(const AskedRevisions& asked, const Revisions& revisions) {
    if (revisions.of_agents) return {asked.agent_a, asked.agent_b};
    std::array<std::string, 2> names{revisions.a.facts.game, revisions.b.facts.game};
    if (names[0] != names[1]) return names;
    const auto with = [](const std::vector<std::string>& set) {
        return set.empty() ? std::string() : fmt::format(" with {}", fmt::join(set, ", "));
    };
    names[0] += with(asked.set_a);
    names[1] += with(asked.set_b);
    if (names[0] == names[1] && asked.games.size() == 2) // paths of rulesets with equal names
        return {asked.games[0], asked.games[1]};
    return names;
}

std::optional<agents::OpenedRuleAgent> opened_rules(const PreparedRun& run) {
    const agents::AgentSpec& spec = run.specification.agents[0].spec;
    if (spec.kind != "rules") return std::nullopt;
    return agents::open_rule_agent(spec, {*run.game, run.open, run.agents_folder, run.clock.get()});
}

// Finds the differences, if both have rules.
void find_differences(Revisions& revisions) {
    const auto tell = [&](const engine::Ruleset& a, const engine::Ruleset& b) {
        const engine::RulesetDifference found = engine::difference(a, b);
        revisions.ahead = {difference_lines(found), "rules", difference_json(found)};
        return found.empty();
    };
    if (revisions.of_agents) {
        const auto one = opened_rules(revisions.a);
        const auto other = opened_rules(revisions.b);
        if (one && other) tell(one->rules.program->ruleset(), other->rules.program->ruleset());
        return;
    }
    const games::RulesetGame* one = revisions.a.game->ruleset_game();
    const games::RulesetGame* other = revisions.b.game->ruleset_game();
    if (one != nullptr && other != nullptr)
        revisions.identical = tell(one->ruleset(), other->ruleset());
}

// Plays as usual, and counts decisions.
class CountedAgent : public RuleAgent {
  public:
    CountedAgent(std::shared_ptr<const agents::RuleProgram> program, std::uint64_t& decisions)
        : RuleAgent(std::move(program)), decisions_(decisions) {}
    std::size_t choose(const agents::Position& view, agents::Random& random) override {
        ++decisions_;
        return RuleAgent::choose(view, random);
    }

  private:
    std::uint64_t& decisions_;
};

// The agent without one rule; with all if `without` is null.
std::shared_ptr<const agents::RuleProgram>
open_without(const PreparedRun& run, const RuleAt* without, const HostServices& host) {
    const AgentEntry& agent = run.specification.agents[0];
    agents::OpenedRuleAgent opened = agents::open_rule_agent(
        agent.spec, {*run.game, run.open, run.agents_folder, run.clock.get()}, without);
    if (opened.rules.program != nullptr) return std::move(opened.rules.program);
    host.diagnose(opened.rules.diagnostics, opened.rules.sources);
    throw UserError(opened.error.empty() ? agent.text + " has errors" : opened.error);
}

} // namespace

std::vector<std::string> difference_lines(const engine::RulesetDifference& found) {
    std::vector<std::string> lines;
    for (const engine::PartDifference& part : found.parts) {
        std::string name = part.part;
        for (const std::string& step : part.entry.path)
            name += '.' + step;
        lines.push_back(entry_line(part.entry, name));
    }
    for (const engine::RuleDifference& rule : found.rules) {
        lines.push_back(fmt::format("{} rule {} in {}", name_of(rule.kind), rule.name, rule.group));
        for (const engine::EntryDifference& entry : rule.entries)
            lines.push_back("    " +
                            entry_line(entry, fmt::format("{}", fmt::join(entry.path, "."))));
    }
    if (found.empty()) lines.emplace_back("no difference");
    return lines;
}

ordered_json difference_json(const engine::RulesetDifference& found) {
    ordered_json rules = ordered_json::array();
    for (const engine::RuleDifference& rule : found.rules) {
        ordered_json entries = ordered_json::array();
        for (const engine::EntryDifference& entry : rule.entries)
            entries.push_back(to_json(entry));
        rules.push_back({{"kind", name_of(rule.kind)},
                         {"group", rule.group},
                         {"rule", rule.name},
                         {"entries", std::move(entries)}});
    }
    ordered_json parts = ordered_json::array();
    for (const engine::PartDifference& part : found.parts) {
        ordered_json json = to_json(part.entry);
        json["part"] = part.part;
        parts.push_back(std::move(json));
    }
    return {{"rules", std::move(rules)}, {"parts", std::move(parts)}};
}

std::vector<Variant> Revisions::variants() const {
    return {{a.game.get(), agent_maker(a)}, {b.game.get(), agent_maker(b)}};
}

results::RevisionTally Revisions::tally() const {
    return {a.facts, of_agents || agents_vary(a)};
}

Revisions prepare_revisions(const AskedRevisions& asked, const ComparedSettings& settings,
                            const HostServices& host) {
    Revisions made;
    made.of_agents = !asked.agent_a.empty();
    made.a = prepare_side(side_of(asked, 0), settings, host);
    made.b = prepare_side(side_of(asked, 1), settings, host);
    refuse_other_seats(made.a.facts, made.b.facts);
    made.names = names_of(asked, made);
    made.identical = made.of_agents && asked.agent_a == asked.agent_b;
    find_differences(made);
    return made;
}

void complete_summary(results::RevisionSummary& summary, const Revisions& revisions,
                      const PlayedVariants& played, bool no_costs, const HostServices& host) {
    const auto& [a, b, names, ahead, of_agents, identical] = revisions;
    summary.name_a = names[0];
    summary.name_b = names[1];
    summary.interrupted = played.interrupted();
    summary.of_agents = of_agents;
    if (no_costs) return;
    if (played.seconds_per_game[0] > 0) { // otherwise all games came from the folder
        summary.seconds_a = played.seconds_per_game[0];
        summary.seconds_b = played.seconds_per_game[1];
    }
    const bool rules = !a.profile.rules.empty() || !b.profile.rules.empty();
    if (played.interrupted() || !rules) return;
    summary.costs = results::compare_costs(
        {a.profile, {}}, b.profile,
        measure_in_turn(a, b, std::min(summary.games, kWatchedGames), host.sampler),
        games::parse_game_name(a.facts.game).game, a.facts.agents, b.facts.agents);
}

Ablation prepare_ablation(const std::string& agent, const std::string& game,
                          const std::vector<std::string>& against,
                          const std::vector<std::string>& set, const ComparedSettings& settings,
                          const HostServices& host) {
    const agents::AgentSpec spec = agents::parse_agent_spec(agent);
    if (!agents::unknown_kind(spec) && spec.kind != "rules")
        throw UserError(fmt::format("--agent {}: {} has no rules that could be switched off; "
                                    "name an agent rules:FILE",
                                    agent, spec.kind));
    ComparedSide side{game, split_agents(against), set, true};
    if (side.agents.empty()) side.agents = {agent};
    side.agents.insert(side.agents.begin(), agent);
    Ablation made{prepare_side(side, settings, host), nullptr, {}};
    made.whole = open_without(made.run, nullptr, host);
    for (const char* name : {"observe", "choose"}) {
        const engine::Group* group = made.whole->ruleset().group(name);
        if (group == nullptr) continue;
        for (const engine::Rule& rule : group->rules)
            made.rules.push_back({group->name, rule.name});
    }
    if (made.rules.empty())
        throw UserError(fmt::format("--agent {}: it has no rules to switch off", agent));
    return made;
}

std::vector<Variant> variants_of(const Ablation& ablation, const HostServices& host) {
    std::vector<Variant> variants;
    const auto add = [&](std::shared_ptr<const agents::RuleProgram> program) {
        const auto make = [others = agent_maker(ablation.run), program = std::move(program)](
                              std::uint32_t agent) -> std::unique_ptr<agents::Agent> {
            if (agent != 0) return others(agent);
            return std::make_unique<RuleAgent>(program);
        };
        variants.push_back({ablation.run.game.get(), make});
    };
    add(ablation.whole);
    for (const RuleAt& rule : ablation.rules)
        add(open_without(ablation.run, &rule, host));
    return variants;
}

std::vector<std::optional<double>> measure_rules(const Ablation& ablation,
                                                 const HostServices& host) {
    const auto& [run, whole, rules] = ablation;
    std::uint64_t decisions = 0;
    const auto make = [&, others = agent_maker(ablation.run)](
                          std::uint32_t agent) -> std::unique_ptr<agents::Agent> {
        if (agent != 0) return others(agent);
        return std::make_unique<CountedAgent>(ablation.whole, decisions);
    };
    Timing timing = timing_of(host);
    timing.ticks = ~std::uint64_t{0}; // a rule takes a small share: use all the time
    const auto [table, played, hardware] = time_games(run, make, timing);
    std::vector<std::optional<double>> costs(rules.size());
    if (decisions == 0 || !table.has_times()) return costs;
    const double a_game = static_cast<double>(decisions) / static_cast<double>(played);
    const std::vector<results::RuleFacts>& known = run.profile.rules;
    for (std::uint32_t rule = 0; rule < known.size(); ++rule) {
        if (known[rule].agent != 0U) continue;
        const auto at = std::find_if(rules.begin(), rules.end(), [&](const RuleAt& each) {
            return each.group == known[rule].group && each.name == known[rule].name;
        });
        const std::uint64_t ns = table.rule(rule).total_ns;
        if (at == rules.end() || table.ticks_of(ns) < kMinTicks) continue;
        costs[static_cast<std::size_t>(at - rules.begin())] = *table.per_game(ns) / a_game;
    }
    return costs;
}

} // namespace croupier::tournaments
