// All that the rest of the project may include of the engine.
#pragma once

#include "engine/explain/profile.h"
#include "engine/explain/trace.h"
#include "engine/explain/why.h"
#include "engine/lang/diff.h"
#include "engine/lang/print.h"
#include "engine/lang/reader.h"
#include "engine/lang/ruleset.h"
#include "engine/plan/program.h"
#include "engine/plan/show.h"
#include "engine/run/machine.h"
#include "engine/run/observer.h"
#include "engine/run/random.h"
#include "engine/text/diagnostic.h"
#include "engine/text/document.h"
#include "engine/text/nearest.h"
#include "engine/tree/state.h"
