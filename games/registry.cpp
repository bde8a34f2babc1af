// Finds games in a folder.
#include "games/registry.h"

#include "engine/api/ruleset.h"
#include "engine/api/text.h"
#include "games/clips/clips_game.h"
#include "games/life/drops.h"
#include "games/ruleset/ruleset_game.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <tuple>

namespace croupier::games {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kRules = "rules"; // the file of the base game
constexpr std::string_view kProgram = ".clp";

// The names of folders, or of files with that extension, which is removed.
std::vector<std::string> names_in(const fs::path& folder, bool folders,
                                  std::string_view extension = ".json") {
    std::vector<std::string> names;
    std::error_code ignored;
    for (fs::directory_iterator entry(folder, ignored), end; !ignored && entry != end;
         entry.increment(ignored))
        if (folders && entry->is_directory(ignored))
            names.push_back(entry->path().filename().string());
        else if (!folders && entry->path().extension() == extension)
            names.push_back(entry->path().stem().string());
    std::ranges::sort(names);
    return names;
}

std::string path_of(const fs::path& folder, std::string_view stem) {
    return (folder / fmt::format("{}.json", stem)).lexically_normal().string();
}

bool is_folder(const std::string& path) {
    std::error_code ignored;
    return fs::is_directory(path, ignored);
}

// If the ruleset has no name: that of the file, or of the folder with rules.json.
std::string name_by_path(const std::string& word, const fs::path& path) {
    const std::string folder = path.parent_path().filename().string();
    const std::string file = fs::path(word).stem().string();
    return (is_folder(word) || file == kRules) && !folder.empty() ? folder : file;
}

} // namespace

bool GameName::is_path() const {
    return game.find('/') != std::string::npos || game.ends_with(".json") ||
           game.ends_with(kProgram);
}

GameName parse_game_name(std::string_view text) {
    const std::size_t colon = text.rfind(':');
    if (colon == std::string_view::npos) return {std::string(text), {}};
    GameName name{std::string(text.substr(0, colon)), std::string(text.substr(colon + 1))};
    if (name.revision == kRules && !name.game.ends_with(".json")) name.revision.clear();
    return name;
}

std::string GameEntry::title() const {
    return revision.empty() ? name : name + ":" + revision;
}

Registry::Registry(std::string folder, engine::FileOpener open, std::string clips)
    : folder_(std::move(folder)), open_(std::move(open)), clips_(std::move(clips)) {
    for (const std::string& name : names_in(folder_, true)) {
        const fs::path place = fs::path(folder_) / name;
        std::vector<std::string> files = names_in(place, false);
        if (std::erase(files, kRules) == 0) continue;
        entries_.push_back({name, {}, path_of(place, kRules)});
        for (const std::string& revision : files)
            entries_.push_back({name, revision, path_of(place, revision)});
        if (clips_.empty()) continue;
        for (std::string program : names_in(place, false, kProgram)) {
            program += kProgram;
            entries_.push_back({program, {}, (place / program).lexically_normal().string()});
        }
    }
    std::ranges::stable_sort(entries_, [](const GameEntry& a, const GameEntry& b) {
        const bool program = a.name.ends_with(kProgram), other = b.name.ends_with(kProgram);
        return std::tie(program, a.name, a.revision) < std::tie(other, b.name, b.revision);
    });
}

std::string Registry::unknown(const GameName& name) const {
    std::vector<std::string> games;
    std::vector<std::string> revisions;
    for (const GameEntry& entry : entries_) {
        if (entry.revision.empty()) games.push_back(entry.name);
        if (entry.name == name.game && !entry.revision.empty()) revisions.push_back(entry.revision);
    }
    if (std::ranges::find(games, name.game) == games.end()) {
        if (games.empty())
            return fmt::format("there are no games in '{}'; --games-folder names another, and "
                               "CROUPIER_DATA a folder of games and agents",
                               folder_);
        return fmt::format("there is no game '{}'{}; the games are {}", name.game,
                           engine::did_you_mean(name.game, games), fmt::join(games, ", "));
    }
    if (revisions.empty())
        return fmt::format("the game {} has no revision '{}'", name.game, name.revision);
    return fmt::format("the game {} has no revision '{}'{}; its revisions are {}", name.game,
                       name.revision, engine::did_you_mean(name.revision, revisions),
                       fmt::join(revisions, ", "));
}

bool Registry::has(const GameName& name) const {
    return std::ranges::any_of(entries_,
                               [&](const GameEntry& entry) { return entry.name == name.game; });
}

std::string Registry::find(const GameName& name, std::string& error) const {
    for (const GameEntry& entry : entries_)
        if (entry.name == name.game && entry.revision == name.revision) return entry.path;
    const fs::path path(name.game);
    const std::string_view stem = name.revision.empty() ? kRules : std::string_view(name.revision);
    if (is_folder(name.game) && !has(name)) {
        std::error_code ignored;
        if (fs::exists(path / fmt::format("{}.json", kRules), ignored)) return path_of(path, stem);
        if (name.is_path()) {
            error = fmt::format("there is no {}.json in the folder '{}'", kRules, name.game);
            return {};
        }
    }
    if (name.is_path() && !name.revision.empty() && path.extension() == kProgram)
        return (path.parent_path() / (name.revision + std::string(kProgram))).string();
    if (name.is_path())
        return name.revision.empty() ? path.string() : path_of(path.parent_path(), name.revision);
    error = unknown(name);
    return {};
}

OpenedGame Registry::open(const GameName& name, std::span<const GameOption> options) const {
    OpenedGame opened;
    const std::string path = find(name, opened.error);
    if (path.empty()) return opened;
    if (fs::path(path).extension() == kProgram) {
        if (!options.empty())
            opened.error = path + ": a program of CLIPS has no options";
        else
            opened.game = clips::open_clips_game(clips_, path, open_, name_by_path(name.game, path),
                                                 name.revision, opened.sources, opened.error);
        return opened;
    }
    RulesetSettings settings;
    settings.name = has(name) ? name.game : name_by_path(name.game, path);
    settings.revision = name.revision;
    for (const GameOption& option : options)
        settings.options.emplace_back(option.name, option.value);
    OpenedRuleset ruleset = open_ruleset(path, open_, settings);
    opened.game = std::move(ruleset.game);
    opened.sources = std::move(ruleset.sources);
    opened.diagnostics = std::move(ruleset.diagnostics);
    return opened;
}

std::unique_ptr<const Evaluation> evaluation_in_cpp(const RulesetGame& game,
                                                    const Evaluation& material) {
    if (game.facts().ruleset == life::kRuleset) return life::evaluate_all_drops(game, material);
    return nullptr;
}

engine::Scalar parse_option_value(std::string_view text) {
    engine::Sources sources;
    engine::Diagnostics problems;
    const std::uint32_t file = sources.add("option", std::string(text));
    const auto document = engine::read_json(sources, file, problems);
    const bool whole = document && !problems.has_errors();
    if (whole && document->kind == engine::DocumentKind::Scalar && !document->is_string())
        return document->scalar;
    return std::string(text);
}

engine::Scalar parse_setting_value(std::string_view text) {
    engine::Scalar value = parse_option_value(text);
    return engine::scalar_json(value) == text ? value : engine::Scalar(std::string(text));
}

} // namespace croupier::games
