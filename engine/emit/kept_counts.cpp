// How many rows a map of bytes has, while a loop adds some: counted once, then along with what is
// stored, since counting again would wait for each byte to have been written.
#include "engine/emit/changes.h"

#include "engine/ir/effects.h"
#include "engine/tree/layout.h"

#include <algorithm>

namespace croupier::engine::emit {

namespace {

constexpr std::uint32_t kMostRows = 4000; // of a map that is counted

bool has(const ir::Numbers& numbers, std::uint32_t number) {
    return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
}

} // namespace

// Maps outside all maps of which some expression asks how many rows they have.
void Changes::counted_maps(Id id, ir::Numbers& maps) const {
    const Node& node = at(id);
    if (node.kind == Kind::CountRows) {
        const Node& set = at(node.operands[0]);
        const bool bytes =
            set.kind == Kind::Rows && set.operands.empty() &&
            schema(schema(set.x).element).column == Column::Code8 &&
            module_.catalogue->layout->domain(schema(set.x).domain).size() <= kMostRows;
        if (bytes && !has(maps, set.x)) {
            maps.push_back(set.x);
        }
    }
    for (const Id operand : node.operands) {
        counted_maps(operand, maps);
    }
    for (const BlockId block : node.blocks) {
        for (const Id each : function_.blocks[block].statements) {
            counted_maps(each, maps);
        }
    }
}

// The block changes which rows the map has by storing values in them, if at all.
bool Changes::only_stores(BlockId block, SchemaId map) const {
    const auto& all = function_.blocks[block].statements;
    return std::all_of(all.begin(), all.end(), [&](Id id) {
        const Node& node = at(id);
        if (node.kind == Kind::Group || node.kind == Kind::Apply || node.kind == Kind::If) {
            const bool goes_by_code =
                node.kind != Kind::Group ||
                module_.catalogue->groups[node.x].mode == GroupMode::Sequential;
            const std::size_t count = node.kind == Kind::If && node.y == 1 ? 1 : node.blocks.size();
            return goes_by_code &&
                   std::all_of(node.blocks.begin(),
                               node.blocks.begin() + static_cast<std::ptrdiff_t>(count),
                               [&](BlockId each) { return only_stores(each, map); });
        }
        const SchemaId element = schema(map).element;
        if (node.kind == Kind::Store && node.x == element) {
            return true;
        }
        const ir::Places written = ir::effects_of(module_, function_, id).writes;
        return !written.anything && !has(written.schemas, element);
    });
}

// From here on, until `stop_counting`: what a loop does to the sizes that its action asks for.
std::vector<SchemaId> Changes::count_along(BlockId action) {
    ir::Numbers maps;
    for (const Id each : function_.blocks[action].statements) {
        counted_maps(each, maps);
    }
    std::erase_if(maps, [&](SchemaId map) {
        return kept_counts_.contains(map) || !only_stores(action, map);
    });
    for (const SchemaId map : maps) {
        const Gp count = new64();
        count_map(map, count);
        kept_counts_[map] = count;
    }
    return maps;
}

void Changes::count_map(SchemaId map, const Gp& count) {
    Node rows;
    rows.kind = Kind::Rows;
    rows.x = map;
    code_.xor_(count.r32(), count.r32());
    if (!count_bytes(rows, count)) { // as many as one word has, or fewer
        const Gp word = new64();
        map_rows(rows, 0, word, 0);
        code_.add(count, population(word));
    }
}

void Changes::stop_counting(const std::vector<SchemaId>& maps) {
    for (const SchemaId map : maps) {
        kept_counts_.erase(map);
    }
}

// Right before a byte of the map's is written: one row more if there was none.
void Changes::count_stored(const SchemaNode& element, const Mem& place) {
    const auto kept = kept_counts_.find(element.parent);
    if (kept == kept_counts_.end() || CROUPIER_MISTAKE(KeptCountStays)) {
        return;
    }
    // The carry is set where the byte is 0.
    code_.cmp(place, 1);
    code_.adc(kept->second, 0);
}

// All of it is the interpreter's.
void Changes::store_otherwise(Id id) {
    if (!kept_counts_.contains(schema(at(id).x).parent)) {
        perform(id);
        return;
    }
    code_.jmp(stored_aside(id));
    bind_back();
}

// The same where the interpreter stores it.
Label Changes::stored_aside(Id id) {
    const auto kept = kept_counts_.find(schema(at(id).x).parent);
    if (kept == kept_counts_.end()) {
        return aside_step(id);
    }
    const Label back = code_.newLabel();
    const Label label = aside([this, id, back, map = kept->first, count = kept->second] {
        perform(id);
        count_map(map, count);
        code_.jmp(back);
    });
    backs_.push_back({back, label, code_.cursor()});
    return label;
}

} // namespace croupier::engine::emit
