// Tables of top-level keys.
#include "engine/lang/top_keys.h"

#include <algorithm>

namespace croupier::engine {
namespace {

constexpr std::string_view kData[] = {
    "game",     "types",  "shape",  "state", "options",   "option_values", "constants",
    "patterns", "hidden", "memory", "doc",   "evaluator", "groups",        "@include"};
constexpr std::string_view kGroups[] = {"setup",  "moves", "play",   "score",   "derive", "observe",
                                        "choose", "rules", "unseen", "restore", "belief", "refuse"};

// Of tables of advice, which agents read: laid over each other as data.
constexpr std::string_view kAdvice[] = {"define", "advice"};

template <typename Table>
bool contains(const Table& table, std::string_view key) {
    return std::find(std::begin(table), std::end(table), key) != std::end(table);
}

} // namespace

const Words& top_keys() {
    static const Words kAll = [] {
        Words words(std::begin(kData), std::end(kData));
        words.insert(words.end(), std::begin(kGroups), std::end(kGroups));
        return words;
    }();
    return kAll;
}

bool is_group_key(std::string_view key) {
    return !contains(kData, key) && !contains(kAdvice, key);
}
bool is_known_group(std::string_view key) {
    return contains(kGroups, key);
}

} // namespace croupier::engine
