// A tournament run by another program: its agent against one that comes with croupier, on two
// threads, then on one thread with the same seed; both must give the same result.
#include <games/files.h>
#include <games/registry.h>
#include <tournaments/tournament.h>

#include <cstdio>
#include <memory>

using namespace croupier;

// Makes the first legal move.
class FirstMove : public agents::Agent {
  public:
    void reset(const games::Game&, games::Seat) override {}
    std::size_t choose(const games::Position&, games::Random&) override { return 0; }
};

int main() {
    const games::Registry registry(GAMES, games::read_file);
    const games::OpenedGame belote = registry.open({"belote", ""});
    if (!belote.game) return std::puts(belote.error.c_str()), 2;

    const auto rules =
        tournaments::make_entrant("rules:table", {*belote.game, games::read_file, AGENTS});
    if (!rules.entrant) return std::puts(rules.error.c_str()), 2;
    const tournaments::Entrant first{"first", [] { return std::make_unique<FirstMove>(); }};

    tournaments::TournamentSettings settings{.blocks = 50, .seed = 7, .threads = 2};
    const auto played =
        tournaments::play_tournament(*belote.game, {*rules.entrant, first}, settings);
    for (const results::ContestantRow& row : played.summary.contestants)
        std::printf("%s won %.1f %% of %d games\n", row.name.c_str(),
                    100 * row.win_rate.value.value_or(0), static_cast<int>(row.games));

    settings.threads = 1;
    const auto again =
        tournaments::play_tournament(*belote.game, {*rules.entrant, first}, settings);
    const bool better = played.summary.contestants.at(0).win_rate.low > 0.5;
    return played.summary.games == 100 && better && again.hash == played.hash ? 0 : 1;
}
