// The context for writing the machine code of a function, with its variables and places. values.h
// writes values, statements.h statements.
#pragma once

#include "engine/form/form.h"
#include "engine/form/probe.h"
#include "engine/x86/code.h"
#include "engine/x86/frame.h"
#include "engine/x86/tables.h"

#include <asmjit/x86.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace croupier::engine::x86 {

namespace x86 = asmjit::x86; // inside this namespace
using asmjit::Label;
using form::BlockId;
using form::Id;
using form::Kind;
using form::Node;
using form::TypeKind;
using form::VarId;

using x86::Gp;
using Feature = asmjit::CpuFeatures::X86;
using x86::Mem;

// The slow path `aside` may return to `label`; code that may jump to it begins after `since`.
struct Back {
    Label label;
    Label aside;
    const asmjit::BaseNode* since;
};

// The function that is being written, and what is known of it.
struct Context {
    Context(const form::Module& in, const form::Function& of, Tables& tables_of, x86::Compiler& to,
            Registers allowed);
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;
    [[nodiscard]] bool has(Feature::Id feature) const;

    [[nodiscard]] const Node& at(Id id) const { return function.at(id); }
    [[nodiscard]] const Layout& layout() const { return *module.catalogue->layout; }
    [[nodiscard]] const SchemaNode& schema(std::uint32_t id) const { return layout().node(id); }
    [[nodiscard]] const form::CodeList& list(std::uint32_t id) const { return module.lists[id]; }

    // Rules reuse the same registers, since the allocator's time grows faster than their number.
    // Slow paths have registers of their own, since they are written after all rules.
    struct Pool {
        std::vector<Gp> narrow;
        std::vector<Gp> wide;
        std::vector<x86::Xmm> whole;
        std::vector<x86::Zmm> wide_rows;
        std::size_t used[4] = {};

        void reset() { std::fill(std::begin(used), std::end(used), 0); }
    };
    void weigh(const std::vector<Gp>& group);
    Gp new32();
    Gp new64();
    x86::Xmm new_xmm();
    x86::Zmm new_zmm();
    x86::KReg mask();
    [[nodiscard]] Mem in_frame(std::size_t offset, std::uint32_t size = 8) const;
    [[nodiscard]] Mem counter(std::size_t offset, std::uint32_t size = 8) const;

    // Adds a slow path, written after the function, and returns its label.
    Label aside(std::function<void()> write);
    [[nodiscard]] bool is_asked_for(Label label, const asmjit::BaseNode* since) const;
    void bind_if_asked_for(Label label, const asmjit::BaseNode* since);

    // Calls a helper of the frame. An error ends the function. `result` gets the helper's answer.
    void call(std::size_t helper, Id node, const Gp* result = nullptr);
    // The label of code that calls the helper to end the run.
    Label ends(std::size_t helper);
    void reload();

    // Restores the origin of the written code at the end of its scope.
    class At {
      public:
        explicit At(Context& c) : c_(c), before_(c.origin) {}
        ~At();
        At(const At&) = delete;
        At& operator=(const At&) = delete;

      private:
        Context& c_;
        Origin before_;
    };
    void go_to(Origin whose);
    void go_to_entry_of(const Node& node);
    void go_to_part(Origin::Part part);
    void show(Id id);

    const form::Module& module;
    const form::Function& function;
    Tables& tables;
    x86::Compiler& out;
    Gp frame;
    Gp block;
    Label thrown;
    Pool common;
    Pool rare;
    Pool* pool = &common;
    std::optional<x86::KReg> one_mask;
    std::vector<std::pair<Label, std::function<void()>>> asides;
    RuleId rule = kNone; // the current one
    Origin origin;       // of the code that is written
    CROUPIER_PROBE(probe::Emission emission = probe::Emission(function);)

    // Writes each statement before its code as a comment, for people.
    bool shows = false;
    // If not null, writes numbers of origins before their instructions as comments, for `Encoder`.
    // Not together with `shows`.
    Origins* origins = nullptr;

    // -- variables --
    Gp slots;
    std::vector<bool> read; // by variable: it is read somewhere
    std::vector<std::optional<Gp>> registers;
    std::vector<std::optional<x86::Zmm>> wide_rows;
    std::vector<Back> backs;
    Registers may_use;
    bool uses_wide;                            // sets in registers of 512 bits
    std::vector<std::optional<Mem>> kept_rows; // of variables that are sets

    // -- values --
    std::optional<x86::KReg> any_mask;
    std::unordered_map<SchemaId, Gp> kept_counts; // of maps: their numbers of rows

    // -- statements --
    const Node* counted_loop = nullptr;             // counts its rows before it visits them,
    Gp counted;                                     // in this register
    std::unordered_map<const Node*, Gp> rows_ahead; // of loops whose set is known
    const Node* sequence = nullptr;                 // the current group, if it is sequential,
    std::size_t place = 0;                          // and the rule's place in it
    std::vector<Label> begins;                      // of its rules, and its end
};

// ---- variables: in registers, in their slots, or as sets on the stack ----

// The size of a set in one register.
inline constexpr std::uint32_t kWideWords = 8;
inline constexpr std::uint32_t kWideBytes = 8 * kWideWords;

[[nodiscard]] bool in_register(const Context& c, VarId var);
[[nodiscard]] bool is_sure(const Context& c, Id code);
Gp reg(Context& c, VarId var);
[[nodiscard]] Mem slot(const Context& c, VarId var, std::int32_t offset = 0,
                       std::uint32_t size = 0);
void copy_value(Context& c, const Mem& to, const Mem& from);
[[nodiscard]] std::uint32_t size_of(const Context& c, const form::Type& of); // rows, or codes but 0
[[nodiscard]] std::uint32_t words_of(const Context& c, Id set);
[[nodiscard]] bool is_wide(const Context& c, std::uint32_t list);
Mem stack_for_rows(Context& c, std::uint32_t words);
Mem rows_of(Context& c, VarId var);
Gp kept_word(Context& c, VarId var, std::uint32_t w);
void put_rows(Context& c, VarId var);
void address_rows(Context& c, VarId var, const Gp& address);
// Lets the interpreter run the node. Variables that it reads go to their slots before; variables
// that it sets are in their slots afterwards.
void perform(Context& c, Id id);
void evaluate(Context& c, Id id); // to the frame's `result`
// The same as a slow path, which returns to where bind_back is called.
Label aside_step(Context& c, Id id);
void bind_back(Context& c);
void spill(Context& c, Id node);
void fetch(Context& c, VarId var);

// ---- places of values: in the block, by codes, and in tables ----
// A place is an instance of schema x of a node, by its operands from `first` on; if one of the
// codes is 0, machine code jumps to `none`.

struct Bit {
    Mem word;
    Gp number;               // of the bit, if it is not constant
    std::uint32_t known = 0; // else its number

    // The byte that contains the bit, if its number is known.
    [[nodiscard]] Mem byte() const;
    [[nodiscard]] std::uint32_t mask() const { return 1U << known % 8; }
};
// A register, which must not be changed, times a power of two that addresses can have.
struct Index {
    Gp reg;
    std::uint32_t shift = 0;

    [[nodiscard]] Mem at(const Gp& base, std::int64_t offset, std::uint32_t size) const;
};
Index scaled(Context& c, const Node& node, std::size_t first, std::size_t count, std::int64_t unit,
             std::int64_t& constant);
Mem leaf(Context& c, const Node& node, std::size_t first, Label none);
Bit presence(Context& c, const Node& node, std::size_t first, Label none);
void check_codes(Context& c, const Node& node, std::size_t first, Label none);
void jump_bit(Context& c, const Bit& bit, bool when, Label to);
void jump_present(Context& c, const Node& node, std::size_t first, bool when, Label to);
void append_to_record(Context& c, const Node& node, std::size_t first);
Gp table_index(Context& c, std::uint32_t table, std::span<const Id> codes);
Mem in_table(Context& c, const void* entries, const Gp& index, std::uint32_t width);

} // namespace croupier::engine::x86
