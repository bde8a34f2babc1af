#include "engine/reference/generator.h"

#include "engine/reference/setting.h"
#include "engine/reference/writer.h"

namespace croupier::engine::reference {

Case generate_case(std::uint64_t seed, const Profile& profile) {
    Dice dice(Random(seed).stream(0x67656e65));
    const bool table = dice.chance(profile.table_percent);
    const Setting setting =
        table ? make_table_setting(dice, profile) : make_free_setting(dice, profile);
    Case result;
    result.seed = seed;
    const Document state = random_state(setting.root, dice);
    result.ruleset = write_json(Writer(dice, profile, setting).ruleset(table, state));
    result.state = write_json(state);
    if (profile.has(feature::kBudgets) && dice.chance(4)) {
        result.budgets.matches_per_rule = 1 + dice.below(8);
    }
    if (profile.has(feature::kBudgets) && dice.chance(4)) {
        result.budgets.firings = 1 + dice.below(8);
    }
    return result;
}

} // namespace croupier::engine::reference
