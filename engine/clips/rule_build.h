// A rule's conditions become pattern nodes and joins.
#pragma once

#include "engine/clips/session.h"

namespace croupier::engine::clips {

// One alternative of a rule. Reports mistakes; the scope then holds the variables that its actions
// may use.
struct Builder {
    Builder(Session& its_session, Rule& its_rule) : session(its_session), rule(its_rule) {}

    Session& session;
    Rule& rule;
    Scope scope;
    std::string joins; // as `load` tells them: +j made, =j shared

    bool build(const std::vector<Ce>& conditions);
    // The node where facts that match the pattern are kept, without any rule.
    PatternNode* watch(const Ce& pattern);

  private:
    struct Compiled;
    // What a group needs of the matches outside: compared where it is joined.
    struct Group {
        int id = 0;
        std::vector<LhsVariable> outer;
    };

    Join* construct(const std::vector<Ce>& conditions, Join* last, int position, Group* group,
                    bool& reuse);
    bool compile_pattern(const Ce& ce, Compiled& into);
    bool name_field(const Field& field, const Slot& slot, LhsVariable here, Compiled& into,
                    LhsVariable& named);
    // `place` is where the field is, `tested` where CLIPS looks for it in tests that compare it
    // with a value: of a function, or of a constant when that waits for a join.
    bool field_tests(const Field& field, const Place& place, const Place& tested, Tests& alone,
                     Tests& joint, bool& by_constant, Value& constant);
    bool term_test(const Term& term, const Place& place, const Place& tested, bool within_only,
                   Tests& alone, Tests& joint);
    bool reads_only_this(const Form& form) const;
    bool reads_only_this(const std::vector<std::vector<Term>>& any_of) const;
    bool add_tests(const std::vector<Form>& forms, Tests& into);
    bool add_expression(const Form& form, bool negated, Tests& into);
    void note_outer(const LhsVariable& variable);
    bool refuse(const std::string& clips, Span span, std::string_view code, std::string message);
    // A constant that its slot cannot hold.
    bool check_constant(const Slot& slot, const Term& term);
    bool fail(Span span, std::string_view code, std::string message, std::string hint = {});
    PatternNode* place(Compiled& compiled, Template& of);

    std::vector<Group*> groups_;
    int next_group_ = 0;
    int next_pattern_ = 0;
};

// Text that is equal for equal expressions.
std::string expression_key(const Form& form, const Scope& scope);

} // namespace croupier::engine::clips
