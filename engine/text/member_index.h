// Finds the members of one object by key, also when there are very many.
#pragma once

#include "engine/text/document.h"

#include <string_view>
#include <unordered_map>

namespace croupier::engine {

// Of an object that does not change while the index is used. Anything else has no members.
class MemberIndex {
  public:
    explicit MemberIndex(const Document* object) {
        if (object == nullptr || !object->is_object()) return;
        members_.reserve(object->members.size());
        for (const Member& member : object->members)
            members_.try_emplace(member.key, &member);
    }
    explicit MemberIndex(const Document& object) : MemberIndex(&object) {}

    // The member with that key, or nullptr.
    [[nodiscard]] const Member* find(std::string_view key) const {
        const auto at = members_.find(key);
        return at == members_.end() ? nullptr : at->second;
    }

  private:
    std::unordered_map<std::string_view, const Member*> members_;
};

} // namespace croupier::engine
