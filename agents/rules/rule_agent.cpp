// Gives the view to the rules, runs them, takes the heaviest move.
#include "agents/rules/rule_agent.h"

#include "agents/arguments.h"
#include "engine/api/program.h"
#include "engine/api/run.h"
#include "engine/api/state.h"
#include "games/contract/doing.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

namespace croupier::agents {

// Counts firings in a run, in order of first firing.
class RuleAgent::Firings : public engine::Observer {
  public:
    explicit Firings(const engine::Catalogue& catalogue) : catalogue_(catalogue) {}

    void rule_fires(engine::RuleId rule, std::span<const engine::Value>,
                    const engine::State&) override {
        const auto same = [&](const auto& each) { return each.first == rule; };
        const auto known = std::ranges::find_if(fired_, same);
        if (known != fired_.end())
            ++known->second;
        else
            fired_.emplace_back(rule, 1);
    }
    // Logs "B chooses: lead x2", and resets the counts.
    void say(std::string_view phase, engine::Log& log) {
        std::string text;
        for (const auto& [rule, times] : fired_) {
            text += text.empty() ? "" : ", ";
            text += catalogue_.rules[rule].name;
            if (times > 1) text += fmt::format(" x{}", times);
        }
        fired_.clear();
        if (!text.empty()) log.line(fmt::format("{}: {}", phase, text));
    }

  private:
    const engine::Catalogue& catalogue_;
    std::vector<std::pair<engine::RuleId, std::uint64_t>> fired_;
};

RuleAgent::~RuleAgent() = default;

RuleAgent::RuleAgent(std::shared_ptr<const RuleProgram> program)
    : program_(std::move(program)), state_(program_->initial()),
      machine_(program_->program(), budgets_) {}

void RuleAgent::reset(const Game&, Seat me) {
    state_ = program_->initial();
    program_->set_me(state_, me);
    me_ = me;
    fault_.reset();
    observing_ = Random(me);
}

bool RuleAgent::run(games::Phase phase, engine::GroupId group, Random& random) {
    if (watch_ != nullptr)
        watch_->runs({phase, me_, program_->program(), group, budgets_, state_, random});
    const engine::RunResult result = machine_.run(group, state_, random);
    if (firings_ != nullptr) {
        const std::string& player = program_->game().facts().players[me_];
        firings_->say(player + (phase == games::Phase::Choose ? " chooses" : " observes"), *log_);
    }
    if (!result.error) return true;
    fault_ = {FaultKind::Crash,
              fmt::format("rule {}: {}: {}", result.error->rule,
                          engine::name_of(result.error->kind), result.error->detail)};
    return false;
}

void RuleAgent::set_log(engine::Log* log) {
    log_ = log;
    firings_ =
        log == nullptr ? nullptr : std::make_unique<Firings>(program_->program().catalogue());
    machine_.set_observer(firings_.get());
    machine_.set_log(log);
}

// "weights: 7S 3, 8H 1"
void RuleAgent::say_weights(const Position& view) const {
    std::string text;
    for (std::size_t i = 0; i < weights_.size(); ++i) {
        if (!weights_[i]) continue;
        text += fmt::format("{}{} {:g}", text.empty() ? "weights: " : ", ", view.text(view.move(i)),
                            *weights_[i]);
    }
    log_->line(text.empty() ? "no move has a weight: one by chance" : text);
}

std::size_t RuleAgent::choose(const Position& view, Random& random) {
    if (fault_) return kNoChoice; // from `observe`
    games::now(games::Doing::Look);
    program_->look(state_, view);
    if (!run(games::Phase::Choose, program_->groups().choose, random)) return kNoChoice;
    games::now(games::Doing::Weights);
    not_legal_ += program_->take_weights(state_, view, weights_);
    if (log_ != nullptr) say_weights(view);
    best_.clear();
    for (std::size_t i = 0; i < weights_.size(); ++i) {
        if (!weights_[i] || (!best_.empty() && *weights_[i] < *weights_[best_[0]])) continue;
        if (!best_.empty() && *weights_[i] > *weights_[best_[0]]) best_.clear();
        best_.push_back(i);
    }
    if (best_.empty()) {
        ++without_weight_;
        return random.below(view.move_count());
    }
    return best_.size() == 1 ? best_[0] : best_[random.below(best_.size())];
}

bool RuleAgent::observes() const {
    return program_->groups().observe != engine::kNone;
}

void RuleAgent::observe(const Position& view, const ObservedMove& move) {
    if (fault_) return;
    games::now(games::Doing::Look);
    program_->look(state_, view);
    program_->put_seen(state_, move.player, move.move);
    run(games::Phase::Observe, program_->groups().observe, observing_);
    program_->drop_seen(state_);
}

std::vector<Note> RuleAgent::notes() const {
    std::vector<Note> notes;
    if (without_weight_ > 0)
        notes.push_back({"no legal move had a weight, one was made by chance", without_weight_});
    if (not_legal_ > 0)
        notes.push_back({"a move that is not legal had a weight, which was ignored", not_legal_});
    return notes;
}

OpenedRules open_rules(const RuleRequest& request, const AgentServices& services,
                       const games::RulesetGame& game) {
    return services.programs != nullptr ? services.programs->open(request, services.open, game)
                                        : open_rules(request, services.open, game);
}

Parameters parameters_among(Arguments& arguments) {
    Parameters parameters;
    for (auto& [name, value] : arguments.others())
        parameters.push_back({std::move(name), std::move(value)});
    return parameters;
}

OpenedRuleAgent open_rule_agent(const AgentSpec& spec, const AgentServices& services,
                                const RuleAt* without) {
    OpenedRuleAgent opened;
    Arguments arguments(spec);
    const std::string word = arguments.word();
    RuleRequest request{
        .path = word, .parameters = parameters_among(arguments), .without = without};
    std::string& error = opened.error;
    error = arguments.error();
    const games::RulesetGame* game = services.game.ruleset_game();
    if (error.empty() && word.empty()) error = "rules takes a file, as in rules:FILE";
    if (error.empty() && !services.open) error = "rules: no files can be read here";
    if (error.empty() && game == nullptr)
        error = fmt::format("{} has no ruleset that an agent's rules could be about",
                            services.game.facts().title());
    if (!error.empty()) return opened;
    request.path = agent_file(spec.kind, word, services);
    opened.rules = without == nullptr ? open_rules(request, services, *game)
                                      : open_rules(request, services.open, *game);
    return opened;
}

MadeAgent make_rule_agent(const AgentSpec& spec, const AgentServices& services) {
    OpenedRuleAgent opened = open_rule_agent(spec, services);
    MadeAgent made;
    made.error = std::move(opened.error);
    made.sources = std::move(opened.rules.sources);
    made.diagnostics = std::move(opened.rules.diagnostics);
    if (opened.rules.program != nullptr)
        made.agent = std::make_unique<RuleAgent>(std::move(opened.rules.program));
    return made;
}

} // namespace croupier::agents
