// Writes the machine code of a function: statements in their order, variables in registers. What it
// is made of: see engine/emit/writer.h.
#pragma once

#include "engine/emit/values.h"

#include <span>

namespace croupier::engine::emit {

// Searches: tests that fail go back to the innermost loop, results are taken where they are found.

class Searches : public Values {
  protected:
    using Values::Values;
    ~Searches() = default;

    // Writes what is done with each result of a search; it goes on at `next`.
    using Taker = std::function<void(const Node& yield, Label next)>;
    void search(BlockId block, Label fail, const Taker& taker);
    void alternatives(const Node& node, Label fail, const Taker& taker);
    void gather(const Node& node, Id id);
    [[nodiscard]] bool gives_integers(BlockId search) const;

    // -- loops (searches.cpp) --
    struct Ahead {
        Id before = ir::kNothing; // of the search's statements
        Id loop = 0;
    };
    [[nodiscard]] Ahead loop_ahead(BlockId block) const;
    void look_ahead(Id loop, Label fail);
    void each_row(const Node& node, Label fail, const Taker& taker);
    void each_child(Id id, Label fail, const Taker& taker);
    void count_rows_of(const Gp& rows);

    // -- what a run counts (searches.cpp) --
    void count_steps(const Gp& rows);
    void count_match(const Gp& found);
    void count_only_match();
    void count_matches(const Gp& found);
    void count_firing();
    void count_up(std::size_t count, std::size_t most, std::size_t helper);

    const Node* counted_loop_ = nullptr; // counts its rows before it goes through them,
    Gp counted_;                         // in this

  private:
    std::unordered_map<const Node*, Gp> rows_ahead_; // of loops whose set is known
};

// What actions do to the block: values that are stored, nodes that come and go, whole sets of rows.

class Changes : public Searches {
  protected:
    using Searches::Searches;
    ~Changes() = default;

    // -- one place (changes.cpp) --
    void store(Id id);
    void store_number(Id id, bool hangs);
    void ensure(Id id);
    void erase(Id id);
    void make_present(Id id, std::size_t first);
    [[nodiscard]] bool is_code_for(const SchemaNode& leaf, Id value) const;
    Gp code_for(const SchemaNode& leaf, Id value, Label odd);
    void check_range(std::int64_t low, std::int64_t high, Id value, const Gp& integer, Label odd);
    [[nodiscard]] std::optional<Value> known_value(Id id) const;

    // -- fields that go (changes.cpp) --
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

    // -- sizes while a loop goes on (changes.cpp) --
    void counted_maps(Id id, std::vector<SchemaId>& maps) const;
    [[nodiscard]] bool only_stores(BlockId block, SchemaId map) const;
    std::vector<SchemaId> count_along(BlockId action);
    void count_map(SchemaId map, const Gp& count);
    void stop_counting(const std::vector<SchemaId>& maps);
    void count_stored(const SchemaNode& element, const Mem& place);
    Label stored_aside(Id id);
    void store_otherwise(Id id);

    // -- what rules of an agenda look at (changes.cpp) --
    void note_write(const Node& node, std::size_t first);
    [[nodiscard]] bool is_noted(SchemaId schema) const;
    [[nodiscard]] std::uint64_t surely_noted(BlockId action) const;

    const AgendaPlan* agenda_ = nullptr; // of the group whose action is written
    std::uint64_t noted_ = 0; // its rules that are to be searched whatever else it writes
};

// Matches between a search and the actions: in registers, or waiting in the buffer.

class Matches : public Changes {
  protected:
    using Changes::Changes;
    ~Matches() = default;

    enum class Copies { Read, All }; // of the variables of a match: those that the action reads
    [[nodiscard]] std::uint32_t width_of_match(const Node& apply,
                                               Copies which = Copies::Read) const;
    void put_in_buffer(const Node& apply, const Node& yield, const Gp& top, std::uint32_t width,
                       Copies which);
    // The variables of the action, as far as it reads them.
    void set_match(const Node& apply, const Node& yield, Copies which = Copies::Read);
    void keep_match(const Node& apply, const Node& yield);
    void copy_match(const Node& apply, const Gp& place, bool to_buffer,
                    Copies which = Copies::Read);
};

// Rules and groups: what is searched when, and what is done with what was found.

class Rules : public Matches {
  protected:
    using Matches::Matches;
    ~Rules() = default;

    // False: the group is the interpreter's.
    virtual bool agenda(Id group) = 0;

    // -- statements and groups (groups.cpp) --
    void block(BlockId id);
    void statement(Id id);
    void choose(const Node& node);
    void group(Id id);
    void enter_rule(RuleId rule);
    [[nodiscard]] bool asks_for_root(BlockId block) const;
    [[nodiscard]] bool asks_for_root_in(Id id) const;
    [[nodiscard]] bool reads(BlockId block, VarId first, VarId end) const;
    [[nodiscard]] bool reads_in(Id id, VarId first, VarId end) const;
    [[nodiscard]] std::vector<RuleId> rules_that_read(const Node& group, std::size_t place,
                                                      const Node& let) const;

    // -- one rule (rules.cpp) --
    enum class Mode { Once, Rows, Buffered };
    [[nodiscard]] bool is_bare(BlockId loop) const;
    [[nodiscard]] Mode mode_of(const Node& apply) const;
    void apply(Id id);
    void once(const Node& apply, Label none);
    void rows(const Node& apply, const Gp& found);
    void collect(const Node& apply, const Gp& begin, const Gp& found);
    void act(const Node& apply, const Gp& begin, const Gp& found);
    void act_otherwise(const Node& apply);
    void fire(const Node& apply);

    // -- rules that act on all rows of a set, and groups at once (groups.cpp) --
    [[nodiscard]] bool takes_rows(const Node& apply) const;
    void take_rows(const Node& apply, const Node& yield, const Gp& found, Label next);
    void count_words(VarId var, std::uint32_t words, const Gp& found);
    void act_on_rows(const Node& apply, const Gp& found);
    void at_once(const Node& group);
    [[nodiscard]] bool needs_absence(BlockId rule, const std::vector<Id>& ensured) const;
    [[nodiscard]] Label beyond(BlockId action, Label otherwise) const;

    // -- tests that many rules share (groups.cpp) --
    struct Guard {
        Id load = 0;             // of a code,
        std::uint64_t codes = 0; // which is one of these if the rule matches
    };
    [[nodiscard]] bool is_known_code(Id id) const;
    [[nodiscard]] std::vector<Guard> guards_of(BlockId rule) const;
    std::size_t leave_out(std::size_t place);

  private:
    const Node* group_ = nullptr; // at hand, if it is sequential,
    std::size_t place_ = 0;       // and the rule's place in it
    std::vector<Label> begins_;   // of its rules, and its end
};

class Emitter final : public Rules {
  public:
    // `wide`: sets may be in registers of 512 bits.
    Emitter(const ir::Module& module, const ir::Function& function, Tables& tables,
            x86::Compiler& code, bool wide)
        : Rules(module, function, tables, code, wide) {}
    void run();

  private:
    [[nodiscard]] bool has_wide_sets() const;

    // -- agendas (agenda.cpp) --
    bool agenda(Id group) override;
    [[nodiscard]] bool emits_agenda(const Node& group) const;
    void agenda_rule(const Node& group, std::uint32_t place, Label round, Label fire);
    void agenda_search(const Node& group, std::uint32_t place, const Gp& found, Label none,
                       Label kept);

    // -- a rule's only match (agenda.cpp) --
    void agenda_keep(const Node& group, std::uint32_t place, const Gp& found, Label done);
    void agenda_keep_found(const Node& group, std::uint32_t place, const Node& yield, Label done);
    void jump_remembered(std::uint32_t place, Label to);
    void single_comes(const Node& group, std::uint32_t place, const Gp& singles);
    void agenda_pick(const Node& group, const std::vector<Label>& fires);
    void agenda_fire_single(const Node& group, std::uint32_t place);
    [[nodiscard]] bool keeps_single(const Node& group, std::uint32_t place) const;
    [[nodiscard]] std::int32_t single_of(const Node& group, std::uint32_t place) const;
    [[nodiscard]] const Node& apply_of(const Node& group, std::uint32_t place) const;
};

} // namespace croupier::engine::emit
