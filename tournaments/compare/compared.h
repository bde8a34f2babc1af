// What croupier compare and croupier ablate play, and what comes of it.
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

// ---- what differs between two rulesets ----

// "changed rule count in rules", "    + condition._: "$R > 1""; or "no difference".
std::vector<std::string> difference_lines(const engine::RulesetDifference& found);
nlohmann::ordered_json difference_json(const engine::RulesetDifference& found);

// People read it before the numbers, and programs find it as a member.
struct Ahead {
    std::vector<std::string> lines;
    std::string key;
    nlohmann::ordered_json value;
};

// ---- two revisions of a game, or two agents ----

struct AskedRevisions {
    std::vector<std::string> games;  // two, or one that is played twice
    std::vector<std::string> agents; // who play; against two agents that are compared
    std::vector<std::string> set;    // "name=value", of both
    std::vector<std::string> set_a;
    std::vector<std::string> set_b;
    std::string agent_a; // empty: two games are compared
    std::string agent_b;
};

struct Revisions {
    PreparedRun a;
    PreparedRun b;
    std::array<std::string, 2> names;
    Ahead ahead;            // what differs between their rules
    bool of_agents = false; // two agents, in one game
    bool identical = false; // there is nothing to play

    [[nodiscard]] std::vector<Variant> variants() const;
    // Takes the games of the variants, block by block.
    [[nodiscard]] results::RevisionTally tally() const;
};
// Throws UserError after telling everything that is wrong.
Revisions prepare_revisions(const AskedRevisions& asked, const ComparedSettings& settings,
                            const HostServices& host);
// `summary`: of the tally. Adds names, times, and what rules cost by then, which is measured.
void complete_summary(results::RevisionSummary& summary, const Revisions& revisions,
                      const PlayedVariants& played, bool no_costs, const HostServices& host);

// ---- an agent, without each of its rules ----

struct Ablation {
    PreparedRun run; // its first agent is the one
    std::shared_ptr<const agents::RuleProgram> whole;
    std::vector<agents::RuleAt> rules; // that are switched off in turn
};
// `against`: lists of agents; the agent itself if there are none. Throws UserError after telling
// everything that is wrong.
Ablation prepare_ablation(const std::string& agent, const std::string& game,
                          const std::vector<std::string>& against,
                          const std::vector<std::string>& set, const ComparedSettings& settings,
                          const HostServices& host);
// The whole agent, then without each rule. The ablation must outlive them.
std::vector<Variant> variants_of(const Ablation& ablation, const HostServices& host);
// Nanoseconds a decision by rule, what it takes to observe the moves of others included. Absent
// where the agent never came to decide, or too few ticks have found the rule.
std::vector<std::optional<double>> measure_rules(const Ablation& ablation,
                                                 const HostServices& host);

} // namespace croupier::tournaments
