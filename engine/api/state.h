// States: trees of values in one block of memory each.
#pragma once

#include "engine/state/graft.h"
#include "engine/state/layout.h"
#include "engine/state/root_field.h"
#include "engine/state/state.h"
