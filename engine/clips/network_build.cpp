// Rules coming into the network and leaving it; facts that are already there.
#include "engine/clips/network.h"
#include "engine/clips/seek/seeker.h"
#include "engine/clips/session.h"

#include <algorithm>

namespace croupier::engine::clips {

PatternNode* Network::find_node(Template& of, PatternNode* parent, const std::string& key) {
    const std::vector<PatternNode*>& level = parent == nullptr ? of.roots : parent->children;
    for (PatternNode* node : level) {
        if (node->key == key) return node;
    }
    return nullptr;
}

// A new node is visited before its elder siblings.
PatternNode* Network::add_node(Template& of, PatternNode* parent, PatternNode&& made) {
    nodes_.push_back(std::move(made));
    PatternNode* node = &nodes_.back();
    node->of = &of;
    node->parent = parent;
    node->rank = next_rank_++;
    node->multi_path = node->multi || (parent != nullptr && parent->multi_path);
    std::vector<PatternNode*>& level = parent == nullptr ? of.roots : parent->children;
    level.insert(level.begin(), node);
    if (parent == nullptr) of.roots_changed = true;
    if (parent != nullptr && parent->selector)
        parent->by_value[hash_of(0, node->constant)].push_back(node);
    return node;
}

Join* Network::find_join(Join* left, PatternNode* node, Join* right_join, const Join& wanted,
                         bool prime_joins) {
    const auto fits = [&](const Join* join) {
        return join->node == node && join->right_join == right_join && join->rule == nullptr &&
               join->first == wanted.first && (join->negated == wanted.negated || wanted.exists) &&
               join->exists == wanted.exists && join->tests.key == wanted.tests.key &&
               join->later_tests.key == wanted.later_tests.key &&
               join->keys_text == wanted.keys_text;
    };
    if (left != nullptr || (right_join != nullptr && !prime_joins)) {
        for (const Link& link : (left != nullptr ? left : right_join)->links) {
            if (fits(link.join)) return link.join;
        }
        return nullptr;
    }
    for (Join* join : prime_joins ? right_primed_ : node->joins) {
        if (fits(join)) return join;
    }
    return nullptr;
}

Join* Network::add_join(Join&& made) {
    joins_.push_back(std::move(made));
    Join* join = &joins_.back();
    const bool starts = join->left == nullptr;
    join->first = starts;
    join->depth = static_cast<std::uint16_t>(starts ? 1 : join->left->depth + 1);
    if (!starts || join->exists || join->negated || join->from_right) {
        join->left_memory = new_memory(!join->left_keys.empty());
        if (starts) {
            Match* empty = new_match(1);
            empty->binds()[0] = {nullptr, nullptr};
            empty->owner = join;
            join->left_memory->single.first = empty;
            join->left_memory->single.count = join->left_memory->count = 1;
        }
    }
    if (join->from_right) {
        join->right_memory = new_memory(!join->right_keys.empty());
    } else if (join->node == nullptr) {
        join->right_memory = new_memory(false);
        Match* empty = new_match(1);
        empty->binds()[0] = {nullptr, nullptr};
        empty->owner = join;
        empty->on_right = true;
        join->right_memory->single.first = join->right_memory->single.last = empty;
        join->right_memory->single.count = join->right_memory->count = 1;
    }
    if (!starts) {
        std::vector<Link>& links = join->left->links;
        // The way into a group is taken before the way past it.
        const bool second = join->from_right && !links.empty();
        links.insert(links.begin() + (second ? 1 : 0), {join, false});
    }
    if (join->node == nullptr && !join->from_right) {
        if (starts) right_primed_.insert(right_primed_.begin(), join);
        return join;
    }
    if (starts && (join->negated || join->from_right) && !join->exists)
        left_primed_.insert(left_primed_.begin(), join);
    if (join->from_right)
        join->right_join->links.insert(join->right_join->links.begin(), {join, true});
    else {
        join->node->joins.insert(join->node->joins.begin(), join);
        join->node->join_index.stale = true;
    }
    return join;
}

// ---- the present facts meet a new rule

void Network::mark_new(Join* join, bool value) {
    for (; join != nullptr; join = join->left) {
        join->marked = false;
        if (join->rule == nullptr && join->from_right) mark_new(join->right_join, value);
        if (join->initialize) {
            if (join->node != nullptr) {
                if (!value) join->node->initialize = false;
                for (PatternNode* at = join->node->initialize || !value ? join->node : nullptr;
                     at != nullptr; at = at->parent) {
                    at->leads_to_new = value;
                    if (!value) at->initialize = false;
                }
            }
            join->initialize = value;
        }
    }
}

void Network::finish(std::span<Rule* const> disjuncts) {
    for (Rule* rule : disjuncts)
        mark_new(rule->last, true);
    incremental_ = true;
    for (Rule* rule : disjuncts)
        prime_joins_of(rule->last);
    for (Fact* fact = facts_->first; fact != nullptr; fact = fact->next) {
        const auto new_ones = [](const PatternNode* node) {
            return node->initialize || node->leads_to_new;
        };
        if (std::any_of(fact->of->roots.begin(), fact->of->roots.end(), new_ones))
            match_level(fact->of->roots, fact, 0, -1);
    }
    incremental_ = false;
    for (Rule* rule : disjuncts)
        mark_new(rule->last, false);
}

void Network::prime_joins_of(Join* join) {
    for (; join != nullptr; join = join->left) {
        if (join->initialize && !join->marked) {
            if (join->first) {
                if (join->from_right) {
                    prime_from_right(join);
                    join->marked = true;
                } else if (join->node == nullptr || join->negated || !join->node->initialize) {
                    prime_from_left(join);
                    join->marked = true;
                }
            } else if (!join->left->initialize) {
                prime_from_left(join);
                join->marked = true;
            } else if (join->from_right && !join->right_join->initialize) {
                prime_from_right(join);
                join->marked = true;
            }
        }
        if (join->from_right) prime_joins_of(join->right_join);
    }
}

// What a join before has handed on is kept by those after it: a new one takes it from the first of
// the others that is not new itself.
std::vector<Match*> Network::matches_for_another(const std::vector<Link>& links, const Join* join) {
    std::vector<Match*> matches;
    const auto collect = [&](const Match& match) { matches.push_back(const_cast<Match*>(&match)); };
    const auto other = std::find_if(links.begin(), links.end(), [&](const Link& link) {
        return link.join != join && !link.join->initialize;
    });
    if (other == links.end()) return matches;
    if (other->right)
        each_right(*other->join, collect);
    else
        each_left(*other->join, collect);
    return matches;
}

void Network::prime_from_left(Join* join) {
    if (join->first) {
        if (join->node == nullptr) {
            enter_first(join->right_memory->single.first, join, false);
        } else if (join->negated) {
            Match* parent = join->left_memory->single.first;
            if (!passes(join->later_tests, parent->binds(), nullptr, join)) return;
            if (Match* there = join->node->memory->first) {
                block(parent, there);
                return;
            }
            drive_empty(parent, join, false);
        } else {
            for (Match* at = join->node->memory->first; at != nullptr; at = at->next_of_node)
                assert_alpha(at, join);
        }
        return;
    }
    for (Match* from : matches_for_another(join->left->links, join)) {
        Match* copy = new_match(from->count);
        std::copy_n(from->binds(), from->count, copy->binds());
        copy->hash = hash_parts(join->left_keys, copy->binds());
        link(copy, from->left_parent, from->right_parent, join, false);
        assert_left(copy, join, false);
    }
}

void Network::prime_from_right(Join* join) {
    for (Match* from : matches_for_another(join->right_join->links, join)) {
        Match* copy = new_match(from->count);
        std::copy_n(from->binds(), from->count, copy->binds());
        copy->hash = hash_parts(join->right_keys, copy->binds());
        link(copy, from->left_parent, from->right_parent, join, true);
        assert_alpha(copy, join);
    }
    if (join->first && join->right_memory->count == 0 && !join->exists) {
        Match* parent = join->left_memory->single.first;
        if (!passes(join->later_tests, parent->binds(), nullptr, join)) return;
        drive_empty(parent, join, false);
    }
}

// ---- reset

void Network::unprime() {
    if (seeker_ != nullptr) return seeker_->unprime();
    for (Join* join : right_primed_) {
        Match* right = join->right_memory->single.first;
        if (right->children != nullptr) retract_right_children(right, true);
    }
    for (Join* join : left_primed_) {
        Match* parent = join->left_memory->single.first;
        if (parent->blocker != nullptr) unblock(parent);
        parent->blocker = parent; // so that no fact that goes lets it pass
        if (parent->children != nullptr) retract_left_children(parent, true);
    }
}

void Network::prime() {
    if (seeker_ != nullptr) return seeker_->prime();
    for (Join* join : right_primed_)
        enter_first(join->right_memory->single.first, join, false);
    for (Join* join : left_primed_) {
        Match* parent = join->left_memory->single.first;
        if (!passes(join->later_tests, parent->binds(), nullptr, join)) continue;
        parent->blocker = nullptr;
        drive_empty(parent, join, false);
    }
}

} // namespace croupier::engine::clips
