// Reads input lines, and hides what the next person must not see.
#include "tournaments/cli/person.h"

#include "games/drawing/cards.h"
#include "results/store/file.h"
#include "tournaments/cli/command.h"
#include "tournaments/cli/game_show.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <istream>
#include <utility>

namespace croupier::cli {

namespace {

constexpr std::string_view kClear = "\x1b[2J\x1b[3J\x1b[H"; // including the scrolled-away part

std::string trimmed(const std::string& text) {
    constexpr std::string_view kBlanks = " \t\r";
    const std::size_t begin = text.find_first_not_of(kBlanks);
    if (begin == std::string::npos) return {};
    return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

using games::Position;
using tournaments::MoveList;

constexpr std::size_t kRows = 12; // of moves, before asking for more

constexpr std::array<std::string_view, 10> kCommands = {
    "why", "hint", "undo", "leave", "back", "resign", "moves", "table", "help", "quit"};

} // namespace

TerminalSession::TerminalSession(tournaments::LiveGame& game, Page& page, std::istream& in,
                                 std::vector<std::string> advisers, tournaments::MakeAgent make)
    : game_(game), page_(page), in_(in), advisers_(std::move(advisers)), make_(std::move(make)),
      drawer_(game.game()) {
    const tournaments::RecordHeader& header = game.header();
    for (games::Seat seat = 0; seat < facts().seats(); ++seat)
        if (game.is_person(seat))
            people_[seat].eyes = std::make_unique<tournaments::SeatedPerson>(
                game.game(), seat, header.seed, header.start);
    if (game.game().ruleset_game() != nullptr) reasons_.emplace(*game.game().ruleset_game());
}

std::optional<std::string> TerminalSession::read(const std::string& prompt) {
    page_.raw(printable(prompt));
    page_.flush();
    std::string line;
    if (!std::getline(in_, line)) {
        page_.line();
        return std::nullopt;
    }
    line = trimmed(line);
    // A terminal echoes the input; other outputs should contain it, too.
    if (!page_.is_terminal()) page_.line({line});
    return line;
}

bool TerminalSession::take_seat(games::Seat seat) {
    const bool other = here_ != seat;
    here_ = seat;
    if (!other || people_.size() < 2 || !facts().hides) return true;
    const std::string& name = facts().players[seat];
    page_.line();
    if (page_.is_terminal())
        return read(fmt::format("{}, press Enter when no one else can see the screen: ", name))
            .has_value();
    page_.line({fmt::format("---- {} ----", name)});
    return true;
}

std::unique_ptr<tournaments::SeatedAgent> TerminalSession::adviser(std::string& spec) {
    const tournaments::RecordHeader& header = game_.header();
    try {
        if (auto made = tournaments::make_adviser(spec, advisers_, make_))
            return std::make_unique<tournaments::SeatedAgent>(
                game_.game(), *game_.turn(), header.seed, std::move(made), header.start);
    } catch (const UserError& mistake) {
        page_.paragraph(mistake.what());
        return nullptr;
    }
    page_.paragraph("No agent that comes with croupier can advise here; name one: hint AGENT");
    return nullptr;
}

// ---- output -------------------------------------------------------------------------------------

// Prints the moves since the last time.
void TerminalSession::tell_news(games::Seat me) {
    std::string news;
    for (std::size_t& told = people_[me].told; told < game_.made().size(); ++told) {
        const tournaments::LiveGame::Made& each = game_.made()[told];
        const bool card = drawer_.is_card(each.move);
        const std::string move = each.secret && each.player != me ? "a secret move"
                                 : card ? label_of(games::read_card(each.move), page_.ascii())
                                        : each.move;
        news +=
            fmt::format("{}{}: {}", news.empty() ? "" : ", ", facts().players[each.player], move);
    }
    if (!news.empty()) page_.paragraph(news, 2);
}

const Position& TerminalSession::show(games::Seat me) {
    page_.line();
    tell_news(me);
    Person& person = people_[me];
    person.eyes->follow(game_.moves());
    games::Drawing now = person.eyes->draw(drawer_);
    print_drawing(now, person.before ? &*person.before : nullptr, facts(), page_);
    person.before = std::move(now);
    return person.eyes->view();
}

void TerminalSession::show_moves(const MoveList& moves, const std::vector<std::size_t>& places,
                                 std::size_t rows) {
    const auto [lines, left] = moves.lines(places, page_.width(), page_.ascii(), rows);
    print_lines(lines, page_);
    if (left > 0)
        page_.paragraph(
            fmt::format("and {} more: moves lists all, moves d those that begin with d", left), 2);
}

void TerminalSession::show_end(games::Seat seat) {
    take_seat(seat); // also at the end of input
    show(seat);
}

// ---- commands -----------------------------------------------------------------------------------

tournaments::SeatedAgent* TerminalSession::stand_in(games::Seat seat) {
    Person& person = people_[seat];
    if (person.stand_in == nullptr) return nullptr;
    if (person.moves && (*person.moves)-- == 0) {
        bring_back(facts().players[seat]);
        return nullptr;
    }
    return person.stand_in.get();
}

bool TerminalSession::ask() {
    const games::Seat me = *game_.turn();
    if (!take_seat(me)) return false;
    const Position& view = show(me);
    const MoveList moves(view, drawer_);
    const std::string& name = facts().players[me];
    page_.line({fmt::format("{}, your moves:", name)});
    show_moves(moves, moves.beginning_with(""), kRows);
    for (;;) {
        const std::optional<std::string> line = read(name + "> ");
        if (!line) return false;
        if (line->empty()) continue;
        const Answer answered = answer(*line, view, moves);
        if (answered != Answer::Repeat) return answered == Answer::Done;
    }
}

void TerminalSession::leave_seat() {
    if (people_.size() > 1 && facts().hides && page_.is_terminal()) page_.raw(kClear);
}

TerminalSession::Answer TerminalSession::answer(const std::string& line, const Position& view,
                                                const MoveList& moves) {
    const bool slash = line[0] == '/';
    const std::size_t blank = line.find(' ');
    const std::string word = line.substr(slash ? 1 : 0, blank - (slash ? 1 : 0));
    const std::string rest =
        blank == std::string::npos ? "" : line.substr(line.find_first_not_of(' ', blank));
    const bool known = std::find(kCommands.begin(), kCommands.end(), word) != kCommands.end();
    if (slash || line == "?" || (known && !moves.is_name(line)))
        return command(line == "?" ? "help" : word, rest, view, moves);
    MoveList::Found found = moves.find(line);
    if (found.move) {
        game_.play(view.text(view.move(*found.move)));
        leave_seat();
        return Answer::Done;
    }
    if (found.several.size() > 1) {
        page_.line({"which of these?"});
        show_moves(moves, found.several, 0);
        return Answer::Repeat;
    }
    page_.paragraph(fmt::format("'{}' is not a legal move. why {} gives the reason, moves "
                                "lists them all, help lists the other commands.",
                                line, line));
    return Answer::Repeat;
}

TerminalSession::Answer TerminalSession::command(std::string_view word, const std::string& rest,
                                                 const Position& view, const MoveList& moves) {
    if (word == "why") {
        explain(view, rest, moves);
    } else if (word == "hint") {
        give_hint(rest);
    } else if (word == "undo") {
        return take_back();
    } else if (word == "leave") {
        return hand_over(rest);
    } else if (word == "back") {
        bring_back(rest);
    } else if (word == "resign") {
        return resign();
    } else if (word == "moves") {
        const std::vector<std::size_t> places = moves.beginning_with(rest);
        if (places.empty()) page_.line({fmt::format("no legal move begins with '{}'", rest)});
        show_moves(moves, places, 0);
    } else if (word == "table") {
        show(*game_.turn());
    } else if (word == "quit") {
        game_.leave(*game_.turn());
        return Answer::Done;
    } else {
        help();
    }
    return Answer::Repeat;
}

void TerminalSession::help() {
    page_.paragraph("Type a move's number, its name, or enough of the name to tell it from the "
                    "others. 10S is the ten of spades, as is TS.");
    TextTable table{{{"command"}, {"what it does"}}, {}, 2};
    table.rows = {
        {"why", "the rules that make these moves legal"},
        {"why MOVE", "why that move is legal, or what keeps it from being so"},
        {"hint", "what a good agent would play here"},
        {"hint AGENT", "what that agent would play, as croupier play --agents names it"},
        {"undo", "undoes your last move and all after it, where nothing is hidden"},
        {"moves [BEGINNING]", "all legal moves, or those that begin so"},
        {"table", "draws the table again"},
        {"leave [AGENT] [N]", "lets an agent play for you: your next N moves, or the rest"},
        {"back PLAYER", "gives a player that has left the seat back"},
        {"resign", "resigns, for your partners as well; you are asked once more"},
        {"quit", "ends the game here, without a winner"},
    };
    page_.table(table);
    page_.paragraph("Where a move is called like a command, /quit and so on are the command.");
}

void TerminalSession::explain(const Position& view, const std::string& move,
                              const MoveList& moves) {
    if (!reasons_) {
        page_.line({"this game has no rules that could be asked"});
        return;
    }
    std::string name = move;
    if (const MoveList::Found found = moves.find(move); !move.empty() && found.move) {
        name = view.text(view.move(*found.move));
    } else {
        // Illegal moves may be named like legal ones, ignoring case.
        for (const std::string& known : facts().moves) {
            const games::DrawnCard card = games::read_card(known);
            const auto same = [&](std::string_view text) {
                return std::equal(text.begin(), text.end(), move.begin(), move.end(),
                                  [](unsigned char a, unsigned char b) {
                                      return std::tolower(a) == std::tolower(b);
                                  });
            };
            if (!move.empty() &&
                (same(known) || same(label_of(card, true)) || same(label_of(card, false)))) {
                name = known;
                break;
            }
        }
    }
    print_reasons(*reasons_, view, name, page_);
}

// The adviser observes what this seat has seen, in order.
void TerminalSession::give_hint(std::string spec) {
    const auto seated = adviser(spec);
    if (seated == nullptr) return;
    const tournaments::Choice choice = seated->choose(game_.moves());
    page_.line({choice.resigns        ? spec + " would resign"
                : choice.move.empty() ? spec + " has no answer"
                                      : fmt::format("{} would play {}", spec, choice.move)});
}

TerminalSession::Answer TerminalSession::take_back() {
    const games::Seat me = *game_.turn();
    if (facts().hides) {
        page_.paragraph("No undo where cards are hidden.");
        return Answer::Repeat;
    }
    if (!game_.has_moved({me})) {
        page_.line({"there is nothing to undo yet"});
        return Answer::Repeat;
    }
    game_.undo({me});
    page_.line({"undone"});
    for (auto& [seat, person] : people_) {
        person.told = game_.made().size();
        person.before.reset();
    }
    return Answer::Done;
}

TerminalSession::Answer TerminalSession::hand_over(const std::string& rest) {
    const games::Seat me = *game_.turn();
    std::string spec = rest;
    std::optional<std::size_t> moves;
    const std::string last = rest.substr(rest.find_last_of(' ') + 1);
    std::size_t number = 0;
    if (results::read_number(last, number)) {
        moves = number;
        spec = trimmed(rest.substr(0, rest.size() - last.size()));
    }
    if (moves && *moves == 0) {
        page_.line({"leave AGENT N: N is at least 1"});
        return Answer::Repeat;
    }
    auto seated = adviser(spec);
    if (seated == nullptr) return Answer::Repeat;
    people_[me].stand_in = std::move(seated);
    people_[me].moves = moves;
    game_.sit(me, spec);
    page_.line({fmt::format("{} plays for {}", spec, facts().players[me]),
                moves ? fmt::format(", {} move{}", *moves, *moves == 1 ? "" : "s") : ""});
    leave_seat();
    return Answer::Done;
}

void TerminalSession::bring_back(const std::string& player) {
    const auto seat = facts().seat(player);
    const auto found = seat ? people_.find(*seat) : people_.end();
    if (found == people_.end() || found->second.stand_in == nullptr) {
        page_.paragraph(
            fmt::format("back PLAYER names a player who has left; '{}' has not", player));
        return;
    }
    found->second.stand_in = nullptr;
    game_.sit(*seat, game_.header().agents[*seat]);
    page_.line({player, " is back"});
}

TerminalSession::Answer TerminalSession::resign() {
    const games::Seat me = *game_.turn();
    const auto line = read(fmt::format("{} would lose, and the game ends for all. Type yes to "
                                       "resign: ",
                                       fmt::join(facts().names_of(facts().partners(me)), " and ")));
    if (!line) return Answer::InputEnded;
    if (*line != "yes") {
        page_.line({"not resigned"});
        return Answer::Repeat;
    }
    game_.resign(me);
    leave_seat();
    return Answer::Done;
}

} // namespace croupier::cli
