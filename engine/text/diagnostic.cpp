// Finds the nearest word, sorts diagnostics, and shows one with its source line and a caret.
#include "engine/text/diagnostic.h"

#include <algorithm>
#include <tuple>

namespace croupier::engine {

namespace {

// Far longer than any name; keeps a pasted file from costing a quadratic comparison.
constexpr std::size_t kLongestWord = 128;

std::string lower_case(std::string_view text) {
    std::string lowered(text);
    // By hand, as std::tolower depends on the locale.
    for (char& c : lowered)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return lowered;
}

// Restricted Damerau-Levenshtein distance over three rolling rows.
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before_last(b.size() + 1);
    std::vector<std::size_t> last(b.size() + 1);
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        last[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replace = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({replace, last[j] + 1, row[j - 1] + 1});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], before_last[j - 2] + 1);
        }
        std::swap(before_last, last);
        std::swap(last, row);
    }
    return last[b.size()];
}

// One slip in a short word, two in a usual one, then one per four letters.
std::size_t tolerated(std::size_t length) {
    if (length <= 2) return length == 2 ? 1 : 0;
    if (length <= 4) return 1;
    return std::max<std::size_t>(2, length / 4);
}

constexpr std::size_t kShownColumns = 100;
constexpr std::size_t kTabWidth = 4;
constexpr std::string_view kMargin = "    ";

// A unit of a shown source line that fills columns, with the byte it comes from.
struct Cell {
    std::string_view shown;
    std::size_t byte;
};

std::size_t length_of_character(std::string_view text, std::size_t at) {
    std::size_t end = at + 1;
    while (end < text.size() && !starts_character(text[end]))
        ++end;
    return end - at;
}

std::vector<Cell> cells_of(std::string_view line) {
    std::vector<Cell> cells;
    for (std::size_t i = 0; i < line.size();) {
        const std::size_t length = length_of_character(line, i);
        const auto first = static_cast<unsigned char>(line[i]);
        if (line.substr(i, length) == "\xEF\xBB\xBF") {
            // A byte order mark is invisible and takes no column.
        } else if (first == '\t') {
            cells.insert(cells.end(), kTabWidth, {" ", i});
        } else if (first < 0x20 || first == 0x7F || (first >= 0x80 && first < 0xC2) || length > 4 ||
                   (first >= 0xC2 && length == 1)) {
            cells.push_back({"?", i}); // would disturb the terminal or is not a character
        } else {
            cells.push_back({line.substr(i, length), i});
        }
        i += length;
    }
    return cells;
}

// A piece of a line, and whether it was cut on either side.
struct Piece {
    std::string_view text;
    bool cut_before = false;
    bool cut_after = false;
};

// Cuts out enough bytes around `begin` to fill the shown columns: a line can be as long as a file.
Piece piece_around(std::string_view line, std::size_t begin) {
    constexpr std::size_t kReach = 8 * kShownColumns;
    std::size_t from = begin > kReach ? begin - kReach : 0;
    std::size_t to = std::min(line.size(), begin + kReach);
    const auto inside = [&](std::size_t at) {
        return at > 0 && at < line.size() && !starts_character(line[at]);
    };
    while (inside(from))
        --from;
    while (inside(to))
        ++to;
    return {line.substr(from, to - from), from > 0, to < line.size()};
}

// Returns the part around columns [first, last) that fits, and a second line of carets below it.
std::string show(const std::vector<Cell>& cells, std::size_t first, std::size_t last,
                 const Piece& piece) {
    std::size_t from = 0;
    std::size_t to = cells.size();
    if (cells.size() > kShownColumns) {
        from = first > kShownColumns / 3 ? first - kShownColumns / 3 : 0;
        from = std::min(from, cells.size() - kShownColumns);
        to = from + kShownColumns;
    }
    std::string text(kMargin);
    std::string carets(kMargin);
    if (from > 0 || piece.cut_before) {
        text += "...";
        carets += "   ";
    }
    for (std::size_t i = from; i < to; ++i)
        text += cells[i].shown;
    if (to < cells.size() || piece.cut_after) text += "...";
    carets.append(first - from, ' ');
    carets += '^';
    const std::size_t end = std::min(last, to);
    if (end > first + 1) carets.append(end - first - 1, '~');
    while (!text.empty() && text.back() == ' ')
        text.pop_back();
    return text + '\n' + carets + '\n';
}

std::string show_place(Span span, const Sources& sources) {
    const std::string_view all = sources.text(span.file);
    const std::string_view line = sources.line_at(span.file, span.begin);
    if (line.empty() && all.empty()) return {};
    const auto line_start = static_cast<std::size_t>(line.data() - all.data());
    const Piece piece =
        piece_around(line, std::min<std::size_t>(span.begin - line_start, line.size()));
    const auto start = static_cast<std::size_t>(piece.text.data() - all.data());
    const std::vector<Cell> cells = cells_of(piece.text);
    const auto column = [&](std::size_t offset) {
        const auto at = std::find_if(cells.begin(), cells.end(),
                                     [&](const Cell& cell) { return start + cell.byte >= offset; });
        return static_cast<std::size_t>(at - cells.begin());
    };
    return show(cells, column(span.begin), column(std::max(span.begin, span.end)), piece);
}

// Names from files may hold any byte; control characters must not reach a terminal.
std::string printable(std::string text) {
    for (char& c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20 || byte == 0x7F) c = '?';
    }
    return text;
}

} // namespace

std::optional<std::string> nearest(std::string_view word, std::span<const std::string> known) {
    if (word.empty() || word.size() > kLongestWord) return std::nullopt;
    const std::string wanted = lower_case(word);
    std::optional<std::string> best;
    std::size_t best_distance = 0;
    for (const std::string& candidate : known) {
        if (candidate.size() > kLongestWord) continue;
        const std::size_t found = distance(wanted, lower_case(candidate));
        if (found > tolerated(std::max(wanted.size(), candidate.size()))) continue;
        if (!best || found < best_distance) {
            best = candidate;
            best_distance = found;
        }
    }
    return best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> known) {
    const auto found = nearest(word, known);
    return found ? " (did you mean '" + *found + "'?)" : std::string();
}

std::string hint_for(std::string_view word, std::span<const std::string> known,
                     std::string_view otherwise) {
    const auto found = nearest(word, known);
    return found ? "did you mean \"" + *found + "\"?" : std::string(otherwise);
}

void Diagnostics::add(Diagnostic diagnostic) {
    if (diagnostic.severity == Severity::Error) ++errors_;
    if (!full()) all_.push_back(std::move(diagnostic));
}

void Diagnostics::error(std::string_view code, Span span, std::string message, std::string hint,
                        std::string rule) {
    add({std::string(code), Severity::Error, span, std::move(rule), std::move(message),
         std::move(hint)});
}

void Diagnostics::warning(std::string_view code, Span span, std::string message, std::string hint,
                          std::string rule) {
    add({std::string(code), Severity::Warning, span, std::move(rule), std::move(message),
         std::move(hint)});
}

std::vector<Diagnostic> Diagnostics::sorted() const {
    std::vector<Diagnostic> result = all_;
    const auto key = [](const Diagnostic& d) {
        return std::tie(d.span.file, d.span.begin, d.code, d.span.end, d.message, d.rule);
    };
    std::stable_sort(result.begin(), result.end(),
                     [&](const Diagnostic& a, const Diagnostic& b) { return key(a) < key(b); });
    // Several rules may use one wrong pattern; it is reported once.
    const auto same = [](const Diagnostic& a, const Diagnostic& b) {
        return a.span == b.span && a.code == b.code && a.message == b.message;
    };
    result.erase(std::unique(result.begin(), result.end(), same), result.end());
    return result;
}

std::string format(const Diagnostic& diagnostic, const Sources& sources) {
    std::string text = printable(sources.place(diagnostic.span));
    text += diagnostic.severity == Severity::Error ? ": error[" : ": warning[";
    text += diagnostic.code + "]: " + printable(diagnostic.message);
    if (!diagnostic.rule.empty()) text += " (rule " + printable(diagnostic.rule) + ")";
    text += '\n';
    text += show_place(diagnostic.span, sources);
    if (!diagnostic.hint.empty()) text += "  hint: " + printable(diagnostic.hint) + '\n';
    return text;
}

} // namespace croupier::engine
