// Reads results, and replays the games to show.
#include "tournaments/report/source.h"

#include "engine/api/text.h"
#include "results/record.h"
#include "results/store/file.h"
#include "results/store/games_file.h"
#include "results/store/run_file.h"
#include "tournaments/compare/comparison.h"
#include "tournaments/replay/move_reasons.h"
#include "tournaments/replay/recorder.h"
#include "tournaments/run/prepared_run.h"
#include "tournaments/run/run_folder.h"
#include "tournaments/tuning/tuning.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace croupier::tournaments {

namespace {

namespace fs = std::filesystem;
using Kind = ReportSource::Kind;

constexpr std::size_t kMaxMoves = 2000; // of a game shown: keeps pages small

std::string why_of(results::End end) {
    switch (end) {
    case results::End::Over:
        return "the first that ended by its rules";
    case results::End::Aborted:
        return "the first that was aborted";
    case results::End::Unfinished:
        return "the first that was not finished";
    case results::End::Resigned:
        return "the first that was resigned";
    case results::End::Agreed:
        return "the first that was drawn by agreement";
    case results::End::Cut:
        return "the first that was cut";
    case results::End::Fault:
        break;
    }
    return "the first with a fault";
}

// Selects the games of a run to show move by move. Hears all games in order and keeps those
// requested; without a request, the first, the longest, and the first with each kind of ending.
class GameChoice {
  public:
    // Texts such as "3.1" for block and game; or "none". Throws UserError.
    explicit GameChoice(const std::vector<std::string>& asked) {
        none_ = asked.size() == 1 && asked[0] == "none";
        for (const std::string& text : asked)
            if (!none_) asked_.push_back(id_of(text));
    }

    // Also shows this game, unless games were requested.
    void add_blunder(const std::string& game) {
        const results::GameId id = id_of(game);
        if (std::find(blunders_.begin(), blunders_.end(), id) == blunders_.end())
            blunders_.push_back(id);
    }

    void take(std::span<const results::GameRecord> games) {
        if (none_) return;
        for (const results::GameRecord& game : games)
            if (asked_.empty())
                take_typical(game);
            else if (std::find(asked_.begin(), asked_.end(), id_of(game)) != asked_.end())
                found_.push_back({game, ""});
    }

    struct Chosen {
        results::GameRecord game;
        std::string why; // "the longest"; empty if it was requested
    };
    // In schedule order. Throws UserError if a requested game does not exist.
    [[nodiscard]] std::vector<Chosen> chosen(const std::string& folder) const {
        std::vector<Chosen> all = found_;
        const auto find = [&](results::GameId id) {
            return std::find_if(all.begin(), all.end(),
                                [&](const Chosen& each) { return id_of(each.game) == id; });
        };
        for (const results::GameId asked : asked_)
            if (find(asked) == all.end())
                throw UserError(fmt::format("{}: has no game {}", folder, results::text_of(asked)));
        if (longest_) {
            if (const auto same = find(id_of(*longest_)); same != all.end())
                same->why += ", the longest";
            else
                all.push_back({*longest_, "the longest"});
        }
        std::sort(all.begin(), all.end(),
                  [](const Chosen& a, const Chosen& b) { return id_of(a.game) < id_of(b.game); });
        return all;
    }

    static results::GameId id_of(const results::GameRecord& game) {
        return {game.block, game.game};
    }

  private:
    static results::GameId id_of(const std::string& text) {
        if (const auto id = results::game_id_of(text)) return *id;
        throw UserError(fmt::format("--replay takes BLOCK.GAME as games.csv numbers them, as in "
                                    "0.1, or none; found '{}'",
                                    text));
    }

    void take_typical(const results::GameRecord& game) {
        if (!longest_ || game.plies > longest_->plies) longest_ = game;
        const bool is_first = endings_.empty();
        const bool has_blunder =
            std::find(blunders_.begin(), blunders_.end(), id_of(game)) != blunders_.end();
        std::string why = has_blunder ? "with a blunder" : "";
        if (std::find(endings_.begin(), endings_.end(), game.end) == endings_.end()) {
            endings_.push_back(game.end);
            why = (is_first ? "the first" : why_of(game.end)) + (why.empty() ? "" : ", " + why);
        }
        if (!why.empty()) found_.push_back({game, why});
    }

    bool none_ = false;
    std::vector<results::GameId> asked_;
    std::vector<results::GameId> blunders_; // games with one
    std::vector<Chosen> found_;
    std::optional<results::GameRecord> longest_;
    std::vector<results::End> endings_; // those found so far
};

ReportSource read_source(const std::string& path, const std::string& file) {
    std::string text;
    if (const auto failure = results::read_file(file, text)) throw UserError(*failure);
    ReportSource source{Kind::Compare, path, nlohmann::ordered_json::parse(text, nullptr, false)};
    if (source.json.is_discarded()) throw UserError(file + ": is damaged: not valid JSON");
    const auto kind = results::kind_of_compared(source.json);
    if (!kind) {
        if (source.json.is_object() && source.json.contains("identical") &&
            source.json["identical"] == true)
            throw UserError(file + ": compares two that are identical: nothing to show");
        throw UserError(file + ": holds no comparison, ablation or sweep, or one of an older "
                               "format; make it again with croupier compare, ablate or sweep");
    }
    source.kind = *kind == "compare"  ? Kind::Compare
                  : *kind == "ablate" ? Kind::Ablate
                                      : Kind::Sweep;
    return source;
}

// Scores by agent; partners, who share a score, count once.
class ScoreTally {
  public:
    explicit ScoreTally(const results::RunFacts& facts) : scores_(facts.agents.size()) {
        for (const results::TeamFacts& team : facts.teams)
            seats_.push_back(team.seats.front());
        for (std::uint32_t seat = 0; facts.teams.empty() && seat < facts.players.size(); ++seat)
            seats_.push_back(seat);
        for (std::size_t agent = 0; agent < scores_.size(); ++agent)
            scores_[agent].first = facts.agents[agent];
    }
    void take(std::span<const results::GameRecord> games) {
        for (const results::GameRecord& game : games)
            for (const std::uint32_t seat : seats_) {
                const results::SeatRecord& row = game.seats[seat];
                if (row.place > 0 && results::has_points(game.end))
                    scores_[row.agent].second.add(row.score);
            }
    }
    std::vector<std::pair<std::string, results::Spread>> take_scores() {
        return std::move(scores_);
    }

  private:
    std::vector<std::uint32_t> seats_;
    std::vector<std::pair<std::string, results::Spread>> scores_;
};

results::Replay without_moves(const GameChoice::Chosen& chosen, std::string problem) {
    results::Replay replay;
    replay.block = chosen.game.block;
    replay.game = chosen.game.game;
    replay.plies = chosen.game.plies;
    replay.why = chosen.why;
    replay.problem = std::move(problem);
    return replay;
}

// Records of these games, if their agents cannot replay.
std::map<results::GameId, std::string> kept_of(const std::string& folder, const ReadRun& read,
                                               const std::vector<GameChoice::Chosen>& games) {
    std::map<results::GameId, std::string> kept;
    if (read.file.facts.irreproducible.empty()) return kept;
    results::KeptGames all(results::in_folder(folder, results::kMovesFile),
                           find_whole_rows(folder, read.file).moves);
    results::GameId id;
    std::string lines;
    while (all.next(id, lines))
        if (std::any_of(games.begin(), games.end(),
                        [&](const auto& each) { return GameChoice::id_of(each.game) == id; }))
            kept[id] = lines;
    if (all.failure()) throw UserError(*all.failure());
    return kept;
}

// Why the player to move cannot play the other cards of its hand; in games without hands, or for
// other moves, why the others are illegal, if there are few.
std::vector<std::string> refusals(const games::Position& position, const games::Drawing& drawing) {
    constexpr std::size_t kFewMoves = 36;
    const games::RulesetGame* const rules = position.game().ruleset_game();
    const engine::DomainTable* const domain = rules ? rules->move_domain() : nullptr;
    if (domain == nullptr) return {};
    std::vector<std::string> hand;
    for (const games::DrawnCards& pile : drawing.cards)
        for (const games::DrawnCard& card : pile.cards)
            if (pile.hand && pile.hand == drawing.turn) hand.push_back(card.name);
    std::vector<std::string> others;
    const bool few = hand.empty() && domain->members.size() <= kFewMoves;
    for (const engine::Symbol member : domain->members) {
        const std::string name(rules->program().catalogue().symbols.text(member));
        const bool asked = few || std::find(hand.begin(), hand.end(), name) != hand.end();
        if (asked && !position.find_move(name)) others.push_back(name);
    }
    return MoveReasons(*rules).refusals(position, others);
}

std::vector<results::Replay> replays_of(const std::string& folder, const ReadRun& read,
                                        const std::vector<GameChoice::Chosen>& games,
                                        const HtmlOptions& options, const HostServices& host) {
    std::vector<results::Replay> replays;
    if (games.empty()) return replays;
    PreparedRun run;
    std::string problem;
    try {
        run = reopen_run(folder, read, options.agents_folder, host);
        for (const AgentEntry& agent : run.specification.agents)
            if (made_agent(run, agent.spec).agent == nullptr)
                problem = fmt::format("the agent {} cannot be made as it was", agent.spec.name);
    } catch (const UserError& mistake) {
        problem = mistake.what();
    }
    const AgentMaker make = agent_maker(run);
    const std::map<results::GameId, std::string> kept = kept_of(folder, read, games);
    for (const GameChoice::Chosen& chosen : games) {
        if (!problem.empty()) {
            replays.push_back(without_moves(chosen, problem));
            continue;
        }
        const auto record = kept.find(GameChoice::id_of(chosen.game));
        replays.push_back(record_game({*run.game, make, run.facts.agents, run.facts.seed,
                                       run.starts.get(), kMaxMoves, refusals},
                                      chosen.game,
                                      record == kept.end() ? std::string() : record->second));
        replays.back().why = chosen.why;
    }
    return replays;
}

// The origin of a comparison; unknown if it was printed as JSON.
results::Origin origin_of(const ReportSource& source) {
    results::Origin origin;
    origin.folder = source.path;
    const auto made = source.json.find("made");
    if (made == source.json.end() || !made->is_object()) return origin;
    const auto text = [&](const char* key) {
        const auto found = made->find(key);
        return found != made->end() && found->is_string() ? found->get<std::string>()
                                                          : std::string();
    };
    origin.program = text("program");
    origin.time = text("time");
    origin.machine = text("machine");
    origin.command = text("command");
    return origin;
}

// Number of worst moves whose games a page shows by default.
constexpr std::size_t kBlunderGames = 5;

// Fed before each block and at the end, so that it sees the stop rules' values after each.
class Courses {
  public:
    void take(const std::vector<results::StopStatus>& rules) {
        courses_.resize(rules.size());
        for (std::size_t rule = 0; rule < rules.size(); ++rule)
            courses_[rule].add(rules[rule]);
    }
    std::vector<results::StopCourse> take_courses() { return std::move(courses_); }

  private:
    std::vector<results::StopCourse> courses_;
};

// The results of croupier analyse; nothing if it was not run.
std::optional<results::Regret> read_regret(const std::string& folder) {
    const std::string path = results::in_folder(folder, results::kAnalysisFile);
    if (!holds(folder, results::kAnalysisFile)) return std::nullopt;
    std::string text;
    if (const auto failure = results::read_file(path, text)) throw UserError(*failure);
    const auto json = nlohmann::ordered_json::parse(text, nullptr, false);
    auto regret = json.is_discarded() ? std::nullopt : results::regret_of(json);
    if (!regret)
        throw UserError(path +
                        " is damaged; write it again with croupier analyse --keep, or remove "
                        "it");
    return regret;
}

// Extracts the texts of rules from a document, by their places.
class RuleFinder {
  public:
    RuleFinder(const engine::Sources& sources, const std::vector<results::RuleFacts>& rules,
               std::vector<std::string>& texts)
        : sources_(sources), texts_(texts) {
        for (std::size_t rule = 0; rule < rules.size(); ++rule)
            places_.emplace(rules[rule].place, rule);
    }
    [[nodiscard]] bool wants(const std::string& file) const {
        const auto first = places_.lower_bound(file + ":");
        return first != places_.end() && first->first.starts_with(file + ":");
    }
    void look(const engine::Document& value) {
        if (value.is_object()) {
            const auto [begin, end] = places_.equal_range(sources_.place(value.span));
            for (auto found = begin; found != end; ++found)
                texts_[found->second] = text_of(value.span);
        }
        for (const engine::Member& member : value.members)
            look(member.value);
    }

  private:
    // The text without the indentation of its first line.
    [[nodiscard]] std::string text_of(engine::Span span) const {
        const std::string_view file = sources_.text(span.file);
        const std::string_view first = sources_.line_at(span.file, span.begin);
        const std::size_t indent = std::min(first.find_first_not_of(' '), first.size());
        std::string text;
        std::size_t spaces = indent; // that may still be removed from this line
        for (const char c : file.substr(span.begin, span.end - span.begin)) {
            if (c == ' ' && spaces < indent) {
                ++spaces;
                continue;
            }
            if (c != '\r') text += c;
            spaces = c == '\n' ? 0 : indent;
        }
        return text;
    }

    const engine::Sources& sources_;
    std::vector<std::string>& texts_;
    std::multimap<std::string, std::size_t> places_;
};

// The texts of a run's rules, from the copies of its files; empty for rules without one.
std::vector<std::string> rule_texts(const std::string& folder, const results::RunFile& file) {
    std::vector<std::string> texts(file.profile.rules.size());
    engine::Sources sources;
    engine::Diagnostics ignored;
    RuleFinder finder(sources, file.profile.rules, texts);
    for (const results::InputFile& input : file.inputs) {
        std::string text;
        if (!finder.wants(input.path) ||
            results::read_file(results::in_folder(folder, input.copy), text))
            continue;
        const std::uint32_t source = sources.add(input.path, std::move(text));
        if (const auto document = engine::read_json(sources, source, ignored))
            finder.look(*document);
    }
    return texts;
}

results::RunChapter read_run_chapter(const std::string& folder, const HtmlOptions& options,
                                     const HostServices& host) {
    const ReadRun read = read_run(folder, host);
    RunRecorder book(read.file, read.specification, *read.schedule);
    if (options.coverage) book.tell_coverage(true);
    ScoreTally scores(read.file.facts);
    GameChoice choice(options.games);
    std::optional<results::Regret> regret = read_regret(folder);
    if (regret) {
        const std::size_t shown = std::min(regret->blunders.size(), kBlunderGames);
        for (std::size_t i = 0; i < shown; ++i)
            choice.add_blunder(regret->blunders[i].game);
    }
    Courses courses;
    book.tell_games([&](std::span<const results::GameRecord> games) {
        scores.take(games);
        choice.take(games);
        courses.take(book.ledger().stop_status());
    });
    book.replay(folder);
    courses.take(book.ledger().stop_status());
    if (!book.warning().empty()) host.warn(book.warning());
    return {{folder, read.file.program, read.file.started, read.file.machine, read.file.command},
            book.report(),
            scores.take_scores(),
            courses.take_courses(),
            replays_of(folder, read, choice.chosen(folder), options, host),
            std::move(regret),
            rule_texts(folder, read.file)};
}

} // namespace

ReportSource open_source(const std::string& path) {
    std::error_code ignored;
    if (fs::is_regular_file(path, ignored)) return read_source(path, path);
    if (!fs::is_directory(path, ignored))
        throw UserError(fmt::format("{}: there is no such folder", path));
    if (holds(path, results::kRunFile)) return {Kind::Run, path, {}};
    if (is_tuning(path)) return {Kind::Tune, path, tuning_json(path)};
    if (const std::string name = answer_in(path); !name.empty())
        return read_source(path, results::in_folder(path, name));
    if (is_comparison(path))
        throw UserError(fmt::format("{}: holds a comparison that was interrupted before it had an "
                                    "answer; continue it with 'croupier resume {}'",
                                    path, path));
    throw UserError(fmt::format("{}: holds no run ({}), no comparison, ablation or sweep ({}) and "
                                "no tuning ({})",
                                path, results::kRunFile, fmt::join(results::kComparedFiles, ", "),
                                kTuneFile));
}

std::string_view name_of(Kind kind) {
    constexpr std::array<std::string_view, 5> kNames = {"run", "compare", "ablate", "sweep",
                                                        "tune"};
    return kNames[static_cast<std::size_t>(kind)];
}

bool holds_results(const std::string& folder) {
    return holds(folder, results::kRunFile) || is_tuning(folder) || is_comparison(folder);
}

std::vector<std::string> folders_of_results(const std::string& path) {
    if (holds_results(path)) return {path};
    std::error_code failed;
    std::vector<std::string> folders;
    fs::recursive_directory_iterator each(path, failed);
    if (failed) throw UserError(fmt::format("{}: there is no such folder", path));
    for (const fs::recursive_directory_iterator end; each != end; each.increment(failed)) {
        if (failed) throw UserError(fmt::format("{}: {}", path, failed.message()));
        if (!each->is_directory(failed) || !holds_results(each->path().string())) continue;
        folders.push_back(each->path().string());
        each.disable_recursion_pending();
    }
    std::ranges::sort(folders);
    return folders;
}

results::CompareChapter read_comparison(const ReportSource& source) {
    results::CompareChapter chapter{origin_of(source), {}, {}};
    if (const auto failure = read_compared(source.path, source.json, chapter.summary))
        throw UserError(*failure);
    const auto lines = source.json.find("difference");
    if (lines == source.json.end() || !lines->is_array()) return chapter;
    for (const auto& line : *lines)
        if (line.is_string()) chapter.rules.push_back(line.get<std::string>());
    return chapter;
}

results::AblateChapter read_ablation(const ReportSource& source) {
    results::AblateChapter chapter{origin_of(source), {}};
    if (const auto failure = read_compared(source.path, source.json, chapter.summary))
        throw UserError(*failure);
    return chapter;
}

results::SweepChapter read_sweep(const ReportSource& source) {
    results::SweepChapter chapter{origin_of(source), {}};
    if (const auto failure = read_compared(source.path, source.json, chapter.summary))
        throw UserError(*failure);
    return chapter;
}

results::TuneChapter read_tuned(const ReportSource& source) {
    results::TuneChapter chapter = read_tuning(source.path);
    chapter.origin = origin_of(source);
    return chapter;
}

results::Chapter make_chapter(const ReportSource& source, const HtmlOptions& options,
                              const HostServices& host) {
    switch (source.kind) {
    case Kind::Compare:
        return read_comparison(source);
    case Kind::Ablate:
        return read_ablation(source);
    case Kind::Sweep:
        return read_sweep(source);
    case Kind::Tune:
        return read_tuned(source);
    case Kind::Run:
        break;
    }
    return read_run_chapter(source.path, options, host);
}

} // namespace croupier::tournaments
