// Paths of the run's files lead to their copies.
#include "tournaments/cli/kept_run.h"

#include "engine/api/ruleset.h"
#include "engine/api/text.h"
#include "games/clips/clips_game.h"
#include "games/ruleset/ruleset_game.h"
#include "tournaments/cli/agent_input.h"
#include "tournaments/cli/game_input.h"
#include "tournaments/cli/rules_input.h"
#include "tournaments/cli/run_book.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>

namespace croupier::cli {
namespace {

namespace fs = std::filesystem;

// What the run did not read is read as it is.
engine::FileOpener opener_of(const std::string& folder, const results::RunFile& file,
                             const Context& context) {
    context.include_roots->add(folder);
    std::map<std::string, std::string> copies;
    for (const results::InputFile& input : file.inputs)
        copies[input.path] = (fs::path(folder) / input.copy).string();
    return [copies, open = file_opener(context)](const std::string& path) {
        const auto copy = copies.find(path);
        return open(copy == copies.end() ? path : copy->second);
    };
}

} // namespace

PreparedRun reopen_run(const std::string& folder, const ReadRun& read,
                       const std::string& agents_folder, Context& context) {
    const results::RunFile& file = read.file;
    PreparedRun run;
    run.specification = read.specification;
    run.facts = file.facts;
    run.agents_folder = cli::agents_folder(agents_folder, context);
    context.include_roots->add(run.agents_folder);
    for (const tournaments::AgentEntry& agent : run.specification.agents)
        name_files(agent.spec.arguments, context);
    run.open = opener_of(folder, file, context);
    games::RulesetSettings settings;
    for (const games::GameOption& option : read.specification.set)
        settings.options.emplace_back(option.name, option.value);
    settings.name = file.facts.game.substr(0, file.facts.game.find(':'));
    const std::string first = file.inputs.empty() ? "" : file.inputs.front().path;
    games::OpenedGame opened;
    if (first.ends_with(".clp")) {
        opened.game = games::clips::open_clips_game(clips_worker(), first, run.open, settings.name,
                                                    {}, opened.sources, opened.error);
    } else if (!first.empty()) {
        games::OpenedRuleset ruleset = games::open_ruleset(first, run.open, settings);
        opened = {std::move(ruleset.game),
                  std::move(ruleset.sources),
                  std::move(ruleset.diagnostics),
                  {}};
    }
    if (opened.game == nullptr || opened.game->facts().ruleset != file.ruleset) {
        print_diagnostics(opened.diagnostics, opened.sources, context);
        throw Mistake(fmt::format("{}: its ruleset cannot be put together again from {}/inputs",
                                  folder, folder));
    }
    run.game = std::move(opened.game);
    engine::Sources sources;
    engine::Diagnostics diagnostics;
    run.starts = open_starts(run.specification, *run.game, run.open, sources, diagnostics);
    print_diagnostics(diagnostics, sources, context);
    if (diagnostics.has_errors())
        throw Mistake(
            fmt::format("{}: its start positions cannot be read from {}/inputs", folder, folder));
    run.schedule = schedule_of(run.specification, run.facts).schedule;
    return run;
}

} // namespace croupier::cli
