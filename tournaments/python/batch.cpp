// Many games in step. Their views are rows of arrays, which Python reads in place.

#include "games/contract/streams.h"
#include "tournaments/python/game.h"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

namespace croupier::python {

using namespace py::literals;

namespace {

constexpr std::size_t kMostGames = 1'000'000;
constexpr std::size_t kMostInVain = 1000; // deals in a row that end before anybody moves

// One thread at a time. Each game's memory is its own, and all rows lie behind each other.
class Batch {
  public:
    Batch(std::shared_ptr<const OneGame> game, std::size_t games, std::uint64_t seed)
        : game_(std::move(game)), features_(game_->features()), seed_(seed), size_(games),
          seats_(game_->facts().seats()), moves_(game_->facts().moves.size()) {
        const games::Facts& facts = game_->facts();
        if (moves_ == 0)
            throw Refusal("the moves of " + facts.title() +
                          " cannot be listed, so they have no masks");
        if (size_ == 0 || size_ > kMostGames)
            throw Refusal(fmt::format("a batch has 1 to {} games, and not {}", kMostGames, size_));
        bits_.resize(size_ * features_.bytes());
        mask_.resize(size_ * moves_);
        turn_.resize(size_);
        done_.resize(size_);
        deal_.resize(size_);
        scores_.resize(size_ * seats_);
        places_.resize(size_ * seats_);
        positions_.reserve(size_);
        const py::gil_scoped_release others_run;
        table_ = game_->game().new_position();
        if (facts.hides) seen_ = game_->game().new_position();
        for (std::size_t i = 0; i < size_; ++i) {
            positions_.push_back(game_->game().new_position());
            chances_.emplace_back(0);
            memories_.emplace_back();
            deal_[i] = i;
            start(i);
            look(i);
        }
    }

    void step(const py::array_t<std::int64_t, py::array::c_style>& actions) {
        const Use use(busy_, "batch");
        if (actions.ndim() != 1 || static_cast<std::size_t>(actions.size()) != size_)
            throw Refusal(fmt::format("{} games need {} moves, one each", size_, size_));
        const std::span<const std::int64_t> chosen(actions.data(), size_);
        for (std::size_t i = 0; i < size_; ++i)
            if (chosen[i] < 0 || static_cast<std::size_t>(chosen[i]) >= moves_ ||
                mask_[i * moves_ + static_cast<std::size_t>(chosen[i])] == 0)
                throw Refusal(
                    fmt::format("game {}: {} is not the number of a legal move", i, chosen[i]));
        const py::gil_scoped_release others_run;
        for (std::size_t i = 0; i < size_; ++i) {
            const games::Memory::Made made{turn_[i], static_cast<games::Move>(chosen[i]),
                                           positions_[i]->is_secret()};
            table_->copy_from(*positions_[i]);
            table_->play(made.move, chances_[i]);
            if (features_.remembers()) memories_[i].note(made, *table_);
            done_[i] = table_->ending() != games::Ending::None;
            if (done_[i] != 0)
                finish(i);
            else
                positions_[i]->copy_from(*table_);
            look(i);
        }
    }

    // As `bits`, with what is hidden from the players.
    [[nodiscard]] py::array_t<std::uint8_t> truth() {
        const Use use(busy_, "batch");
        py::array_t<std::uint8_t> made({size_, features_.bytes()});
        std::uint8_t* const into = made.mutable_data();
        const py::gil_scoped_release others_run;
        for (std::size_t i = 0; i < size_; ++i)
            features_.write(*positions_[i]->ruleset_state(), memories_[i], turn_[i],
                            {into + i * features_.bytes(), features_.bytes()});
        return made;
    }

    [[nodiscard]] const std::shared_ptr<const OneGame>& game() const { return game_; }
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] std::uint64_t finished() const { return finished_; }
    [[nodiscard]] std::uint64_t aborted() const { return aborted_; }

    [[nodiscard]] std::shared_ptr<OnePosition> position(std::int64_t number) {
        const Use use(busy_, "batch");
        if (number < 0 || static_cast<std::size_t>(number) >= size_)
            throw py::index_error(fmt::format("the batch has games 0 to {}", size_ - 1));
        const auto i = static_cast<std::size_t>(number);
        return std::make_shared<OnePosition>(game_, positions_[i]->clone(), chances_[i],
                                             memories_[i]);
    }

    static void declare(py::module_& module);

  private:
    // Deals, until somebody can choose.
    void start(std::size_t i) {
        memories_[i].clear();
        for (std::size_t in_vain = 0; in_vain < kMostInVain; ++in_vain) {
            games::Random dealt = games::stream(seed_, deal_[i], games::Purpose::Deal);
            chances_[i] = games::stream(seed_, deal_[i], games::Purpose::Play);
            table_->start(dealt);
            if (table_->ending() == games::Ending::None) {
                positions_[i]->copy_from(*table_);
                return;
            }
            if (table_->ending() == games::Ending::Aborted) ++aborted_;
            deal_[i] += size_;
        }
        throw Refusal(fmt::format("{} deals in a row end before anybody moves{}", kMostInVain,
                                  table_->ending() == games::Ending::Aborted
                                      ? ": " + table_->fault().what
                                      : std::string()));
    }

    void finish(std::size_t i) {
        for (games::Seat seat = 0; seat < seats_; ++seat) {
            scores_[i * seats_ + seat] = table_->score(seat);
            places_[i * seats_ + seat] = static_cast<std::uint8_t>(table_->place(seat));
        }
        ++finished_;
        if (table_->ending() == games::Ending::Aborted) ++aborted_;
        deal_[i] += size_;
        start(i);
    }

    void look(std::size_t i) {
        const games::Position& at = *positions_[i];
        const games::Seat me = at.turn();
        turn_[i] = static_cast<std::uint8_t>(me);
        const std::span<std::uint8_t> mask(mask_.data() + i * moves_, moves_);
        std::ranges::fill(mask, std::uint8_t{0});
        at.list_moves(legal_);
        for (const games::Move move : legal_)
            mask[move] = 1;
        const games::Position* view = &at;
        if (seen_ != nullptr) {
            seen_->view_from(at, me);
            view = seen_.get();
        }
        features_.write(*view->ruleset_state(), memories_[i], me,
                        {bits_.data() + i * features_.bytes(), features_.bytes()});
    }

    std::shared_ptr<const OneGame> game_;
    const games::Features& features_;
    std::uint64_t seed_;
    std::size_t size_;
    std::size_t seats_;
    std::size_t moves_;
    // Rules run on one position: besides a state they need a hundred times its memory.
    std::unique_ptr<games::Position> table_;
    std::vector<std::unique_ptr<games::Position>> positions_;
    std::vector<games::Random> chances_;
    std::vector<games::Memory> memories_;
    std::unique_ptr<games::Position> seen_; // null if the game hides nothing
    std::vector<games::Move> legal_;
    std::vector<std::uint8_t> bits_;
    std::vector<std::uint8_t> mask_;
    std::vector<std::uint8_t> turn_;
    std::vector<std::uint8_t> done_;
    std::vector<std::uint64_t> deal_;
    std::vector<double> scores_;
    std::vector<std::uint8_t> places_;
    std::uint64_t finished_ = 0;
    std::uint64_t aborted_ = 0;
    std::atomic<bool> busy_ = false;
};

void Batch::declare(py::module_& module) {
    // Arrays that show memory of the batch, which lives as long as they do.
    enum class Form { Row, Table }; // a value for each game, or a row
    const auto array = []<class T>(std::vector<T> Batch::*of, Form form, bool truth = false) {
        return [of, form, truth](const py::object& batch) {
            const auto& self = batch.cast<const Batch&>();
            const std::vector<T>& values = self.*of;
            std::vector<py::ssize_t> shape{static_cast<py::ssize_t>(self.size_)};
            if (form == Form::Table)
                shape.push_back(static_cast<py::ssize_t>(values.size() / self.size_));
            py::array made(truth ? py::dtype::of<bool>() : py::dtype::of<T>(), shape, values.data(),
                           batch);
            made.attr("setflags")("write"_a = false);
            return made;
        };
    };
    py::class_<Batch>(module, "Batch", "Many games of one kind, played in step.")
        .def(py::init(
                 [](const std::shared_ptr<OneGame>& game, std::int64_t games, std::uint64_t seed) {
                     return std::make_unique<Batch>(
                         game, static_cast<std::size_t>(std::max<std::int64_t>(games, 0)), seed);
                 }),
             "game"_a, "n"_a = 256, "seed"_a = 1)
        .def_property_readonly(
            "game",
            [](const Batch& batch) { return std::const_pointer_cast<OneGame>(batch.game()); })
        .def_property_readonly("bits", array(&Batch::bits_, Form::Table),
                               "What the players to move see: bit i of a row is Game.features[i].")
        .def_property_readonly("mask", array(&Batch::mask_, Form::Table, true),
                               "The legal moves, by number.")
        .def_property_readonly("turn", array(&Batch::turn_, Form::Row), "The seats to move.")
        .def_property_readonly("done", array(&Batch::done_, Form::Row, true),
                               "Whether the last step ended a game.")
        .def_property_readonly("deal", array(&Batch::deal_, Form::Row),
                               "The number of each game's deal.")
        .def_property_readonly("scores", array(&Batch::scores_, Form::Table),
                               "By seat, of each game that has ended last.")
        .def_property_readonly("places", array(&Batch::places_, Form::Table),
                               "By seat, of each game that has ended last.")
        .def_property_readonly("finished", &Batch::finished, "The number of games that have ended.")
        .def_property_readonly("aborted", &Batch::aborted, "Those ended by a mistake of the rules.")
        .def("truth", &Batch::truth,
             "As bits, with all that is hidden: for what learns from players, not for players.")
        .def("step", &Batch::step, "actions"_a,
             "Makes a move in each game, by number; nothing if one of them is not legal.")
        .def("position", &Batch::position, "i"_a, "A copy of that game.")
        .def("__len__", &Batch::size)
        .def("__repr__", [](const Batch& batch) {
            return fmt::format("<croupier.Batch of {} games of {}>", batch.size(),
                               batch.game()->facts().title());
        });
}

} // namespace

void add_batch(py::module_& module) {
    Batch::declare(module);
}

} // namespace croupier::python
