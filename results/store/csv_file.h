// Reads a CSV file with known columns, line by line; failures name the line.
#pragma once

#include "results/store/file.h"

#include <csv.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace croupier::results {

// The titles of a file, and the part of it between two positions, for the CSV reader.
class BoundedSource : public io::ByteSourceBase {
  public:
    BoundedSource(File file, std::uint64_t limit, std::uint64_t from)
        : file_(std::move(file)), from_(from), limit_(limit) {
        // The reader asks for 32 MiB at once, which would be cleared for every small file.
        if (std::uint64_t bytes = 0; !file_.size(bytes)) limit_ = std::min(limit_, bytes);
    }
    int read(char* buffer, int size) override {
        constexpr std::size_t kMaxTitles = 4096;
        std::string titles;
        if (at_ == 0 && from_ > 0) {
            if (file_.read(0, kMaxTitles, titles)) return 0;
            titles.resize(titles.find('\n') + 1);
            at_ = from_;
        }
        const auto room = static_cast<std::uint64_t>(size) - titles.size();
        const std::uint64_t most = std::min(room, limit_ - at_);
        if (file_.read(at_, static_cast<std::size_t>(most), chunk_)) return 0;
        std::copy(chunk_.begin(), chunk_.end(), std::copy(titles.begin(), titles.end(), buffer));
        at_ += chunk_.size();
        return static_cast<int>(titles.size() + chunk_.size());
    }

  private:
    File file_;
    std::string chunk_;
    std::uint64_t at_ = 0;
    std::uint64_t from_;
    std::uint64_t limit_;
};

// Columns may be in any order, with others between them. Those after the first `needed` may be
// missing: their cells are then null.
template <std::size_t Columns>
class CsvFile {
  public:
    using Names = std::array<const char*, Columns>;
    using Cells = std::array<char*, Columns>;

    // The last `later` columns may be missing, as in older files: their cells are then null. Reads
    // at most the first `bytes` of the file, and of these the titles and what follows `from`.
    CsvFile(std::string path, const Names& names, std::uint64_t bytes = ~std::uint64_t{0},
            std::size_t later = 0, std::uint64_t from = 0)
        : path_(std::move(path)) {
        File file;
        failure_ = file.open(path_, File::Mode::Read);
        if (failure_) return;
        open(names, later, path_,
             std::unique_ptr<io::ByteSourceBase>(new BoundedSource(std::move(file), bytes, from)));
    }
    // The same for a text in memory, which must outlive it; `name` identifies it in messages.
    CsvFile(std::string name, std::string_view text, const Names& names, std::size_t later = 0)
        : path_(std::move(name)) {
        open(names, later, path_, text.data(), text.data() + text.size());
    }
    // Reads the next row; cells are valid until the next call. False at the end, and after a
    // failure.
    bool next(Cells& cells) {
        if (failure_) return false;
        try {
            return read_row(cells, std::make_index_sequence<Columns>());
        } catch (const io::error::too_few_columns&) {
            return fail("the row has too few cells");
        } catch (const io::error::too_many_columns&) {
            return fail("the row has too many cells");
        } catch (const io::error::base&) {
            return fail("the row is damaged");
        }
    }
    // Records a failure of the current row, or of another. Returns false; only the first failure is
    // kept.
    bool fail(const std::string& what) { return fail(line(), what); }
    bool fail(unsigned line, const std::string& what) {
        if (!failure_) failure_ = fmt::format("{}:{}: {}", path_, line, what);
        return false;
    }
    // Whether the last columns are there.
    [[nodiscard]] bool has_later() const { return has_later_; }
    [[nodiscard]] unsigned line() const { return csv_->get_file_line(); }
    [[nodiscard]] const Failure& failure() const { return failure_; }

  private:
    using Csv = io::CSVReader<Columns, io::trim_chars<>, io::double_quote_escape<',', '"'>>;

    template <class... Source>
    void open(const Names& names, std::size_t later, Source&&... source) {
        try {
            csv_ = std::make_unique<Csv>(std::forward<Source>(source)...);
            read_header(names, std::make_index_sequence<Columns>());
            has_later_ = csv_->has_column(names.back());
            for (std::size_t i = 0; i + later < Columns && !failure_; ++i)
                if (!csv_->has_column(names[i]))
                    failure_ = fmt::format("{}:1: there is no column '{}'", path_, names[i]);
        } catch (const io::error::base&) {
            failure_ = fmt::format("{}:1: the titles of the columns are damaged", path_);
        }
    }

    template <std::size_t... I>
    void read_header(const Names& names, std::index_sequence<I...>) {
        csv_->read_header(io::ignore_extra_column | io::ignore_missing_column, names[I]...);
    }
    template <std::size_t... I>
    bool read_row(Cells& cells, std::index_sequence<I...>) {
        return csv_->read_row(cells[I]...);
    }

    std::string path_;
    bool has_later_ = false;
    std::unique_ptr<Csv> csv_;
    Failure failure_;
};

} // namespace croupier::results
