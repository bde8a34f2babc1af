// croupier score: runs only the scoring of a game.
#include "engine/api/text.h"
#include "tournaments/cli/command.h"
#include "tournaments/cli/common_options.h"
#include "tournaments/cli/options.h"

namespace croupier::cli {
namespace {

class Score : public Command {
  public:
    [[nodiscard]] Description describe() const override {
        return {"score", "Score a position and print its state",
                "Runs only the scoring, whether the game is over or not. The file is merged into "
                "the game's initial state; '-' is standard input.",
                "croupier score life --state position.json --json"};
    }

    void declare(Options& options) override {
        add_game_options(options, arguments_);
        add_state(options, state_).required();
        add_seed(options, seed_);
        options.add_json_flag(json_);
    }

    int run(Context& context) override {
        const auto game = open_game(arguments_, context);
        const auto position = game->new_position();
        games::Random chance = games::stream(seed_, 0, games::Purpose::Play);
        load_position(state_, *position, chance, context);
        position->evaluate(chance);
        tournaments::refuse_aborted(*position);
        context.out().raw(engine::write_json(position->state(), json_ ? -1 : 2) + "\n");
        return kGood;
    }

  private:
    tournaments::GameArguments arguments_;
    std::string state_;
    std::uint64_t seed_ = 1;
    bool json_ = false;
};

} // namespace

std::unique_ptr<Command> make_score() {
    return std::make_unique<Score>();
}

} // namespace croupier::cli
