// Variables that are read once, right where they are set.
#include "engine/ir/put_in_place.h"

#include "engine/ir/effects.h"
#include "engine/ir/probe.h"

namespace croupier::engine::ir {

namespace {

class Placer {
  public:
    explicit Placer(Function& function) : function_(function), readers_(function.vars.size()) {}

    void run() {
        count(function_.body);
        block(function_.body);
    }

  private:
    [[nodiscard]] const Node& node(Id id) const { return function_.nodes[id]; }

    void count(BlockId block) {
        for (const Id each : function_.blocks[block].statements) {
            count_node(each);
        }
    }
    void count_node(Id id) {
        if (node(id).kind == Kind::Variable) {
            ++readers_[node(id).x];
        }
        for (const Id operand : node(id).operands) {
            count_node(operand);
        }
        for (const BlockId each : node(id).blocks) {
            count(each);
        }
    }

    void block(BlockId id) {
        std::vector<Id>& all = function_.blocks[id].statements;
        for (std::size_t i = 0; i + 1 < all.size();) {
            if (is_single(all[i]) && takes(all[i + 1]) &&
                put(all[i + 1], node(all[i]).x, node(all[i]).operands[0])) {
                all.erase(all.begin() + static_cast<std::ptrdiff_t>(i));
                i -= i == 0 ? 0 : 1; // the one before may now stand right before its reader
            } else {
                ++i;
            }
        }
        for (const Id each : all) {
            for (const BlockId inner : node(each).blocks) {
                block(inner);
            }
        }
    }

    [[nodiscard]] bool is_single(Id id) const {
        const Node& known = node(id);
        return known.kind == Kind::Let &&
               (readers_[known.x] == 1 || CROUPIER_MISTAKE(PutWhereReadTwice)) &&
               function_.vars[known.x].entry == kNothing && is_total(function_, known.operands[0]);
    }

    [[nodiscard]] bool takes(Id id) const {
        const Node& known = node(id);
        return known.kind == Kind::Let || (known.kind == Kind::Test && known.y == 0);
    }

    // Below the node, the variable's reader becomes the value.
    bool put(Id id, VarId var, Id value) {
        for (Id& operand : function_.nodes[id].operands) {
            if (node(operand).kind == Kind::Variable && node(operand).x == var) {
                if (!(node(operand).type == node(value).type)) {
                    return false;
                }
                CROUPIER_REWRITE(PutInPlace);
                operand = value;
                return true;
            }
            if (put(operand, var, value)) {
                return true;
            }
        }
        return false;
    }

    Function& function_;
    std::vector<std::uint32_t> readers_;
};

} // namespace

void put_in_place(Function& function) {
    Placer(function).run();
}

} // namespace croupier::engine::ir
