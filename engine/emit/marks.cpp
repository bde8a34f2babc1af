// Says in between the instructions which rule they are for.
#include "engine/emit/writer.h"

#include <algorithm>
#include <string>
#include <utility>

namespace croupier::engine::emit {

Writer::At::~At() {
    writer_.go_to(std::move(before_));
}

// Registers are allocated and instructions encoded later; a comment stays where it stands between
// them, and is no instruction.
void Writer::go_to(Origin origin) {
    if (origin == origin_) {
        return;
    }
    origin_ = std::move(origin);
    if (origins_ != nullptr) {
        const std::string number = std::to_string(origins_->number_of(origin_));
        code_.comment(number.c_str(), number.size());
    }
}

// What follows is for the entry that the node comes from, if it is one of the rule at hand.
void Writer::go_to_entry_of(const Node& node) {
    if (origin_.rules.size() != 1 || node.note == ir::kNothing) {
        return;
    }
    const Note& note = module_.notes[node.note];
    if (note.rule == origin_.rules[0] && note.entry != kNone) {
        go_to({origin_.rules, origin_.part, note.entry});
    }
}

void Writer::go_to_part(Origin::Part part) {
    go_to({origin_.rules, part, kNone});
}

} // namespace croupier::engine::emit
