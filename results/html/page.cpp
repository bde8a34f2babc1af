// Puts chapters into one file, with the style sheet and the script of assets/ inside.
#include "results/html/page.h"

#include "results/html/assets.h"
#include "results/html/chapters.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace croupier::results {
namespace {

std::string headline_of(const Chapter& chapter) {
    return headline(std::visit([](const auto& each) { return title_of(each); }, chapter));
}

std::string title_of_all(std::span<const Chapter> chapters) {
    if (chapters.empty()) return "Croupier";
    std::string text = headline_of(chapters.front());
    if (chapters.size() > 1) text += fmt::format(" and {} more", chapters.size() - 1);
    return text;
}

// "2026-11-23T03:11:25Z" as people read it; anything else as it is.
std::string shown_time(const std::string& time) {
    constexpr std::size_t kMinutes = std::string_view("2026-11-23T03:11").size();
    if (time.size() <= kMinutes || time[10] != 'T' || time.back() != 'Z') return time;
    return fmt::format("{}, {} UTC", time.substr(0, 10), time.substr(11, 5));
}

// Each in an element of its own, so that lines end between words and not behind a hyphen.
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
                page.element("p", {{"class", "lede"}}, headline(line));
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
             "<link rel=\"icon\" href=\"data:,\">\n"); // or browsers ask a server for one
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
