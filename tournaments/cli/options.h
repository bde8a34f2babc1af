// Declares the options of subcommands. Including the parser library (CLI11) takes five seconds to
// compile, so only options.cpp and command_line.cpp include it.
#pragma once

#include "tournaments/run/files.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace CLI {

class App;
class Option;

} // namespace CLI

namespace croupier::cli {

using tournaments::did_you_mean;

// Shell completions for a value, besides its fixed words.
enum class Offers : std::uint8_t {
    Nothing,
    Files,
    Folders,
    Games,    // by name, or by path once one is begun
    Rules,    // files, and games by name
    RuleName, // a rule of the game
    Setting,  // NAME=VALUE for the game
    Agents,   // one, or several separated by commas
    Commands, // subcommands
};

// Facts about an option that the parser does not keep.
struct OptionFacts {
    std::vector<std::string> words; // the allowed values
    Offers offers = Offers::Nothing;
    bool repeats = false;  // may be repeated
    char separator = '\0'; // of several values in one word
};
using FactsByOption = std::map<const CLI::Option*, OptionFacts>;

// A declared option, for adding facts; its target lives as long as the parser.
class Option {
  public:
    Option(CLI::Option* option, OptionFacts& facts) : option_(option), facts_(&facts) {}

    Option required() const;
    Option type_name(const std::string& name) const; // of the value, for the help
    Option
    default_text(const std::string& text) const; // for the help, if the value does not show it
    Option shows_default() const;                // the bound variable's current value
    Option one_of(std::vector<std::string> known) const; // an error lists all, suggests one
    Option range(std::uint64_t from, std::uint64_t to) const;
    Option needs(Option other) const;
    Option excludes(Option other) const;
    Option separated_by(char separator) const;
    Option
    one_value_each() const; // a list takes one value each time it is named, not all that follow
    Option offers(Offers what) const;

  private:
    CLI::Option* option_;
    OptionFacts* facts_;
};

// The options of a subcommand; variables are bound by reference and must outlive the parser.
class Options {
  public:
    // `facts` receives those of all added options.
    Options(CLI::App& app, FactsByOption& facts) : app_(app), facts_(facts) {}

    // A name without dashes is positional. Value is an integer, a double, a string, a std::optional
    // of one of these, or a vector of strings; options.cpp has the list.
    template <typename Value>
    Option add(const std::string& name, Value& value, const std::string& text);
    Option add_flag(const std::string& name, bool& value, const std::string& text);
    // Adds --json, with the same text everywhere.
    Option add_json_flag(bool& json);

  private:
    CLI::App& app_;
    FactsByOption& facts_;
};

// The form of an answer: --json for programs, --format for other forms.

struct Form {
    std::string format = "table";
    bool json = false;
    bool brief = false;
    bool full = false;

    // "json", or the value of --format.
    [[nodiscard]] std::string name() const { return json ? "json" : format; }
};
// --json and --format, which exclude each other; `names` without "json".
void add_form(Options& options, Form& form, std::vector<std::string> names);
// The same for run reports.
void add_report_form(Options& options, Form& form);

} // namespace croupier::cli
