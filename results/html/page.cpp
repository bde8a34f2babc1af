// Combines chapters into one file, with the style sheet and the script of assets/.
#include "results/html/page.h"

#include "results/html/assets.h"
#include "results/html/chapters.h"
#include "results/report/numbers.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <string_view>

namespace croupier::results {

// Draws the first position of each game; the script replaces it by the others.

namespace {

using nlohmann::ordered_json;

// The pieces on the cells of all boards, boards in order, by cell: [letter, owner].
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

// The cells that changed, as [cell, letter, owner].
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
        // Leaves out unchanged members, and the unchanged elements of a list.
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

// Cells of ten units; the script finds them by their order, board by board. The names of columns
// and rows are around them. Hexagons reach into the rows beside theirs, which are half a cell
// apart.
void add_board(Markup& page, const ordered_json& board) {
    constexpr std::uint32_t kMargin = 7;
    const bool hex = board.value("hex", false);
    const auto aside = [&](std::uint32_t row) { return hex ? 5 * row : 0; };
    const auto columns = static_cast<std::uint32_t>(board.at("columns").size());
    const auto rows = board.at("rows").get<std::uint32_t>();
    const auto look = board.at("look").get<std::string>();
    page.open("svg", {{"class", "board " + look},
                      {"viewBox", fmt::format("-{} {} {} {}", kMargin, hex ? -2 : 0,
                                              10 * columns + aside(rows - 1) + kMargin,
                                              10 * rows + kMargin + (hex ? 4 : 0))},
                      {"role", "img"},
                      {"aria-label", board.at("name").get<std::string>()}});
    for (std::uint32_t cell = 0; cell < columns * rows; ++cell) {
        const std::uint32_t column = cell % columns;
        const std::uint32_t row = rows - 1 - cell / columns;
        const char* shade = (column + cell / columns) % 2 == 0 ? "dark" : "light";
        if (hex) {
            page.empty("path", {{"class", "square"},
                                {"d", fmt::format("M{} {:.1f}l5 3.4v6.6l-5 3.4l-5 -3.4v-6.6z",
                                                  10 * column + aside(cell / columns) + 5,
                                                  10 * row - 1.7)}});
            continue;
        }
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
                      {"y", std::to_string(10 * rows + (hex ? 7 : 5))},
                      {"text-anchor", "middle"}},
                     names.at(column).get<std::string>());
    for (std::uint32_t row = 0; row < rows; ++row)
        page.element("text",
                     {{"class", "coordinate"},
                      {"x", fmt::format("{}", static_cast<int>(aside(row)) - 2)},
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
                        {"transform", fmt::format("translate({} {})",
                                                  10 * (cell % columns) + aside(cell / columns) + 5,
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
    // Words, since signs for the next move and for playing look alike.
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

std::string headline_of(const Chapter& chapter) {
    return headline(std::visit([](const auto& each) { return title_of(each); }, chapter));
}

std::string title_of_all(std::span<const Chapter> chapters) {
    if (chapters.empty()) return "Croupier";
    std::string text = headline_of(chapters.front());
    if (chapters.size() > 1) text += fmt::format(" and {} more", chapters.size() - 1);
    return text;
}

// "2026-11-23T03:11:25Z" in a readable form; other texts unchanged.
std::string shown_time(const std::string& time) {
    constexpr std::size_t kMinutes = std::string_view("2026-11-23T03:11").size();
    if (time.size() <= kMinutes || time[10] != 'T' || time.back() != 'Z') return time;
    return fmt::format("{}, {} UTC", time.substr(0, 10), time.substr(11, 5));
}

// Each word in its own element, so that lines break between words and not after a hyphen.
void add_words(Markup& page, std::string_view line) {
    while (!line.empty()) {
        const std::size_t end = std::min(line.find(' '), line.size());
        page.raw("<span>").text(line.substr(0, end)).raw("</span>");
        line.remove_prefix(end);
        if (!line.empty()) page.raw(" ");
        line.remove_prefix(std::min<std::size_t>(1, line.size()));
    }
}

void add_origin(Markup& page, const Origin& origin) {
    page.open("dl", {{"class", "origin"}});
    const auto pair = [&](const char* name, const char* element, const Attributes& attributes,
                          const std::string& value) {
        if (value.empty()) return;
        page.open("div").element("dt", {}, name).open("dd");
        page.element(element, attributes, value).close().close();
    };
    pair("Played", "time", {{"datetime", origin.time}}, shown_time(origin.time));
    pair("Program", "span", {}, origin.program);
    pair("Machine", "span", {}, origin.machine);
    pair("Folder", "code", {}, origin.folder);
    if (!origin.command.empty()) {
        page.open("div").element("dt", {}, "Command").open("dd");
        page.open("code", {{"class", "command"}});
        add_words(page, origin.command);
        page.close().close().close();
    }
    page.close();
}

void add_head(Markup& page, const Chapter& chapter, int level) {
    page.element(fmt::format("h{}", level), {}, headline_of(chapter));
    std::visit(
        [&](const auto& each) {
            for (const std::string& line : summary_of(each))
                page.element("p", {{"class", "lede"}}, line);
            add_origin(page, each.origin);
        },
        chapter);
}

void add_links(Markup& page, const std::vector<Outline::Entry>& entries) {
    page.open("ul");
    for (const Outline::Entry& entry : entries) {
        page.open("li");
        page.element("a", {{"href", "#" + entry.id}}, entry.title);
        page.close();
    }
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

std::string html_page(std::span<const Chapter> chapters) {
    const bool one = chapters.size() == 1;
    std::vector<Outline> outlines;
    for (std::size_t i = 0; i < chapters.size(); ++i) {
        outlines.emplace_back(one ? "" : fmt::format("chapter{}-", i + 1), one ? 2 : 3);
        std::visit([&](const auto& chapter) { add_chapter(outlines.back(), chapter); },
                   chapters[i]);
    }
    Markup page;
    page.raw("<!DOCTYPE html>\n").open("html", {{"lang", "en"}}).open("head");
    page.raw("<meta charset=\"utf-8\">\n"
             "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
             "<meta name=\"color-scheme\" content=\"light dark\">\n"
             "<link rel=\"icon\" href=\"data:,\">\n"); // else browsers request it from a server
    page.element("title", {}, title_of_all(chapters));
    page.open("style").raw(kPageStyle).close();
    page.close().open("body").open("header");
    if (one)
        add_head(page, chapters[0], 1);
    else
        page.element("h1", {}, title_of_all(chapters));
    page.close();
    page.open("nav", {{"aria-label", "Contents"}});
    if (one) {
        add_links(page, outlines[0].entries());
    } else {
        page.open("ol");
        for (std::size_t i = 0; i < chapters.size(); ++i) {
            page.open("li");
            page.element("a", {{"href", fmt::format("#chapter{}", i + 1)}},
                         headline_of(chapters[i]));
            add_links(page, outlines[i].entries());
            page.close();
        }
        page.close();
    }
    page.close().open("main");
    for (std::size_t i = 0; i < chapters.size(); ++i) {
        page.open("section", {{"class", "chapter"}, {"id", fmt::format("chapter{}", i + 1)}});
        if (!one) add_head(page, chapters[i], 2);
        page.raw(outlines[i].page().str());
        page.close();
    }
    page.close(); // main
    page.open("script").raw(kPageScript).close();
    page.close().close();
    return page.str();
}

} // namespace croupier::results
