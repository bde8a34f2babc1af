// croupier play: one game, agents against each other.
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
            "else can be typed (why, hint, undo, resign, quit). Moves may come from a pipe as "
            "well.\n"
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
        const auto people = static_cast<std::size_t>(
            std::count_if(names_.begin(), names_.end(), [](const std::string& name) {
                return agents::parse_agent_spec(name).kind == agents::kPerson;
            }));
        if (people > 0 && json_)
            throw UserError("--json is the only output, and people need to see the table");
        if (people > 0) return play_with_people(people, context);
        seat(nullptr, context);
        listen_to_agents(context);

        Recording recording(*this, context);
        tournaments::Listeners listeners;
        if (recording.is_wanted()) listeners.add(recording.begin());
        Show show(context.out());
        if (show_) listeners.add(show);
        agents::GameRunner table(*game_);
        set(table);
        tournaments::Opener opener(*game_);
        const games::Position& end = table.play(seated_, {.seed = seed_}, &listeners,
                                                start_ ? &opener.open(*start_, seed_) : nullptr);
        return conclude(end, table, context);
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

    // The record of a game, begun anew where a person has taken a move back.
    class Recording {
      public:
        Recording(const Play& play, Context& context) : play_(play), context_(context) {
            if (is_wanted()) open();
        }
        [[nodiscard]] bool is_wanted() const { return !play_.record_.empty(); }
        agents::Listener& begin() {
            if (writer_) open();
            writer_.emplace(play_.header(), play_.states_,
                            [&](std::string_view line) { play_.write(file_, line, context_); });
            return *writer_;
        }

      private:
        void open() {
            if (play_.record_ == "-") return;
            if (file_.is_open()) file_.close();
            file_.open(play_.record_, std::ios::binary | std::ios::trunc);
            if (!file_) throw UserError(fmt::format("cannot write '{}'", play_.record_));
        }

        const Play& play_;
        Context& context_;
        std::ofstream file_;
        std::optional<tournaments::RecordWriter> writer_;
    };

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

    // An agent for each team is one for each of its seats.
    static void seat_teams(const games::Facts& facts, std::vector<std::string>& names) {
        std::vector<std::string> by_seat(facts.players.size());
        for (std::size_t team = 0; team < facts.teams.size(); ++team)
            for (const games::Seat seat : facts.teams[team].seats)
                by_seat[seat] = names[team];
        names = std::move(by_seat);
    }

    // `desk`: where people play; null: there are none.
    void seat(TerminalSession* desk, Context& context) {
        for (const std::string& name : names_) {
            const agents::AgentSpec spec = agents::parse_agent_spec(name);
            if (spec.kind == agents::kPerson && !spec.arguments.empty())
                throw UserError(
                    fmt::format("human takes no arguments, found '{}'", spec.arguments));
            if (spec.kind == agents::kPerson)
                owned_.push_back(std::make_unique<HumanAgent>(*desk));
            else
                owned_.push_back(
                    make_agent(name, agents_.folder, *game_, context, abandon_, programs_));
            seated_.push_back(owned_.back().get());
        }
    }

    void listen_to_agents(Context& context) {
        lines_.emplace(context.err());
        if (!log_) return;
        for (const auto& agent : owned_)
            agent->set_log(&*lines_);
    }

    void set(agents::GameRunner& table) {
        table.set_log(&*lines_);
        table.set_cut(static_cast<std::uint32_t>(cut_));
    }

    int play_with_people(std::size_t people, Context& context) {
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
        const std::string folder = agents_folder(agents_.folder, context);
        TerminalSession desk(
            *game_, page, context.in, people, tournaments::quick_advisers(*game_, folder),
            [&](const std::string& spec) {
                return make_agent(spec, agents_.folder, *game_, context, abandon_, programs_);
            });
        seat(&desk, context);
        listen_to_agents(context);
        page.line({fmt::format("{}, seed {}", game_->facts().title(), seed_)});
        for (std::size_t seat = 0; seat < names_.size(); ++seat)
            page.line({fmt::format("  {}  {}", game_->facts().players[seat], names_[seat])});

        Recording recording(*this, context);
        agents::Listener nobody;
        agents::GameRunner table(*game_);
        set(table);
        if (hides) table.set_log(nullptr); // rules know more than the person
        tournaments::Opener opener(*game_);
        PersonGame game(table, desk, stop);
        const games::Position& end = game.play(
            seated_, {.seed = seed_},
            [&]() -> agents::Listener& {
                return recording.is_wanted() ? recording.begin() : nobody;
            },
            start_ ? &opener.open(*start_, seed_) : nullptr);
        page.line();
        if (!game.left()) return conclude(end, table, context);
        page.paragraph(fmt::format("{}: left after {} move{}, without a result",
                                   game_->facts().title(), end.plies(),
                                   end.plies() == 1 ? "" : "s"));
        if (StopSignals::signal() != 0) return kSignalExit + StopSignals::signal();
        if (desk.wish() == TerminalSession::Wish::Quit) return kGood;
        context.warn("the input ended before the game did");
        return kFailed;
    }

    int conclude(const games::Position& end, const agents::GameRunner& table,
                 Context& context) const {
        if (json_) {
            nlohmann::ordered_json result = result_json(end, names_, table.verdict());
            result["seed"] = seed_;
            context.out().raw(result.dump() + "\n");
        } else if (record_ != "-") {
            if (show_) context.out().line();
            print_result(end, names_, context.out(), table.verdict());
            context.out().line({fmt::format("  seed {}", seed_)});
        }
        if (end.ending() == games::Ending::Aborted && !end.fault().place.empty())
            context.warn(end.fault().place + ": the game was aborted");
        warn_of(table, context);
        return table.fault() ? kFailed : kGood;
    }

    // What agents have to say that the result does not show.
    void warn_of(const agents::GameRunner& table, Context& context) const {
        const auto warn = [&](std::size_t seat, const std::string& what) {
            context.warn(fmt::format("{}: {}", names_[seat], what));
        };
        if (const auto& fault = table.fault()) {
            warn(fault->seat, fmt::format("the game ended by this agent's fault ({}): {}",
                                          agents::name_of(fault->fault.kind), fault->fault.what));
        }
        for (std::size_t seat = 0; seat < owned_.size(); ++seat) {
            if (const agents::Substitution* other = owned_[seat]->substitution())
                warn(seat, fmt::format("another agent has played in its place from move {} on "
                                       "({}): {}",
                                       other->ply + 1, agents::name_of(other->fault.kind),
                                       other->fault.what));
            for (const agents::Note& note : owned_[seat]->notes())
                warn(seat, fmt::format("{} ({} times)", note.what, note.times));
        }
    }

    [[nodiscard]] tournaments::RecordHeader header() const {
        const games::GameName name = games::parse_game_name(arguments_.game);
        return {{}, name.game, name.revision, seed_, start_ ? &*start_ : nullptr, names_};
    }

    void write(std::ofstream& file, std::string_view line, Context& context) const {
        if (record_ == "-") {
            context.out().raw(line);
            context.out().raw("\n");
            return;
        }
        file << line << '\n' << std::flush;
        if (!file) throw UserError(fmt::format("cannot write '{}'", record_));
    }

    tournaments::GameArguments arguments_;
    AgentArguments agents_;
    std::vector<std::string> names_; // seat by seat
    std::uint64_t seed_ = 1;
    std::string state_;
    std::string starts_;
    std::size_t number_ = 0;
    std::optional<tournaments::Start> start_;
    bool show_ = false;
    std::string record_;
    bool states_ = false;
    bool json_ = false;
    bool log_ = false;
    std::uint64_t cut_ = 0;
    // These outlive the agents, which are made with them.
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
