// The addresses of runs: the list, one that is watched, its games, and a form to start one.
#pragma once

#include "tournaments/serve/desk.h"
#include "tournaments/serve/run_news.h"

#include <mutex>

namespace croupier::serve {

class RunsDesk : public Desk {
  public:
    // Both outlive it.
    RunsDesk(RunShelf& shelf, const agents::Clock& clock) : shelf_(shelf), news_(shelf, clock) {}

    std::optional<Answer> get(const Question& question) override;
    std::optional<Answer> post(const Question& question) override;
    void stop() override { news_.stop(); }

  private:
    [[nodiscard]] Answer page(const std::string& name, const std::string& game);

    RunShelf& shelf_;
    RunNews news_;
    std::mutex making_page_; // games are played again for it: one at a time
};

} // namespace croupier::serve
