// Sets of rows that several searches make alike: made once, for all of them.
#include "engine/ir/share_sets.h"

#include "engine/ir/edit.h"
#include "engine/ir/probe.h"
#include "engine/ir/same.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace croupier::engine::ir {

namespace {

class Sharer {
  public:
    Sharer(Module& module, Function& function) : edit_(module, function) {}

    void block(BlockId id) {
        std::vector<Id> made;
        for (const Id each : std::vector<Id>(edit_.block(id).statements)) {
            for (std::size_t i = 0; i < node(each).blocks.size(); ++i) {
                block(node(each).blocks[i]);
            }
            if (node(each).kind == Kind::GroupBelow) {
                group_at_once(each, made);
            } else if (node(each).kind == Kind::Apply) {
                all_.clear();
                rule(each);
                leave_out();
            }
            made.push_back(each);
        }
        edit_.block(id).statements = std::move(made);
    }

  private:
    // What searches make at their beginning, each once.
    struct Made {
        Id let = 0;
        std::vector<Id> again; // by these statements as well
        bool by_several = false;
        Id apply = 0;
    };

    [[nodiscard]] const Node& node(Id id) const { return edit_.function().at(id); }

    [[nodiscard]] static bool makes_sets(Kind kind) {
        return kind == Kind::LetRows || kind == Kind::LetTouching || kind == Kind::LetCounts;
    }
    [[nodiscard]] std::int64_t count_of(Id let) const {
        return node(let).kind == Kind::LetCounts ? node(let).number : 1;
    }

    void group_at_once(Id below, std::vector<Id>& before) {
        const auto& inside = edit_.block(node(below).blocks[0]).statements;
        if (inside.size() != 1 || node(inside[0]).kind != Kind::Group ||
            edit_.module().catalogue->groups[node(inside[0]).x].mode != GroupMode::AtOnce) {
            return;
        }
        const Id group = inside[0];
        all_.clear();
        for (const BlockId each : std::vector<BlockId>(node(group).blocks)) {
            const auto& statements = edit_.block(each).statements;
            if (statements.size() == 1 && node(statements[0]).kind == Kind::Apply) {
                rule(statements[0]);
            }
        }
        // What several rules make alike reads nothing that one of them sets, but for such sets.
        for (Made& each : all_) {
            if (each.by_several) {
                CROUPIER_REWRITE(SetOfSeveralRules);
                before.push_back(each.let);
                each.again.push_back(each.let);
            }
        }
        leave_out();
    }

    // Finds what the rule's search makes as it has been made before.
    void rule(Id apply) {
        renamed_.clear();
        const BlockId search = node(apply).blocks[0];
        for (const Id each : std::vector<Id>(edit_.block(search).statements)) {
            rename(each);
            if (!makes_sets(node(each).kind)) {
                continue;
            }
            const auto known = std::find_if(all_.begin(), all_.end(), [&](const Made& made) {
                const Node& one = node(made.let);
                const Node& two = node(each);
                return one.kind == two.kind && one.y == two.y && one.number == two.number &&
                       edit_.function().vars[one.x].type == edit_.function().vars[two.x].type &&
                       same_expression(edit_.module(), edit_.function(), one.operands[0],
                                       two.operands[0]);
            });
            if (known == all_.end()) {
                all_.push_back({each, {}, false, apply});
                continue;
            }
            known->again.push_back(each);
            known->by_several = known->by_several || known->apply != apply;
            for (std::int64_t i = 0; i < count_of(each); ++i) {
                renamed_[node(each).x + static_cast<VarId>(i)] =
                    node(known->let).x + static_cast<VarId>(i);
            }
        }
    }

    void rename(Id id) {
        if (const auto to = renamed_.find(node(id).x);
            node(id).kind == Kind::RowsOf && to != renamed_.end()) {
            edit_.at(id).x = to->second;
        }
        for (const Id operand : node(id).operands) {
            rename(operand);
        }
        for (const BlockId inner : node(id).blocks) {
            for (const Id each : edit_.function().blocks[inner].statements) {
                rename(each);
            }
        }
    }

    void leave_out() {
        for (const Made& each : all_) {
            CROUPIER_REWRITE_IF(!each.again.empty() && !each.by_several, SetMadeTwice);
            gone_.insert(each.again.begin(), each.again.end());
        }
        for (const Made& each : all_) {
            leave_out_of(node(each.apply).blocks[0]);
        }
    }
    void leave_out_of(BlockId search) {
        std::erase_if(edit_.block(search).statements, [&](Id id) { return gone_.contains(id); });
    }

    Editor edit_;
    std::vector<Made> all_;
    std::unordered_map<VarId, VarId> renamed_; // in the rule at hand
    std::unordered_set<Id> gone_;
};

} // namespace

void share_sets(Module& module, Function& function) {
    Sharer(module, function).block(function.body);
}

} // namespace croupier::engine::ir
