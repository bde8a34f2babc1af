// croupier help: the help of a subcommand, or all of it as a man page.
#include "tournaments/cli/help.h"

#include "tournaments/cli/command.h"
#include "tournaments/cli/man_page.h"
#include "tournaments/cli/options.h"
#include "tournaments/cli/surface.h"

#include <fmt/format.h>

namespace croupier::cli {
namespace {

class Help : public Command {
  public:
    [[nodiscard]] Description describe() const override {
        return {"help", "Help on a subcommand, and the man page",
                "'croupier help NAME' prints what 'croupier NAME --help' prints. --man prints the "
                "manual page of the whole program for man(1).",
                "croupier help compare\n"
                "croupier help --man > croupier.1"};
    }

    void declare(Options& options) override {
        options.add("NAME", name_, "Name of a subcommand; without it, help on the program")
            .offers(Offers::Commands);
        options.add_flag("--man", man_, "Print the man page instead");
    }

    int run(Context& context) override {
        const Surface surface = context.surface();
        if (man_) {
            if (!name_.empty())
                throw Mistake("--man is one page on all subcommands; leave out NAME");
            context.out().raw(man_page(surface, CROUPIER_VERSION));
            return kGood;
        }
        if (name_.empty()) {
            print_help(context.out(), surface);
            return kGood;
        }
        const ShownCommand* const command = surface.find(name_);
        if (command == nullptr) {
            std::vector<std::string> known;
            for (const ShownCommand& each : surface.commands)
                known.emplace_back(each.description.name);
            throw Mistake(
                fmt::format("there is no subcommand '{}'{}", name_, did_you_mean(name_, known)));
        }
        print_help(context.out(), *command);
        return kGood;
    }

  private:
    std::string name_;
    bool man_ = false;
};

} // namespace

std::unique_ptr<Command> make_help() {
    return std::make_unique<Help>();
}

} // namespace croupier::cli
