// The variables of a function: in registers, in their slots, or as sets on the stack.
#pragma once

#include "engine/emit/writer.h"

namespace croupier::engine::emit {

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

} // namespace croupier::engine::emit
