// What all of the emitter writes with: registers, labels, code that stands aside, and calls of the
// engine. The emitter is a row of classes, each of which knows only those before it:
// Writer, Variables, Places, Sets, WideSets, Neighbours, Values, Searches, Changes, Matches, Rules,
// Emitter.
#pragma once

#include "engine/emit/frame.h"
#include "engine/emit/origins.h"
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

    // -- whose instructions they are (marks.cpp) --
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

} // namespace croupier::engine::emit
