// Who is who among the ranks, and that all of them play the same run.
#include "tournaments/cli/cluster.h"

#include "tournaments/cli/machine.h"
#include "tournaments/cli/run_folder.h"
#include "tournaments/cli/run_session.h"
#include "tournaments/cli/sampler.h"
#include "tournaments/cli/stop_signals.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <sstream>
#include <thread>

namespace croupier::cli {
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
    for (const Thread& thread : threads_) {
        if (thread.worker->lost()) return helpers_[thread.helper].name;
    }
    return {};
}

} // namespace croupier::cli
