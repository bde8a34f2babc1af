// Matches running down the join network, and being taken out of it again.
#include "engine/clips/join_timer.h"
#include "engine/clips/session.h"

namespace croupier::engine::clips {

// ---- links between matches

void Network::remember(Match* match, Memory& memory) {
    Bucket& bucket = *need_bucket(memory, match->hash);
    ++bucket.count;
    ++memory.count;
    if (match->on_right) {
        match->previous = bucket.last;
        (bucket.last == nullptr ? bucket.first : bucket.last->next) = match;
        bucket.last = match;
    } else {
        match->next = bucket.first;
        if (bucket.first != nullptr) bucket.first->previous = match;
        bucket.first = match;
    }
}

void Network::link(Match* made, Match* left, Match* right, Join* join, bool on_right) {
    made->owner = join;
    made->on_right = on_right;
    remember(made, on_right ? *join->right_memory : *join->left_memory);
    if (right != nullptr) {
        made->next_right = right->children;
        if (right->children != nullptr) right->children->previous_right = made;
        right->children = made;
        made->right_parent = right;
    }
    if (left != nullptr) {
        made->next_left = left->children;
        if (left->children != nullptr) left->children->previous_left = made;
        left->children = made;
        made->left_parent = left;
    }
}

void Network::unlink_memory(Match* match) {
    Memory& memory = match->on_right ? *match->owner->right_memory : *match->owner->left_memory;
    Bucket& bucket = *find_bucket(memory, match->hash);
    --bucket.count;
    --memory.count;
    if (match->on_right && bucket.last == match) bucket.last = match->previous;
    (match->previous == nullptr ? bucket.first : match->previous->next) = match->next;
    if (match->next != nullptr) match->next->previous = match->previous;
}

void Network::unlink_right_parent(Match* match) {
    if (match->previous_right != nullptr)
        match->previous_right->next_right = match->next_right;
    else if (match->right_parent != nullptr)
        match->right_parent->children = match->next_right;
    if (match->next_right != nullptr) match->next_right->previous_right = match->previous_right;
}

void Network::unlink_left_parent(Match* match) {
    if (match->previous_left != nullptr)
        match->previous_left->next_left = match->next_left;
    else if (match->left_parent != nullptr)
        match->left_parent->children = match->next_left;
    if (match->next_left != nullptr) match->next_left->previous_left = match->previous_left;
}

void Network::block(Match* left, Match* right) {
    left->blocker = right;
    left->previous_blocked = nullptr;
    left->next_blocked = right->blocked;
    if (right->blocked != nullptr) right->blocked->previous_blocked = left;
    right->blocked = left;
}

void Network::unlink_blocked(Match* match) {
    if (match->previous_blocked != nullptr)
        match->previous_blocked->next_blocked = match->next_blocked;
    else if (match->blocker != nullptr)
        match->blocker->blocked = match->next_blocked;
    if (match->next_blocked != nullptr)
        match->next_blocked->previous_blocked = match->previous_blocked;
}

void Network::unblock(Match* left) {
    unlink_blocked(left);
    left->next_blocked = left->previous_blocked = left->blocker = nullptr;
}

bool Network::doomed(const Match& match) {
    for (std::size_t i = 0; i < match.count; ++i) {
        const Fact* fact = match.binds()[i].fact;
        if (fact != nullptr && fact->dying) return true;
    }
    return false;
}

Match* Network::next_on_right(const Join& join, Match* match) {
    return join.from_right || !join.right_keys.empty() ? match->next : match->next_of_node;
}

Match* Network::first_on_right(Join& join, std::uint64_t hash) {
    if (join.node != nullptr && join.right_keys.empty()) return join.node->memory->first;
    Bucket* bucket =
        find_bucket(join.node != nullptr ? *join.node->memory : *join.right_memory, hash);
    return bucket == nullptr ? nullptr : bucket->first;
}

// ---- a match comes in

void Network::assert_alpha(Match* alpha, Join* join) {
    if (incremental_ && !join->initialize) return;
    if (join->first)
        enter_first(alpha, join, false);
    else
        assert_right(alpha, join, false);
}

void Network::assert_right(Match* right, Join* join, bool retracting) {
    if (incremental_ && !join->initialize) return;
    if (join->first) {
        enter_first(right, join, retracting);
        return;
    }
    if (join->left_memory->count == 0) return;
    Bucket* bucket = find_bucket(*join->left_memory, join->right_keys.empty() ? 0 : right->hash);
    if (bucket == nullptr || bucket->first == nullptr) return;
    const JoinTimer timer(*this, session_, join);
    for (Match* left = bucket->first; left != nullptr;) {
        Match* next = left->next;
        if (left->blocker == nullptr && (join->counted_by == nullptr || left->listed)) {
            const Bind* right_binds = right->binds();
            if (profiling) ++join->offered, ++join->tested;
            bool passed = passes(join->tests, left->binds(), right_binds, join);
            if (passed && !join->later_tests.empty() && !join->negated)
                passed = passes(join->later_tests, left->binds(), right_binds, join);
            if (passed) {
                if (profiling) ++join->passed;
                if (join->exists) {
                    block(left, right);
                    drive(left, nullptr, join, retracting);
                } else if (join->negated || join->from_right) {
                    block(left, right);
                    if (left->children != nullptr) retract_left_children(left, retracting);
                } else {
                    drive(left, right, join, retracting);
                }
            }
        }
        left = next;
    }
}

void Network::assert_left(Match* left, Join* join, bool retracting) {
    if (retracting && doomed(*left)) return;
    if (incremental_ && !join->initialize) return;
    if (join->rule != nullptr) {
        session_.activate(*join->rule, left);
        return;
    }
    const JoinTimer timer(*this, session_, join);
    if (profiling) ++join->offered;
    if (join->node == nullptr && !join->from_right) { // a test that opens a group
        if (passes(join->tests, left->binds(), nullptr, join)) {
            if (profiling) ++join->passed;
            drive(left, nullptr, join, retracting);
        }
        return;
    }
    if (join->node != nullptr && join->node->memory->dormant) wake(join->node);
    if (join->counted_by != nullptr && session_.count_instead(left, *join)) return;
    for (Match* right = first_on_right(*join, left->hash); right != nullptr;
         right = next_on_right(*join, right)) {
        if (retracting && doomed(*right)) continue;
        if (profiling) ++join->tested;
        bool passed = passes(join->tests, left->binds(), right->binds(), join);
        if (passed && join->exists && !join->later_tests.empty())
            passed = passes(join->later_tests, left->binds(), right->binds(), join);
        if (!passed) continue;
        if (profiling) ++join->passed;
        if (join->exists) {
            block(left, right);
            drive(left, nullptr, join, retracting);
            return;
        }
        if (join->negated || join->from_right) {
            block(left, right);
            break;
        }
        drive(left, right, join, retracting);
    }
    if ((join->negated || join->from_right) && !join->exists && left->blocker == nullptr) {
        if (passes(join->later_tests, left->binds(), nullptr, join))
            drive(left, nullptr, join, retracting);
    }
}

void Network::enter_first(Match* right, Join* join, bool retracting) {
    if (profiling) ++join->offered, ++join->tested;
    const Bind* binds = right->binds();
    if (!passes(join->tests, nullptr, binds, join)) return;
    if (!passes(join->later_tests, nullptr, binds, join)) return;
    if (profiling) ++join->passed;
    Match* parent = nullptr;
    if (join->negated || (join->from_right && !join->exists)) {
        parent = join->left_memory->single.first;
        if (parent->blocker != nullptr) return;
        block(parent, right);
        if (parent->children != nullptr) retract_left_children(parent, retracting);
        return;
    }
    if (join->exists) {
        parent = join->left_memory->single.first;
        if (parent->blocker != nullptr) return;
        block(parent, right);
    }
    for (std::size_t i = 0; i < join->links.size(); ++i) {
        const Link& next = join->links[i];
        Match* made = new_match(join->exists ? 1 : right->count);
        if (!join->exists)
            std::copy_n(right->binds(), right->count, made->binds());
        else
            made->binds()[0] = {nullptr, nullptr};
        made->hash =
            hash_parts(next.right ? next.join->right_keys : next.join->left_keys, made->binds());
        link(made, parent, parent != nullptr ? nullptr : right, next.join, next.right);
        pass_on(made, next, retracting);
    }
}

void Network::pass_on(Match* made, const Link& link, bool retracting) {
    if (link.right)
        assert_right(made, link.join, retracting);
    else
        assert_left(made, link.join, retracting);
}

void Network::drive(Match* left, Match* right, Join* join, bool retracting) {
    for (std::size_t i = 0; i < join->links.size(); ++i) {
        const Link& next = join->links[i];
        Match* made = merge(left, right);
        made->hash =
            hash_parts(next.right ? next.join->right_keys : next.join->left_keys, made->binds());
        link(made, left, right, next.join, next.right);
        pass_on(made, next, retracting);
    }
}

void Network::list_continuations(Match* left) {
    Join* join = left->owner;
    for (Match* right = first_on_right(*join, left->hash); right != nullptr;
         right = next_on_right(*join, right)) {
        if (passes(join->tests, left->binds(), right->binds(), join))
            drive(left, right, join, false);
    }
}

Match* Network::merge(Match* left, Match* right) {
    Match* made = new_match(left->count + 1U);
    std::copy_n(left->binds(), left->count, made->binds());
    made->binds()[left->count] = right == nullptr ? Bind{nullptr, nullptr} : right->binds()[0];
    return made;
}

void Network::drive_empty(Match* parent, Join* join, bool retracting) {
    for (std::size_t i = 0; i < join->links.size(); ++i) {
        const Link& next = join->links[i];
        Match* made = new_match(1);
        made->binds()[0] = {nullptr, nullptr};
        made->hash = // keys may be constants
            hash_parts(next.right ? next.join->right_keys : next.join->left_keys, made->binds());
        link(made, parent, nullptr, next.join, next.right);
        pass_on(made, next, retracting);
    }
}

} // namespace croupier::engine::clips
