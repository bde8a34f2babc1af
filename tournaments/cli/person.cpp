// Reads lines, hides what the next one must not see.
#include "tournaments/cli/person.h"

#include "games/drawing/cards.h"
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

constexpr std::string_view kClear = "\x1b[2J\x1b[3J\x1b[H"; // what has scrolled away as well

std::string trimmed(const std::string& text) {
    constexpr std::string_view kBlanks = " \t\r";
    const std::size_t begin = text.find_first_not_of(kBlanks);
    if (begin == std::string::npos) return {};
    return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

using games::Position;
using tournaments::MoveList;

constexpr std::size_t kRows = 12; // of moves, before more are asked for

constexpr std::array<std::string_view, 8> kCommands = {"why",   "hint",  "undo", "resign",
                                                       "moves", "table", "help", "quit"};

// Makes the first moves as they were made before, then leaves the choice to the agent.
class Repeating : public agents::Agent {
  public:
    Repeating(Agent& inner, const std::vector<std::uint32_t>& made) : inner_(inner), made_(made) {}

    void reset(const games::Game& game, games::Seat me) override {
        inner_.reset(game, me);
        looks_ = inner_.needs_view();
    }
    std::size_t choose(const games::Position& view, games::Random& random) override {
        repeats_ = view.plies() < made_.size();
        if (repeats_) return made_[view.plies()];
        return looks_ ? inner_.choose(view, random)
                      : inner_.choose_by_count(view.move_count(), random);
    }
    [[nodiscard]] bool observes() const override { return inner_.observes(); }
    void observe(const games::Position& view, const agents::ObservedMove& seen) override {
        inner_.observe(view, seen);
    }
    void judged(const agents::Verdict& verdict) override { inner_.judged(verdict); }
    void ends(const games::Position& view) override { inner_.ends(view); }
    [[nodiscard]] bool offers_draw() const override { return !repeats_ && inner_.offers_draw(); }
    [[nodiscard]] const agents::AgentFault* fault() const override { return inner_.fault(); }
    [[nodiscard]] const agents::Substitution* substitution() const override {
        return inner_.substitution();
    }
    [[nodiscard]] bool is_reproducible() const override { return false; }

  private:
    Agent& inner_;
    const std::vector<std::uint32_t>& made_;
    bool looks_ = true;
    bool repeats_ = false;
};

} // namespace

TerminalSession::TerminalSession(const games::Game& game, Page& page, std::istream& in,
                                 std::size_t people, std::vector<std::string> advisers,
                                 AgentOf make)
    : game_(game), page_(page), in_(in), people_(people), advisers_(std::move(advisers)),
      make_(std::move(make)), drawer_(game) {}

std::optional<std::string> TerminalSession::read(const std::string& prompt) {
    page_.raw(printable(prompt));
    page_.flush();
    std::string line;
    if (!std::getline(in_, line)) {
        page_.line();
        return std::nullopt;
    }
    line = trimmed(line);
    // A terminal shows what is typed; elsewhere the reader of the output wants to see it.
    if (!page_.is_terminal()) page_.line({line});
    return line;
}

void TerminalSession::take_seat(games::Seat seat) {
    const bool other = here_ != seat;
    here_ = seat;
    if (!other || people_ < 2 || !game_.facts().hides) return;
    const std::string& name = game_.facts().players[seat];
    page_.line();
    if (!page_.is_terminal()) {
        page_.line({fmt::format("---- {} ----", name)});
        return;
    }
    if (!read(fmt::format("{}, press Enter when nobody else can see the screen: ", name)))
        wish(Wish::InputEnded);
}

void TerminalSession::leave_seat() {
    if (people_ > 1 && game_.facts().hides && page_.is_terminal()) page_.raw(kClear);
}

std::unique_ptr<agents::Agent> TerminalSession::adviser(std::string& spec) {
    if (!spec.empty()) {
        try {
            return make_(spec);
        } catch (const UserError& mistake) {
            page_.paragraph(mistake.what());
            return nullptr;
        }
    }
    for (const std::string& each : advisers_) {
        try {
            spec = each;
            return make_(each);
        } catch (const UserError&) { // it does not play this game: the next one
        }
    }
    page_.paragraph("No agent that comes with croupier can advise here; name one: hint AGENT");
    return nullptr;
}

const tournaments::MoveReasons* TerminalSession::reasons() {
    const games::RulesetGame* const rules = game_.ruleset_game();
    if (!reasons_ && rules != nullptr) reasons_.emplace(*rules);
    return reasons_ ? &*reasons_ : nullptr;
}

void HumanAgent::reset(const games::Game& game, games::Seat me) {
    game_ = &game;
    me_ = me;
    happened_.clear();
    told_ = 0;
    before_.reset();
    observer_ = game.facts().hides ? game.new_observer() : nullptr;
    if (observer_ != nullptr) {
        observer_->reset(me);
        likely_ = game.new_position();
    }
}

void HumanAgent::observe(const Position& view, const agents::ObservedMove& seen) {
    if (observer_ != nullptr) observer_->observe(view, seen.player, seen.move);
    happened_.push_back({seen.player, std::string(seen.move), seen.draw, view.clone()});
    if (happened_.size() <= desk_.told_before) told_ = happened_.size();
}

// ---- what is shown ------------------------------------------------------------------------------

// The moves since the last time.
void HumanAgent::tell_news() {
    std::string news;
    for (; told_ < happened_.size(); ++told_) {
        const Happened& each = happened_[told_];
        const bool card = desk_.drawer().is_card(each.move);
        const std::string move = each.move.empty() ? "a secret move"
                                 : card
                                     ? label_of(games::read_card(each.move), desk_.page().ascii())
                                     : each.move;
        news += fmt::format("{}{}: {}", news.empty() ? "" : ", ",
                            game_->facts().players[each.player], move);
    }
    if (!news.empty()) desk_.page().paragraph(news, 2);
}

void HumanAgent::show(const Position& view) {
    Page& page = desk_.page();
    page.line();
    tell_news();
    const Position* likely = nullptr;
    if (observer_ != nullptr) {
        // Sizes are the same in all positions that agree with the view: chance is of no account.
        games::Random random(0);
        if (observer_->look(view) && observer_->draw(*likely_, random)) likely = likely_.get();
    }
    games::Drawing now = desk_.drawer().draw_view(view, me_, likely);
    print_drawing(now, before_ ? &*before_ : nullptr, game_->facts(), page);
    before_ = std::move(now);
}

void HumanAgent::show_moves(const MoveList& moves, const std::vector<std::size_t>& places,
                            std::size_t rows) {
    Page& page = desk_.page();
    const auto [lines, left] = moves.lines(places, page.width(), page.ascii(), rows);
    print_lines(lines, page);
    if (left > 0)
        page.paragraph(
            fmt::format("and {} more: moves lists all, moves d those that begin with d", left), 2);
}

void HumanAgent::ends(const Position& view) {
    desk_.take_seat(me_);
    show(view);
}

// ---- what is asked ------------------------------------------------------------------------------

std::size_t HumanAgent::choose(const Position& view, games::Random&) {
    desk_.take_seat(me_);
    if (desk_.wish() != TerminalSession::Wish::None) return agents::kNoChoice;
    show(view);
    const MoveList moves(view, desk_.drawer());
    const std::string& name = game_->facts().players[me_];
    desk_.page().line({fmt::format("{}, your moves:", name)});
    show_moves(moves, moves.beginning_with(""), kRows);
    for (;;) {
        const std::optional<std::string> line = desk_.read(name + "> ");
        if (!line) {
            desk_.wish(TerminalSession::Wish::InputEnded);
            return agents::kNoChoice;
        }
        if (line->empty()) continue;
        if (const Answer choice = answer(*line, view, moves)) {
            if (*choice != agents::kNoChoice) desk_.leave_seat();
            return *choice;
        }
    }
}

HumanAgent::Answer HumanAgent::answer(const std::string& line, const Position& view,
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
    if (found.move) return found.move;
    if (found.several.size() > 1) {
        desk_.page().line({"which of these?"});
        show_moves(moves, found.several, 0);
        return std::nullopt;
    }
    desk_.page().paragraph(fmt::format("'{}' is not a legal move. why {} gives the reason, moves "
                                       "lists them all, help lists the other commands.",
                                       line, line));
    return std::nullopt;
}

HumanAgent::Answer HumanAgent::command(std::string_view word, const std::string& rest,
                                       const Position& view, const MoveList& moves) {
    if (word == "why") {
        explain(view, rest, moves);
    } else if (word == "hint") {
        give_hint(view, rest);
    } else if (word == "undo") {
        return take_back();
    } else if (word == "resign") {
        return agents::kResigns;
    } else if (word == "moves") {
        const std::vector<std::size_t> places = moves.beginning_with(rest);
        if (places.empty())
            desk_.page().line({fmt::format("no legal move begins with '{}'", rest)});
        show_moves(moves, places, 0);
    } else if (word == "table") {
        show(view);
    } else if (word == "quit") {
        desk_.wish(TerminalSession::Wish::Quit);
        return agents::kNoChoice;
    } else {
        help();
    }
    return std::nullopt;
}

void HumanAgent::help() {
    Page& page = desk_.page();
    page.paragraph("Type a move's number, its name, or enough of the name to tell it from the "
                   "others. 10S is the ten of spades, as is TS.");
    Table table{{{"command"}, {"what it does"}}, {}, 2};
    table.rows = {
        {"why", "the rules that make these moves legal"},
        {"why MOVE", "why that move is legal, or what keeps it from being so"},
        {"hint", "what a good agent would play here"},
        {"hint AGENT", "what that agent would play, as croupier play --agents names it"},
        {"undo", "takes back your last move and all after it, where nothing is hidden"},
        {"moves [BEGINNING]", "all legal moves, or those that begin so"},
        {"table", "draws the table again"},
        {"resign", "resigns"},
        {"quit", "leaves the game, which then has no result"},
    };
    page.table(table);
    page.paragraph("Where a move is called like a command, /quit and so on are the command.");
}

void HumanAgent::explain(const Position& view, const std::string& move, const MoveList& moves) {
    const tournaments::MoveReasons* const reasons = desk_.reasons();
    if (reasons == nullptr) {
        desk_.page().line({"this game has no rules that could be asked"});
        return;
    }
    std::string name = move;
    if (const MoveList::Found found = moves.find(move); !move.empty() && found.move) {
        name = view.text(view.move(*found.move));
    } else {
        // A move that is not legal may be named as legal ones are, in letters of any case.
        for (const std::string& known : game_->facts().moves) {
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
    print_reasons(*reasons, view, name, desk_.page());
}

// The adviser sees what this seat has seen, in its order.
void HumanAgent::give_hint(const Position& view, std::string spec) {
    const std::unique_ptr<agents::Agent> adviser = desk_.adviser(spec);
    if (adviser == nullptr) return;
    adviser->reset(*game_, me_);
    if (adviser->observes())
        for (const Happened& each : happened_)
            adviser->observe(*each.view, {each.player, each.move, each.draw});
    games::Random random(view.plies() + 1);
    const std::size_t choice = adviser->needs_view()
                                   ? adviser->choose(view, random)
                                   : adviser->choose_by_count(view.move_count(), random);
    Page& page = desk_.page();
    if (choice == agents::kResigns)
        page.line({fmt::format("{} would resign", spec)});
    else if (choice >= view.move_count())
        page.line({fmt::format("{} has no answer", spec)});
    else
        page.line({fmt::format("{} would play {}", spec, view.text(view.move(choice)))});
}

HumanAgent::Answer HumanAgent::take_back() {
    if (game_->facts().hides) {
        desk_.page().paragraph("Nothing can be taken back in a game that hides something: who has "
                               "seen a card has seen it.");
        return std::nullopt;
    }
    for (std::size_t i = happened_.size(); i-- > desk_.given;) {
        if (happened_[i].player != me_) continue;
        desk_.wish(TerminalSession::Wish::Undo, i);
        return agents::kNoChoice;
    }
    desk_.page().line({"there is nothing to take back yet"});
    return std::nullopt;
}

const games::Position& PersonGame::play(std::span<agents::Agent* const> agents,
                                        const agents::GameKey& key, const Begin& begin,
                                        const agents::Opening* opening) {
    std::vector<std::uint32_t> made; // that are made again
    std::vector<std::unique_ptr<Repeating>> repeating;
    std::vector<agents::Agent*> seated;
    for (agents::Agent* const agent : agents) {
        repeating.push_back(std::make_unique<Repeating>(*agent, made));
        seated.push_back(repeating.back().get());
    }
    desk_.given = opening != nullptr ? opening->moves.size() : 0;
    desk_.on_wish = [&] { stop_.stop(); };
    table_.set_abandon(&stop_.wanted());
    for (;;) {
        const games::Position& end = table_.play(seated, key, &begin(), opening);
        if (!table_.abandoned() || desk_.wish() != TerminalSession::Wish::Undo ||
            stop_.signal() != 0)
            return end;
        made.assign(table_.made().begin(),
                    table_.made().begin() + static_cast<std::ptrdiff_t>(desk_.keep()));
        desk_.told_before = made.size();
        desk_.page().line({"taken back"});
        desk_.forget_wish();
        stop_.go_on();
    }
}

} // namespace croupier::cli
