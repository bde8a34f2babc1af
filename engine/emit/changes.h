// What actions do to the block: values that are stored, nodes that come and go, whole sets of rows.
#pragma once

#include "engine/emit/searches.h"

#include <span>

namespace croupier::engine::emit {

class Changes : public Searches {
  protected:
    using Searches::Searches;
    ~Changes() = default;

    // -- one place (changes.cpp, numbers.cpp) --
    void store(Id id);
    void store_number(Id id, bool hangs);
    void ensure(Id id);
    void erase(Id id);
    void make_present(Id id, std::size_t first);
    [[nodiscard]] bool is_code_for(const SchemaNode& leaf, Id value) const;
    Gp code_for(const SchemaNode& leaf, Id value, Label odd);
    void check_range(std::int64_t low, std::int64_t high, Id value, const Gp& integer, Label odd);
    [[nodiscard]] std::optional<Value> known_value(Id id) const;

    // -- fields that go (erasures.cpp) --
    [[nodiscard]] bool is_field_of_few_bytes(Id id) const;
    bool erase_field(Id id);
    std::size_t erase_fields(std::span<const Id> statements);
    void forget_field(const Node& node);
    Gp order_above(const Node& node);
    void clear_field(const Node& node);

    // -- all rows of a set (write_rows.cpp) --
    void write_rows(Id id);
    [[nodiscard]] bool is_written_wide(Id id) const;
    std::size_t write_together(std::span<const Id> statements);
    void address_of_set(Id set, const Gp& address);
    void write_codes(const Gp& base, const Gp& rows, const Gp& code, std::uint32_t size,
                     std::uint32_t width);
    struct WideWrite {
        Gp rows; // where the words of the set are
        Gp code;
    };
    void write_wide(const Gp& base, const std::vector<WideWrite>& writes, std::uint32_t size);

    // -- sizes while a loop goes on (kept_counts.cpp) --
    void counted_maps(Id id, std::vector<SchemaId>& maps) const;
    [[nodiscard]] bool only_stores(BlockId block, SchemaId map) const;
    std::vector<SchemaId> count_along(BlockId action);
    void count_map(SchemaId map, const Gp& count);
    void stop_counting(const std::vector<SchemaId>& maps);
    void count_stored(const SchemaNode& element, const Mem& place);
    Label stored_aside(Id id);
    void store_otherwise(Id id);

    // -- what rules of an agenda look at (noted.cpp) --
    void note_write(const Node& node, std::size_t first);
    [[nodiscard]] bool is_noted(SchemaId schema) const;
    [[nodiscard]] std::uint64_t surely_noted(BlockId action) const;

    const AgendaPlan* agenda_ = nullptr; // of the group whose action is written
    std::uint64_t noted_ = 0; // its rules that are to be searched whatever else it writes
};

} // namespace croupier::engine::emit
