// Rules and groups: what is searched when, and what is done with what was found.
#pragma once

#include "engine/emit/matches.h"

namespace croupier::engine::emit {

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

    // -- rules that act on all rows of a set, and groups at once (together.cpp) --
    [[nodiscard]] bool takes_rows(const Node& apply) const;
    void take_rows(const Node& apply, const Node& yield, const Gp& found, Label next);
    void count_words(VarId var, std::uint32_t words, const Gp& found);
    void act_on_rows(const Node& apply, const Gp& found);
    void at_once(const Node& group);
    [[nodiscard]] bool needs_absence(BlockId rule, const std::vector<Id>& ensured) const;
    [[nodiscard]] Label beyond(BlockId action, Label otherwise) const;

    // -- tests that many rules share (guards.cpp) --
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

} // namespace croupier::engine::emit
