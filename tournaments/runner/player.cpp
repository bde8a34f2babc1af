// Turns a seating into a record.
#include "tournaments/runner/player.h"

#include "games/contract/doing.h"
#include "games/ruleset/ruleset_game.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace croupier::tournaments {
namespace {

results::End end_of(games::Ending ending) {
    switch (ending) {
    case games::Ending::Over:
        return results::End::Over;
    case games::Ending::Unfinished:
        return results::End::Unfinished;
    case games::Ending::Aborted:
    case games::Ending::None:
        break;
    }
    return results::End::Aborted;
}

results::End end_of(agents::Verdict::Kind kind) {
    switch (kind) {
    case agents::Verdict::Kind::Resigned:
        return results::End::Resigned;
    case agents::Verdict::Kind::Agreed:
        return results::End::Agreed;
    case agents::Verdict::Kind::Cut:
        return results::End::Cut;
    case agents::Verdict::Kind::Fault:
    case agents::Verdict::Kind::Left: // only people leave, and they play no runs
        break;
    }
    return results::End::Fault;
}

std::string told(const agents::AgentFault& fault) {
    return fmt::format("{}: {}", agents::name_of(fault.kind), fault.what);
}

// Records are lines of text.
void keep_to_one_line(std::string& text) {
    std::replace_if(
        text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
}

} // namespace

LeadTally::LeadTally(const games::Game& game, std::uint32_t playouts)
    : playouts_(playouts), copy_(game.new_position()) {
    for (const games::Team& team : game.facts().teams)
        seats_.push_back(team.seats.front());
    for (games::Seat seat = 0; game.facts().teams.empty() && seat < game.facts().seats(); ++seat)
        seats_.push_back(seat);
}

void LeadTally::begins(const games::Random& chance) {
    chance_ = chance;
    looks_.clear();
    next_ = 0;
}

void LeadTally::looks(const games::Position& before) {
    constexpr std::uint32_t kApart = 16; // looks at a sixteenth of the moves so far
    if (before.plies() < next_) return;
    next_ = before.plies() + 1 + before.plies() / kApart;
    std::vector<double> wins(seats_.size());
    games::Random choices = chance_.stream(2 * before.plies());
    games::Random chance = chance_.stream(2 * before.plies() + 1);
    for (std::uint32_t playout = 0; playout < playouts_; ++playout) {
        copy_->copy_from(before);
        copy_->play_randomly(choices, chance);
        if (copy_->ending() == games::Ending::Aborted) continue;
        std::size_t first = 0;
        for (const games::Seat seat : seats_)
            first += copy_->place(seat) == 1 ? 1 : 0;
        for (std::size_t side = 0; side < seats_.size(); ++side)
            if (copy_->place(seats_[side]) == 1) wins[side] += 1 / static_cast<double>(first);
    }
    // A difference of wins in n playouts has a standard error of at most the root of n.
    const double sure = 2 * std::sqrt(static_cast<double>(playouts_));
    const auto leader = std::max_element(wins.begin(), wins.end());
    const bool leads = std::all_of(wins.begin(), wins.end(), [&](const double& other) {
        return &other == &*leader || *leader - other >= sure;
    });
    looks_.push_back({before.plies(), {}});
    if (leads) looks_.back().leader = static_cast<std::size_t>(leader - wins.begin());
}

results::Course LeadTally::course(std::span<const results::SeatRecord> seats,
                                  std::uint32_t plies) const {
    std::vector<std::size_t> winners;
    for (std::size_t side = 0; side < seats_.size(); ++side)
        if (seats[seats_[side]].place == 1) winners.push_back(side);
    results::Course course{plies, 0, false};
    const bool won = winners.size() == 1;
    std::optional<std::size_t> leader;
    for (const Look& look : looks_) {
        if (look.leader && look.leader != leader) {
            course.leads += leader ? 1 : 0;
            leader = look.leader;
        }
        if (!won) continue;
        course.comeback = course.comeback || (look.leader && *look.leader != winners[0]);
        if (look.leader != winners[0])
            course.settled = plies;
        else if (course.settled == plies)
            course.settled = look.plies;
    }
    return course;
}

FiredRules::FiredRules(const games::RulesetGame& game)
    : program_(game.program()), gauge_(program_, {}, false), profile_(program_.catalogue()) {}

std::uint32_t FiredRules::first(const agents::GameKey&) {
    profile_.clear();
    return 0;
}

void FiredRules::runs(const games::RuleRun& run) {
    if (&run.program == &program_) gauge_.measure(run.group, run.state, run.random, profile_);
}

std::string FiredRules::text() const {
    std::string text;
    for (const engine::RuleCost& rule : profile_.rules())
        text += rule.fired() ? '#' : '.';
    return text;
}

Player::Player(const games::Game& game, const AgentMaker& make, std::uint32_t agents,
               std::mutex& mutex, const PlayerSettings& settings)
    : make_(make), mutex_(mutex), facts_(game.facts()), settings_(settings), opener_(game),
      seats_(game.facts().seats()), table_(game), times_(settings.clock, agents, seats_),
      agents_(std::size_t{agents} * seats_), seated_(seats_) {
    table_.set_watch(settings.costs);
    if (settings.costs != nullptr) settings.costs->look_at(table_.whereabouts());
    table_.set_cut(settings.terms.cut);
    table_.set_abandon(settings.abandon);
    if (settings.clock != nullptr) table_.set_meter(&times_);
    if (settings.playouts > 0) leads_ = std::make_unique<LeadTally>(game, settings.playouts);
    tally_.set_leads(leads_.get());
    if (settings.coverage > 0 && game.ruleset_game() != nullptr)
        fired_ = std::make_unique<FiredRules>(*game.ruleset_game());
}

agents::Agent& Player::agent(std::uint32_t agent, games::Seat seat) {
    auto& kept = agents_[std::size_t{agent} * seats_ + seat];
    if (kept == nullptr) {
        const std::lock_guard lock(mutex_);
        kept = make_(agent);
    }
    return *kept;
}

bool Player::play(const Block& block, std::uint32_t game, std::uint64_t seed,
                  results::GameRecord& record) {
    games::now(games::Doing::Table);
    const std::span<const std::uint32_t> seating = block.seating(game);
    for (games::Seat seat = 0; seat < seats_; ++seat)
        seated_[seat] = &agent(seating[seat], seat);
    if (settings_.costs != nullptr) settings_.costs->seat(seating, seated_);
    times_.seat(seating);
    start_ = settings_.starts != nullptr ? &settings_.starts->of_round(block.round) : nullptr;
    const agents::Opening* const opening =
        start_ != nullptr ? &opener_.open(*start_, seed) : nullptr;
    if (leads_ != nullptr)
        leads_->begins(games::stream(seed, block.deal, games::Purpose::Look, game));
    const bool watches = fired_ != nullptr && block.index < settings_.coverage;
    if (fired_ != nullptr) table_.set_watch(watches ? fired_.get() : nullptr);
    const games::Position& end = table_.play(seated_, {seed, block.deal, game}, &tally_, opening);
    if (table_.abandoned()) return false;
    record.block = block.index;
    record.game = game;
    record.start.reset();
    if (start_ != nullptr) record.start = start_->number;
    write(end, seating, record);
    record.fired = watches ? fired_->text() : std::string();
    return true;
}

void Player::add_notes(AgentNotes& notes) const {
    for (std::size_t i = 0; i < agents_.size(); ++i) {
        if (agents_[i] == nullptr) continue;
        for (const agents::Note& note : agents_[i]->notes())
            notes[{static_cast<std::uint32_t>(i / seats_), note.what}] += note.times;
    }
}

void Player::write(const games::Position& end, std::span<const std::uint32_t> seating,
                   results::GameRecord& record) const {
    games::now(games::Doing::Record);
    const std::optional<agents::SeatFault>& fault = table_.fault();
    const std::optional<agents::Verdict>& verdict = table_.verdict();
    record.plies = end.plies();
    record.end = verdict ? end_of(verdict->kind) : end_of(end.ending());
    record.line = tally_.line();
    record.choices = tally_.choices();
    record.forced = tally_.forced();
    record.fault.clear();
    if (record.end == results::End::Aborted) {
        const games::Fault& broken = end.fault();
        record.fault = broken.rule.empty() ? broken.what : broken.rule + ": " + broken.what;
    } else if (fault) {
        record.fault = told(fault->fault);
    }
    keep_to_one_line(record.fault);
    const bool ranked = results::has_points(record.end);
    const bool judged = verdict && !(fault && settings_.terms.faults == FaultRule::Void);
    record.seats.resize(seats_);
    for (games::Seat seat = 0; seat < seats_; ++seat) {
        results::SeatRecord& row = record.seats[seat];
        row.agent = seating[seat];
        row.score = ranked ? end.score(seat) : 0;
        row.place = ranked   ? end.place(seat)
                    : judged ? agents::place_after(*verdict, facts_, seat)
                             : 0;
        row.role = ranked ? end.role(seat) : std::string();
        row.at_fault = fault && fault->seat == seat;
        row.substitute.reset();
        row.lapse.clear();
        const agents::Substitution* other = seated_[seat]->substitution();
        if (other == nullptr || row.at_fault) continue;
        row.substitute = other->ply;
        row.lapse = told(other->fault);
        keep_to_one_line(row.lapse);
    }
    record.course.reset();
    if (leads_ != nullptr) record.course = leads_->course(record.seats, record.plies);
}

} // namespace croupier::tournaments
