// Writes the machine code of a function: statements in their order, variables in registers. What it
// is made of: see engine/emit/writer.h.
#pragma once

#include "engine/emit/rules.h"

namespace croupier::engine::emit {

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

    // -- a rule's only match (agenda_single.cpp) --
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
