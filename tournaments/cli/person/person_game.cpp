// Plays, and plays again.
#include "tournaments/cli/person/person_game.h"

#include "agents/advice/advice_agent.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

namespace croupier::cli {
namespace {

// Makes the first moves as they were made before, then leaves the choice to the agent.
class Repeating : public agents::Agent {
  public:
    Repeating(Agent& inner, const std::vector<std::uint32_t>& made) : inner_(inner), made_(made) {}

    void reset(const games::Game& game, games::Seat me) override {
        inner_.reset(game, me);
        looks_ = inner_.looks();
    }
    std::size_t choose(const games::Position& view, games::Random& random) override {
        repeats_ = view.plies() < made_.size();
        if (repeats_) return made_[view.plies()];
        return looks_ ? inner_.choose(view, random)
                      : inner_.choose_unseen(view.move_count(), random);
    }
    [[nodiscard]] bool observes() const override { return inner_.observes(); }
    void observe(const games::Position& view, const agents::Seen& seen) override {
        inner_.observe(view, seen);
    }
    void judged(const agents::Verdict& verdict) override { inner_.judged(verdict); }
    void ends(const games::Position& view) override { inner_.ends(view); }
    [[nodiscard]] bool offers_draw() const override { return !repeats_ && inner_.offers_draw(); }
    [[nodiscard]] const agents::AgentFault* fault() const override { return inner_.fault(); }
    [[nodiscard]] const agents::Substitution* substitution() const override {
        return inner_.substitution();
    }
    [[nodiscard]] bool is_reproducible() const override { return false; }

  private:
    Agent& inner_;
    const std::vector<std::uint32_t>& made_;
    bool looks_ = true;
    bool repeats_ = false;
};

} // namespace

const games::Position& PersonGame::play(std::span<agents::Agent* const> agents,
                                        const agents::GameKey& key, const Begin& begin,
                                        const agents::Opening* opening) {
    std::vector<std::uint32_t> made; // that are made again
    std::vector<std::unique_ptr<Repeating>> repeating;
    std::vector<agents::Agent*> seated;
    for (agents::Agent* const agent : agents) {
        repeating.push_back(std::make_unique<Repeating>(*agent, made));
        seated.push_back(repeating.back().get());
    }
    desk_.given = opening != nullptr ? opening->moves.size() : 0;
    desk_.on_wish = [&] { stop_.stop(); };
    table_.set_abandon(&stop_.wanted());
    for (;;) {
        const games::Position& end = table_.play(seated, key, &begin(), opening);
        if (!table_.abandoned() || desk_.wish() != Desk::Wish::Undo || stop_.signal() != 0)
            return end;
        made.assign(table_.made().begin(),
                    table_.made().begin() + static_cast<std::ptrdiff_t>(desk_.keep()));
        desk_.told_before = made.size();
        desk_.page().line({"taken back"});
        desk_.forget_wish();
        stop_.go_on();
    }
}

std::vector<std::string> quick_advisers(const games::Game& game, const std::string& folder) {
    namespace fs = std::filesystem;
    std::vector<std::string> specs;
    // Advice is for endgames, and these are small enough to be solved.
    const games::RulesetGame* const rules = game.ruleset_game();
    std::error_code failed;
    if (rules != nullptr &&
        fs::is_directory(fs::path(agents::table_file("", *rules)).parent_path(), failed))
        specs.emplace_back("tablebase");
    // Rules may take a millisecond for one move ahead, and there may be hundreds of moves.
    if (game.evaluation() != nullptr) specs.emplace_back("eval:depth=2,nodes=5000");
    // Those that ship, the strongest first, then any others.
    std::vector<std::string> names = {"counting", "table", "naive"};
    std::vector<std::string> others;
    const fs::path files = fs::path(folder) / "rules" / game.facts().name;
    for (fs::directory_iterator each(files, failed), end; !failed && each != end;
         each.increment(failed)) {
        const std::string name = each->path().stem().string();
        if (each->path().extension() == ".json" &&
            std::find(names.begin(), names.end(), name) == names.end())
            others.push_back(name);
    }
    std::sort(others.begin(), others.end());
    names.insert(names.end(), others.begin(), others.end());
    for (const std::string& name : names)
        if (fs::is_regular_file(files / (name + ".json"), failed)) specs.push_back("rules:" + name);
    if (game.facts().hides) {
        if (game.new_observer() != nullptr) specs.emplace_back("pimc:deals=20");
    } else {
        specs.emplace_back("mcts:playouts=1000");
    }
    return specs;
}

} // namespace croupier::cli
