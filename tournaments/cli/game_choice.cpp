// Keeps few records of many.
#include "tournaments/cli/game_choice.h"

#include "tournaments/cli/command.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace croupier::cli {
namespace {

std::string why_of(results::End end) {
    switch (end) {
    case results::End::Over:
        return "the first that ended by its rules";
    case results::End::Aborted:
        return "the first that was aborted";
    case results::End::Unfinished:
        return "the first that was not finished";
    case results::End::Resigned:
        return "the first that was resigned";
    case results::End::Agreed:
        return "the first that was drawn by agreement";
    case results::End::Cut:
        return "the first that was cut";
    case results::End::Fault:
        break;
    }
    return "the first with a fault";
}

} // namespace

GameChoice::GameChoice(const std::vector<std::string>& asked) {
    for (const std::string& text : asked) {
        if (text == "none" && asked.size() == 1) {
            none_ = true;
            return;
        }
        asked_.push_back(name_of(text));
    }
}

GameChoice::Name GameChoice::name_of(const std::string& text) {
    Name name;
    const char* const end = text.data() + text.size();
    const auto [dot, wrong] = std::from_chars(text.data(), end, name.first);
    bool good = wrong == std::errc() && dot != end && *dot == '.';
    if (good) {
        const auto [stop, error] = std::from_chars(dot + 1, end, name.second);
        good = error == std::errc() && stop == end;
    }
    if (!good)
        throw Mistake(fmt::format("--replay takes BLOCK.GAME as games.csv numbers them, as in "
                                  "0.1, or none; found '{}'",
                                  text));
    return name;
}

void GameChoice::add_blunder(const std::string& game) {
    const Name name = name_of(game);
    if (std::find(blunders_.begin(), blunders_.end(), name) == blunders_.end())
        blunders_.push_back(name);
}

void GameChoice::take(std::span<const results::GameRecord> games) {
    if (none_) return;
    for (const results::GameRecord& game : games) {
        if (asked_.empty())
            take_typical(game);
        else
            take_asked(game);
    }
}

void GameChoice::take_asked(const results::GameRecord& game) {
    if (std::find(asked_.begin(), asked_.end(), Name{game.block, game.game}) != asked_.end())
        found_.push_back({game, ""});
}

void GameChoice::take_typical(const results::GameRecord& game) {
    if (!longest_ || game.plies > longest_->plies) longest_ = game;
    const bool is_first = endings_.empty();
    const bool has_blunder = std::find(blunders_.begin(), blunders_.end(),
                                       Name{game.block, game.game}) != blunders_.end();
    std::string why = has_blunder ? "with a blunder" : "";
    if (std::find(endings_.begin(), endings_.end(), game.end) == endings_.end()) {
        endings_.push_back(game.end);
        why = (is_first ? "the first" : why_of(game.end)) + (why.empty() ? "" : ", " + why);
    }
    if (!why.empty()) found_.push_back({game, why});
}

std::vector<GameChoice::Chosen> GameChoice::chosen(const std::string& folder) const {
    std::vector<Chosen> all = found_;
    const auto name = [](const Chosen& each) { return Name{each.game.block, each.game.game}; };
    for (const Name& asked : asked_) {
        if (std::none_of(all.begin(), all.end(),
                         [&](const Chosen& each) { return name(each) == asked; }))
            throw Mistake(fmt::format("{}: has no game {}.{}", folder, asked.first, asked.second));
    }
    if (longest_) {
        const Name longest{longest_->block, longest_->game};
        const auto same = std::find_if(all.begin(), all.end(),
                                       [&](const Chosen& each) { return name(each) == longest; });
        if (same == all.end())
            all.push_back({*longest_, "the longest"});
        else
            same->why += ", the longest";
    }
    std::sort(all.begin(), all.end(),
              [&](const Chosen& a, const Chosen& b) { return name(a) < name(b); });
    return all;
}

} // namespace croupier::cli
