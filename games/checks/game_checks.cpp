// Plays random games and checks every position from every seat.
#include "games/checks/game_checks.h"

#include "engine/api/text.h"
#include "games/ruleset/ruleset_observer.h"

#include <algorithm>
#include <memory>
#include <optional>

namespace croupier::games {

namespace {

using engine::Document;
using engine::Member;
using Path = std::vector<std::string>;

constexpr std::string_view kOnly = "only ";

// Walks the `hidden` block along with a state.
class HiddenParts {
  public:
    HiddenParts(const Document& block, const Document& state, const std::string& player)
        : state_(state), player_(player) {
        walk(block, state_, {});
    }

    [[nodiscard]] std::vector<Document> changed() const {
        std::vector<Document> all;
        for (std::size_t i = 0; i < hidden_.size(); ++i) {
            Document without = state_;
            remove(without, hidden_[i]);
            all.push_back(std::move(without));
            for (std::size_t j = i + 1; j < hidden_.size(); ++j) {
                if (hidden_[i].size() != hidden_[j].size()) continue;
                Document exchanged = state_;
                Document& one = at(exchanged, hidden_[i]);
                Document& other = at(exchanged, hidden_[j]);
                if (engine::write_json(one) == engine::write_json(other)) continue;
                std::swap(one.members, other.members);
                std::swap(one.scalar, other.scalar);
                std::swap(one.kind, other.kind);
                all.push_back(std::move(exchanged));
            }
        }
        return all;
    }

  private:
    void walk(const Document& block, const Document& node, const Path& above) {
        for (const Member& rule : block.members) {
            for (const Member& child : node.members) {
                const bool any = rule.key[0] == '$';
                if (!any && rule.key != child.key) continue;
                Path path = above;
                path.push_back(child.key);
                if (rule.value.is_object())
                    walk(rule.value, child.value, path);
                else if (!(rule.value.text() == std::string(kOnly) + rule.key &&
                           child.key == player_) &&
                         !names_player(rule.value.text()))
                    hidden_.push_back(path);
            }
        }
    }

    // Whether the state names the player at "only contract.partner".
    [[nodiscard]] bool names_player(const std::string& who) const {
        const Document* node = &state_;
        for (std::size_t start = kOnly.size(); start <= who.size();) {
            const std::size_t end = std::min(who.find('.', start), who.size());
            const Member* member = node->find(who.substr(start, end - start));
            if (member == nullptr) return false;
            node = &member->value;
            start = end + 1;
        }
        return node->is_string() && node->text() == player_;
    }

    static Document& at(Document& state, const Path& path) {
        Document* node = &state;
        for (const std::string& key : path) {
            const auto child = std::ranges::find(node->members, key, &Member::key);
            node = &child->value;
        }
        return *node;
    }

    static void remove(Document& state, Path path) {
        const std::string last = path.back();
        path.pop_back();
        std::erase_if(at(state, path).members,
                      [&](const Member& member) { return member.key == last; });
    }

    const Document& state_;
    const std::string& player_;
    std::vector<Path> hidden_;
};

// Draws of a position, which must agree with the view; if there are few ways, so many that the true
// one is missing only once in e^12 cases.
constexpr int kDraws = 2;
constexpr double kFewWays = 30;
constexpr int kDrawsAWay = 12;

void sort_members(Document& document) {
    if (document.is_object()) std::ranges::sort(document.members, {}, &engine::Member::key);
    for (engine::Member& member : document.members)
        sort_members(member.value);
}

// An empty hand and a missing one are equal.
void drop_empty(Document& document) {
    for (engine::Member& member : document.members)
        drop_empty(member.value);
    std::erase_if(document.members, [](const engine::Member& member) {
        return member.value.is_object() && member.value.members.empty();
    });
}

// The order of a record's children must not matter.
std::string sorted_text(const Position& position) {
    Document state = position.state();
    sort_members(state);
    return engine::write_json(state, -1);
}

std::string names_of_moves(const Position& position) {
    std::string names;
    for (std::size_t i = 0; i < position.move_count(); ++i)
        names += (i == 0 ? "" : " ") + std::string(position.text(position.move(i)));
    return names;
}

// Where two texts begin to differ, with some context.
std::string difference_of(const std::string& one, const std::string& other) {
    const auto differs = std::mismatch(one.begin(), one.end(), other.begin(), other.end());
    const auto at = static_cast<std::size_t>(differs.first - one.begin());
    const std::size_t from = at < 20 ? 0 : at - 20;
    return one.substr(from, 60) + " | " + other.substr(from, 60);
}

class Checker {
  public:
    Checker(const RulesetGame& game, const GameChecks& checks)
        : game_(game), checks_(checks), position_(game.new_position()), view_(game.new_position()),
          other_(game.new_position()), other_view_(game.new_position()) {
        position_->set_watch(checks.watch);
        for (const OnePlaceRule& rule : checks.one_place)
            places_.emplace_back(game, rule);
        if (!checks.draws) return;
        if (game.new_observer() == nullptr) {
            report("draws",
                   "the ruleset does not say how what is hidden is drawn (unseen, restore)");
            return;
        }
        for (Seat seat = 0; seat < game.facts().seats(); ++seat)
            observers_.push_back(std::make_unique<RulesetObserver>(game));
    }

    std::vector<GameProblem> check() {
        for (std::uint64_t game = 0; game < checks_.games; ++game)
            play(checks_.seed + game);
        return std::move(problems_);
    }

  private:
    void play(std::uint64_t seed) {
        seed_ = seed;
        moves_.clear();
        GameStreams streams(seed, 0, game_.facts().seats());
        position_->start(streams.deal);
        for (Seat seat = 0; seat < observers_.size(); ++seat)
            observers_[seat]->reset(seat);
        for (OnePlace& places : places_)
            report("one_place", places.begins(position_->state()));
        while (position_->ending() == Ending::None && position_->plies() < checks_.most_moves) {
            look();
            const Seat turn = position_->turn();
            const Move move = position_->move(streams.choices[turn].below(position_->move_count()));
            const std::string name(position_->text(move));
            const bool secret = position_->is_secret();
            moves_ += (moves_.empty() ? "" : ",") + name;
            position_->play(move, streams.play);
            for (OnePlace& places : places_)
                report("one_place", places.moved(position_->state(), name));
            for (Seat seat = 0; seat < observers_.size(); ++seat) {
                view_->view_from(*position_, seat);
                observers_[seat]->observe(*view_, turn, secret && seat != turn ? "" : name);
            }
        }
        if (position_->ending() == Ending::Aborted)
            report("games", "aborted: " + position_->fault().rule + ": " + position_->fault().what);
    }

    // Reports only the first problem of each check.
    void report(std::string_view check, std::string what) {
        if (what.empty() || is_known(check)) return;
        problems_.push_back({std::string(check), std::move(what), seed_, moves_});
    }
    [[nodiscard]] bool is_known(std::string_view check) const {
        return std::ranges::any_of(problems_,
                                   [&](const GameProblem& each) { return each.check == check; });
    }

    void look() {
        if (checks_.reload && !is_known("reload")) report("reload", reload());
        for (Seat seat = 0; seat < game_.facts().seats(); ++seat) {
            if (checks_.views && !is_known("views")) report("views", views(seat));
            if (!observers_.empty() && seat == position_->turn() && !is_known("draws"))
                report("draws", draws(seat));
        }
    }

    std::string reload() {
        Random chance(1);
        engine::Diagnostics diagnostics;
        if (!other_->load(position_->state(), chance, diagnostics))
            return "its state is not accepted: " + diagnostics.sorted().at(0).message;
        other_->resume(chance);
        if (sorted_text(*other_) != sorted_text(*position_))
            return "read again, its state differs: " +
                   difference_of(sorted_text(*position_), sorted_text(*other_));
        if (names_of_moves(*other_) != names_of_moves(*position_))
            return "read again, its moves differ: " +
                   difference_of(names_of_moves(*position_), names_of_moves(*other_));
        return {};
    }

    std::string views(Seat seat) {
        const auto& hidden = game_.ruleset().hidden;
        if (!hidden) return {};
        view_->view_from(*position_, seat);
        const std::string seen = sorted_text(*view_);
        const std::string moves = names_of_moves(*view_);
        const std::string& player = game_.facts().players[seat];
        for (const Document& changed : changed_where_hidden(*hidden, position_->state(), player)) {
            Random chance(1);
            engine::Diagnostics diagnostics;
            if (!other_->load(changed, chance, diagnostics)) continue; // not a state of this game
            if (seat == position_->turn()) other_->resume(chance);
            other_view_->view_from(*other_, seat);
            if (sorted_text(*other_view_) != seen)
                return player +
                       " sees what is hidden: " + difference_of(seen, sorted_text(*other_view_));
            if (names_of_moves(*other_view_) != moves)
                return "the moves of " + player + " tell what is hidden: " +
                       difference_of(moves, names_of_moves(*other_view_));
        }
        return {};
    }

    std::string draws(Seat seat) {
        const std::string& player = game_.facts().players[seat];
        RulesetObserver& observer = *observers_[seat];
        view_->view_from(*position_, seat);
        if (!observer.look(*view_)) return "of " + player + ": " + observer.problem();
        const std::string seen = sorted_text(*view_);
        for (int i = 0; i < kDraws; ++i) {
            if (!observer.draw(*other_, random_)) return "of " + player + ": " + observer.problem();
            other_view_->view_from(*other_, seat);
            if (sorted_text(*other_view_) != seen)
                return "what is drawn for " + player +
                       " is not what he sees: " + difference_of(seen, sorted_text(*other_view_));
            if (names_of_moves(*other_) != names_of_moves(*view_))
                return "what is drawn for " + player + " has other moves: " +
                       difference_of(names_of_moves(*view_), names_of_moves(*other_));
            for (const OnePlaceRule& rule : checks_.one_place) {
                OnePlace places(game_, rule);
                const std::string problem = places.begins(other_->state());
                if (!problem.empty()) return "drawn for " + player + ": " + problem;
            }
        }
        return truth(seat, observer);
    }

    // The visible part of the true position, over all seats, must be among the draws.
    std::string truth(Seat seat, RulesetObserver& observer) {
        if (observer.ways() > kFewWays) return {};
        const std::string true_views = views_of_all(*position_);
        const int most = static_cast<int>(observer.ways()) * kDrawsAWay + kDrawsAWay;
        std::string drawn;
        for (int i = 0; i < most; ++i) {
            if (!observer.draw(*other_, random_)) continue;
            drawn = views_of_all(*other_);
            if (drawn == true_views) return {};
        }
        return "what really lies there is never drawn for " + game_.facts().players[seat] + ": " +
               difference_of(true_views, drawn);
    }

    std::string views_of_all(const Position& position) {
        std::string text;
        for (Seat seat = 0; seat < game_.facts().seats(); ++seat) {
            other_view_->view_from(position, seat);
            Document state = other_view_->state();
            sort_members(state);
            drop_empty(state);
            text += engine::write_json(state, -1) + "\n";
        }
        return text;
    }

    const RulesetGame& game_;
    const GameChecks& checks_;
    std::unique_ptr<Position> position_;
    std::unique_ptr<Position> view_;
    std::unique_ptr<Position> other_;
    std::unique_ptr<Position> other_view_;
    std::vector<std::unique_ptr<RulesetObserver>> observers_;
    std::vector<OnePlace> places_;
    std::vector<GameProblem> problems_;
    Random random_{5}; // for draws
    std::uint64_t seed_ = 0;
    std::string moves_;
};

} // namespace

std::vector<Document> changed_where_hidden(const Document& hidden, const Document& state,
                                           const std::string& player) {
    return HiddenParts(hidden, state, player).changed();
}

std::vector<GameProblem> check_games(const RulesetGame& game, const GameChecks& checks) {
    return Checker(game, checks).check();
}

} // namespace croupier::games
