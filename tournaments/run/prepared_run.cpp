// Converts options to documents, and documents to runs.
#include "tournaments/run/prepared_run.h"

#include "engine/api/ruleset.h"
#include "engine/api/text.h"
#include "games/clips/clips_game.h"
#include "games/ruleset/ruleset_game.h"
#include "results/report/numbers.h"
#include "tournaments/run/files.h"
#include "tournaments/run/run_folder.h"
#include "tournaments/runner/run_facts.h"
#include "tournaments/spec/specification.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

namespace croupier::tournaments {

using engine::Document;
using engine::DocumentKind;
using engine::Member;
using engine::Span;

// ---- options ------------------------------------------------------------------------------------

SpecificationInput::SpecificationInput() {
    document_.kind = DocumentKind::Object;
    document_.span.file = sources_.add("the command line", "");
}

void SpecificationInput::read_text(const std::string& name, const std::string& text) {
    const std::uint32_t file = sources_.add(name, text);
    if (auto document = engine::read_json(sources_, file, diagnostics_))
        document_ = std::move(*document);
}

bool SpecificationInput::holds_rules() const {
    return std::ranges::any_of(document_.members, [](const Member& each) {
        return each.key == "@include" || (each.key == "game" && each.value.is_object());
    });
}

void SpecificationInput::read_folder(const std::string& folder) {
    allow_oracles(); // the user who began the run has
    const std::string path = (std::filesystem::path(folder) / results::kRunFile).string();
    std::string text;
    if (const auto failure = results::read_file(path, text)) throw UserError(*failure);
    read_text(path, text);
    Document run = std::move(document_);
    for (Member& each : run.members)
        if (each.key == "specification") document_ = std::move(each.value);
}

// An option replaces what the file says; repeated options add up.
Document& SpecificationInput::member(const std::string& key, DocumentKind kind, Span place) {
    auto& members = document_.members;
    const bool added = std::find(given_.begin(), given_.end(), key) != given_.end();
    const auto same = [&](const Member& each) { return each.key == key; };
    if (!added) {
        given_.push_back(key);
        members.erase(std::remove_if(members.begin(), members.end(), same), members.end());
        members.push_back({key, place, {}});
        members.back().value.kind = kind;
        members.back().value.span = place;
    }
    return std::find_if(members.begin(), members.end(), same)->value;
}

namespace {

// Names are written to files and pages, which are UTF-8.
void refuse_other_bytes(const std::string& option, const std::string& text) {
    if (engine::find_invalid_utf8(text) != std::string::npos)
        throw UserError(fmt::format("{}: '{}' is not UTF-8", option, engine::valid_utf8(text)));
}

// `elsewhere`: number of errors in other files, already printed.
void refuse_mistakes(SpecificationInput& input, const HostServices& host,
                     std::size_t elsewhere = 0) {
    host.diagnose(input.diagnostics(), input.sources());
    const std::size_t errors = count_errors(input.diagnostics()) + elsewhere;
    if (errors > 0) throw UserError(results::counted(errors, "error"));
}

class Preparation {
  public:
    Preparation(SpecificationInput& input, const std::string& games_folder,
                const std::string& own_agents, results::ProfileMode profile,
                const HostServices& host)
        : input_(input), folder_(games_folder), host_(host) {
        run_.profile.mode = profile;
        run_.clock = host.clock;
        run_.abandon = host.abandon;
        run_.hosted = host.hosted_agents;
        run_.open = file_opener(host);
        run_.agents_folder = agents_folder(own_agents, host);
        host.include_roots->add(run_.agents_folder);
    }

    PreparedRun prepare() {
        run_.specification = read_specification(input_.document(), input_.diagnostics());
        if (!run_.specification.game.empty()) open_game();
        if (run_.game != nullptr && !run_.specification.starts.empty()) open_starts();
        for (const AgentEntry& agent : run_.specification.agents)
            check_agent(agent);
        if (run_.game != nullptr && !run_.specification.agents.empty()) make_schedule();
        refuse_mistakes(input_, host_, elsewhere_);
        add_inputs(starts_);
        if (run_.profile.mode != results::ProfileMode::Off) describe_rules();
        return std::move(run_);
    }

  private:
    void error(std::string_view code, Span place, std::string message, std::string hint = {}) {
        input_.diagnostics().error(code, place, std::move(message), std::move(hint));
    }

    void open_game() {
        const Specification& wanted = run_.specification;
        const games::GameName name = games::parse_game_name(wanted.game);
        const games::Registry registry = open_registry(folder_, host_);
        name_game(registry, name, host_);
        games::OpenedGame opened = registry.open(name, wanted.set);
        host_.diagnose(opened.diagnostics, opened.sources);
        if (opened.game == nullptr) {
            elsewhere_ += count_errors(opened.diagnostics);
            if (!opened.error.empty()) error(code::kGame, wanted.game_place, opened.error);
            return;
        }
        run_.game = std::move(opened.game);
        add_inputs(opened.sources);
    }

    void open_starts() {
        host_.include_roots->name(run_.specification.starts);
        engine::Diagnostics told;
        run_.starts =
            tournaments::open_starts(run_.specification, *run_.game, run_.open, starts_, told);
        host_.diagnose(told, starts_);
        if (told.has_errors())
            error(code::kStarts, run_.specification.starts_place,
                  fmt::format("'{}' has {}", run_.specification.starts, errors_in(told)));
    }

    // `reader`: an agent, or empty.
    void add_inputs(const engine::Sources& sources, const std::string& reader = {}) {
        for (std::uint32_t file = 0; file < sources.size(); ++file)
            add_input(sources.name(file), std::string(sources.text(file)), reader);
    }

    void add_input(const std::string& path, std::string text, const std::string& reader) {
        if (!reader.empty()) run_.readers[path].insert(reader);
        for (const auto& input : run_.inputs)
            if (input.first == path) return;
        run_.inputs.emplace_back(path, std::move(text));
    }

    void check_agent(const AgentEntry& agent) {
        if (run_.game == nullptr) { // nothing more can be checked
            if (const auto problem = agents::unknown_kind(agent.spec))
                error(code::kAgents, agent.place, *problem);
            return;
        }
        if (const auto unknown = unknown_file(agent.spec, *run_.game, run_.agents_folder))
            return refused_.insert(*unknown).second ? error(code::kAgents, agent.place, *unknown)
                                                    : void();
        name_files(agent.spec.arguments, host_);
        const agents::MadeAgent made = made_agent(run_, agent.spec);
        host_.diagnose(made.diagnostics, made.sources);
        if (made.agent == nullptr) {
            elsewhere_ += count_errors(made.diagnostics);
            if (!made.error.empty()) error(code::kAgents, agent.place, made.error);
            return;
        }
        add_inputs(made.sources, agents::text_of(agent.spec));
        for (const std::string& path : files_among(agent.spec.arguments))
            add_input(path, host_.read(path), agents::text_of(agent.spec));
        if (made.agent->oracle() != nullptr && !input_.may_be_oracles())
            error(
                code::kAgents, agent.place,
                fmt::format("{} sees all cards, so it is not an honest opponent", agent.spec.kind),
                "croupier run --oracle rates it beside others, and marks it");
        if (!made.agent->is_reproducible())
            irreproducible_.emplace(agent.spec.kind, agent.spec.arguments);
    }

    void make_schedule() {
        Specification& wanted = run_.specification;
        const games::Facts& game = run_.game->facts();
        complete_agents(wanted, game.teams.empty() ? game.seats() : game.teams.size());
        write_facts(game);
        MadeSchedule made = schedule_of(wanted, run_.facts);
        if (made.schedule == nullptr) return error(code::kSchedule, wanted.whole, made.error);
        run_.schedule = std::move(made.schedule);
        check_stop_rules();
    }

    void check_stop_rules() {
        const Specification& wanted = run_.specification;
        if (wanted.sprt && wanted.agents.size() != 2) {
            error(code::kStopRule, wanted.whole,
                  fmt::format("a sequential test compares two agents, and there are {}",
                              wanted.agents.size()),
                  "stop by width instead, or play the two against each other alone");
        }
    }

    // Makes the agents again, because some may have been added for empty sides.
    void describe_rules() {
        const bool full = run_.profile.mode == results::ProfileMode::Full;
        if (const games::RulesetGame* game = run_.game->ruleset_game()) {
            add_rule_facts(game->program(), game->sources(), {}, full, run_.profile);
            add_option_facts(game->program().catalogue(), run_.profile);
        }
        const auto& entries = run_.specification.agents;
        for (std::uint32_t agent = 0; agent < entries.size(); ++agent) {
            const agents::MadeAgent made = made_agent(run_, entries[agent].spec);
            if (made.agent == nullptr || made.agent->rules() == nullptr) continue;
            add_rule_facts(*made.agent->rules(), made.sources, agent, full, run_.profile);
        }
    }

    void write_facts(const games::Facts& game) {
        run_.facts = facts_of(game);
        results::RunFacts& facts = run_.facts;
        for (const AgentEntry& agent : run_.specification.agents) {
            facts.agents.push_back(agent.spec.name);
            if (irreproducible_.contains({agent.spec.kind, agent.spec.arguments}))
                facts.irreproducible.push_back(agent.spec.name);
            if (agent.spec.kind == agents::kOracle) facts.oracles.push_back(agent.spec.name);
        }
        facts.seed = run_.specification.seed;
        if (run_.starts != nullptr) facts.starts = run_.starts->size();
    }

    SpecificationInput& input_;
    const std::string& folder_;
    const HostServices& host_;
    std::size_t elsewhere_ = 0; // errors in the files of game and agents
    std::set<std::pair<std::string, std::string>> irreproducible_; // kinds and arguments of agents
    std::set<std::string> refused_;                                // agents already reported
    engine::Sources starts_;
    PreparedRun run_;
};

namespace fs = std::filesystem;

// Files that the run did not read are read from disk.
engine::FileOpener opener_of(const std::string& folder, const results::RunFile& file,
                             const HostServices& host) {
    host.include_roots->add(folder);
    std::map<std::string, std::string> copies;
    for (const results::InputFile& input : file.inputs)
        copies[input.path] = (fs::path(folder) / input.copy).string();
    return [copies, open = file_opener(host)](const std::string& path) {
        const auto copy = copies.find(path);
        return open(copy == copies.end() ? path : copy->second);
    };
}

} // namespace

Document SpecificationInput::text_value(const std::string& option, const std::string& text,
                                        bool number) {
    Document value;
    refuse_other_bytes(option, text);
    const std::uint32_t file = sources_.add(option, text);
    value.span = {file, 0, static_cast<std::uint32_t>(text.size())};
    value.scalar = number ? games::parse_option_value(text) : engine::Scalar(text);
    return value;
}

void SpecificationInput::add_text(const std::string& option, const std::string& key,
                                  const std::string& text) {
    const Document value = text_value(option, text, false);
    member(key, DocumentKind::Scalar, value.span) = value;
}

void SpecificationInput::add_value(const std::string& option, const std::string& key,
                                   const std::vector<std::string>& words) {
    for (const std::string& word : words) {
        const Document value = text_value(option, word, true);
        if (words.size() == 1)
            member(key, DocumentKind::Scalar, value.span) = value;
        else
            member(key, DocumentKind::Array, value.span).members.push_back({"", value.span, value});
    }
}

void SpecificationInput::add_agents(const std::string& option,
                                    const std::vector<std::string>& agents) {
    for (const std::string& text : agents) {
        refuse_other_bytes(option, text);
        const std::uint32_t file = sources_.add(option, text);
        const std::vector<std::string_view> pieces = option == "--agents"
                                                         ? agents::split_agent_specs(text)
                                                         : std::vector<std::string_view>{text};
        for (const std::string_view piece : pieces) {
            const auto begin = static_cast<std::uint32_t>(piece.data() - text.data());
            Document value;
            value.span = {file, begin, begin + static_cast<std::uint32_t>(piece.size())};
            value.scalar = std::string(piece);
            member("agents", DocumentKind::Array, value.span)
                .members.push_back({"", value.span, value});
        }
    }
}

void SpecificationInput::add_setting(const std::string& text) {
    games::GameOption setting = parse_setting(text);
    Document value = text_value("--set", text, false);
    value.scalar = std::move(setting.value);
    member("set", DocumentKind::Object, value.span)
        .members.push_back({std::move(setting.name), value.span, value});
}

void SpecificationInput::add_settings(const std::vector<std::string>& texts) {
    for (const std::string& text : texts)
        add_setting(text);
}

void SpecificationInput::add_given(
    std::initializer_list<std::pair<const char*, const std::string&>> values_by_key) {
    for (const auto& [key, value] : values_by_key)
        if (!value.empty()) add_value(fmt::format("--{}", key), key, {value});
}

// ---- runs ---------------------------------------------------------------------------------------

agents::MadeAgent made_agent(const PreparedRun& run, const agents::AgentSpec& spec) {
    return agents::make_agent(spec, {*run.game, run.open, run.agents_folder, run.clock.get(),
                                     run.abandon, run.programs.get(), true, true, run.hosted});
}

PlayerSettings player_settings(const PreparedRun& run) {
    return {run.specification.terms, nullptr, run.clock.get(), run.abandon, run.starts.get()};
}

std::shared_ptr<const Starts> open_starts(const Specification& specification,
                                          const games::Game& game, const engine::FileOpener& open,
                                          engine::Sources& sources,
                                          engine::Diagnostics& diagnostics) {
    if (specification.starts.empty()) return nullptr;
    engine::FileText text = open(specification.starts);
    const std::uint32_t file = sources.add(specification.starts, std::move(text.text).value_or(""));
    if (!text.error.empty()) {
        diagnostics.error(code::kStarts, {file, 0, 0}, text.error);
        return nullptr;
    }
    auto all = read_starts(sources, file, diagnostics);
    for (const Start& start : all) {
        if (diagnostics.full()) break;
        check_start(start, game, specification.seed, diagnostics);
    }
    if (diagnostics.has_errors()) return nullptr;
    return std::make_shared<Starts>(std::move(all), specification.starts_drawn, specification.seed);
}

KeepSettings keep_settings(const PreparedRun& run) {
    const games::GameName name = games::parse_game_name(run.specification.game);
    return {run.keep, name.game, name.revision};
}

PreparedRun prepare_run(SpecificationInput& input, const std::string& games_folder,
                        const std::string& agents_folder, results::ProfileMode profile,
                        const HostServices& host) {
    return Preparation(input, games_folder, agents_folder, profile, host).prepare();
}

ReadRun read_run(const std::string& folder, const HostServices& host) {
    ReadRun run;
    if (const auto failure = results::read_run_file(folder, run.file)) throw UserError(*failure);
    SpecificationInput input;
    input.read_folder(folder);
    run.specification = read_specification(input.document(), input.diagnostics());
    refuse_mistakes(input, host);
    MadeSchedule made = schedule_of(run.specification, run.file.facts);
    if (made.schedule == nullptr) throw UserError(fmt::format("{}: {}", folder, made.error));
    run.schedule = std::move(made.schedule);
    return run;
}

AgentMaker agent_maker(const PreparedRun& run) {
    return [&run](std::uint32_t agent) {
        agents::MadeAgent made = made_agent(run, run.specification.agents[agent].spec);
        assert(made.agent != nullptr); // it was made before
        return std::move(made.agent);
    };
}

PreparedRun reopen_run(const std::string& folder, const ReadRun& read,
                       const std::string& agents_folder, const HostServices& host) {
    const results::RunFile& file = read.file;
    PreparedRun run;
    run.specification = read.specification;
    run.facts = file.facts;
    run.agents_folder = tournaments::agents_folder(agents_folder, host);
    run.clock = host.clock;
    run.abandon = host.abandon;
    run.hosted = host.hosted_agents;
    host.include_roots->add(run.agents_folder);
    for (const AgentEntry& agent : run.specification.agents)
        name_files(agent.spec.arguments, host);
    run.open = opener_of(folder, file, host);
    games::RulesetSettings settings;
    for (const games::GameOption& option : read.specification.set)
        settings.options.emplace_back(option.name, option.value);
    settings.name = file.facts.game.substr(0, file.facts.game.find(':'));
    const std::string first = file.inputs.empty() ? "" : file.inputs.front().path;
    games::OpenedGame opened;
    if (first.ends_with(".clp")) {
        opened.game = games::clips::open_clips_game(
            host.clips_worker, first, run.open, settings.name, {}, opened.sources, opened.error);
    } else if (!first.empty()) {
        games::OpenedRuleset ruleset = games::open_ruleset(first, run.open, settings);
        opened = {std::move(ruleset.game),
                  std::move(ruleset.sources),
                  std::move(ruleset.diagnostics),
                  {}};
    }
    if (opened.game == nullptr || opened.game->facts().ruleset != file.ruleset) {
        host.diagnose(opened.diagnostics, opened.sources);
        throw UserError(fmt::format("{}: its ruleset cannot be put together again from {}/inputs",
                                    folder, folder));
    }
    run.game = std::move(opened.game);
    engine::Sources sources;
    engine::Diagnostics diagnostics;
    run.starts = open_starts(run.specification, *run.game, run.open, sources, diagnostics);
    host.diagnose(diagnostics, sources);
    if (diagnostics.has_errors())
        throw UserError(
            fmt::format("{}: its start positions cannot be read from {}/inputs", folder, folder));
    run.schedule = schedule_of(run.specification, run.facts).schedule;
    return run;
}

} // namespace croupier::tournaments
