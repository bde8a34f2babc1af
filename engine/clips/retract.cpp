// Matches taken out of the join network again, and what they kept back or let through.
#include "engine/clips/network.h"
#include "engine/clips/session.h"

namespace croupier::engine::clips {

void Network::retract_right_children(Match* alpha, bool retracting) {
    for (Match* match = alpha->children; match != nullptr;) {
        if (match->children != nullptr) {
            if (match->on_right)
                retract_right_children(match, retracting);
            else
                retract_left_children(match, retracting);
        }
        if (match->on_right && match->blocked != nullptr) release_blocked(match, retracting);
        if (match->activation != Agenda::kNone) session_.withdraw(*match->owner->rule, match);
        if (match->bundle != kNoBundle) session_.uncount(match);
        if (match->supports) session_.support_ends(*match);
        Match* next = match->next_right;
        unlink_memory(match);
        unlink_right_parent(match);
        unlink_left_parent(match);
        unlink_blocked(match);
        free_match(match);
        match = next;
    }
}

void Network::retract_left_children(Match* parent, bool retracting) {
    Match* match = parent->children;
    while (match != nullptr) {
        if (match->children != nullptr && !match->on_right) {
            match = match->children;
            continue;
        }
        Match* after = match->next_left;
        Match* above = match->left_parent;
        if (after == nullptr) above->children = nullptr;
        if (match->on_right && match->children != nullptr)
            retract_right_children(match, retracting);
        if (match->blocked != nullptr)
            release_blocked(match, retracting);
        else if (match->activation != Agenda::kNone)
            session_.withdraw(*match->owner->rule, match);
        if (match->bundle != kNoBundle) session_.uncount(match);
        if (match->supports) session_.support_ends(*match);
        unlink_memory(match);
        unlink_right_parent(match);
        unlink_blocked(match);
        free_match(match);
        if (after == nullptr) {
            if (above == parent) return;
            match = above;
        } else {
            after->previous_left = nullptr;
            above->children = after;
            match = after;
        }
    }
}

void Network::release_blocked(Match* right, bool retracting) {
    while (Match* left = right->blocked) {
        Join* join = left->owner;
        unblock(left);
        find_other_blocker(left, next_on_right(*join, right), join, retracting);
    }
}

void Network::find_other_blocker(Match* left, Match* after, Join* join, bool retracting) {
    for (; after != nullptr; after = next_on_right(*join, after)) {
        if (retracting && doomed(*after)) continue;
        if (passes(join->tests, left->binds(), after->binds(), join)) {
            block(left, after);
            return;
        }
    }
    if (join->exists) {
        if (left->children != nullptr) retract_left_children(left, retracting);
        return;
    }
    if (!passes(join->later_tests, left->binds(), nullptr, join)) return;
    if (join->first && (join->negated || join->from_right)) {
        drive_empty(left, join, retracting);
        return;
    }
    if (retracting && doomed(*left)) return;
    drive(left, nullptr, join, retracting);
}

} // namespace croupier::engine::clips
