// A rule leaves the network, with what no other rule uses.
#include "engine/clips/network.h"
#include "engine/clips/session.h"

namespace croupier::engine::clips {

void Network::drop_children(Match* match) {
    if (match->children != nullptr) retract_left_children(match, false);
}

void Network::remove(Rule& rule) {
    release_join(rule.last);
    rule.last = nullptr;
}

void Network::release_join(Join* join) {
    while (join != nullptr && join->links.empty()) {
        Join* before = join->left;
        // What it holds.
        const auto clear = [&](Memory* memory, bool right) {
            if (memory == nullptr) return;
            std::vector<Match*> all;
            const auto collect = [&](Match* at) {
                for (; at != nullptr; at = at->next)
                    all.push_back(at);
            };
            collect(memory->single.first);
            for (std::uint32_t i = 0; memory->table != nullptr && i < memory->size; ++i)
                collect(memory->table[i].first);
            for (Match* match : all) {
                if (match->activation != Agenda::kNone && join->rule != nullptr)
                    session_.withdraw(*join->rule, match);
                if (match->bundle != kNoBundle) session_.uncount(match);
                if (match->supports) session_.support_forgotten(*match);
                while (right && match->blocked != nullptr)
                    unblock(match->blocked);
                unlink_right_parent(match);
                unlink_left_parent(match);
                unlink_blocked(match);
                free_match(match);
            }
        };
        clear(join->left_memory, false);
        clear(join->right_memory, true);
        std::erase(right_primed_, join);
        std::erase(left_primed_, join);
        const auto is_this = [&](const Link& link) { return link.join == join; };
        if (join->from_right) {
            std::erase_if(join->right_join->links, is_this);
            release_join(join->right_join);
        }
        if (join->node != nullptr) {
            std::erase(join->node->joins, join);
            join->node->join_index.stale = true;
            release_node(join->node);
        }
        // Only now: the joins to the right begin at `before` too, and must leave it to this loop.
        if (before != nullptr) std::erase_if(before->links, is_this);
        join = before;
    }
}

void Network::release_node(PatternNode* node) {
    if (!node->joins.empty()) return;
    while (Match* match = node->memory == nullptr ? nullptr : node->memory->first) {
        forget_match(match);
        drop_alpha(match);
    }
    node->stop = false;
    while (node != nullptr && !node->stop && node->children.empty()) {
        PatternNode* parent = node->parent;
        std::erase(parent == nullptr ? node->of->roots : parent->children, node);
        if (parent == nullptr) node->of->roots_changed = true;
        if (parent != nullptr && parent->selector) {
            const auto found = parent->by_value.find(hash_of(0, node->constant));
            std::erase(found->second, node);
            if (found->second.empty()) parent->by_value.erase(found);
        }
        node = parent;
    }
}

} // namespace croupier::engine::clips
