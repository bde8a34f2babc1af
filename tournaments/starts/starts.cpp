// Reads start positions and checks them.
#include "tournaments/starts/starts.h"

#include "tournaments/spec/specification.h"

#include <fmt/format.h>

#include <numeric>
#include <string_view>
#include <utility>

namespace croupier::tournaments {
namespace {

using engine::Diagnostics;
using engine::Document;
using engine::Member;
using engine::Span;
using games::Ending;

// Moves a span of a text read separately to its position in the file.
void move_span(Span& span, std::uint32_t file, std::uint32_t by) {
    span.file = file;
    span.begin += by;
    span.end += by;
}
void move_spans(Document& document, std::uint32_t file, std::uint32_t by) {
    move_span(document.span, file, by);
    for (Member& member : document.members) {
        move_span(member.key_span, file, by);
        move_spans(member.value, file, by);
    }
}

// One document per line; skips empty lines.
std::vector<Document> read_lines(const engine::Sources& sources, std::uint32_t file,
                                 Diagnostics& diagnostics) {
    const std::string_view text = sources.text(file);
    std::vector<Document> all;
    for (std::size_t at = 0; at < text.size() && !diagnostics.full();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string_view line = text.substr(at, end - at);
        const auto begin = static_cast<std::uint32_t>(std::exchange(at, end + 1));
        if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
        engine::Sources alone;
        Diagnostics wrong;
        const std::uint32_t only = alone.add(sources.name(file), std::string(line));
        if (auto document = engine::read_json(alone, only, wrong)) {
            move_spans(*document, file, begin);
            all.push_back(std::move(*document));
        }
        for (engine::Diagnostic diagnostic : wrong.sorted()) {
            move_span(diagnostic.span, file, begin);
            diagnostics.add(std::move(diagnostic));
        }
    }
    return all;
}

// The format with lines is recognized by a complete first line with something after it.
bool is_lines(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos || text[begin] == '[') return false;
    const std::size_t end = text.find('\n', begin);
    if (end == std::string_view::npos) return false;
    engine::Sources alone;
    Diagnostics wrong;
    return engine::read_json(alone, alone.add("", std::string(text.substr(begin, end - begin))),
                             wrong)
        .has_value();
}

void read_moves(const Document& list, Start& start, Diagnostics& diagnostics) {
    for (const Member& member : list.members) {
        if (!member.value.is_string()) {
            diagnostics.error(code::kStarts, member.value.span, "a move is a text, as in \"c3\"");
            continue;
        }
        start.moves.push_back(member.value.text());
        start.move_places.push_back(member.value.span);
    }
}

// An object with only these two members, in their form, is not a state.
bool is_wrapped(const Document& document) {
    if (document.members.empty()) return false;
    for (const Member& member : document.members) {
        const bool known = (member.key == "moves" && member.value.is_array()) ||
                           (member.key == "state" && member.value.is_object());
        if (!known) return false;
    }
    return true;
}

void add_start(Document document, std::vector<Start>& into, Diagnostics& diagnostics) {
    Start start;
    start.number = into.size();
    start.place = document.span;
    if (!document.is_object()) {
        diagnostics.error(code::kStarts, document.span,
                          "a start is a state, or an object with \"moves\"",
                          "as in {\"moves\": [\"c3\", \"d4\"]}");
        return;
    }
    if (!is_wrapped(document)) {
        start.state = std::move(document);
    } else {
        for (Member& member : document.members)
            if (member.key == "moves")
                read_moves(member.value, start, diagnostics);
            else
                start.state = std::move(member.value);
    }
    into.push_back(std::move(start));
}

std::string fault_of(const games::Position& position) {
    const games::Fault& fault = position.fault();
    return fault.rule.empty() ? fault.what : fmt::format("rule {}: {}", fault.rule, fault.what);
}

// False, with a message, if no player can choose.
bool goes_on(const games::Position& position, Span place, std::string_view when,
             Diagnostics& diagnostics) {
    if (position.ending() == Ending::None) return true;
    if (position.ending() == Ending::Aborted)
        diagnostics.error(code::kStarts, place,
                          fmt::format("the game is aborted {}: {}", when, fault_of(position)));
    else
        diagnostics.error(code::kStarts, place,
                          fmt::format("the game has ended {} ({}): there is no choice", when,
                                      games::name_of(position.ending())));
    return false;
}

void try_start(const Start& start, const games::Game& game, std::uint64_t seed,
               Diagnostics& diagnostics) {
    const auto position = game.new_position();
    if (!begin_at(start, seed, *position, diagnostics)) return;
    if (!goes_on(*position, start.place, "at once", diagnostics)) return;
    games::Random chance = games::stream(seed, start.number, games::Purpose::Play);
    for (std::size_t i = 0; i < start.moves.size(); ++i) {
        const auto move = position->find_move(start.moves[i]);
        if (!move) {
            diagnostics.error(code::kStarts, start.move_places[i],
                              fmt::format("'{}', move {}, is not legal for {}", start.moves[i],
                                          i + 1, game.facts().players[position->turn()]),
                              fmt::format("legal are {}", list_of_moves(*position)));
            return;
        }
        position->play(*move, chance);
        const std::string when = fmt::format("after '{}', move {}", start.moves[i], i + 1);
        if (!goes_on(*position, start.move_places[i], when, diagnostics)) return;
    }
}

} // namespace

std::vector<Start> read_starts(const engine::Sources& sources, std::uint32_t file,
                               Diagnostics& diagnostics) {
    std::vector<Start> all;
    if (is_lines(sources.text(file))) {
        for (Document& document : read_lines(sources, file, diagnostics))
            add_start(std::move(document), all, diagnostics);
    } else if (auto document = engine::read_json(sources, file, diagnostics)) {
        if (document->is_array())
            for (Member& member : document->members)
                add_start(std::move(member.value), all, diagnostics);
        else
            add_start(std::move(*document), all, diagnostics);
    }
    if (all.empty() && !diagnostics.has_errors())
        diagnostics.error(code::kStarts, {file, 0, 0}, "there is no start position in it");
    return all;
}

bool begin_at(const Start& start, std::uint64_t seed, games::Position& into,
              Diagnostics& diagnostics) {
    games::Random deal = games::stream(seed, start.number, games::Purpose::Deal);
    if (!start.state) {
        into.start(deal);
        return true;
    }
    if (!into.load(*start.state, deal, diagnostics)) return false;
    into.resume(deal);
    return true;
}

void check_start(const Start& start, const games::Game& game, std::uint64_t seed,
                 Diagnostics& diagnostics) {
    Diagnostics own; // the reader of a state stops at earlier errors
    try_start(start, game, seed, own);
    for (engine::Diagnostic each : own.sorted())
        diagnostics.add(std::move(each));
}

std::string list_of_moves(const games::Position& position) {
    std::string text;
    for (std::size_t i = 0; i < position.move_count(); ++i) {
        if (i > 0) text += ", ";
        text += position.text(position.move(i));
    }
    return text;
}

Starts::Starts(std::vector<Start> all, bool drawn, std::uint64_t seed)
    : all_(std::move(all)), order_(all_.size()) {
    constexpr std::uint64_t kDraw = 0x737461727473; // "starts": not the number of any deal
    std::iota(order_.begin(), order_.end(), 0);
    if (!drawn) return;
    games::Random random = games::Random(seed).stream(kDraw);
    for (std::size_t i = order_.size(); i > 1; --i)
        std::swap(order_[i - 1], order_[random.below(i)]);
}

const agents::Opening& Opener::open(const Start& start, std::uint64_t seed) {
    if (laid_out_ == &start && seed_ == seed) return opening_;
    laid_out_ = &start;
    seed_ = seed;
    opening_ = {nullptr, start.number, start.moves};
    if (!start.state) return opening_;
    if (position_ == nullptr) position_ = game_.new_position();
    engine::Diagnostics none;
    if (begin_at(start, seed, *position_, none)) opening_.position = position_.get();
    return opening_;
}

} // namespace croupier::tournaments
