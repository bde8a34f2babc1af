// Prepares a run: turns options and files into a specification, games and agents.
#pragma once

#include "agents/rules/rule_program.h"
#include "engine/api/ruleset.h"
#include "engine/api/text.h"
#include "games/registry.h"
#include "results/costs/cost.h"
#include "results/record.h"
#include "results/store/run_file.h"
#include "tournaments/replay/game_record.h"
#include "tournaments/run/host.h"
#include "tournaments/runner/runner.h"
#include "tournaments/schedule/schedule.h"
#include "tournaments/spec/specification.h"
#include "tournaments/starts/starts.h"

#include <initializer_list>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace croupier::tournaments {

// Builds a specification. Options become members with source positions, so that an error in
// `--agents A,B` is shown like one in a file.
class SpecificationInput {
  public:
    SpecificationInput();

    // Reads the members of a file; options override them. Reports diagnostics if it is not valid
    // JSON.
    void read_text(const std::string& name, const std::string& text);
    // Whether the text was a ruleset: it has "@include", or its "game" is an object.
    [[nodiscard]] bool holds_rules() const;
    // Reads the specification in a run's folder, with positions in run.json.
    void read_folder(const std::string& folder);

    void add_text(const std::string& option, const std::string& key, const std::string& text);
    // Adds a number if it is one, otherwise a text.
    void add_value(const std::string& option, const std::string& key,
                   const std::vector<std::string>& words);
    void add_agents(const std::string& option, const std::vector<std::string>& agents);
    // "name=value"
    void add_setting(const std::string& text); // from --set
    void add_settings(const std::vector<std::string>& texts);
    // Adds the given options --KEY: those with a value that is not empty.
    void add_given(std::initializer_list<std::pair<const char*, const std::string&>> values_by_key);

    // Allows agents that see all cards, which are refused by default.
    void allow_oracles() { oracles_ = true; }
    [[nodiscard]] bool may_be_oracles() const { return oracles_; }

    [[nodiscard]] const engine::Document& document() const { return document_; }
    [[nodiscard]] const engine::Sources& sources() const { return sources_; }
    engine::Diagnostics& diagnostics() { return diagnostics_; }

  private:
    engine::Document text_value(const std::string& option, const std::string& text, bool number);
    engine::Document& member(const std::string& key, engine::DocumentKind kind, engine::Span place);

    engine::Sources sources_;
    engine::Diagnostics diagnostics_;
    engine::Document document_;
    bool oracles_ = false;
    std::vector<std::string> given_; // keys set by options
};

// All that is needed to play the games.
struct PreparedRun {
    Specification specification;
    std::shared_ptr<const games::Game> game;
    std::string agents_folder;                  // for file agents
    std::shared_ptr<const agents::Clock> clock; // for the agents
    const std::atomic<bool>* abandon = nullptr; // set to abandon current games; may be null
    agents::HostedAgents hosted;                // null if the program has none
    std::unique_ptr<agents::RulePrograms> programs = std::make_unique<agents::RulePrograms>();
    results::RunFacts facts;
    std::unique_ptr<Schedule> schedule;
    // Path and text of the files of the game and the agents.
    std::vector<std::pair<std::string, std::string>> inputs;
    std::map<std::string, std::set<std::string>> readers; // agents by path: "rules:naive"
    std::shared_ptr<const Starts> starts;                 // null if games begin as usual
    results::ProfileFacts profile;                        // the rules of the game and the agents
    results::Keep keep = results::Keep::None;             // which games are kept
    engine::FileOpener open;                              // for the files of agents
};

// Throws UserError after reporting all errors.
PreparedRun prepare_run(SpecificationInput& input, const std::string& games_folder,
                        const std::string& agents_folder, results::ProfileMode profile,
                        const HostServices& host);

// The data in a run's folder; enough to count its games, not to play them.
struct ReadRun {
    results::RunFile file;
    Specification specification;
    std::unique_ptr<Schedule> schedule;
};
ReadRun read_run(const std::string& folder, const HostServices& host);

// The start positions of a specification, each one tested; null if it names none. Reports errors to
// `diagnostics`, with places in `sources`.
std::shared_ptr<const Starts> open_starts(const Specification& specification,
                                          const games::Game& game, const engine::FileOpener& open,
                                          engine::Sources& sources,
                                          engine::Diagnostics& diagnostics);
// The header of the run's game records.
KeepSettings keep_settings(const PreparedRun& run);

// An agent of the prepared run, or errors.
agents::MadeAgent made_agent(const PreparedRun& run, const agents::AgentSpec& spec);
// The settings for playing, measuring and abandoning its games.
PlayerSettings player_settings(const PreparedRun& run);
// Makes the agents of a prepared run, which must outlive it.
AgentMaker agent_maker(const PreparedRun& run);

// Reopens a run from the copies of all its files in its folder.

// Restores game and schedule, and the files of agents; making an agent may fail later. Throws
// UserError after reporting errors in the rules. The rules are not described
// (PreparedRun::profile).
PreparedRun reopen_run(const std::string& folder, const ReadRun& read,
                       const std::string& agents_folder, const HostServices& host);

} // namespace croupier::tournaments
