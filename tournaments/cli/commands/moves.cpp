// croupier moves: lists the legal moves of a position written by hand.
#include "tournaments/cli/command.h"
#include "tournaments/cli/common_options.h"
#include "tournaments/cli/options.h"

#include <nlohmann/json.hpp>

namespace croupier::cli {
namespace {

class Moves : public Command {
  public:
    [[nodiscard]] Description describe() const override {
        return {"moves", "The legal moves of a position",
                "The file is merged into the game's initial state, so it needs only the nodes that "
                "the game documents; '-' is standard input. Without --state: the position after "
                "the deal. In place of GAME, RUN:BLOCK.GAME:PLY names a position of a run. Prints "
                "one move per line, in the game's order.",
                "croupier moves life --state position.json\n"
                "croupier moves runs/life-1:3.1:12\n"
                "croupier moves life --json"};
    }

    void declare(Options& options) override {
        add_game_options(options, arguments_);
        add_state(options, state_);
        add_seed(options, seed_);
        options.add_json_flag(json_);
    }

    int run(Context& context) override {
        const tournaments::OpenedPosition opened =
            open_position(arguments_, state_, seed_, nullptr, context);
        const games::Position* const position = opened.position;
        nlohmann::json all = nlohmann::json::array();
        for (std::size_t i = 0; i < position->move_count(); ++i) {
            const std::string_view name = position->text(position->move(i));
            if (json_)
                all.push_back(name);
            else
                context.out().line({name});
        }
        if (json_) context.out().raw(all.dump() + "\n");
        return kGood;
    }

  private:
    tournaments::GameArguments arguments_;
    std::string state_;
    std::uint64_t seed_ = 1;
    bool json_ = false;
};

} // namespace

std::unique_ptr<Command> make_moves() {
    return std::make_unique<Moves>();
}

} // namespace croupier::cli
