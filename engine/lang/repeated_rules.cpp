// Visits rules in written order and remembers where their names stand.
#include "engine/lang/repeated_rules.h"

#include "engine/lang/overlay.h"
#include "engine/lang/rule_overlay.h"

#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace croupier::engine {
namespace {

class RepeatedRules {
  public:
    void visit(std::vector<Member>& rules, const std::string& around) {
        for (Member& rule : rules) {
            if (!rule.value.is_object()) continue;
            const std::string own = name(rule.value, around);
            for (std::vector<Member>* inside : rule_lists(rule.value))
                visit(*inside, own.empty() ? around : own);
        }
    }

  private:
    // The name that the rule has from now on.
    std::string name(Document& rule, const std::string& around) {
        for (Member& member : rule.members) {
            if (member.key != "name" || !member.value.is_string()) continue;
            const Span place = member.value.span;
            std::string written = member.value.text();
            if (seen_.emplace(place.file, place.begin, written).second) return written;
            member.value.scalar = around + '/' + written;
            return member.value.text();
        }
        return {};
    }

    // File, offset and text of each name: rules that a host makes have no places of their own.
    std::set<std::tuple<std::uint32_t, std::uint32_t, std::string>> seen_;
};

} // namespace

void name_repeated_rules(Document& whole) {
    RepeatedRules rules;
    for_each_rule_list(whole, [&](const std::string& group, std::vector<Member>& list) {
        rules.visit(list, group);
    });
}

} // namespace croupier::engine
