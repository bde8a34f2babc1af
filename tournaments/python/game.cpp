// Turns mistakes into exceptions, and lets other Python threads run while rules do.
#include "tournaments/python/game.h"

#include "games/contract/streams.h"
#include "tournaments/python/session.h"
#include "tournaments/replay/move_reasons.h"
#include "tournaments/run/files.h"
#include "tournaments/run/named_game.h"

#include <pybind11/stl.h>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace croupier::python {

using namespace py::literals;

namespace {

constexpr std::size_t kWidth = 80; // of explanations

std::shared_ptr<OneGame> load(const std::string& name, const std::string& text,
                              const std::vector<std::string>& options,
                              const std::vector<std::string>& include_from) {
    Session session;
    std::vector<Mistake> mistakes;
    std::string told;
    session.context.diagnose = [&](const engine::Diagnostics& all, const engine::Sources& sources) {
        for (const engine::Diagnostic& each : all.sorted()) {
            if (each.severity != engine::Severity::Error) continue;
            mistakes.push_back({each.code, sources.place(each.span), each.message, each.hint});
            told += (told.empty() ? "" : "\n") + engine::format(each, sources);
        }
    };
    const py::gil_scoped_release others_run;
    try {
        tournaments::include_from(include_from, session.context);
        if (text.empty())
            return std::make_shared<OneGame>(
                tournaments::open_game({name, options, {}}, session.context));
        session.context.include_roots->add(".");
        games::RulesetSettings settings;
        for (const std::string& each : options) {
            games::GameOption option = tournaments::parse_setting(each);
            settings.options.emplace_back(std::move(option.name), std::move(option.value));
        }
        const engine::FileOpener files = tournaments::file_opener(session.context);
        games::OpenedRuleset opened = games::open_ruleset(
            name,
            [&](const std::string& path) {
                return path == name ? engine::FileText{text, {}} : files(path);
            },
            settings);
        session.context.diagnose(opened.diagnostics, opened.sources);
        if (opened.game != nullptr) return std::make_shared<OneGame>(std::move(opened.game));
    } catch (const tournaments::UserError& error) {
        throw Refusal(told.empty() ? error.what() : told, std::move(mistakes));
    }
    throw Refusal(told, std::move(mistakes));
}

std::vector<std::string> names_of(const games::Features& features) {
    std::vector<std::string> names;
    for (std::uint32_t bit = 0; bit < features.size(); ++bit)
        names.push_back(features.name(bit));
    return names;
}

py::object value_of(const engine::Scalar& value) {
    return std::visit(
        [](const auto& held) -> py::object {
            if constexpr (std::is_same_v<std::decay_t<decltype(held)>, std::nullptr_t> ||
                          std::is_same_v<std::decay_t<decltype(held)>, std::monostate>)
                return py::none();
            else
                return py::cast(held);
        },
        value);
}

} // namespace

std::vector<std::string> legal_in(const games::Position& at) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < at.move_count(); ++i)
        names.emplace_back(at.text(at.move(i)));
    return names;
}

std::int64_t whole(const py::object& number) {
    const py::object found = py::reinterpret_steal<py::object>(PyNumber_Index(number.ptr()));
    const std::int64_t value = found ? PyLong_AsLongLong(found.ptr()) : -1;
    if (value == -1 && PyErr_Occurred() != nullptr) throw py::error_already_set();
    return value;
}

games::Seat seat_of(const games::Facts& facts, const py::object& seat) {
    if (py::isinstance<py::str>(seat)) {
        const auto name = seat.cast<std::string>();
        if (const auto found = facts.seat(name)) return *found;
        throw Refusal(fmt::format("{} has no player '{}'{}", facts.title(), name,
                                  engine::did_you_mean(name, facts.players)));
    }
    const std::int64_t found = whole(seat);
    if (found < 0 || found >= facts.seats())
        throw Refusal(fmt::format("{} has seats 0 to {}, and none {}", facts.title(),
                                  facts.seats() - 1, found));
    return static_cast<games::Seat>(found);
}

void OneGame::at_table(games::Position& at,
                       const std::function<void(games::Position&)>& work) const {
    // A copy of such a game would play all its moves again.
    if (facts().replays) return work(at);
    std::unique_ptr<games::Position> table;
    {
        const std::lock_guard lock(mutex_);
        if (!idle_.empty()) {
            table = std::move(idle_.back());
            idle_.pop_back();
        }
    }
    if (table == nullptr) table = game_->new_position();
    if (at.ending() == games::Ending::None) table->copy_from(at);
    work(*table);
    at.copy_from(*table);
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(table));
}

const games::Features& OneGame::features() const {
    std::call_once(asked_, [this] { features_.emplace(rules()); });
    return *features_;
}

const games::RulesetGame& OneGame::rules() const {
    if (const games::RulesetGame* rules = game_->ruleset_game()) return *rules;
    throw Refusal(facts().title() + " is no ruleset, so it has no features and no reasons");
}

Use::Use(std::atomic<bool>& busy, const char* what) : busy_(busy) {
    if (busy_.exchange(true)) throw Refusal(fmt::format("another thread is using this {}", what));
}

OnePosition::OnePosition(std::shared_ptr<const OneGame> game, std::unique_ptr<games::Position> own,
                         const games::Random& chance, games::Memory memory,
                         std::optional<games::Seat> viewer)
    : game_(std::move(game)), own_(std::move(own)), lent_(own_.get()), chance_(chance),
      memory_(std::move(memory)), viewer_(viewer) {}

OnePosition::OnePosition(std::shared_ptr<const OneGame> game, const games::Position& lent,
                         games::Random& choices, games::Memory memory, games::Seat viewer)
    : game_(std::move(game)), lent_(&lent), chance_(0), choices_(&choices),
      memory_(std::move(memory)), viewer_(viewer) {}

const games::Position& OnePosition::here() const {
    if (lent_ == nullptr)
        throw Refusal("this view was lent for one decision, which is over; copy() keeps it");
    return *lent_;
}

games::Position& OnePosition::own() {
    static_cast<void>(here());
    if (own_ == nullptr) throw Refusal("this view is lent for a decision; copy() it to play on");
    if (viewer_ && game_->facts().hides)
        throw Refusal("a view does not know what it hides, so nobody can play on from it");
    if (own_->ending() != games::Ending::None) throw Refusal("the game is over");
    return *own_;
}

std::optional<games::Seat> OnePosition::turn() {
    const Use use(busy_, "position");
    const games::Position& at = here();
    if (at.ending() != games::Ending::None) return std::nullopt;
    return at.turn();
}

std::vector<std::string> OnePosition::legal() {
    const Use use(busy_, "position");
    return legal_in(here());
}

std::vector<std::size_t> OnePosition::legal_numbers() {
    const Use use(busy_, "position");
    const games::Position& at = here();
    if (game_->facts().moves.empty())
        throw Refusal("the moves of " + game_->facts().title() +
                      " cannot be listed, so they have no numbers");
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < at.move_count(); ++i)
        numbers.push_back(at.move(i));
    return numbers;
}

games::Move OnePosition::move_of(const py::object& move) const {
    const games::Position& at = *lent_;
    if (py::isinstance<py::str>(move)) {
        const auto name = move.cast<std::string>();
        if (const auto found = at.find_move(name)) return *found;
        const std::vector<std::string> names = legal_in(at);
        throw Refusal(fmt::format("'{}' is not legal{}; {} are", name,
                                  engine::did_you_mean(name, names), fmt::join(names, ", ")));
    }
    const auto number = whole(move);
    for (std::size_t i = 0; i < at.move_count(); ++i)
        if (!game_->facts().moves.empty() && at.move(i) == number) return at.move(i);
    throw Refusal(fmt::format("{} is not the number of a legal move", number));
}

void OnePosition::play(const py::object& move) {
    const Use use(busy_, "position");
    games::Position& at = own();
    const games::Memory::Made made{at.turn(), move_of(move), at.is_secret()};
    const py::gil_scoped_release others_run;
    game_->at_table(at, [&](games::Position& table) {
        table.play(made.move, chance_);
        memory_.note(made, table);
    });
}

void OnePosition::playout(std::uint64_t seed) {
    const Use use(busy_, "position");
    games::Position& at = own();
    const py::gil_scoped_release others_run;
    games::Random choices(seed);
    game_->at_table(at, [&](games::Position& table) { table.play_randomly(choices, chance_); });
}

std::shared_ptr<OnePosition> OnePosition::copy(std::optional<std::uint64_t> seed) {
    const Use use(busy_, "position");
    return std::make_shared<OnePosition>(game_, here().clone(),
                                         seed ? games::Random(*seed) : chance_, memory_, viewer_);
}

std::shared_ptr<OnePosition> OnePosition::view(const py::object& seat, std::uint64_t seed) {
    const Use use(busy_, "position");
    const games::Seat viewer = seat_of(game_->facts(), seat);
    if (viewer_ && *viewer_ != viewer)
        throw Refusal(
            fmt::format("this is already the view of {}", game_->facts().players[*viewer_]));
    std::unique_ptr<games::Position> seen = game_->game().new_position();
    seen->view_from(here(), viewer);
    return std::make_shared<OnePosition>(game_, std::move(seen), games::Random(seed), memory_,
                                         viewer);
}

std::string OnePosition::ending() {
    const Use use(busy_, "position");
    return std::string(name_of(here().ending()));
}

std::string OnePosition::fault() {
    const Use use(busy_, "position");
    if (here().ending() != games::Ending::Aborted) return "";
    const games::Fault& fault = here().fault();
    return fault.rule.empty() ? fault.what : fault.rule + ": " + fault.what;
}

std::optional<std::vector<double>> OnePosition::scores() {
    const Use use(busy_, "position");
    if (here().ending() == games::Ending::None) return std::nullopt;
    std::vector<double> all;
    for (games::Seat seat = 0; seat < game_->facts().seats(); ++seat)
        all.push_back(here().score(seat));
    return all;
}

std::optional<std::vector<std::uint32_t>> OnePosition::places() {
    const Use use(busy_, "position");
    if (here().ending() == games::Ending::None) return std::nullopt;
    std::vector<std::uint32_t> all;
    for (games::Seat seat = 0; seat < game_->facts().seats(); ++seat)
        all.push_back(here().place(seat));
    return all;
}

std::uint32_t OnePosition::plies() {
    const Use use(busy_, "position");
    return here().plies();
}

std::string OnePosition::phase() {
    const Use use(busy_, "position");
    const std::size_t phase = here().phase();
    return phase == games::Position::kNoPhase ? "" : game_->facts().phases[phase].name;
}

std::uint64_t OnePosition::hash() {
    const Use use(busy_, "position");
    return here().hash();
}

std::string OnePosition::json() {
    const Use use(busy_, "position");
    return engine::write_json(here().state(), -1);
}

std::string OnePosition::why(const std::string& move) {
    const Use use(busy_, "position");
    const games::Position& at = here();
    if (at.ending() != games::Ending::None) throw Refusal("the game is over");
    if (viewer_ && *viewer_ != at.turn())
        throw Refusal("the rules are asked for the moves of whose turn it is, and this is a view "
                      "of another player");
    const tournaments::MoveReasons reasons(game_->rules());
    std::unique_ptr<games::Position> seen = game_->game().new_position();
    seen->view_from(at, at.turn());
    return fmt::format("{}", fmt::join(reasons.lines(*seen, move, kWidth), "\n"));
}

py::bytes OnePosition::bits(const py::object& seat) {
    const Use use(busy_, "position");
    const games::Position& at = here();
    const games::Features& features = game_->features();
    const games::Seat viewer = !seat.is_none() ? seat_of(game_->facts(), seat)
                               : viewer_       ? *viewer_
                                               : at.turn();
    std::string bytes(features.bytes(), '\0');
    std::unique_ptr<games::Position> seen = game_->game().new_position();
    seen->view_from(at, viewer);
    features.write(*seen->ruleset_state(), memory_, viewer,
                   {reinterpret_cast<std::uint8_t*>(bytes.data()), bytes.size()});
    return bytes;
}

std::uint64_t OnePosition::random(std::uint64_t below) {
    const Use use(busy_, "position");
    static_cast<void>(here());
    if (below == 0) throw Refusal("no number is below 0");
    return (choices_ != nullptr ? *choices_ : chance_).below(below);
}

void add_games(py::module_& module) {
    py::class_<OneGame, std::shared_ptr<OneGame>>(
        module, "Game", "A game that can be played: `load` makes one. Threads may share it.")
        .def_property_readonly(
            "name", [](const OneGame& game) { return game.facts().title(); },
            "With its revision: \"life:torus\".")
        .def_property_readonly(
            "doc", [](const OneGame& game) { return game.facts().doc; }, "A sentence or two.")
        .def_property_readonly(
            "players", [](const OneGame& game) { return game.facts().players; },
            "Names of the seats, in the order of play.")
        .def_property_readonly(
            "teams",
            [](const OneGame& game) {
                py::dict teams;
                for (const games::Team& team : game.facts().teams)
                    teams[py::str(team.name)] = team.seats;
                return teams;
            },
            "Seats by team; empty if everyone plays alone.")
        .def_property_readonly(
            "options",
            [](const OneGame& game) {
                py::dict options;
                for (const games::GameOption& each : game.facts().options)
                    options[py::str(each.name)] = value_of(each.value);
                return options;
            },
            "Options with their values.")
        .def_property_readonly(
            "moves", [](const OneGame& game) { return game.facts().moves; },
            "Every possible move, whose index is its number; empty if they cannot be listed.")
        .def_property_readonly(
            "hides", [](const OneGame& game) { return game.facts().hides; },
            "Whether a seat may not see everything.")
        .def_property_readonly(
            "features", [](const OneGame& game) { return names_of(game.features()); },
            "The name of each bit of Position.bits and Batch.bits.")
        .def_property_readonly(
            "ruleset", [](const OneGame& game) { return game.facts().ruleset; },
            "A hash of its rules.")
        .def_property_readonly(
            "left_out", [](const OneGame& game) { return game.features().left_out(); },
            "Declared nodes that have no bits.")
        .def(
            "new",
            [](const std::shared_ptr<OneGame>& game, std::uint64_t seed, std::uint64_t deal) {
                std::unique_ptr<games::Position> position = game->game().new_position();
                games::Random dealt = games::stream(seed, deal, games::Purpose::Deal);
                {
                    const py::gil_scoped_release others_run;
                    game->at_table(*position, [&](games::Position& at) { at.start(dealt); });
                }
                return std::make_shared<OnePosition>(
                    game, std::move(position), games::stream(seed, deal, games::Purpose::Play));
            },
            "seed"_a = 1, "deal"_a = 0,
            "The position after a deal: that of the command line with this seed.")
        .def("__repr__", [](const OneGame& game) {
            return fmt::format("<croupier.Game {}>", game.facts().title());
        });

    py::class_<OnePosition, std::shared_ptr<OnePosition>>(
        module, "Position", "A game in progress, or a seat's view of it. One thread at a time.")
        .def_property_readonly(
            "game",
            [](const OnePosition& at) { return std::const_pointer_cast<OneGame>(at.game()); })
        .def_property_readonly("turn", &OnePosition::turn, "The seat to move; None at the end.")
        .def_property_readonly(
            "player",
            [](OnePosition& at) -> py::object {
                const auto seat = at.turn();
                if (!seat) return py::none();
                return py::str(at.game()->facts().players[*seat]);
            },
            "Its name.")
        .def_property_readonly("legal", &OnePosition::legal,
                               "The legal moves; none at the end, or in a view of another seat.")
        .def_property_readonly("legal_numbers", &OnePosition::legal_numbers,
                               "Their numbers: indices of Game.moves.")
        .def_property_readonly("over", [](OnePosition& at) { return !at.ending().empty(); })
        .def_property_readonly("ending", &OnePosition::ending,
                               "\"over\", \"unfinished\" or \"aborted\"; empty until the end.")
        .def_property_readonly("fault", &OnePosition::fault, "Why the game was aborted.")
        .def_property_readonly("scores", &OnePosition::scores, "By seat; None until the end.")
        .def_property_readonly("places", &OnePosition::places,
                               "By seat, 1 is the best; None until the end.")
        .def_property_readonly("plies", &OnePosition::plies, "The number of moves so far.")
        .def_property_readonly("phase", &OnePosition::phase)
        .def("play", &OnePosition::play, "move"_a, "Makes a legal move, by name or number.")
        .def("playout", &OnePosition::playout, "seed"_a = 1, "Plays at random to the end.")
        .def("copy", &OnePosition::copy, "seed"_a = py::none(),
             "With the same chance from here on; with a seed, with another one.")
        .def("__copy__", [](OnePosition& at) { return at.copy({}); })
        .def(
            "__deepcopy__", [](OnePosition& at, const py::dict&) { return at.copy({}); }, "memo"_a)
        .def("view", &OnePosition::view, "seat"_a, "seed"_a = 1,
             "What that seat sees. The seed is for `random`.")
        .def("why", &OnePosition::why, "move"_a = "",
             "The rules that make moves legal; for one move, what makes it so or prevents it.")
        .def("bits", &OnePosition::bits, "seat"_a = py::none(),
             "What the seat sees, by default the one to move: bit i, from the lowest of the first "
             "byte on, is Game.features[i].")
        .def("random", &OnePosition::random, "below"_a, "A number below that, from its chance.")
        .def(
            "to_json",
            [](OnePosition& at) { return py::module_::import("json").attr("loads")(at.json()); },
            "Its state as a dict.")
        .def("__hash__", &OnePosition::hash)
        .def("__eq__",
             [](OnePosition& at, const py::object& other) {
                 if (!py::isinstance<OnePosition>(other)) return false;
                 auto& its = other.cast<OnePosition&>();
                 return &at == &its || (at.game() == its.game() && at.json() == its.json());
             })
        .def("__repr__", [](OnePosition& at) {
            return fmt::format("<croupier.Position {} after {} moves>", at.game()->facts().title(),
                               at.plies());
        });

    module.def("load_game", &load, "name"_a, "text"_a, "options"_a, "include_from"_a);
}

} // namespace croupier::python
