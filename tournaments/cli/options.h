// Pieces that the options of several subcommands share.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
class Option;
class Validator;
} // namespace CLI

namespace croupier::cli {

// " (did you mean 'check'?)" or nothing, to end a message on a word that is not among the known.
std::string did_you_mean(std::string_view word, std::span<const std::string> known);

// Accepts the given words only; else lists them and suggests the nearest.
CLI::Validator one_of(std::vector<std::string> known);

// --json, worded alike everywhere.
CLI::Option* add_json_flag(CLI::App& options, bool& json);

} // namespace croupier::cli
