// Writes the machine code of a function: statements in their order, variables in registers.
#pragma once

#include "engine/emit/frame.h"
#include "engine/emit/origins.h"
#include "engine/emit/tables.h"
#include "engine/ir/ir.h"
#include "engine/ir/probe.h"

#include <asmjit/x86.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace croupier::engine::emit {

namespace x86 = asmjit::x86;
using asmjit::Label;
using ir::BlockId;
using ir::Id;
using ir::Kind;
using ir::Node;
using ir::TypeKind;
using ir::VarId;

// Of a set in one register.
inline constexpr std::uint32_t kWideWords = 8;
inline constexpr std::uint32_t kWideBytes = 8 * kWideWords;

// The processor has what sets in registers of 512 bits need.
bool can_be_wide();

class Emitter {
  public:
    // `wide`: sets may be in registers of 512 bits.
    Emitter(const ir::Module& module, const ir::Function& function, Tables& tables,
            x86::Compiler& code, bool wide);
    void run();
    // Each statement stands before its code as a comment, for people.
    void show_statements() { shows_ = true; }
    // Numbers of origins stand before their instructions as comments, for `Encoder`. Not both.
    void note_origins(Origins& origins) { origins_ = &origins; }

  private:
    using Gp = x86::Gp;
    using Mem = x86::Mem;
    // Writes what is done with each result of a search; it goes on at `next`.
    using Taker = std::function<void(const Node& yield, Label next)>;

    [[nodiscard]] const Node& at(Id id) const { return function_.at(id); }
    [[nodiscard]] const SchemaNode& schema(std::uint32_t id) const {
        return module_.catalogue->layout->node(id);
    }
    [[nodiscard]] const ir::CodeList& list(std::uint32_t id) const { return module_.lists[id]; }

    // -- registers and what is aside (emitter.cpp) --
    // Registers serve one rule after the other: what allocates them takes longer than in proportion
    // to their number. What stands aside has its own, since it is written when all rules are.
    struct Pool {
        std::vector<Gp> narrow;
        std::vector<Gp> wide;
        std::vector<x86::Xmm> whole;
        std::vector<x86::Zmm> wide_rows;
        std::size_t used[4] = {};

        void reset() { std::fill(std::begin(used), std::end(used), 0); }
    };
    void weigh(const std::vector<Gp>& registers);
    Gp new32();
    Gp new64();
    x86::Xmm new_xmm();
    void note_reads(BlockId block);
    void note_reads_of(Id id);
    [[nodiscard]] bool in_register(VarId var) const;
    Gp reg(VarId var);
    [[nodiscard]] Mem slot(VarId var, std::int32_t offset = 0) const;
    [[nodiscard]] Mem in_frame(std::size_t offset, std::uint32_t size = 8) const;
    [[nodiscard]] Mem counter(std::size_t offset, std::uint32_t size = 8) const;
    // Code behind the function, for what is rare.
    Label aside(std::function<void()> write);
    // The interpreter's way: variables that the node reads go to their slots before, those that it
    // sets come from there. An error ends the function. `result`: what it answers.
    void call(std::size_t helper, Id node, const Gp* result = nullptr);
    void perform(Id id);
    // The same aside, which comes back where bind_back stands.
    Label aside_step(Id id);
    void bind_back();
    [[nodiscard]] bool is_asked_for(Label label, const asmjit::BaseNode* since) const;
    void bind_if_asked_for(Label label, const asmjit::BaseNode* since);
    void reload();
    void spill(Id node);
    void spill_block(BlockId block);
    void fetch(VarId var);

    // -- whose instructions they are (marks.cpp) --
    // While it lives, what is written may be for something else.
    class At {
      public:
        explicit At(Emitter& emitter) : emitter_(emitter), before_(emitter.origin_) {}
        ~At();
        At(const At&) = delete;
        At& operator=(const At&) = delete;

      private:
        Emitter& emitter_;
        Origin before_;
    };
    void go_to(Origin origin);
    void go_to_entry_of(const Node& node);
    void go_to_part(Origin::Part part);
    [[nodiscard]] bool reads(BlockId block, VarId first, VarId end) const;
    [[nodiscard]] bool reads_in(Id id, VarId first, VarId end) const;
    [[nodiscard]] std::vector<RuleId> rules_that_read(const Node& group, std::size_t place,
                                                      const Node& let) const;

    // -- values (values.cpp) --
    [[nodiscard]] bool is_sure(Id code) const;
    [[nodiscard]] bool is_integer(Id id) const;
    [[nodiscard]] std::optional<std::int64_t> known_integer(Id id) const;
    // In `into`, if it is a register and the value is not in another one anyway.
    Gp code_of(Id id, Gp into = Gp());
    Gp integer(Id id, Gp into = Gp());
    Gp population(const Gp& rows); // counts.cpp
    Gp count_rows(Id set);
    bool count_bytes(const Node& rows, const Gp& count);
    Gp loaded_code(const Node& node, const Gp& made);
    [[nodiscard]] std::optional<Mem> code_in_memory(Id id);
    void value_to(Id id, const Mem& low, const Mem& high); // any value, 16 bytes
    void jump(Id truth, bool when, Label to);
    void jump_compare(const Node& node, bool when, Label to);
    void jump_table(const Node& node, bool when, Label to);
    Gp table_index(const Node& node);
    Mem in_table(const void* entries, const Gp& index, std::uint32_t width);
    void set_variable(VarId var, Id value);
    void read_result(VarId var);

    // -- integers (integers.cpp) --
    Label failure(Id id);
    [[nodiscard]] bool draws(Id id) const;
    bool given(const Node& node, Id id, const Gp& made);
    void calculate(const Node& node, const Gp& made, Label odd);
    void divide(const Gp& made, const Gp& by, Label odd, bool wants_rest);
    void divided(VarId var, Id value);
    std::optional<Gp> numbered(const Node& code);

    // -- places (places.cpp): of schema x, by the operands from `first` on; where one of the codes
    // is
    // -- 0 it goes to `none` --
    struct Bit {
        Mem word;
        Gp number;               // of the bit, where it is not known
        std::uint32_t known = 0; // else

        // Then the byte that it is in.
        [[nodiscard]] Mem byte() const;
        [[nodiscard]] std::uint32_t mask() const { return 1U << known % 8; }
    };
    // A register, which is not to be changed, times a power of two that addresses may have.
    struct Index {
        Gp reg;
        std::uint32_t shift = 0;

        [[nodiscard]] Mem at(const Gp& base, std::int64_t offset, std::uint32_t size) const;
    };
    Index times(const Gp& code, std::int64_t by);
    Index sum(const Index& a, const Index& b);
    Index scaled(const Node& node, std::size_t first, std::size_t count, std::int64_t unit,
                 std::int64_t& constant);
    Mem leaf(const Node& node, std::size_t first, Label none);
    Bit presence(const Node& node, std::size_t first, Label none);
    void check_codes(const Node& node, std::size_t first, Label none);
    void jump_present(const Node& node, std::size_t first, bool when, Label to);
    void append_to_record(const Node& node, std::size_t first);

    // -- sets (sets.cpp): word `w` of a set --
    [[nodiscard]] std::uint32_t words_of(Id set) const;
    Gp word(Id set, std::uint32_t w);
    Mem rows_of(VarId var);
    Mem stack_for_rows(std::uint32_t words);
    void map_rows(const Node& node, std::size_t first, const Gp& rows, std::uint32_t w);
    Gp few_bytes(Mem place, std::uint32_t count);
    void byte_rows(Mem place, const Gp& wanted, std::uint32_t count, const Gp& rows);

    // -- what is next to the rows of a set (touching.cpp) --
    void make_rows(const Node& let);
    void keep_rows(Id set, Mem place);
    [[nodiscard]] bool goes_by_pairs(Id set) const;
    x86::Xmm pair(Id set, const Gp& offset);
    void touching(const Node& node);
    Gp number_at(const Node& node);

    // -- sets that fit in a register (wide.cpp) --
    [[nodiscard]] bool is_wide(std::uint32_t list) const;
    [[nodiscard]] bool has_wide_sets() const;
    x86::Zmm new_zmm();
    x86::KReg mask();
    x86::Zmm wide(Id set);
    void wide_to(const x86::Zmm& to, Id set);
    void wide_from(const x86::Zmm& to, const std::vector<Gp>& words);
    [[nodiscard]] bool is_wide_bytes(Id set) const;
    void each_wide_word(Id set, Label none,
                        const std::function<void(std::uint32_t w, const x86::KReg& found)>& use);
    void wide_bytes(const x86::Zmm& to, Id set);
    void jump_wide(Id set, bool when, Label to);
    void set_wide(VarId var, Id set);
    void put_rows(VarId var);
    void word_of_wide(const Gp& to, VarId var, std::uint32_t w);
    void count_wide(VarId var, const Gp& count);
    bool wide_touching(const Node& node);
    struct WideWrite {
        Gp rows; // where the words of the set are
        Gp code;
    };
    void write_wide(const Gp& base, const std::vector<WideWrite>& writes, std::uint32_t size);
    // Numbers of rows, added up: by digit, those that are not yet added.
    struct WideSum {
        std::vector<std::vector<x86::Zmm>> waiting;
        std::vector<x86::Zmm> free;

        x86::Zmm taken(Emitter& emitter);
        void add(Emitter& emitter, std::size_t digit, const x86::Zmm& more);
        void finish(Emitter& emitter, std::size_t digit, const x86::Zmm& to);
    };

    // -- searches (searches.cpp) --
    void search(BlockId block, Label fail, const Taker& taker);
    void each_row(const Node& node, Label fail, const Taker& taker);
    void alternatives(const Node& node, Label fail, const Taker& taker);
    void gather(const Node& node, Id id);
    [[nodiscard]] bool gives_integers(BlockId search) const;
    void count_steps(const Gp& rows);
    void count_rows_of(const Gp& rows);
    void each_child(Id id, Label fail, const Taker& taker);

    // -- loops (loops.cpp) --
    struct Ahead {
        Id before = ir::kNothing; // of the search's statements
        Id loop = 0;
    };
    [[nodiscard]] Ahead loop_ahead(BlockId block) const;
    void look_ahead(Id loop, Label fail);

    // -- sizes while a loop goes on (kept_counts.cpp) --
    void counted_maps(Id id, std::vector<SchemaId>& maps) const;
    [[nodiscard]] bool only_stores(BlockId block, SchemaId map) const;
    std::vector<SchemaId> count_along(BlockId action);
    void count_map(SchemaId map, const Gp& count);
    void stop_counting(const std::vector<SchemaId>& maps);
    void count_stored(const SchemaNode& element, const Mem& place);
    Label stored_aside(Id id);
    void store_otherwise(Id id);

    // -- rules and groups (rules.cpp) --
    void block(BlockId id);
    void statement(Id id);
    void choose(const Node& node);
    void show(Id id);
    void group(Id id);
    [[nodiscard]] bool asks_for_root(BlockId block) const;
    [[nodiscard]] bool asks_for_root_in(Id id) const;
    void apply(Id id);
    void fire(const Node& apply);
    void count_match(const Gp& found);
    void count_only_match();
    void count_matches(const Gp& found);
    void count_firing();
    void count_up(std::size_t count, std::size_t most, std::size_t helper);
    void enter_rule(RuleId rule);
    enum class Mode { Once, Rows, Buffered };
    [[nodiscard]] bool is_bare(BlockId loop) const;
    [[nodiscard]] Mode mode_of(const Node& apply) const;
    void once(const Node& apply, Label none);
    void rows(const Node& apply, const Gp& found);
    enum class Copies { Read, All }; // of the variables of a match: those that the action reads
    [[nodiscard]] std::uint32_t width_of_match(const Node& apply,
                                               Copies which = Copies::Read) const;
    void put_in_buffer(const Node& apply, const Node& yield, const Gp& top, std::uint32_t width,
                       Copies which);
    void collect(const Node& apply, const Gp& begin, const Gp& found);
    void act(const Node& apply, const Gp& begin, const Gp& found);
    void act_otherwise(const Node& apply);
    void at_once(const Node& group);
    // The variables of the action, as far as it reads them.
    void set_match(const Node& apply, const Node& yield, Copies which = Copies::Read);
    void keep_match(const Node& apply, const Node& yield);
    void copy_match(const Node& apply, const Gp& place, bool to_buffer,
                    Copies which = Copies::Read);

    // -- agendas (agenda.cpp) --
    [[nodiscard]] bool emits_agenda(const Node& group) const;
    void agenda(Id id);
    void agenda_rule(const Node& group, std::uint32_t place, Label round, Label fire);
    void agenda_search(const Node& group, std::uint32_t place, const Gp& found, Label none,
                       Label kept);
    // A rule's only match (agenda_single.cpp).
    void agenda_keep(const Node& group, std::uint32_t place, const Gp& found, Label done);
    void agenda_keep_found(const Node& group, std::uint32_t place, const Node& yield, Label done);
    void jump_remembered(std::uint32_t place, Label to);
    void single_comes(const Node& group, std::uint32_t place, const Gp& singles);
    void agenda_pick(const Node& group, const std::vector<Label>& fires);
    void agenda_fire_single(const Node& group, std::uint32_t place);
    [[nodiscard]] bool keeps_single(const Node& group, std::uint32_t place) const;
    [[nodiscard]] std::int32_t single_of(const Node& group, std::uint32_t place) const;
    [[nodiscard]] const Node& apply_of(const Node& group, std::uint32_t place) const;
    void note_write(const Node& node, std::size_t first);
    [[nodiscard]] bool is_noted(SchemaId schema) const;
    [[nodiscard]] std::uint64_t surely_noted(BlockId action) const;

    // -- columns of values (numbers.cpp) --
    void store_number(Id id, bool hangs);
    void load_whole(VarId var, const Node& node);

    // -- rules that act on all rows of a set (together.cpp) --
    [[nodiscard]] bool takes_rows(const Node& apply) const;
    void take_rows(const Node& apply, const Node& yield, const Gp& found, Label next);
    void count_words(VarId var, std::uint32_t words, const Gp& found);
    void act_on_rows(const Node& apply, const Gp& found);
    void set_rows(VarId var, Id set);
    Gp kept_word(VarId var, std::uint32_t w);
    void address_rows(VarId var, const Gp& address);
    void address_of_set(Id set, const Gp& address);
    void write_rows(Id id);
    [[nodiscard]] bool is_written_wide(Id id) const;
    std::size_t write_together(std::span<const Id> statements);
    void write_codes(const Gp& base, const Gp& rows, const Gp& code, std::uint32_t size,
                     std::uint32_t width);
    [[nodiscard]] bool needs_absence(BlockId rule, const std::vector<Id>& ensured) const;
    [[nodiscard]] Label beyond(BlockId action, Label otherwise) const;

    // -- tests that many rules share (guards.cpp) --
    struct Guard {
        Id load = 0;             // of a code,
        std::uint64_t codes = 0; // which is one of these if the rule matches
    };
    [[nodiscard]] bool is_known_code(Id id) const;
    [[nodiscard]] std::vector<Guard> guards_of(BlockId rule) const;
    [[nodiscard]] std::uint64_t codes_of(const Node& table) const;
    std::size_t leave_out(std::size_t place);

    // -- changes (changes.cpp) --
    void store(Id id);
    void ensure(Id id);
    void erase(Id id);
    void make_present(Id id, std::size_t first);

    // -- fields that go (erasures.cpp) --
    [[nodiscard]] bool is_field_of_few_bytes(Id id) const;
    bool erase_field(Id id);
    std::size_t erase_fields(std::span<const Id> statements);
    void forget_field(const Node& node);
    Gp order_above(const Node& node);
    void clear_field(const Node& node);

    [[nodiscard]] bool is_code_for(const SchemaNode& leaf, Id value) const;
    Gp code_for(const SchemaNode& leaf, Id value, Label odd);
    void check_range(std::int64_t low, std::int64_t high, Id value, const Gp& integer, Label odd);
    [[nodiscard]] std::optional<Value> known_value(Id id) const;

    const ir::Module& module_;
    const ir::Function& function_;
    Tables& tables_;
    x86::Compiler& code_;
    Gp frame_;
    Gp block_;
    Gp slots_;
    Label thrown_;
    std::vector<bool> read_; // variables that somebody reads
    std::vector<std::optional<Gp>> registers_;
    std::vector<std::optional<Mem>> kept_rows_; // of variables that are sets
    std::vector<std::optional<x86::Zmm>> wide_rows_;
    std::optional<x86::KReg> mask_;
    std::optional<x86::KReg> any_;
    bool uses_wide_ = false;
    Pool here_;
    Pool aside_;
    Pool* pool_ = &here_;
    std::vector<std::pair<Label, std::function<void()>>> asides_;
    // What may come back, and where the code began that may go there.
    struct Back {
        Label label;
        Label aside;
        const asmjit::BaseNode* since;
    };
    std::vector<Back> backs_;
    const Node* counted_loop_ = nullptr;             // counts its rows before it goes through them,
    Gp counted_;                                     // in this
    const Node* group_ = nullptr;                    // at hand, if it is sequential,
    std::size_t place_ = 0;                          // and the rule's place in it
    std::vector<Label> begins_;                      // of its rules, and its end
    std::unordered_map<const Node*, Gp> rows_ahead_; // of loops whose set is known
    std::unordered_map<SchemaId, Gp> kept_counts_;   // of maps: how many rows they have
    RuleId rule_ = kNone;                            // at hand
    bool shows_ = false;
    Origins* origins_ = nullptr;         // null: nobody asks
    Origin origin_;                      // of what is written
    const AgendaPlan* agenda_ = nullptr; // of the group whose action is written
    std::uint64_t noted_ = 0; // its rules that are to be searched whatever else it writes
    CROUPIER_PROBE(probe::Emission emission_ = probe::Emission(function_);)
};

} // namespace croupier::engine::emit
