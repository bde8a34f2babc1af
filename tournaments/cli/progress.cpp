// The live line and its plain twin.
#include "tournaments/cli/progress.h"

namespace croupier::cli {
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
