// States: trees of values in one block of memory each.
#pragma once

#include "engine/tree/graft.h"
#include "engine/tree/layout.h"
#include "engine/tree/root_field.h"
#include "engine/tree/state.h"
