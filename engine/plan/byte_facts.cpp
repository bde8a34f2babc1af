#include "engine/plan/byte_facts.h"
#include "engine/plan/planted.h"
#include "engine/plan/reached.h"

#include <algorithm>
#include <bit>

namespace croupier::engine {

namespace {

Codes any_code() {
    return ~Codes(1);
}

std::uint32_t flag_place(const Op& op) {
    return op.x * 8 + static_cast<std::uint32_t>(std::countr_zero(op.y));
}

// The codes whose words in a table are not empty.
Codes codes_with_bits(const std::vector<std::uint64_t>& masks, std::uint32_t base,
                      std::uint32_t count) {
    Codes found;
    for (std::uint32_t code = 0; code < count; ++code) {
        found[code] = masks[base + code] != 0;
    }
    return found;
}

} // namespace

std::map<std::uint32_t, std::uint32_t> codes_of_bytes(const Layout& layout) {
    std::map<std::uint32_t, std::uint32_t> codes;
    for (SchemaId id = 0; id < layout.size(); ++id) {
        const SchemaNode& node = layout.node(id);
        if (!node.dense || node.column != Column::Code8) {
            continue;
        }
        const std::uint32_t count = node.kind == ShapeKind::Bool ? 3
                                    : node.kind == ShapeKind::Int
                                        ? static_cast<std::uint32_t>(node.high - node.low) + 2
                                        : layout.domain(node.domain).size() + 1;
        for (std::uint32_t i = 0; i < node.instances; ++i) {
            codes.emplace_hint(codes.end(), node.values + i, count);
        }
    }
    return codes;
}

bool only_tests(OpCode code) {
    switch (code) {
    case OpCode::ByteAny:
    case OpCode::ByteNone:
    case OpCode::ByteIs:
    case OpCode::ByteIn:
    case OpCode::ByteSame:
    case OpCode::FlagSet:
    case OpCode::FlagClear:
    case OpCode::ByteRows:
    case OpCode::ByteTable:
    case OpCode::ByteRowsTable:
    case OpCode::BytePair:
    case OpCode::BytePairWide:
        return true;
    default:
        return false;
    }
}

Demand demand_of(const Op& op, const std::vector<std::uint64_t>& masks,
                 const std::map<std::uint32_t, std::uint32_t>& codes) {
    Demand demand;
    const auto by_table = [&](std::uint32_t byte, std::uint32_t base) {
        return codes_with_bits(masks, base, codes.at(byte));
    };
    switch (op.code) {
    case OpCode::ByteAny:
        demand = {{{op.x, any_code()}}, {}, true};
        break;
    case OpCode::ByteNone:
        demand = {{{op.x, Codes(1)}}, {}, true};
        break;
    case OpCode::ByteIs:
        demand = {{{op.x, Codes().set(op.y)}}, {}, true};
        break;
    case OpCode::ByteIn: {
        Codes in;
        for (std::uint32_t code = 0; code < codes.at(op.y); ++code) {
            in[code] = ((masks[op.x + code / 64] >> (code % 64)) & 1) != 0;
        }
        demand = {{{op.y, in}}, {}, true};
        break;
    }
    case OpCode::FlagSet:
    case OpCode::FlagClear:
        demand = {{}, std::pair(flag_place(op), op.code == OpCode::FlagSet), true};
        break;
    case OpCode::ByteSame:
        demand = {{{op.x, any_code()}, {op.y, any_code()}}, {}, false};
        break;
    case OpCode::ByteRows:
        demand = {{{op.y, any_code()}}, {}, false};
        break;
    case OpCode::ByteTable:
        demand = {{{op.y, by_table(op.y, op.x)}}, {}, false};
        break;
    case OpCode::ByteRowsTable:
        demand = {{{op.y, any_code()}, {op.a, by_table(op.a, op.t)}}, {}, false};
        break;
    case OpCode::BytePair:
    case OpCode::BytePairWide: {
        const std::uint32_t words = op.code == OpCode::BytePair ? 1 : op.s;
        Codes first;
        Codes second;
        for (std::uint32_t code = 0; code < codes.at(op.y); ++code) {
            for (std::uint32_t word = 0; word < words; ++word) {
                const std::uint64_t mask = masks[op.x + code * words + word];
                first[code] = first[code] || mask != 0;
                second |= Codes(mask)
                          << (CROUPIER_PLANTED(FactsOfFirstWord) ? 0 : kWordRows * word);
            }
        }
        demand = {{{op.y, first}, {op.a, second}}, {}, false};
        break;
    }
    default:
        break;
    }
    return demand;
}

// ---- facts -----------------------------------------------------------------------------------

void ByteFacts::hold(const Demand& demand) {
    for (const auto& [byte, codes] : demand.bytes) {
        const auto known = bytes_.find(byte);
        bytes_[byte] = known == bytes_.end() ? codes : codes & known->second;
    }
    if (demand.flag) {
        flags_[demand.flag->first] = demand.flag->second;
    }
}

void ByteFacts::fail(const Demand& demand) {
    if (!demand.is_whole && !CROUPIER_PLANTED(FailureOfPartKnown)) {
        return;
    }
    for (const auto& [byte, codes] : demand.bytes) { // it is one
        const auto known = bytes_.find(byte);
        bytes_[byte] = known == bytes_.end() ? ~codes : ~codes & known->second;
    }
    if (demand.flag) {
        flags_[demand.flag->first] = !demand.flag->second;
    }
}

std::optional<bool> ByteFacts::outcome(const Demand& demand) const {
    bool sure = demand.is_whole;
    for (const auto& [byte, codes] : demand.bytes) {
        const auto known = bytes_.find(byte);
        if (known != bytes_.end() && (known->second & codes).none()) {
            return false;
        }
        sure = sure && known != bytes_.end() && (known->second & ~codes).none();
    }
    if (demand.flag) {
        const auto known = flags_.find(demand.flag->first);
        if (known != flags_.end() && known->second != demand.flag->second) {
            return false;
        }
        sure = sure && known != flags_.end();
    }
    return sure ? std::optional(true) : std::nullopt;
}

void ByteFacts::meet(const ByteFacts& other) {
    for (auto each = bytes_.begin(); each != bytes_.end();) {
        const auto same = other.bytes_.find(each->first);
        if (same != other.bytes_.end() && !CROUPIER_PLANTED(MeetingKeepsFacts)) {
            each->second |= same->second;
        }
        each =
            same == other.bytes_.end() || each->second.all() ? bytes_.erase(each) : std::next(each);
    }
    std::erase_if(flags_, [&](const auto& each) {
        const auto same = other.flags_.find(each.first);
        return same == other.flags_.end() || same->second != each.second;
    });
}

// ---- what is written -------------------------------------------------------------------------

void ByteFacts::clear() {
    bytes_.clear();
    flags_.clear();
}

void ByteFacts::forget(std::uint32_t begin, std::uint32_t size) {
    bytes_.erase(bytes_.lower_bound(begin), bytes_.lower_bound(begin + size));
    flags_.erase(flags_.lower_bound(begin * 8), flags_.lower_bound((begin + size) * 8));
}

// All instances, whose values or presence may have changed.
void ByteFacts::forget_node(const Layout& layout, SchemaId schema) {
    const SchemaNode& node = layout.node(schema);
    if (node.presence != kNoOffset) {
        forget(node.presence, kWordBytes * node.words * (node.instances / node.group));
    }
    if (node.values != kNoOffset) {
        forget(node.values, width_of(node.column) * node.instances);
    }
}

void ByteFacts::forget_below(const Layout& layout, SchemaId schema) {
    layout.each_below(schema, [&](SchemaId below) { forget_node(layout, below); });
}

void ByteFacts::forget_above(const Layout& layout, SchemaId schema) {
    for (SchemaId above = layout.node(schema).parent; above != kNoSchema;
         above = layout.node(above).parent) {
        forget_node(layout, above);
    }
}

void ByteFacts::write(const Op& op, const Program& program, bool surely) {
    const Layout& layout = *program.layout;
    switch (op.code) {
    case OpCode::Act:
        write_action(program.rules[op.y].action, program, surely);
        break;
    case OpCode::Apply:
        write_rule(program.rules[op.y], program);
        break;
    case OpCode::Clear:
        forget_below(layout, op.y);
        break;
    case OpCode::OrRows:
    case OpCode::OrWords:
        if (CROUPIER_PLANTED(AddedRowsUnknown)) {
            break;
        }
        forget_below(layout, op.y);
        forget_above(layout, op.y);
        break;
    case OpCode::SetRows:
    case OpCode::ClearRows:
        forget(op.x, kWordBytes);
        forget(op.y, 1);
        if (surely) {
            flags_[op.y * 8] = op.code == OpCode::SetRows;
        }
        break;
    default:
        break;
    }
}

void ByteFacts::write_rule(const RulePlan& rule, const Program& program) {
    for (const std::uint32_t pc : {rule.action, rule.otherwise}) {
        if (pc != kNone) {
            write_action(pc, program, false);
        }
    }
}

// The ops of an action. Behind RowOr stand two ways, of which one is taken.
void ByteFacts::write_action(std::uint32_t pc, const Program& program, bool surely) {
    std::uint32_t joined = pc; // where the ways have come together again
    for (; program.code[pc].code != OpCode::End; ++pc) {
        const Op& op = program.code[pc];
        if (op.code == OpCode::RowOr) {
            joined = std::max(joined, program.code[op.fail - 1].x); // one may stand in another
        } else {
            write_change(op, program, surely && pc >= joined);
        }
    }
}

void ByteFacts::write_change(const Op& op, const Program& program, bool surely) {
    const Layout& layout = *program.layout;
    const bool fixed = op.b == kZeroRow && op.c == kZeroRow;
    switch (op.code) {
    case OpCode::Jump:
    case OpCode::Print:
    case OpCode::Inner:
        break;
    case OpCode::EnsureBit:
    case OpCode::EnsureBitIn:
    case OpCode::EnsureAt:
    case OpCode::SetAt:
    case OpCode::SetAtIn:
        forget_node(layout, op.a);
        forget_above(layout, op.a);
        break;
    case OpCode::SetCode:
    case OpCode::SetCodeIn:
    case OpCode::SetCodeRow:
    case OpCode::SetCodeRowIn: {
        forget_node(layout, op.a);
        forget_above(layout, op.a);
        const bool literal = op.code == OpCode::SetCode || op.code == OpCode::SetCodeIn;
        if (surely && fixed) {
            bytes_[op.x] = literal ? Codes().set(op.y) : any_code();
        }
        break;
    }
    case OpCode::RemoveAt:
        forget_below(layout, op.a);
        if (surely && layout.node(op.a).column == Column::Code8 && fixed) {
            bytes_[layout.node(op.a).values + op.x] = Codes(1);
        }
        break;
    case OpCode::RemoveBit:
        forget_node(layout, op.a);
        break;
    case OpCode::MakePath:
    case OpCode::SetPath:
    case OpCode::PutPath:
    case OpCode::RemovePath:
        write_path(program.paths[op.x], program);
        break;
    case OpCode::RunHere:
        if (CROUPIER_PLANTED(GroupWritesNothing)) {
            break;
        }
        for (const RuleId rule : program.groups[op.x].rules) {
            write_rule(program.rules[rule], program);
        }
        break;
    default:
        clear();
        break;
    }
}

// Whatever a change at the path may write.
void ByteFacts::write_path(const PathPlan& path, const Program& program) {
    const KeyPlan* first =
        path.up == 0 && !path.segments.empty() ? &program.keys[path.segments.front()] : nullptr;
    const bool known =
        first != nullptr && first->parts.size() == 1 && first->parts[0].reg == kNoRegister;
    if (!known) {
        clear();
        return;
    }
    const SchemaId field = program.layout->node(0).field(first->parts[0].text);
    if (field != kNoSchema) {
        forget_below(*program.layout, field);
    }
}

} // namespace croupier::engine
