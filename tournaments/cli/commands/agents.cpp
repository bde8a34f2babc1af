// croupier agents: who can play.
#include "agents/registry.h"
#include "tournaments/cli/command.h"
#include "tournaments/cli/game_input.h"
#include "tournaments/cli/options.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>

namespace croupier::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

// Names of the rule agents that come as files, by game.
using Shipped = std::map<std::string, std::vector<std::string>>;

Shipped find_shipped(const fs::path& folder) {
    Shipped shipped;
    std::error_code ignored;
    for (fs::recursive_directory_iterator entry(folder, ignored), end; !ignored && entry != end;
         entry.increment(ignored)) {
        // Deeper down stand parts that agents include.
        if (entry->path().extension() != ".json" || entry.depth() != 1) continue;
        shipped[entry->path().parent_path().filename().string()].push_back(
            entry->path().stem().string());
    }
    for (auto& [game, names] : shipped)
        std::sort(names.begin(), names.end());
    return shipped;
}

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

    void declare(Options& options) override { options.add_json_flag(json_); }

    int run(Context& context) override {
        const Shipped shipped = find_shipped(fs::path(agents_folder()) / "rules");
        if (json_) {
            ordered_json kinds = ordered_json::array();
            for (const agents::AgentKind& kind : agents::agent_kinds())
                kinds.push_back({{"kind", kind.kind}, {"doc", kind.doc}});
            context.out().raw(ordered_json{{"kinds", kinds}, {"rules", shipped}}.dump(2) + "\n");
            return kGood;
        }
        for (const agents::AgentKind& kind : agents::agent_kinds()) {
            context.out().heading(kind.kind);
            context.out().paragraph(kind.doc, 4);
            if (kind.kind != "rules") continue;
            for (const auto& [game, names] : shipped)
                context.out().line({fmt::format("    {}: {}", game, fmt::join(names, " "))});
        }
        return kGood;
    }

  private:
    bool json_ = false;
};

} // namespace

std::unique_ptr<Command> make_agents() {
    return std::make_unique<Agents>();
}

} // namespace croupier::cli
