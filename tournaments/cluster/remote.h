// Blocks played in another process: what goes over a channel, seen from both ends.
#pragma once

#include "results/record.h"
#include "tournaments/cluster/ranks.h"
#include "tournaments/runner/runner.h"

#include <span>

namespace croupier::tournaments {

// The end that wants blocks played. A schedule need not be known at the other end: blocks are sent
// as they are. What comes back are rows of games.csv, read as those of a file are.
class RemoteWorker : public Worker {
  public:
    // Both must outlive it.
    RemoteWorker(Channel& channel, const results::RunFacts& facts)
        : channel_(channel), facts_(facts) {}

    // False if no answer comes, or one that makes no sense; from then on nothing is sent.
    bool play(std::span<const Block> blocks, PlayedBlocks& into) override;
    void add_times(results::TimeTable& times) const override { times.add(times_); }
    [[nodiscard]] bool lost() const { return lost_; }
    // Nothing more will be asked: `serve` returns there.
    void dismiss();

  private:
    Channel& channel_;
    const results::RunFacts& facts_;
    std::string message_;
    results::TimeTable times_; // all that the other end has measured
    bool lost_ = false;
};

// The end that plays them, until it is dismissed or the other end is gone.
void serve(Channel& channel, Worker& worker);

} // namespace croupier::tournaments
