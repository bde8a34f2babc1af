// The slots of a deftemplate from forms.
#pragma once

#include "engine/clips/session.h"

namespace croupier::engine::clips {

// Adds the slot that the form declares to the template, which has its name already. Reports
// mistakes.
bool read_slot(Session& session, const Form& form, Template& of);

} // namespace croupier::engine::clips
