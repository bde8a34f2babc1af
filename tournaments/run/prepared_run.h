// A run as the user asked for it: options and files become a specification, games, agents.
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
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace croupier::tournaments {

// A specification in the making. Options become members with a place of their own, so that a
// mistake in `--agents A,B` is shown as one in a file is.
class SpecificationInput {
  public:
    SpecificationInput();

    // The members of a file; what options say comes in their place. With diagnostics, if it is no
    // JSON.
    void read_text(const std::string& name, const std::string& text);
    // Whether the text was a ruleset: it has "@include", or its "game" is an object.
    [[nodiscard]] bool holds_rules() const;
    // What a run's folder says was asked for, with its places in run.json.
    void read_folder(const std::string& folder);

    void add_text(const std::string& option, const std::string& key, const std::string& text);
    // A number where it is one, else a text.
    void add_value(const std::string& option, const std::string& key,
                   const std::vector<std::string>& words);
    void add_agents(const std::string& option, const std::vector<std::string>& agents);
    // "name=value"
    void add_setting(const std::string& text); // of --set
    void add_settings(const std::vector<std::string>& texts);
    // Adds the options --KEY that were given: values that are not empty.
    void add_given(std::initializer_list<std::pair<const char*, const std::string&>> values_by_key);

    // Agents that see all cards are refused, unless somebody asks for them.
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
    std::vector<std::string> given_; // keys that options have set
};

// All that games are played with.
struct PreparedRun {
    Specification specification;
    std::shared_ptr<const games::Game> game;
    std::string agents_folder;                  // agents that are files
    std::shared_ptr<const agents::Clock> clock; // lent to agents
    const std::atomic<bool>* abandon = nullptr; // set: what is being played is broken off; or null
    std::unique_ptr<agents::RulePrograms> programs = std::make_unique<agents::RulePrograms>();
    results::RunFacts facts;
    std::unique_ptr<Schedule> schedule;
    // Path and text of the files that the game and the agents are made of.
    std::vector<std::pair<std::string, std::string>> inputs;
    std::shared_ptr<const Starts> starts;     // null: games begin as usual
    results::ProfileFacts profile;            // the rules of the game and the agents
    results::Keep keep = results::Keep::None; // which games are kept
    engine::FileOpener open;                  // for the files of agents
};

// Throws UserError after telling everything that is wrong.
PreparedRun prepare_run(SpecificationInput& input, const std::string& games_folder,
                        const std::string& agents_folder, results::ProfileMode profile,
                        const HostServices& host);

// What a run's folder says of it; enough to count its games, not to play them.
struct ReadRun {
    results::RunFile file;
    Specification specification;
    std::unique_ptr<Schedule> schedule;
};
ReadRun read_run(const std::string& folder, const HostServices& host);

// The start positions of a specification, each of them tried; null: it names none. What is wrong
// goes to `diagnostics`, with places in `sources`.
std::shared_ptr<const Starts> open_starts(const Specification& specification,
                                          const games::Game& game, const engine::FileOpener& open,
                                          engine::Sources& sources,
                                          engine::Diagnostics& diagnostics);
// How records of the run's games begin.
KeepSettings keep_settings(const PreparedRun& run);

// An agent of the prepared run, or what is wrong with it.
agents::MadeAgent made_agent(const PreparedRun& run, const agents::AgentSpec& spec);
// On what terms its games are played, measured, and broken off when somebody has to hurry.
PlayerSettings player_settings(const PreparedRun& run);
// The agents of a prepared run, which must outlive it.
AgentMaker agent_maker(const PreparedRun& run);

// A run's folder keeps copies of all files it was played with: the run is put together from these.

// Game and schedule as they were, and where agents find their files; whoever makes agents may find
// that they cannot be made any more. What is wrong with the rules now is told, and
// UserError is thrown. The rules are not described (PreparedRun::profile).
PreparedRun reopen_run(const std::string& folder, const ReadRun& read,
                       const std::string& agents_folder, const HostServices& host);

} // namespace croupier::tournaments
