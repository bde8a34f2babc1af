// Makes the code of a chain shorter without changing what it does:
// 1. what is read of columns of the root is read where it stands (in_place.h);
// 2. tests whose outcome is known from the tests and actions before them, or that the next ones
//    make anyway, are left out;
// 3. registers that nothing reads are not filled, the others behind the tests that do not need
//    them, and neighbouring masks become one op;
// 4. ops that nothing reaches any more are taken out.
#include "engine/plan/byte_facts.h"
#include "engine/plan/compiler.h"
#include "engine/plan/in_place.h"
#include "engine/plan/planted.h"
#include "engine/plan/reached.h"

#include <algorithm>
#include <optional>
#include <set>

namespace croupier::engine {

namespace {

// Ops that always go on to the next.
bool never_fails(OpCode code) {
    switch (code) {
    case OpCode::ReadCode:
    case OpCode::ReadTable:
    case OpCode::Read:
    case OpCode::MaskAll:
    case OpCode::WordFirst:
    case OpCode::MaskCount:
    case OpCode::Enter:
    case OpCode::Act:
    case OpCode::Clear:
    case OpCode::ClearRows:
    case OpCode::Fired:
    case OpCode::Apply:
    case OpCode::Start:
    case OpCode::Gather:
    case OpCode::Jump:
    case OpCode::Done:
        return true;
    default:
        return false;
    }
}

// Ops whose whole effect is a register's new value.
bool only_fills(OpCode code) {
    return code == OpCode::ReadCode || code == OpCode::ReadTable || code == OpCode::Read;
}

// Ops that give a register a value, whatever it was before.
bool fills(OpCode code) {
    return only_fills(code) || code == OpCode::Bind || code == OpCode::Assign ||
           code == OpCode::Row || code == OpCode::MaskEach || code == OpCode::MaskNext;
}

// Ops that neither read nor fill registers.
bool knows_no_register(OpCode code) {
    return only_tests(code) || code == OpCode::SetRows || code == OpCode::ClearRows;
}

// What holds where the first is met makes the second, of one byte, hold as well.
bool implies(const Demand& first, const Demand& second) {
    const auto& wanted = second.bytes.front();
    return std::any_of(first.bytes.begin(), first.bytes.end(), [&](const auto& each) {
        if (CROUPIER_PLANTED(ImpliedTurned)) {
            return each.first == wanted.first && (wanted.second & ~each.second).none();
        }
        return each.first == wanted.first && (each.second & ~wanted.second).none();
    });
}

class Tightener {
  public:
    // `program.code` from `begin` on, out of which no jump leads. `tables` says how many codes the
    // tables at those places of `program.values` have, `codes` the same of bytes of the block, and
    // `acts` which registers an Act's action reads.
    Tightener(Program& program, std::uint32_t begin,
              const std::map<std::uint32_t, std::uint32_t>& tables,
              const std::map<std::uint32_t, std::uint32_t>& codes,
              const std::vector<std::set<std::uint16_t>>& acts)
        : program_(program), code_(program.code), begin_(begin), tables_(tables), codes_(codes),
          acts_(acts), kept_(code_.size(), true) {}

    void run() {
        for (std::uint32_t pc = begin_; pc < code_.size(); ++pc) {
            code_[pc].fail = never_fails(code_[pc].code) ? kNoTarget : code_[pc].fail;
        }
        InPlace(program_, tables_, codes_).rewrite(begin_);
        drop_implied();
        drop_unread();
        take_out();
        sink_reads();
        follow_facts();
        drop_unread();
        take_out();
        sink_reads();
        join_masks();
        take_out();
    }

  private:
    Program& program_;
    std::vector<Op>& code_;
    std::uint32_t begin_;
    const std::map<std::uint32_t, std::uint32_t>& tables_;
    const std::map<std::uint32_t, std::uint32_t>& codes_;
    const std::vector<std::set<std::uint16_t>>& acts_;
    std::vector<bool> kept_;
    std::vector<Demand> demands_; // of each op

    // Where a jump to `place` ends when these facts hold.
    [[nodiscard]] std::uint32_t thread(std::uint32_t place, const ByteFacts& facts) const {
        for (;;) {
            const Op& op = code_[place];
            if (!kept_[place] || facts.outcome(demands_[place]) == true) {
                CROUPIER_REACHED_IF(kept_[place], JumpPastKnownTest);
                ++place;
            } else if (op.code == OpCode::Jump && op.x > place) {
                CROUPIER_REACHED(JumpThroughJump);
                place = op.x;
            } else if (must_fail(place, facts) && op.fail > place) {
                CROUPIER_REACHED(JumpPastFailingTest);
                place = op.fail;
            } else {
                return place;
            }
        }
    }

    // One of the tests that stand there, all of which fail to the same place, is known to fail.
    [[nodiscard]] bool must_fail(std::uint32_t place, const ByteFacts& facts) const {
        const std::uint32_t fail = code_[place].fail;
        for (; only_tests(code_[place].code) && code_[place].fail == fail; ++place) {
            if (kept_[place] && facts.outcome(demands_[place]) == false) {
                return true;
            }
        }
        return false;
    }

    // What the ops between a place and the last jump back to it may write is not known there.
    [[nodiscard]] std::map<std::uint32_t, std::uint32_t> loops() const {
        std::map<std::uint32_t, std::uint32_t> last; // jump, by the place that it leads to
        for (std::uint32_t pc = begin_; pc < code_.size(); ++pc) {
            const Op& op = code_[pc];
            for (const std::uint32_t place :
                 {op.fail, op.code == OpCode::Jump ? op.x : kNoTarget}) {
                if (place <= pc) {
                    last[place] = pc;
                }
            }
        }
        // A loop inside another goes back to that one before its own end.
        for (auto outer = last.rbegin(); outer != last.rend(); ++outer) {
            for (auto inner = last.upper_bound(outer->first);
                 inner != last.end() && inner->first <= outer->second; ++inner) {
                outer->second = std::max(outer->second, inner->second);
            }
        }
        return last;
    }

    // One pass forward. What a loop jumps back to is known from the way in.
    void follow_facts() {
        note_demands();
        const auto loops = this->loops();
        std::vector<std::optional<ByteFacts>> before(code_.size());
        before[begin_] = ByteFacts{};
        std::uint32_t pc = begin_;
        const auto reach = [&](std::uint32_t place, const ByteFacts& facts) {
            if (place <= pc) {
                return;
            }
            if (before[place]) {
                before[place]->meet(facts);
            } else {
                before[place] = facts;
            }
        };
        for (; pc < code_.size(); ++pc) {
            const bool dropped = !kept_[pc];
            kept_[pc] = before[pc].has_value() && !dropped;
            CROUPIER_REACHED_IF(!kept_[pc] && !dropped, UnreachableOp);
            if (const auto loop = loops.find(pc);
                loop != loops.end() && before[pc] && !CROUPIER_PLANTED(FactsKeptInLoops)) {
                CROUPIER_REACHED(FactsOfLoop);
                for (std::uint32_t inside = pc; inside <= loop->second; ++inside) {
                    before[pc]->write(code_[inside], program_, false);
                }
            }
            if (dropped && before[pc]) {
                reach(pc + 1, ByteFacts(*before[pc]));
            }
            if (kept_[pc] && code_[pc].code != OpCode::Done) {
                follow(pc, *before[pc], reach);
            }
            before[pc].reset();
        }
    }

    // Both ways on from an op, `reach`ed with what is known there.
    template <typename Reach>
    void follow(std::uint32_t pc, const ByteFacts& facts, Reach reach) {
        Op& op = code_[pc];
        const bool holds = facts.outcome(demands_[pc]) == true;
        if (holds || (must_fail(pc, facts) && op.fail > pc)) {
            CROUPIER_REACHED_IF(holds, KnownTest);
            CROUPIER_REACHED_IF(!holds, FailingTest);
            op.x = holds ? pc + 1 : op.fail;
            op.fail = kNoTarget;
            op.code = OpCode::Jump;
        }
        if (op.code == OpCode::Jump) {
            op.x = op.x > pc ? thread(op.x, facts) : op.x;
            reach(op.x, facts);
            return;
        }
        ByteFacts on = facts;
        on.hold(demands_[pc]);
        on.write(op, program_, true);
        ByteFacts off = facts;
        off.fail(demands_[pc]);
        if (op.code == OpCode::OrRows || op.code == OpCode::SetRows) {
            off = on; // they go on at `fail`
        } else if (op.code == OpCode::OrWords) {
            reach(pc + 1, facts);
            off = on;
        } else {
            reach(pc + 1, on);
        }
        if (op.code == OpCode::MaskEach || op.code == OpCode::Each ||
            op.code == OpCode::WordFirst) {
            reach(pc + 2, on);
        }
        if (op.fail != kNoTarget) {
            op.fail = op.fail > pc ? thread(op.fail, off) : op.fail;
            reach(op.fail, off);
        }
    }

    void read_by(ExprId id, std::set<std::uint16_t>& regs) const {
        const ExprNode& expr = program_.exprs[id];
        if (expr.op == ExprOp::Variable) {
            regs.insert(expr.reg);
        } else if (expr.op == ExprOp::Size) {
            for (const std::uint32_t key : program_.paths[expr.first].segments) {
                for (const KeyPlan::Part& part : program_.keys[key].parts) {
                    regs.insert(part.reg);
                }
            }
        } else {
            for (std::uint32_t i = 0; i < expr.count; ++i) {
                read_by(program_.expr_args[expr.first + i], regs);
            }
        }
    }

    // Registers that the op reads; a is not among them where the op fills it.
    void read_by(const Op& op, std::set<std::uint16_t>& regs) const {
        if (knows_no_register(op.code)) {
            return;
        }
        regs.insert({op.b, op.c});
        if (!fills(op.code)) {
            regs.insert(op.a);
        }
        switch (op.code) {
        case OpCode::Compare:
        case OpCode::EqualExpr:
        case OpCode::Test:
        case OpCode::True:
        case OpCode::Assign:
        case OpCode::AssignSame:
            read_by(op.x, regs);
            break;
        case OpCode::Gather:
            if (op.x < program_.exprs.size() &&
                op.b != static_cast<std::uint16_t>(KeyKind::Count)) {
                read_by(op.x, regs);
            }
            break;
        case OpCode::OneOf:
            for (const ExprId choice : program_.lists[op.x]) {
                read_by(choice, regs);
            }
            break;
        case OpCode::Act:
            regs.insert(acts_[op.x].begin(), acts_[op.x].end());
            break;
        default:
            break;
        }
    }

    // What fills a register for an op that goes itself goes with it; until nothing changes, since a
    // loop may read what is filled after it.
    void drop_unread() {
        std::set<std::uint16_t> read;
        for (std::size_t known = 1; known != read.size();) {
            known = read.size();
            for (auto pc = static_cast<std::uint32_t>(code_.size()); pc-- > begin_;) {
                const Op& op = code_[pc];
                if (kept_[pc] && !(only_fills(op.code) && !read.contains(op.a))) {
                    read_by(op, read);
                }
            }
        }
        for (std::uint32_t pc = begin_; pc < code_.size(); ++pc) {
            const bool unread = only_fills(code_[pc].code) && !read.contains(code_[pc].a);
            CROUPIER_REACHED_IF(kept_[pc] && unread, UnreadRegister);
            kept_[pc] = kept_[pc] && !unread;
        }
    }

    // Registers are filled as late as may be, behind the tests that mostly fail; so is it noted
    // whose errors may come.
    void sink_reads() {
        const std::vector<bool> target = targets();
        std::map<std::uint16_t, std::uint32_t> last_read; // by register
        for (std::uint32_t pc = begin_; pc < code_.size(); ++pc) {
            std::set<std::uint16_t> read;
            read_by(code_[pc], read);
            for (const std::uint16_t reg : read) {
                last_read[reg] = pc;
            }
        }
        for (auto from = static_cast<std::uint32_t>(code_.size()); from-- > begin_;) {
            for (std::uint32_t pc = from; pc + 1 < code_.size(); ++pc) {
                const Op& fill = code_[pc];
                const Op& test = code_[pc + 1];
                const bool waits =
                    only_fills(fill.code)
                        ? last_read[fill.a] < test.fail || CROUPIER_PLANTED(ReadsSinkPastReaders)
                        : fill.code == OpCode::Enter;
                const bool passes = waits && only_tests(test.code) &&
                                    (!target[pc + 1] || CROUPIER_PLANTED(ReadsSinkPastTargets)) &&
                                    test.fail > pc;
                if (!passes) {
                    break;
                }
                CROUPIER_REACHED_IF(fill.code == OpCode::Enter, EnterSinks);
                CROUPIER_REACHED_IF(fill.code != OpCode::Enter, ReadSinks);
                std::swap(code_[pc], code_[pc + 1]);
            }
        }
    }

    // Where jumps lead.
    [[nodiscard]] std::vector<bool> targets() const {
        std::vector<bool> target(code_.size() + 1, false);
        for (std::uint32_t pc = begin_; pc < code_.size(); ++pc) {
            const Op& op = code_[pc];
            if (kept_[pc] && op.code == OpCode::Jump) {
                target[op.x] = true;
            } else if (kept_[pc] && op.fail != kNoTarget) {
                target[op.fail] = true;
            }
        }
        return target;
    }

    [[nodiscard]] std::uint32_t next_kept(std::uint32_t pc) const {
        do {
            ++pc;
        } while (pc < code_.size() && !kept_[pc]);
        return pc;
    }

    void note_demands() {
        demands_.assign(code_.size(), {});
        for (std::uint32_t pc = begin_; pc < code_.size(); ++pc) {
            demands_[pc] = demand_of(code_[pc], program_.masks, codes_);
        }
    }

    // Tests of one byte, where a test right behind, which fails to the same place, asks for as
    // much.
    void drop_implied() {
        note_demands();
        for (std::uint32_t pc = begin_; pc < code_.size(); ++pc) {
            const Demand& demand = demands_[pc];
            if (!kept_[pc] || !demand.is_whole || demand.bytes.empty()) {
                continue;
            }
            for (std::uint32_t next = next_kept(pc); next < code_.size(); next = next_kept(next)) {
                const Op& op = code_[next];
                if (!only_tests(op.code) || op.fail != code_[pc].fail) {
                    break;
                }
                if (implies(demands_[next], demand)) {
                    CROUPIER_REACHED(ImpliedTest);
                    kept_[pc] = false;
                    break;
                }
            }
        }
    }

    void join_masks() {
        const std::vector<bool> target = targets();
        for (std::uint32_t pc = begin_; pc + 1 < code_.size(); ++pc) {
            Op& op = code_[pc];
            const Op& next = code_[pc + 1];
            const bool joins = kept_[pc] && kept_[pc + 1] && op.code == OpCode::ByteRows &&
                               next.code == OpCode::ByteTable && op.fail == next.fail &&
                               !target[pc + 1] && next.y < kNoRegister;
            if (joins) {
                CROUPIER_REACHED(RowsWithTable);
                op.code = OpCode::ByteRowsTable;
                op.a = static_cast<std::uint16_t>(next.y);
                op.t = next.x;
                kept_[pc + 1] = false;
            }
        }
        for (std::uint32_t pc = begin_; pc < code_.size(); ++pc) {
            Op& op = code_[pc];
            const std::uint32_t next = next_kept(pc);
            const bool rows = op.code == OpCode::ByteRows || op.code == OpCode::ByteRowsTable;
            if (kept_[pc] && rows && next < code_.size() && code_[next].code == OpCode::SetRows) {
                CROUPIER_REACHED(RowsWithSet);
                op.code = op.code == OpCode::ByteRows ? OpCode::AddRows : OpCode::AddRowsTable;
            }
        }
    }

    void take_out() {
        const auto n = static_cast<std::uint32_t>(code_.size());
        // Jumps that lead to where the code goes on anyway.
        std::vector<std::uint32_t> first(n + 1, n); // that is kept, from there on
        for (std::uint32_t pc = n; pc-- > begin_;) {
            const bool idle = code_[pc].code == OpCode::Jump && code_[pc].x > pc &&
                              first[code_[pc].x] == first[pc + 1];
            CROUPIER_REACHED_IF(kept_[pc] && idle, IdleJump);
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
        kept_.assign(end, true);
    }
};

} // namespace

// The chain that begins there. Code that resumes alternatives knows their places otherwise, and
// stays as it is.
void Compiler::tighten(std::uint32_t begin) {
    const std::vector<Op>& code = program_.code;
    const bool resumes = std::any_of(code.begin() + begin, code.end(),
                                     [](const Op& op) { return op.code == OpCode::Resume; });
    if (!resumes) {
        if (codes_of_bytes_.empty()) {
            codes_of_bytes_ = codes_of_bytes(*program_.layout);
        }
        std::vector<std::set<std::uint16_t>> acts;
        for (const PendingAct& act : pending_acts_) {
            std::set<std::uint16_t>& reads = acts.emplace_back();
            for (const auto& [name, reg] : act.known.bound) {
                reads.insert(reg);
            }
        }
        Tightener(program_, begin, codes_of_table_, codes_of_bytes_, acts).run();
    }
}

} // namespace croupier::engine
