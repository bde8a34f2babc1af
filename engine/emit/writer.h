// What all of the emitter writes with: registers, labels, code that stands aside, and calls of the
// engine. The emitter is a row of classes, each of which knows only those before it:
// Writer, Variables, Places, Sets, WideSets, Neighbours, Values, Searches, Changes, Matches, Rules,
// Emitter.
#pragma once

#include "engine/emit/code.h"
#include "engine/emit/frame.h"
#include "engine/emit/tables.h"
#include "engine/ir/ir.h"
#include "engine/ir/probe.h"

#include <asmjit/x86.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <optional>
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

class Writer {
  public:
    // Each statement stands before its code as a comment, for people.
    void show_statements() { shows_ = true; }
    // Numbers of origins stand before their instructions as comments, for `Encoder`. Not both.
    void note_origins(Origins& origins) { origins_ = &origins; }

  protected:
    using Gp = x86::Gp;
    using Mem = x86::Mem;

    Writer(const ir::Module& module, const ir::Function& function, Tables& tables,
           x86::Compiler& code)
        : module_(module), function_(function), tables_(tables), code_(code) {}
    ~Writer() = default;

    [[nodiscard]] const Node& at(Id id) const { return function_.at(id); }
    [[nodiscard]] const SchemaNode& schema(std::uint32_t id) const {
        return module_.catalogue->layout->node(id);
    }
    [[nodiscard]] const ir::CodeList& list(std::uint32_t id) const { return module_.lists[id]; }

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
    x86::Zmm new_zmm();
    x86::KReg mask();
    [[nodiscard]] Mem in_frame(std::size_t offset, std::uint32_t size = 8) const;
    [[nodiscard]] Mem counter(std::size_t offset, std::uint32_t size = 8) const;

    // Code behind the function, for what is rare.
    Label aside(std::function<void()> write);
    [[nodiscard]] bool is_asked_for(Label label, const asmjit::BaseNode* since) const;
    void bind_if_asked_for(Label label, const asmjit::BaseNode* since);

    // Of a helper in the frame. An error ends the function. `result`: what it answers.
    void call(std::size_t helper, Id node, const Gp* result = nullptr);
    void reload();

    // -- whose instructions they are (writer.cpp) --
    // While it lives, what is written may be for something else.
    class At {
      public:
        explicit At(Writer& writer) : writer_(writer), before_(writer.origin_) {}
        ~At();
        At(const At&) = delete;
        At& operator=(const At&) = delete;

      private:
        Writer& writer_;
        Origin before_;
    };
    void go_to(Origin origin);
    void go_to_entry_of(const Node& node);
    void go_to_part(Origin::Part part);
    void show(Id id);

    const ir::Module& module_;
    const ir::Function& function_;
    Tables& tables_;
    x86::Compiler& code_;
    Gp frame_;
    Gp block_;
    Label thrown_;
    Pool here_;
    Pool aside_;
    Pool* pool_ = &here_;
    std::optional<x86::KReg> mask_;
    std::vector<std::pair<Label, std::function<void()>>> asides_;
    RuleId rule_ = kNone; // at hand
    Origin origin_;       // of what is written
    CROUPIER_PROBE(probe::Emission emission_ = probe::Emission(function_);)

  private:
    bool shows_ = false;
    Origins* origins_ = nullptr; // null: nobody asks
};

// The variables of a function: in registers, in their slots, or as sets on the stack.

// Of a set in one register.
inline constexpr std::uint32_t kWideWords = 8;
inline constexpr std::uint32_t kWideBytes = 8 * kWideWords;

class Variables : public Writer {
  protected:
    Variables(const ir::Module& module, const ir::Function& function, Tables& tables,
              x86::Compiler& code, bool wide);
    ~Variables() = default;

    void note_reads(BlockId block);
    void note_reads_of(Id id);
    [[nodiscard]] bool in_register(VarId var) const;
    [[nodiscard]] bool is_sure(Id code) const;
    Gp reg(VarId var);
    [[nodiscard]] Mem slot(VarId var, std::int32_t offset = 0) const;

    // -- sets --
    [[nodiscard]] std::uint32_t words_of(Id set) const;
    [[nodiscard]] bool is_wide(std::uint32_t list) const;
    Mem stack_for_rows(std::uint32_t words);
    Mem rows_of(VarId var);
    Gp kept_word(VarId var, std::uint32_t w);
    void word_of_wide(const Gp& to, VarId var, std::uint32_t w);
    void put_rows(VarId var);
    void address_rows(VarId var, const Gp& address);

    // -- the interpreter's way: variables that the node reads go to their slots before, those that
    // it sets come from there --
    void perform(Id id);
    // The same aside, which comes back where bind_back stands.
    Label aside_step(Id id);
    void bind_back();
    void spill(Id node);
    void spill_block(BlockId block);
    void fetch(VarId var);

    // What may come back, and where the code began that may go there.
    struct Back {
        Label label;
        Label aside;
        const asmjit::BaseNode* since;
    };
    Gp slots_;
    std::vector<bool> read_; // variables that somebody reads
    std::vector<std::optional<Gp>> registers_;
    std::vector<std::optional<x86::Zmm>> wide_rows_;
    std::vector<Back> backs_;
    bool uses_wide_ = false;

  private:
    std::vector<std::optional<Mem>> kept_rows_; // of variables that are sets
};

// Where what is read or written lies: in the block, by codes, and in tables.

// A place is one of schema x of a node, by its operands from `first` on; where one of the codes is
// 0 it goes to `none`.
class Places : public Variables {
  protected:
    using Variables::Variables;
    ~Places() = default;

    // In `into`, if it is a register and the value is not in another one anyway.
    virtual Gp code_of(Id id, Gp into = Gp()) = 0;

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

    Gp table_index(const Node& node);
    Mem in_table(const void* entries, const Gp& index, std::uint32_t width);
};

} // namespace croupier::engine::emit
