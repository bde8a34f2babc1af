#include "engine/reference/shrink.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace croupier::engine::reference {

namespace {

class Shrinker {
  public:
    Shrinker(Document& ruleset, Document& state, const StillFails& fails, std::size_t tries)
        : ruleset_(ruleset), state_(state), fails_(fails), tries_left_(tries) {}

    void run() {
        do {
            progress_ = false;
            simplify(state_);
            simplify(ruleset_);
        } while (progress_ && tries_left_ > 0);
    }

  private:
    // Outside in: what is taken away whole need not be looked at.
    void simplify(Document& document) {
        take_away(document.members);
        for (std::size_t i = 0; i < document.members.size(); ++i) {
            Document& member = document.members[i].value;
            hoist(member);
            simplify(member);
        }
        if (document.kind == Document::Kind::Scalar) simplify_scalar(document);
    }

    // Chunks first, then members one by one.
    void take_away(std::vector<Member>& members) {
        for (std::size_t chunk = members.size(); chunk > 0; chunk /= 2) {
            for (std::size_t from = 0; from < members.size();) {
                const std::size_t count = std::min(chunk, members.size() - from);
                const auto begin = members.begin() + static_cast<std::ptrdiff_t>(from);
                const auto end = begin + static_cast<std::ptrdiff_t>(count);
                std::vector<Member> fewer(members.begin(), begin);
                fewer.insert(fewer.end(), end, members.end());
                if (!accepts(members, std::move(fewer))) from += count;
            }
        }
    }

    // An object or list becomes one of its own parts, or empty.
    void hoist(Document& document) {
        for (std::size_t i = 0; i < document.members.size(); ++i) {
            Document part = document.members[i].value;
            if (accepts(document, std::move(part))) i = static_cast<std::size_t>(-1);
        }
    }

    void simplify_scalar(Document& document) {
        const auto* integer = std::get_if<std::int64_t>(&document.scalar);
        if (integer == nullptr || *integer == 0 || *integer == 1) return;
        for (const std::int64_t small : {0, 1}) {
            if (accepts(document.scalar, Scalar{small})) return;
        }
    }

    // Keeps `changed` if the case still fails with it.
    template <typename T>
    bool accepts(T& part, T changed) {
        if (tries_left_ == 0) return false;
        --tries_left_;
        std::swap(part, changed);
        if (fails_(ruleset_, state_)) return progress_ = true;
        std::swap(part, changed);
        return false;
    }

    Document& ruleset_;
    Document& state_;
    const StillFails& fails_;
    std::size_t tries_left_;
    bool progress_ = false;
};

} // namespace

void shrink(Document& ruleset, Document& state, const StillFails& fails, std::size_t max_tries) {
    Shrinker(ruleset, state, fails, max_tries).run();
}

} // namespace croupier::engine::reference
