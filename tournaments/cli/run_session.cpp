// Replays what is written, plays the rest, concludes.
#include "tournaments/cli/run_session.h"

#include "results/report/numbers.h"
#include "results/store/measurements.h"
#include "tournaments/cli/machine.h"
#include "tournaments/cli/options.h"
#include "tournaments/cli/process.h"
#include "tournaments/cli/profiling.h"
#include "tournaments/cli/run_folder.h"
#include "tournaments/runner/cost_meter.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <optional>
#include <sstream>
#include <system_error>
#include <thread>
#include <utility>

namespace croupier::cli {

namespace {

using results::Failure;

constexpr double kRemoteItemSeconds =
    20e-3; // a message and its answer take a tenth of a millisecond
constexpr double kPatience = 0.5;
constexpr std::uint32_t kOftener = 256; // steps of a run's first deals are watched

class Session {
  public:
    Session(PreparedRun& run, const results::RunFile& file, std::string folder,
            const SessionOptions& options, Cluster& cluster, Context& context)
        : run_(run), file_(file), folder_(std::move(folder)), options_(options), cluster_(cluster),
          context_(context), progress_(options.progress, context),
          book_(file, run.specification, *run.schedule, [this] { pause(); }) {
        if (options.coverage) book_.tell_coverage(true);
    }

    int play() {
        if (is_complete(folder_)) return report_again();
        book_.replay(folder_);
        if (Failure failure = book_.open(folder_)) return fail(*failure);
        earlier_ = book_.ledger().games();
        if (!book_.warning().empty()) context_.terminal.warning("croupier resume", book_.warning());
        if (earlier_ > 0 && !book_.complete())
            context_.err().line({fmt::format("resuming after {} games", earlier_)});
        if (!book_.complete()) play_rest();
        progress_.end();
        const std::uint64_t further = time_rules();
        if (Failure failure = book_.conclude()) return fail(*failure);
        book_.print(options_.form, context_);
        context_.out().flush();
        for (const auto& [who, times] : notes_) {
            const auto& [agent, what] = who;
            context_.terminal.warning(
                "croupier run",
                fmt::format("{}: {} ({} times)", file_.facts.agents[agent], what, times));
        }
        const int code =
            book_.ended(results::End::Fault) == book_.ledger().games() && book_.ledger().games() > 0
                ? kFailed // nobody has played
                : kGood;
        if (further > 0)
            context_.err().line({fmt::format("{} were played to see what rules cost; they count "
                                             "for nothing else",
                                             results::counted(further, "more game"))});
        if (book_.complete()) return code;
        if (const std::string& fault = book_.ledger().ending_fault(); !fault.empty())
            context_.err().line({fmt::format("an agent's fault ends this run: game {}", fault)});
        if (const std::string lost = cluster_.lost(); !lost.empty())
            context_.err().line({fmt::format("{} stopped answering", lost)});
        context_.err().line(
            {fmt::format("stopped after {} games; continue with: croupier resume {}",
                         book_.ledger().games(), folder_)});
        if (signals_.signal() != 0) return kSignalExit + signals_.signal();
        return book_.ledger().ending_fault().empty() ? code : kFailed;
    }

  private:
    int report_again() {
        book_.replay(folder_);
        if (!book_.complete()) {
            throw Mistake(fmt::format("{}: was complete, and only {} of its {} blocks are left",
                                      folder_, book_.ledger().blocks(), book_.wanted_blocks()));
        }
        // Whoever was killed between the summary and this has left them.
        std::error_code ignored;
        const std::filesystem::path folder(folder_);
        std::filesystem::remove(folder / results::kJournalFile, ignored);
        if (file_.shards == 1) std::filesystem::remove(folder / results::kCostsFile, ignored);
        book_.print(options_.form, context_);
        return kGood;
    }

    void play_rest() {
        tournaments::RunnerSettings settings;
        settings.pool =
            options_.pool == "tbb" ? tournaments::Pool::Tbb : tournaments::Pool::Threads;
        settings.range = {book_.index_of(book_.ledger().blocks()), file_.shards};
        settings.clock = seconds_now;
        settings.stop = &signals_.wanted();
        begun_ = seconds_now();
        std::vector<tournaments::Worker*> workers =
            cluster_.workers([this] { return patience_is_over(); });
        const std::unique_ptr<tournaments::Sampler> sampler = make_sampler(Ticks::Coarse);
        std::optional<tournaments::LocalWorkers> own;
        if (workers.empty()) {
            const std::size_t threads =
                options_.threads == 0 ? machine_threads() : options_.threads;
            own.emplace(*run_.game, run_.facts, maker_, threads,
                        profile_settings(file_.profile, *run_.game, sampler.get()),
                        player_settings(run_), keep_settings(run_));
            workers = own->all();
        } else {
            settings.pool = tournaments::Pool::Threads; // they only wait
            settings.item_seconds = kRemoteItemSeconds;
        }
        tournaments::play_blocks(*run_.schedule, workers, settings, book_.ledger());
        results::TimeTable times;
        for (const tournaments::Worker* worker : workers)
            worker->add_times(times);
        times.set_games(book_.ledger().games() - earlier_);
        book_.add_times(times);
        if (own) notes_ = own->notes();
        if (own && names_code()) write_perf_map();
        if (earlier_ == 0) book_.set_seconds(seconds_now() - begun_);
    }

    // A run that was too short for that, or watched at every step, plays on until it is known what
    // its rules cost, if that is not too long and the report tells it. Returns how many games.
    std::uint64_t time_rules() {
        const bool plays_on = context_.plays_on_seconds > 0 && book_.complete() &&
                              signals_.signal() == 0 && run_.facts.irreproducible.empty() &&
                              options_.form.name() != "autoplay";
        if (!plays_on || !file_.profile.watches() || book_.costs().costs.table.has_times())
            return 0;
        book_.ledger().flush();
        Timing timing;
        timing.ticks = results::kFewestTicks;
        timing.seconds = context_.plays_on_seconds;
        timing.stop = &signals_.wanted();
        const TimedGames timed = time_games(run_, maker_, timing);
        book_.take_rule_times(timed.times);
        return timed.played;
    }

    // While the agents live, whose code it is.
    [[nodiscard]] bool names_code() const { return options_.perf_map || !options_.jitdump.empty(); }
    void write_perf_map() {
        if (const games::RulesetGame* game = run_.game->ruleset_game())
            perf_map_.add(run_.facts.game, game->program());
        const auto warn = [&](const char* option, const std::optional<std::string>& failure) {
            if (failure) context_.terminal.warning("croupier run", option + *failure);
        };
        if (options_.perf_map) warn("--perf-map: ", perf_map_.write());
        if (!options_.jitdump.empty()) warn("--jitdump: ", perf_map_.dump(options_.jitdump));
    }

    // Launchers kill a second after they have asked to stop.
    bool patience_is_over() {
        if (signals_.signal() == 0) return false;
        const double now = seconds_now();
        double begun = 0;
        return !asked_.compare_exchange_strong(begun, now) && now - begun > kPatience;
    }

    void pause() {
        const double now = seconds_now();
        if (run_.specification.time && now - begun_ >= *run_.specification.time) signals_.stop();
        progress_.show(now, [&] { return progress(now); });
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

    int fail(const std::string& what) {
        progress_.end();
        context_.terminal.error("croupier run",
                                fmt::format("{}\nwhat was written is kept; continue with: croupier "
                                            "resume {}",
                                            what, folder_));
        return kFailed;
    }

    PreparedRun& run_;
    const results::RunFile& file_;
    std::string folder_;
    const SessionOptions& options_;
    Cluster& cluster_;
    Context& context_;
    PerfMap perf_map_;
    tournaments::AgentMaker maker_ =
        names_code() ? perf_map_.noting(agent_maker(run_), run_.facts.agents) : agent_maker(run_);
    StopSignals signals_;
    std::atomic<double> asked_ = 0; // when somebody first waited after a signal
    Progress progress_;
    RunBook book_;
    tournaments::AgentNotes notes_; // of this sitting
    std::uint64_t earlier_ = 0;     // games of earlier sittings
    double begun_ = 0;
};

} // namespace

tournaments::ProfileSettings profile_settings(const results::ProfileFacts& facts,
                                              const games::Game& game,
                                              tournaments::Sampler* sampler) {
    if (!facts.watches()) return {};
    const bool full = facts.mode == results::ProfileMode::Full;
    const std::uint32_t stretch = full ? 1 : tournaments::sample_stretch(game);
    // Where every step is watched, ticks find little but that.
    return {&facts, full ? nullptr : sampler, stretch, std::max(stretch / kOftener, 1U)};
}

void add_profile(Options& options, std::string& profile) {
    options.add("--profile", profile, "Watch what rules cost; full is every step and entry")
        .one_of({"sample", "full", "off"})
        .type_name("HOW")
        .shows_default();
}

void add_faults(Options& options, std::string& faults) {
    options
        .add("--faults", faults,
             "What an agent's fault counts as; stop is a loss that also ends the run")
        .one_of({"loss", "void", "stop"})
        .type_name("HOW")
        .default_text("loss");
}

void add_starts(Options& options, std::string& starts) {
    options.add("--starts", starts, "Begin games with the positions of this file")
        .type_name("FILE[,order=random]")
        .offers(Offers::Files);
}

void add_threads(Options& options, std::size_t& threads) {
    options.add("--threads", threads, "Games to play at once")
        .range(1, 1024)
        .type_name("N")
        .default_text("all cores");
}

void add_progress(Options& options, std::string& progress) {
    options.add("--progress", progress, "Show progress")
        .one_of({"auto", "plain", "none"})
        .type_name("HOW")
        .shows_default();
}

void add_session_options(Options& options, SessionOptions& session) {
    add_threads(options, session.threads);
    add_report_form(options, session.form);
    add_progress(options, session.progress);
    options.add("--pool", session.pool, "What runs the threads")
        .one_of({"tbb", "threads"})
        .type_name("POOL")
        .shows_default();
    options.add_flag("--perf-map", session.perf_map,
                     "Tell Linux's perf the names of rules: /tmp/perf-PID.map");
    options
        .add("--jitdump", session.jitdump, "Write their code for perf inject --jit: jit-PID.dump")
        .type_name("DIR")
        .offers(Offers::Folders);
}

int play_session(PreparedRun& run, const results::RunFile& file, const std::string& folder,
                 const SessionOptions& options, Cluster& cluster, Context& context) {
    return Session(run, file, folder, options, cluster, context).play();
}

// Who is who among the ranks, and that all of them play the same run.

namespace {

using json = nlohmann::ordered_json;

constexpr std::string_view kPlay = "play"; // the order to a helper; any other sends it home
constexpr int kOrders = 0;                 // number of the channel for these; the threads' follow

bool never() {
    return false;
}

} // namespace

Cluster::Cluster(const Context& context)
    : include_roots_(context.include_roots), data_(context.data) {
    if (context.launched && !tournaments::has_ranks()) {
        throw Mistake("several processes were started, and this croupier was built without MPI: "
                      "install libopenmpi-dev, rebuild, or start one process");
    }
    if (context.launched) ranks_ = tournaments::join_ranks();
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
    give_up_ = nullptr; // it may be gone
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

int Cluster::serve(const std::function<PreparedRun(Context&)>& prepare, std::size_t threads) {
    const StopSignals left_to_the_first;
    if (threads == 0) threads = std::max<std::size_t>(machine_threads() / ranks_->neighbours(), 1);
    std::ostringstream told;
    std::istringstream nothing;
    Terminal terminal(told, told, {});
    Context context{terminal, nothing};
    context.include_roots = include_roots_;
    context.data = data_;
    json greeting = {{"threads", threads}, {"machine", describe_machine()}};
    PreparedRun run;
    results::RunFile file;
    try {
        run = prepare(context);
        file = describe_run(run, {});
        greeting["run"] = identity_of(file);
    } catch (const Mistake& mistake) {
        greeting["trouble"] = told.str() + mistake.what();
    }
    const auto orders = ranks_->channel(0, kOrders, never);
    orders->send(greeting.dump(-1, ' ', false, json::error_handler_t::replace));
    if (orders->receive() != kPlay) return kGood;

    const tournaments::AgentMaker maker = agent_maker(run);
    const std::unique_ptr<tournaments::Sampler> sampler = make_sampler(Ticks::Coarse);
    const tournaments::LocalWorkers workers(
        *run.game, run.facts, maker, threads,
        profile_settings(file.profile, *run.game, sampler.get()), player_settings(run),
        keep_settings(run));
    std::vector<std::jthread> running;
    for (tournaments::Worker* worker : workers.all()) {
        const int number = static_cast<int>(running.size()) + 1;
        running.emplace_back([this, worker, number] {
            tournaments::serve(*ranks_->channel(0, number, never), *worker);
        });
    }
    return kGood;
}

void Cluster::hire(const PreparedRun& run) {
    if (ranks_ == nullptr) return;
    const json mine = identity_of(describe_run(run, {}));
    std::string trouble;
    for (Helper& helper : helpers_) {
        const json greeting = json::parse(*helper.orders->receive());
        helper.threads = greeting.at("threads");
        helper.name += fmt::format(" ({})", greeting.at("machine").get<std::string>());
        if (greeting.contains("trouble")) {
            trouble += fmt::format("\n{}: {}", helper.name, greeting["trouble"].get<std::string>());
            continue;
        }
        if (const std::string what = what_differs(mine, greeting.at("run")); !what.empty())
            trouble += fmt::format("\n{}: {} not the same there", helper.name, what);
    }
    if (!trouble.empty()) throw Mistake("not every process can play this run:" + trouble);
    const auto give_up = [this] { return give_up_ && give_up_(); };
    for (std::size_t i = 0; i < helpers_.size(); ++i) {
        helpers_[i].orders->send(kPlay);
        helpers_[i].works = true;
        for (std::size_t number = 1; number <= helpers_[i].threads; ++number) {
            auto channel = ranks_->channel(i + 1, static_cast<int>(number), give_up);
            auto worker = std::make_unique<tournaments::RemoteWorker>(*channel, run.facts);
            threads_.push_back({i, std::move(channel), std::move(worker)});
        }
    }
}

std::vector<tournaments::Worker*> Cluster::workers(std::function<bool()> give_up) {
    give_up_ = std::move(give_up);
    std::vector<tournaments::Worker*> all;
    for (const Thread& thread : threads_)
        all.push_back(thread.worker.get());
    return all;
}

std::string Cluster::lost() const {
    for (const Thread& thread : threads_)
        if (thread.worker->lost()) return helpers_[thread.helper].name;
    return {};
}

// The live line and its plain twin.

namespace {

constexpr double kLiveSeconds = 0.2;
constexpr double kPlainSeconds = 10;

} // namespace

Progress::Progress(const std::string& mode, Context& context)
    : context_(context), live_(mode == "auto" && context.err().is_terminal()),
      plain_(mode == "plain") {}

void Progress::show(double now, const std::function<results::Progress()>& facts) {
    if (!live_ && !plain_) return;
    if (shown_ == 0) shown_ = now; // not before there is something to tell
    if (now - shown_ < (live_ ? kLiveSeconds : kPlainSeconds)) return;
    shown_ = now;
    if (plain_) {
        context_.err().line({results::progress_line(facts())});
    } else {
        // No wider than the terminal: a line that wraps cannot be written over.
        const std::size_t width = context_.err().width() - 1;
        context_.err().raw("\r\x1b[K" + results::progress_line(facts(), width));
        on_screen_ = true;
    }
    context_.err().flush();
}

void Progress::end() {
    if (on_screen_) context_.err().raw("\r\x1b[K");
    on_screen_ = false;
}

} // namespace croupier::cli
