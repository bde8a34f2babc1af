// The first position of each game is drawn here; the script puts the others in its place.
#include "results/html/chapters.h"

#include "results/report/numbers.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

namespace croupier::results {
namespace {

using nlohmann::ordered_json;

// What stands on the cells of all boards, one board behind the other, by cell: [letter, owner].
std::map<std::size_t, ordered_json> pieces_of(const ordered_json& scene) {
    std::map<std::size_t, ordered_json> pieces;
    std::size_t first = 0;
    for (const ordered_json& board : scene.value("boards", ordered_json::array())) {
        for (const ordered_json& piece : board.at("pieces"))
            pieces[first + piece.at(0).get<std::size_t>()] = {piece.at(1), piece.at(2)};
        first += board.at("columns").size() * board.at("rows").get<std::size_t>();
    }
    return pieces;
}

// Cells that are not as they were, as [cell, letter, owner].
ordered_json changed_cells(const std::map<std::size_t, ordered_json>& before,
                           const std::map<std::size_t, ordered_json>& after) {
    std::map<std::size_t, ordered_json> changed;
    for (const auto& [cell, piece] : before)
        if (!after.contains(cell)) changed[cell] = {cell, "", 0};
    for (const auto& [cell, piece] : after) {
        const auto was = before.find(cell);
        if (was == before.end() || was->second != piece)
            changed[cell] = {cell, piece.at(0), piece.at(1)};
    }
    ordered_json list = ordered_json::array();
    for (auto& [cell, piece] : changed)
        list.push_back(std::move(piece));
    return list;
}

std::string data_of(const Replay& replay) {
    ordered_json frames = ordered_json::array();
    ordered_json before = ordered_json::object();
    std::map<std::size_t, ordered_json> pieces;
    for (const ReplayFrame& frame : replay.frames) {
        ordered_json json = {
            {"player", frame.player}, {"move", frame.move}, {"legal", frame.legal}};
        ordered_json scene = ordered_json::parse(frame.scene);
        auto after = pieces_of(scene);
        if (scene.erase("boards") > 0) json["cells"] = changed_cells(pieces, after);
        pieces = std::move(after);
        // What is as it was is not told again, and of a list only what is not.
        for (const char* const name : {"turn", "piles", "facts"}) {
            const ordered_json now = scene.value(name, ordered_json());
            const ordered_json was = before.value(name, ordered_json());
            if (now == was) continue;
            ordered_json& told = json[name] = now;
            for (std::size_t i = 0; now.is_array() && i < std::min(now.size(), was.size()); ++i)
                if (now[i] == was[i]) told[i] = nullptr;
        }
        before = std::move(scene);
        if (!frame.log.empty()) json["log"] = frame.log;
        if (!frame.refused.empty()) json["refused"] = frame.refused;
        frames.push_back(std::move(json));
    }
    return script_json(ordered_json{{"frames", std::move(frames)}}.dump(
        -1, ' ', false, ordered_json::error_handler_t::replace));
}

// Cells of ten units; the script finds them by their order, board by board. Around them stand the
// names of columns and rows.
void add_board(Markup& page, const ordered_json& board) {
    constexpr std::uint32_t kMargin = 7;
    const auto columns = static_cast<std::uint32_t>(board.at("columns").size());
    const auto rows = board.at("rows").get<std::uint32_t>();
    const auto look = board.at("look").get<std::string>();
    page.open("svg", {{"class", "board " + look},
                      {"viewBox", fmt::format("-{} 0 {} {}", kMargin, 10 * columns + kMargin,
                                              10 * rows + kMargin)},
                      {"role", "img"},
                      {"aria-label", board.at("name").get<std::string>()}});
    for (std::uint32_t cell = 0; cell < columns * rows; ++cell) {
        const std::uint32_t column = cell % columns;
        const std::uint32_t row = rows - 1 - cell / columns;
        const char* shade = (column + cell / columns) % 2 == 0 ? "dark" : "light";
        page.empty("rect", {{"class", fmt::format("square {}", shade)},
                            {"x", std::to_string(10 * column)},
                            {"y", std::to_string(10 * row)},
                            {"width", "10"},
                            {"height", "10"}});
    }
    const ordered_json& names = board.at("columns");
    for (std::uint32_t column = 0; column < columns; ++column)
        page.element("text",
                     {{"class", "coordinate"},
                      {"x", std::to_string(10 * column + 5)},
                      {"y", std::to_string(10 * rows + 5)},
                      {"text-anchor", "middle"}},
                     names.at(column).get<std::string>());
    for (std::uint32_t row = 0; row < rows; ++row)
        page.element("text",
                     {{"class", "coordinate"},
                      {"x", "-2"},
                      {"y", std::to_string(10 * (rows - 1 - row) + 7)},
                      {"text-anchor", "end"}},
                     std::to_string(row + 1));
    const auto pieces = pieces_of({{"boards", {board}}});
    for (std::uint32_t cell = 0; cell < columns * rows; ++cell) {
        const auto piece = pieces.find(cell);
        const bool empty = piece == pieces.end();
        page.open("g", {{"class", empty ? std::string("cell")
                                        : fmt::format("cell owner{}",
                                                      piece->second.at(1).get<std::uint32_t>())},
                        {"transform", fmt::format("translate({} {})", 10 * (cell % columns) + 5,
                                                  10 * (rows - 1 - cell / columns) + 5)}});
        page.empty("circle", {{"r", "4"}});
        page.element("text", {{"y", "2.8"}, {"text-anchor", "middle"}},
                     empty ? std::string() : piece->second.at(0).get<std::string>());
        page.close();
    }
    page.close();
}

void add_controls(Markup& page, const Replay& replay) {
    page.open("div", {{"class", "controls"}});
    // Words: signs for the next move and for playing look alike.
    const std::pair<const char*, const char*> buttons[] = {
        {"first", "First"}, {"back", "Back"}, {"play", "Play"}, {"next", "Next"}, {"last", "Last"}};
    for (const auto& [act, word] : buttons)
        page.element("button", {{"type", "button"}, {"data-act", act}}, word);
    page.empty("input", {{"type", "range"},
                         {"min", "0"},
                         {"max", std::to_string(replay.frames.size() - 1)},
                         {"value", "0"},
                         {"aria-label", "Move"}});
    page.close();
    page.element("p", {{"class", "keys"}},
                 "Keys: left and right for a move, Home and End, space to play and to pause.");
}

std::string name_of(const Replay& replay) {
    return fmt::format("{}.{}{}: {}", replay.block, replay.game,
                       replay.why.empty() ? "" : " (" + replay.why + ")",
                       counted(replay.plies, "move"));
}

void add_game(Markup& page, const Replay& replay, bool shown) {
    Attributes attributes{{"class", "game"},
                          {"data-name", fmt::format("{}.{}", replay.block, replay.game)}};
    if (!shown) attributes.emplace_back("hidden", "");
    page.open("div", attributes);
    for (const std::string& seat : replay.seats)
        page.element("span", {{"class", "seat"}}, seat);
    page.element("p", {{"class", "ending"}}, replay.ending);
    if (!replay.problem.empty() || replay.frames.empty()) {
        page.element("p", {{"class", "empty"}}, "Cannot be shown: " + replay.problem);
        page.close();
        return;
    }
    if (replay.frames.size() <= replay.plies)
        page.element("p", {}, fmt::format("The first {} moves.", replay.frames.size() - 1));
    add_controls(page, replay);
    page.element("p", {{"class", "move"}, {"aria-live", "polite"}}, "The beginning");
    // Focusable, so that keys step through the game.
    page.open(
        "div",
        {{"class", "scene"}, {"tabindex", "0"}, {"role", "group"}, {"aria-label", "Position"}});
    const auto begin = ordered_json::parse(replay.frames.front().scene);
    for (const ordered_json& board : begin.value("boards", ordered_json::array()))
        add_board(page, board);
    page.empty("div", {{"class", "table"}});
    page.empty("dl", {{"class", "facts"}});
    page.close();
    for (const auto& [lines, title] :
         {std::pair{"log", "Why this move"}, {"refused", "Why other moves are not legal now"}}) {
        page.open("details", {{"class", lines}, {"open", ""}});
        page.element("summary", {}, title).empty("pre").close();
    }
    page.open("script", {{"type", "application/json"}}).raw(data_of(replay)).close();
    page.close();
}

} // namespace

void add_viewer(Outline& outline, std::span<const Replay> replays) {
    outline.begin("games", "Games, move by move", Weight::Figure);
    Markup& page = outline.page();
    page.open("div", {{"class", "viewer"}});
    page.open("select", {{"aria-label", "Game"}});
    for (const Replay& replay : replays)
        page.element("option", {}, name_of(replay));
    page.close();
    bool first = true;
    for (const Replay& replay : replays) {
        add_game(page, replay, first);
        first = false;
    }
    page.close();
    outline.end();
}

} // namespace croupier::results
