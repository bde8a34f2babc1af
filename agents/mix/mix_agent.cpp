// Asks the agent of the current phase, and informs all of them.
#include "agents/mix/mix_agent.h"

#include "agents/arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace croupier::agents {
namespace {

// Makes one of the parts; an error says which part.
MadeAgent make_part(const std::string& spec, std::string_view whole,
                    const AgentServices& services) {
    MadeAgent part = make_agent(parse_agent_spec(spec), as_part(services));
    if (!part.error.empty()) part.error = fmt::format("{}: {}", whole, part.error);
    return part;
}

} // namespace

MixAgent::MixAgent(std::vector<std::unique_ptr<Agent>> agents, std::vector<std::size_t> by_phase)
    : agents_(std::move(agents)), by_phase_(std::move(by_phase)), asked_(agents_.back().get()) {}

void MixAgent::reset(const Game& game, Seat me) {
    observers_.clear();
    for (const auto& agent : agents_) {
        agent->reset(game, me);
        if (agent->observes()) observers_.push_back(agent.get());
    }
    asked_ = agents_.back().get();
}

std::size_t MixAgent::choose(const Position& view, Random& random) {
    const std::size_t phase = view.phase();
    asked_ = agents_[phase < by_phase_.size() ? by_phase_[phase] : agents_.size() - 1].get();
    return asked_->choose(view, random);
}

bool MixAgent::observes() const {
    return std::ranges::any_of(agents_, [](const auto& agent) { return agent->observes(); });
}

void MixAgent::observe(const Position& view, const ObservedMove& seen) {
    for (Agent* const agent : observers_)
        agent->observe(view, seen);
}

void MixAgent::judged(const Verdict& verdict) {
    for (Agent* const agent : observers_)
        agent->judged(verdict);
}

void MixAgent::ends(const Position& view) {
    for (Agent* const agent : observers_)
        agent->ends(view);
}

const Substitution* MixAgent::substitution() const {
    for (const auto& agent : agents_)
        if (agent->substitution() != nullptr) return agent->substitution();
    return nullptr;
}

std::vector<Note> MixAgent::notes() const {
    std::vector<Note> all;
    for (const auto& agent : agents_) {
        std::vector<Note> own = agent->notes();
        std::move(own.begin(), own.end(), std::back_inserter(all));
    }
    return all;
}

void MixAgent::set_log(engine::Log* log) {
    for (const auto& agent : agents_)
        agent->set_log(log);
}

bool MixAgent::is_reproducible() const {
    return std::ranges::all_of(agents_, [](const auto& agent) { return agent->is_reproducible(); });
}

// A phase that is not named belongs to the agent of the last named one before it; phases before the
// first named one belong to its agent. So "bid" and "play" cover all of belote.
MadeAgent make_mix_agent(const AgentSpec& spec, const AgentServices& services) {
    const games::Facts& facts = services.game.facts();
    MadeAgent made;
    if (facts.phases.empty()) {
        made.error = fmt::format("mix: {} names no phases, which are what the type of a leaf "
                                 "`phase` at the root of its shape lists",
                                 facts.title());
        return made;
    }
    Arguments arguments(spec);
    std::vector<std::string> specs(facts.phases.size());
    for (std::size_t i = 0; i < specs.size(); ++i)
        arguments.text(facts.phases[i].name, specs[i]);
    std::string bids;
    if (facts.has_auction()) arguments.text("auction", bids);
    made.error = arguments.error();
    if (!made.error.empty()) return made;
    for (std::size_t i = 0; i < specs.size(); ++i)
        if (specs[i].empty() && facts.phases[i].auction) specs[i] = bids;
    const auto first =
        std::ranges::find_if(specs, [](const std::string& each) { return !each.empty(); });
    if (first == specs.end()) {
        made.error = fmt::format("mix takes an agent for some of the phases, as in mix:{}=random",
                                 facts.phases[0].name);
        return made;
    }
    std::vector<std::unique_ptr<Agent>> agents;
    std::vector<std::size_t> by_phase(static_cast<std::size_t>(first - specs.begin()), 0);
    for (auto each = first; each != specs.end(); ++each) {
        if (!each->empty()) {
            MadeAgent part = make_part(*each, "mix", services);
            if (part.agent == nullptr) return part;
            agents.push_back(std::move(part.agent));
        }
        by_phase.push_back(agents.size() - 1);
    }
    made.agent = std::make_unique<MixAgent>(std::move(agents), std::move(by_phase));
    return made;
}

std::string bidder_of(const std::string& bids, const AgentServices& services) {
    if (bids == "search" || !services.game.facts().has_auction()) return {};
    if (!bids.empty()) return bids;
    const std::string table = "rules:table";
    return make_agent(parse_agent_spec(table), services).agent != nullptr ? table : "";
}

MadeAgent leave_auction(MadeAgent made, const std::string& bidder, std::string_view kind,
                        const AgentServices& services) {
    if (bidder.empty() || made.agent == nullptr) return made;
    MadeAgent part = make_part(bidder, fmt::format("{}: bids", kind), services);
    if (part.agent == nullptr) return part;
    std::vector<std::unique_ptr<Agent>> agents;
    agents.push_back(std::move(part.agent));
    agents.push_back(std::move(made.agent));
    std::vector<std::size_t> by_phase;
    for (const games::GamePhase& phase : services.game.facts().phases)
        by_phase.push_back(phase.auction ? 0 : 1);
    made.agent = std::make_unique<MixAgent>(std::move(agents), std::move(by_phase));
    return made;
}

} // namespace croupier::agents
