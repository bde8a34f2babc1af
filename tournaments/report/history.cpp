// Reads the runs of a game, each once for its own numbers, and those of two revisions in step for
// what has changed.
#include "tournaments/report/history.h"

#include "results/compare/comparison.h"
#include "results/statistics/block.h"
#include "results/store/file.h"
#include "results/store/games_file.h"
#include "results/store/journal.h"
#include "tournaments/report/source.h"
#include "tournaments/run/prepared_run.h"
#include "tournaments/run/run_folder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <utility>

namespace croupier::tournaments {

namespace {

using nlohmann::ordered_json;
using results::GameRecord;

// Rules by "owner: group/name", and all together by an empty name.
using RuleTimes = std::map<std::string, double>;

struct KnownRun {
    ReadRun read;
    results::HistoryRun told;
    std::string deals;
    std::vector<std::string> agents; // by identity
    std::string series;              // equal for runs of one series
    RuleTimes ns;                    // of a game; empty if not measured
    std::map<results::MetricKey, results::BlockMean> metrics;
};

bool is_of(const std::string& game, const std::string& asked) {
    return game == asked || game.starts_with(asked + ":");
}

std::string revision_of(const ReadRun& read) {
    std::string name = read.file.facts.game;
    const ordered_json asked = ordered_json::parse(read.file.specification);
    if (const auto set = asked.find("set"); set != asked.end())
        for (const auto& [option, value] : set->items())
            name += fmt::format(" {}={}", option,
                                value.is_string() ? value.get<std::string>() : value.dump());
    return name;
}

// Names that several contents share get the beginning of their hash.
class SharedNames {
  public:
    void add(const std::string& name, const std::string& hash) { known_[name].insert(hash); }
    [[nodiscard]] std::string of(const std::string& name, const std::string& hash) const {
        const bool one = known_.at(name).size() == 1;
        return one || hash.empty() ? name : fmt::format("{} @{}", name, hash.substr(0, kShown));
    }

  private:
    static constexpr std::size_t kShown = 6;
    std::map<std::string, std::set<std::string>> known_;
};

// Metrics that the files of a run do not keep.
bool is_known(results::MetricKind kind) {
    return kind != results::MetricKind::Forced && kind != results::MetricKind::Branching &&
           kind != results::MetricKind::Coverage && !is_of_lead(kind);
}

bool vary(const std::vector<std::string>& agents) {
    return std::set(agents.begin(), agents.end()).size() > 1;
}

RuleTimes times_of(const RunRecorder& book, const results::RunFacts& facts) {
    const results::CostReport report = book.costs();
    const results::CostTable& table = report.costs.table;
    RuleTimes times;
    if (!report.missing.empty() || !table.has_times()) return times;
    times[""] = static_cast<double>(table.cpu_ns()) / static_cast<double>(table.games());
    for (std::uint32_t rule = 0; rule < report.costs.facts.rules.size(); ++rule) {
        const results::RuleFacts& known = report.costs.facts.rules[rule];
        times[fmt::format("{}: {}/{}", owner_of(known, facts.game, facts.agents), known.group,
                          known.name)] += table.per_game(table.rule(rule).self_ns()).value_or(0);
    }
    return times;
}

class HistoryReader {
  public:
    HistoryReader(const HistoryRequest& request, const HostServices& host)
        : request_(request), host_(host) {
        history_.game = request.game;
    }

    results::History read() {
        find_runs();
        std::ranges::sort(runs_, {}, [](const KnownRun& run) {
            return std::tie(run.told.started, run.told.folder);
        });
        name_all();
        count_all();
        rate();
        std::map<std::string, std::vector<const KnownRun*>> by_series;
        for (const KnownRun& run : runs_)
            by_series[run.series].push_back(&run);
        for (const auto& [key, runs] : by_series)
            add_series(runs);
        const auto games_of = [](const results::HistorySeries& series) {
            std::uint64_t games = 0;
            for (const results::HistoryRun& run : series.runs)
                games += run.games;
            return games;
        };
        std::ranges::stable_sort(history_.series, std::ranges::greater{}, games_of);
        if (!request_.since.empty() && !found_since_) refuse_since();
        return std::move(history_);
    }

  private:
    void find_runs() {
        std::set<std::string> others;
        for (const std::string& path : request_.paths)
            for (const std::string& folder : folders_of_results(path)) {
                if (!holds(folder, results::kRunFile)) continue;
                try {
                    KnownRun run{read_run(folder, host_), {}, {}, {}, {}, {}, {}};
                    const results::RunFile& file = run.read.file;
                    if (!is_of(file.facts.game, request_.game)) {
                        others.insert(file.facts.game);
                        continue;
                    }
                    if (file.shards > 1) throw UserError(folder + ": is a shard; merge all first");
                    run.told = {folder,       file.started, revision_of(run.read), file.ruleset,
                                file.program, file.machine, file.facts.seed};
                    run.deals = deals_of(file);
                    runs_.push_back(std::move(run));
                } catch (const UserError& mistake) {
                    host_.warn(mistake.what());
                }
            }
        if (!runs_.empty()) return;
        throw UserError(fmt::format(
            "there is no run of {} in {}{}", request_.game, fmt::join(request_.paths, ", "),
            others.empty() ? "" : fmt::format("; there are runs of {}", fmt::join(others, ", "))));
    }

    // Agents are told apart by their files, revisions by their rules.
    void name_all() {
        SharedNames revisions;
        SharedNames agents;
        for (const KnownRun& run : runs_) {
            revisions.add(run.told.revision, run.told.ruleset);
            for (const AgentEntry& agent : run.read.specification.agents)
                agents.add(text_of(agent.spec), files_of(run.read.file, text_of(agent.spec)));
        }
        for (KnownRun& run : runs_) {
            const results::RunFile& file = run.read.file;
            run.told.revision = revisions.of(run.told.revision, run.told.ruleset);
            for (const AgentEntry& agent : run.read.specification.agents)
                run.agents.push_back(
                    agents.of(text_of(agent.spec), files_of(file, text_of(agent.spec))));
            ordered_json asked = ordered_json::parse(file.specification);
            for (const char* key : {"game", "set", "seed", "agents", "sprt", "width", "time"})
                asked.erase(key);
            asked["blocks"] = asked["blocks"][0]; // how seats rotate
            run.series = fmt::format("{} {} {}", fmt::join(run.agents, ","),
                                     fmt::join(file.facts.players, ","), asked.dump());
        }
    }

    // The numbers of each run. One that is damaged is left out.
    void count_all() {
        std::vector<KnownRun> good;
        for (KnownRun& run : runs_) {
            try {
                count(run);
                good.push_back(std::move(run));
            } catch (const UserError& mistake) {
                if (stopped()) throw;
                host_.warn(mistake.what());
            }
        }
        runs_ = std::move(good);
        if (runs_.empty())
            throw UserError(fmt::format("none of the runs of {} can be read", request_.game));
        std::set<const KnownRun*> first;
        for (const KnownRun* run : largest(all_of(runs_)))
            first.insert(run);
        for (KnownRun& run : runs_)
            run.told.repeated = !first.contains(&run);
    }

    [[nodiscard]] bool stopped() const { return host_.stop != nullptr && *host_.stop; }

    void count(KnownRun& run) {
        const ReadRun& read = run.read;
        RunRecorder book(read.file, read.specification, *read.schedule);
        results::MetricReader metrics(read.file.facts, vary(run.agents));
        book.tell_games([&](std::span<const GameRecord> games) {
            if (stopped()) throw UserError("interrupted");
            host_.progress([&] {
                results::Progress progress;
                progress.games = run.told.games;
                progress.told = {"reading " + run.told.folder};
                return progress;
            });
            ++run.told.blocks;
            run.told.games += games.size();
            for (const auto& [key, sum] : metrics.read(games))
                if (is_known(key.kind)) run.metrics[key].add(sum.sum, sum.count);
        });
        book.replay(run.told.folder);
        if (!book.warning().empty()) host_.warn(book.warning());
        run.ns = times_of(book, read.file.facts);
        if (!run.ns.empty()) run.told.ns = run.ns.at("");
    }

    static std::vector<const KnownRun*> all_of(const std::vector<KnownRun>& runs) {
        std::vector<const KnownRun*> all;
        all.reserve(runs.size());
        for (const KnownRun& run : runs)
            all.push_back(&run);
        return all;
    }

    // The run that has played the most, of each group with the same deals.
    static std::vector<const KnownRun*> largest(const std::vector<const KnownRun*>& runs) {
        std::vector<const KnownRun*> kept;
        for (const KnownRun* run : runs) {
            const auto same = std::ranges::find(kept, run->deals, &KnownRun::deals);
            if (same == kept.end())
                kept.push_back(run);
            else if ((*same)->told.blocks < run->told.blocks)
                *same = run;
        }
        return kept;
    }

    // Contestants are identities of agents, or partnerships of such.
    void rate() {
        results::MeetingTable meetings;
        std::map<std::string, results::Contestant> numbers;
        std::vector<results::HistoryRating>& list = history_.ratings;
        for (const KnownRun& run : runs_) {
            if (run.told.repeated) continue;
            results::BlockReader blocks(run.read.file.facts);
            std::vector<results::Contestant> number; // by the run's contestants
            Games games(run);
            while (games.next()) {
                const results::BlockOutcome& outcome = blocks.read(games.block);
                while (number.size() < blocks.contestants()) {
                    std::set<std::string> members;
                    const auto one = static_cast<results::Contestant>(number.size());
                    for (const std::uint32_t agent : blocks.members(one))
                        members.insert(run.agents[agent]);
                    const std::string name = fmt::format("{}", fmt::join(members, " + "));
                    const auto next = static_cast<results::Contestant>(numbers.size());
                    number.push_back(numbers.try_emplace(name, next).first->second);
                    if (number.back() == list.size()) list.push_back({name, 0, {}});
                }
                std::vector<results::Meeting> here;
                std::set<results::Contestant> present;
                for (results::Meeting each : outcome.meetings) {
                    each.first = number[each.first];
                    each.second = number[each.second];
                    if (each.first == each.second) continue;
                    if (each.first > each.second) {
                        std::swap(each.first, each.second);
                        each.halves = 2 * each.pairs - each.halves;
                    }
                    present.insert({each.first, each.second});
                    here.push_back(each);
                }
                meetings.add(run.read.file.facts.seed, games.block.front().block, here);
                for (const results::Contestant each : present)
                    list[each].games += outcome.games;
            }
        }
        fill_ratings(meetings);
    }

    void fill_ratings(const results::MeetingTable& meetings) {
        std::vector<results::HistoryRating>& list = history_.ratings;
        const auto anchor = find_anchor();
        const auto ratings = meetings.ratings(list.size(), anchor);
        for (std::size_t i = 0; i < list.size(); ++i) {
            list[i].rating = ratings[i];
            if (!anchor || ratings[i].group != ratings[*anchor].group) continue;
            results::Rating& rating = list[i].rating;
            for (auto* value : {&rating.elo, &rating.low, &rating.high, &rating.with_prior})
                if (*value) **value += history_.anchor_elo;
        }
        if (anchor && !list[*anchor].rating.elo) {
            host_.warn(history_.anchor + " has no rating, so 0 is the mean");
            history_.anchor.clear();
        }
        std::erase_if(list, [](const results::HistoryRating& each) { return each.games == 0; });
        std::ranges::stable_sort(list, std::ranges::greater{}, [](const auto& each) {
            return each.rating.elo ? *each.rating.elo : each.rating.with_prior.value_or(-1e9);
        });
    }

    // The whole text, or what stands before the last "=".
    std::optional<results::Contestant> find_anchor() {
        const std::string& asked = request_.anchor;
        if (asked.empty()) return std::nullopt;
        const auto& list = history_.ratings;
        for (const std::string& name : {asked, asked.substr(0, asked.rfind('='))}) {
            const auto found = std::ranges::find(list, name, &results::HistoryRating::agent);
            if (found == list.end()) continue;
            if (name != asked &&
                !results::read_number(std::string_view(asked).substr(name.size() + 1),
                                      history_.anchor_elo))
                break;
            history_.anchor = name;
            return static_cast<results::Contestant>(found - list.begin());
        }
        std::set<std::string> names;
        for (const results::HistoryRating& each : list)
            names.insert(each.agent);
        throw UserError(fmt::format("--anchor takes AGENT or AGENT=ELO, found '{}'; there are {}",
                                    asked, fmt::join(names, ", ")));
    }

    void add_series(const std::vector<const KnownRun*>& runs) {
        const KnownRun& newest = *runs.back();
        results::HistorySeries series;
        series.agents = newest.agents;
        std::set<results::MetricKey> keys;
        for (const KnownRun* run : runs)
            for (const auto& [key, mean] : run->metrics)
                keys.insert(key);
        const results::MetricReader reader(newest.read.file.facts, vary(newest.agents));
        for (const results::MetricKey& key : keys)
            series.metrics.push_back({key, false, reader.name_of(key)});
        for (const KnownRun* run : runs) {
            series.runs.push_back(run->told);
            for (const results::MetricKey& key : keys) {
                const auto mean = run->metrics.find(key);
                series.runs.back().values.push_back(
                    mean == run->metrics.end()
                        ? results::Estimate{}
                        : mean_estimate(mean->second.moments(results::range_of(key.kind))));
            }
        }
        const auto [before, now] = split(runs);
        if (!before.empty() && !now.empty()) {
            compare(before, now, series);
            compare_times(before, now, series);
        }
        history_.series.push_back(std::move(series));
    }

    using Runs = std::vector<const KnownRun*>;

    // The runs of the revision before, and those of the newest one.
    std::pair<Runs, Runs> split(const Runs& runs) {
        const std::string& since = request_.since;
        const bool day = since.size() == 10 && since[4] == '-' && since[7] == '-';
        const std::string& newest = runs.back()->told.revision;
        const auto is_before = [&](const KnownRun* run) {
            if (day) return run->told.started < since;
            if (run->told.revision == newest) return false;
            return since.empty() || run->told.revision == since ||
                   (since.size() >= 4 && run->told.ruleset.starts_with(since));
        };
        const auto last = std::ranges::find_if(runs.rbegin(), runs.rend(), is_before);
        if (last == runs.rend()) return {};
        found_since_ = true;
        Runs before;
        Runs now;
        for (const KnownRun* run : runs)
            if (is_before(run) && run->told.revision == (*last)->told.revision)
                before.push_back(run);
            else if (run->told.revision == newest)
                now.push_back(run);
        return {before, now};
    }

    void refuse_since() {
        std::set<std::string> names;
        for (const KnownRun& run : runs_)
            names.insert(fmt::format("{} ({})", run.told.revision, run.told.ruleset));
        throw UserError(fmt::format("--since takes a revision, the beginning of its hash or a day, "
                                    "as in 2026-11-28; found '{}', and there are {}",
                                    request_.since, fmt::join(names, ", ")));
    }

    // The blocks of a run, one by one.
    class Games {
      public:
        explicit Games(const KnownRun& run)
            : reader_(results::in_folder(run.told.folder, results::kGamesFile), run.read.file.facts,
                      find_whole_rows(run.told.folder, run.read.file).games) {}
        bool next() {
            if (reader_.next(block)) return true;
            block.clear();
            if (reader_.failure()) throw UserError(*reader_.failure());
            return false;
        }
        std::vector<GameRecord> block; // empty at the end

      private:
        results::GamesReader reader_;
    };

    // Deals of equal seed and number are the same.
    static void compare(const Runs& before, const Runs& now, results::HistorySeries& series) {
        const KnownRun& newest = *now.back();
        results::RevisionTally tally(newest.read.file.facts, vary(newest.agents));
        Runs others = largest(now);
        for (const KnownRun* run : largest(before)) {
            const auto same = std::ranges::find(
                others, run->told.seed, [](const KnownRun* each) { return each->told.seed; });
            add_deals(run, same == others.end() ? nullptr : *same, tally, series);
            if (same != others.end()) others.erase(same);
        }
        for (const KnownRun* run : others)
            add_deals(nullptr, run, tally, series);
        std::vector<results::MetricKind> kinds;
        std::ranges::copy_if(results::metric_kinds(), std::back_inserter(kinds), is_known);
        series.change = tally.summary(kinds, {});
        series.change->name_a = before.back()->told.revision;
        series.change->name_b = newest.told.revision;
        for (results::ChangeRow& row : series.change->rows) // a number that never varies
            if (row.under_a.value == row.under_b.value && !row.difference.error) row.differing = 0;
        // Means over few blocks on one side and many on the other are not what the tests are for.
        if (series.blocks_shared == std::max(series.blocks_before, series.blocks_now)) return;
        if (std::min(series.blocks_before, series.blocks_now) >= results::kMinUnbounded) return;
        for (results::ChangeRow& row : series.change->rows)
            row.judgement = {results::Change::TooFew, {}, {}, {}};
    }

    // Either may be null.
    static void add_deals(const KnownRun* before, const KnownRun* now,
                          results::RevisionTally& tally, results::HistorySeries& series) {
        std::array<std::optional<Games>, 2> sides;
        if (before != nullptr) sides[0].emplace(*before);
        if (now != nullptr) sides[1].emplace(*now);
        for (auto& side : sides)
            if (side) side->next();
        const auto at = [&](std::size_t side) {
            const bool more = sides[side] && !sides[side]->block.empty();
            return more ? sides[side]->block.front().block : ~std::uint64_t{0};
        };
        for (;;) {
            const std::uint64_t block = std::min(at(0), at(1));
            if (block == ~std::uint64_t{0}) return;
            const bool in_a = at(0) == block;
            const bool in_b = at(1) == block;
            tally.add_block(in_a ? std::span(sides[0]->block) : std::span<GameRecord>(),
                            in_b ? std::span(sides[1]->block) : std::span<GameRecord>());
            series.blocks_before += in_a ? 1 : 0;
            series.blocks_now += in_b ? 1 : 0;
            series.blocks_shared += in_a && in_b ? 1 : 0;
            if (in_a) sides[0]->next();
            if (in_b) sides[1]->next();
        }
    }

    static void compare_times(const Runs& before, const Runs& now, results::HistorySeries& series) {
        const auto timed = std::ranges::find_if(
            now.rbegin(), now.rend(), [](const KnownRun* run) { return !run->ns.empty(); });
        if (timed == now.rend()) return;
        std::map<std::string, std::array<results::BlockMean, 2>> rules;
        std::array<std::uint64_t, 2> count{};
        for (const std::size_t side : {0U, 1U})
            for (const KnownRun* run : side == 0 ? before : now) {
                if (run->ns.empty() || run->told.machine != (*timed)->told.machine) continue;
                ++count[side];
                for (const auto& [rule, ns] : run->ns)
                    rules[rule][side].add(ns);
            }
        if (count[0] == 0) return;
        std::vector<results::PairedMoments> differences;
        for (const auto& [rule, sides] : rules) {
            if (sides[0].mean().value_or(0) + sides[1].mean().value_or(0) <= 0) continue;
            differences.push_back(independent_difference(sides[0], sides[1]));
            series.costs.push_back({rule,
                                    count[0],
                                    count[1],
                                    mean_estimate(sides[0].moments()),
                                    mean_estimate(sides[1].moments()),
                                    mean_estimate(differences.back().blocks),
                                    {}});
        }
        const auto judged = results::judge(differences, std::vector<double>(differences.size()), {},
                                           results::Correction::FalseDiscoveries);
        for (std::size_t i = 0; i < series.costs.size(); ++i)
            series.costs[i].judgement = judged.rows[i];
        std::stable_sort(series.costs.begin() + 1, series.costs.end(),
                         [](const auto& a, const auto& b) {
                             return a.now.value.value_or(0) > b.now.value.value_or(0);
                         });
    }

    const HistoryRequest& request_;
    const HostServices& host_;
    results::History history_;
    std::vector<KnownRun> runs_;
    bool found_since_ = false;
};

} // namespace

results::History read_history(const HistoryRequest& request, const HostServices& host) {
    return HistoryReader(request, host).read();
}

} // namespace croupier::tournaments
