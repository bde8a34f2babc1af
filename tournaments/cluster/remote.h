// Blocks played in another process: the protocol of a channel, for both ends.
#pragma once

#include "results/record.h"
#include "tournaments/cluster/ranks.h"
#include "tournaments/runner/runner.h"

#include <span>

namespace croupier::tournaments {

// The end that requests blocks. The other end need not know the schedule: blocks are sent whole.
// The answers are rows of games.csv, read like those of a file.
class RemoteWorker : public Worker {
  public:
    // Both must outlive it.
    RemoteWorker(Channel& channel, const results::RunFacts& facts)
        : channel_(channel), facts_(facts) {}

    void set_up(const Setup& setup) override;
    // False if no valid answer comes; nothing is sent afterwards.
    bool play(std::span<const Block> blocks, PlayedBlocks& into) override;
    void add_times(WorkerTimes& times) override;
    [[nodiscard]] bool lost() const { return lost_; }
    // No more requests: `serve` returns at the other end.
    void dismiss();

  private:
    Channel& channel_;
    const results::RunFacts& facts_;
    Setup setup_; // of the other end; no variants for a run
    std::string message_;
    bool lost_ = false;
};

// The end that plays blocks, until it is dismissed or the other end is gone.
void serve(Channel& channel, Worker& worker);

} // namespace croupier::tournaments
