// Rules whose action does nothing but put what was found into a set: all matches at once.
#include "engine/emit/emitter.h"

#include "engine/tree/layout.h"

#include <algorithm>
#include <cstring>

namespace croupier::engine::emit {

namespace {

constexpr std::uint32_t kMostWords = 4; // of a set that is held in registers

} // namespace

// By how much a table moves the rows of a domain, if it moves all by the same.
std::optional<std::int64_t> Emitter::moved_by(const Node& table) const {
    const Tables::Entries entries = tables_.entries(table.x, table.type);
    const std::size_t size = module_.tables[table.x].values.size();
    const auto code = [&](std::size_t row) -> std::int64_t {
        std::uint16_t wide = 0;
        const auto* const bytes = static_cast<const std::uint8_t*>(entries.data);
        std::memcpy(&wide, bytes + row * entries.width, entries.width);
        return wide;
    };
    if (size < 2) {
        return std::nullopt;
    }
    const std::int64_t by = code(1) - 1;
    for (std::size_t row = 1; row < size; ++row) {
        if (code(row) == 0 || code(row) - static_cast<std::int64_t>(row) != by) {
            return std::nullopt;
        }
    }
    return by;
}

// What the action of a rule, which loops over the rows of a set and nothing else, comes to.
std::optional<Emitter::Image> Emitter::image_of(const Node& apply) const {
    const RulePlan& rule = module_.catalogue->rules[apply.x];
    Image image;
    image.loop = &at(function_.blocks[apply.blocks[0]].statements.back());
    const auto& yielded = at(function_.blocks[image.loop->blocks[0]].statements[0]).operands;
    VarId row = ir::kNothing; // of the action
    for (std::uint32_t i = 0; i < yielded.size(); ++i) {
        if (at(yielded[i]).x == image.loop->x) {
            row = apply.y + i;
        }
    }
    // Agendas are told of each row that is written.
    if (agenda_ != nullptr || rule.first || rule.repeat != 1 || row == ir::kNothing) {
        return std::nullopt;
    }
    const auto is_row = [&](Id id) { return at(id).kind == Kind::Variable && at(id).x == row; };
    const auto is_table_of_row = [&](Id id) {
        return at(id).kind == Kind::Table && at(id).operands.size() == 1 &&
               at(id).type.kind == TypeKind::Code && is_row(at(id).operands[0]);
    };
    const Node* let = nullptr;
    const auto& statements = function_.blocks[apply.blocks[1]].statements;
    for (const Id id : statements) {
        const Node& node = at(id);
        const bool in_bits = (node.kind == Kind::Ensure || node.kind == Kind::Store) &&
                             schema(node.x).column == Column::None &&
                             schema(node.x).presence != kNoOffset;
        if (node.kind == Kind::Ensure && node.operands.empty() && in_bits) {
            image.ensures.push_back(id);
        } else if (node.kind == Kind::Let && let == nullptr && is_table_of_row(node.operands[0])) {
            let = &node;
        } else if (node.kind == Kind::Store && id == statements.back() && in_bits &&
                   schema(node.x).kind == ShapeKind::Unit && node.y == 1 &&
                   node.operands.size() == 2) {
            const Id code = node.operands[1];
            const Id table =
                let != nullptr && at(code).kind == Kind::Variable && at(code).x == let->x
                    ? let->operands[0]
                    : code;
            const auto by = is_row(code)             ? std::optional<std::int64_t>(0)
                            : is_table_of_row(table) ? moved_by(at(table))
                                                     : std::nullopt;
            if (by && words_of(image.loop->operands[0]) <= kMostWords) {
                image.map = &schema(node.x);
                image.by = *by;
                return image;
            }
        } else {
            return std::nullopt;
        }
    }
    return std::nullopt;
}

// Counts the matches and firings, and puts the rows into the map. Where a bound is passed, the
// interpreter does it one by one, to the same error.
void Emitter::add_image(const Image& image, Label none) {
    const Id set = image.loop->operands[0];
    std::vector<Gp> rows;
    for (std::uint32_t w = 0; w < words_of(set); ++w) {
        rows.push_back(word(set, w));
        const Gp count = population(rows.back());
        w == 0 ? code_.mov(image.found, count) : code_.add(image.found, count);
    }
    const Label over = aside([this, id = image.apply, done = image.done] {
        perform(id);
        code_.jmp(done);
    });
    code_.test(image.found, image.found);
    code_.jz(none);
    const Gp steps = new64();
    const Gp firings = new64();
    code_.cmp(image.found, counter(offsetof(Counters, most_matches)));
    code_.ja(over);
    code_.mov(steps, counter(offsetof(Counters, steps)));
    code_.add(steps, image.found);
    code_.cmp(steps, counter(offsetof(Counters, most_steps)));
    code_.ja(over);
    code_.mov(firings, counter(offsetof(Counters, firings)));
    code_.add(firings, image.found);
    code_.cmp(firings, counter(offsetof(Counters, most_firings)));
    code_.ja(over);
    code_.mov(counter(offsetof(Counters, steps)), steps);
    code_.mov(counter(offsetof(Counters, firings)), firings);
    code_.add(counter(offsetof(Counters, matches)), image.found);
    const At here(*this);
    go_to_part(Origin::Part::Action);
    for (const Id each : image.ensures) {
        statement(each);
    }
    for (std::uint32_t to = 0; to < image.map->words; ++to) {
        for (std::uint32_t from = 0; from < rows.size(); ++from) {
            const std::int64_t up =
                (std::int64_t{from} - std::int64_t{to}) * std::int64_t{kWordRows} + image.by;
            if (up <= -std::int64_t{kWordRows} || up >= std::int64_t{kWordRows}) {
                continue;
            }
            const Gp moved = new64();
            code_.mov(moved, rows[from]);
            if (up > 0) {
                code_.shl(moved, up);
            } else if (up < 0) {
                code_.shr(moved, -up);
            }
            code_.or_(Mem(block_, static_cast<std::int32_t>(image.map->presence + to * 8), 8),
                      moved);
        }
    }
    code_.jmp(image.beyond);
}

// The rule begins with the test that one of these is not there, and does nothing without a match.
bool Emitter::needs_absence(BlockId rule, const std::vector<Id>& ensured) const {
    const auto& statements = function_.blocks[rule].statements;
    if (statements.size() != 1 || at(statements[0]).kind != Kind::Apply) {
        return false;
    }
    const Node& apply = at(statements[0]);
    const Node& first = at(function_.blocks[apply.blocks[0]].statements[0]);
    if (module_.catalogue->rules[apply.x].source->otherwise.kind != Action::Kind::None ||
        first.kind != Kind::Test || at(first.operands[0]).kind != Kind::Not) {
        return false;
    }
    const Node& present = at(at(first.operands[0]).operands[0]);
    return present.kind == Kind::Present && present.operands.empty() &&
           std::any_of(ensured.begin(), ensured.end(),
                       [&](Id each) { return at(each).x == present.x; });
}

// Where the group goes on once these are there: behind the rules that are for where they are not.
Label Emitter::beyond(const std::vector<Id>& ensured, Label otherwise) const {
    if (group_ == nullptr) {
        return otherwise;
    }
    std::size_t next = place_ + 1;
    while (next < group_->blocks.size() && needs_absence(group_->blocks[next], ensured)) {
        ++next;
    }
    return next == place_ + 1 ? otherwise : begins_[next];
}

} // namespace croupier::engine::emit
