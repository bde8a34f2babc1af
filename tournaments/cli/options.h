// How a subcommand declares its options. The library behind it (CLI11) takes five seconds to
// compile wherever it is included, so only options.cpp and command_line.cpp see it.
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

// What a shell offers for a value, besides the words it may be.
enum class Offers : std::uint8_t {
    Nothing,
    Files,
    Folders,
    Games,    // by name; paths once one is begun
    Rules,    // files, and games by name
    RuleName, // one of the game's
    Setting,  // NAME=VALUE of the game
    Agents,   // one or, separated by commas, several
    Commands, // subcommands
};

// What is known of an option, and not kept by the parser.
struct OptionFacts {
    std::vector<std::string> words; // the value is one of these
    Offers offers = Offers::Nothing;
    bool repeats = false;  // may be given several times
    char separator = '\0'; // of several values in one word
};
using FactsByOption = std::map<const CLI::Option*, OptionFacts>;

// One declared option, to say more about it; what it points to lives as long as the parser.
class Option {
  public:
    Option(CLI::Option* option, OptionFacts& facts) : option_(option), facts_(&facts) {}

    Option required() const;
    Option type_name(const std::string& name) const; // of the value, in the help
    Option
    default_text(const std::string& text) const; // in the help, where the value does not say it
    Option shows_default() const;                // the bound variable's value now
    Option one_of(std::vector<std::string> known) const; // else lists them and suggests the nearest
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

// What a subcommand takes; variables are bound by reference and must outlive the parser.
class Options {
  public:
    // `facts` gets those of all options that are added.
    Options(CLI::App& app, FactsByOption& facts) : app_(app), facts_(facts) {}

    // A name without dashes is positional. Value is an integer, a double, a string, a std::optional
    // of one of these, or a vector of strings; options.cpp has the list.
    template <typename Value>
    Option add(const std::string& name, Value& value, const std::string& text);
    Option add_flag(const std::string& name, bool& value, const std::string& text);
    // --json, worded alike everywhere.
    Option add_json_flag(bool& json);

  private:
    CLI::App& app_;
    FactsByOption& facts_;
};

// In which form an answer is printed: --json for programs, --format for the other forms.

struct Form {
    std::string format = "table";
    bool json = false;
    bool brief = false;
    bool full = false;

    // "json", or what --format says.
    [[nodiscard]] std::string name() const { return json ? "json" : format; }
};
// --json and --format, which exclude each other; `names` without "json".
void add_form(Options& options, Form& form, std::vector<std::string> names);
// The same for reports of runs.
void add_report_form(Options& options, Form& form);

} // namespace croupier::cli
