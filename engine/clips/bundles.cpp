// Matches counted instead of listed, under the random strategy.
//
// Why counting is exact. CLIPS gives each activation a random number and fires the smallest. Of
// activations whose numbers were never compared with anything, each is equally likely to be the
// smallest. The matches of one left side at a rule's last pattern are such a bundle as long as they
// are alone at their salience, and a rule that may be counted takes its bundle away when it fires.
// Where a bundle meets other activations it is listed: each match gets its number, first seen then.
#include "engine/clips/session.h"

#include <algorithm>

namespace croupier::engine::clips {
namespace {

constexpr std::size_t kMostBundles = 64;

const Match* first_of(const Match& left, std::uint32_t& count) {
    const Join& join = *left.owner;
    if (join.right_keys.empty()) {
        count = join.node->memory->count;
        return join.node->memory->first;
    }
    const Bucket* bucket = Network::find_bucket(*join.node->memory, left.hash);
    count = bucket == nullptr ? 0 : bucket->count;
    return count == 0 ? nullptr : bucket->first;
}

// Whether all that the join asks is in its key.
bool key_says_all(const Join& join) {
    if (!join.later_tests.empty() || join.tests.all.size() != join.right_keys.size()) return false;
    return std::all_of(join.tests.all.begin(), join.tests.all.end(), [](const Test& test) {
        return !test.within &&
               (test.kind == Test::Kind::Equal || test.kind == Test::Kind::EqualConstant);
    });
}

} // namespace

bool Session::may_count(const Rule& rule, std::span<const Form> actions, const Scope& scope) const {
    const Join* join = rule.last->left;
    if (rule.logical > 0 || join == nullptr || join->left == nullptr || join->node == nullptr ||
        join->negated || join->exists || !key_says_all(*join))
        return false;
    for (const Form& action : actions) {
        const std::string_view head = action.head();
        if (head == "return" || head == "break") return false;
        if ((head != "retract" && head != "modify") || action.items.size() < 2) continue;
        const Form& fact = action.items[1];
        if (fact.kind != Form::Kind::Variable || scope.locals.contains(fact.name)) continue;
        const auto found = scope.lhs.find(fact.name);
        if (found != scope.lhs.end() && found->second.place.kind == Place::Kind::Address &&
            found->second.position + 1 < rule.positions)
            return true;
    }
    return false;
}

bool Session::count_instead(Match* left, Join&) {
    if (!counting_ || bundles_.size() >= kMostBundles) {
        left->listed = true;
        return false;
    }
    left->bundle = static_cast<std::uint32_t>(bundles_.size());
    bundles_.push_back(left);
    return true;
}

void Session::uncount(Match* left) {
    Match* last = bundles_.back();
    bundles_[left->bundle] = last;
    last->bundle = left->bundle;
    bundles_.pop_back();
    left->bundle = kNoBundle;
}

Session::Fired Session::fire_bundle(int top_salience, bool any) {
    int best = 0;
    std::size_t rivals = 0;
    Match* chosen = nullptr;
    const Match* right = nullptr;
    std::uint32_t count = 0;
    for (Match* left : bundles_) {
        std::uint32_t here = 0;
        const Match* first = first_of(*left, here);
        if (here == 0) continue;
        const int salience = left->owner->counted_by->rule->salience;
        if (rivals > 0 && salience < best) continue;
        if (rivals == 0 || salience > best) {
            rivals = 0;
            best = salience;
            chosen = left;
            right = first;
            count = here;
        }
        ++rivals;
    }
    if (rivals == 0 || (any && top_salience > best)) return Fired::No;
    if (rivals > 1 || (any && top_salience == best)) {
        for (std::size_t i = 0; i < bundles_.size();) {
            Match* left = bundles_[i];
            std::uint32_t here = 0;
            first_of(*left, here);
            if (here > 0 && left->owner->counted_by->rule->salience == best)
                list_bundle(i);
            else
                ++i;
        }
        return Fired::Listed;
    }
    Join& join = *chosen->owner;
    const bool keyed = !join.right_keys.empty();
    for (std::uint64_t skip = game_random_.below(count); skip > 0; --skip)
        right = keyed ? right->next : right->next_of_node;
    if (!network_.passes(join.tests, chosen->binds(), right->binds(), &join)) {
        list_bundle(chosen->bundle); // two keys with one hash: sort them out one by one
        return Fired::Listed;
    }
    Bind binds[64];
    const std::size_t size = std::min<std::size_t>(chosen->count, 63);
    std::copy_n(chosen->binds(), size, binds);
    binds[size] = right->binds()[0];
    fire(*join.counted_by->rule, binds);
    return Fired::Yes;
}

void Session::list_bundle(std::size_t at) {
    Match* left = bundles_[at];
    uncount(left);
    left->listed = true;
    network_.list_continuations(left);
}

} // namespace croupier::engine::clips
