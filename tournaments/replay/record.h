// Reads records of games; checks each line as far as it is used.
#pragma once

#include "agents/game_runner.h"
#include "engine/api/text.h"
#include "games/contract/game.h"
#include "games/registry.h"
#include "tournaments/replay/game_record.h"
#include "tournaments/run/host.h"
#include "tournaments/starts/starts.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace croupier::tournaments {

// A game in a file of records.
struct Record {
    std::string file;      // its name
    std::size_t first = 0; // index of its first line in the file, from 0
    std::vector<std::string> lines;

    [[nodiscard]] std::string place(std::size_t line) const; // "game.jsonl:3"
    [[nodiscard]] std::string name() const;                  // "3.1", or the place of its header
    // The line as an object. Throws UserError.
    [[nodiscard]] nlohmann::ordered_json parse(std::size_t line) const;
    [[nodiscard]] bool has_states() const;
    [[nodiscard]] std::uint32_t moves() const; // the number of moves
    // The move of that line; nothing if the line has none.
    [[nodiscard]] std::optional<nlohmann::ordered_json> move(std::size_t line) const;
    // Who made it, if not the agent that the header names.
    [[nodiscard]] std::optional<std::string> agent(std::size_t line) const;
    // Throws a UserError that names the legal moves.
    [[nodiscard]] games::Move legal_move(const games::Position& position,
                                         const nlohmann::ordered_json& name,
                                         std::size_t line) const;
    // Contents of the last line, besides results: a fault or another verdict, and substitutions.
    struct End {
        std::optional<agents::AgentFault> fault;
        std::optional<agents::Verdict> verdict;
        std::vector<std::pair<games::Seat, agents::Substitution>> substitutes;
    };
    [[nodiscard]] End end(std::size_t line, const games::Facts& facts) const;
    [[nodiscard]] static End end_in(const nlohmann::ordered_json& line, const games::Facts& facts);
};
// At least one. Throws UserError if there is none.
std::vector<Record> split_records(const std::string& file, const std::string& text);

// The game that a record is of.
struct GameOfRecord {
    games::GameName name;
    std::vector<games::GameOption> options;
    std::string ruleset;
    std::string text; // describes all of this: equal for equal games
};
// Throw UserError if the first line is not that of a record.
GameOfRecord read_game(const Record& record);

struct ReadHeader {
    RecordHeader header; // its start is `start`
    std::unique_ptr<Start> start;
    std::unique_ptr<engine::Sources> sources; // for positions in it
};
ReadHeader read_header(const Record& record);

} // namespace croupier::tournaments
