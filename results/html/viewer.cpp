// The first position of each game is drawn here; the script puts the others in its place.
#include "results/html/chapters.h"

#include "results/report/numbers.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace croupier::results {
namespace {

using nlohmann::ordered_json;

// Cells that are not as they were, as [cell, letter, owner].
ordered_json changed_cells(const std::vector<SceneCell>& before,
                           const std::vector<SceneCell>& after) {
    ordered_json changed = ordered_json::array();
    for (std::size_t cell = 0; cell < after.size(); ++cell) {
        if (cell < before.size() ? after[cell] == before[cell] : after[cell].letter.empty())
            continue;
        changed.push_back({cell, after[cell].letter, after[cell].owner});
    }
    return changed;
}

ordered_json cards_json(const std::vector<SceneCards>& all) {
    ordered_json json = ordered_json::array();
    for (const SceneCards& each : all) {
        ordered_json cards = ordered_json::array();
        for (const SceneCard& card : each.cards)
            cards.push_back({card.label, card.red ? 1 : 0});
        json.push_back({{"name", each.name}, {"hand", each.hand}, {"cards", std::move(cards)}});
    }
    return json;
}

ordered_json frame_json(const ReplayFrame& frame, const std::vector<SceneCell>& before) {
    ordered_json json = {{"player", frame.player}, {"move", frame.move}, {"legal", frame.legal}};
    const Scene& scene = frame.scene;
    if (!scene.cells.empty()) json["cells"] = changed_cells(before, scene.cells);
    if (!scene.cards.empty()) json["cards"] = cards_json(scene.cards);
    if (!scene.facts.empty()) json["facts"] = scene.facts;
    if (!scene.text.empty()) json["text"] = scene.text;
    if (!frame.log.empty()) json["log"] = frame.log;
    return json;
}

std::string data_of(const Replay& replay) {
    ordered_json frames = ordered_json::array();
    const std::vector<SceneCell> nothing;
    const std::vector<SceneCell>* before = &nothing;
    for (const ReplayFrame& frame : replay.frames) {
        frames.push_back(frame_json(frame, *before));
        before = &frame.scene.cells;
    }
    return script_json(
        ordered_json{{"columns", replay.columns}, {"frames", std::move(frames)}}.dump(
            -1, ' ', false, ordered_json::error_handler_t::replace));
}

// Cells of ten units; the script finds them by their order.
void add_board(Markup& page, const Replay& replay) {
    const std::vector<SceneCell>& cells = replay.frames.front().scene.cells;
    page.open("svg", {{"class", replay.columns > 10 ? "board stones" : "board squares"},
                      {"viewBox", fmt::format("0 0 {} {}", 10 * replay.columns, 10 * replay.rows)},
                      {"role", "img"},
                      {"aria-label", "board"}});
    for (std::uint32_t cell = 0; cell < cells.size(); ++cell) {
        const std::uint32_t column = cell % replay.columns;
        const std::uint32_t row = replay.rows - 1 - cell / replay.columns;
        const char* shade = (column + cell / replay.columns) % 2 == 0 ? "dark" : "light";
        page.empty("rect", {{"class", fmt::format("square {}", shade)},
                            {"x", std::to_string(10 * column)},
                            {"y", std::to_string(10 * row)},
                            {"width", "10"},
                            {"height", "10"}});
    }
    for (std::uint32_t cell = 0; cell < cells.size(); ++cell) {
        page.open(
            "g",
            {{"class", cells[cell].letter.empty() ? std::string("cell")
                                                  : fmt::format("cell owner{}", cells[cell].owner)},
             {"transform", fmt::format("translate({} {})", 10 * (cell % replay.columns) + 5,
                                       10 * (replay.rows - 1 - cell / replay.columns) + 5)}});
        page.empty("circle", {{"r", "4"}});
        page.element("text", {{"y", "2.8"}, {"text-anchor", "middle"}}, cells[cell].letter);
        page.close();
    }
    page.close();
}

void add_controls(Markup& page, const Replay& replay) {
    page.open("div", {{"class", "controls"}});
    const std::pair<const char*, const char*> buttons[] = {
        {"first", "|◀"}, {"back", "◀"}, {"play", "▶▶"}, {"next", "▶"}, {"last", "▶|"}};
    for (const auto& [act, sign] : buttons)
        page.element("button", {{"type", "button"}, {"data-act", act}, {"aria-label", act}}, sign);
    page.empty("input", {{"type", "range"},
                         {"min", "0"},
                         {"max", std::to_string(replay.frames.size() - 1)},
                         {"value", "0"},
                         {"aria-label", "move"}});
    page.close();
}

std::string name_of(const Replay& replay) {
    return fmt::format("{}.{}{}: {}", replay.block, replay.game,
                       replay.why.empty() ? "" : " (" + replay.why + ")",
                       counted(replay.plies, "move"));
}

void add_game(Markup& page, const Replay& replay, bool shown) {
    Attributes attributes{{"class", "game"}};
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
    page.element("p", {{"class", "move"}, {"aria-live", "polite"}}, "the beginning");
    page.open("div", {{"class", "scene"}});
    if (replay.columns > 0) add_board(page, replay);
    page.empty("div", {{"class", "table"}});
    page.empty("pre", {{"class", "text"}});
    page.empty("dl", {{"class", "facts"}});
    page.close();
    page.open("details", {{"class", "log"}, {"open", ""}});
    page.element("summary", {}, "why this move");
    page.empty("pre");
    page.close();
    page.open("script", {{"type", "application/json"}}).raw(data_of(replay)).close();
    page.close();
}

} // namespace

void add_viewer(Markup& page, std::span<const Replay> replays) {
    page.element("h3", {}, "games, move by move");
    page.open("div", {{"class", "viewer"}});
    page.open("select", {{"aria-label", "game"}});
    for (const Replay& replay : replays)
        page.element("option", {}, name_of(replay));
    page.close();
    bool first = true;
    for (const Replay& replay : replays) {
        add_game(page, replay, first);
        first = false;
    }
    page.close();
}

} // namespace croupier::results
