// How far a run is, on standard error while it is played.
#pragma once

#include "results/report/progress.h"
#include "tournaments/cli/command.h"

#include <functional>
#include <string>

namespace croupier::cli {

class Progress {
  public:
    // "auto": a line that is written over, on a terminal alone; "plain": a line every ten seconds;
    // "none".
    Progress(const std::string& mode, Context& context);

    // Asks for the facts only when it is time to show them.
    void show(double now, const std::function<results::Progress()>& facts);
    // Takes the line away.
    void end();

  private:
    Context& context_;
    bool live_;
    bool plain_;
    double shown_ = 0;
    bool on_screen_ = false;
};

} // namespace croupier::cli
