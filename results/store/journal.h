// Writes games.csv, with costs.csv if rules are watched and moves.jsonl if games are kept, and
// games.journal, which records how much of them is complete.
//
// Rows are appended in schedule order. After each batch, a line of the journal records the blocks
// and bytes so far, the checksum of the batch, both for each of the other files as well, and the
// checksum of the line itself. However a process or a machine ends, the rows up to the last batch
// that matches its checksums are good; the rest is cut off and played again. Only unwritten rows
// are lost.
#pragma once

#include "results/store/file.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::results {

class Journal {
  public:
    // Whether there are also costs.csv and moves.jsonl.
    explicit Journal(bool costs = false, bool moves = false);
    // The journal of a comparison, whose games.csv has other columns and no files beside it.
    static Journal of_comparison();

    // Finds the complete part of the folder's files; changes nothing. Rows without a journal, or a
    // journal without rows, are a failure.
    Failure examine(const std::string& folder);
    // Examines the folder, then creates missing files and cuts off incomplete rows. If the
    // examination fails, or another file is missing, changes nothing.
    Failure open(const std::string& folder);

    // Blocks found complete by `examine`, plus those appended.
    [[nodiscard]] std::uint64_t blocks() const { return blocks_; }
    // Sizes of games.csv, costs.csv and moves.jsonl, without unwritten rows.
    [[nodiscard]] std::uint64_t bytes() const { return files_.front().bytes; }
    [[nodiscard]] std::uint64_t cost_bytes() const;
    [[nodiscard]] std::uint64_t moves_bytes() const;
    // The journal's lines that `examine` found complete: their checksums identify the rows.
    [[nodiscard]] const std::string& lots() const { return lots_; }
    // Bytes of games.csv that are not complete.
    [[nodiscard]] std::uint64_t torn() const { return torn_; }
    // The first line of journaled rows that differ from their checksum, because they were edited or
    // the machine lost power; 0 if there is none.
    [[nodiscard]] std::uint64_t altered_line() const { return altered_line_; }
    // A warning for the user about it; empty if there is none.
    [[nodiscard]] std::string warning() const;
    // Whether there are blocks but costs.csv is missing.
    [[nodiscard]] bool lacks_costs() const;

    // Adds the next block. Kept in memory until `write`.
    void append(std::string_view rows, std::string_view cost_rows = {},
                std::string_view moves = {});
    [[nodiscard]] std::size_t waiting() const;
    // Writes pending rows to the operating system, where they survive the end of the process. After
    // a failure (a full disk) cuts the files back to a complete batch, if possible.
    Failure write();
    // After `write`: makes the rows survive a loss of power.
    Failure sync();
    // Call when the run is complete and its summary written: removes the journal, and costs.csv
    // unless this is a shard to be merged.
    Failure remove(bool keep_costs = false);

  private:
    struct Growing {
        std::string_view name;
        std::string_view titles; // its first line; may be empty
        File file = {};
        std::string waiting = {}; // not yet written
        std::uint64_t bytes = 0;
        bool missing = false; // there are blocks, but it is missing
    };

    Failure find_whole(std::vector<File>& open, std::string_view log);
    Failure cut_torn();
    [[nodiscard]] Failure refuse_other_titles(const File& games) const;
    Failure write_all(std::string_view line);
    [[nodiscard]] std::size_t titles() const { return files_.front().titles.size(); }
    [[nodiscard]] const Growing* file(std::string_view name) const;
    Growing* file(std::string_view name);

    std::string folder_;
    std::vector<Growing> files_; // games.csv first
    File log_;
    std::string lots_;
    std::uint64_t blocks_ = 0;
    std::uint64_t log_bytes_ = 0;
    std::uint64_t torn_ = 0;
    std::uint64_t altered_line_ = 0;
};

// Number of blocks safely stored in the folder, by the last complete line of its journal; checks
// nothing, and so is cheap.
std::uint64_t blocks_written(const std::string& folder);

// File names in the folder.
inline constexpr std::string_view kGamesFile = "games.csv";
inline constexpr std::string_view kJournalFile = "games.journal";

} // namespace croupier::results
