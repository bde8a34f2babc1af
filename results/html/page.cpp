// Puts chapters into one file, with the style sheet and the script of assets/ inside.
#include "results/html/page.h"

#include "results/html/assets.h"
#include "results/html/chapters.h"

#include <fmt/format.h>

namespace croupier::results {
namespace {

std::string title_of_all(std::span<const Chapter> chapters) {
    if (chapters.empty()) return "croupier";
    const auto title = [](const auto& chapter) { return title_of(chapter); };
    std::string text = std::visit(title, chapters.front());
    if (chapters.size() > 1) text += fmt::format(" and {} more", chapters.size() - 1);
    return text;
}

void add_contents(Markup& page, std::span<const Chapter> chapters) {
    page.open("nav");
    for (std::size_t i = 0; i < chapters.size(); ++i) {
        const auto title = [](const auto& chapter) { return title_of(chapter); };
        page.element("a", {{"href", fmt::format("#chapter{}", i + 1)}},
                     std::visit(title, chapters[i]));
    }
    page.close();
}

} // namespace

void add_section(Markup& page, const Section& section, const std::string& chart) {
    if (!section.title.empty()) page.element("h3", {}, section.title);
    page.raw(chart);
    const Table& table = section.table;
    if (!table.rows.empty()) {
        if (!chart.empty()) page.open("details").element("summary", {}, "numbers");
        page.open("div", {{"class", "wide"}}).open("table").open("tr");
        const auto align = [&](std::size_t column) {
            return table.columns[column].align == Align::Right ? "number" : "word";
        };
        for (std::size_t i = 0; i < table.columns.size(); ++i)
            page.element("th", {{"class", align(i)}}, table.columns[i].title);
        page.close();
        for (const auto& row : table.rows) {
            page.open("tr");
            for (std::size_t i = 0; i < row.size(); ++i)
                page.element("td", {{"class", align(i)}}, row[i]);
            page.close();
        }
        page.close().close();
        if (!chart.empty()) page.close();
    }
    for (const std::string& note : section.notes)
        page.element("p", {}, note);
}

std::string html_page(std::span<const Chapter> chapters) {
    Markup page;
    page.raw("<!DOCTYPE html>\n").open("html", {{"lang", "en"}}).open("head");
    page.raw("<meta charset=\"utf-8\">\n"
             "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
             "<meta name=\"color-scheme\" content=\"light dark\">\n"
             "<link rel=\"icon\" href=\"data:,\">\n"); // or browsers ask a server for one
    page.element("title", {}, title_of_all(chapters));
    page.open("style").raw(kPageStyle).close();
    page.close().open("body").open("main");
    page.element("h1", {}, title_of_all(chapters));
    if (chapters.size() > 1) add_contents(page, chapters);
    for (std::size_t i = 0; i < chapters.size(); ++i) {
        page.open("section", {{"id", fmt::format("chapter{}", i + 1)}});
        std::visit(
            [&](const auto& chapter) {
                if (chapters.size() > 1) page.element("h2", {}, title_of(chapter));
                page.element("p", {{"class", "source"}}, chapter.source);
                add_chapter(page, chapter);
            },
            chapters[i]);
        page.close();
    }
    page.close(); // main
    page.open("script").raw(kPageScript).close();
    page.close().close();
    return page.str();
}

} // namespace croupier::results
