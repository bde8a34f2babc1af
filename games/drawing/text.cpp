// Lays drawings out as text.
#include "games/drawing/text.h"

#include "games/drawing/cards.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace croupier::games {
namespace {

Ink ink_of(std::uint32_t player) {
    constexpr Ink kInks[] = {Ink::First, Ink::Second, Ink::Third, Ink::Fourth};
    return kInks[player % 4];
}

TextLine column_names(std::uint32_t columns, std::size_t margin, std::size_t width) {
    std::string text(margin, ' ');
    for (std::uint32_t column = 0; column < columns; ++column) {
        const std::string name = column_name(column);
        text += std::string(width + 1 - name.size(), ' ') + name;
    }
    return {{std::move(text), Ink::Faint}};
}

// Rows of "name  words ..": as many words as fit on each line, the rest below.
class Rows {
  public:
    Rows(std::size_t margin, std::size_t width, std::vector<TextLine>& lines)
        : margin_(margin), width_(std::max(width, margin + 8)), lines_(lines) {}

    void begin(Stroke mark, std::string name, Ink ink) {
        const std::size_t wide = width_of(name) + 2;
        lines_.push_back({std::move(mark), {std::move(name), ink}});
        if (wide < margin_) lines_.back().push_back({std::string(margin_ - wide, ' ')});
        column_ = std::max(margin_, wide);
        fresh_ = true;
    }
    // Adds `gap` spaces before it, unless it begins a line.
    void word(const TextLine& strokes, std::size_t gap) {
        std::size_t wide = 0;
        for (const Stroke& stroke : strokes)
            wide += width_of(stroke.text);
        if (!fresh_ && column_ + gap + wide > width_) {
            lines_.push_back({{std::string(margin_, ' ')}});
            column_ = margin_;
            fresh_ = true;
        }
        if (!fresh_ || column_ > margin_) {
            lines_.back().push_back({std::string(gap, ' ')});
            column_ += gap;
        }
        lines_.back().insert(lines_.back().end(), strokes.begin(), strokes.end());
        column_ += wide;
        fresh_ = false;
    }
    void words(std::string_view text) {
        while (!text.empty()) {
            const std::string_view one = text.substr(0, text.find(' '));
            text.remove_prefix(std::min(text.size(), one.size() + 1));
            if (!one.empty()) word({{std::string(one)}}, 1);
        }
    }

  private:
    std::size_t margin_;
    std::size_t width_;
    std::size_t column_ = 0;
    bool fresh_ = true;
    std::vector<TextLine>& lines_;
};

// "C from".
std::string title_of(const DrawnCards& cards) {
    std::string title = cards.name;
    for (const std::string& note : cards.notes)
        title += " " + note;
    return title;
}

void add_cards(const DrawnCards& cards, bool ascii, Rows& rows) {
    if (cards.hidden) {
        if (cards.hidden_count) rows.word({{std::to_string(*cards.hidden_count), Ink::Faint}}, 1);
        rows.word({{"hidden", Ink::Faint}}, 1);
        return;
    }
    const DrawnCard* last = nullptr;
    for (const DrawnCard& card : cards.cards) {
        TextLine word;
        if (!card.player.empty()) word.push_back({card.player + " ", Ink::Faint});
        word.push_back(stroke_of(card, ascii));
        const bool apart = last != nullptr && (!card.player.empty() || card.suit != last->suit);
        rows.word(word, apart ? 2 : 1);
        last = &card;
    }
    if (cards.cards.empty()) rows.word({{"-", Ink::Faint}}, 1);
}

// Short facts share lines; each of the others begins its own.
void add_facts(const std::vector<DrawnFact>& facts, const TextStyle& style,
               std::vector<TextLine>& lines) {
    constexpr std::size_t kShort = 30;
    const auto is_short = [](const DrawnFact& fact) {
        return width_of(fact.name) + 1 + width_of(fact.text) <= kShort;
    };
    Rows rows(2, style.width, lines);
    bool first = true;
    for (const DrawnFact& fact : facts) {
        if (!is_short(fact)) continue;
        if (std::exchange(first, false)) rows.begin({"  "}, {}, Ink::Plain);
        const bool red = fact.suit == 'H' || fact.suit == 'D';
        const std::string text =
            fact.suit != 0 ? std::string(suit_sign(fact.suit, style.ascii)) : fact.text;
        rows.word({{fact.name + " ", Ink::Faint}, {text, red ? Ink::Red : Ink::Plain}}, 3);
    }
    for (const DrawnFact& fact : facts) {
        if (is_short(fact)) continue;
        rows.begin({"  "}, {}, Ink::Plain);
        rows.word({{fact.name, Ink::Faint}}, 0);
        rows.words(fact.text);
    }
}

} // namespace

std::string column_name(std::uint32_t column) {
    std::string name;
    for (std::uint32_t rest = column + 1; rest > 0; rest = (rest - 1) / 26)
        name.insert(name.begin(), static_cast<char>('a' + (rest - 1) % 26));
    return name;
}

std::size_t width_of(std::string_view text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

Stroke stroke_of(const DrawnCard& card, bool ascii) {
    const bool red = card.suit == 'H' || card.suit == 'D';
    return {label_of(card, ascii), red ? Ink::Red : Ink::Plain};
}

std::vector<TextLine> text_of(const DrawnBoard& board, const DrawnBoard* before) {
    std::vector<TextLine> lines;
    const std::size_t margin = std::to_string(board.rows).size();
    std::size_t width = column_name(board.columns - 1).size();
    for (const DrawnCell& cell : board.cells)
        width = std::max(width, width_of(cell.piece));
    const auto indent = [&](std::uint32_t row) { return board.hex ? row * (width + 1) / 2 : 0; };
    lines.push_back(column_names(board.columns, margin + indent(board.rows), width));
    for (std::uint32_t row = board.rows; row-- > 0;) {
        TextLine& line = lines.emplace_back();
        const std::string number = std::to_string(row + 1);
        line.push_back(
            {std::string(indent(row) + margin - number.size(), ' ') + number, Ink::Faint});
        for (std::uint32_t column = 0; column < board.columns; ++column) {
            const std::size_t at = std::size_t{row} * board.columns + column;
            const DrawnCell& now = board.cells[at];
            const DrawnCell& old = before != nullptr ? before->cells[at] : now;
            const bool gone = now.piece.empty() && !old.piece.empty();
            const std::string& piece = gone ? old.piece : now.piece;
            const char* const mark = now == old ? " " : gone ? "-" : old.piece.empty() ? "+" : "*";
            line.push_back({mark, gone ? Ink::Dying : Ink::Born});
            if (piece.empty()) {
                line.push_back({std::string(width - 1, ' ') + ".", Ink::Faint});
                continue;
            }
            line.push_back({std::string(width - std::min(width, width_of(piece)), ' ') + piece,
                            gone         ? Ink::Dying
                            : now == old ? ink_of(now.owner)
                                         : Ink::Born});
        }
        line.push_back({" " + number, Ink::Faint});
    }
    lines.push_back(column_names(board.columns, margin, width));
    return lines;
}

std::vector<TextLine> text_of(const Drawing& drawing, const Drawing* before,
                              const TextStyle& style) {
    std::vector<TextLine> lines;
    const bool several = drawing.boards.size() > 1;
    for (std::size_t i = 0; i < drawing.boards.size(); ++i) {
        if (several) lines.push_back({{drawing.boards[i].name, Ink::Faint}});
        const bool same = before != nullptr && i < before->boards.size() &&
                          before->boards[i].name == drawing.boards[i].name;
        auto board = text_of(drawing.boards[i], same ? &before->boards[i] : nullptr);
        lines.insert(lines.end(), std::make_move_iterator(board.begin()),
                     std::make_move_iterator(board.end()));
    }
    std::size_t margin = 0;
    for (const DrawnCards& cards : drawing.cards)
        margin = std::max(margin, width_of(title_of(cards)) + 3);
    margin = std::min(margin, style.width / 2);
    Rows rows(margin, style.width, lines);
    bool marked = false;
    for (const DrawnCards& cards : drawing.cards) {
        const bool turn = cards.hand && cards.hand == drawing.turn;
        marked = marked || turn;
        rows.begin({turn ? "> " : "  ", Ink::Strong}, title_of(cards),
                   turn ? Ink::Strong : Ink::Faint);
        add_cards(cards, style.ascii, rows);
    }
    std::vector<DrawnFact> facts = drawing.facts;
    if (!marked && drawing.turn && *drawing.turn < style.players.size())
        facts.insert(facts.begin(), {"turn", style.players[*drawing.turn], 0});
    add_facts(facts, style, lines);
    return lines;
}

} // namespace croupier::games
