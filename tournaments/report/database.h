// `croupier db`: an index of results in SQLite, for questions about many of them. Their folders
// stay the truth: a lost database is made again from them.
#pragma once

#include "tournaments/run/host.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

struct sqlite3;

namespace croupier::tournaments {

// README.md lists tables and views. Used by one thread; other processes may read meanwhile.
class Database {
  public:
    // Makes the file if it is missing. Throws UserError if it is not a database of this version.
    explicit Database(const std::string& path);

    // In one transaction each; all throw UserError, and then nothing is changed.

    enum class Imported : std::uint8_t { New, Changed, Same };
    // Results are known by their content: a folder that was moved or copied is the same, and one
    // that has grown since replaces what was imported. `games`: also each game.
    Imported import(const std::string& folder, bool games, const HostServices& host);
    // Forgets results whose folders are gone; returns how many.
    std::size_t prune();

    struct Line {
        std::string game;
        std::string kind;
        std::uint64_t results = 0;
        std::uint64_t revisions = 0;
        std::uint64_t games = 0;
        std::string first; // when begun; empty if unknown
        std::string last;
    };
    [[nodiscard]] std::vector<Line> contents() const;

  private:
    struct Closer {
        void operator()(sqlite3* database) const;
    };

    struct Known;

    void open();
    [[nodiscard]] Known find(const std::string& id) const;
    void forget(std::int64_t result);

    std::string path_;
    std::unique_ptr<sqlite3, Closer> database_;
};

} // namespace croupier::tournaments
