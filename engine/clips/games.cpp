// Many games in a row: a reset is a copy of saved memory, and under the random strategy matches
// that need not be told apart are counted instead of listed.
#include "engine/clips/rule_build.h"
#include "engine/clips/rule_read.h"
#include "engine/clips/seek/allowed.h"
#include "engine/clips/seek/seeker.h"
#include "engine/clips/session.h"

#include <algorithm>

namespace croupier::engine::clips {
namespace {

constexpr std::int64_t kWarmUp = 2000;

} // namespace

// ---- games without an order

std::int64_t Session::run_sought(std::int64_t limit) {
    running_ = true;
    ++depth_;
    halted_ = false;
    limit_reached_ = false;
    std::int64_t fired = 0;
    seek::Firing firing;
    for (;;) {
        if (fired == limit) {
            limit_reached_ = !network_.seeker()->idle();
            break;
        }
        if (!network_.seeker()->next(firing)) break;
        ++fired;
        fire(*firing.rule, firing.binds.data());
        if (!after_firing(nullptr)) break;
    }
    --depth_;
    running_ = false;
    return fired;
}

// What a row of games needs beside the session.
struct Session::Games {
    const GameOptions& options;
    GameReport report;
    std::vector<PatternNode*> watched;
    std::unique_ptr<seek::Program> program;
    std::unique_ptr<seek::Seeker> seeker;
    struct Seen {
        const Template* of;
        std::vector<Value> slots;
        std::string text;
        std::uint64_t games;
    };
    std::unordered_map<std::uint64_t, std::vector<Seen>> seen; // by hash

    void see(Session& session, const Fact& fact) {
        const std::span<const Value> slots(fact.slots(), fact.of->slots.size());
        std::vector<Seen>& alike = seen[fact.hash];
        const auto found = std::find_if(alike.begin(), alike.end(), [&](const Seen& one) {
            return one.of == fact.of && std::equal(slots.begin(), slots.end(), one.slots.begin());
        });
        if (found != alike.end()) {
            ++found->games;
            return;
        }
        std::for_each(slots.begin(), slots.end(), [&](const Value& one) { session.keep(one); });
        alike.push_back({fact.of, {slots.begin(), slots.end()}, session.shown_fact(fact), 1});
    }
};

bool Session::watch_patterns(Games& games) {
    for (const std::string& pattern : games.options.patterns) {
        const std::uint32_t file = sources_.add("--count", pattern);
        FormReader reader(sources_, file, interner_, diagnostics_);
        const auto form = reader.next();
        if (!form) return false;
        const auto ce = read_pattern(*this, *form, "--count");
        if (!ce) return false;
        Rule rule;
        rule.name = interner_.text("--count");
        Builder builder(*this, rule);
        PatternNode* node = builder.watch(*ce);
        if (node == nullptr) return false;
        games.watched.push_back(node);
    }
    return true;
}

// Puts a Seeker in the network's place if the program allows it.
void Session::begin_sought(Games& games) {
    const auto enumerates = [](const PatternNode* node) { return node->multi_path; };
    if (!games.options.seeking || agenda_.strategy() != Strategy::Random ||
        settings_.salience_when != SalienceWhen::Defined || !settings_.reset_globals ||
        std::any_of(games.watched.begin(), games.watched.end(), enumerates))
        return;
    const auto forbids = [](const auto& one) { return !seek::actions_allow(one.actions); };
    if (std::any_of(defined_.rules.begin(), defined_.rules.end(), forbids) ||
        std::any_of(defined_.functions.begin(), defined_.functions.end(), forbids))
        return;
    games.program = seek::make_program(defined_.rules);
    if (games.program == nullptr) return;
    games.report.sought = true;
    network_.begin_games();
    games.seeker = std::make_unique<seek::Seeker>(network_, *games.program, games.options.counting);
    network_.attach(games.seeker.get());
    for (Template& of : defined_.templates) {
        const auto found = games.program->by_template.find(&of);
        if (found == games.program->by_template.end()) continue;
        of.asked = &found->second;
        of.tail = static_cast<std::uint32_t>(found->second.indexes * sizeof(seek::Entry));
    }
}

void Session::end_sought(Games& games) {
    network_.end_games();
    for (Template& of : defined_.templates) {
        of.asked = nullptr;
        of.tail = 0;
    }
    games.seeker.reset();
}

void Session::begin_counting(bool counting) {
    counting_ = counting && agenda_.strategy() == Strategy::Random &&
                settings_.salience_when == SalienceWhen::Defined;
    for (Rule& rule : defined_.rules) {
        if (rule.last == nullptr || !counting_ || !rule.counted) continue;
        // Others that hang on the join want to see its matches.
        if (rule.last->left->links.size() == 1) rule.last->left->counted_by = rule.last;
    }
}

void Session::end_counting() {
    network_.wake_all();
    counting_ = false;
    for (Rule& rule : defined_.rules) {
        if (rule.last != nullptr) rule.last->left->counted_by = nullptr;
    }
    for (std::size_t i = bundles_.size(); i-- > 0;)
        list_bundle(i);
}

GameReport Session::play(const GameOptions& options) {
    Games games{options, {}, {}, {}, {}, {}};
    if (!watch_patterns(games)) return games.report;
    const bool was_silent = silent_;
    silent_ = true;
    free_random_ = true;
    begin_sought(games);
    if (games.seeker == nullptr) begin_counting(options.counting);
    try {
        play_all(games);
    } catch (const MemoryLimit&) {
        if (games.seeker != nullptr) end_sought(games);
        free_random_ = false;
        silent_ = was_silent;
        throw;
    }
    for (const auto& [hash, alike] : games.seen) {
        for (const Games::Seen& entry : alike)
            games.report.counts[entry.text] += entry.games;
    }
    network_.arena().forget();
    if (games.seeker != nullptr)
        end_sought(games);
    else
        end_counting();
    free_random_ = false;
    silent_ = was_silent;
    return games.report;
}

void Session::play_all(Games& games) {
    const Random base(games.options.seed);
    const std::int64_t limit = games.options.limit;
    seek::Seeker* seeker = games.seeker.get();
    const auto restart = [&](std::uint64_t game, bool restored) {
        game_random_ = base.stream(game);
        game_draws_ = game_random_.stream(0);
        if (seeker != nullptr) {
            seeker->restart(game_random_, restored);
        } else if (restored) {
            agenda_.set_draws([&](std::uint64_t payload) {
                const auto* match =
                    reinterpret_cast<const Match*>(static_cast<std::uintptr_t>(payload));
                return activation_draw(game_draws_, network_.facts(), *match->owner->rule,
                                       match->binds(), match->count);
            });
        }
    };
    network_.forget_events();
    restart(~std::uint64_t{0}, false);
    // One game to let tables grow: what is saved below then has its size.
    reset();
    run(limit < 0 ? kWarmUp : std::min(limit, kWarmUp));
    exit_.reset();
    had_error_ = false;
    const auto draws_before = draws_;
    reset();
    // What rests on what is not part of the arena.
    const bool any_logical = std::any_of(defined_.rules.begin(), defined_.rules.end(),
                                         [](const Rule& rule) { return rule.logical > 0; });
    const bool same_each_time = draws_ == draws_before && !any_logical;
    if (seeker != nullptr)
        seeker->save();
    else if (counting_)
        network_.doze();
    const Agenda start_agenda = agenda_;
    const std::vector<Match*> start_bundles = bundles_;
    std::vector<Value> start_globals;
    for (const Global& global : defined_.globals)
        start_globals.push_back(global.value);
    const std::uint64_t start_gensym = gensym_;
    const std::size_t start_rules = defined_.rules.size();
    const std::size_t start_templates = defined_.templates.size();
    if (same_each_time) network_.arena().save();
    GameReport& report = games.report;
    for (std::uint64_t game = 0; game < games.options.games; ++game) {
        if (network_.arena().saved()) {
            network_.arena().restore();
            network_.forget_buried();
            buried_markers_.clear();
            facts_escaped_ = false;
            if (seeker == nullptr) {
                agenda_ = start_agenda;
                bundles_ = start_bundles;
            }
            for (std::size_t i = 0; i < start_globals.size(); ++i)
                defined_.globals[i].value = start_globals[i];
            gensym_ = start_gensym;
            restart(game, true);
        } else {
            restart(game, false);
            reset();
        }
        report.firings += static_cast<std::uint64_t>(run(limit));
        ++report.games;
        report.stopped_by_limit = report.stopped_by_limit || limit_reached_;
        for (const PatternNode* node : games.watched) {
            if (seeker == nullptr) {
                for (const Match* at = node->memory->first; at != nullptr; at = at->next_of_node)
                    games.see(*this, *at->binds()[0].fact);
                continue;
            }
            for (const Fact* at = network_.facts().first; at != nullptr; at = at->next) {
                if (network_.matches(*node, *at)) games.see(*this, *at);
            }
        }
        if (exit_ || had_error_ || (interrupted_ && interrupted_())) break;
        // A program that grows while it runs is reset in full from then on.
        if (defined_.rules.size() != start_rules || defined_.templates.size() != start_templates)
            network_.arena().forget();
    }
}

} // namespace croupier::engine::clips
