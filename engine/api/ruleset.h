// Rulesets: reading, checking, laying one over the other, comparing, writing.
#pragma once

#include "engine/language/diff.h"
#include "engine/language/print.h"
#include "engine/language/reader.h"
#include "engine/language/ruleset.h"
#include "engine/language/ruleset_schema.h"
