// Makes the code of a chain shorter without changing what it does:
// 1. what is read of columns of the root is read where it stands, not from a register;
// 2. tests whose outcome is known from the tests before them are jumped over;
// 3. registers that nothing reads are not filled, and neighbouring masks become one op;
// 4. ops that nothing reaches any more are taken out.
#include "engine/plan/compiler.h"

#include <algorithm>
#include <optional>
#include <set>

namespace croupier::engine {

namespace {

// Ops whose operands say all that they read and that change no column.
bool is_plain(OpCode code) {
    switch (code) {
    case OpCode::ReadCode:
    case OpCode::ReadTable:
    case OpCode::Has:
    case OpCode::HasNot:
    case OpCode::Same:
    case OpCode::Constant:
    case OpCode::CodeAny:
    case OpCode::CodeNone:
    case OpCode::CodeIs:
    case OpCode::CodeSame:
    case OpCode::BitSet:
    case OpCode::BitClear:
    case OpCode::MaskAll:
    case OpCode::MaskRows:
    case OpCode::MaskAnd:
    case OpCode::MaskAndNot:
    case OpCode::MaskTable:
    case OpCode::MaskLimit:
    case OpCode::MaskCodeAny:
    case OpCode::MaskCodeIs:
    case OpCode::MaskCodeSame:
    case OpCode::OrRows:
    case OpCode::ByteAny:
    case OpCode::ByteNone:
    case OpCode::ByteIs:
    case OpCode::ByteSame:
    case OpCode::FlagSet:
    case OpCode::FlagClear:
    case OpCode::ByteRows:
    case OpCode::ByteTable:
    case OpCode::ByteRowsTable:
    case OpCode::Clear:
    case OpCode::Fired:
    case OpCode::Jump:
    case OpCode::Done:
        return true;
    default:
        return false;
    }
}

bool may_fail(OpCode code) {
    return code != OpCode::ReadCode && code != OpCode::ReadTable && code != OpCode::MaskAll &&
           code != OpCode::Clear && code != OpCode::Fired && code != OpCode::Jump &&
           code != OpCode::Done;
}

bool tests_byte(const Op& op) {
    return op.code == OpCode::ByteAny || op.code == OpCode::ByteNone;
}

// Bytes that are known to be a value, or to be none.
struct Facts {
    std::set<std::uint32_t> any;
    std::set<std::uint32_t> none;

    void add(const Op& test, bool held) {
        ((test.code == OpCode::ByteAny) == held ? any : none).insert(test.x);
    }
    // How the test ends, if that is known.
    [[nodiscard]] std::optional<bool> outcome(const Op& test) const {
        if (any.contains(test.x) || none.contains(test.x)) {
            return any.contains(test.x) == (test.code == OpCode::ByteAny);
        }
        return std::nullopt;
    }
    // What holds on both of two ways.
    void meet(const Facts& other) {
        std::erase_if(any, [&](std::uint32_t each) { return !other.any.contains(each); });
        std::erase_if(none, [&](std::uint32_t each) { return !other.none.contains(each); });
    }
};

class Tightener {
  public:
    // `code` from `begin` on, all of whose jumps lead forward and not out of it.
    Tightener(std::vector<Op>& code, std::uint32_t begin)
        : code_(code), begin_(begin), kept_(code.size(), true) {}

    void run() {
        for (std::uint32_t pc = begin_; pc < code_.size(); ++pc) {
            code_[pc].fail = may_fail(code_[pc].code) ? code_[pc].fail : kNoTarget;
        }
        read_in_place();
        follow_facts();
        drop_unread();
        join_masks();
        take_out();
    }

  private:
    std::vector<Op>& code_;
    std::uint32_t begin_;
    std::vector<bool> kept_;

    void read_in_place() {
        std::map<std::uint16_t, std::uint32_t> columns; // by register
        const auto fixed = [](const Op& op) { return op.b == kZeroRow && op.c == kZeroRow; };
        for (std::uint32_t pc = begin_; pc < code_.size(); ++pc) {
            Op& op = code_[pc];
            const auto column = [&](std::uint16_t reg) { return columns.find(reg); };
            if (op.code == OpCode::ReadCode && fixed(op)) {
                columns[op.a] = op.x;
            } else if (op.code == OpCode::Has && column(op.a) != columns.end()) {
                op.code = OpCode::ByteAny;
                op.x = column(op.a)->second;
            } else if (op.code == OpCode::CodeSame && fixed(op) && column(op.a) != columns.end()) {
                op.code = OpCode::ByteSame;
                op.y = column(op.a)->second;
            } else if (op.code == OpCode::MaskRows && op.c == kZeroRow &&
                       column(op.b) != columns.end()) {
                op.code = OpCode::ByteRows;
                op.y = column(op.b)->second;
            } else if (op.code == OpCode::MaskTable && column(op.b) != columns.end()) {
                op.code = OpCode::ByteTable;
                op.y = column(op.b)->second;
            } else if (fixed(op)) {
                address_byte(op);
            }
        }
    }

    static void address_byte(Op& op) {
        switch (op.code) {
        case OpCode::CodeAny:
            op.code = OpCode::ByteAny;
            break;
        case OpCode::CodeNone:
            op.code = OpCode::ByteNone;
            break;
        case OpCode::CodeIs:
            op.code = OpCode::ByteIs;
            break;
        case OpCode::BitSet:
        case OpCode::BitClear:
            op.code = op.code == OpCode::BitSet ? OpCode::FlagSet : OpCode::FlagClear;
            op.x += op.t / 8;
            op.y = 1u << (op.t % 8);
            break;
        default:
            break;
        }
    }

    // Where a jump to `place` ends when these facts hold.
    [[nodiscard]] std::uint32_t thread(std::uint32_t place, const Facts& facts) const {
        for (;;) {
            const Op& op = code_[place];
            const auto known = tests_byte(op) ? facts.outcome(op) : std::nullopt;
            if (op.code == OpCode::Jump) {
                place = op.x;
            } else if (known) {
                place = *known ? place + 1 : op.fail;
            } else {
                return place;
            }
        }
    }

    void follow_facts() {
        std::vector<std::optional<Facts>> before(code_.size());
        before[begin_] = Facts{};
        const auto reach = [&](std::uint32_t place, const Facts& facts) {
            if (before[place]) {
                before[place]->meet(facts);
            } else {
                before[place] = facts;
            }
        };
        for (std::uint32_t pc = begin_; pc < code_.size(); ++pc) {
            kept_[pc] = before[pc].has_value();
            if (!kept_[pc] || code_[pc].code == OpCode::Done) {
                continue;
            }
            Op& op = code_[pc];
            const Facts facts = *before[pc];
            if (const auto known = tests_byte(op) ? facts.outcome(op) : std::nullopt) {
                op.x = *known ? pc + 1 : op.fail;
                op.fail = kNoTarget;
                op.code = OpCode::Jump;
            }
            if (op.code == OpCode::Jump) {
                op.x = thread(op.x, facts);
                reach(op.x, facts);
                continue;
            }
            Facts on = op.code == OpCode::Clear ? Facts{} : facts;
            Facts off = facts;
            if (tests_byte(op)) {
                on.add(op, true);
                off.add(op, false);
            }
            if (op.code != OpCode::OrRows) {
                reach(pc + 1, on);
            }
            if (op.fail != kNoTarget) {
                op.fail = thread(op.fail, off);
                reach(op.fail, off);
            }
        }
    }

    void drop_unread() {
        std::set<std::uint16_t> read;
        for (std::uint32_t pc = static_cast<std::uint32_t>(code_.size()); pc-- > begin_;) {
            const Op& op = code_[pc];
            const bool fills = op.code == OpCode::ReadCode || op.code == OpCode::ReadTable;
            if (fills && !read.contains(op.a)) {
                kept_[pc] = false;
            }
            if (kept_[pc]) {
                if (!fills) {
                    read.insert(op.a);
                }
                read.insert({op.b, op.c});
            }
        }
    }

    void join_masks() {
        std::vector<bool> target(code_.size(), false);
        for (std::uint32_t pc = begin_; pc < code_.size(); ++pc) {
            const Op& op = code_[pc];
            if (kept_[pc] && op.code == OpCode::Jump) {
                target[op.x] = true;
            } else if (kept_[pc] && op.fail != kNoTarget) {
                target[op.fail] = true;
            }
        }
        for (std::uint32_t pc = begin_; pc + 1 < code_.size(); ++pc) {
            Op& op = code_[pc];
            const Op& next = code_[pc + 1];
            const bool joins = kept_[pc] && kept_[pc + 1] && op.code == OpCode::ByteRows &&
                               next.code == OpCode::ByteTable && op.fail == next.fail &&
                               !target[pc + 1] && next.y < kNoRegister;
            if (joins) {
                op.code = OpCode::ByteRowsTable;
                op.a = static_cast<std::uint16_t>(next.y);
                op.t = next.x;
                kept_[pc + 1] = false;
            }
        }
    }

    void take_out() {
        const auto n = static_cast<std::uint32_t>(code_.size());
        // Jumps that lead to where the code goes on anyway.
        std::vector<std::uint32_t> first(n + 1, n); // that is kept, from there on
        for (std::uint32_t pc = n; pc-- > begin_;) {
            const bool idle = code_[pc].code == OpCode::Jump && first[code_[pc].x] == first[pc + 1];
            kept_[pc] = kept_[pc] && !idle;
            first[pc] = kept_[pc] ? pc : first[pc + 1];
        }
        std::vector<std::uint32_t> place(n + 1, 0);
        std::uint32_t end = begin_;
        for (std::uint32_t pc = begin_; pc < n; ++pc) {
            place[pc] = end;
            end += kept_[pc] ? 1 : 0;
        }
        for (std::uint32_t pc = begin_; pc < n; ++pc) {
            if (!kept_[pc]) {
                continue;
            }
            Op op = code_[pc];
            if (op.code == OpCode::Jump) {
                op.x = place[op.x];
            }
            if (op.fail != kNoTarget) {
                op.fail = place[op.fail];
            }
            code_[place[pc]] = op;
        }
        code_.resize(end);
    }
};

} // namespace

// The chain that begins there. Code with other ops, or with loops, stays as it is.
void Compiler::tighten(std::uint32_t begin) {
    std::vector<Op>& code = program_.code;
    for (std::uint32_t pc = begin; pc < code.size(); ++pc) {
        const Op& op = code[pc];
        const bool back =
            (may_fail(op.code) && op.fail <= pc) || (op.code == OpCode::Jump && op.x <= pc);
        if (back || !is_plain(op.code)) {
            return;
        }
    }
    Tightener(code, begin).run();
}

} // namespace croupier::engine
