// The table of agents, and the parser of specs.
#include "agents/registry.h"

#include "agents/advice/advice_agent.h"
#include "agents/arguments.h"
#include "agents/eval/eval_agent.h"
#include "agents/ismcts/ismcts_agent.h"
#include "agents/mcts/mcts_agent.h"
#include "agents/mix/mix_agent.h"
#include "agents/net/net_agent.h"
#include "agents/oracle/oracle_agent.h"
#include "agents/pimc/pimc_agent.h"
#include "agents/random/random_agent.h"
#include "agents/rules/rule_agent.h"
#include "agents/tablebase/tablebase.h"
#include "engine/api/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace croupier::agents {
namespace {

MadeAgent make_random(const AgentSpec& spec, const AgentServices&) {
    MadeAgent made;
    made.error = Arguments(spec).error();
    if (made.error.empty()) made.agent = std::make_unique<RandomAgent>();
    return made;
}

constexpr AgentKind kKinds[] = {
    {"random", "any legal move, each as likely", make_random},
    {"rules",
     "what the rules of a file prefer: rules:FILE, or rules:NAME of one that comes with the game",
     make_rule_agent, true, false, true},
    {"net",
     "the best move by a net that has learnt by self-play: net:FILE, or net:NAME of one that comes "
     "with the game",
     make_net_agent, true, false, true},
    {"advice",
     "what a table of advice says, in any game without chance and secrets: "
     "advice:TABLE,else=random",
     make_advice_agent, true, true},
    {"ifs", "belote by ifs in C++, without rules and memory: what rules are compared with",
     make_ifs_agent},
    {"eval", "the best move by an evaluator, looking ahead: eval:FILE,depth=2,nodes=100000",
     make_eval_agent, false, true, true},
    {"mcts",
     "plays to the end many times and takes what went well: mcts:policy=random,playouts=1000",
     make_mcts_agent, false, true},
    {"tablebase",
     "plays perfectly what can be solved, games of two with few positions: "
     "tablebase:positions=1000000",
     make_tablebase_agent, false, true},
    {"pimc",
     "draws what is hidden, and takes what is best on the average: "
     "pimc:policy=random,bids=rules:table,deals=20,dd=12",
     make_pimc_agent, false, true},
    {"ismcts",
     "tree search that draws what is hidden in each playout: "
     "ismcts:policy=random,bids=rules:table,playouts=1000",
     make_ismcts_agent, false, true},
    {"mix", "other agents by the phase of the game: mix:bid=rules:table,play=ismcts:playouts=400",
     make_mix_agent, true},
    {kOracle,
     "sees all cards, as no other agent does, and makes no mistake where it can solve the deal: "
     "oracle:policy=rules:table,dd=32,nodes=2000000",
     make_oracle_agent, false, true},
    {"process",
     "a program that speaks JSON lines: "
     "process:COMMAND,move_ms=5000,start_ms=10000,total_ms=600000,clock=60+0.5,else=random",
     make_process_agent, true},
};

bool is_kind(std::string_view word) {
    return std::any_of(std::begin(kKinds), std::end(kKinds),
                       [&](const AgentKind& each) { return each.kind == word; });
}

bool names_agent(std::string_view word) {
    return is_kind(word) || word == kPerson || word == kHosted;
}

MadeAgent make_hosted(const AgentSpec& spec, const AgentServices& services) {
    MadeAgent made;
    if (services.hosted) made.agent = services.hosted(spec.arguments);
    if (made.agent == nullptr)
        made.error = fmt::format("'{}:{}' is a function of a Python program, which plays in its "
                                 "croupier.run and nowhere else",
                                 spec.kind, spec.arguments);
    return made;
}

// Whether a kind has the argument "name=", by its help. A mix has phases of any name.
bool takes(std::string_view kind, std::string_view argument) {
    if (kind == "mix") return true;
    return std::ranges::any_of(kKinds, [&](const AgentKind& each) {
        const std::size_t found = each.doc.find(argument);
        return each.kind == kind && found != std::string_view::npos &&
               (each.doc[found - 1] == ',' || each.doc[found - 1] == ':');
    });
}

constexpr auto kFaultKindNames =
    std::to_array<std::string_view>({"start", "crash", "stall", "illegal", "garbage", "flood"});
static_assert(kFaultKindNames.size() == static_cast<std::size_t>(FaultKind::Flood) + 1);

} // namespace

std::string_view name_of(FaultKind kind) {
    return kFaultKindNames[static_cast<std::size_t>(kind)];
}

AgentSpec parse_agent_spec(std::string_view text) {
    AgentSpec spec;
    spec.name = text;
    const std::size_t equals = text.find('=');
    if (equals < text.find(':')) {
        spec.name = text.substr(0, equals);
        text.remove_prefix(equals + 1);
    }
    const std::size_t colon = text.find(':');
    spec.kind = text.substr(0, colon);
    if (colon != std::string_view::npos) spec.arguments = text.substr(colon + 1);
    return spec;
}

std::string text_of(const AgentSpec& spec) {
    return spec.arguments.empty() ? spec.kind : spec.kind + ":" + spec.arguments;
}

std::size_t first_piece(std::string_view text) {
    std::size_t open = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool begins = text[i] == '(' && (open > 0 || (i > 0 && text[i - 1] == '='));
        if (begins) ++open;
        if (text[i] == ')' && open > 0) --open;
        if (text[i] == ',' && open == 0) return i;
    }
    // An unclosed parenthesis is an ordinary character.
    return open == 0 ? text.size() : std::min(text.find(','), text.size());
}

std::string_view without_parentheses(std::string_view value) {
    if (value.size() < 2 || value.front() != '(' || value.back() != ')') return value;
    return value.substr(1, value.size() - 2);
}

std::vector<std::string_view> split_agent_specs(std::string_view text) {
    std::vector<std::string_view> specs;
    for (;;) {
        const std::string_view one = text.substr(0, first_piece(text));
        const std::size_t equals = one.find('=');
        // bids=random is not an agent with that name after ismcts, nor is play=random after a mix.
        const bool option =
            equals < one.find(':') && (!names_agent(parse_agent_spec(one).kind) ||
                                       (!specs.empty() && takes(parse_agent_spec(specs.back()).kind,
                                                                one.substr(0, equals + 1))));
        if (option && !specs.empty())
            specs.back() = {specs.back().data(), specs.back().size() + 1 + one.size()};
        else
            specs.push_back(one);
        if (one.size() == text.size()) return specs;
        text.remove_prefix(one.size() + 1);
    }
}

std::span<const AgentKind> agent_kinds() {
    return kKinds;
}

bool ships(std::string_view kind) {
    return std::ranges::any_of(
        kKinds, [&](const AgentKind& each) { return each.kind == kind && each.ships; });
}

std::string agent_file(std::string_view kind, const std::string& word,
                       const AgentServices& services) {
    const bool path = word.find('/') != std::string::npos || word.ends_with(".json");
    if (path || services.folder.empty()) return word;
    return fmt::format("{}/{}/{}/{}.json", services.folder, kind, services.game.facts().name, word);
}

std::optional<std::string> unknown_kind(const AgentSpec& spec) {
    if (is_kind(spec.kind) || spec.kind == kHosted) return std::nullopt;
    if (spec.kind == kPerson)
        return "a person plays at the terminal, in a game of croupier play, and nowhere else";
    std::vector<std::string> known;
    for (const AgentKind& kind : kKinds)
        known.emplace_back(kind.kind);
    return fmt::format("there is no agent '{}'{}; there are {}", spec.kind,
                       engine::did_you_mean(spec.kind, known), fmt::join(known, ", "));
}

MadeAgent make_agent(const AgentSpec& spec, const AgentServices& services) {
    if (spec.kind == kHosted) return make_hosted(spec, services);
    for (const AgentKind& kind : kKinds) {
        if (kind.kind != spec.kind) continue;
        if (!kind.copies || !services.game.facts().replays) return kind.make(spec, services);
        MadeAgent made;
        made.error =
            fmt::format("'{}' looks ahead on copies of positions, and those of {} are copied "
                        "by playing all moves again",
                        spec.kind, services.game.facts().title());
        return made;
    }
    MadeAgent made;
    made.error = unknown_kind(spec).value_or("");
    return made;
}

} // namespace croupier::agents
