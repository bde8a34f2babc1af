// games.csv while it is written, with costs.csv where rules are watched and moves.jsonl where games
// are kept, and games.journal beside them, which says how much of them is whole.
//
// Rows are appended in schedule order; after each lot a line of the journal tells the blocks and
// bytes so far, the checksum of the lot, both for each of the other files, and the checksum
// of the line itself. However a process or a machine ends, the rows up to the last lot that is
// there and agrees with its checksums are good; what follows is cut off and played again. Nothing
// is lost but what was not yet written.
#pragma once

#include "results/store/file.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace croupier::results {

class Journal {
  public:
    // Whether there are a costs.csv and a moves.jsonl as well.
    explicit Journal(bool costs = false, bool moves = false);
    // The journal of a comparison, whose games.csv has other titles and no files beside it.
    static Journal of_comparison();

    // Finds what of the folder's files is whole; changes nothing. Rows without a journal, or a
    // journal without rows, are a failure.
    Failure examine(const std::string& folder);
    // Examines the folder, then makes the files where there are none and cuts off what is torn. A
    // failure of the examination, and another file that is missing, leave everything as it was.
    Failure open(const std::string& folder);

    // Blocks that are safely there after `examine` plus what was appended.
    [[nodiscard]] std::uint64_t blocks() const { return blocks_; }
    // Sizes of games.csv, costs.csv and moves.jsonl, without what was appended but not yet written.
    [[nodiscard]] std::uint64_t bytes() const { return files_.front().bytes; }
    [[nodiscard]] std::uint64_t cost_bytes() const;
    [[nodiscard]] std::uint64_t moves_bytes() const;
    // The lines of the journal that `examine` has found whole: they name all that their rows are.
    [[nodiscard]] const std::string& lots() const { return lots_; }
    // What of games.csv is not whole.
    [[nodiscard]] std::uint64_t torn() const { return torn_; }
    // The first line of rows that the journal knows and that are not as they were written: somebody
    // has altered them, or the machine has lost power. 0: there are none.
    [[nodiscard]] std::uint64_t altered_line() const { return altered_line_; }
    // What a user should know of them; empty if there are none.
    [[nodiscard]] std::string warning() const;
    // There are blocks, and costs.csv is gone.
    [[nodiscard]] bool lacks_costs() const;

    // What the next block adds. Kept in memory until `write`.
    void append(std::string_view rows, std::string_view cost_rows = {},
                std::string_view moves = {});
    [[nodiscard]] std::size_t waiting() const;
    // Gives what waits to the operating system: it survives the death of the process. After a
    // failure (a full disk) the files end in a whole lot again, as far as that can be had.
    Failure write();
    // After `write`: survives the loss of power.
    Failure sync();
    // The run is complete, and what it comes to is written: the journal is not needed any more, nor
    // is costs.csv, unless this is a part that will be merged.
    Failure remove(bool keep_costs = false);

  private:
    struct Growing {
        std::string_view name;
        std::string_view titles; // its first line; may be empty
        File file = {};
        std::string waiting = {}; // not yet written
        std::uint64_t bytes = 0;
        bool missing = false; // there are blocks, and it is gone
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

// Their names in the folder.
inline constexpr std::string_view kGamesFile = "games.csv";
inline constexpr std::string_view kJournalFile = "games.journal";

} // namespace croupier::results
