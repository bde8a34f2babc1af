// Ranges of instructions and their origins.
#include "engine/x86/code.h"

#include <algorithm>

namespace croupier::engine::x86 {

std::uint32_t Origins::number_of(const Origin& origin) {
    const auto [at, is_new] =
        numbers_.try_emplace(origin, static_cast<std::uint32_t>(origins_.size()));
    if (is_new) origins_.push_back(&at->first);
    return at->second;
}

void Origins::begin(std::uint32_t offset, std::uint32_t number) {
    if (!begins_.empty() && begins_.back().first == offset) {
        begins_.back().second = number; // nothing was written for the one before
        return;
    }
    if (begins_.empty() || begins_.back().second != number) begins_.emplace_back(offset, number);
}

const Origin* Origins::at(std::uint32_t offset) const {
    if (offset >= end_) return nullptr;
    const auto next = std::upper_bound(
        begins_.begin(), begins_.end(), offset,
        [](std::uint32_t value, const auto& begin) { return value < begin.first; });
    static const Origin kNobodys;
    return next == begins_.begin() ? &kNobodys : origins_[std::prev(next)->second];
}

} // namespace croupier::engine::x86
