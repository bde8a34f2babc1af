// Remembers moves, and asks the net.
#include "agents/net/net_agent.h"

#include "agents/arguments.h"
#include "agents/rules/rule_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace croupier::agents {

void NetAgent::reset(const Game&, Seat me) {
    me_ = me;
    memory_.clear();
    ++games_;
}

std::size_t NetAgent::choose(const Position& view, Random&) {
    if (view.move_count() == 1) return 0;
    view.list_moves(moves_);
    net_->look(view, memory_, me_, moves_, work_, worths_);
    const auto best = std::ranges::max_element(worths_);
    if (log_ != nullptr) {
        std::string text;
        for (std::size_t i = 0; i < moves_.size(); ++i)
            text += fmt::format("{}{} {:+.1f}", i == 0 ? "" : ", ", view.text(moves_[i]),
                                net_->points(worths_[i]));
        const std::string& player = view.game().facts().players[me_];
        log_->line(fmt::format("{} expects {}", player, text));
    }
    return static_cast<std::size_t>(best - worths_.begin());
}

void NetAgent::observe(const Position& view, const ObservedMove& seen) {
    if (!seen.move.empty()) memory_.note({seen.player, seen.number, seen.secret}, view);
}

std::vector<Note> NetAgent::notes() const {
    if (net_->difference().empty()) return {};
    return {{net_->difference(), games_}};
}

std::shared_ptr<const Net> open_net(const std::string& word, const AgentServices& services,
                                    MadeAgent& made) {
    const games::RulesetGame* game = services.game.ruleset_game();
    const games::Facts& facts = services.game.facts();
    if (word.empty())
        made.error = "net takes a file, as in net:FILE";
    else if (!services.open)
        made.error = "net: no files can be read here";
    else if (game == nullptr || facts.moves.empty())
        made.error = fmt::format(
            "a net knows moves by their number, and {} does not list its moves", facts.title());
    if (!made.error.empty()) return nullptr;
    const std::string path = agent_file("net", word, services);
    const auto open = [&] {
        OpenedNet opened = Net::open(path, services.open, *game);
        made.sources = std::move(opened.sources);
        made.diagnostics = std::move(opened.diagnostics);
        return opened.net;
    };
    return services.programs != nullptr ? services.programs->net(path, open) : open();
}

MadeAgent make_net_agent(const AgentSpec& spec, const AgentServices& services) {
    MadeAgent made;
    Arguments arguments(spec);
    const std::string word = arguments.word();
    made.error = arguments.error();
    if (!made.error.empty()) return made;
    if (const std::shared_ptr<const Net> net = open_net(word, services, made))
        made.agent = std::make_unique<NetAgent>(net);
    return made;
}

} // namespace croupier::agents
