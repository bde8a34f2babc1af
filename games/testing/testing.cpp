// Helpers of tests.
#include "games/testing/testing.h"

#include "engine/api/ruleset.h"
#include "engine/api/text.h"
#include "games/ruleset/ruleset_game.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace croupier::games {
namespace {

const std::string kExamples = "games/examples";
const std::string kTesting = "games/testing";

std::string mistakes(const OpenedGame& opened) {
    std::string text = opened.error;
    for (const engine::Diagnostic& each : opened.diagnostics.sorted())
        text += engine::format(each, opened.sources) + "\n";
    return text;
}

} // namespace

std::string beside_this_program(const std::string& name) {
    return (std::filesystem::read_symlink("/proc/self/exe").parent_path() / name).string();
}

engine::FileOpener test_opener() {
    return [](const std::string& path) {
        engine::FileText file;
        std::ifstream in(path, std::ios::binary);
        if (in)
            file.text.emplace(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
        else
            file.error = "cannot be read";
        return file;
    };
}

std::shared_ptr<const Game> open_for_test(const std::string& title,
                                          std::vector<GameOption> options) {
    const GameName name = parse_game_name(title);
    for (const std::string& folder : {kGamesFolder, kExamples, kTesting}) {
        const Registry registry(folder, test_opener());
        std::string unknown;
        const bool known = !registry.find(name, unknown).empty() || unknown.empty();
        if (!known) continue;
        OpenedGame opened = registry.open(name, options);
        if (opened.game == nullptr) ADD_FAILURE() << mistakes(opened);
        return opened.game;
    }
    ADD_FAILURE() << "no game " << title;
    return nullptr;
}

OpenedGame open_text(const std::string& text, const std::vector<GameOption>& options) {
    RulesetSettings settings;
    for (const GameOption& option : options)
        settings.options.emplace_back(option.name, option.value);
    const auto opener = [&](const std::string&) { return engine::FileText{text, {}}; };
    OpenedRuleset opened = open_ruleset("game.json", opener, settings);
    return {opened.game, std::move(opened.sources), std::move(opened.diagnostics), {}};
}

std::vector<std::string> all_titles() {
    std::vector<std::string> titles;
    for (const std::string& folder : {kGamesFolder, kExamples, kTesting}) {
        const Registry registry(folder, test_opener());
        for (const GameEntry& entry : registry.entries()) {
            if (std::find(titles.begin(), titles.end(), entry.title()) == titles.end())
                titles.push_back(entry.title());
        }
    }
    return titles;
}

std::string json(const Position& position) {
    return engine::write_json(position.state(), -1);
}

std::vector<std::string> legal(const Position& position) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < position.move_count(); ++i)
        names.emplace_back(position.text(position.move(i)));
    return names;
}

std::string random_game(Position& position, std::uint64_t seed, std::uint64_t deal) {
    GameStreams streams(seed, deal, position.game().facts().seats());
    std::string text;
    position.start(streams.deal);
    while (position.ending() == Ending::None) {
        text += json(position) + " " + std::to_string(position.turn());
        for (const std::string& name : legal(position))
            text += " " + name;
        const Move move =
            position.move(streams.choices[position.turn()].below(position.move_count()));
        text += "\n> " + std::string(position.text(move)) + "\n";
        position.play(move, streams.play);
    }
    text += json(position) + " " + std::string(name_of(position.ending()));
    for (Seat seat = 0; seat < position.game().facts().seats(); ++seat)
        text += " " + std::to_string(position.score(seat)) + "/" +
                std::to_string(position.place(seat)) + position.role(seat);
    return text;
}

std::vector<GameOption> short_game(const std::string& title) {
    const auto game = open_for_test(title);
    if (game == nullptr) return {};
    for (const GameOption& option : game->facts().options) {
        if (option.name == "max_plies") return {{"max_plies", std::int64_t{50}}};
    }
    return {};
}

} // namespace croupier::games
