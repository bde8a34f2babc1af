// Rulesets: reading, checking, laying one over the other, comparing, writing.
#pragma once

#include "engine/lang/diff.h"
#include "engine/lang/print.h"
#include "engine/lang/reader.h"
#include "engine/lang/ruleset.h"
#include "engine/lang/ruleset_schema.h"
