// Counters and planted mistakes exist only in test builds (engine/reference/probe.h). In others a
// mistake is `false`, and a counter does nothing.
#pragma once

#ifdef CROUPIER_PLANTED_MISTAKES
#include "engine/reference/probe.h"
#else
#define CROUPIER_MISTAKE(name) false
#define CROUPIER_REWRITE(name) static_cast<void>(0)
#define CROUPIER_REWRITE_IF(condition, name) static_cast<void>(sizeof((condition) ? 1 : 0))
#define CROUPIER_REWRITE_EITHER(condition, name, other) CROUPIER_REWRITE_IF(condition, name)
#define CROUPIER_INTERPRETED(kind) static_cast<void>(0)
#define CROUPIER_PROBE(...)
#endif
