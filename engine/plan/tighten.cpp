// Makes the code of a chain shorter without changing what it does:
// 1. what is read of columns of the root is read where it stands, not from a register, and tests of
//    two columns against each other become a bit of a table;
// 2. tests whose outcome is known from the tests before them, or that the next ones make anyway,
//    are left out;
// 3. registers that nothing reads are not filled, the others behind the tests that do not need
// them,
//    and neighbouring masks become one op;
// 4. ops that nothing reaches any more are taken out.
#include "engine/plan/compiler.h"

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

bool changes_state(OpCode code) {
    return code == OpCode::Clear || code == OpCode::ClearRows || code == OpCode::Act ||
           code == OpCode::Apply || code == OpCode::OrRows || code == OpCode::OrWords;
}

// Whether a byte is a value, or a node without rows is present: one bit each.
bool tests_byte(const Op& op) {
    const bool flag = op.code == OpCode::FlagSet || op.code == OpCode::FlagClear;
    return op.code == OpCode::ByteAny || op.code == OpCode::ByteNone || (flag && op.y == 1);
}

bool wants_any(const Op& test) {
    return test.code == OpCode::ByteAny || test.code == OpCode::FlagSet;
}

// Tests that have no effect but to fail, or to narrow the mask.
bool only_tests(OpCode code) {
    switch (code) {
    case OpCode::ByteAny:
    case OpCode::ByteNone:
    case OpCode::ByteIs:
    case OpCode::ByteSame:
    case OpCode::FlagSet:
    case OpCode::FlagClear:
    case OpCode::ByteRows:
    case OpCode::ByteTable:
    case OpCode::ByteRowsTable:
    case OpCode::BytePair:
        return true;
    default:
        return false;
    }
}

// Ops that neither read nor fill registers.
bool knows_no_register(OpCode code) {
    return only_tests(code) || code == OpCode::SetRows || code == OpCode::ClearRows;
}

// The op fails if the byte is none.
bool implies_any(const Op& op, std::uint32_t byte) {
    switch (op.code) {
    case OpCode::ByteAny:
        return op.x == byte;
    case OpCode::ByteSame:
        return op.x == byte || op.y == byte;
    case OpCode::ByteIs:
        return op.x == byte && op.y != 0;
    case OpCode::ByteRows:
    case OpCode::ByteTable:
        return op.y == byte;
    case OpCode::ByteRowsTable:
    case OpCode::BytePair:
        return op.y == byte || op.a == byte;
    default:
        return false;
    }
}

// Bytes that are known to be a value, or to be none.
struct Facts {
    std::set<std::uint32_t> any;
    std::set<std::uint32_t> none;

    void add(const Op& test, bool held) { (wants_any(test) == held ? any : none).insert(test.x); }
    // How the test ends, if that is known.
    [[nodiscard]] std::optional<bool> outcome(const Op& test) const {
        if (any.contains(test.x) || none.contains(test.x)) {
            return any.contains(test.x) == wants_any(test);
        }
        return std::nullopt;
    }
    // What holds on both of two ways.
    void meet(const Facts& other) {
        std::erase_if(any, [&](std::uint32_t each) { return !other.any.contains(each); });
        std::erase_if(none, [&](std::uint32_t each) { return !other.none.contains(each); });
    }
    // What holds after the op, where it has been done and nothing stopped it.
    [[nodiscard]] Facts after(const Op& op) const {
        Facts facts = changes_state(op.code) ? Facts{} : *this;
        if (tests_byte(op)) {
            facts.add(op, true);
        } else if (op.code == OpCode::ClearRows || op.code == OpCode::SetRows) {
            facts = *this;
            facts.any.erase(op.y);
            facts.none.erase(op.y);
            (op.code == OpCode::SetRows ? facts.any : facts.none).insert(op.y);
        }
        return facts;
    }
    // The op is known to fail.
    [[nodiscard]] bool fails(const Op& op) const {
        if (tests_byte(op)) {
            return outcome(op) == false;
        }
        return only_tests(op.code) &&
               std::any_of(none.begin(), none.end(),
                           [&](std::uint32_t byte) { return implies_any(op, byte); });
    }
};

class Tightener {
  public:
    // `program.code` from `begin` on, out of which no jump leads. `tables` says how many codes the
    // tables at those places of `program.values` have, `acts` which registers an Act's action
    // reads.
    Tightener(Program& program, std::uint32_t begin,
              const std::map<std::uint32_t, std::uint32_t>& tables,
              const std::vector<std::set<std::uint16_t>>& acts)
        : program_(program), code_(program.code), begin_(begin), tables_(tables), acts_(acts),
          kept_(code_.size(), true) {}

    void run() {
        for (std::uint32_t pc = begin_; pc < code_.size(); ++pc) {
            code_[pc].fail = never_fails(code_[pc].code) ? kNoTarget : code_[pc].fail;
        }
        read_in_place();
        drop_implied();
        follow_facts();
        drop_unread();
        take_out();
        sink_reads();
        join_masks();
        take_out();
    }

  private:
    // What a register holds: a column's value, or what a table gives for it.
    struct Source {
        std::uint32_t byte = 0;
        std::uint32_t base = 0; // values by code, in Program::values
        std::uint32_t codes = 0;
        bool is_column = false;
    };

    Program& program_;
    std::vector<Op>& code_;
    std::uint32_t begin_;
    const std::map<std::uint32_t, std::uint32_t>& tables_;
    const std::vector<std::set<std::uint16_t>>& acts_;
    std::vector<bool> kept_;
    std::map<std::uint16_t, Source> sources_; // by register

    [[nodiscard]] const Source* column(std::uint16_t reg) const {
        const auto found = sources_.find(reg);
        return found != sources_.end() && found->second.is_column ? &found->second : nullptr;
    }

    void read_in_place() {
        for (std::uint32_t pc = begin_; pc < code_.size(); ++pc) {
            Op& op = code_[pc];
            const bool fixed = op.b == kZeroRow && op.c == kZeroRow;
            if (op.code == OpCode::ReadCode || op.code == OpCode::ReadTable) {
                note_source(op);
            } else if (op.code == OpCode::Has && column(op.a) != nullptr) {
                op.code = OpCode::ByteAny;
                op.x = column(op.a)->byte;
            } else if (op.code == OpCode::CodeSame && fixed && column(op.a) != nullptr) {
                op.code = OpCode::ByteSame;
                op.y = column(op.a)->byte;
            } else if (op.code == OpCode::MaskRows && op.c == kZeroRow && column(op.b) != nullptr) {
                op.code = OpCode::ByteRows;
                op.y = column(op.b)->byte;
            } else if (op.code == OpCode::MaskTable && op.c == kZeroRow && op.s == 1 &&
                       column(op.b) != nullptr) {
                op.code = OpCode::ByteTable;
                op.x -= 1; // from none's mask on
                op.y = column(op.b)->byte;
            } else if (op.code == OpCode::Same) {
                pair(op);
            } else if (op.code == OpCode::Clear || (op.code == OpCode::OrRows && fixed)) {
                address_set(op);
            } else if (fixed) {
                address_byte(op);
            }
            if (only_tests(op.code)) {
                op.b = op.c = kZeroRow;
            }
        }
    }

    void note_source(const Op& op) {
        sources_.erase(op.a);
        if (op.c != kZeroRow) {
            return;
        }
        if (op.code == OpCode::ReadCode && op.b == kZeroRow) {
            sources_[op.a] = {op.x, op.y, tables_.at(op.y), true};
        } else if (op.code == OpCode::ReadTable && op.s == 1 && column(op.b) != nullptr) {
            const Source& index = *column(op.b);
            sources_[op.a] = {index.byte, op.x - 1, index.codes, false};
        }
    }

    // The test that two such registers are the same, as a bit for each pair of bytes.
    void pair(Op& op) {
        const auto a = sources_.find(op.a);
        const auto b = sources_.find(op.b);
        if (a == sources_.end() || b == sources_.end() || b->second.codes > 64 ||
            b->second.byte >= kNoRegister || program_.types[op.x].kind != TypePlan::Kind::Any) {
            return;
        }
        const auto base = static_cast<std::uint32_t>(program_.masks.size());
        for (std::uint32_t i = 0; i < a->second.codes; ++i) {
            std::uint64_t mask = 0;
            for (std::uint32_t j = 0; i > 0 && j < b->second.codes; ++j) {
                const Value& left = program_.values[a->second.base + i];
                const Value& right = program_.values[b->second.base + j];
                const bool same = j > 0 && left.tag != Tag::None && right.tag != Tag::None &&
                                  equal(left, right, program_.symbols);
                mask |= std::uint64_t{same} << j;
            }
            program_.masks.push_back(mask);
        }
        op.code = OpCode::BytePair;
        op.x = base;
        op.y = a->second.byte;
        op.a = static_cast<std::uint16_t>(b->second.byte);
    }

    // A set of one word that is a field of the root.
    void address_set(Op& op) const {
        const Layout& layout = *program_.layout;
        const SchemaNode& map = layout.node(op.y);
        if (map.parent != 0 || map.kind != ShapeKind::Map || map.arrays != kNoOffset ||
            layout.node(0).kind != ShapeKind::Record) {
            return;
        }
        const SchemaNode& element = layout.node(map.element);
        if (element.kind != ShapeKind::Unit || element.words != 1) {
            return;
        }
        op.code = op.code == OpCode::Clear ? OpCode::ClearRows : OpCode::SetRows;
        op.x = element.presence;
        op.y = map.presence;
        op.s = map.slot;
        op.t = layout.order_of_root();
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
            if (!kept_[place] || (tests_byte(op) && facts.outcome(op) == true)) {
                ++place;
            } else if (op.code == OpCode::Jump && op.x > place) {
                place = op.x;
            } else if (must_fail(place, facts) && op.fail > place) {
                place = op.fail;
            } else {
                return place;
            }
        }
    }

    // One of the tests that stand there, all of which fail to the same place, is known to fail.
    [[nodiscard]] bool must_fail(std::uint32_t place, const Facts& facts) const {
        const std::uint32_t fail = code_[place].fail;
        for (; only_tests(code_[place].code) && code_[place].fail == fail; ++place) {
            if (kept_[place] && facts.fails(code_[place])) {
                return true;
            }
        }
        return false;
    }

    // One pass forward. What a loop jumps back to is known from the way in: tests change nothing.
    void follow_facts() {
        std::vector<std::optional<Facts>> before(code_.size());
        before[begin_] = Facts{};
        std::uint32_t pc = begin_;
        const auto reach = [&](std::uint32_t place, const Facts& facts) {
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
            if (dropped && before[pc]) {
                reach(pc + 1, Facts(*before[pc]));
            }
            if (!kept_[pc] || code_[pc].code == OpCode::Done) {
                continue;
            }
            Op& op = code_[pc];
            const Facts facts = *before[pc];
            const bool holds = tests_byte(op) && facts.outcome(op) == true;
            if (holds || (must_fail(pc, facts) && op.fail > pc)) {
                op.x = holds ? pc + 1 : op.fail;
                op.fail = kNoTarget;
                op.code = OpCode::Jump;
            }
            if (op.code == OpCode::Jump) {
                op.x = op.x > pc ? thread(op.x, facts) : op.x;
                reach(op.x, facts);
                continue;
            }
            const Facts on = facts.after(op);
            Facts off = facts;
            if (tests_byte(op)) {
                off.add(op, false);
            }
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
        if (!only_fills(op.code)) {
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
            kept_[pc] = kept_[pc] && !(only_fills(code_[pc].code) && !read.contains(code_[pc].a));
        }
    }

    // Registers are filled as late as may be, behind the tests that mostly fail.
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
                const bool passes = only_fills(fill.code) && only_tests(test.code) &&
                                    !target[pc + 1] && test.fail > pc &&
                                    last_read[fill.a] < test.fail;
                if (!passes) {
                    break;
                }
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

    // A test that a byte is a value, where the tests right behind it fail without, and to the same
    // place.
    void drop_implied() {
        for (std::uint32_t pc = begin_; pc < code_.size(); ++pc) {
            const Op& test = code_[pc];
            if (!kept_[pc] || test.code != OpCode::ByteAny) {
                continue;
            }
            for (std::uint32_t next = next_kept(pc); next < code_.size(); next = next_kept(next)) {
                const Op& op = code_[next];
                const bool stops = !only_tests(op.code) || op.fail != test.fail;
                if (!stops && !implies_any(op, test.x)) {
                    continue;
                }
                kept_[pc] = stops;
                break;
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
        std::vector<std::set<std::uint16_t>> acts;
        for (const PendingAct& act : pending_acts_) {
            std::set<std::uint16_t>& reads = acts.emplace_back();
            for (const auto& [name, reg] : act.bound) {
                reads.insert(reg);
            }
        }
        Tightener(program_, begin, codes_of_table_, acts).run();
    }
}

} // namespace croupier::engine
