// croupier tick: plays given moves in a position and prints the result.
#include "engine/api/text.h"
#include "tournaments/cli/command.h"
#include "tournaments/cli/common_options.h"
#include "tournaments/cli/game_show.h"
#include "tournaments/cli/options.h"

#include <fmt/format.h>

namespace croupier::cli {
namespace {

class Tick : public Command {
  public:
    [[nodiscard]] Description describe() const override {
        return {
            "tick", "Play given moves in a position and print the state after",
            "With --state the file is merged into the game's initial state, otherwise the game "
            "begins as usual, with its deal; RUN:BLOCK.GAME:PLY in place of GAME is a position of "
            "a run, with the chance that it had. The moves are those of the players to move, in "
            "order. A move that is not legal is named, with those that were: exit code 2.",
            "croupier tick life --moves c6,d5\n"
            "croupier tick life --state position.json --moves c6 --json"};
    }

    void declare(Options& options) override {
        add_game_options(options, arguments_);
        add_state(options, state_);
        options.add("--moves", moves_, "The moves, in order")
            .separated_by(',')
            .type_name("MOVE,..")
            .one_value_each()
            .required();
        add_seed(options, seed_);
        options.add_flag("--show", show_, "Draw the positions instead of printing the state");
        options.add_json_flag(json_);
    }

    int run(Context& context) override {
        PrintedLines lines(context.err());
        tournaments::OpenedPosition opened =
            open_position(arguments_, state_, seed_, &lines, context);
        games::Position* const position = opened.position;
        Show show(context.out());
        if (show_) show.begins(*position);
        for (std::size_t i = 0; i < moves_.size(); ++i) {
            const games::Move move = legal_move(*position, i);
            if (show_) show.moves(*position, move);
            position->play(move, opened.chance);
            tournaments::refuse_aborted(*position);
            if (show_) show.moved(*position);
        }
        if (!show_) context.out().raw(engine::write_json(position->state(), json_ ? -1 : 2) + "\n");
        return kGood;
    }

  private:
    [[nodiscard]] games::Move legal_move(const games::Position& position, std::size_t i) const {
        const std::string& name = moves_[i];
        if (position.ending() != games::Ending::None) {
            throw UserError(fmt::format("move {}, '{}', cannot be played: the game ended ({})",
                                        i + 1, name, games::name_of(position.ending())));
        }
        if (const auto move = position.find_move(name)) return *move;
        throw UserError(fmt::format("move {}, '{}', is not legal for {}; legal are {}", i + 1, name,
                                    position.game().facts().players[position.turn()],
                                    tournaments::list_of_moves(position)));
    }

    tournaments::GameArguments arguments_;
    std::string state_;
    std::vector<std::string> moves_;
    std::uint64_t seed_ = 1;
    bool show_ = false;
    bool json_ = false;
};

} // namespace

std::unique_ptr<Command> make_tick() {
    return std::make_unique<Tick>();
}

} // namespace croupier::cli
