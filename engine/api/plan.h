// The plan that rules are compiled to, for engineers.
#pragma once

#include "engine/form/show.h"
#include "engine/form/walks.h"
#include "engine/state/layout.h"
