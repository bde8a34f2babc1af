// Runs: machines, what they draw, what ends them, who watches them.
#pragma once

#include "engine/run/error.h"
#include "engine/run/machine.h"
#include "engine/run/observer.h"
#include "engine/run/random.h"
