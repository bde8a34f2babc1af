// Compiles, links and runs against the installed headers and library only: from text to a changed
// state.
#include <engine/engine.h>

namespace engine = croupier::engine;

constexpr const char* kRules = R"({
    "state": {"player": {"ada": {"gold": 35}, "ben": {"gold": 4}}},
    "rules": [{"name": "loan",
               "condition": {"player": {"$X": {"gold": "< 20"}}},
               "action": {"player": {"$X": {"gold": "$this + 10"}}}}]})";

int main() {
    const engine::Loaded loaded = engine::load_ruleset_text("rules.json", kRules);
    if (!loaded.ruleset) return 2;
    const engine::Program program(*loaded.ruleset);
    engine::State state = program.initial_state();
    engine::Machine machine(program);
    engine::Random random(1);
    const engine::RunResult result = machine.run(program.group_id("rules"), state, random);
    if (result.error) return 3;
    const std::string after = engine::write_json(state.export_document(), -1);
    return after == R"({"player":{"ada":{"gold":35},"ben":{"gold":14}}})" ? 0 : 1;
}
