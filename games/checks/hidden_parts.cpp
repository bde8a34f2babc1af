// Walks the `hidden` block beside a state.
#include "games/checks/hidden_parts.h"

#include <algorithm>

namespace croupier::games {
namespace {

using engine::Document;
using engine::Member;
using Path = std::vector<std::string>;

constexpr std::string_view kOnly = "only ";

class HiddenParts {
  public:
    HiddenParts(const Document& block, const Document& state, const std::string& player)
        : state_(state), player_(player) {
        walk(block, state_, {});
    }

    [[nodiscard]] std::vector<Document> changed() const {
        std::vector<Document> all;
        for (std::size_t i = 0; i < hidden_.size(); ++i) {
            Document without = state_;
            remove(without, hidden_[i]);
            all.push_back(std::move(without));
            for (std::size_t j = i + 1; j < hidden_.size(); ++j) {
                if (hidden_[i].size() != hidden_[j].size()) continue;
                Document exchanged = state_;
                Document& one = at(exchanged, hidden_[i]);
                Document& other = at(exchanged, hidden_[j]);
                if (engine::write_json(one) == engine::write_json(other)) continue;
                std::swap(one.members, other.members);
                std::swap(one.scalar, other.scalar);
                std::swap(one.kind, other.kind);
                all.push_back(std::move(exchanged));
            }
        }
        return all;
    }

  private:
    void walk(const Document& block, const Document& node, const Path& above) {
        for (const Member& rule : block.members) {
            for (const Member& child : node.members) {
                const bool any = rule.key[0] == '$';
                if (!any && rule.key != child.key) continue;
                Path path = above;
                path.push_back(child.key);
                if (rule.value.is_object()) {
                    walk(rule.value, child.value, path);
                } else if (!(rule.value.text() == std::string(kOnly) + rule.key &&
                             child.key == player_) &&
                           !names_player(rule.value.text())) {
                    hidden_.push_back(path);
                }
            }
        }
    }

    // "only contract.partner": whom the state names there.
    [[nodiscard]] bool names_player(const std::string& who) const {
        const Document* node = &state_;
        for (std::size_t start = kOnly.size(); start <= who.size();) {
            const std::size_t end = std::min(who.find('.', start), who.size());
            const Member* member = node->find(who.substr(start, end - start));
            if (member == nullptr) return false;
            node = &member->value;
            start = end + 1;
        }
        return node->is_string() && node->text() == player_;
    }

    static Document& at(Document& state, const Path& path) {
        Document* node = &state;
        for (const std::string& key : path) {
            const auto child =
                std::find_if(node->members.begin(), node->members.end(),
                             [&](const Member& member) { return member.key == key; });
            node = &child->value;
        }
        return *node;
    }

    static void remove(Document& state, Path path) {
        const std::string last = path.back();
        path.pop_back();
        std::erase_if(at(state, path).members,
                      [&](const Member& member) { return member.key == last; });
    }

    const Document& state_;
    const std::string& player_;
    std::vector<Path> hidden_;
};

} // namespace

std::vector<Document> changed_where_hidden(const Document& hidden, const Document& state,
                                           const std::string& player) {
    return HiddenParts(hidden, state, player).changed();
}

} // namespace croupier::games
