// croupier help: shows the help of a subcommand, or all of it as a man page.
#include "tournaments/cli/command.h"
#include "tournaments/cli/command_line.h"
#include "tournaments/cli/options.h"

#include <fmt/format.h>

#include <sstream>
#include <string>
#include <vector>

namespace croupier::cli {

namespace {

// Escapes text so that it has no macros or escapes, and its hyphens can be copied.
std::string escaped(std::string_view text) {
    std::string made;
    for (const char c : text) {
        if ((made.empty() || made.back() == '\n') && (c == '.' || c == '\'')) made += "\\&";
        if (c == '\\')
            made += "\\e";
        else if (c == '-')
            made += "\\-";
        else
            made += c;
    }
    return made;
}

std::string paragraphs(std::string_view text) {
    std::string made;
    std::istringstream in{std::string(text)};
    for (std::string line; std::getline(in, line);)
        made += ".PP\n" + escaped(line) + "\n";
    return made;
}

std::string options(const std::vector<ShownOption>& all) {
    std::string made;
    for (const ShownOption& option : all) {
        made += ".TP\n";
        std::string names;
        for (const std::string& name : option.names)
            names += fmt::format("{}\\fB{}\\fR", names.empty() ? "" : ", ", escaped(name));
        if (option.positional)
            names = fmt::format("\\fI{}\\fR", escaped(option.spelling()));
        else if (!option.placeholder.empty())
            names += fmt::format(" \\fI{}\\fR", escaped(option.placeholder));
        made += names + "\n" + escaped(option.sentence()) + ".\n";
    }
    return made;
}

std::string subcommand(const ShownCommand& command) {
    const Description& description = command.description;
    std::string made = fmt::format(".SS {}\n{}.\n.PP\n.B {}\n", escaped(description.name),
                                   escaped(description.summary), escaped(command.usage()));
    made += paragraphs(description.details);
    made += options(command.arguments);
    std::vector<ShownOption> own = command.options;
    std::erase_if(own, [](const ShownOption& option) { return option.named("--help"); });
    made += options(own);
    return made + ".PP\nExample:\n.PP\n.nf\n.RS\n" + escaped(description.example) + "\n.RE\n.fi\n";
}

// The manual page croupier(1), made from the data of the help, in the language of man(7).
std::string man_page(const Surface& surface, std::string_view version) {
    std::string made = fmt::format(".TH CROUPIER 1 \"\" \"croupier {}\" \"User Commands\"\n"
                                   ".SH NAME\ncroupier \\- play games whose rules are data\n"
                                   ".SH SYNOPSIS\n.B croupier\n[\\fIoptions\\fR] "
                                   "\\fISUBCOMMAND\\fR ...\n.SH DESCRIPTION\n{}\n",
                                   escaped(version), escaped(surface.about));
    made += paragraphs("Subcommands, each described below:");
    for (const ShownCommand& command : surface.commands)
        made += fmt::format(".TP\n\\fB{}\\fR\n{}.\n", escaped(command.description.name),
                            escaped(command.description.summary));
    made += ".SH OPTIONS\nOf every subcommand, before or after its name:\n";
    made += options(surface.options);
    made += ".SH SUBCOMMANDS\n";
    for (const ShownCommand& command : surface.commands)
        made += subcommand(command);
    made += ".SH EXIT STATUS\n" + escaped(kExitCodes) + "\n";
    made += ".SH ENVIRONMENT\n.TP\n\\fBNO_COLOR\\fR\nIf it is set and not empty, nothing is "
            "coloured.\n.TP\n\\fBCOLUMNS\\fR\nThe width that text is wrapped to.\n"
            ".SH FILES\n.TP\n\\fIruns/\\fR\nWhere \\fBcroupier run\\fR makes a folder for its "
            "results unless \\-\\-out names one.\n";
    return made;
}

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
                throw UserError("--man is one page on all subcommands; leave out NAME");
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
            throw UserError(
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
