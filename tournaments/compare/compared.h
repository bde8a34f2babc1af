// The games of croupier compare and croupier ablate, and their results.
#pragma once

#include "agents/rules/rule_agent.h"
#include "engine/api/ruleset.h"
#include "results/compare/comparison.h"
#include "tournaments/compare/comparison.h"
#include "tournaments/run/prepared_run.h"

#include <nlohmann/json.hpp>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace croupier::tournaments {

// ---- differences between two rulesets ----

// "changed rule count in rules", "    + condition._: "$R > 1""; or "no difference".
std::vector<std::string> difference_lines(const engine::RulesetDifference& found);
nlohmann::ordered_json difference_json(const engine::RulesetDifference& found);

// Shown before the numbers, and a member of the JSON.
struct Ahead {
    std::vector<std::string> lines;
    std::string key;
    nlohmann::ordered_json value;
};

// ---- two revisions of a game, or two agents ----

struct AskedRevisions {
    std::vector<std::string> games;  // two, or one for both sides
    std::vector<std::string> agents; // the players; or the opponents of compared agents
    std::vector<std::string> set;    // "name=value", for both
    std::vector<std::string> set_a;
    std::vector<std::string> set_b;
    std::string agent_a; // empty if two games are compared
    std::string agent_b;
};

struct Revisions {
    PreparedRun a;
    PreparedRun b;
    std::array<std::string, 2> names;
    Ahead ahead;            // differences between their rules
    bool of_agents = false; // two agents, in one game
    bool identical = false; // nothing needs to be played

    [[nodiscard]] std::vector<Variant> variants() const;
    // Reads the games of the variants, block by block.
    [[nodiscard]] results::RevisionTally tally() const;
};
// Throws UserError after reporting all errors.
Revisions prepare_revisions(const AskedRevisions& asked, const ComparedSettings& settings,
                            const HostServices& host);
// Completes the summary of the tally with names, times, and costs of rules, which are measured now.
void complete_summary(results::RevisionSummary& summary, const Revisions& revisions,
                      const PlayedVariants& played, bool no_costs, const HostServices& host);

// ---- an agent, without each of its rules ----

struct Ablation {
    PreparedRun run; // its first agent is tested
    std::shared_ptr<const agents::RuleProgram> whole;
    std::vector<agents::RuleAt> rules; // switched off in turn
};
// `against`: lists of agents; the agent itself if there are none. Throws UserError after reporting
// all errors.
Ablation prepare_ablation(const std::string& agent, const std::string& game,
                          const std::vector<std::string>& against,
                          const std::vector<std::string>& set, const ComparedSettings& settings,
                          const HostServices& host);
// The whole agent, then the agent without each rule. The ablation must outlive them.
std::vector<Variant> variants_of(const Ablation& ablation, const HostServices& host);
// Nanoseconds per decision by rule, including the observation of others' moves. Absent if the agent
// never decided, or if too few ticks found the rule.
std::vector<std::optional<double>> measure_rules(const Ablation& ablation,
                                                 const HostServices& host);

} // namespace croupier::tournaments
