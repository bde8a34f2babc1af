// Replays the written blocks, plays the rest, concludes.
#include "tournaments/run/session.h"

#include "results/store/measurements.h"
#include "tournaments/runner/cost_meter.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

namespace croupier::tournaments {

namespace {

using results::Failure;

constexpr double kRemoteItemSeconds =
    100e-3; // a message, its answer and the waiting for both take one to two milliseconds
constexpr double kPatience = 0.5;
constexpr std::uint32_t kOftener = 256; // factor for steps in a run's first deals

class Session {
  public:
    Session(PreparedRun& run, const results::RunFile& file, std::string folder,
            const PlaySettings& settings, Cluster& cluster, const HostServices& host)
        : run_(run), file_(file), folder_(std::move(folder)), settings_(settings),
          cluster_(cluster), host_(host), stop_(host.stop != nullptr ? *host.stop : own_stop_),
          book_(
              file, run.specification, *run.schedule, [this] { pause(); },
              [this] { return host_.seconds(); }) {
        if (settings.coverage) book_.tell_coverage(true);
    }

    PlayedRun play() {
        PlayedRun played;
        played.was_complete = is_complete(folder_);
        book_.replay(folder_);
        if (played.was_complete) {
            clean_up();
            played.complete = true;
            played.report = book_.report();
            return played;
        }
        if ((played.failure = book_.open(folder_))) return played;
        earlier_ = book_.ledger().games();
        if (!book_.warning().empty()) host_.warn(book_.warning());
        if (earlier_ > 0 && !book_.complete())
            host_.note(fmt::format("resuming after {} games", earlier_));
        if (!book_.complete()) play_rest(played);
        played.further = time_rules();
        if ((played.failure = book_.conclude())) return played;
        played.report = book_.report();
        played.games = book_.ledger().games();
        played.complete = book_.complete();
        played.nothing_but_faults =
            played.games > 0 && book_.ended(results::End::Fault) == played.games;
        played.ending_fault = book_.ledger().ending_fault();
        played.lost = cluster_.lost();
        return played;
    }

  private:
    // A process killed after writing the summary has left files.
    void clean_up() {
        if (!book_.complete()) {
            throw UserError(fmt::format("{}: was complete, and only {} of its {} blocks are left",
                                        folder_, book_.ledger().blocks(), book_.wanted_blocks()));
        }
        std::error_code ignored;
        const std::filesystem::path folder(folder_);
        std::filesystem::remove(folder / results::kJournalFile, ignored);
        if (file_.shards == 1) std::filesystem::remove(folder / results::kCostsFile, ignored);
    }

    void play_rest(PlayedRun& played) {
        RunnerSettings settings;
        settings.pool = settings_.pool;
        settings.range = {book_.index_of(book_.ledger().blocks()), file_.shards};
        settings.clock = [this] { return host_.seconds(); };
        settings.stop = &stop_;
        begun_ = host_.seconds();
        std::vector<Worker*> workers = cluster_.workers([this] { return is_interrupted(); });
        const std::unique_ptr<Sampler> sampler = host_.sampler(Ticks::Coarse, nullptr);
        std::optional<LocalWorkers> own;
        if (workers.empty()) {
            own.emplace(*run_.game, run_.facts, maker_,
                        settings_.threads == 0 ? host_.threads : settings_.threads,
                        profile_settings(file_.profile, *run_.game, sampler.get()),
                        player_settings(run_), keep_settings(run_));
            workers = own->all();
        } else {
            Cluster::settle(settings);
        }
        play_blocks(*run_.schedule, workers, settings, book_.ledger());
        WorkerTimes measured = measured_by(workers);
        measured.resize(1);
        results::TimeTable& times = measured.decisions[0];
        times.set_games(book_.ledger().games() - earlier_);
        book_.add_times(times);
        if (own) played.notes = own->notes();
        if (own && settings_.perf_map != nullptr)
            if (const games::RulesetGame* game = run_.game->ruleset_game())
                settings_.perf_map->add(run_.facts.game, game->program());
        if (own && settings_.while_agents_live) settings_.while_agents_live();
        if (earlier_ == 0) book_.set_seconds(host_.seconds() - begun_);
    }

    // Continues a run that was too short to measure the costs of its rules, or was watched at every
    // step, until they are known, if that does not take too long. Returns the number of games.
    std::uint64_t time_rules() {
        const bool plays_on = settings_.plays_on_seconds > 0 && book_.complete() &&
                              !is_interrupted() && run_.facts.irreproducible.empty();
        if (!plays_on || !file_.profile.watches() || book_.costs().costs.table.has_times())
            return 0;
        book_.ledger().flush();
        Timing timing = timing_of(host_);
        timing.stop = &stop_;
        timing.ticks = results::kMinTicks;
        timing.seconds = settings_.plays_on_seconds;
        const TimedGames timed = time_games(run_, maker_, timing);
        book_.take_rule_times(timed.times);
        return timed.played;
    }

    [[nodiscard]] bool is_interrupted() const { return stop_ && !time_is_over_; }

    void pause() {
        const double now = host_.seconds();
        if (run_.specification.time && now - begun_ >= *run_.specification.time && !stop_)
            stop_ = time_is_over_ = true;
        host_.progress([&] { return progress(now); });
    }

    results::Progress progress(double now) {
        results::Progress progress;
        progress.games = book_.ledger().games();
        progress.games_before = earlier_;
        progress.games_planned = book_.wanted_blocks() * run_.schedule->games_per_block();
        if (run_.specification.may_stop_early()) progress.games_planned.reset();
        progress.seconds = now - begun_;
        progress.standing = book_.standing();
        progress.stop = book_.stop_status();
        return progress;
    }

    PreparedRun& run_;
    const results::RunFile& file_;
    std::string folder_;
    const PlaySettings& settings_;
    Cluster& cluster_;
    const HostServices& host_;
    AgentMaker maker_ = settings_.perf_map != nullptr
                            ? settings_.perf_map->noting(agent_maker(run_), run_.facts.agents)
                            : agent_maker(run_);
    std::atomic<bool> own_stop_ = false; // if the host has none
    std::atomic<bool>& stop_;
    std::atomic<bool> time_is_over_ = false; // the reason for stopping
    RunRecorder book_;
    std::uint64_t earlier_ = 0; // games of earlier sessions
    double begun_ = 0;
};

constexpr std::string_view kPlay = "play"; // the order to a helper; any other dismisses it
constexpr int kOrders = 0;                 // channel for orders; the threads' follow

bool never() {
    return false;
}

class RunPart : public Part {
  public:
    RunPart(PreparedRun run, const HostServices& host)
        : run_(std::move(run)), file_(describe_run(run_, {}, host)), maker_(agent_maker(run_)),
          sampler_(host.sampler(Ticks::Coarse, nullptr)) {}

    [[nodiscard]] nlohmann::ordered_json identity() const override { return identity_of(file_); }
    std::vector<Worker*> workers(std::size_t threads) override {
        workers_.emplace(*run_.game, run_.facts, maker_, threads,
                         profile_settings(file_.profile, *run_.game, sampler_.get()),
                         player_settings(run_), keep_settings(run_));
        return workers_->all();
    }

  private:
    PreparedRun run_;
    results::RunFile file_;
    AgentMaker maker_;
    std::unique_ptr<Sampler> sampler_;
    std::optional<LocalWorkers> workers_;
};

} // namespace

std::unique_ptr<Part> part_of(PreparedRun run, const HostServices& host) {
    return std::make_unique<RunPart>(std::move(run), host);
}

ProfileSettings profile_settings(const results::ProfileFacts& facts, const games::Game& game,
                                 Sampler* sampler) {
    if (!facts.watches()) return {};
    const bool full = facts.mode == results::ProfileMode::Full;
    const std::uint32_t stretch = full ? 1 : sample_stretch(game);
    // If every step is watched, ticks would mostly find the watching.
    return {&facts, full ? nullptr : sampler, stretch, std::max(stretch / kOftener, 1U)};
}

PlayedRun play_run(PreparedRun& run, const results::RunFile& file, const std::string& folder,
                   const PlaySettings& settings, Cluster& cluster, const HostServices& host) {
    return Session(run, file, folder, settings, cluster, host).play();
}

Cluster::Cluster(bool launched, const HostServices& host) : host_(host) {
    if (launched && !has_ranks()) {
        throw UserError("several processes were started, and this croupier was built without MPI: "
                        "install libopenmpi-dev, rebuild, or start one process");
    }
    if (launched) ranks_ = join_ranks();
    if (ranks_ == nullptr || ranks_->size() == 1) {
        ranks_.reset();
        return;
    }
    if (serves()) return;
    for (std::size_t rank = 1; rank < ranks_->size(); ++rank) {
        Helper helper;
        helper.name = fmt::format("rank {}", rank);
        helper.orders = ranks_->channel(rank, kOrders, never);
        helpers_.push_back(std::move(helper));
    }
}

Cluster::~Cluster() {
    interrupted_ = nullptr; // may no longer exist
    if (ranks_ == nullptr || serves()) return;
    if (!lost().empty()) {
        ranks_->abandon();
        return;
    }
    for (const Thread& thread : threads_)
        thread.worker->dismiss();
    for (Helper& helper : helpers_) {
        if (helper.works) continue;
        if (helper.threads == 0) helper.orders->receive(); // its greeting
        helper.orders->send("home");
    }
}

bool Cluster::serves() const {
    return ranks_ != nullptr && ranks_->rank() > 0;
}

void Cluster::serve(const Prepare& prepare, std::size_t threads) {
    if (threads == 0) threads = std::max<std::size_t>(host_.threads / ranks_->neighbours(), 1);
    std::string told;
    HostServices host = quiet(host_, told);
    host.read = [this](const std::string& path) { return path == "-" ? "" : host_.read(path); };
    nlohmann::ordered_json greeting = {{"threads", threads}, {"machine", host.machine()}};
    std::unique_ptr<Part> part;
    try {
        part = prepare(host);
        greeting["identity"] = part->identity();
    } catch (const UserError& mistake) {
        greeting["trouble"] = told + mistake.what();
    }
    const auto orders = ranks_->channel(0, kOrders, never);
    orders->send(greeting.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
    if (orders->receive() != kPlay) return;
    std::vector<std::jthread> running;
    for (Worker* worker : part->workers(threads)) {
        const int number = static_cast<int>(running.size()) + 1;
        running.emplace_back([this, worker, number] {
            tournaments::serve(*ranks_->channel(0, number, never), *worker);
        });
    }
}

void Cluster::hire(const nlohmann::ordered_json& identity, const results::RunFacts& facts) {
    if (ranks_ == nullptr) return;
    std::string trouble;
    for (Helper& helper : helpers_) {
        const nlohmann::ordered_json greeting =
            nlohmann::ordered_json::parse(*helper.orders->receive());
        helper.threads = greeting.at("threads");
        helper.name += fmt::format(" ({})", greeting.at("machine").get<std::string>());
        if (greeting.contains("trouble")) {
            trouble += fmt::format("\n{}: {}", helper.name, greeting["trouble"].get<std::string>());
            continue;
        }
        if (const std::string what = what_differs(identity, greeting.at("identity")); !what.empty())
            trouble += fmt::format("\n{}: {} not the same there", helper.name, what);
    }
    if (!trouble.empty()) throw UserError("not every process can play this:" + trouble);
    const auto give_up = [this] { return patience_is_over(); };
    for (std::size_t i = 0; i < helpers_.size(); ++i) {
        helpers_[i].orders->send(kPlay);
        helpers_[i].works = true;
        for (std::size_t number = 1; number <= helpers_[i].threads; ++number) {
            auto channel = ranks_->channel(i + 1, static_cast<int>(number), give_up);
            auto worker = std::make_unique<RemoteWorker>(*channel, facts);
            threads_.push_back({i, std::move(channel), std::move(worker)});
        }
    }
}

// Launchers kill a second after their stop signal.
bool Cluster::patience_is_over() {
    if (!interrupted_ || !interrupted_()) return false;
    const double now = host_.seconds();
    double begun = 0;
    return !asked_.compare_exchange_strong(begun, now) && now - begun > kPatience;
}

void Cluster::settle(RunnerSettings& settings) {
    settings.pool = Pool::Threads; // they only wait
    settings.item_seconds = kRemoteItemSeconds;
}

std::vector<Worker*> Cluster::workers(std::function<bool()> interrupted) {
    interrupted_ = std::move(interrupted);
    std::vector<Worker*> all;
    for (const Thread& thread : threads_)
        all.push_back(thread.worker.get());
    return all;
}

std::string Cluster::lost() const {
    for (const Thread& thread : threads_)
        if (thread.worker->lost()) return helpers_[thread.helper].name;
    return {};
}

} // namespace croupier::tournaments
