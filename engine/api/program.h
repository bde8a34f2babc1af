// Programs: rulesets compiled, shared by threads; and changes from outside the rules.
#pragma once

#include "engine/catalogue/catalogue.h"
#include "engine/catalogue/patch.h"
#include "engine/run/program.h"
