// Every ruleset of the repository, and many random ones, as a module that is sound and agrees with
// its program.
#include "engine/form/build.h"
#include "engine/language/print.h"
#include "engine/language/testing.h"
#include "engine/reference/generator.h"
#include "engine/reference/verify.h"
#include "engine/text/document.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace croupier::engine::form {
namespace {

namespace fs = std::filesystem;

FileText read_file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return in ? FileText{text.str(), {}} : FileText{{}, "no such file"};
}

// The values of a match come in the order of the rule's variables.
void expect_agrees(const RulePlan& rule, const Node& apply, const Function& function) {
    ASSERT_EQ(static_cast<std::size_t>(apply.number), rule.variables.size());
    EXPECT_EQ(apply.blocks.size(), rule.source->salience.empty() ? 3u : 4u);
    for (std::size_t i = 0; i < rule.variables.size(); ++i) {
        const Var& var = function.vars[apply.y + i];
        EXPECT_EQ(var.name, rule.variables[i].name);
        EXPECT_EQ(var.entry, rule.variables[i].entry);
    }
}

// Rules and groups carry their program's numbers, each once.
void expect_agrees(const Catalogue& catalogue, const Module& module) {
    std::set<RuleId> rules;
    EXPECT_EQ(module.functions.size(), catalogue.ruleset().groups.size());
    for (GroupId id = 0; id < module.functions.size(); ++id) {
        const Function& function = module.functions[id];
        EXPECT_EQ(function.group, id);
        EXPECT_EQ(verify(module, function), std::vector<std::string>{});
        for (const Node& node : function.nodes) {
            if (node.kind == Kind::Group) {
                EXPECT_EQ(node.blocks.size(), catalogue.groups[node.x].rules.size());
            } else if (node.kind == Kind::Apply) {
                const RulePlan& rule = catalogue.rules[node.x];
                EXPECT_TRUE(rules.insert(node.x).second) << rule.name;
                SCOPED_TRACE(rule.name);
                expect_agrees(rule, node, function);
            }
        }
    }
    EXPECT_EQ(rules.size(), catalogue.rules.size());
}

void expect_builds(const Ruleset& ruleset, const std::string& name) {
    SCOPED_TRACE(name);
    Catalogue catalogue(ruleset);
    for (const bool observed : {false, true}) {
        const std::unique_ptr<Module> module = build(catalogue, observed);
        expect_agrees(catalogue, *module);
    }
}

// The declarations that rules for the game in that folder can refer to.
std::string what_agents_see(const std::string& game) {
    const Loaded loaded = load_ruleset(std::vector{"games/" + game + "/rules.json"}, read_file);
    Document all = json::object();
    if (!loaded.ruleset) return write_json(all);
    Document& types = json::child_object(all, "types");
    for (const Domain& domain : loaded.ruleset->types)
        if (!domain.anonymous) json::add(types, domain.name, to_document(domain));
    Document& options = json::child_object(all, "options");
    for (const Option& option : loaded.ruleset->options)
        json::add(options, option.name, option.value);
    if (loaded.ruleset->constants) json::add(all, "constants", *loaded.ruleset->constants);
    Document& shape = json::child_object(all, "shape");
    for (const char* node : {"view", "me", "moves", "seen", "prefer"}) {
        Document any;
        any.scalar = std::string("any");
        json::add(shape, node, std::move(any));
    }
    return write_json(all);
}

// Whether a file builds by itself, over the rules next to it, or for the game of its folder.
bool builds(const std::string& file) {
    constexpr const char* kSeen = "<what agents see>";
    const FileOpener open = [&](const std::string& path) {
        return path == kSeen
                   ? FileText{what_agents_see(fs::path(file).parent_path().filename().string()), {}}
                   : read_file(path);
    };
    const std::string base = (fs::path(file).parent_path() / "rules.json").string();
    const std::vector<std::vector<std::string>> ways = {{file}, {base, file}, {kSeen, file}};
    return std::any_of(ways.begin(), ways.end(), [&](const std::vector<std::string>& files) {
        const Loaded loaded = load_ruleset(files, open);
        if (loaded.ruleset) expect_builds(*loaded.ruleset, file);
        return loaded.ruleset.has_value();
    });
}

TEST(build_all, rulesets_of_the_repository) {
    for (const char* folder : {"games", "agents/rules", "engine/cases/good"}) {
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
            const fs::path& path = entry.path();
            const std::string within = path.parent_path().filename().string();
            if (path.extension() != ".json" || within == "tests") continue;
            // Other files may be parts of these, which mean nothing by themselves.
            const bool whole = path.filename() == "rules.json" || path.begin()->string() != "games";
            const bool part = within == "parts" || within == "with" || path.stem().has_extension();
            EXPECT_TRUE(builds(path.string()) || !whole || part) << path;
        }
    }
}

TEST(build_all, random_rulesets) {
    constexpr std::uint64_t kCases = 2000;
    std::uint64_t built = 0;
    for (std::uint64_t seed = 0; seed < kCases; ++seed) {
        const reference::Case made = reference::generate_case(seed);
        LoadSettings settings;
        settings.functions = {{"mix", {"a", "b"}, nullptr}};
        const Loaded loaded = load_ruleset_text("ruleset", made.ruleset, {}, settings);
        if (loaded.ruleset) {
            ++built;
            expect_builds(*loaded.ruleset, "seed " + std::to_string(seed));
        }
    }
    EXPECT_GT(built, kCases / 2);
}

} // namespace
} // namespace croupier::engine::form
