// Names of kept games, and the file that holds them, a chunk at a time.
#include "results/store/kept_games.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <system_error>
#include <utility>

namespace croupier::results {
namespace {

constexpr std::size_t kChunk = std::size_t{256} << 10;
constexpr std::string_view kFirst = "{\"id\":\""; // so begins the first line of a game
constexpr std::array<std::pair<Keep, std::string_view>, 3> kNames = {
    {{Keep::None, "none"}, {Keep::Faults, "faults"}, {Keep::All, "all"}}};

std::optional<GameId> id_in(std::string_view line) {
    if (!line.starts_with(kFirst)) return std::nullopt;
    line.remove_prefix(kFirst.size());
    return game_id_of(line.substr(0, line.find('"')));
}

} // namespace

std::string_view name_of(Keep keep) {
    for (const auto& [each, name] : kNames)
        if (each == keep) return name;
    return {};
}

std::optional<Keep> keep_of(std::string_view name) {
    for (const auto& [keep, each] : kNames)
        if (each == name) return keep;
    return std::nullopt;
}

std::string text_of(GameId id) {
    return fmt::format("{}.{}", id.block, id.game);
}

std::optional<GameId> game_id_of(std::string_view text) {
    GameId id;
    const char* const end = text.data() + text.size();
    const auto [dot, wrong] = std::from_chars(text.data(), end, id.block);
    if (wrong != std::errc() || dot == end || *dot != '.') return std::nullopt;
    const auto [stop, error] = std::from_chars(dot + 1, end, id.game);
    if (error != std::errc() || stop != end) return std::nullopt;
    return id;
}

KeptGames::KeptGames(std::string path, std::uint64_t bytes) : path_(std::move(path)), most_(bytes) {
    std::error_code ignored;
    if (std::filesystem::exists(path_, ignored)) failure_ = file_.open(path_, File::Mode::Read);
}

bool KeptGames::fail(std::string_view what) {
    failure_ = fmt::format("{}:{}: {}", path_, number_, what);
    return false;
}

bool KeptGames::next_line() {
    line_.clear();
    ++number_;
    for (;;) {
        const std::size_t end = buffer_.find('\n', at_);
        if (end != std::string::npos) {
            line_.append(buffer_, at_, end + 1 - at_);
            at_ = end + 1;
            return true;
        }
        line_.append(buffer_, at_);
        at_ = 0;
        const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(most_ - read_, kChunk));
        if ((failure_ = file_.read(read_, size, buffer_))) return false;
        read_ += buffer_.size();
        if (buffer_.empty()) return line_.empty() ? false : fail("the file ends within a line");
    }
}

bool KeptGames::next(GameId& id, std::string& lines) {
    lines.clear();
    if (failure_ || !file_.is_open()) return false;
    if (line_.empty() && !next_line()) return false;
    const auto first = id_in(line_);
    if (!first) return fail("a kept game begins with its name, as in {\"id\":\"0.1\", ..");
    id = *first;
    do {
        lines += line_;
    } while (next_line() && !line_.starts_with(kFirst));
    return !failure_;
}

void KeptGames::take_block(std::uint64_t block, std::string& lines) {
    lines.clear();
    for (;;) {
        if (!ahead_) {
            ahead_.emplace();
            if (!next(ahead_->first, ahead_->second)) ahead_.reset();
        }
        if (!ahead_ || ahead_->first.block > block) return;
        if (ahead_->first.block == block) lines += ahead_->second;
        ahead_.reset();
    }
}

} // namespace croupier::results
