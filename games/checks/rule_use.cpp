// Runs what is watched once more, on a copy, and keeps the names of rules that did something.
#include "games/checks/rule_use.h"

#include "engine/api/explain.h"
#include "engine/api/ruleset.h"

namespace croupier::games {
namespace {

void names_in(const engine::Group& group, const std::function<void(const std::string&)>& visit) {
    for (const engine::Rule& rule : group.rules) {
        visit(rule.name);
        for (const engine::Action* action : {&rule.action, &rule.otherwise})
            engine::for_each_group(*action,
                                   [&](const engine::Group& inner) { names_in(inner, visit); });
    }
}

} // namespace

void RuleUse::watch_game(const RulesetGame* game) {
    take();
    game_ = game;
    if (game == nullptr) return;
    for (const char* name : {"setup", "moves", "play", "score"}) {
        const engine::Group* group = game->ruleset().group(name);
        if (group == nullptr) continue;
        names_in(*group, [&](const std::string& rule) {
            if (known_.insert(rule).second) rules_.push_back(rule);
        });
    }
    gauge_ = std::make_unique<engine::Gauge>(game->program(), engine::Budgets{}, false);
    profile_ = engine::Profile(game->program());
}

void RuleUse::runs(const RuleRun& run) {
    if (game_ != nullptr && &run.program == &game_->program())
        gauge_->measure(run.group, run.state, run.random, profile_);
}

void RuleUse::take() {
    if (game_ == nullptr) return;
    const auto& rules = game_->program().rules;
    for (std::size_t i = 0; i < rules.size(); ++i) {
        const engine::RuleCost& cost = profile_.rules()[i];
        if (cost.passed > 0 || cost.firings > 0) fired_.insert(rules[i].name);
    }
    profile_.clear();
}

const std::vector<std::string>& RuleUse::rules() {
    return rules_;
}

const std::set<std::string>& RuleUse::fired() {
    take();
    return fired_;
}

} // namespace croupier::games
