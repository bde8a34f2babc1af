// Reads rulesets and states; throws all their errors.
#include "bench/rules.h"

#include "bench/measure.h"
#include "games/files.h"
#include "games/ruleset/ruleset_game.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace croupier::bench {
namespace {

using engine::Diagnostics;
using engine::Document;
using engine::Sources;

void throw_diagnostics(const Diagnostics& diagnostics, const Sources& sources) {
    if (!diagnostics.has_errors()) return;
    std::string text;
    for (const engine::Diagnostic& each : diagnostics.sorted())
        text += engine::format(each, sources) + "\n";
    throw WrongAnswer(text);
}

Document read(const std::string& name, std::string text) {
    Sources sources;
    Diagnostics diagnostics;
    const std::uint32_t file = sources.add(name, std::move(text));
    auto document = engine::read_json(sources, file, diagnostics);
    throw_diagnostics(diagnostics, sources);
    return std::move(*document);
}

std::string without_shape(const std::string& name, std::string text) {
    Document document = read(name, std::move(text));
    std::erase_if(document.members, [](const auto& member) { return member.key == "shape"; });
    return engine::write_json(document);
}

engine::FileText open(const std::string& path) {
    std::ifstream file(path);
    if (!file) return {{}, "cannot be opened"};
    return {std::string{std::istreambuf_iterator<char>(file), {}}, {}};
}

engine::FileText open(const std::string& name, Layout layout) {
    engine::FileText file = open(in_tree("bench/rules/" + name));
    if (file.text && layout == Layout::Undeclared)
        file.text = without_shape(name, std::move(*file.text));
    return file;
}

engine::Loaded load(const std::vector<std::string>& files, Layout layout) {
    engine::Loaded loaded = engine::load_ruleset(
        files, [layout](const std::string& name) { return open(name, layout); });
    throw_diagnostics(loaded.diagnostics, loaded.sources);
    return loaded;
}

} // namespace

std::string in_tree(const std::string& name) {
    const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
    const std::filesystem::path games = games::shipped(program, CROUPIER_INSTALLED, "games");
    return (games.parent_path() / name).string();
}

Document parse(const std::string& json) {
    return read("state", json);
}

std::shared_ptr<const games::Game> open_game(const std::string& path) {
    const games::OpenedRuleset opened = games::open_ruleset(
        in_tree("games/" + path), [](const std::string& name) { return open(name); });
    throw_diagnostics(opened.diagnostics, opened.sources);
    return opened.game;
}

Rules::Rules(const std::vector<std::string>& files, Layout layout, Way way)
    : loaded_(load(files, layout)), program_(*loaded_.ruleset), machine_(program_) {
    machine_.use_code(way == Way::MachineCode);
}

engine::State Rules::state(const std::string& json) const {
    return state(parse(json));
}

engine::State Rules::state(const Document& document) const {
    engine::State made = program_.catalogue().initial_state();
    Diagnostics diagnostics;
    made.import(document, diagnostics);
    throw_diagnostics(diagnostics, Sources{});
    return made;
}

engine::GroupId Rules::group(const std::string& name) const {
    const engine::GroupId id = program_.catalogue().group_id(name);
    check(id != engine::kNone, "there is no group " + name);
    return id;
}

engine::RuleId Rules::rule(const std::string& name) const {
    const engine::RuleId id = program_.catalogue().rule_id(name);
    check(id != engine::kNone, "there is no rule " + name);
    return id;
}

void Rules::checked(const engine::RunResult& result) {
    check(!result.error, result.error ? result.error->rule + ": " + result.error->detail : "");
}

} // namespace croupier::bench
