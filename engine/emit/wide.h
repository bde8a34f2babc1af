// Sets of up to 512 rows in one register each, where the processor has AVX-512.
#pragma once

#include "engine/emit/sets.h"

namespace croupier::engine::emit {

// The processor has what sets in registers of 512 bits need.
bool can_be_wide();

class WideSets : public Sets {
  protected:
    using Sets::Sets;
    ~WideSets() = default;

    x86::Zmm wide(Id set);
    void wide_to(const x86::Zmm& to, Id set);
    void wide_from(const x86::Zmm& to, const std::vector<Gp>& words);
    [[nodiscard]] bool is_wide_bytes(Id set) const;
    void each_wide_word(Id set, Label none,
                        const std::function<void(std::uint32_t w, const x86::KReg& found)>& use);
    void wide_bytes(const x86::Zmm& to, Id set);
    void jump_wide(Id set, bool when, Label to);
    void set_wide(VarId var, Id set);
    void count_wide(VarId var, const Gp& count);

  private:
    std::optional<x86::KReg> any_;
};

} // namespace croupier::engine::emit
