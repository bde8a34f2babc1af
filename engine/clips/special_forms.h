// What special forms do when they are evaluated.
#pragma once

#include "engine/clips/session.h"

namespace croupier::engine::clips {

Value bind_local(Session& session, const Expr& expr);
Value bind_global(Session& session, const Expr& expr);
Value do_if(Session& session, const Expr& expr);
Value do_while(Session& session, const Expr& expr);
Value do_count(Session& session, const Expr& expr);
Value do_each(Session& session, const Expr& expr);
Value do_switch(Session& session, const Expr& expr);
Value do_progn(Session& session, const Expr& expr);
Value do_return(Session& session, const Expr& expr);
Value do_break(Session& session, const Expr& expr);
Value do_and(Session& session, const Expr& expr);
Value do_or(Session& session, const Expr& expr);
Value do_assert_one(Session& session, const Expr& expr);
Value do_assert(Session& session, const Expr& expr);
Value do_modify(Session& session, const Expr& expr);
// Of a slot's change, as its place's index: one expression for a slot of one value.
constexpr std::uint16_t kOneValue = 1;

} // namespace croupier::engine::clips
