// Compiles, links and runs against the installed headers and library only: from text to a changed
// state.
#include <engine/api/ruleset.h>
#include <engine/api/run.h>

namespace engine = croupier::engine;

constexpr const char* kRules = R"({
    "state": {"player": {"ada": {"gold": 35}, "ben": {"gold": 4}}},
    "rules": [{"name": "loan",
               "condition": {"player": {"$X": {"gold": "< 20"}}},
               "action": {"player": {"$X": {"gold": "$this + 10"}},
                          "@call": {"interest": {"of": "$X", "rate": 5, "into": "owed.$X"}}}}]})";

// A host function of this program.
engine::HostResult interest(std::span<const engine::Scalar> values) {
    if (std::get<std::string>(values[0]) != "ben") return {.error = "nobody lends to others"};
    return {.value = std::get<std::int64_t>(values[1]) * 2};
}

int main() {
    engine::LoadSettings settings;
    settings.functions = {{"interest", {"of", "rate"}, interest}};
    const engine::Loaded loaded = engine::load_ruleset_text("rules.json", kRules, {}, settings);
    if (!loaded.ruleset) return 2;
    const engine::Program program(*loaded.ruleset);
    engine::State state = program.catalogue().initial_state();
    engine::Machine machine(program);
    engine::Random random(1);
    const engine::RunResult result =
        machine.run(program.catalogue().group_id("rules"), state, random);
    if (result.error) return 3;
    const std::string after = engine::write_json(state.export_document(), -1);
    return after == R"({"player":{"ada":{"gold":35},"ben":{"gold":14}},"owed":{"ben":10}})" ? 0 : 1;
}
