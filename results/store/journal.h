// games.csv while it is written, with costs.csv where rules are watched, and games.journal beside
// them, which says how much of them is whole.
//
// Rows are appended in schedule order; after each lot a line of the journal tells the blocks and
// bytes so far, the checksum of the lot, both for costs.csv too, and the checksum of the line
// itself. However a process or a machine ends, the rows up to the last lot that is there and agrees
// with its checksums are good; what follows is cut off and played again. Nothing is lost but what
// was not yet written.
#pragma once

#include "results/store/file.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace croupier::results {

class Journal {
  public:
    // Whether there is a costs.csv as well.
    explicit Journal(bool costs = false) : has_costs_(costs) {}

    // Opens the files of the folder, made where they are missing, and cuts off what is torn. Rows
    // without a journal are left alone, and a failure.
    Failure open(const std::string& folder);

    // Blocks that are safely there after `open` plus what was appended.
    [[nodiscard]] std::uint64_t blocks() const { return blocks_; }
    // Of games.csv, without what was appended but not yet written.
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
    // What `open` has cut off games.csv.
    [[nodiscard]] std::uint64_t torn() const { return torn_; }

    // Rows of the next block. Kept in memory until `write`.
    void append(std::string_view rows, std::string_view cost_rows = {});
    [[nodiscard]] std::size_t waiting() const { return rows_.size() + cost_rows_.size(); }
    // Gives what waits to the operating system: it survives the death of the process. After a
    // failure (a full disk) the files end in a whole lot again, as far as that can be had.
    Failure write();
    // After `write`: survives the loss of power.
    Failure sync();
    // The run is complete, and what it comes to is written: the journal is not needed any more, nor
    // is costs.csv, unless this is a part that will be merged.
    Failure remove(bool keep_costs = false);

  private:
    Failure recover();
    Failure write_all(std::string_view line);

    bool has_costs_;
    std::string folder_;
    File games_;
    File costs_;
    File log_;
    std::string rows_; // not yet written
    std::string cost_rows_;
    std::uint64_t blocks_ = 0;
    std::uint64_t bytes_ = 0;
    std::uint64_t cost_bytes_ = 0;
    std::uint64_t log_bytes_ = 0;
    std::uint64_t torn_ = 0;
};

// Their names in the folder.
inline constexpr std::string_view kGamesFile = "games.csv";
inline constexpr std::string_view kJournalFile = "games.journal";

} // namespace croupier::results
