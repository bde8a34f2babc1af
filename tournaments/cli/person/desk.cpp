// Reads lines, hides what the next one must not see.
#include "tournaments/cli/person/desk.h"

#include "tournaments/cli/command.h"

#include <fmt/format.h>

#include <istream>
#include <utility>

namespace croupier::cli {
namespace {

constexpr std::string_view kClear = "\x1b[2J\x1b[3J\x1b[H"; // what has scrolled away as well

std::string trimmed(const std::string& text) {
    constexpr std::string_view kBlanks = " \t\r";
    const std::size_t begin = text.find_first_not_of(kBlanks);
    if (begin == std::string::npos) return {};
    return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

} // namespace

Desk::Desk(const games::Game& game, Page& page, std::istream& in, std::size_t people,
           std::vector<std::string> advisers, AgentOf make)
    : game_(game), page_(page), in_(in), people_(people), advisers_(std::move(advisers)),
      make_(std::move(make)), drawer_(game) {}

std::optional<std::string> Desk::read(const std::string& prompt) {
    page_.raw(printable(prompt));
    page_.flush();
    std::string line;
    if (!std::getline(in_, line)) {
        page_.line();
        return std::nullopt;
    }
    line = trimmed(line);
    // A terminal shows what is typed; elsewhere the reader of the output wants to see it.
    if (!page_.is_terminal()) page_.line({line});
    return line;
}

void Desk::take_seat(games::Seat seat) {
    const bool other = here_ != seat;
    here_ = seat;
    if (!other || people_ < 2 || !game_.facts().hides) return;
    const std::string& name = game_.facts().players[seat];
    page_.line();
    if (!page_.is_terminal()) {
        page_.line({fmt::format("---- {} ----", name)});
        return;
    }
    if (!read(fmt::format("{}, press Enter when nobody else can see the screen: ", name)))
        wish(Wish::InputEnded);
}

void Desk::leave_seat() {
    if (people_ > 1 && game_.facts().hides && page_.is_terminal()) page_.raw(kClear);
}

std::unique_ptr<agents::Agent> Desk::adviser(std::string& spec) {
    if (!spec.empty()) {
        try {
            return make_(spec);
        } catch (const Mistake& mistake) {
            page_.paragraph(mistake.what());
            return nullptr;
        }
    }
    for (const std::string& each : advisers_) {
        try {
            spec = each;
            return make_(each);
        } catch (const Mistake&) { // it does not play this game: the next one
        }
    }
    page_.paragraph("No agent that comes with croupier can advise here; name one: hint AGENT");
    return nullptr;
}

const MoveReasons* Desk::reasons() {
    const games::RulesetGame* const rules = game_.ruleset_game();
    if (!reasons_ && rules != nullptr) reasons_.emplace(*rules);
    return reasons_ ? &*reasons_ : nullptr;
}

} // namespace croupier::cli
