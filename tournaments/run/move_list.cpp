// Sorts, numbers and finds moves.
#include "tournaments/run/move_list.h"

#include "games/drawing/cards.h"
#include "results/store/file.h"

#include <algorithm>
#include <cctype>

namespace croupier::tournaments {

namespace {

std::string lower_case(std::string_view text) {
    std::string lower(text);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return lower;
}

std::optional<std::size_t> number_in(std::string_view text) {
    std::size_t number = 0;
    return results::read_number(text, number) ? std::optional(number) : std::nullopt;
}

} // namespace

games::Stroke MoveList::Entry::shown(bool ascii) const {
    return is_card ? games::stroke_of(card, ascii) : games::Stroke{name};
}

MoveList::MoveList(const games::Position& position, const games::Drawer& drawer) {
    for (std::size_t i = 0; i < position.move_count(); ++i) {
        Entry entry{i, std::string(position.text(position.move(i))), {}, false};
        entry.is_card = drawer.is_card(entry.name);
        if (entry.is_card) entry.card = games::read_card(entry.name);
        numbered_ = numbered_ && !number_in(entry.name);
        entries_.push_back(std::move(entry));
    }
    const games::Pack& pack = drawer.pack();
    std::stable_sort(entries_.begin(), entries_.end(), [&](const Entry& a, const Entry& b) {
        return a.is_card && pack.place(a.name) < pack.place(b.name);
    });
}

bool MoveList::is_name(std::string_view written) const {
    return std::any_of(entries_.begin(), entries_.end(),
                       [&](const Entry& entry) { return entry.name == written; });
}

std::vector<std::size_t> MoveList::beginning_with(std::string_view written) const {
    const std::string wanted = lower_case(written);
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        const Entry& entry = entries_[i];
        const bool named = lower_case(entry.name).starts_with(wanted);
        const bool labelled =
            entry.is_card && (lower_case(label_of(entry.card, true)).starts_with(wanted) ||
                              label_of(entry.card, false).starts_with(written));
        if (named || labelled) places.push_back(i);
    }
    return places;
}

MoveList::Found MoveList::find(std::string_view written) const {
    for (const Entry& entry : entries_)
        if (entry.name == written) return {entry.index, {}};
    if (const auto number = number_in(written); number && numbered_) {
        if (*number >= 1 && *number <= entries_.size()) return {entries_[*number - 1].index, {}};
    }
    std::vector<std::size_t> places = beginning_with(written);
    // A complete name is that move, even if other names begin with it.
    std::vector<std::size_t> whole;
    for (const std::size_t place : places) {
        const Entry& entry = entries_[place];
        if (lower_case(entry.name) == lower_case(written) ||
            (entry.is_card && lower_case(label_of(entry.card, true)) == lower_case(written)))
            whole.push_back(place);
    }
    if (whole.size() == 1) places = whole;
    if (places.size() == 1) return {entries_[places[0]].index, {}};
    return {std::nullopt, std::move(places)};
}

std::pair<std::vector<games::TextLine>, std::size_t>
MoveList::lines(const std::vector<std::size_t>& places, std::size_t width, bool ascii,
                std::size_t rows) const {
    const std::size_t digits = numbered_ ? std::to_string(entries_.size()).size() + 1 : 0;
    std::size_t widest = 1;
    for (const std::size_t place : places)
        widest = std::max(widest, games::width_of(entries_[place].shown(ascii).text));
    const std::size_t cell = digits + widest + 2;
    const std::size_t columns =
        std::max<std::size_t>((width - std::min(width, std::size_t{2})) / cell, 1);
    std::vector<games::TextLine> lines;
    std::size_t shown = 0;
    for (const std::size_t place : places) {
        if (shown % columns == 0) {
            if (rows != 0 && lines.size() == rows) break;
            lines.push_back({{"  "}});
        }
        const games::Stroke name = entries_[place].shown(ascii);
        games::TextLine& line = lines.back();
        if (numbered_) {
            const std::string number = std::to_string(place + 1);
            line.push_back(
                {std::string(digits - 1 - number.size(), ' ') + number + " ", games::Ink::Faint});
        }
        line.push_back(name);
        ++shown;
        if (shown % columns != 0 && shown < places.size())
            line.push_back({std::string(cell - digits - games::width_of(name.text), ' ')});
    }
    return {std::move(lines), places.size() - shown};
}

} // namespace croupier::tournaments
