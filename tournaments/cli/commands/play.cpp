// croupier play: plays one game between agents or people.
#include "agents/game_runner.h"
#include "agents/rules/rule_program.h"
#include "engine/api/text.h"
#include "tournaments/cli/command.h"
#include "tournaments/cli/common_options.h"
#include "tournaments/cli/game_show.h"
#include "tournaments/cli/options.h"
#include "tournaments/cli/person.h"
#include "tournaments/cli/process.h"
#include "tournaments/replay/game_record.h"
#include "tournaments/replay/live_game.h"
#include "tournaments/run/files.h"
#include "tournaments/starts/starts.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <optional>

namespace croupier::cli {
namespace {

class Play : public Command {
  public:
    [[nodiscard]] Description describe() const override {
        return {
            "play", "Play one game and say how it ended",
            "The agents sit on the seats in the order in which they are named; one agent alone "
            "takes all seats, and an agent for each team those of its team. The same game, "
            "options, agents and seed give the same moves on "
            "every machine. --record writes the game as JSON lines: a header, a line a move, and "
            "a last line with the scores; '-' is standard output. What rules print goes to "
            "standard error, with --log also the reasons of agents that can give them. With "
            "--state the "
            "game continues from that position, of a file or of a run; with --starts it begins "
            "with one of the positions of a file, as games of croupier run --starts do.\n"
            "human is a person at the terminal, on any seats: each turn draws the table as that "
            "seat sees it and lists the legal moves; a number or a name plays one, help tells what "
            "else can be typed (why, hint, undo, leave, resign, quit). Moves may come from a pipe "
            "as well.\n"
            "A game that ends by an agent's fault is exit code 1, as is one whose input ends "
            "before it does; Ctrl-C is 130.",
            "croupier play life --seed 7\n"
            "croupier play life:torus --agents random,random --show\n"
            "croupier play belote --agents human,rules:table,rules:table,rules:table\n"
            "croupier play life --set max_plies=50 --record game.jsonl --states\n"
            "croupier play life --agents eval,random --state runs/life-1:3.1:12"};
    }

    void declare(Options& options) override {
        add_game_options(options, arguments_);
        add_agent_options(options, agents_);
        add_seed(options, seed_);
        add_state(options, state_, "Begin with this position: a file, or RUN:BLOCK.GAME:PLY");
        const Option starts =
            options.add("--starts", starts_, "Begin with a start position of this file")
                .type_name("FILE")
                .offers(Offers::Files);
        options.add("--start", number_, "Which of them, from 0")
            .needs(starts)
            .type_name("N")
            .shows_default();
        options.add_flag("--show", show_, "Draw every position");
        options.add_flag("--log", log_, "Print why agents make their moves, if they can say");
        options.add("--cut", cut_, "End the game as a draw after N moves")
            .range(1, 1'000'000'000)
            .type_name("N");
        options.add("--record", record_, "Write the game there")
            .type_name("FILE")
            .offers(Offers::Files);
        options.add_flag("--states", states_, "Record the full state before every move");
        options.add_json_flag(json_);
    }

    int run(Context& context) override {
        if (show_ && record_ == "-")
            throw UserError("--show and --record - both write to standard output");
        if (json_ && (show_ || record_ == "-"))
            throw UserError("--json is the only output: not with --show or --record -");
        if (states_ && record_.empty()) throw UserError("--states needs --record");
        if (!state_.empty() && !starts_.empty())
            throw UserError("--state and --starts both say where the game begins");
        game_ = open_game(arguments_, context);
        read_start(context);
        names_ = seat_names();
        const bool people = std::ranges::any_of(names_, agents::is_person);
        if (people && json_)
            throw UserError("--json is the only output, and people need to see the table");
        if (people) return play_with_people(context);
        make_agents(context);

        tournaments::Listeners listeners;
        std::optional<tournaments::RecordWriter> writer;
        if (!record_.empty()) {
            open_record();
            writer.emplace(header(), states_, [&](std::string_view line) { write(line, context); });
            listeners.add(*writer);
        }
        Show show(context.out());
        if (show_) listeners.add(show);
        agents::GameRunner table(*game_);
        table.set_log(&*lines_);
        table.set_cut(static_cast<std::uint32_t>(cut_));
        tournaments::Opener opener(*game_);
        const games::Position& end = table.play(seated_, {.seed = seed_}, &listeners,
                                                start_ ? &opener.open(*start_, seed_) : nullptr);
        return conclude(end, table.verdict(), table.fault() ? &table.fault()->fault : nullptr,
                        context);
    }

  private:
    // Where the game begins, if not as usual.
    void read_start(Context& context) {
        if (state_.empty() && starts_.empty()) return;
        tournaments::NamedText named =
            state_.empty()
                ? tournaments::NamedText{starts_, tournaments::read_input(starts_, context.in)}
                : read_state(state_, context);
        engine::Sources sources;
        engine::Diagnostics diagnostics;
        const std::uint32_t file = sources.add(std::move(named.name), std::move(named.text));
        if (!state_.empty()) {
            start_.emplace();
            start_->state = engine::read_json(sources, file, diagnostics);
            start_->place = {file, 0, 0};
        } else {
            std::vector<tournaments::Start> all =
                tournaments::read_starts(sources, file, diagnostics);
            if (number_ < all.size())
                start_ = std::move(all[number_]);
            else if (!diagnostics.has_errors())
                throw UserError(fmt::format("--start {}: {} has {} start position{}, from 0 on",
                                            number_, starts_, all.size(),
                                            all.size() == 1 ? "" : "s"));
        }
        if (!diagnostics.has_errors())
            tournaments::check_start(*start_, *game_, seed_, diagnostics);
        context.diagnose(diagnostics, sources);
        if (diagnostics.has_errors())
            throw UserError(fmt::format("the game cannot begin like this: {}",
                                        tournaments::errors_in(diagnostics)));
    }

    void open_record() {
        if (record_ == "-") return;
        if (file_.is_open()) file_.close();
        file_.open(record_, std::ios::binary | std::ios::trunc);
        if (!file_) throw UserError(fmt::format("cannot write '{}'", record_));
    }

    [[nodiscard]] std::vector<std::string> seat_names() const {
        const games::Facts& facts = game_->facts();
        std::vector<std::string> names = agents_.names();
        if (names.size() == 1) names.resize(facts.players.size(), names[0]);
        if (!facts.teams.empty() && names.size() == facts.teams.size()) seat_teams(facts, names);
        if (names.size() != facts.players.size()) {
            throw UserError(fmt::format("{} has {} seats, and --agents names {}", facts.title(),
                                        facts.players.size(), names.size()));
        }
        return names;
    }

    // An agent for a team plays all of its seats.
    static void seat_teams(const games::Facts& facts, std::vector<std::string>& names) {
        std::vector<std::string> by_seat(facts.players.size());
        for (std::size_t team = 0; team < facts.teams.size(); ++team)
            for (const games::Seat seat : facts.teams[team].seats)
                by_seat[seat] = names[team];
        names = std::move(by_seat);
    }

    // Null for people.
    void make_agents(Context& context) {
        lines_.emplace(context.err());
        for (const std::string& name : names_) {
            const agents::AgentSpec spec = agents::parse_agent_spec(name);
            const bool person = spec.kind == agents::kPerson;
            if (person && !spec.arguments.empty())
                throw UserError(
                    fmt::format("human takes no arguments, found '{}'", spec.arguments));
            owned_.push_back(
                person ? nullptr
                       : make_agent(name, agents_.folder, *game_, context, abandon_, programs_));
            seated_.push_back(owned_.back().get());
            if (log_ && !person) seated_.back()->set_log(&*lines_);
        }
    }

    int play_with_people(Context& context) {
        const bool hides = game_->facts().hides;
        if (show_)
            throw UserError("--show draws what every player holds, and people play: without it the "
                            "table is drawn as they see it");
        if (record_ == "-") throw UserError("people and --record - both use standard output");
        if (log_ && hides)
            throw UserError("--log shows what agents hold, and people play against them");
        StopSignals stop;
        abandon_ = &stop.wanted();
        Page& page = context.out();
        make_agents(context);
        page.line({fmt::format("{}, seed {}", game_->facts().title(), seed_)});
        for (std::size_t seat = 0; seat < names_.size(); ++seat)
            page.line({fmt::format("  {}  {}", game_->facts().players[seat], names_[seat])});

        // Agents with rules know more than the person.
        tournaments::LiveGame game(
            game_, header(),
            {states_, static_cast<std::uint32_t>(cut_), hides ? nullptr : &*lines_});
        std::vector<std::unique_ptr<tournaments::SeatedAgent>> agents(names_.size());
        for (games::Seat seat = 0; seat < names_.size(); ++seat)
            if (owned_[seat] != nullptr)
                agents[seat] = std::make_unique<tournaments::SeatedAgent>(
                    *game_, seat, seed_, std::move(owned_[seat]), start_ ? &*start_ : nullptr);
        TerminalSession desk(
            game, page, context.in,
            tournaments::quick_advisers(*game_, agents_folder(agents_.folder, context)),
            [&](const std::string& spec) {
                return make_agent(spec, agents_.folder, *game_, context, abandon_, programs_);
            });
        bool more = true; // input
        record(game, context);
        while (!game.ended() && more && !*abandon_) {
            const games::Seat turn = *game.turn();
            tournaments::SeatedAgent* const agent =
                agents[turn] != nullptr ? agents[turn].get() : desk.stand_in(turn);
            if (agent == nullptr)
                more = desk.ask();
            else
                take(game, *agent);
            record(game, context);
        }
        names_ = tournaments::with_changes(std::move(names_), game.changes());
        const bool left = game.verdict() && game.verdict()->kind == agents::Verdict::Kind::Left;
        for (games::Seat seat = 0; game.ended() && seat < names_.size(); ++seat) {
            if (agents[seat] == nullptr && !left)
                desk.show_end(seat);
            else if (agents[seat] != nullptr && !(game.fault() && game.verdict()->seat == seat))
                agents[seat]->ends(game.moves(), game.verdict());
        }
        page.line();
        if (game.ended())
            return conclude(game.position(), game.verdict(),
                            game.fault() ? &*game.fault() : nullptr, context);
        const std::size_t plies = game.position().plies();
        page.paragraph(fmt::format("{}: left after {} move{}, without a result",
                                   game_->facts().title(), plies, plies == 1 ? "" : "s"));
        if (StopSignals::signal() != 0) return kSignalExit + StopSignals::signal();
        context.warn("the input ended before the game did");
        return kFailed;
    }

    void take(tournaments::LiveGame& game, tournaments::SeatedAgent& agent) const {
        const tournaments::Choice choice = agent.choose(game.moves());
        if (choice.fault && *abandon_) return; // the game was abandoned
        if (const agents::Substitution* other = agent.agent().substitution())
            game.substituted(agent.seat(), *other);
        game.take(choice);
    }

    // Writes the new lines of the record of a game with people.
    void record(tournaments::LiveGame& game, Context& context) {
        const tournaments::LiveGame::RecordLines lines = game.take_record_lines();
        if (record_.empty()) return;
        if (lines.anew) open_record();
        for (const std::string& line : lines.lines)
            write(line, context);
    }

    int conclude(const games::Position& end, const std::optional<agents::Verdict>& verdict,
                 const agents::AgentFault* fault, Context& context) const {
        if (json_) {
            nlohmann::ordered_json result = result_json(end, names_, verdict);
            result["seed"] = seed_;
            context.out().raw(result.dump() + "\n");
        } else if (record_ != "-") {
            if (show_) context.out().line();
            print_result(end, names_, context.out(), verdict);
            context.out().line({fmt::format("  seed {}", seed_)});
        }
        if (end.ending() == games::Ending::Aborted && !end.fault().place.empty())
            context.warn(end.fault().place + ": the game was aborted");
        const auto warn = [&](std::size_t seat, const std::string& what) {
            context.warn(fmt::format("{}: {}", names_[seat], what));
        };
        if (fault != nullptr)
            warn(verdict->seat, fmt::format("the game ended by this agent's fault ({}): {}",
                                            agents::name_of(fault->kind), fault->what));
        for (std::size_t seat = 0; seat < seated_.size(); ++seat) {
            if (seated_[seat] == nullptr) continue;
            if (const agents::Substitution* other = seated_[seat]->substitution())
                warn(seat, fmt::format("another agent has played in its place from move {} on "
                                       "({}): {}",
                                       other->ply + 1, agents::name_of(other->fault.kind),
                                       other->fault.what));
            for (const agents::Note& note : seated_[seat]->notes())
                warn(seat, fmt::format("{} ({} times)", note.what, note.times));
        }
        return fault != nullptr ? kFailed : kGood;
    }

    [[nodiscard]] tournaments::RecordHeader header() const {
        const games::GameName name = games::parse_game_name(arguments_.game);
        return {{}, name.game, name.revision, seed_, start_ ? &*start_ : nullptr, names_};
    }

    void write(std::string_view line, Context& context) {
        if (record_ == "-") {
            context.out().raw(line);
            context.out().raw("\n");
            return;
        }
        file_ << line << '\n' << std::flush;
        if (!file_) throw UserError(fmt::format("cannot write '{}'", record_));
    }

    tournaments::GameArguments arguments_;
    AgentArguments agents_;
    std::vector<std::string> names_; // by seat
    std::uint64_t seed_ = 1;
    std::string state_;
    std::string starts_;
    std::size_t number_ = 0;
    std::optional<tournaments::Start> start_;
    bool show_ = false;
    std::string record_;
    std::ofstream file_; // of the record
    bool states_ = false;
    bool json_ = false;
    bool log_ = false;
    std::uint64_t cut_ = 0;
    // These must outlive the agents, which refer to them.
    std::shared_ptr<const games::Game> game_;
    const std::atomic<bool>* abandon_ = nullptr;
    agents::RulePrograms programs_;
    std::optional<PrintedLines> lines_;
    std::vector<std::unique_ptr<agents::Agent>> owned_;
    std::vector<agents::Agent*> seated_;
};

} // namespace

std::unique_ptr<Command> make_play() {
    return std::make_unique<Play>();
}

} // namespace croupier::cli
