// Plays steps until all blocks are played, then the proof; reads back what was interrupted.
#include "tournaments/tuning/tuning.h"

#include "results/report/compared.h"
#include "results/report/report.h"
#include "results/statistics/block.h"
#include "results/statistics/means.h"
#include "results/statistics/stop.h"
#include "results/store/json_field.h"
#include "tournaments/compare/comparison.h"
#include "tournaments/run/files.h"
#include "tournaments/run/run_folder.h"
#include "tournaments/runner/runner.h"
#include "tournaments/tuning/plan.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cassert>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace croupier::tournaments {

namespace {

// The agent with two sets of values, for these only: their programs are released with it.
class TunedSides {
  public:
    // Arguments but values must outlive it. Throws UserError if an agent cannot be made.
    TunedSides(const TuningPlan& plan, const PreparedRun& run, const std::vector<double>& one,
               const std::vector<double>& other, const HostServices& host)
        : run_(run), specs_{agent_with(plan, one, host), agent_with(plan, other, host)},
          face_to_face_(plan.against.empty()), variants_{{run.game.get(), maker(0)}} {
        if (!face_to_face_) variants_.push_back({run.game.get(), maker(1)});
    }
    TunedSides(const TunedSides&) = delete;
    TunedSides& operator=(const TunedSides&) = delete;

    // One if both sides play each other, otherwise one for each side.
    [[nodiscard]] std::span<const Variant> variants() const { return variants_; }
    [[nodiscard]] std::unique_ptr<VariantWorkers> workers(std::uint64_t seed, std::size_t threads,
                                                          const results::RowFormat* rows) const {
        const PlayerSettings settings{run_.specification.terms, nullptr, nullptr, run_.abandon,
                                      run_.starts.get()};
        return std::make_unique<VariantWorkers>(
            variants_, static_cast<std::uint32_t>(run_.facts.agents.size()), seed, threads,
            std::function<double()>(), settings, rows);
    }

  private:
    agents::AgentSpec agent_with(const TuningPlan& plan, const std::vector<double>& values,
                                 const HostServices& host) {
        const std::string text = with_values(plan.agent, plan.parameters, values);
        agents::AgentSpec spec = agents::parse_agent_spec(text);
        const agents::MadeAgent made =
            agents::make_agent(spec, {*run_.game, run_.open, run_.agents_folder, run_.clock.get(),
                                      run_.abandon, &programs_});
        if (made.agent != nullptr) return spec;
        host.diagnose(made.diagnostics, made.sources);
        throw UserError(made.error.empty() ? text + ": it cannot be made with these values"
                                           : made.error);
    }
    // `first`: which side plays as agent 0 of the run.
    AgentMaker maker(std::size_t first) {
        return [this, first](std::uint32_t agent) {
            const bool tuned = agent == 0 || face_to_face_;
            const agents::AgentSpec& spec =
                tuned ? specs_[first + agent] : run_.specification.agents[agent].spec;
            agents::MadeAgent made = agents::make_agent(
                spec, {*run_.game, run_.open, run_.agents_folder, run_.clock.get(), run_.abandon,
                       tuned ? &programs_ : run_.programs.get()});
            assert(made.agent != nullptr); // it was made before
            return std::move(made.agent);
        };
    }

    const PreparedRun& run_;
    agents::RulePrograms programs_;
    std::array<agents::AgentSpec, 2> specs_;
    bool face_to_face_;
    std::vector<Variant> variants_;
};

nlohmann::ordered_json identity_of(const TuningPlan& plan, const PreparedRun& run,
                                   const HostServices& host) {
    nlohmann::ordered_json identity = tournaments::identity_of(describe_run(run, {}, host));
    identity["the agent is"] = plan.agent;
    for (const TunedParameter& parameter : plan.parameters)
        identity["what is tuned is"].push_back(
            {parameter.name, parameter.least, parameter.greatest, parameter.start});
    return identity;
}

} // namespace

TunePlay::TunePlay(const TuningPlan& plan, const PreparedRun& run, const TunePlayers& players,
                   const HostServices& host)
    : plan_(plan), run_(run), players_(players), host_(host) {}

std::vector<std::string> TunePlay::agents_of(const TuningPlan& plan) {
    std::vector<std::string> all{plan.agent};
    if (plan.against.empty())
        all.push_back(plan.agent);
    else
        all.insert(all.end(), plan.against.begin(), plan.against.end());
    return all;
}

std::uint64_t TunePlay::games_a_block() const {
    return std::uint64_t{run_.schedule->games_per_block()} * (plan_.against.empty() ? 1 : 2);
}

void TunePlay::try_ends() const {
    std::vector<double> least;
    std::vector<double> greatest;
    for (const TunedParameter& parameter : plan_.parameters) {
        least.push_back(parameter.least);
        greatest.push_back(parameter.greatest);
    }
    (void)TunedSides(plan_, run_, least, greatest, host_);
}

std::uint64_t TunePlay::play(const std::vector<double>& one, const std::vector<double>& other,
                             const Blocks& blocks, const Take& take) const {
    const TunedSides sides(plan_, run_, one, other, host_);
    const bool face_to_face = sides.variants().size() == 1;
    Specification wanted = run_.specification;
    wanted.games.reset();
    wanted.blocks = blocks.end;
    const auto schedule = schedule_of(wanted, run_.facts).schedule;
    results::BlockReader reader(run_.facts);
    results::BlockReader other_reader(run_.facts);
    const auto score_of = [&](std::span<const results::GameRecord> games,
                              results::BlockReader& read) -> std::optional<double> {
        if (plan_.worth > 0) return point_score(games, plan_.worth);
        return read.read(games).scores[0];
    };
    VariantSink sink([&](std::span<const results::GameRecord> games) {
        const std::size_t each = games.size() / sides.variants().size();
        std::optional<double> score = score_of(games.first(each), reader);
        if (!face_to_face) {
            const std::optional<double> its = score_of(games.last(each), other_reader);
            score = score && its ? std::optional((1 + *score - *its) / 2) : std::nullopt;
        }
        return take(score);
    });
    RunnerSettings settings;
    settings.range.first = blocks.first;
    settings.clock = [this] { return host_.seconds(); };
    settings.stop = players_.stop;
    std::vector<Worker*> workers;
    if (players_.cluster != nullptr)
        workers =
            players_.cluster->workers([stop = players_.stop] { return stop != nullptr && *stop; });
    std::unique_ptr<VariantWorkers> own;
    if (workers.empty()) {
        own = sides.workers(blocks.seed, players_.threads, nullptr);
        workers = own->all();
    } else {
        Setup setup{{0}, one, blocks.seed};
        if (!face_to_face) setup.variants.push_back(1);
        setup.values.insert(setup.values.end(), other.begin(), other.end());
        for (Worker* worker : workers)
            worker->set_up(setup);
        Cluster::settle(settings);
    }
    return play_blocks(*schedule, workers, settings, sink);
}

namespace {

// A thread of a process that plays for another one: each step has other agents.
class TuneWorker : public Worker {
  public:
    TuneWorker(const TuningPlan& plan, const PreparedRun& run, const results::RowFormat& rows,
               const HostServices& host)
        : plan_(plan), run_(run), rows_(rows), host_(host) {}

    void set_up(const Setup& setup) override {
        const auto half = static_cast<std::ptrdiff_t>(setup.values.size() / 2);
        const auto middle = setup.values.begin() + half;
        players_.reset(); // before the sides that they play
        sides_ =
            std::make_unique<TunedSides>(plan_, run_, std::vector(setup.values.begin(), middle),
                                         std::vector(middle, setup.values.end()), host_);
        players_ = sides_->workers(setup.seed, 1, &rows_);
    }
    bool play(std::span<const Block> blocks, PlayedBlocks& into) override {
        return players_->all().front()->play(blocks, into);
    }

  private:
    const TuningPlan& plan_;
    const PreparedRun& run_;
    const results::RowFormat& rows_;
    const HostServices& host_;
    std::unique_ptr<TunedSides> sides_;
    std::unique_ptr<VariantWorkers> players_;
};

class TunePart : public Part {
  public:
    TunePart(TuningPlan plan, PreparedRun run, const HostServices& host)
        : plan_(std::move(plan)), run_(std::move(run)), rows_(run_.facts, true), host_(host) {}

    [[nodiscard]] nlohmann::ordered_json identity() const override {
        return identity_of(plan_, run_, host_);
    }
    std::vector<Worker*> workers(std::size_t threads) override {
        std::vector<Worker*> all;
        for (std::size_t i = 0; i < threads; ++i) {
            workers_.push_back(std::make_unique<TuneWorker>(plan_, run_, rows_, host_));
            all.push_back(workers_.back().get());
        }
        return all;
    }

  private:
    TuningPlan plan_;
    PreparedRun run_;
    results::RowFormat rows_;
    const HostServices& host_;
    std::vector<std::unique_ptr<TuneWorker>> workers_;
};

} // namespace

std::unique_ptr<Part> part_of(TuningPlan plan, PreparedRun run, const HostServices& host) {
    return std::make_unique<TunePart>(std::move(plan), std::move(run), host);
}

namespace {

using results::Failure;
using results::TuningProof;
using results::TuningSummary;

// Streams of a tuning's seed; the numbers are part of the meaning of a seed.
enum class Stream : std::uint64_t { Values = 1, Steps = 2, Proof = 3 };

std::uint64_t seed_of(const TuningPlan& plan, Stream stream, std::uint64_t number = 0) {
    return games::Random(plan.seed)
        .stream(static_cast<std::uint64_t>(stream))
        .stream(number)
        .next();
}

Spsa fresh(const TuningPlan& plan) {
    return {plan.parameters, plan.blocks, plan.blocks_a_step, seed_of(plan, Stream::Values)};
}

std::vector<double> start_of(const TuningPlan& plan) {
    std::vector<double> start;
    for (const TunedParameter& parameter : plan.parameters)
        start.push_back(parameter.start);
    return start;
}

// The sequential test of the tuned agent against the original one.
class Proof {
  public:
    explicit Proof(const TuningPlan& plan)
        : most_(plan.proof_blocks), test_(plan.bounds, plan.games_a_block) {}

    // False if nothing more is to be played.
    bool feed(std::optional<double> score) {
        ++blocks_;
        bool ends = false;
        if (score) {
            mean_.add(*score);
            ends = test_.feed({*score, 1 - *score});
        } else {
            ends = test_.feed({std::nullopt, std::nullopt});
        }
        course_.add(test_.status());
        return !ends && blocks_ < most_;
    }
    [[nodiscard]] bool is_done() const { return test_.status().stopped || blocks_ >= most_; }
    [[nodiscard]] std::uint64_t blocks() const { return blocks_; }
    [[nodiscard]] results::StopStatus status() const { return test_.status(); }
    [[nodiscard]] const results::StopCourse& course() const { return course_; }
    [[nodiscard]] TuningProof told() const {
        return {test_.status(), results::mean_estimate(mean_.moments(results::kShare)), blocks_,
                most_};
    }

  private:
    std::uint64_t most_;
    std::uint64_t blocks_ = 0;
    results::Sprt test_;
    results::BlockMean mean_;
    results::StopCourse course_;
};

// Reads the complete lines of proof.csv into `proof`; sets `bytes` to their size. Changes nothing.
Failure read_proof(const std::string& folder, Proof& proof, ProofLines& lines,
                   std::uint64_t& bytes) {
    bytes = 0;
    const std::string path = results::in_folder(folder, kProofFile);
    if (!holds(folder, kProofFile)) return {};
    std::string text;
    if (auto failure = results::read_file(path, text)) return failure;
    std::string_view rest = text;
    for (std::size_t line = 1; rest.find('\n') != std::string_view::npos; ++line) {
        const std::string_view row = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(row.size() + 1);
        const auto score = lines.read(row);
        if (!score || proof.is_done())
            return fmt::format(
                "{}:{}: '{}' is not the score of a block that the test has asked for, as it was "
                "written",
                path, line, row);
        proof.feed(*score);
        bytes += row.size() + 1;
    }
    return {};
}

results::TuneChapter chapter_of(const TuningPlan& plan, const Spsa& spsa,
                                const std::vector<TuningStep>& steps, const Proof* proof) {
    results::TuneChapter chapter;
    TuningSummary& summary = chapter.summary;
    summary = {plan.game,
               plan.agent,
               with_values(plan.agent, plan.parameters, spsa.rounded()),
               plan.against,
               plan.worth,
               plan.seed,
               spsa.blocks(),
               spsa.wanted(),
               {},
               spsa.rounded() == start_of(plan),
               {}};
    for (std::size_t i = 0; i < plan.parameters.size(); ++i) {
        const TunedParameter& parameter = plan.parameters[i];
        results::TunedValue value{parameter.name,  parameter.start,    spsa.rounded()[i],
                                  parameter.least, parameter.greatest, {}};
        value.course.reserve(steps.size());
        for (const TuningStep& step : steps)
            value.course.push_back({step.blocks, step.values[i]});
        summary.values.push_back(std::move(value));
    }
    if (proof != nullptr && proof->blocks() > 0) {
        summary.proof = proof->told();
        chapter.course = proof->course();
    }
    return chapter;
}

class TuneSession {
  public:
    // `threads`: 0 for as many as can run at once.
    TuneSession(const TuningPlan& plan, const PreparedRun& run, std::string folder,
                std::size_t threads, Cluster& cluster, const HostServices& host)
        : plan_(plan), folder_(std::move(folder)), host_(host),
          play_(plan, run, {threads == 0 ? host.threads : threads, host.stop, &cluster}, host),
          spsa_(fresh(plan)), proof_(plan) {}

    results::TuneChapter play() {
        fail_if(steps_.open(folder_, spsa_));
        earlier_ = spsa_.blocks();
        begun_ = host_.seconds();
        find_values();
        const bool wanted = spsa_.is_done() && plan_.proof_blocks > 0;
        const bool proves = wanted && spsa_.rounded() != start_of(plan_);
        if (proves) prove();
        return chapter_of(plan_, spsa_, steps_.steps(), proves ? &proof_ : nullptr);
    }

  private:
    void fail_if(const Failure& failure) {
        if (failure) throw UserError(*failure);
    }

    void find_values() {
        while (!spsa_.is_done() && !(host_.stop != nullptr && *host_.stop)) {
            const Spsa::Pair pair = spsa_.pair();
            double result = 0;
            std::uint64_t taken = 0;
            const std::uint64_t wanted = spsa_.step_blocks();
            play_.play(pair.one, pair.other,
                       {seed_of(plan_, Stream::Steps, spsa_.blocks()), 0, wanted},
                       [&](std::optional<double> score) {
                           result += score ? 2 * (2 * *score - 1) : 0;
                           ++taken;
                           show(spsa_.blocks() + taken);
                           return true;
                       });
            if (taken < wanted) return; // repeated when resuming
            spsa_.learn(result);
            fail_if(steps_.append(spsa_, result));
        }
    }

    void prove() {
        std::uint64_t whole = 0;
        ProofLines lines;
        fail_if(read_proof(folder_, proof_, lines, whole));
        if (proof_.is_done()) return;
        results::File file;
        fail_if(file.open(results::in_folder(folder_, kProofFile), results::File::Mode::Append));
        fail_if(file.cut(whole));
        proving_ = true;
        earlier_ = proof_.blocks();
        begun_ = host_.seconds();
        Failure failure;
        play_.play(spsa_.rounded(), start_of(plan_),
                   {seed_of(plan_, Stream::Proof), proof_.blocks(), plan_.proof_blocks},
                   [&](std::optional<double> score) {
                       failure = file.write(lines.write(score));
                       const bool goes_on = proof_.feed(score);
                       show(proof_.blocks());
                       return goes_on && !failure;
                   });
        fail_if(failure);
    }

    void show(std::uint64_t blocks) {
        host_.progress([&] {
            const std::uint64_t games = play_.games_a_block();
            results::Progress progress;
            progress.games = blocks * games;
            progress.games_before = earlier_ * games;
            progress.seconds = host_.seconds() - begun_;
            if (proving_) {
                progress.stop = proof_.status();
                return progress;
            }
            progress.games_planned = plan_.blocks * games;
            for (std::size_t i = 0; i < plan_.parameters.size(); ++i)
                progress.told.push_back(
                    fmt::format("{} {:.4g}", plan_.parameters[i].name, spsa_.values()[i]));
            return progress;
        });
    }

    const TuningPlan& plan_;
    std::string folder_;
    const HostServices& host_;
    TunePlay play_;
    Spsa spsa_;
    StepsFile steps_;
    Proof proof_;
    bool proving_ = false;
    std::uint64_t earlier_ = 0; // blocks present when it began
    double begun_ = 0;
};

std::string tune_file(const std::string& folder) {
    return results::in_folder(folder, kTuneFile);
}

} // namespace

bool is_tuning(const std::string& folder) {
    return holds(folder, kTuneFile);
}

PreparedRun prepare_tuning(const TuningPlan& plan, const std::string& games_folder,
                           const std::string& agents_folder, const HostServices& host) {
    ComparedSettings settings;
    settings.seed = fmt::format("{}", plan.seed);
    settings.games_folder = games_folder;
    settings.agents_folder = agents_folder;
    settings.no_costs = true; // costs of rules are not needed
    return prepare_side({plan.game, TunePlay::agents_of(plan), plan.set, !plan.against.empty()},
                        settings, host);
}

void begin_tuning(const std::string& folder, TuningPlan& plan, const PreparedRun& run,
                  const HostServices& host) {
    plan.games_a_block = run.schedule->games_per_block();
    plan.identity = results::json_text(identity_of(describe_run(run, {}, host)));
    nlohmann::ordered_json json = to_json(plan);
    json["made"] = made_json(host);
    if (const auto failure = results::replace_file(tune_file(folder), results::with_checksum(json)))
        throw UserError(*failure);
}

nlohmann::ordered_json tuning_json(const std::string& folder) {
    std::string text;
    if (const auto failure = results::read_file(tune_file(folder), text)) throw UserError(*failure);
    auto json = nlohmann::ordered_json::parse(text, nullptr, false);
    if (json.is_discarded()) throw UserError(tune_file(folder) + " is damaged: not valid JSON");
    return json;
}

TuningPlan reopen_tuning(const std::string& folder) {
    TuningPlan plan;
    if (const auto failure = results::read_json_file(
            tune_file(folder), [&](const auto& json) { plan = plan_of(json); }))
        throw UserError(*failure);
    return plan;
}

void refuse_other_tuning(const std::string& folder, const TuningPlan& plan, const PreparedRun& run,
                         const HostServices& host) {
    const std::string differs = what_differs(identity_of(describe_run(run, {}, host)),
                                             nlohmann::ordered_json::parse(plan.identity));
    if (differs.empty()) return;
    throw UserError(
        fmt::format("{}: {} not the same as when it began; put it back, or begin another "
                    "tuning",
                    folder, differs));
}

results::TuneChapter play_tuning(const TuningPlan& plan, const PreparedRun& run,
                                 const std::string& folder, std::size_t threads, Cluster& cluster,
                                 const HostServices& host) {
    cluster.hire(identity_of(plan, run, host), run.facts);
    return TuneSession(plan, run, folder, threads, cluster, host).play();
}

results::TuneChapter read_tuning(const std::string& folder) {
    const TuningPlan plan = reopen_tuning(folder);
    Spsa spsa = fresh(plan);
    std::vector<TuningStep> steps;
    std::uint64_t bytes = 0;
    if (const auto failure = read_steps(folder, spsa, steps, bytes)) throw UserError(*failure);
    Proof proof(plan);
    ProofLines lines;
    if (const auto failure = read_proof(folder, proof, lines, bytes)) throw UserError(*failure);
    return chapter_of(plan, spsa, steps, &proof);
}

} // namespace croupier::tournaments
