// For other folders: which rule a thread is executing, and which rule a machine instruction
// implements.
#pragma once

#include "engine/run/glimpse.h"
#include "engine/x86/code.h"
