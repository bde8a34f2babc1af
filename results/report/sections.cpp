// The contents of a report, in the order of interest; and the same for programs.
#include "results/report/sections.h"

#include "results/report/costs.h"
#include "results/report/numbers.h"
#include "results/report/report.h"
#include "results/statistics/means.h"
#include "results/store/games_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

namespace croupier::results {
namespace {

// Number of faults of an agent, or of a kind, which is named before the colon.
using Count = std::pair<std::string, std::uint64_t>;

void add(std::vector<Count>& counts, const std::string& name, std::uint64_t games) {
    const auto known = std::ranges::find(counts, name, &Count::first);
    if (known == counts.end())
        counts.emplace_back(name, games);
    else
        known->second += games;
}

void most_first(std::vector<Count>& counts) {
    std::ranges::stable_sort(
        counts, [](const Count& one, const Count& other) { return one.second > other.second; });
}

constexpr std::size_t kLengthBins = 10;
constexpr std::size_t kFineBins = 4096;        // the maximum of a Histogram
constexpr std::size_t kAgentsInSeatTables = 4; // with more, only totals are shown
constexpr std::size_t kFaultsShown = 10;

// Faults that ended games: their number, agents and kinds.
void add_faults(const Summary& summary, Section& section) {
    const std::uint64_t faults = summary.endings[static_cast<std::size_t>(End::Fault)];
    if (faults > 0) {
        section.notes.push_back(fmt::format("{} of {} ended by an agent's fault: {}", faults,
                                            counted(summary.games, "game"),
                                            faults_told(summary, true)));
    }
    const std::string others = faults_told(summary, false);
    if (!others.empty())
        section.notes.push_back("another agent has played on in the place of: " + others);
}

// The leader, by how much, and with what confidence.
std::string verdict_of(const Summary& summary) {
    if (summary.contestants.size() < 2) return {};
    const std::vector<std::uint32_t> order = by_win_rate(summary);
    const ContestantRow& first = summary.contestants[order[0]];
    const ContestantRow& second = summary.contestants[order[1]];
    const std::string won = fmt::format("{} of games won {}", percent(first.win_rate.value),
                                        interval(first.win_rate, 1, kPercent));
    if (first.blocks < kMinBlocks)
        return fmt::format("{} against {} has too few deals to tell: {}.", first.name, second.name,
                           won);
    const auto met = std::ranges::find_if(summary.meetings, [&](const MeetingRow& row) {
        return std::minmax(row.first, row.second) == std::minmax(order[0], order[1]);
    });
    if (met == summary.meetings.end() ||
        (met->score.low.value_or(0) <= 0.5 && met->score.high.value_or(1) >= 0.5))
        return fmt::format("{} against {} is undecided: {}.", first.name, second.name, won);
    if (summary.contestants.size() > 2 || !met->balanced)
        return fmt::format("{} leads: {}; {} is next with {}.", first.name, won, second.name,
                           percent(second.win_rate.value));
    return fmt::format(
        "{} is stronger than {}: {}{}.", first.name, second.name, won,
        met->elo.value ? fmt::format(", {} Elo", signed_fixed(std::abs(*met->elo.value), 0)) : "");
}

Section heading_of(const Report& report) {
    const Summary& summary = report.summary;
    Section section = begin_section("summary");
    std::string text = fmt::format("{}: {} in {}, seed {}{}", summary.facts.game,
                                   counted(summary.games, "game"), counted(summary.blocks, "block"),
                                   summary.facts.seed, told_starts(summary.facts.starts));
    if (report.status.seconds) {
        text += ", " + duration(*report.status.seconds);
        if (*report.status.seconds > 0)
            text += fmt::format(", {:.0f} games/s",
                                static_cast<double>(summary.games) / *report.status.seconds);
    }
    if (std::string verdict = verdict_of(summary); !verdict.empty())
        section.notes.push_back(std::move(verdict));
    section.notes.push_back(text);
    if (!summary.facts.irreproducible.empty())
        section.notes.push_back(fmt::format("not reproducible, since time or a program decides: {}",
                                            fmt::join(summary.facts.irreproducible, ", ")));
    if (!summary.facts.oracles.empty())
        section.notes.push_back(fmt::format("sees all cards, so that it is no honest opponent: {}",
                                            fmt::join(summary.facts.oracles, ", ")));
    add_faults(summary, section);
    if (!report.status.ended.empty()) section.notes.push_back(report.status.ended);
    return section;
}

Section standings_of(const Summary& summary) {
    const bool joint = summary.contestants.size() > 2;
    // If all have played all games, the heading gives the number.
    const bool has_games = !std::ranges::all_of(
        summary.contestants, [&](const auto& row) { return row.games == summary.games; });
    Section section =
        begin_section("standings", "standings",
                      "agent|>wins|>draws|>losses|>win rate|>95 %|>points", {6, 3, 2, 1, 5});
    if (joint) {
        add_columns(section, ">Elo|>");
        section.spare = {6, 3, 2, 1, 5, 8};
    }
    if (has_games) {
        add_columns(section, ">games");
        section.spare.insert(section.spare.end() - 1, section.table.columns.size() - 1);
    }
    for (const std::uint32_t each : by_win_rate(summary)) {
        const ContestantRow& row = summary.contestants[each];
        std::vector<std::string> cells{
            row.name,
            std::to_string(row.wins),
            std::to_string(row.draws),
            std::to_string(row.losses),
            percent(row.win_rate.value),
            interval(row.win_rate, 1, 100),
            fixed(row.points.value, 2),
        };
        if (joint) {
            const Rating& rating = row.rating;
            std::optional<double> reach;
            if (rating.low) reach = *rating.elo - *rating.low;
            cells.push_back(rating.with_prior
                                ? fmt::format("({})", signed_fixed(rating.with_prior, 1))
                                : signed_fixed(rating.elo, 1));
            cells.push_back(rating.elo ? plus_minus(reach, 1) : "");
        }
        if (has_games) cells.push_back(std::to_string(row.games));
        section.table.rows.push_back(std::move(cells));
    }
    if (joint)
        section.notes.emplace_back(
            "Elo: one joint fit of all meetings, 0 is the mean of who can be compared, errors at "
            "95 % by bootstrap over blocks.");
    if (summary.groups > 1)
        section.notes.push_back(
            fmt::format("The field falls into {} groups that never met: ratings say nothing "
                        "across them.",
                        summary.groups));
    const bool endless = std::ranges::any_of(summary.contestants, [](const ContestantRow& row) {
        return row.games > 0 && !row.rating.elo;
    });
    if (joint && endless)
        section.notes.emplace_back("In brackets, where a contestant only won, or only lost, "
                                   "against the rest: no number is "
                                   "large enough, and this one has a prior, one drawn game more of "
                                   "each against the mean.");
    return section;
}

std::string los_of(const MeetingRow& row, int decimals) {
    if (row.blocks < kMinBlocks) return "too few";
    return row.los ? fixed(*row.los * 100, decimals) + " %" : fixed({}, 0);
}

Section duel_of(const Summary& summary) {
    const MeetingRow& row = summary.meetings.front();
    Section section =
        begin_section("duel",
                      fmt::format("{} against {}", summary.contestants[row.first].name,
                                  summary.contestants[row.second].name),
                      "|>|>95 %");
    section.table.rows = {
        {"block score", fixed(row.score.value, 4), interval(row.score, 4)},
        {"Elo", elo_text(row.elo, 2), elo_interval(row.elo, 2)},
        {"nElo", signed_fixed(row.normalized_elo.value, 2),
         interval(row.normalized_elo, 2, 1, true)},
        {"LOS", los_of(row, 2), ""},
        {"variance reduction", fixed(row.variance_reduction, 2), ""},
    };
    section.notes.push_back(fmt::format("Seen from {}; n = {} of {:.3g} games each.",
                                        summary.contestants[row.first].name,
                                        counted(row.blocks, "block"), row.games_per_block));
    if (row.pairs)
        section.notes.push_back(fmt::format(
            "Pairs of games LL,LD,even,WD,WW: {}; {}even {}.", fmt::join(row.pairs->counts, ","),
            row.pairs->ratio()
                ? fmt::format("pairs won over lost {}, ", fixed(row.pairs->ratio(), 2))
                : "",
            percent(row.pairs->draw_ratio())));
    return section;
}

Section meetings_of(const Summary& summary) {
    Section section =
        begin_section("meetings", "head to head", "first|against|>blocks|>score|>95 %", {2, 4});
    const bool balanced = summary.meetings.front().balanced;
    if (balanced) {
        add_columns(section, ">Elo|>LOS");
        section.spare = {6, 2, 5, 4};
    }
    for (const MeetingRow& row : summary.meetings) {
        std::vector<std::string> cells{
            summary.contestants[row.first].name, summary.contestants[row.second].name,
            std::to_string(row.blocks), fixed(row.score.value, 3), interval(row.score, 3)};
        if (balanced) {
            cells.push_back(elo_text(row.elo, 1));
            cells.push_back(los_of(row, 1));
        }
        section.table.rows.push_back(std::move(cells));
    }
    if (std::ranges::any_of(summary.meetings,
                            [](const MeetingRow& row) { return row.elo.one_sided; }))
        section.notes.emplace_back("Elo with >= or <=: who won or lost everything has a bound at "
                                   "95 %, one-sided.");
    section.notes.emplace_back("From the first's side, each couple by itself.");
    if (!balanced)
        section.notes.emplace_back(
            "No Elo and LOS: seats only rotate, so a pair always sits in one order, and its score "
            "includes what that order is worth, even between equal agents. "
            "--blocks all and --schedule free-for-all vary the order.");
    return section;
}

// By rank, as in the standings; a pair that never met has no score.
Section crosstable_of(const Summary& summary) {
    const std::vector<std::uint32_t> order = by_win_rate(summary);
    const auto scores = crosstable(summary);
    Section section = begin_section("crosstable", "crosstable", "|agent");
    for (std::size_t row = 0; row < order.size(); ++row) {
        const std::string rank = std::to_string(row + 1);
        add_columns(section, ">" + rank);
        section.spare.insert(section.spare.begin(), row + 2); // the weakest first
        std::vector<std::string> cells{rank, summary.contestants[order[row]].name};
        for (const std::uint32_t against : order)
            cells.push_back(scores[order[row]][against] ? fixed(scores[order[row]][against], 3)
                                                        : "");
        section.table.rows.push_back(std::move(cells));
    }
    section.notes.emplace_back("Score of the row against the column: 1 for each game won, 1/2 for "
                               "each one shared.");
    return section;
}

// Places with equal rows, such as those of partners, share a row.
Section places_of(const std::string& what, const std::vector<PlaceRow>& rows,
                  const std::vector<std::string>& agents, Detail detail) {
    // With one agent in all of them, its rows would repeat the place's own.
    const bool by_agent =
        detail == Detail::Full && agents.size() > 1 && agents.size() <= kAgentsInSeatTables;
    const char* const columns = "|>games|>win rate|>95 %|>points|>95 %";
    Section section =
        by_agent ? begin_section(what + "s", what + "s", what + "|agent" + columns, {6, 4, 2, 5})
                 : begin_section(what + "s", what + "s", what + columns, {5, 3, 1, 4});
    std::vector<std::pair<std::string, std::vector<std::vector<std::string>>>> places;
    bool doubtful = false;
    for (const PlaceRow& row : rows) {
        if (!row.agent) places.push_back({row.name, {}});
        if (row.agent && !by_agent) continue;
        std::vector<std::string> cells{"",
                                       std::to_string(row.games),
                                       percent(row.win_rate.value),
                                       interval(row.win_rate, 1, kPercent),
                                       fixed(row.points.value, 2),
                                       interval(row.points, 2)};
        if (by_agent) cells.insert(cells.begin() + 1, row.agent ? agents[*row.agent] : "all");
        places.back().second.push_back(std::move(cells));
        doubtful = doubtful || row.points.doubtful;
    }
    for (auto place = places.begin(); place != places.end(); ++place) {
        if (place->second.empty()) continue; // shown with another
        for (auto other = std::next(place); other != places.end(); ++other) {
            if (other->second != place->second) continue;
            place->first += ", " + other->first;
            other->second.clear();
        }
        place->second.front().front() = place->first;
        std::ranges::move(place->second, std::back_inserter(section.table.rows));
    }
    if (doubtful) section.notes.emplace_back(kDoubtful);
    return section;
}

// Bins of equal width between the first and the last percentile, and one for each tail.
Section lengths_of(const Histogram& plies, std::size_t bar_length) {
    Section section = begin_section("lengths", "game length", ">moves|>games|");
    if (plies.count() == 0) return section;
    const std::uint64_t low = *plies.quantile(0.01);
    const std::uint64_t high = *plies.quantile(0.99);
    const std::uint64_t width = (high - low) / kLengthBins + 1;
    std::vector<Bin> bins;
    for (const Bin& each : plies.bins(kFineBins)) {
        const bool joins =
            !bins.empty() && (each.high < low || bins.back().low > high ||
                              (each.high <= high && bins.back().low >= low &&
                               (each.low - low) / width == (bins.back().low - low) / width));
        if (!joins) {
            bins.push_back(each);
            continue;
        }
        bins.back().high = each.high;
        bins.back().count += each.count;
    }
    const std::uint64_t most = std::ranges::max(bins, {}, &Bin::count).count;
    for (const Bin& bin : bins) {
        const auto bar = (bin.count * bar_length + most - 1) / most; // one game is visible
        section.table.rows.push_back({bin.low == bin.high ? std::to_string(bin.low)
                                                          : fmt::format("{}-{}", bin.low, bin.high),
                                      std::to_string(bin.count), std::string(bar, '#')});
    }
    section.notes.push_back(fmt::format("mean {}, median {}, from {} to {}", fixed(plies.mean(), 1),
                                        *plies.quantile(0.5), *plies.least(), *plies.most()));
    return section;
}

Section endings_of(const Summary& summary) {
    Section section = begin_section("endings", "endings", "end|agent|>games");
    for (std::size_t end = 0; end < kEnds; ++end)
        if (summary.endings[end] > 0 || end == 0)
            section.table.rows.push_back({std::string(name_of(static_cast<End>(end))), "",
                                          std::to_string(summary.endings[end])});
    for (std::size_t i = 0; i < std::min(kFaultsShown, summary.faults.size()); ++i) {
        const FaultRow& row = summary.faults[i];
        section.table.rows.push_back({(row.ended ? "  " : "  not the end: ") + row.what,
                                      row.agent ? summary.facts.agents[*row.agent] : "",
                                      std::to_string(row.games)});
    }
    if (summary.faults.size() > kFaultsShown)
        section.notes.push_back(counted(summary.faults.size() - kFaultsShown, "further kind") +
                                " of faults");
    if (summary.voids > 0)
        section.notes.push_back(counted(summary.voids, "game") +
                                " without places: void, in no score");
    if (summary.comparable > 0)
        section.notes.push_back(
            fmt::format("divergence: the games of {} of {} differ in their moves", summary.diverged,
                        counted(summary.comparable, "block")));
    return section;
}

Section stop_of(const StopStatus& stop) {
    Section section = begin_section("stop", "stop rule");
    const bool ratio = stop.rule == "sprt";
    section.notes.push_back(fmt::format(
        "{}: {} after {}, {} {}{}", stop.rule, stop.verdict, counted(stop.blocks, "block"),
        ratio ? "LLR" : "width", fixed(stop.value, ratio ? 2 : 4),
        ratio ? fmt::format(" [{:.2f}, {:.2f}]", stop.low, stop.high)
              : fmt::format(", wanted {:.4g}", stop.high)));
    if (estimates_are_biased(stop))
        section.notes.emplace_back(
            "The test chose when to stop, so it exaggerates: win rates, scores and Elo are biased "
            "away from the middle between its hypotheses, and their intervals cover less often "
            "than 95 %. For an estimate, play a fixed number of games with another seed.");
    return section;
}

using Json = nlohmann::ordered_json;

// Quoted only if necessary.
std::string cell(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text)
        quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
}

std::string number(const Json& value) {
    if (value.is_null()) return {};
    if (value.is_boolean()) return value.get<bool>() ? "1" : "0";
    return value.is_number_float() ? fmt::format("{}", value.get<double>()) : value.dump();
}

// The text, or an empty one for null.
std::string text_of(const Json& json) {
    return json.is_string() ? json.get<std::string>() : std::string();
}

constexpr std::array kPairMetrics{"pairs_ll", "pairs_ld", "pairs_even", "pairs_wd", "pairs_ww"};

void add_contestant(CsvRows& rows, const Json& row) {
    const std::string name = row.at("name");
    rows.take("agent", name, "", row,
              {"blocks", "games", "wins", "draws", "losses", "win_rate", "score", "points"});
    if (!row.contains("rating")) return;
    Json rating = row.at("rating");
    rating["value"] = rating.at("elo");
    rows.add("agent", name, "", "rating", rating);
    if (!rating.at("with_prior").is_null())
        rows.add("agent", name, "", "rating_with_prior", rating.at("with_prior"));
}

void add_meeting(CsvRows& rows, const Json& row) {
    const std::string first = row.at("first");
    const std::string second = row.at("second");
    rows.take("meeting", first, second, row,
              {"blocks", "games", "balanced", "score", "elo", "normalized_elo", "los",
               "variance_reduction"});
    if (!row.contains("pairs")) return;
    const Json& pairs = row.at("pairs");
    for (std::size_t i = 0; i < kPairMetrics.size(); ++i)
        rows.add("meeting", first, second, kPairMetrics[i], pairs.at("counts").at(i));
    rows.add("meeting", first, second, "pair_ratio", pairs.at("ratio"));
    rows.add("meeting", first, second, "draw_ratio", pairs.at("draw_ratio"));
}

Json contestants(const Summary& summary) {
    Json rows = Json::array();
    const bool joint = summary.contestants.size() > 2;
    for (const ContestantRow& row : summary.contestants) {
        Json object{{"name", row.name},
                    {"blocks", row.blocks},
                    {"games", row.games},
                    {"wins", row.wins},
                    {"draws", row.draws},
                    {"losses", row.losses},
                    {"win_rate", estimate_json(row.win_rate)},
                    {"score", estimate_json(row.score)},
                    {"points", estimate_json(row.points)}};
        if (joint)
            object["rating"] = {{"elo", number_json(row.rating.elo)},
                                {"error", number_json(row.rating.error)},
                                {"low", number_json(row.rating.low)},
                                {"high", number_json(row.rating.high)},
                                {"with_prior", number_json(row.rating.with_prior)},
                                {"group", row.rating.group}};
        rows.push_back(std::move(object));
    }
    return rows;
}

Json meetings(const Summary& summary) {
    Json rows = Json::array();
    for (const MeetingRow& row : summary.meetings) {
        Json object{{"first", summary.contestants[row.first].name},
                    {"second", summary.contestants[row.second].name},
                    {"blocks", row.blocks},
                    {"games", row.games},
                    {"balanced", row.balanced},
                    {"score", estimate_json(row.score)},
                    {"elo", estimate_json(row.elo)},
                    {"normalized_elo", estimate_json(row.normalized_elo)},
                    {"los", number_json(row.los)},
                    {"variance_reduction", number_json(row.variance_reduction)}};
        if (row.pairs)
            object["pairs"] = {{"counts", row.pairs->counts},
                               {"ratio", number_json(row.pairs->ratio())},
                               {"draw_ratio", number_json(row.pairs->draw_ratio())}};
        rows.push_back(std::move(object));
    }
    return rows;
}

// Scores of the row's contestant against each contestant, in order.
Json crosstable_json(const Summary& summary) {
    Json rows = Json::array();
    const auto scores = crosstable(summary);
    for (std::size_t i = 0; i < scores.size(); ++i) {
        Json against = Json::array();
        for (const auto& score : scores[i])
            against.push_back(number_json(score));
        rows.push_back({{"name", summary.contestants[i].name}, {"scores", std::move(against)}});
    }
    return rows;
}

Json places(const char* what, const std::vector<PlaceRow>& rows,
            const std::vector<std::string>& agents) {
    Json result = Json::array();
    for (const PlaceRow& row : rows)
        result.push_back({{what, row.name},
                          {"agent", row.agent ? Json(agents[*row.agent]) : Json(nullptr)},
                          {"games", row.games},
                          {"win_rate", estimate_json(row.win_rate)},
                          {"points", estimate_json(row.points)}});
    return result;
}

Json lengths(const Histogram& plies) {
    Json bins = Json::array();
    for (const Bin& bin : plies.bins(64))
        bins.push_back({{"low", bin.low}, {"high", bin.high}, {"games", bin.count}});
    return {{"mean", number_json(plies.mean())},
            {"least", number_json(plies.least())},
            {"median", number_json(plies.quantile(0.5))},
            {"most", number_json(plies.most())},
            {"bins", std::move(bins)}};
}

Json faults(const Summary& summary) {
    Json rows = Json::array();
    for (const FaultRow& row : summary.faults)
        rows.push_back(
            {{"agent", row.agent ? Json(summary.facts.agents[*row.agent]) : Json(nullptr)},
             {"what", row.what},
             {"ended", row.ended},
             {"games", row.games}});
    return rows;
}

Json endings(const Summary& summary) {
    Json object;
    for (std::size_t end = 0; end < kEnds; ++end)
        object[std::string(name_of(static_cast<End>(end)))] = summary.endings[end];
    return object;
}

Json stop(const StopStatus& status) {
    return {{"rule", status.rule},       {"verdict", status.verdict},
            {"stopped", status.stopped}, {"value", number_json(status.value)},
            {"low", status.low},         {"high", status.high},
            {"blocks", status.blocks},   {"estimates_biased", estimates_are_biased(status)}};
}

} // namespace

Section begin_section(std::string id, std::string title, std::string_view columns,
                      std::vector<std::size_t> spare) {
    Section section{std::move(id), std::move(title), {}, std::move(spare), {}};
    if (!columns.empty()) add_columns(section, columns);
    return section;
}

void add_columns(Section& section, std::string_view titles) {
    while (true) {
        const std::size_t end = titles.find('|');
        const std::string_view title = titles.substr(0, end);
        const bool right = title.starts_with('>');
        section.table.columns.push_back(
            {std::string(title.substr(right ? 1 : 0)), right ? Align::Right : Align::Left});
        if (end == std::string_view::npos) return;
        titles.remove_prefix(end + 1);
    }
}

std::string faults_told(const Summary& summary, bool ended) {
    std::vector<Count> agents;
    for (const FaultRow& row : summary.faults)
        if (row.agent && row.ended == ended)
            add(agents, summary.facts.agents[*row.agent], row.games);
    most_first(agents);
    std::string text;
    for (const auto& [agent, games] : agents) {
        std::vector<Count> kinds;
        for (const FaultRow& row : summary.faults)
            if (row.agent && row.ended == ended && summary.facts.agents[*row.agent] == agent)
                add(kinds, row.what.substr(0, row.what.find(':')), row.games);
        most_first(kinds);
        std::string told;
        for (const auto& [kind, count] : kinds)
            told += fmt::format("{}{} {}", told.empty() ? "" : ", ", kind, count);
        text += fmt::format("{}{} {} ({})", text.empty() ? "" : ", ", agent, games, told);
    }
    return text;
}

// A row for each agent, over all seats. All times of a column have the same unit.
Section times_of(const TimeTable& times, const RunFacts& facts, std::uint64_t games) {
    Section section = begin_section("times", "time per decision", "agent|>decisions", {1, 5, 4});
    std::vector<DecisionTimes> rows;
    std::uint64_t decisions = 0;
    std::uint64_t measured = 0;
    for (std::size_t agent = 0; agent < times.agents(); ++agent) {
        rows.push_back(times.of(agent));
        decisions += rows.back().decisions();
        measured += rows.back().measured();
        if (rows.back().measured() > 0)
            section.table.rows.push_back(
                {facts.agents[agent], std::to_string(rows.back().decisions())});
    }
    std::erase_if(rows, [](const DecisionTimes& each) { return each.measured() == 0; });
    const auto add = [&](std::string_view title, const auto& time_of) {
        std::vector<std::optional<double>> column;
        column.reserve(rows.size());
        for (const DecisionTimes& each : rows)
            column.push_back(time_of(each));
        const std::string_view unit = unit_of(column);
        add_columns(section, fmt::format(">{}, {}", title, unit));
        for (std::size_t i = 0; i < rows.size(); ++i)
            section.table.rows[i].push_back(in_unit(column[i], unit));
    };
    add("mean", [](const DecisionTimes& each) { return each.mean(); });
    add("99 %", [](const DecisionTimes& each) { return each.quantile(0.99); });
    add("longest",
        [](const DecisionTimes& each) { return std::optional(static_cast<double>(each.most())); });
    add("processor", [](const DecisionTimes& each) { return each.cpu(); });
    if (measured < decisions)
        section.notes.push_back(
            fmt::format("Measured: {} of {} decisions; of agents that are fast, a sample.",
                        measured, decisions));
    if (times.games() > 0 && times.games() < games)
        section.notes.push_back(fmt::format("Times cover {} of {} games: a process that is killed "
                                            "takes its times with it.",
                                            times.games(), games));
    return section;
}

nlohmann::ordered_json time_json(const TimeTable& times, const RunFacts& facts) {
    auto rows = nlohmann::ordered_json::array();
    for (std::size_t agent = 0; agent < times.agents(); ++agent) {
        const DecisionTimes all = times.of(agent);
        rows.push_back({{"agent", facts.agents[agent]},
                        {"decisions", all.decisions()},
                        {"measured", all.measured()},
                        {"games", times.games()},
                        {"mean_ns", number_json(all.mean())},
                        {"p99_ns", number_json(all.quantile(0.99))},
                        {"max_ns", all.most()},
                        {"cpu_ns", number_json(all.cpu())}});
    }
    return rows;
}

std::vector<Section> sections_of(const Report& report, std::size_t bar_length, Detail detail) {
    const Summary& summary = report.summary;
    std::vector<Section> sections{heading_of(report)};
    if (detail == Detail::Brief) return sections;
    const bool full = detail == Detail::Full;
    if (!summary.contestants.empty()) sections.push_back(standings_of(summary));
    if (full && summary.contestants.size() == 2 && summary.meetings.size() == 1)
        sections.push_back(duel_of(summary));
    else if (full && !summary.meetings.empty())
        sections.push_back(meetings_of(summary));
    if (full && summary.contestants.size() > 2 && !summary.meetings.empty())
        sections.push_back(crosstable_of(summary));
    if (report.status.stop) sections.push_back(stop_of(*report.status.stop));
    if (!summary.seats.empty())
        sections.push_back(places_of("seat", summary.seats, summary.facts.agents, detail));
    if (full && !summary.roles.empty())
        sections.push_back(places_of("role", summary.roles, summary.facts.agents, detail));
    if (full && summary.games > 0) {
        sections.push_back(lengths_of(summary.plies, bar_length));
        sections.push_back(endings_of(summary));
    }
    if (full && report.times)
        sections.push_back(times_of(*report.times, summary.facts, summary.games));
    if (report.costs)
        for (Section& section : cost_sections(*report.costs, summary.facts, detail))
            sections.push_back(std::move(section));
    return sections;
}

LaidOut lay_out_within(const Section& section, std::size_t width) {
    TextTable table = section.table;
    std::vector<std::size_t> gone;
    LaidOut result = lay_out(table, width);
    const auto fits = [&](const std::vector<std::string>& lines) {
        return std::ranges::all_of(lines,
                                   [&](const auto& line) { return display_width(line) <= width; });
    };
    for (const std::size_t column : section.spare) {
        if (fits(result.title) && fits(result.body)) break;
        // Columns removed before were to the left or to the right of it.
        const auto left =
            std::ranges::count_if(gone, [&](std::size_t other) { return other < column; });
        const auto at = static_cast<std::ptrdiff_t>(column) - left;
        table.columns.erase(table.columns.begin() + at);
        for (auto& row : table.rows)
            row.erase(row.begin() + at);
        gone.push_back(column);
        result = lay_out(table, width);
    }
    return result;
}

// ---- for programs: rows of CSV, and JSON --------------------------------------------------------

nlohmann::ordered_json number_json(std::optional<double> value) {
    return value ? Json(*value) : Json(nullptr);
}

nlohmann::ordered_json number_json(std::optional<std::uint64_t> value) {
    return value ? Json(*value) : Json(nullptr);
}

nlohmann::ordered_json estimate_json(const Estimate& value) {
    Json object{{"value", number_json(value.value)},
                {"error", number_json(value.error)},
                {"low", number_json(value.low)},
                {"high", number_json(value.high)}};
    if (value.one_sided) object["one_sided"] = true;
    if (value.doubtful) object["doubtful"] = true;
    return object;
}

std::string csv_of_runs(std::span<const RunText> runs) {
    std::string result;
    for (const RunText& each : runs) {
        const std::size_t rows = each.text.find('\n') + 1;
        if (result.empty()) result = "run," + each.text.substr(0, rows);
        bool begins = true;
        bool quoted = false; // a cell may contain newlines
        for (const char c : std::string_view(each.text).substr(rows)) {
            if (begins) result += cell(each.run) + ",";
            result += c;
            if (c == '"') quoted = !quoted;
            begins = c == '\n' && !quoted;
        }
    }
    return result;
}

void CsvRows::add(std::string_view section, const std::string& name, const std::string& other,
                  std::string_view metric, const Json& value) {
    const auto part = [&](const char* key) {
        return value.contains(key) ? number(value.at(key)) : std::string();
    };
    const std::string numbers =
        value.is_object()
            ? fmt::format("{},{},{},{}", part("value"), part("error"), part("low"), part("high"))
            : number(value) + ",,,";
    text_ += fmt::format("{},{},{},{},{}\n", section, cell(name), cell(other), metric, numbers);
}

void CsvRows::take(std::string_view section, const std::string& name, const std::string& other,
                   const Json& from, std::initializer_list<const char*> members) {
    for (const char* member : members)
        if (const auto found = from.find(member); found != from.end())
            add(section, name, other, member, *found);
}

nlohmann::ordered_json json_of(const Report& report) {
    const Summary& summary = report.summary;
    Json object{{"game", summary.facts.game},
                {"seed", summary.facts.seed},
                {"agents", summary.facts.agents},
                {"blocks", summary.blocks},
                {"games", summary.games},
                {"draws", summary.draws},
                {"voids", summary.voids},
                {"endings", endings(summary)},
                {"confidence", kConfidence},
                {"contestants", contestants(summary)},
                {"meetings", meetings(summary)},
                {"groups", summary.groups},
                {"divergence", {{"diverged", summary.diverged}, {"blocks", summary.comparable}}},
                {"seats", places("seat", summary.seats, summary.facts.agents)},
                {"roles", places("role", summary.roles, summary.facts.agents)},
                {"plies", lengths(summary.plies)},
                {"faults", faults(summary)}};
    if (summary.contestants.size() > 2) object["crosstable"] = crosstable_json(summary);
    if (summary.facts.starts != 0) object["starts"] = summary.facts.starts;
    if (!summary.facts.irreproducible.empty())
        object["irreproducible"] = summary.facts.irreproducible;
    if (!summary.facts.oracles.empty()) object["oracles"] = summary.facts.oracles;
    if (report.costs) object["costs"] = cost_json(*report.costs, summary.facts);
    if (report.times) object["times"] = time_json(*report.times, summary.facts);
    if (report.status.stop) object["stop"] = stop(*report.status.stop);
    if (report.status.seconds) object["seconds"] = *report.status.seconds;
    if (!report.status.ended.empty()) object["ended"] = report.status.ended;
    return object;
}

std::string csv_of(const Report& report) {
    const Json json = json_of(report);
    const std::string& game = report.summary.facts.game;
    CsvRows rows;
    rows.take("run", game, "", json, {"blocks", "games", "draws", "voids"});
    for (const auto& [end, games] : json.at("endings").items())
        rows.add("run", game, "", end, games);
    rows.add("run", game, "", "diverged", json.at("divergence").at("diverged"));
    rows.add("run", game, "", "comparable", json.at("divergence").at("blocks"));
    rows.add("run", game, "", "plies", json.at("plies").at("mean"));
    rows.take("run", game, "", json, {"seconds"});
    if (const auto stop = json.find("stop"); stop != json.end())
        rows.add("stop", stop->at("rule"), stop->at("verdict"), "value", *stop);
    for (const Json& row : json.at("contestants"))
        add_contestant(rows, row);
    for (const Json& row : json.at("meetings"))
        add_meeting(rows, row);
    for (const std::string what : {"seat", "role"})
        for (const Json& row : json.at(what + "s"))
            rows.take(what, row.at(what), text_of(row.at("agent")), row,
                      {"games", "win_rate", "points"});
    for (const Bin& bin : report.summary.plies.bins(64))
        rows.add("plies", fmt::format("{}-{}", bin.low, bin.high), "", "games", bin.count);
    for (const Json& row : json.at("faults"))
        rows.take(row.at("ended") ? "fault" : "substitute", row.at("what"),
                  text_of(row.at("agent")), row, {"games"});
    if (const auto times = json.find("times"); times != json.end())
        for (const Json& row : *times)
            rows.take("time", row.at("agent"), "", row,
                      {"decisions", "measured", "mean_ns", "p99_ns", "max_ns", "cpu_ns"});
    if (report.costs) add_costs(rows, *report.costs, report.summary.facts);
    return rows.text();
}

} // namespace croupier::results
