// croupier agents: lists the agents.
#include "agents/registry.h"
#include "tournaments/cli/command.h"
#include "tournaments/cli/common_options.h"
#include "tournaments/cli/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace croupier::cli {
namespace {

using nlohmann::ordered_json;

constexpr std::string_view kPersonDoc = "a person at the terminal; in croupier play alone";

class Agents : public Command {
  public:
    [[nodiscard]] Description describe() const override {
        return {"agents", "Who can play",
                "Lists the kinds of agents with their arguments, and the agents that come with a "
                "game as files of rules. --agents of other subcommands takes them as "
                "kind:arguments, with a name of your own before it if you like: "
                "Good=eval:depth=2.",
                "croupier agents\n"
                "croupier agents --json"};
    }

    void declare(Options& options) override {
        add_agents_folder(options, folder_);
        options.add_json_flag(json_);
    }

    int run(Context& context) override {
        const std::string folder = agents_folder(folder_, context);
        if (json_) {
            ordered_json kinds = ordered_json::array();
            for (const agents::AgentKind& kind : agents::agent_kinds())
                kinds.push_back({{"kind", kind.kind}, {"doc", kind.doc}});
            kinds.push_back({{"kind", agents::kPerson}, {"doc", kPersonDoc}});
            ordered_json json{{"kinds", std::move(kinds)}};
            for (const agents::AgentKind& kind : agents::agent_kinds())
                if (kind.ships) json[kind.kind] = tournaments::shipped_agents(folder, kind.kind);
            context.out().raw(json.dump(2) + "\n");
            return kGood;
        }
        for (const agents::AgentKind& kind : agents::agent_kinds()) {
            context.out().heading(kind.kind);
            context.out().paragraph(kind.doc, 4);
            if (!kind.ships) continue;
            for (const auto& [game, names] : tournaments::shipped_agents(folder, kind.kind))
                context.out().line({fmt::format("    {}: {}", game, fmt::join(names, " "))});
        }
        context.out().heading(agents::kPerson);
        context.out().paragraph(kPersonDoc, 4);
        return kGood;
    }

  private:
    std::string folder_;
    bool json_ = false;
};

} // namespace

std::unique_ptr<Command> make_agents() {
    return std::make_unique<Agents>();
}

} // namespace croupier::cli
