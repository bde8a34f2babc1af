// Which rules of an agenda are to be searched again because of what is written.
#include "engine/emit/changes.h"

namespace croupier::engine::emit {

// The rules that look at what the action surely writes: noted at once, not write by write.
std::uint64_t Changes::surely_noted(BlockId action) const {
    std::uint64_t rules = 0;
    for (const Id each : function_.blocks[action].statements) {
        const Node& node = at(each);
        if (node.kind == Kind::Store && agenda_->declared[node.x].stride == 0) {
            rules |= agenda_->reader_words[agenda_->declared[node.x].first];
        }
    }
    return rules;
}

// A rule of the agenda looks at it, and that has not been noted.
bool Changes::is_noted(SchemaId schema) const {
    if (agenda_ == nullptr) {
        return false;
    }
    const AgendaPlan::Readers& readers = agenda_->declared[schema];
    return readers.stride != 0 || (agenda_->reader_words[readers.first] & ~noted_) != 0;
}

// The rules that look at the instance, by the operands from `first` on, are to be searched again.
// Its codes are known not to be 0.
void Changes::note_write(const Node& node, std::size_t first) {
    if (!is_noted(node.x)) {
        return;
    }
    const AgendaPlan::Readers& readers = agenda_->declared[node.x];
    const std::uint64_t* words = &agenda_->reader_words[readers.first];
    const Mem touched = in_frame(offsetof(Frame, touched));
    const Gp rules = new64();
    if (readers.stride == 0) {
        code_.mov(rules, asmjit::Imm(*words));
    } else {
        std::int64_t constant = 0;
        const Index index = scaled(node, first, node.operands.size() - first, 8, constant);
        const Gp base = new64();
        code_.mov(base, asmjit::Imm(reinterpret_cast<std::uintptr_t>(words) +
                                    static_cast<std::uintptr_t>(constant)));
        code_.mov(rules, index.at(base, 0, 8));
    }
    code_.or_(touched, rules);
}

} // namespace croupier::engine::emit
