// Rows are written as they are learnt, and learnt again as they are read: what comes out must be
// what stands there.
#include "tournaments/tuning/steps_file.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace croupier::tournaments {
namespace {

std::string titles_of(const Spsa& spsa) {
    std::string line = "blocks,result";
    for (const TunedParameter& parameter : spsa.parameters())
        line += "," + parameter.name;
    return line + "\n";
}

std::string row_of(const Spsa& spsa, double result) {
    std::string line = fmt::format("{},{}", spsa.blocks(), result);
    for (const double value : spsa.values())
        line += fmt::format(",{}", value);
    return line + "\n";
}

template <class Number>
bool take_number(std::string_view& row, Number& number) {
    const auto read = std::from_chars(row.data(), row.data() + row.size(), number);
    if (read.ec != std::errc()) return false;
    row.remove_prefix(static_cast<std::size_t>(read.ptr - row.data()));
    if (!row.empty() && row.front() == ',') row.remove_prefix(1);
    return true;
}

} // namespace

results::Failure read_steps(const std::string& folder, Spsa& spsa, std::vector<TuningStep>& steps,
                            std::uint64_t& bytes) {
    bytes = 0;
    const std::string path = results::in_folder(folder, kStepsFile);
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) return {};
    std::string text;
    if (auto failure = results::read_file(path, text)) return failure;
    text.resize(text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1);
    bytes = text.size();
    if (text.empty()) return {};
    const std::string titles = titles_of(spsa);
    if (!text.starts_with(titles))
        return fmt::format("{}: its first line is not \"{}\"", path,
                           titles.substr(0, titles.size() - 1));
    std::string_view rest = std::string_view(text).substr(titles.size());
    for (std::size_t line = 2; !rest.empty(); ++line) {
        const std::string_view row = rest.substr(0, rest.find('\n') + 1);
        rest.remove_prefix(row.size());
        std::string_view numbers = row;
        std::uint64_t blocks = 0;
        double result = 0;
        const bool read = take_number(numbers, blocks) && take_number(numbers, result);
        if (read && !spsa.is_done()) spsa.learn(result);
        if (row != row_of(spsa, result))
            return fmt::format("{}:{}: not what the rows before it and the parameters come to",
                               path, line);
        steps.push_back({spsa.blocks(), result, spsa.values()});
    }
    return {};
}

results::Failure StepsFile::open(const std::string& folder, Spsa& spsa) {
    std::uint64_t whole = 0;
    if (auto failure = read_steps(folder, spsa, steps_, whole)) return failure;
    const std::string path = results::in_folder(folder, kStepsFile);
    if (auto failure = file_.open(path, results::File::Mode::Append)) return failure;
    std::uint64_t size = 0;
    if (auto failure = file_.size(size)) return failure;
    if (size > whole) {
        if (auto failure = file_.cut(whole)) return failure;
    }
    return whole == 0 ? file_.write(titles_of(spsa)) : results::Failure();
}

results::Failure StepsFile::append(const Spsa& spsa, double result) {
    steps_.push_back({spsa.blocks(), result, spsa.values()});
    return file_.write(row_of(spsa, result));
}

} // namespace croupier::tournaments
