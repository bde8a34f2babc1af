// What rules are compiled to, for engineers.
#pragma once

#include "engine/ir/show.h"
#include "engine/tree/layout.h"
