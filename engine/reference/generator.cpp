#include "engine/reference/generator.h"

#include "engine/reference/setting.h"
#include "engine/reference/writer.h"

namespace croupier::engine::reference {

namespace {

constexpr std::uint64_t kStream = 0x67656e65; // apart from those of the rules

Case generate(Dice dice, std::uint64_t seed, const Profile& profile) {
    const bool table = dice.chance(profile.table_percent);
    const Setting setting =
        table ? make_table_setting(dice, profile) : make_free_setting(dice, profile);
    Case result;
    result.seed = seed;
    const Document state = random_state(setting.root, dice);
    result.ruleset = write_json(Writer(dice, profile, setting).ruleset(table, state));
    result.state = write_json(state);
    if (profile.has(feature::kBudgets) && dice.chance(table ? 10 : 4)) {
        result.budgets.matches_per_rule = 1 + dice.below(table ? 40 : 8);
    }
    if (profile.has(feature::kBudgets) && dice.chance(table ? 12 : 4)) {
        result.budgets.firings = 1 + dice.below(table ? 60 : 8);
    }
    return result;
}

} // namespace

Case generate_case(std::uint64_t seed, const Profile& profile) {
    return generate(Dice(Random(seed).stream(kStream)), seed, profile);
}

Case generate_case(std::span<const std::uint8_t> choices, const Profile& profile) {
    constexpr std::uint64_t kSeed = 1;
    return generate(Dice(choices, Random(kSeed).stream(kStream)), kSeed, profile);
}

} // namespace croupier::engine::reference
