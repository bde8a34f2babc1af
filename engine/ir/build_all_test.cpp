// Every ruleset of the repository, and many random ones, as a module that is sound and agrees with
// its program.
#include "engine/ir/build.h"
#include "engine/ir/verify.h"
#include "engine/lang/print.h"
#include "engine/lang/testing.h"
#include "engine/reference/generator.h"
#include "engine/text/json_build.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace croupier::engine::ir {
namespace {

namespace fs = std::filesystem;

FileText read_file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return in ? FileText{text.str(), {}} : FileText{{}, "no such file"};
}

// Rules and groups carry their program's numbers, and the variables of a match come in its order.
void expect_agrees(const Program& program, const Module& module, const std::string& name) {
    std::size_t rules = 0;
    for (GroupId id = 0; id < module.functions.size(); ++id) {
        const Function& function = module.functions[id];
        EXPECT_EQ(function.group, id) << name;
        for (const std::string& fault : verify(module, function))
            ADD_FAILURE() << name << " " << fault;
        for (const Node& node : function.nodes) {
            if (node.kind == Kind::Group) {
                EXPECT_EQ(node.blocks.size(), program.groups[node.x].rules.size()) << name;
            }
            if (node.kind != Kind::Apply) {
                continue;
            }
            ++rules;
            const RulePlan& plan = program.rules[node.x];
            ASSERT_EQ(static_cast<std::size_t>(node.number), plan.variables.size())
                << name << ": " << plan.name;
            EXPECT_EQ(node.blocks.size(), plan.salience == kNone ? 3u : 4u);
            for (std::size_t i = 0; i < plan.variables.size(); ++i) {
                const Var& var = function.vars[node.y + i];
                EXPECT_EQ(var.name, plan.variables[i].name) << name << ": " << plan.name;
                EXPECT_EQ(var.entry, plan.variables[i].entry) << name << ": " << plan.name;
            }
        }
    }
    std::vector<bool> named(program.rules.size());
    for (const GroupPlan& group : program.groups) {
        for (const RuleId rule : group.rules) {
            named[rule] = true;
        }
    }
    EXPECT_EQ(module.functions.size(), program.ruleset().groups.size()) << name;
    EXPECT_LE(rules, static_cast<std::size_t>(std::count(named.begin(), named.end(), true)))
        << name;
}

void expect_builds(const Ruleset& ruleset, const std::string& name) {
    for (const bool observed : {false, true}) {
        Program program(ruleset, {.observed = observed, .rows = false});
        const std::unique_ptr<Module> module = build(program, observed);
        expect_agrees(program, *module, name);
    }
}

// What rules for a game that is in that folder can refer to.
std::string what_agents_see(const std::string& game) {
    const Loaded loaded = load_ruleset(std::vector{"games/" + game + "/rules.json"}, read_file);
    Document all = json::object();
    if (!loaded.ruleset) return write_json(all);
    Document& types = json::child_object(all, "types");
    for (const Domain& domain : loaded.ruleset->types) {
        if (!domain.anonymous) json::add(types, domain.name, to_document(domain));
    }
    Document& options = json::child_object(all, "options");
    for (const Option& option : loaded.ruleset->options) {
        json::add(options, option.name, option.value);
    }
    if (loaded.ruleset->constants) json::add(all, "constants", *loaded.ruleset->constants);
    Document& shape = json::child_object(all, "shape");
    for (const char* node : {"view", "me", "moves", "seen", "prefer"}) {
        Document any;
        any.scalar = std::string("any");
        json::add(shape, node, std::move(any));
    }
    return write_json(all);
}

// A file by itself, laid over the rules beside it, or for the game of its folder.
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
            if (path.extension() != ".json" || within == "tests") {
                continue;
            }
            // Others may be parts of these, which mean nothing by themselves.
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
} // namespace croupier::engine::ir
