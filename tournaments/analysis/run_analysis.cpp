// Blocks go over the conveyor; each worker has an analyst of its own.
#include "tournaments/analysis/run_analysis.h"

#include <memory>
#include <mutex>

namespace croupier::tournaments {
namespace {

// The record of one game among those of its block; empty: it was not kept.
std::string_view record_among(std::string_view lines, results::GameId id) {
    const std::string first = "{\"id\":\"" + results::text_of(id) + "\"";
    std::size_t begin = lines.find(first);
    if (begin == std::string_view::npos) return {};
    const std::size_t end = lines.find("\n{\"id\":", begin);
    return lines.substr(begin, end == std::string_view::npos ? end : end + 1 - begin);
}

class RunAnalysis final : public Conveyor {
  public:
    RunAnalysis(const ReplayRequest& request, results::GamesReader& games, results::KeptGames& kept,
                const AnalysisSettings& settings, RegretBook& book,
                const std::function<void(std::span<const AnalysedGame>)>& told)
        : make_([this, &request](std::uint32_t agent) {
              const std::lock_guard lock(making_);
              return request.make(agent);
          }),
          request_{request.game, make_, request.agents, request.seed, request.starts},
          games_(games), kept_(kept), settings_(settings), book_(book), told_(told),
          slots_(4 * settings.threads), analysts_(settings.threads) {}

    [[nodiscard]] std::size_t slots() const { return slots_.size(); }

    bool load(std::size_t slot) override {
        const bool stopped = settings_.stop != nullptr && *settings_.stop;
        if (stopped || loaded_ >= settings_.blocks) return false;
        Slot& into = slots_[slot];
        if (!games_.next(into.games)) return false;
        kept_.take_block(into.games.front().block, into.lines);
        ++loaded_;
        return true;
    }

    void work(std::size_t slot, std::size_t worker) override {
        std::unique_ptr<Analyst>& analyst = analysts_[worker];
        if (analyst == nullptr) analyst = std::make_unique<Analyst>(request_.game);
        Slot& block = slots_[slot];
        block.analysed.clear();
        for (const results::GameRecord& game : block.games)
            block.analysed.push_back(analyse(game, block.lines, *analyst));
        const std::atomic<bool>* const abandon = settings_.regret.abandon;
        if (abandon != nullptr && *abandon) block.analysed.clear();
    }

    void unload(std::size_t slot) override {
        if (slots_[slot].analysed.empty()) broken_off_ = true;
        if (broken_off_) return; // what is told are the first blocks, with none left out
        book_.add_block(slots_[slot].analysed);
        told_(slots_[slot].analysed);
    }

  private:
    struct Slot {
        std::vector<results::GameRecord> games;
        std::string lines; // of those that were kept
        std::vector<AnalysedGame> analysed;
    };

    AnalysedGame analyse(const results::GameRecord& game, std::string_view lines,
                         Analyst& analyst) const {
        AnalysedGame analysed{{game.block, game.game}, {}, {}};
        const std::string_view record = record_among(lines, analysed.id);
        if (record.empty() && !settings_.cannot_play.empty()) {
            analysed.problem = settings_.cannot_play;
            return analysed;
        }
        RegretSettings regret = settings_.regret;
        regret.seed = request_.seed;
        if (game.start && request_.starts != nullptr && *game.start < request_.starts->size())
            regret.passed_over = (*request_.starts)[*game.start].moves.size();
        analyst.expect(game, regret);
        analysed.problem = listen_again(request_, game, record, analyst);
        if (analysed.problem.empty()) analysed.decisions = std::move(analyst.decisions());
        return analysed;
    }

    std::mutex making_;
    AgentMaker make_;
    ReplayRequest request_;
    results::GamesReader& games_;
    results::KeptGames& kept_;
    const AnalysisSettings& settings_;
    RegretBook& book_;
    const std::function<void(std::span<const AnalysedGame>)>& told_;
    std::vector<Slot> slots_;
    std::vector<std::unique_ptr<Analyst>> analysts_; // by worker
    std::uint64_t loaded_ = 0;
    bool broken_off_ = false;
};

} // namespace

void analyse_games(const ReplayRequest& request, results::GamesReader& games,
                   results::KeptGames& kept, const AnalysisSettings& settings, RegretBook& book,
                   const std::function<void(std::span<const AnalysedGame>)>& told) {
    RunAnalysis analysis(request, games, kept, settings, book, told);
    convey(analysis, settings.threads, analysis.slots(), settings.pool);
}

} // namespace croupier::tournaments
