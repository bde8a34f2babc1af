// Prints drawings and results.
#include "tournaments/cli/game_show.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <utility>

namespace croupier::cli {

namespace {

Style style_of(games::Ink ink) {
    switch (ink) {
    case games::Ink::Plain:
        return Style::Plain;
    case games::Ink::Faint:
        return Style::Dim;
    case games::Ink::Strong:
    case games::Ink::First:
    case games::Ink::Third:
        return Style::Bold;
    case games::Ink::Second:
    case games::Ink::Fourth:
        return Style::Notice;
    case games::Ink::Born:
        return Style::Good;
    case games::Ink::Dying:
    case games::Ink::Red:
        return Style::Bad;
    }
    return Style::Plain;
}

std::string score_text(double score) {
    return fmt::format("{:g}", score);
}

} // namespace

void print_lines(const std::vector<games::TextLine>& lines, Page& page) {
    std::vector<Piece> pieces;
    for (const games::TextLine& line : lines) {
        pieces.clear();
        for (const games::Stroke& stroke : line)
            pieces.emplace_back(stroke.text, style_of(stroke.ink));
        page.line(pieces);
    }
}

void print_drawing(const games::Drawing& drawing, const games::Drawing* before,
                   const games::Facts& facts, Page& page) {
    print_lines(games::text_of(drawing, before, {page.width(), page.ascii(), facts.players}), page);
}

void print_result(const games::Position& position, const std::vector<std::string>& agents,
                  Page& page, const std::optional<agents::Verdict>& verdict) {
    const bool scores = !verdict || verdict->kind == agents::Verdict::Kind::Left;
    const games::Facts& facts = position.game().facts();
    std::string how =
        fmt::format("{}: {} after {} move{}", facts.title(),
                    verdict ? agents::name_of(verdict->kind) : games::name_of(position.ending()),
                    position.plies(), position.plies() == 1 ? "" : "s");
    if (position.ending() == games::Ending::Aborted) {
        const games::Fault& fault = position.fault();
        how += fmt::format(": {}{}", fault.rule.empty() ? "" : fmt::format("rule {}: ", fault.rule),
                           fault.what);
    }
    page.line({how});
    TextTable table{
        {{"player"}, {"agent"}, {"score", Align::Right}, {"place", Align::Right}}, {}, 2};
    bool roles = false;
    for (games::Seat seat = 0; seat < facts.seats(); ++seat)
        roles = roles || !position.role(seat).empty();
    if (roles) table.columns.push_back({"role"});
    for (games::Seat seat = 0; seat < facts.seats(); ++seat) {
        const std::uint32_t place =
            verdict ? agents::place_after(*verdict, facts, seat) : position.place(seat);
        table.rows.push_back({facts.players[seat], agents[seat],
                              scores ? score_text(position.score(seat)) : "",
                              std::to_string(place)});
        if (roles) table.rows.back().push_back(position.role(seat));
    }
    page.table(table);
}

void print_reasons(const tournaments::MoveReasons& reasons, const games::Position& view,
                   std::string_view move, Page& page) {
    for (const auto& [indent, rule, text, wraps] : reasons.tell(view, move)) {
        if (wraps)
            page.paragraph(text, indent);
        else
            page.line({std::string(indent, ' '), {rule, Style::Bold}, text});
    }
}

void Show::begins(const games::Position& position) {
    drawer_.emplace(position.game());
    before_.reset();
    draw(position);
}

void Show::moves(const games::Position& before, games::Move move) {
    const std::string line =
        fmt::format("{}. {} {}", before.plies() + 1, before.game().facts().players[before.turn()],
                    before.text(move));
    page_.line();
    page_.line({{line, Style::Bold}});
}

void Show::moved(const games::Position& after) {
    draw(after);
}

void Show::draw(const games::Position& position) {
    games::Drawing now = drawer_->draw(position);
    print_drawing(now, before_ ? &*before_ : nullptr, position.game().facts(), page_);
    before_ = std::move(now);
}

using nlohmann::ordered_json;

ordered_json result_json(const games::Position& position, const std::vector<std::string>& agents,
                         const std::optional<agents::Verdict>& verdict) {
    const games::Facts& facts = position.game().facts();
    ordered_json seats = ordered_json::array();
    for (games::Seat seat = 0; seat < facts.seats(); ++seat) {
        ordered_json row{{"player", facts.players[seat]}, {"agent", agents[seat]}};
        row["score"] = verdict ? ordered_json() : ordered_json(position.score(seat));
        row["place"] = verdict ? agents::place_after(*verdict, facts, seat) : position.place(seat);
        if (!position.role(seat).empty()) row["role"] = position.role(seat);
        seats.push_back(std::move(row));
    }
    ordered_json result{
        {"game", facts.title()},
        {"end", verdict ? agents::name_of(verdict->kind) : games::name_of(position.ending())},
        {"moves", position.plies()},
        {"seats", std::move(seats)}};
    if (position.ending() == games::Ending::Aborted) {
        const games::Fault& fault = position.fault();
        result["fault"] = {{"rule", fault.rule}, {"place", fault.place}, {"what", fault.what}};
    }
    return result;
}

} // namespace croupier::cli
